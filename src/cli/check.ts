import type { Command } from 'commander';
import pc from 'picocolors';
import type { Resources } from '../methods/method.ts';
import { type Budget, isQuicklyBuilt, planRun } from '../run/budget.ts';
import { describeMachine } from '../run/node-machine.ts';
import { withResources } from '../run/node-resources.ts';
import { listNotes } from '../run/notes.ts';
import { type AnyMethod, findMethod } from '../run/registry.ts';
import { countFrames } from '../run/runner.ts';
import { computeGroups, type DimensionlessGroups } from '../scene/groups.ts';
import type { LoadedScene } from '../scene/load.ts';
import type { Scene } from '../scene/scene.ts';
import { describeMotions, describeSources, printMotions, printSources } from './check-moving.ts';
import { formatBytes, formatCount, formatNumber, formatSeconds, renderTable } from './format.ts';
import { setOption, settingOption } from './options.ts';
import { loadSceneFromDisk, readScene } from './paths.ts';

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
      const { loaded, budget, isBuilt } = await withResources(undefined, async (getResources) => {
        const edits = { sets: flags.set, setting: flags.setting };
        const loaded = await loadSceneFromDisk(readScene(name), edits, getResources);
        const method = findMethod(loaded.scene.method)!;
        const machine = describeMachine();
        const budget = planRun(method, loaded.scene, countFrames(loaded.scene), machine);
        const isBuilt = isQuicklyBuilt(budget);
        if (isBuilt) tryStart(method, loaded.scene, await getResources());
        return { loaded, budget, isBuilt };
      });
      const groups = loaded.scene.liquids.map((liquid) => computeGroups(loaded.scene, liquid));
      const sources = describeSources(loaded.scene);
      const motions = describeMotions(loaded.scene);
      if (flags.json) {
        const { scene } = loaded;
        const { name, method } = scene;
        const notes = listNotes(loaded);
        const { frames, steps, ...estimate } = budget;
        const plan = { frames, steps, estimate, isBuilt };
        const result = { name, method, ...plan, notes, liquids: groups, ...sources, motions };
        process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
        return;
      }
      print(loaded, budget, isBuilt, groups);
      printSources(sources);
      printMotions(motions);
    });
}

/** Builds the start as a run would: much that is wrong with a scene shows there alone. */
function tryStart(method: AnyMethod, scene: Scene, resources: Resources): void {
  const state = method.start(method.build(scene, resources));
  method.release?.(state);
}

function print(loaded: LoadedScene, budget: Budget, isBuilt: boolean, groups: DimensionlessGroups[]): void {
  const { scene } = loaded;
  const { frames, steps } = budget;
  const size = scene.domain.max.map((x, i) => formatNumber(x - scene.domain.min[i])).join(' x ');
  const elements = Object.entries(budget.elements).map(([name, n]) => `${formatCount(n)} ${name}`);
  const lines = [
    `${pc.bold(loaded.title)}  ${pc.green('valid')}`,
    `method      ${scene.method}`,
    `domain      ${size} m, finest cells ${formatNumber(scene.resolution)} m`,
    `duration    ${formatNumber(scene.duration)} s, ${frames} frames at ${formatNumber(scene.fps)} per second`,
    `time step   about ${formatNumber(budget.timeStep, 2)} s: ${formatCount(steps)} steps`,
    `elements    about ${elements.join(', ')} at most`,
    `memory      about ${formatBytes(budget.heapBytes)} of heap, ${formatBytes(budget.memoryBytes)} in all`,
    `takes       about ${formatSeconds(budget.seconds)} on this machine, as busy as it is now`,
    ...(isBuilt
      ? []
      : [`${pc.yellow('note')}        the start is too large to be built here: it was not looked at`]),
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
