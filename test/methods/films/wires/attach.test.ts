import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/core/random.ts';
import { createSingleThread } from '../../../../src/core/threads/single.ts';
import { films } from '../../../../src/methods/films/films.ts';
import { buildModel } from '../../../../src/methods/films/model.ts';
import { type FilmsOptions, filmsOptions } from '../../../../src/methods/films/options.ts';
import { checkModel } from '../../../../src/methods/films/start/check.ts';
import { checkAttached } from '../../../../src/methods/films/start/check-start.ts';
import { buildStart } from '../../../../src/methods/films/start/start.ts';
import { attachWires } from '../../../../src/methods/films/wires/attach.ts';
import { buildWire, findPlace, type Wire } from '../../../../src/methods/films/wires/wires.ts';
import { loadScene } from '../../../../src/scene/load.ts';
import type { Start } from '../../../../src/tracking/multimaterial/shapes/check.ts';
import { createRun, heap, load, measureDrift, measureNow, runChecked, takeFilms } from '../run-scene.ts';

const R = 0.02;
const H = 0.004;
const DOMAIN = { min: [-1, -1, -1], max: [1, 1, 1] } as const;
const bubble = { type: 'bubble', centre: [0, 0, 0], radius: R };

function attach(data: Record<string, unknown>): { options: FilmsOptions; wires: Wire[]; start: Start } {
  const options = filmsOptions.parse(data);
  const wires = options.wires.map(buildWire);
  const isOpening = (label: number) => options.openings.includes(label);
  const described = buildStart(options.start, H, 0);
  const start = attachWires(described, wires, isOpening, H, (next, n) =>
    checkAttached(options.start, next, n),
  );
  checkModel(options, start, wires, DOMAIN, H);
  return { options, wires, start };
}

/** Vertices on a wire, and edges between them with their lengths. */
function measureChain({ surface }: Start, wire: Wire): { vertices: number; edges: number[] } {
  const { position: p, triangle } = surface;
  const at = (v: number) => [p[3 * v], p[3 * v + 1], p[3 * v + 2]] as const;
  const isOn = (v: number) => findPlace(wire, at(v)).distance < 1e-12;
  const vertices = new Set<number>();
  const edges = new Map<string, number>();
  for (let h = 0; h < triangle.length; h++) {
    const [a, b] = [triangle[h], triangle[h % 3 === 2 ? h - 2 : h + 1]];
    if (!isOn(a)) continue;
    vertices.add(a);
    if (isOn(b))
      edges.set(`${Math.min(a, b)} ${Math.max(a, b)}`, Math.hypot(...at(a).map((x, k) => x - at(b)[k])));
  }
  return { vertices: vertices.size, edges: [...edges.values()] };
}

const sum = (list: readonly number[]) => list.reduce((all, x) => all + x, 0);

