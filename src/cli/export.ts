import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { InputError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Vec3 } from '../core/types.ts';
import { listPartFaces } from '../io/frames.ts';
import { writeGlb } from '../io/glb.ts';
import { writeObj } from '../io/obj.ts';
import { writePly, writePlyPoints } from '../io/ply.ts';
import {
  computeTurn,
  findUpAxis,
  type Turn,
  turnParticles,
  turnSolid,
  turnSurface,
  turnVolume,
  type UpAxis,
} from '../io/up-axis.ts';
import { writeUsda } from '../io/usda.ts';
import { readVtu, writePointsVtu, writePvd, writeSurfaceVtu, writeVtu } from '../io/vtu.ts';
import { readRegularFile, writeFileWhole } from '../run/node-files.ts';
import { RunFolder } from '../run/node-folder.ts';
import { findMethod } from '../run/registry.ts';
import { buildSolidTracks } from '../scene/solid-tracks.ts';
import { parseRange } from './options.ts';
import { showPath } from './paths.ts';

/**
 * `meniscus export`: the frames of a run for other programs. ply, obj and vtu are a file per frame; usda and
 * glb hold the whole sequence, with the scene's solids, in one file.
 */
const formats = ['ply', 'obj', 'vtu', 'usda', 'glb'] as const;
type Format = (typeof formats)[number];

interface ExportFlags {
  to: Format;
  frames?: { from: number; to: number };
  up?: 'y' | 'z';
  output?: string;
}

/** What is exported, and how it must be turned. */
interface Job {
  readonly folder: RunFolder;
  readonly frames: readonly number[];
  /** Up in the run. */
  readonly from: UpAxis;
  /** Up in the file. */
  readonly up: UpAxis;
  readonly turn: Turn;
}

const SAFE = 'the run itself is untouched';

export function registerExport(program: Command): void {
  program
    .command('export')
    .description('convert the frames of a run for other programs')
    .argument('<dir>', 'run folder')
    .addOption(new Option('--to <format>', 'file format').choices(formats).makeOptionMandatory())
    .addOption(new Option('--frames <a:b>', 'only these frames, both ends included').argParser(parseRange))
    .addOption(
      new Option(
        '--up <axis>',
        'axis that points up in the files; default: y in obj and glb, else as simulated',
      ).choices(['y', 'z']),
    )
    .option('-o, --output <path>', 'folder (ply, obj, vtu) or file (usda, glb); default: in DIR/export')
    .action(exportCommand);
}

async function exportCommand(dir: string, flags: ExportFlags): Promise<void> {
  const folder = RunFolder.open(dir);
  const range = flags.frames ?? { from: 0, to: Number.POSITIVE_INFINITY };
  const volumes = flags.to === 'vtu' ? folder.listFrames('volume') : [];
  const all = [...new Set([...folder.listFrames('surface'), ...volumes])].sort((a, b) => a - b);
  const frames = all.filter((f) => f >= range.from && f <= range.to);
  if (frames.length === 0) {
    const has =
      all.length === 0 ? 'the run has no frames yet' : `the run has frames ${all[0]} to ${all.at(-1)}`;
    throw new InputError(dir, 'no such frames', has);
  }
  const from = findUpAxis(readGravity(folder));
  const up = chooseUp(flags, from);
  const job: Job = { folder, frames, from, up, turn: computeTurn(from, up) };
  const { files, notes } =
    flags.to === 'usda' || flags.to === 'glb'
      ? await writeSequence(job, flags.to, flags.output)
      : writeFrames(job, flags.to, flags.output, volumes);
  const last = files.length > 1 ? ` to ${showPath(files.at(-1)!)}` : '';
  process.stdout.write(`${frames.length} frames -> ${showPath(files[0])}${last}\n`);
  for (const note of notes) process.stderr.write(`${pc.yellow('note')}: ${note}\n`);
}

/** The axis that is up in the files: as asked for, as the format has it, or as simulated. */
function chooseUp({ to, up }: ExportFlags, simulated: UpAxis): UpAxis {
  if (to === 'glb' && up === 'z') {
    throw new InputError(
      '--up z',
      'glTF has y up by definition, and readers turn it as they need',
      'leave --up out',
    );
  }
  if (up) return up;
  if (to === 'obj' || to === 'glb') return 'y';
  // USD names y or z as up, and no other axis.
  return to === 'usda' && simulated !== 'y' ? 'z' : simulated;
}

/** Every frame in one file, and the solids beside it. */
async function writeSequence(
  { folder, frames, from, up, turn }: Job,
  to: 'usda' | 'glb',
  output: string | undefined,
): Promise<{ files: string[]; notes: readonly string[] }> {
  const { fps, scene } = folder.info;
  const file = output ?? join(folder.path, 'export', `${basename(resolve(folder.path))}.${to}`);
  const timed = frames.map((f) => ({
    time: f / fps,
    frame: folder.readSurface(f),
    particles: folder.readParticles(f),
  }));
  const { tracks, notes } = await buildSolidTracks(scene, (name) => readAsset(folder, name));
  const bytes =
    to === 'glb'
      ? await writeGlb(timed, { fps, solids: tracks, up: from })
      : writeUsda(
          timed.map(({ time, frame, particles }) => ({
            time,
            frame: turnSurface(frame, turn),
            particles: particles && turnParticles(particles, turn),
          })),
          { fps, upAxis: up === 'y' ? 'Y' : 'Z', solids: tracks.map((track) => turnSolid(track, turn)) },
        );
  writeFileWhole(file, bytes, SAFE);
  return { files: [file], notes };
}

