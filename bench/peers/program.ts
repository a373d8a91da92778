/** Other programs as children: found on the PATH, run to their end, their words kept where they fail. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { RunError } from '../../src/core/errors.ts';

/** How much of its last words is shown where a program fails. */
const SHOWN_CHARACTERS = 600;

export function findProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** What a program printed on stdout; a RunError with its last words where it fails. */
export function runProgram(
  name: string,
  args: readonly string[],
  folder: string,
  environment: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, {
      cwd: folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    let failures = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      failures += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(printed);
      else
        reject(
          new RunError(
            name,
            `ended with code ${code}: ${(printed + failures).trim().slice(-SHOWN_CHARACTERS)}`,
            'see whether its version is one this comparison was written for',
          ),
        );
    });
  });
}