describe('films take to the wires beside them', () => {
  it('a ring anywhere around a bubble, 0.4 resolutions off it at most, is followed all round', () => {
    const random = createRandom(1);
    for (let n = 0; n < 40; n++) {
      const way = [0, 1, 2].map(() => 2 * random.next() - 1);
      const axis = way.map((x) => x / Math.hypot(...way));
      const height = (2 * random.next() - 1) * 0.75 * R;
      const grown = 1 + ((2 * random.next() - 1) * 0.4 * H) / R;
      const radius = grown * Math.sqrt(R * R - height * height);
      const ring = { type: 'ring', centre: axis.map((x) => x * height * grown), axis, radius };
      const { start, wires } = attach({ start: [bubble], wires: [ring] });
      const { vertices, edges } = measureChain(start, wires[0]);
      // As many edges as vertices, and as long as the circle: one chain without a gap.
      expect(edges.length).toBe(vertices);
      expect(sum(edges) / (2 * Math.PI * radius)).toBeGreaterThan(0.97);
      expect(sum(edges) / (2 * Math.PI * radius)).toBeLessThan(1);
      expect(Math.min(...edges)).toBeGreaterThan(0.1 * H);
      expect(Math.max(...edges)).toBeLessThan(1.5 * H);
    }
  });

  it('a polyline over a wall of a box, and a wire that crosses the seam of two bubbles', () => {
    const path = [
      [-0.015, 0.0103, -0.012],
      [0.001, 0.0103, 0.013],
      [0.016, 0.0103, -0.01],
    ];
    const box = { type: 'boxes', min: [-0.02, -0.01, -0.02], max: [0.02, 0.01, 0.02] };
    const onBox = attach({ start: [box], wires: [{ type: 'polyline', points: path }] });
    const length = Math.hypot(0.016, 0.025) + Math.hypot(0.015, 0.023);
    const { edges } = measureChain(onBox.start, onBox.wires[0]);
    expect(sum(edges) / length).toBeGreaterThan(0.9);
    expect(sum(edges) / length).toBeLessThan(1.001);

    const pair = { type: 'double-bubble', centre: [0, 0, 0], radius: R, distance: 0.8 * R };
    const ring = { type: 'ring', centre: [0.4 * R, 0, 0], axis: [0.1, 0.2, 1], radius: 0.999 * R };
    const seam = attach({ start: [pair], wires: [ring] });
    const chain = measureChain(seam.start, seam.wires[0]);
    // On the right bubble and through the film between the two, where the ring leaves the left one.
    expect(sum(chain.edges) / (2 * Math.PI * R)).toBeGreaterThan(0.55);
  });

  it('leaves bundled scenes as they are: their wires lie on vertices', async () => {
    const names = readdirSync(new URL('../../../../scenes/films', import.meta.url)).map((f) =>
      f.replace('.jsonc', ''),
    );
    let withWires = 0;
    for (const name of names) {
      const { scene } = await load(name);
      const options = filmsOptions.parse(scene.options);
      if (options.wires.length === 0) continue;
      withWires++;
      const start = buildStart(options.start, scene.resolution, scene.seed);
      const isOpening = (label: number) => options.openings.includes(label);
      expect(attachWires(start, options.wires.map(buildWire), isOpening, scene.resolution)).toBe(start);
    }
    expect(withWires).toBeGreaterThan(4);
  });

  it('refuses a wire farther off than half a resolution, with the distances', () => {
    const ring = { type: 'ring', centre: [0, 0, 0], axis: [0, 0, 1], radius: R + 0.6 * H };
    expect(() => attach({ start: [bubble], wires: [ring] })).toThrow(
      /films\.wires\[0\]: holds no film: the nearest vertex is 0\.0024\d* m away, and it takes films within 0\.002 m/,
    );
  });

  it('a wire that pierces a film does not gather it', () => {
    const rod = {
      type: 'polyline',
      points: [
        [0, 0, 0],
        [0.03, 0.001, 0.002],
      ],
    };
    expect(() => attach({ start: [bubble], wires: [rod] })).toThrow(/films\.wires\[0\]: holds no film/);
  });
});

it('a bubble in a tilted ring that does not fit stays on it and keeps its air', async () => {
  const text = JSON.stringify({
    version: 1,
    method: 'films',
    duration: 0.05,
    fps: 100,
    domain: { min: [-0.05, -0.05, -0.05], max: [0.05, 0.05, 0.05] },
    resolution: 0.005,
    films: {
      start: [bubble],
      damping: 0.0003,
      drag: 4,
      wires: [{ type: 'ring', centre: [0.001, 0, 0.004], axis: [0.3, -0.2, 1], radius: 0.0185 }],
    },
  });
  const readFile = async () => new Uint8Array();
  const loaded = await loadScene({ file: 'tilted.json', text }, { methods: [films], readFile });
  const model = buildModel(loaded.scene, { heap, threads: createSingleThread() });
  const ring = model.wires[0];
  const run = createRun(loaded);
  const before = measureNow(run);
  const records = runChecked(run);
  for (const record of records) expect(measureDrift(before, record)).toBeLessThan(1e-3);
  const { position, triangle } = takeFilms(run);
  const chain = measureChain(
    { surface: { position, triangle, label: new Int32Array() }, faceToShape: new Int32Array() },
    ring,
  );
  expect(chain.edges.length).toBe(chain.vertices);
  expect(sum(chain.edges) / (2 * Math.PI * 0.0185)).toBeGreaterThan(0.97);
  // It had to be drawn onto the ring: there it moves, and not for nothing.
  expect(Math.max(...records.map(({ kineticEnergy }) => kineticEnergy!))).toBeGreaterThan(0);
});
