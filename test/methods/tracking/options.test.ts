/** The scene's `tracking` key: what is refused, with which words; factors over time. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { factorAt, findChange } from '../../../src/methods/tracking/factor.ts';
import { buildField, buildInterfaceSpeed } from '../../../src/methods/tracking/fields.ts';
import { flowSchema } from '../../../src/methods/tracking/options-flows.ts';
import { tracking } from '../../../src/methods/tracking/tracking.ts';
import { loadScene } from '../../../src/scene/load.ts';

const base = {
  version: 1,
  method: 'tracking',
  duration: 1,
  domain: { min: [0, 0, 0], max: [1, 1, 1] },
  resolution: 0.1,
  tracking: {
    start: [{ type: 'sphere', centre: [0.5, 0.5, 0.5], radius: 0.3 }],
    flows: [{ type: 'mean-curvature' }],
    timeStep: 0.001,
  },
};
const read = (scene: unknown) =>
  loadScene(
    { file: 'test.jsonc', text: JSON.stringify(scene) },
    { methods: [tracking], readFile: () => Promise.reject(new Error('no files here')) },
  );

describe('a scene of the method', () => {
  it('needs no liquids, and takes none', async () => {
    expect((await read(base)).scene.liquids).toEqual([]);
    const liquids = [{ shape: { type: 'sphere', centre: [0.5, 0.5, 0.5], radius: 0.2 } }];
    await expect(read({ ...base, liquids })).rejects.toThrow(/no use for liquids; remove "liquids"/);
    const solids = [{ shape: { type: 'sphere', centre: [0.5, 0.5, 0.5], radius: 0.2 } }];
    await expect(read({ ...base, solids })).rejects.toThrow(/no use for solids/);
  });

  it('says what is missing or misspelt', async () => {
    const { tracking: _, ...bare } = base;
    await expect(read(bare)).rejects.toThrow(
      /tracking is missing; expected the options of the tracking method/,
    );
    const flows = [{ type: 'mean-curvatur' }];
    await expect(read({ ...base, tracking: { ...base.tracking, flows } })).rejects.toThrow(/mean-curvature/);
    const bounds = { minimumAngle: 3 };
    await expect(read({ ...base, tracking: { ...base.tracking, bounds } })).rejects.toThrow(
      /unknown key "minimumAngle"/,
    );
    const late = [
      {
        type: 'mean-curvature',
        factor: [
          [1, 1],
          [0.5, -1],
        ],
      },
    ];
    await expect(read({ ...base, tracking: { ...base.tracking, flows: late } })).rejects.toThrow(/factor/);
  });
});

describe('walls', () => {
  it('that the surface does not lie on are refused, with a way out', async () => {
    const walls = { min: [0, 0, 0], max: [1, 1, 1] };
    const { scene } = await read({ ...base, tracking: { ...base.tracking, walls } });
    const model = tracking.build(scene, { heap: createHeap(), threads: createSingleThread() });
    expect(() => tracking.start(model)).toThrow(/no face of the surface lies on a side.*leave walls out/s);
  });
});

describe('flows', () => {
  it('have factors that hold from their times on', () => {
    const steps: [number, number][] = [
      [0.5, 2],
      [1, -1],
    ];
    expect([0, 0.5, 0.75, 1, 9].map((t) => factorAt(steps, t))).toEqual([0, 2, 2, -1, -1]);
    expect([0, 0.5, 0.75, 1].map((t) => findChange(steps, t))).toEqual([0.5, 1, 1, Infinity]);
    // A time short of a change by rounding has reached it.
    expect(factorAt(steps, 1 - 1e-14)).toBe(-1);
    expect([factorAt(3, 7), findChange(3, 7)]).toEqual([3, Infinity]);
  });

  it('swirl without divergence, along the walls and not through them', () => {
    const box = { min: [0, 1, -1], max: [2, 2, 3] } as const;
    const spec = flowSchema.parse({ type: 'swirl', speed: 1 }) as Parameters<typeof buildField>[0];
    const field = buildField(spec, { domain: box, seed: 0 });
    const at = (x: number, y: number, z: number) => {
      const u = new Float64Array(3);
      field(x, y, z, 0.3, u);
      return u;
    };
    let fastest = 0;
    for (let n = 0; n < 50; n++) {
      const x = [0, 1, 2].map(
        (k) => box.min[k] + ((0.37 * (n + 1) * (k + 1)) % 1) * (box.max[k] - box.min[k]),
      );
      const h = 1e-5;
      let divergence = 0;
      for (let k = 0; k < 3; k++) {
        const [a, b] = [x.slice(), x.slice()];
        a[k] += h;
        b[k] -= h;
        divergence += (at(a[0], a[1], a[2])[k] - at(b[0], b[1], b[2])[k]) / (2 * h);
        for (const wall of [box.min[k], box.max[k]]) {
          const y = x.slice();
          y[k] = wall;
          expect(Math.abs(at(y[0], y[1], y[2])[k])).toBeLessThan(1e-12);
        }
      }
      expect(Math.abs(divergence)).toBeLessThan(1e-8);
      fastest = Math.max(fastest, Math.hypot(...at(x[0], x[1], x[2])));
    }
    expect(fastest).toBeGreaterThan(0.3);
  });

  it('rotate about any axis', () => {
    const spec = flowSchema.parse({ type: 'rotation', centre: [1, 0, 0], axis: [0, 0, 2], period: 4 });
    const field = buildField(spec as Parameters<typeof buildField>[0], {
      domain: { min: [0, 0, 0], max: [1, 1, 1] },
      seed: 0,
    });
    const u = new Float64Array(3);
    field(3, 0, 5, 0, u);
    expect(u[0]).toBeCloseTo(0, 12);
    expect(u[1]).toBeCloseTo(Math.PI, 12);
    expect(u[2]).toBeCloseTo(0, 12);
  });

  it('move interfaces by region and by pair, the other way from the other side', () => {
    const spec = flowSchema.parse({
      type: 'normal',
      speed: 1,
      regions: [{ label: 2, speed: -3 }],
      pairs: [{ from: 1, into: 2, speed: 0.5 }],
    });
    const speed = buildInterfaceSpeed(spec as Parameters<typeof buildInterfaceSpeed>[0]);
    expect([speed(0, 1), speed(1, 0), speed(0, 2), speed(2, 0)]).toEqual([1, -1, -3, 3]);
    expect([speed(2, 1), speed(1, 2), speed(3, 4)]).toEqual([0.5, -0.5, 0]);
  });
});
