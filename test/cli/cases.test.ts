import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCases, selectCases } from '../../src/cli/cases.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const folder = createTemporaryFolder('cases');

test('cases are found in every exported array, in the order of files, and chosen by name or method', async () => {
  const one = (name: string, method: string) =>
    `{ name: '${name}', method: '${method}', title: 't', run: async () => [] }`;
  writeFileSync(
    join(folder, 'b.js'),
    `export const pools = [${one('still-pool', 'lattice')}];\nexport const other = [1, 'x'];`,
  );
  writeFileSync(
    join(folder, 'a.js'),
    `export default [${one('free-fall', 'lattice')}, ${one('drop', 'surface')}];`,
  );
  // A folder of a subject; declarations are no modules.
  mkdirSync(join(folder, 'a-films'));
  writeFileSync(join(folder, 'a-films', 'z.js'), `export const rings = [${one('rings', 'films')}];`);
  writeFileSync(join(folder, 'b.d.ts'), 'throw new Error();');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const all = await findCases(folder);
  expect(all.map((c) => c.name)).toEqual(['rings', 'free-fall', 'drop', 'still-pool']);
  expect(selectCases(all, []).length).toBe(4);
  expect(selectCases(all, ['lattice']).map((c) => c.name)).toEqual(['free-fall', 'still-pool']);
  expect(selectCases(all, ['drop']).map((c) => c.name)).toEqual(['drop']);
  expect(() => selectCases(all, ['still-pol'])).toThrow(
    /still-pol: no such method or case; did you mean "still-pool"\?/,
  );
  expect(await findCases(join(folder, 'none'))).toEqual([]);
});
