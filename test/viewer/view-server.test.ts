import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFile } from '../../src/cli/find-file.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const folder = createTemporaryFolder('view');
const open = join(folder, 'open');
mkdirSync(join(open, 'surface'), { recursive: true });
writeFileSync(join(folder, 'secret'), 'secret');
writeFileSync(join(open, 'surface', '000000.ply'), 'ply');
symlinkSync(join(folder, 'secret'), join(open, 'link'));
symlinkSync(folder, join(open, 'up'));
mkdirSync(join(folder, 'open-too'));
writeFileSync(join(folder, 'open-too', 'file'), 'x');

describe('files the viewer serves', () => {
  it('are those in the folder', () => {
    expect(findFile(open, 'surface/000000.ply')).toMatch(/000000\.ply$/);
    expect(findFile(open, 'surface')).toBeNull();
    expect(findFile(open, 'nothing')).toBeNull();
  });

  it.each(['../secret', 'surface/../../secret', 'link', 'up/secret', '../open-too/file', 'x\0y'])(
    'never leave it: %j',
    (path) => {
      expect(findFile(open, path)).toBeNull();
    },
  );
});
