/**
 * A short form of the attack (tools/attack.js): damaged scenes, runs and mesh files, and the kinds of input
 * that must be refused.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const attack = fileURLToPath(new URL('../../tools/attack.js', import.meta.url));

test('damaged input gives no stack trace, kills nothing and hangs nothing; what must be refused is', () => {
  const args = [attack, '--seed', '7', '--kinds', '--scenes', '104', '--runs', '12', '--meshes', '120'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toContain('0 findings');
  expect(status).toBe(0);
  const tally = Object.fromEntries(
    [...stdout.matchAll(/^(\w+): (\{.*\})$/gm)].map(([, what, counts]) => [what, JSON.parse(counts)]),
  );
  expect(tally.scenes.cases).toBe(104);
  // An attack that everything survives, or nothing, tries nothing.
  expect(tally.scenes.accepted).toBeGreaterThan(5);
  expect(tally.scenes.refused).toBeGreaterThan(30);
  expect(tally.kinds.refused).toBe(tally.kinds.cases);
  expect(tally.meshes.refused).toBeGreaterThan(30);
});
