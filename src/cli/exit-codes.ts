/** What the command line returns; docs/formats.md lists them for people. */
export const EXIT_FAILED = 1;
export const EXIT_BAD_INPUT = 2;
/** A referee, a benchmark, or with --strict the balance of a run is beyond its bound. */
export const EXIT_GATE_FAILED = 3;
