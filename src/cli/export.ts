import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { InputError } from '../core/errors.ts';
import { writeGlb } from '../io/glb.ts';
import { writeObj } from '../io/obj.ts';
import { readPly, writePly } from '../io/ply.ts';
import { writeUsda } from '../io/usda.ts';
import type { SurfaceFrame } from '../mesh/fields.ts';
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
