import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { InputError } from '../core/errors.ts';
import { NONE } from '../core/types.ts';
import type { Resources } from '../methods/method.ts';
import { estimateRun, planRun, refuseSteps } from '../run/budget.ts';
import { nameAssets } from '../run/folder-files.ts';
import { driveRun } from '../run/node-drive.ts';
import { RunFolder } from '../run/node-folder.ts';
import { describeMachine } from '../run/node-machine.ts';
import { withResources } from '../run/node-resources.ts';
import { listNotes } from '../run/notes.ts';
import { findMethod } from '../run/registry.ts';
import { countFrames, Run } from '../run/runner.ts';
import type { Snapshot } from '../run/snapshot.ts';
import { findDifference, type LoadedScene } from '../scene/load.ts';
import { formatBytes, formatCount, formatSeconds } from './format.ts';
import { listenForInterrupt } from './interrupt.ts';
import { parseCount, parseFrame, parsePositive, setOption, settingOption, threadsOption } from './options.ts';
import { loadSceneFromDisk, readScene, showPath, version } from './paths.ts';
import { createProgress, type ProgressStyle } from './progress.ts';
import { enforceBalance, tellBalance, tellNotes } from './summary.ts';

/** `meniscus run` and `meniscus resume`. */
interface RunFlags {
  output?: string;
  frames?: number;
  until?: number;
  set: string[];
  setting?: string;
  threads?: number;
  resume?: boolean;
  overwrite?: boolean;
  takeOver?: boolean;
  strict?: boolean;
  json?: boolean;
  quiet?: boolean;
}

interface ResumeFlags {
  from?: number;
  frames?: number;
  until?: number;
  threads?: number;
  takeOver?: boolean;
  strict?: boolean;
  json?: boolean;
  quiet?: boolean;
}

export function registerRun(program: Command): void {
  const until = () =>
    new Option('--until <seconds>', 'simulated time to run to').argParser(parsePositive).conflicts('frames');
  const frames = () => new Option('--frames <n>', 'number of frames to run to').argParser(parseCount);
  const json = () => new Option('--json', 'print a JSON record per frame on stdout');
  const quiet = () => new Option('--quiet', 'no progress');
  const strict = () =>
    new Option('--strict', 'fail (exit 3) when volume or energy goes beyond its bound: docs/formats.md');

  const takeOver = () =>
    new Option(
      '--take-over',
      'the process on another machine that wrote the run has ended (its folder does not say so)',
    );

  program
    .command('run')
    .description('run a scene: a bundled name (see: meniscus scenes) or a file')
    .argument('<scene>', 'bundled scene such as lattice/dam-break, or a .jsonc file')
    .option('-o, --output <dir>', 'run folder; default: runs/NAME')
    .addOption(frames())
    .addOption(until())
    .addOption(setOption())
    .addOption(settingOption())
    .addOption(threadsOption())
    .option('--resume', 'continue the run in the folder if there is one')
    .addOption(new Option('--overwrite', 'replace the run in the folder').conflicts('resume'))
    .addOption(takeOver())
    .addOption(strict())
    .addOption(json())
    .addOption(quiet())
    .action(runCommand);

  program
    .command('resume')
    .description('continue a run that was stopped, killed, or should go on for longer')
    .argument('<dir>', 'run folder')
    .addOption(new Option('--from <frame>', 'go back to the checkpoint of this frame').argParser(parseFrame))
    .addOption(frames())
    .addOption(until())
    .addOption(threadsOption())
    .addOption(takeOver())
    .addOption(strict())
    .addOption(json())
    .addOption(quiet())
    .action((dir: string, flags: ResumeFlags) => resumeRun(dir, flags));
}

async function runCommand(sceneName: string, flags: RunFlags): Promise<void> {
  const isResumed = await withResources(flags.threads, async (getResources) => {
    const edits = { sets: flags.set, setting: flags.setting };
    const loaded = await loadSceneFromDisk(readScene(sceneName), edits, getResources);
    const dir = flags.output ?? join('runs', loaded.scene.name);
    if (flags.resume && existsSync(join(dir, 'run.json'))) {
      checkSameScene(dir, loaded);
      return { dir, duration: loaded.scene.duration };
    }
    RunFolder.check(dir, flags.overwrite === true, flags.takeOver);
    const lastFrame = flags.frames ?? countFrames(loaded.scene, flags.until);
    const machine = describeMachine(flags.threads);
    const budget = planRun(findMethod(loaded.scene.method)!, loaded.scene, lastFrame, machine);
    const resources = await getResources();
    // The scene is built before the folder: a scene that cannot start leaves none behind.
    const run = createRun(loaded, resources);
    const { count: threads } = resources.threads;
    const folder = RunFolder.create(dir, loaded, {
      version,
      threads,
      lastFrame,
      overwrite: flags.overwrite === true,
      takeOver: flags.takeOver === true,
    });
    const about = `about ${formatCount(budget.steps)} steps in ${formatSeconds(budget.seconds)}`;
    const details = `${loaded.scene.method}, ${lastFrame} frames, ${about}, ${threads} threads -> ${dir}`;
    say(flags, `${pc.bold(loaded.title)}  ${pc.dim(details)}`);
    tellNotes(folder.info.notes, flags);
    await drive(run, folder, resources, flags);
    return undefined;
  });
  if (!isResumed) return;
  const duration = flags.frames === undefined ? { until: flags.until ?? isResumed.duration } : {};
  await resumeRun(isResumed.dir, { ...flags, ...duration });
}

