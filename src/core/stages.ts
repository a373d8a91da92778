/**
 * Milliseconds per stage of a step: stages wrap themselves with `timed`, so that the step of a method shows
 * no timers.
 */

export interface StageClock {
  /** Milliseconds per stage since the last reset. */
  readonly milliseconds: Record<string, number>;
  reset(): void;
}

export function createStageClock(): StageClock {
  const milliseconds: Record<string, number> = {};
  return {
    milliseconds,
    reset() {
      for (const name of Object.keys(milliseconds)) milliseconds[name] = 0;
    },
  };
}

/** Runs a stage and adds its time to the clock, also when it throws. */
export function timed<T>(clock: StageClock, name: string, stage: () => T): T {
  const start = performance.now();
  try {
    return stage();
  } finally {
    clock.milliseconds[name] = (clock.milliseconds[name] ?? 0) + performance.now() - start;
  }
}
