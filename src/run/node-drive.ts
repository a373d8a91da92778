import { setImmediate } from 'node:timers/promises';
import type { Resources } from '../methods/method.ts';
import type { RunFolder } from './node-folder.ts';
import type { Run, StepRecord } from './runner.ts';

/** Runs into a folder: each event goes to disk, and the status in run.json tells how it ended. */
export interface DriveOptions {
  readonly run: Run;
  readonly folder: RunFolder;
  readonly resources: Resources;
  /** Asked after every event; true ends the run with a checkpoint. */
  readonly shouldStop?: () => boolean;
  readonly onStep?: (record: StepRecord) => void;
  readonly onFrame?: (frame: number, last: StepRecord | undefined) => void;
}

/** Resolves to how the run ended; a failure is recorded in run.json and thrown. */
export async function driveRun(options: DriveOptions): Promise<'done' | 'interrupted'> {
  const { run, folder, resources } = options;
  const { info } = folder;
  const before = info.totals.wallSeconds;
  const start = performance.now();
  let last: StepRecord | undefined;

  const writeInfo = () => {
    info.totals.wallSeconds = before + Math.round(performance.now() - start) / 1000;
    info.balance = run.balance();
    info.totals.peakHeapBytes = Math.max(info.totals.peakHeapBytes, resources.heap.peakBytes);
    folder.writeInfo();
  };
  try {
    info.status = 'running';
    delete info.error;
    writeInfo();
    for (const event of run.events(info.lastFrame)) {
      if (event.type === 'step') {
        last = event.record;
        folder.appendStats(last);
        info.totals.steps = last.step;
        info.totals.time = last.time;
        options.onStep?.(last);
      } else if (event.type === 'frame') {
        folder.writeFrame(event);
        info.totals.frames = event.frame + 1;
        options.onFrame?.(event.frame, last);
      } else if (event.type === 'checkpoint') {
        folder.writeCheckpoint(run.snapshot());
        writeInfo();
      } else {
        info.status = 'done';
        writeInfo();
        return 'done';
      }
      // A turn of the event loop, so that signals are heard between steps.
      await setImmediate();
      if (run.frame >= 0 && options.shouldStop?.()) break;
    }
    folder.writeCheckpoint(run.snapshot());
    info.status = 'interrupted';
    writeInfo();
    return 'interrupted';
  } catch (error) {
    info.status = 'failed';
    info.error = error instanceof Error ? error.message : String(error);
    try {
      writeInfo();
    } catch (second) {
      // The disk may be full: then run.json keeps its last good bytes, and the first error is the one to
      // tell.
      if (error instanceof Error) error.cause ??= second;
    }
    throw error;
  } finally {
    folder.close();
  }
}
