import { Box3, Color, type Group, Mesh, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { buildSolids, createShapeMaterial, poseSolids } from '../../viewer/src/view/solids.ts';

const domain = { min: [0, 0, 0], max: [1, 1, 1] } as const;
const readFile = async () => {
  throw new Error('no files here');
};

const build = (solids: readonly unknown[], box: Parameters<typeof buildSolids>[1]['domain'] = domain) =>
  buildSolids(solids, { domain: box, material: createShapeMaterial(new Color('grey')), readFile });

interface Measured {
  readonly bounds: Box3;
  /** m^3 */
  readonly volume: number;
  readonly triangles: number;
}

/** Box and volume of all that is drawn: the volume of a surface with a hole depends on the origin. */
function measure(group: Group, origin = new Vector3()): Measured {
  group.updateMatrixWorld(true);
  const bounds = new Box3();
  let [volume, triangles] = [0, 0];
  group.traverse((mesh) => {
    if (!(mesh instanceof Mesh) || !mesh.visible) return;
    const geometry = mesh.geometry.clone().applyMatrix4(mesh.matrixWorld);
    const position = geometry.getAttribute('position');
    const index = geometry.getIndex()!;
    const corner = (c: number) => new Vector3().fromBufferAttribute(position, index.getX(c)).sub(origin);
    for (let c = 0; c < index.count; c += 3) {
      const [p, q, r] = [corner(c), corner(c + 1), corner(c + 2)];
      volume += p.dot(q.clone().cross(r)) / 6;
      for (const v of [p, q, r]) bounds.expandByPoint(v.clone().add(origin));
    }
    triangles += index.count / 3;
  });
  return { bounds, volume, triangles };
}

const isIn = (bounds: Box3, { min, max }: { min: readonly number[]; max: readonly number[] } = domain) =>
  [0, 1, 2].every(
    (k) =>
      bounds.min.getComponent(k) >= min[k] - 1e-4 * (max[k] - min[k]) &&
      bounds.max.getComponent(k) <= max[k] + 1e-4 * (max[k] - min[k]),
  );

const box = (min: readonly number[], max: readonly number[]) => ({ shape: { type: 'box', min, max } });

describe('solids are drawn as far as they are in the domain', () => {
  const cases: [name: string, shape: unknown, volume: number, share: number][] = [
    ['a box inside', { type: 'box', min: [0.2, 0.2, 0], max: [0.4, 0.4, 0.5] }, 0.02, 1e-6],
    ['a slab through all walls', { type: 'box', min: [-1, -1, -1], max: [2, 2, 0.25] }, 0.25, 2e-4],
    [
      'a pillar from below to above',
      { type: 'box', min: [0.3, 0.3, -0.5], max: [0.5, 0.5, 1.5] },
      0.04,
      1e-4,
    ],
    ['half a sphere', { type: 'sphere', centre: [0.5, 0.5, 0], radius: 0.3 }, 0.0565, 0.01],
    ['an eighth of a sphere', { type: 'sphere', centre: [1, 1, 1], radius: 0.5 }, 0.0654, 0.01],
    [
      'a quarter of a cylinder',
      { type: 'cylinder', from: [0, 0, -1], to: [0, 0, 2], radius: 0.4 },
      0.1257,
      0.01,
    ],
    [
      'half a torus',
      { type: 'torus', centre: [0.5, 0.5, 0], axis: [0, 0, 1], major: 0.3, minor: 0.1 },
      0.0296,
      0.03,
    ],
    ['a half-space', { type: 'halfspace', point: [0.5, 0.5, 0.5], normal: [1, 0, 1] }, 0.5, 1e-3],
    [
      'a wall with a hole',
      {
        type: 'difference',
        from: { type: 'box', min: [0.4, -1, -1], max: [0.6, 2, 2] },
        minus: [{ type: 'cylinder', from: [0, 0.5, 0.5], to: [1, 0.5, 0.5], radius: 0.2 }],
      },
      0.2 - 0.2 * Math.PI * 0.04,
      0.03,
    ],
    [
      'a turned union',
      {
        type: 'union',
        shapes: [{ type: 'sphere', centre: [0, 0, 0], radius: 0.2 }],
        transform: { rotate: { axis: [0, 0, 1], degrees: 90 }, translate: [0, 0.5, 0.5] },
      },
      0.01676,
      0.01,
    ],
  ];

  it.each(cases)('%s', async (_name, shape, volume, share) => {
    const { group, notes } = await build([{ shape }]);
    expect(notes).toEqual([]);
    const here = measure(group);
    expect(isIn(here.bounds)).toBe(true);
    expect(Math.abs(here.volume - volume)).toBeLessThan(share * volume);
    // Closed at the walls: the volume is the same from anywhere.
    expect(measure(group, new Vector3(3, -2, 5)).volume).toBeCloseTo(here.volume, 3);
  });

  it.each([1e-3, 1e3])('at scale %f', async (scale) => {
    const small = { min: [0, 0, 0], max: [scale, scale, scale] } as const;
    const shape = { type: 'sphere', centre: [scale, scale, scale], radius: 0.5 * scale };
    const here = measure((await build([{ shape }], small)).group);
    expect(isIn(here.bounds, small)).toBe(true);
    expect(here.volume / scale ** 3).toBeCloseTo(0.0654, 3);
  });

  it('nothing of a solid outside', async () => {
    expect((await build([box([2, 2, 2], [3, 3, 3])])).group.children).toHaveLength(0);
  });

  it('a moving one is cut anew at every time', async () => {
    const motion = { translate: { velocity: [1, 0, 0] } };
    const { group } = await build([{ ...box([-0.2, 0.4, 0.4], [0.2, 0.6, 0.6]), motion }]);
    const at = (time: number) => {
      expect(poseSolids(group, time)).toBe(true);
      return measure(group);
    };
    expect(at(0).volume).toBeCloseTo(0.2 * 0.04, 5);
    expect(at(0.5).volume).toBeCloseTo(0.4 * 0.04, 5);
    expect(at(0.9).volume).toBeCloseTo(0.3 * 0.04, 5);
    expect(isIn(at(0.9).bounds)).toBe(true);
    expect(at(0.9).bounds.min.x).toBeCloseTo(0.7, 4);
    expect(at(5).triangles).toBe(0);
    expect(at(0).volume).toBeCloseTo(0.2 * 0.04, 5);
  });
});

describe('solids of a run folder that may hold anything', () => {
  it('what is no shape is left out and named; the others are drawn', async () => {
    let deep: unknown = { type: 'sphere', centre: [0, 0, 0], radius: 1 };
    for (let i = 0; i < 5000; i++) deep = { type: 'union', shapes: [deep] };
    const { group, notes } = await build([
      null,
      7,
      'x',
      {},
      { name: 'odd', shape: { type: 'box', min: [0, 0, 0], max: [0, 1, Number.NaN] } },
      { shape: { type: 'sphere', centre: ['a', 0, 0], radius: -1 } },
      { shape: { type: '__proto__' } },
      { shape: { type: 'mesh', file: '../../secret.ply' } },
      { shape: deep },
      { ...box([0, 0, 0], [0.1, 0.1, 0.1]), motion: { rotate: 'fast' } },
      box([0, 0, 0], [0.5, 0.5, 0.5]),
    ]);
    expect(notes).toHaveLength(10);
    expect(notes[4]).toContain('solid odd is not drawn');
    expect(measure(group).volume).toBeCloseTo(0.125, 5);
  });

  it('20,000 of them are a few meshes of bounded size, and the page breathes while they are built', async () => {
    const spheres = Array.from({ length: 20_000 }, (_, i) => ({
      shape: { type: 'sphere', centre: [(i % 100) / 100, ((i / 100) | 0) / 200, 0.5], radius: 0.01 },
    }));
    let last = performance.now();
    let longest = 0;
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    const { group, notes } = await build(spheres);
    clearInterval(timer);
    expect(notes).toEqual([]);
    expect(group.children.length).toBeLessThan(40);
    const { triangles } = measure(group);
    expect(triangles).toBeGreaterThan(20_000 * 40);
    expect(triangles).toBeLessThan(2e6);
    expect(longest).toBeLessThan(500);
  });

  it('stops when nobody waits any more', async () => {
    let asked = 0;
    const shapes = Array.from({ length: 5000 }, () => box([0, 0, 0], [0.5, 0.5, 0.5]));
    const { group } = await buildSolids(shapes, {
      domain,
      material: createShapeMaterial(new Color('grey')),
      readFile,
      isWanted: () => ++asked < 10,
    });
    expect(measure(group).triangles).toBeLessThan(200);
  });
});
