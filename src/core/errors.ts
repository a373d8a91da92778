/**
 * Errors that a person reads: where it happened, what is wrong with the number, and how to mend it.
 * The command line prints them without a stack and turns the class into an exit code.
 */
export class MeniscusError extends Error {
  constructor(
    readonly where: string,
    readonly what: string,
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(`${where}: ${what}; ${remedy}`, options);
    this.name = new.target.name;
  }
}

/** Bad input found at the border: scene, mesh, option, folder. Exit code 2. */
export class InputError extends MeniscusError {}

/** The run itself failed: NaN in the state, full disk, a broken invariant. Exit code 1. */
export class RunError extends MeniscusError {}
