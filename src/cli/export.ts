import { basename, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { InputError } from '../core/errors.ts';
import type { TimedFrame } from '../io/frames.ts';
import { writeGlb } from '../io/glb.ts';
import { writeObj } from '../io/obj.ts';
import { writePly } from '../io/ply.ts';
import { writeUsda } from '../io/usda.ts';
import { writePvd, writeSurfaceVtu } from '../io/vtu.ts';
import { writeFileWhole } from '../run/node-files.ts';
import { RunFolder } from '../run/node-folder.ts';
import { parseRange } from './options.ts';
import { showPath } from './paths.ts';

/**
 * `meniscus export`: the frames of a run for other programs. ply, obj and vtu are a file per frame; usda and glb hold
 * the whole sequence in one file.
 */
const formats = ['ply', 'obj', 'vtu', 'usda', 'glb'] as const;

interface ExportFlags {
  to: (typeof formats)[number];
  frames?: { from: number; to: number };
  output?: string;
}

export function registerExport(program: Command): void {
  program
    .command('export')
    .description('convert the frames of a run for other programs')
    .argument('<dir>', 'run folder')
    .addOption(new Option('--to <format>', 'file format').choices(formats).makeOptionMandatory())
    .addOption(new Option('--frames <a:b>', 'only these frames, both ends included').argParser(parseRange))
    .option('-o, --output <path>', 'folder (ply, obj, vtu) or file (usda, glb); default: in DIR/export')
    .action(exportCommand);
}

async function exportCommand(dir: string, flags: ExportFlags): Promise<void> {
  const folder = RunFolder.open(dir);
  const kind = flags.to === 'vtu' && folder.listFrames('volume').length > 0 ? 'volume' : 'surface';
  const range = flags.frames ?? { from: 0, to: Number.POSITIVE_INFINITY };
  const all = folder.listFrames(kind);
  const frames = all.filter((f) => f >= range.from && f <= range.to);
  if (frames.length === 0) {
    const has =
      all.length === 0 ? 'the run has no frames yet' : `the run has frames ${all[0]} to ${all.at(-1)}`;
    throw new InputError(dir, 'no such frames', has);
  }
  const files = await writeFrames(folder, kind, frames, flags);
  const last = files.length > 1 ? ` to ${showPath(files.at(-1)!)}` : '';
  process.stdout.write(`${frames.length} frames -> ${showPath(files[0])}${last}\n`);
}

/** Writes the frames and returns the files, first to last. */
async function writeFrames(
  folder: RunFolder,
  kind: 'surface' | 'volume',
  frames: readonly number[],
  { to, output }: ExportFlags,
): Promise<string[]> {
  const safe = 'the run itself is untouched';
  const { fps, scene } = folder.info;
  if (to === 'usda' || to === 'glb') {
    const file = output ?? join(folder.path, 'export', `${basename(resolve(folder.path))}.${to}`);
    const timed: TimedFrame[] = frames.map((f) => ({ time: f / fps, frame: folder.readSurface(f) }));
    const upAxis = findUpAxis(scene['gravity']);
    writeFileWhole(file, to === 'glb' ? await writeGlb(timed) : writeUsda(timed, { fps, upAxis }), safe);
    return [file];
  }
  const target = output ?? join(folder.path, 'export', to);
  const names = frames.map((f) => `${String(f).padStart(6, '0')}.${to}`);
  frames.forEach((frame, i) => {
    writeFileWhole(join(target, names[i]), encodeFrame(folder, kind, frame, to), safe);
  });
  if (to === 'vtu') {
    const entries = names.map((file, i) => ({ file, time: frames[i] / fps }));
    writeFileWhole(join(target, 'frames.pvd'), writePvd(entries), safe);
  }
  return names.map((name) => join(target, name));
}

/** One frame in a format that has a file per frame. Volumes are stored as vtu already. */
function encodeFrame(
  folder: RunFolder,
  kind: 'surface' | 'volume',
  frame: number,
  to: 'ply' | 'obj' | 'vtu',
): Uint8Array {
  if (kind === 'volume') return folder.readVolumeBytes(frame);
  const { mesh, vertexFields, faceFields } = folder.readSurface(frame);
  if (to === 'ply') return writePly(mesh, vertexFields, faceFields);
  return to === 'obj' ? writeObj(mesh) : writeSurfaceVtu(mesh, vertexFields, faceFields);
}

/** Against gravity; z where there is none. */
function findUpAxis(gravity: unknown): 'Y' | 'Z' {
  const g = Array.isArray(gravity) ? gravity.map(Number) : [0, 0, -1];
  return Math.abs(g[1]) > Math.abs(g[2]) ? 'Y' : 'Z';
}
