/**
 * `meniscus render` from the built command line: a picture and a film of a small run, and what it says of bad
 * input.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageFolder } from '../../src/cli/paths.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { writeLabelledRun } from '../viewer/labelled-run.ts';
import { writeSyntheticRun } from '../viewer/synthetic-run.ts';

const folder = createTemporaryFolder('render');
const run = join(folder, 'run');

beforeAll(() => writeSyntheticRun(run, { frames: 4, cells: 6 }));

function meniscus(...args: string[]) {
  return spawnSync(process.execPath, [join(packageFolder, 'bin', 'meniscus.js'), ...args], {
    encoding: 'utf8',
    timeout: 240_000,
  });
}

/** Size and pixel variety of a PNG: enough to tell a picture from a blank. */
function readPng(file: string): { width: number; height: number; distinct: number } {
  const bytes = readFileSync(file);
  const data: Buffer[] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(data));
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), distinct: new Set(raw).size };
}

describe('meniscus render', () => {
  it('draws a picture of a frame', () => {
    const file = join(folder, 'picture.png');
    const args = [
      '--frame',
      '1',
      '--size',
      '320x200',
      '--mode',
      'cut',
      '--color',
      'pressure',
      '--view',
      '30,20',
    ];
    const result = meniscus('render', run, '-o', file, ...args);
    expect(result.stderr).toBe('');
    expect(result.status).toBe(0);
    expect(readPng(file)).toMatchObject({ width: 320, height: 200 });
    expect(readPng(file).distinct).toBeGreaterThan(100);
  });

  it('draws films and materials, cut and hidden as the options say', () => {
    const bubble = join(folder, 'bubble');
    writeLabelledRun(bubble, { shape: 'double-bubble', method: 'films' });
    const draw = (name: string, ...options: string[]) => {
      const file = join(folder, `${name}.png`);
      const result = meniscus('render', bubble, '-o', file, '--size', '160x100', ...options);
      expect(result.status, result.stderr).toBe(0);
      return readFileSync(file);
    };
    const pictures = [
      draw('film'),
      draw('near', '--zoom', '1.5'),
      draw('thick', '--thickness', '200:900'),
      draw('materials', '--mode', 'materials', '--no-curves'),
      draw('cut', '--mode', 'materials', '--cut', 'y:0.5'),
      draw('hidden', '--mode', 'materials', '--hide', '2', '--hide-outer', '--no-box', '--no-floor'),
    ];
    for (const [i, a] of pictures.entries()) {
      for (const b of pictures.slice(0, i)) expect(a.equals(b)).toBe(false);
    }
  });

  it('encodes a film, and leaves nothing half written', () => {
    const file = join(folder, 'movie.mp4');
    const result = meniscus('render', run, '-o', file, '--frames', '0:2', '--size', '320x200');
    expect(result.status, result.stderr).toBe(0);
    expect(result.stderr).toContain('frame 3/3');
    const written = result.stdout.trim();
    const bytes = readFileSync(existsSync(file) ? file : file.replace(/mp4$/, 'webm'));
    expect(written).toMatch(/movie\.(mp4|webm)$/);
    // An MP4 begins with its ftyp box, a WebM with the EBML mark.
    const isMp4 = bytes.toString('latin1', 4, 8) === 'ftyp';
    expect(isMp4 || bytes.readUInt32BE(0) === 0x1a45dfa3).toBe(true);
    expect(bytes.length).toBeGreaterThan(2000);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('says what it cannot do, before a browser is started', () => {
    for (const [args, words] of [
      [[run, '-o', join(folder, 'x.gif')], 'expected a .png picture or a .mp4 film'],
      [[run, '-o', join(folder, 'x.png'), '--frame', '9'], 'the run has frames 0 to 3'],
      [[join(folder, 'nothing'), '-o', join(folder, 'x.png')], 'not a run folder'],
      [[run, '-o', join(folder, 'x.mp4'), '--size', '321x200'], 'even width and height'],
      [[run, '-o', join(folder, 'x.png'), '--cut', 'w:0.5'], 'an axis and a share'],
      [[run, '-o', join(folder, 'x.png'), '--hide', 'two'], 'region labels'],
      [[run, '-o', join(folder, 'x.png'), '--thickness', '600:200'], 'the top thinner'],
    ] as const) {
      const result = meniscus('render', ...args);
      expect(result.status).toBe(2);
      expect(result.stderr).toContain(words);
    }
  });
});
