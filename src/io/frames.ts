/** A surface at a time: what the writers of whole sequences take. */
import { InputError } from '../core/errors.ts';
import type { Seconds } from '../core/types.ts';
import type { SurfaceFrame } from '../mesh/fields.ts';

export interface TimedFrame {
  readonly time: Seconds;
  readonly frame: SurfaceFrame;
}

/** Sequences need at least one frame and rising times. */
export function checkFrames(where: string, frames: readonly TimedFrame[]): void {
  if (frames.length === 0) throw new InputError(where, '0 frames', 'give at least one frame');
  for (let i = 0; i < frames.length; i++) {
    const { time } = frames[i];
    if (Number.isFinite(time) && (i === 0 || time > frames[i - 1].time)) continue;
    throw new InputError(
      where,
      `frame ${i} is at time ${time} s${i > 0 ? `, after one at ${frames[i - 1].time} s` : ''}`,
      'give frames in order of time',
    );
  }
}
