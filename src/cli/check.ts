import type { Command } from 'commander';
import pc from 'picocolors';
import { InputError } from '../core/errors.ts';
import type { Estimate } from '../methods/method.ts';
import { withResources } from '../run/node-resources.ts';
import { listNotes } from '../run/notes.ts';
import { findMethod } from '../run/registry.ts';
import { countFrames } from '../run/runner.ts';
import { computeGroups, type DimensionlessGroups } from '../scene/groups.ts';
import type { LoadedScene } from '../scene/load.ts';
import { describeMotions, describeSources, printMotions, printSources } from './check-moving.ts';
import { formatBytes, formatCount, formatNumber, renderTable } from './format.ts';
import { setOption, settingOption } from './options.ts';
import { loadSceneFromDisk, readScene } from './paths.ts';

/** The largest memory that 32-bit WebAssembly addresses. */
const HEAP_LIMIT_BYTES = 2 ** 32;

/** `meniscus check`: validates a scene and tells what a run will need and which forces matter in it. */
export function registerCheck(program: Command): void {
  program
    .command('check')
    .description('validate a scene: meshes, memory, time step, dimensionless numbers')
    .argument('<scene>', 'bundled scene or a .jsonc file')
    .addOption(setOption())
    .addOption(settingOption())
    .option('--json', 'as JSON on stdout')
    .action(async (name: string, flags: { set: string[]; setting?: string; json?: boolean }) => {
      const { loaded, estimate } = await withResources(undefined, async (getResources) => {
        const edits = { sets: flags.set, setting: flags.setting };
        const loaded = await loadSceneFromDisk(readScene(name), edits, getResources);
        const method = findMethod(loaded.scene.method)!;
        return { loaded, estimate: method.estimate(method.build(loaded.scene, await getResources())) };
      });
      if (estimate.heapBytes > HEAP_LIMIT_BYTES) {
        const what = `the run needs about ${formatBytes(estimate.heapBytes)}, the heap holds at most 4 GiB`;
        const remedy = 'make the resolution coarser or the domain smaller';
        throw new InputError(`${name}, resolution ${loaded.scene.resolution} m`, what, remedy);
      }
      const groups = loaded.scene.liquids.map((liquid) => computeGroups(loaded.scene, liquid));
      const sources = describeSources(loaded.scene);
      const motions = describeMotions(loaded.scene);
      const frames = countFrames(loaded.scene);
      const steps = frames * Math.ceil(1 / loaded.scene.fps / estimate.timeStep);
      if (flags.json) {
        const { scene } = loaded;
        const { name, method } = scene;
        const notes = listNotes(loaded);
        const result = { name, method, frames, steps, estimate, notes, liquids: groups, ...sources, motions };
        process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
        return;
      }
      print(loaded, estimate, groups, frames, steps);
      printSources(sources);
      printMotions(motions);
    });
}

function print(
  loaded: LoadedScene,
  estimate: Estimate,
  groups: DimensionlessGroups[],
  frames: number,
  steps: number,
): void {
  const { scene } = loaded;
  const size = scene.domain.max.map((x, i) => formatNumber(x - scene.domain.min[i])).join(' x ');
  const elements = Object.entries(estimate.elements).map(([name, n]) => `${formatCount(n)} ${name}`);
  const lines = [
    `${pc.bold(loaded.title)}  ${pc.green('valid')}`,
    `method      ${scene.method}`,
    `domain      ${size} m, finest cells ${formatNumber(scene.resolution)} m`,
    `duration    ${formatNumber(scene.duration)} s, ${frames} frames at ${formatNumber(scene.fps)} per second`,
    `time step   about ${formatNumber(estimate.timeStep, 2)} s at the start: ${formatCount(steps)} steps or more`,
    `elements    about ${elements.join(', ')}`,
    `memory      about ${formatBytes(estimate.heapBytes)} of heap`,
    ...(loaded.assets.size > 0 ? [`meshes      ${[...loaded.assets.keys()].join(', ')}: closed`] : []),
    ...listNotes(loaded).map((note) => `${pc.yellow('note')}        ${note}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  const show = (x: number | undefined) => (x === undefined ? '-' : formatNumber(x, 3));
  if (groups.length === 0) return;
  const rows = groups.map((n) => [
    n.material,
    `${show(n.length)} m`,
    `${show(n.speed)} m/s`,
    ...[n.Re, n.We, n.Bo, n.Fr, n.Oh].map(show),
  ]);
  process.stdout.write(`${renderTable(['liquid', 'length', 'speed', 'Re', 'We', 'Bo', 'Fr', 'Oh'], rows)}\n`);
  process.stdout.write(
    `length: ${groups[0].scale}; speed: the greater of the initial one and sqrt(g length)\n`,
  );
}
