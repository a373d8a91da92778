import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/**
 * Short forms of the attacks on run folders; in full: node tools/attack-folders.js, node
 * tools/attack-kills.js.
 */
function attack(tool: string, ...flags: string[]): Promise<{ code: number | null; text: string }> {
  const file = fileURLToPath(new URL(`../../tools/${tool}`, import.meta.url));
  const child = spawn(process.execPath, [file, ...flags]);
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}

test('damaged run folders: no stack trace, no crash, nothing accepted that must not be, no byte that differs', async () => {
  const { code, text } = await attack('attack-folders.js', '--folders', '40', '--seed', '3');
  expect(text).toMatch(/"cases":40[\s\S]*\n0 findings/);
  expect(code).toBe(0);
});

test('kills and resumes at once: no byte that differs, no run by two', async () => {
  const { code, text } = await attack('attack-kills.js', '--kills', '6', '--pairs', '3', '--seed', '3');
  expect(text).toMatch(
    /"kills":6,"pairs":3,.*"refusedResumes":3,"differingFiles":0,"doubleRuns":0[\s\S]*\n0 findings/,
  );
  expect(code).toBe(0);
});
