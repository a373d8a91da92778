import { Command, CommanderError } from 'commander';
import pc from 'picocolors';
import { InputError, MeniscusError } from '../core/errors.ts';
import { escapeControls } from '../scene/schema-text.ts';
import { registerBench, registerValidate } from './cases.ts';
import { registerCheck } from './check.ts';
import { addExamples } from './examples.ts';
import { EXIT_BAD_INPUT, EXIT_FAILED } from './exit-codes.ts';
import { registerExport } from './export.ts';
import { registerMesh } from './mesh.ts';
import { version } from './paths.ts';
import { registerRender } from './render.ts';
import { registerRun } from './run.ts';
import { registerScenes } from './scenes.ts';
import { registerView } from './view.ts';

/** The command line. Exit codes: 0 done, 1 failed while running, 2 bad input, 3 an acceptance gate failed. */

function buildProgram(): Command {
  const program = new Command('meniscus')
    .description('mesh-based liquid simulation')
    .version(version, '-V, --version')
    .showHelpAfterError('(meniscus --help lists the commands, meniscus COMMAND --help their options)')
    // Names alone leave room for what they do within 80 columns.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride();
  registerScenes(program);
  registerRun(program);
  registerCheck(program);
  registerMesh(program);
  registerView(program);
  registerExport(program);
  registerRender(program);
  registerValidate(program);
  registerBench(program);
  addExamples(program);
  return program;
}

/** Prints an error for a person and returns the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_BAD_INPUT;
  if (error instanceof MeniscusError) {
    // Messages quote files of others: nothing in them may steer the terminal.
    for (const line of error.message.split('\n'))
      process.stderr.write(`${pc.red('error')}: ${escapeControls(line)}\n`);
    return error instanceof InputError ? EXIT_BAD_INPUT : EXIT_FAILED;
  }
  // A defect of the program: the stack is what a bug report needs.
  process.stderr.write(
    `${pc.red('error')}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return EXIT_FAILED;
}

// A reader that closes its end early (meniscus scenes | head) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  await buildProgram().parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
