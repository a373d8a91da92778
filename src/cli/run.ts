import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { InputError } from '../core/errors.ts';
import { driveRun } from '../run/node-drive.ts';
import { RunFolder } from '../run/node-folder.ts';
import { createResources } from '../run/node-resources.ts';
import { findMethod } from '../run/registry.ts';
import { countFrames, Run } from '../run/runner.ts';
import type { Snapshot } from '../run/snapshot.ts';
import { findDifference, type LoadedScene } from '../scene/load.ts';
import { formatBytes, formatSeconds } from './format.ts';
import { listenForInterrupt } from './interrupt.ts';
import { parseCount, parseFrame, parsePositive, setOption, settingOption, threadsOption } from './options.ts';
import { loadSceneFromDisk, readScene, showPath, version } from './paths.ts';
import { createProgress, type ProgressStyle } from './progress.ts';

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
  json?: boolean;
  quiet?: boolean;
}

interface ResumeFlags {
  from?: number;
  frames?: number;
  until?: number;
  threads?: number;
  json?: boolean;
  quiet?: boolean;
}

export function registerRun(program: Command): void {
  const until = () =>
    new Option('--until <seconds>', 'simulated time to run to').argParser(parsePositive).conflicts('frames');
  const frames = () => new Option('--frames <n>', 'number of frames to run to').argParser(parseCount);
  const json = () => new Option('--json', 'print a JSON record per frame on stdout');
  const quiet = () => new Option('--quiet', 'no progress');

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
    .addOption(json())
    .addOption(quiet())
    .action((dir: string, flags: ResumeFlags) => resumeRun(dir, flags));
}

async function runCommand(sceneName: string, flags: RunFlags): Promise<void> {
  const loaded = await loadSceneFromDisk(readScene(sceneName), { sets: flags.set, setting: flags.setting });
  const dir = flags.output ?? join('runs', loaded.scene.name);
  if (flags.resume && existsSync(join(dir, 'run.json'))) {
    const folder = RunFolder.open(dir);
    const difference = findDifference(loaded.document, folder.info.scene);
    if (difference !== undefined && loaded.assets.size === 0) {
      const what = `the run in this folder has another "${difference}" than the scene`;
      throw new InputError(
        dir,
        what,
        'resume it as it is with `meniscus resume`, or choose another folder with -o',
      );
    }
    const duration = flags.frames === undefined ? { until: flags.until ?? loaded.scene.duration } : {};
    await resumeRun(dir, { ...flags, ...duration });
    return;
  }
  const lastFrame = flags.frames ?? countFrames(loaded.scene, flags.until);
  const resources = await createResources(flags.threads);
  try {
    // The scene is built first: a scene that cannot start leaves no folder behind.
    const run = createRun(loaded, resources);
    const { count: threads } = resources.threads;
    const folder = RunFolder.create(dir, loaded, {
      version,
      threads,
      lastFrame,
      overwrite: flags.overwrite === true,
    });
    say(
      flags,
      `${pc.bold(loaded.title)}  ${pc.dim(`${loaded.scene.method}, ${lastFrame} frames, ${threads} threads -> ${dir}`)}`,
    );
    await drive(run, folder, resources, flags);
  } finally {
    await resources.threads.close();
  }
}

async function resumeRun(dir: string, flags: ResumeFlags): Promise<void> {
  const folder = RunFolder.open(dir);
  folder.claim();
  const snapshot = folder.readCheckpoint(flags.from, (message) =>
    process.stderr.write(`${pc.yellow('warning')}: ${message}\n`),
  );
  const { info } = folder;
  if (info.version !== version) {
    say(
      flags,
      `${pc.yellow('warning')}: the run was started by version ${info.version}, this is ${version}: the bytes may differ`,
    );
  }
  const source = { file: join(dir, 'run.json'), text: JSON.stringify(info.scene) };
  const loaded = await loadSceneFromDisk(source);
  const wanted =
    flags.frames ?? (flags.until === undefined ? undefined : countFrames(loaded.scene, flags.until));
  info.lastFrame = wanted ?? info.lastFrame;
  if (flags.from === undefined && snapshot.frame >= info.lastFrame) {
    say(
      flags,
      `${dir} is complete: frame ${snapshot.frame} of ${info.lastFrame}. Go on with --until T, or go back with --from FRAME.`,
    );
    return;
  }
  const resources = await createResources(flags.threads ?? info.threads);
  try {
    info.threads = resources.threads.count;
    const run = createRun(loaded, resources, snapshot);
    folder.truncateStats(snapshot.step);
    if (flags.from !== undefined) folder.dropAfter(snapshot);
    say(
      flags,
      `${pc.bold(loaded.title)}  ${pc.dim(`from frame ${snapshot.frame} to ${info.lastFrame} in ${dir}`)}`,
    );
    await drive(run, folder, resources, flags);
  } finally {
    await resources.threads.close();
  }
}

export function createRun(loaded: LoadedScene, resources: Run['resources'], from?: Snapshot): Run {
  const method = findMethod(loaded.scene.method)!;
  return new Run({ method, scene: loaded.scene, output: loaded.output, resources, from });
}

async function drive(
  run: Run,
  folder: RunFolder,
  resources: Run['resources'],
  flags: ResumeFlags,
): Promise<void> {
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
    const { totals } = folder.info;
    const took = formatSeconds((performance.now() - start) / 1000);
    if (end === 'interrupted') {
      say(
        flags,
        `stopped at t = ${totals.time.toFixed(4)} s; continue with: ${pc.cyan(`meniscus resume ${dir}`)}`,
      );
      return;
    }
    const size = `${totals.frames} frames, ${totals.steps} steps in ${took}, at most ${formatBytes(totals.peakHeapBytes)}`;
    say(
      flags,
      `${pc.green('done')}: ${size}\nresult in ${dir}; look at it with: ${pc.cyan(`meniscus view ${dir}`)}`,
    );
  } finally {
    progress.stop();
    interrupt.release();
  }
}

function say(flags: { json?: boolean; quiet?: boolean }, text: string): void {
  if (!flags.json && !flags.quiet) process.stderr.write(`${text}\n`);
}