/** `run --resume` continues only the run of this very scene; only its duration may have changed. */
function checkSameScene(dir: string, loaded: LoadedScene): void {
  const { info } = RunFolder.open(dir);
  const difference = findDifference(nameAssets(loaded), info.scene);
  if (difference === undefined) return;
  const what = `the run in this folder has another "${difference}" than the scene`;
  throw new InputError(
    dir,
    what,
    'continue it as it is with `meniscus resume`, or choose another folder with -o',
  );
}

async function resumeRun(dir: string, flags: ResumeFlags): Promise<void> {
  const folder = RunFolder.open(dir);
  folder.claim(flags.takeOver);
  try {
    await resumeClaimed(folder, flags);
  } finally {
    folder.close();
  }
}

async function resumeClaimed(folder: RunFolder, flags: ResumeFlags): Promise<void> {
  const { path: dir } = folder;
  const snapshot = folder.readCheckpoint(flags.from, (message) => warn(message));
  const { info } = folder;
  if (info.version !== version) {
    warn(`the run was started by version ${info.version}, this is ${version}: the bytes may differ`);
  }
  const source = { file: join(dir, 'run.json'), text: JSON.stringify(info.scene) };
  await withResources(flags.threads ?? info.threads, async (getResources) => {
    const loaded = await loadSceneFromDisk(source, {}, getResources);
    folder.checkScene(snapshot, loaded.assets);
    const wanted = flags.until === undefined ? flags.frames : countFrames(loaded.scene, flags.until);
    info.lastFrame = wanted ?? info.lastFrame;
    // What it needs in memory the run has shown; how long it goes on is new.
    const method = findMethod(loaded.scene.method)!;
    refuseSteps(
      estimateRun(method, loaded.scene, info.lastFrame, describeMachine(flags.threads)),
      loaded.scene,
    );
    if (snapshot && flags.from === undefined && snapshot.frame >= info.lastFrame) {
      const hint = 'go on with --until T, or go back with --from FRAME';
      say(flags, `${dir} is complete: frame ${snapshot.frame} of ${info.lastFrame}; ${hint}`);
      tellBalance(info.balance, flags);
      enforceBalance(info.balance, flags);
      return;
    }
    const resources = await getResources();
    info.threads = resources.threads.count;
    info.notes = listNotes(loaded);
    const run = createRun(loaded, resources, snapshot);
    folder.truncateStats(snapshot?.step ?? NONE);
    if (snapshot && flags.from !== undefined) folder.dropAfter(snapshot);
    const details = `from frame ${snapshot?.frame ?? 0} to ${info.lastFrame} in ${dir}`;
    say(flags, `${pc.bold(loaded.title)}  ${pc.dim(details)}`);
    tellNotes(info.notes, flags);
    await drive(run, folder, resources, flags);
  });
}

export function createRun(loaded: LoadedScene, resources: Resources, from?: Snapshot): Run {
  const method = findMethod(loaded.scene.method)!;
  return new Run({ method, scene: loaded.scene, output: loaded.output, resources, from });
}

async function drive(run: Run, folder: RunFolder, resources: Resources, flags: ResumeFlags): Promise<void> {
  const style: ProgressStyle = flags.json ? 'json' : flags.quiet ? 'quiet' : 'auto';
  const progress = createProgress(style, Math.max(0, run.frame), folder.info.lastFrame);
  const interrupt = listenForInterrupt(() => {
    process.stderr.write('\nstopping after this step (Ctrl-C again quits at once)\n');
  });
  const start = performance.now();
  const dir = showPath(folder.path);
  try {
    const end = await driveRun({
      run,
      folder,
      resources,
      shouldStop: () => interrupt.requested,
      onFrame: (frame, record) => progress.frame(frame, record),
    });
    progress.stop();
    const { totals, balance } = folder.info;
    const took = formatSeconds((performance.now() - start) / 1000);
    if (end === 'interrupted') {
      say(
        flags,
        `stopped at t = ${totals.time.toFixed(4)} s; continue with: ${pc.cyan(`npx meniscus resume ${dir}`)}`,
      );
      tellBalance(balance, flags);
      return;
    }
    const size = `${totals.frames} frames, ${totals.steps} steps in ${took}, at most ${formatBytes(totals.peakHeapBytes)}`;
    say(flags, `${balance?.within === false ? pc.red('done, out of bounds') : pc.green('done')}: ${size}`);
    tellBalance(balance, flags);
    say(flags, `result in ${dir}; look at it with: ${pc.cyan(`npx meniscus view ${dir}`)}`);
    enforceBalance(balance, flags);
  } finally {
    progress.stop();
    interrupt.release();
  }
}

function warn(message: string): void {
  process.stderr.write(`${pc.yellow('warning')}: ${message}\n`);
}

function say(flags: { json?: boolean; quiet?: boolean }, text: string): void {
  if (!flags.json && !flags.quiet) process.stderr.write(`${text}\n`);
}