/**
 * A mesh file of the scene. A run folder may come from anywhere: what it names outside of itself is not read.
 */
async function readAsset(folder: RunFolder, name: string): Promise<Uint8Array> {
  const inside = relative(resolve(folder.path), resolve(folder.path, name));
  if (isAbsolute(inside) || inside.split(sep)[0] === '..') {
    throw new InputError(name, 'its mesh file is not in the run folder', 'copy it to assets/');
  }
  return readRegularFile(join(folder.path, inside), LIMITS.meshFileBytes);
}

/** A file per frame. */
function writeFrames(
  job: Job,
  to: 'ply' | 'obj' | 'vtu',
  output: string | undefined,
  volumes: readonly number[],
): { files: string[]; notes: readonly string[] } {
  const { folder, frames } = job;
  const { fps } = folder.info;
  const target = output ?? join(folder.path, 'export', to);
  const names = frames.map((f) => `${String(f).padStart(6, '0')}.${to}`);
  const kept: string[] = [];
  frames.forEach((frame, i) => {
    const bytes = volumes.includes(frame) ? encodeVolume(job, frame) : encodeSurface(job, frame, to);
    writeFileWhole(join(target, names[i]), bytes, SAFE);
    const particles = to === 'obj' ? undefined : encodeParticles(job, frame, to);
    if (!particles) return;
    kept.push(names[i]);
    writeFileWhole(join(target, 'particles', names[i]), particles, SAFE);
  });
  if (to === 'vtu') {
    const write = (pvd: string, folderName: string, files: readonly string[]) => {
      const entries = files.map((file) => ({
        file: `${folderName}${file}`,
        time: frames[names.indexOf(file)] / fps,
      }));
      writeFileWhole(join(target, pvd), writePvd(entries), SAFE);
    };
    write('frames.pvd', '', names);
    if (kept.length > 0) write('particles.pvd', 'particles/', kept);
  }
  return {
    files: names.map((name) => join(target, name)),
    notes: [
      ...(to === 'vtu' ? describeKinds(folder.info.method, frames, volumes) : []),
      ...(to === 'obj' && folder.listFrames('particles').length > 0
        ? ['OBJ has no points: the particles are left out']
        : []),
    ],
  };
}

/** Which frames have no tetrahedra, as the run did not keep them. */
function describeKinds(method: string, frames: readonly number[], volumes: readonly number[]): string[] {
  const kept = frames.filter((frame) => volumes.includes(frame)).length;
  if (kept === frames.length) return [];
  const known = findMethod(method);
  if (kept === 0 && known && !known.volume)
    return [`the files hold the surface: the ${method} method makes no tetrahedra`];
  return [
    `${kept} of ${frames.length} frames have tetrahedra, the others the surface alone, as the run kept no more; ` +
      'a run with --set output.volume=1 keeps all',
  ];
}

/** Volumes are stored as vtu already. */
function encodeVolume({ folder, from, up, turn }: Job, frame: number): Uint8Array {
  const bytes = folder.readVolumeBytes(frame);
  if (from === up) return bytes;
  const { mesh, vertexFields, cellFields } = turnVolume(
    readVtu(bytes, folder.framePath('volume', frame)),
    turn,
  );
  return writeVtu(mesh, vertexFields, cellFields);
}

function encodeSurface({ folder, turn }: Job, frame: number, to: 'ply' | 'obj' | 'vtu'): Uint8Array {
  const surface = turnSurface(folder.readSurface(frame), turn);
  const { mesh, vertexFields, faceFields, parts } = surface;
  if (to === 'vtu') return writeSurfaceVtu(mesh, vertexFields, faceFields);
  const comments = describeFrame(folder, frame);
  if (to === 'obj') return writeObj(mesh, comments, listPartFaces(surface));
  return writePly(mesh, vertexFields, faceFields, { ascii: true, comments, parts });
}

/** Undefined where the run kept none of that frame. */
function encodeParticles({ folder, turn }: Job, frame: number, to: 'ply' | 'vtu'): Uint8Array | undefined {
  const particles = folder.readParticles(frame);
  if (!particles) return undefined;
  const turned = turnParticles(particles, turn);
  if (to === 'vtu') return writePointsVtu(turned);
  return writePlyPoints(turned, { ascii: true, comments: describeFrame(folder, frame) });
}

function describeFrame({ info: { fps } }: RunFolder, frame: number): string[] {
  return [`frame ${frame}`, `time ${frame / fps} s`, `fps ${fps}`];
}

/** Of the run's scene; none where it names none. */
function readGravity(folder: RunFolder): Vec3 {
  const { gravity } = folder.info.scene;
  return Array.isArray(gravity) ? (gravity.map(Number) as unknown as Vec3) : [0, 0, 0];
}
