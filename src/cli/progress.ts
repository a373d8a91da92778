import { Presets, SingleBar } from 'cli-progress';
import type { StepRecord } from '../run/runner.ts';
import { formatCount, formatSeconds } from './format.ts';

/**
 * How a run looks while it runs: a bar on a terminal, plain lines elsewhere, a JSON record per frame with
 * --json, nothing with --quiet. The bar and the lines go to stderr, records to stdout.
 */
export interface Progress {
  frame(frame: number, record: StepRecord | undefined): void;
  stop(): void;
}

export type ProgressStyle = 'auto' | 'json' | 'quiet';

export function createProgress(style: ProgressStyle, firstFrame: number, lastFrame: number): Progress {
  if (style === 'json') return { frame: printRecord, stop() {} };
  if (style === 'quiet') return { frame() {}, stop() {} };
  const timer = createTimer(firstFrame, lastFrame);
  return process.stderr.isTTY ? createBar(timer, firstFrame, lastFrame) : createLines(timer, lastFrame);
}

function printRecord(frame: number, record: StepRecord | undefined): void {
  process.stdout.write(`${JSON.stringify({ ...record, frame })}\n`);
}

type Timer = (frame: number) => { eta: number; secondsPerFrame: number };

function createTimer(firstFrame: number, lastFrame: number): Timer {
  const start = performance.now();
  // The latest frames tell more about the next ones than the first do: average over a sliding half.
  const times: number[] = [start];
  return (frame) => {
    times.push(performance.now());
    const window = Math.max(1, Math.ceil((frame - firstFrame) / 2));
    const from = times[Math.max(0, times.length - 1 - window)];
    const secondsPerFrame = (times[times.length - 1] - from) / 1000 / Math.min(window, times.length - 1);
    return { eta: secondsPerFrame * (lastFrame - frame), secondsPerFrame };
  };
}

function describe(record: StepRecord | undefined): string {
  const parts: string[] = [];
  if (record?.tets !== undefined) parts.push(`${formatCount(record.tets)} tets`);
  if (record?.particles !== undefined) parts.push(`${formatCount(record.particles)} particles`);
  if (record?.triangles !== undefined) parts.push(`${formatCount(record.triangles)} triangles`);
  return parts.join('  ');
}

function createBar(timer: Timer, firstFrame: number, lastFrame: number): Progress {
  const bar = new SingleBar(
    {
      format: ' {bar} frame {value}/{total}  ETA {left}  {pace} s/frame  {elements}',
      hideCursor: true,
      stream: process.stderr,
      barsize: 28,
      // Ctrl-C is the run's to handle: it finishes the step and writes a checkpoint.
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  bar.start(lastFrame, firstFrame, { left: '-', pace: '-', elements: '' });
  return {
    frame(frame, record) {
      const { eta, secondsPerFrame } = timer(frame);
      bar.update(frame, {
        left: formatSeconds(eta),
        pace: secondsPerFrame.toFixed(2),
        elements: describe(record),
      });
    },
    stop: () => bar.stop(),
  };
}

function createLines(timer: Timer, lastFrame: number): Progress {
  return {
    frame(frame, record) {
      const { eta, secondsPerFrame } = timer(frame);
      const pace = `${secondsPerFrame.toFixed(2)} s/frame  ETA ${formatSeconds(eta)}`;
      process.stderr.write(`frame ${frame}/${lastFrame}  ${pace}  ${describe(record)}\n`);
    },
    stop() {},
  };
}
