/**
 * Ctrl-C: the first asks the run to stop after its step, the second ends the process at once (exit code 130,
 * as shells expect). SIGTERM counts as a first Ctrl-C.
 */
export interface Interrupt {
  readonly requested: boolean;
  release(): void;
}

export function listenForInterrupt(onFirst: () => void): Interrupt {
  const state = { requested: false, release };
  const onSignal = () => {
    if (state.requested) process.exit(130);
    state.requested = true;
    onFirst();
  };
  function release() {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return state;
}
