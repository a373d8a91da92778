/** Scenes beyond a limit are refused before anything is built, with the place, the number and a remedy. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { methods } from '../../src/run/registry.ts';
import { loadScene } from '../../src/scene/load.ts';
import { composeUnitScene } from './unit-scene.ts';

const scene = composeUnitScene('lattice', {
  liquids: [{ shape: { type: 'box', min: [0, 0, 0], max: [1, 1, 0.3] } as Shape }],
});
type Shape = Record<string, unknown>;

const tetrahedron = (size: number) =>
  `v 0 0 0\nv ${size} 0 0\nv 0 ${size} 0\nv 0 0 ${size}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`;

async function load(value: unknown, sets: string[] = [], reads: string[] = []) {
  const readFile = async (path: string) => {
    reads.push(path);
    return new TextEncoder().encode(tetrahedron(path.includes('large') ? 65 : 0.5));
  };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return loadScene({ file: 'a.jsonc', text }, { methods, readFile, sets });
}
const refusal = (value: unknown, sets: string[] = []) =>
  load(value, sets).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

function nest(shape: Shape, depth: number): string {
  return `${'{"type":"union","shapes":['.repeat(depth)}${JSON.stringify(shape)}${']}'.repeat(depth)}`;
}
const ball = (x: number) => ({ type: 'sphere', centre: [x, 0.5, 0.7], radius: 0.1 });

describe('the text', () => {
  const withShape = (shape: string) =>
    JSON.stringify(scene).replace(JSON.stringify(scene.liquids[0].shape), shape);

  test('may nest as deep as a limit, no deeper', async () => {
    // A shape of a liquid is at depth 4, and each union adds two.
    expect(await refusal(withShape(nest(ball(0.5), 47)))).toBe('accepted');
    const message = await refusal(withShape(nest(ball(0.5), 3000)));
    expect(message).toMatch(
      /^a\.jsonc:1:\d+: objects and lists are more than 100 deep in each other; flatten/,
    );
    expect(await refusal(scene, [`liquids[0].shape=${nest(ball(0.5), 3000)}`])).toContain('100 deep');
  });

  test('brackets in strings and comments do not count', async () => {
    const brackets = '['.repeat(500);
    const text = `// ${brackets}\n${JSON.stringify({ ...scene, title: brackets })}`;
    expect(await refusal(text)).toBe('accepted');
  });

  test('may not be endless', async () => {
    const message = await refusal(JSON.stringify({ ...scene, title: 'x'.repeat(LIMITS.sceneBytes) }));
    expect(message).toMatch(/the scene has [\d,]+ characters, more than 16,777,216/);
  });
});

describe('numbers', () => {
  test('are of a size that quantities have: their powers stay finite', async () => {
    expect(await refusal({ ...scene, gravity: [0, 0, -1e300] })).toMatch(
      /^a\.jsonc:1:\d+: gravity\[2\] is -1e\+300; expected a size from 1e-30 to 1e\+30 in SI units$/,
    );
    const thin = { water: { density: 1e-300 } };
    expect(await refusal({ ...scene, materials: thin })).toContain('materials.water.density is 1e-300');
    expect(await refusal(scene, ['liquids[0].velocity=[1e31,0,0]'])).toContain(
      'liquids[0].velocity[0] is 1e+31',
    );
    expect(
      await refusal({
        ...scene,
        gravity: [0, 0, 0],
        liquids: [{ ...scene.liquids[0], velocity: [1e30, 1e-30, 0] }],
      }),
    ).toBe('accepted');
  });
});

describe('lists', () => {
  test('thousands of solids are refused, one by one or as parts of a union', async () => {
    const shapes = Array.from({ length: LIMITS.shapes + 1 }, (_, i) => ball(i / LIMITS.shapes));
    const said = /solids have 1,001 shapes, more than 1,000; join them into one closed mesh file/;
    expect(await refusal({ ...scene, solids: shapes.map((shape) => ({ shape })) })).toMatch(said);
    expect(await refusal({ ...scene, solids: [{ shape: { type: 'union', shapes } }] })).toMatch(said);
    const minus = shapes.slice(1);
    const hollow = { type: 'difference', from: ball(0.5), minus };
    expect(await refusal({ ...scene, solids: [{ shape: hollow }] })).toMatch(said);
  });

  test('of other things have a limit too', async () => {
    const solid = { shape: ball(0.5), motion: { translate: Array(LIMITS.entries + 1).fill(0) } };
    const message = await refusal({ ...scene, solids: [solid] });
    expect(message).toMatch(/solids\[0\]\.motion\.translate has 100,001 entries, more than 100,000/);
  });

  test('full of mistakes are told in part', async () => {
    const lines = (await refusal({ ...scene, liquids: Array(500).fill({}) })).split('\n');
    expect(lines.length).toBeLessThanOrEqual(LIMITS.problems + 1);
    expect(lines.join('\n')).toContain(`${500 - LIMITS.problems} more problems are not listed`);
  });

  test('full of mistakes, where a number could stand too, are told in part', async () => {
    const cells = Array(500).fill([0.1, 0.2, 0.3, 0.4]);
    const start = [{ type: 'voronoi', cells, min: [0, 0, 0], max: [1, 1, 1] }];
    const { resolution, liquids, ...rest } = scene as Record<string, unknown>;
    const lines = (await refusal({ ...rest, method: 'tracking', resolution, tracking: { start } })).split(
      '\n',
    );
    expect(lines.join('\n')).toContain('expected at most 3 entries');
    expect(lines.length).toBeLessThanOrEqual(LIMITS.problems + 1);
  });
});

describe('a mesh', () => {
  const withMesh = (file: string, transform?: unknown) => ({
    ...scene,
    liquids: [{ shape: { type: 'mesh', file, ...(transform ? { transform } : {}) } }],
  });

  test('much larger than the domain is asked for its unit', async () => {
    expect(await refusal(withMesh('large.obj'))).toBe(
      'a.jsonc:1:122: the mesh is 65 m across, the domain 1 m: is it in centimetres?; then scale it: "transform": { "scale": 0.01 }',
    );
    expect(await refusal(withMesh('large.obj', { scale: 0.01 }))).toBe('accepted');
    expect(await refusal(withMesh('small.obj'))).toBe('accepted');
  });

  test('is measured with the scales of the shapes around it', async () => {
    const inUnion = (scale: number) => ({
      ...scene,
      liquids: [
        { shape: { type: 'union', shapes: [{ type: 'mesh', file: 'large.obj' }], transform: { scale } } },
      ],
    });
    expect(await refusal(inUnion(0.01))).toBe('accepted');
    expect(await refusal(inUnion(10))).toContain('the mesh is 650 m across');
  });

  test('is read once however often it is named', async () => {
    const reads: string[] = [];
    const part = { type: 'mesh', file: 'small.obj' };
    const liquids = [{ shape: { type: 'union', shapes: Array(20).fill(part) } }];
    await load({ ...scene, liquids }, [], reads);
    expect(reads).toEqual(['small.obj']);
  });
});

describe('room for a liquid', () => {
  const both = { type: 'sphere', centre: [0.5, 0.5, 0.5], radius: 0.2 };
  const covered = (resolution: number) => ({
    ...scene,
    resolution,
    liquids: [{ shape: both }],
    solids: [{ shape: both }],
  });

  test('is looked for in cells of the resolution', async () => {
    expect(await refusal(covered(0.1))).toContain('the liquid is wholly inside solids');
  });

  test('is not looked for without end where they are tiny', async () => {
    const start = performance.now();
    expect(await refusal(covered(1e-9))).toBe('accepted');
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

test('a random flow adds up a limited number of waves', async () => {
  const flow = { type: 'curl-noise', scale: 1, speed: 1, waves: 1e9 };
  const start = [{ type: 'sphere', centre: [0.5, 0.5, 0.5], radius: 0.2 }];
  const { liquids: _, ...rest } = scene;
  const moved = { ...rest, method: 'tracking', tracking: { start, flows: [flow], timeStep: 0.1 } };
  expect(await refusal(moved)).toContain('expected a number of at most 10000');
});
