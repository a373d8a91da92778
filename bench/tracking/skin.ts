/**
 * The skin of half a million particles ([ando-2013] 5): at the nodes of the mesh of a step, and as the
 * surface of a frame. One pool of equal particles with a wavy surface, and one whose particles double in size
 * four times from one side to the other.
 */
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { createRandom } from '../../src/core/random.ts';
import { buildBackground } from '../../src/mesh/background/mesh.ts';
import { buildOctree, createSizing } from '../../src/mesh/octree/sizing.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';
import { computeSkinLevel } from '../../src/tracking/skinning/level.ts';
import type { Balls } from '../../src/tracking/skinning/order.ts';
import type { Machine } from '../../src/tracking/skinning/skin.ts';
import { buildSkinSurface } from '../../src/tracking/skinning/surface.ts';

/** s, on two cores: issue 22. */
const BOUND = 3;
const MARGIN = 0.05;

const heightAt = (x: number, y: number) => 0.6 + 0.1 * Math.sin(9 * x) * Math.cos(8 * y);

/** Cubes split until they are as small as wanted, a ball in each, shaken. */
function fillPool(wanted: (x: number) => number): Balls {
  const random = createRandom(1);
  const position: number[] = [];
  const radius: number[] = [];
  const fill = (x: number, y: number, z: number, edge: number): void => {
    if (edge > wanted(x)) {
      for (let n = 0; n < 8; n++)
        fill(
          x + 0.5 * edge * (n & 1),
          y + 0.5 * edge * ((n >> 1) & 1),
          z + 0.5 * edge * (n >> 2),
          0.5 * edge,
        );
      return;
    }
    const at = [x, y, z].map((low) => low + 0.5 * edge + 0.25 * edge * (random.next() - 0.5));
    const isIn = at[0] > MARGIN && at[0] < 1 - MARGIN && at[1] > MARGIN && at[1] < 1 - MARGIN;
    if (!isIn || at[2] < MARGIN || at[2] > heightAt(at[0], at[1])) return;
    position.push(...at);
    radius.push(0.5 * edge);
  };
  fill(0, 0, 0, 1);
  return { position: Float64Array.from(position), radius: Float64Array.from(radius) };
}

const POOLS: readonly { name: string; wanted: (x: number) => number; finest: number }[] = [
  { name: 'equal', wanted: () => 1 / 100, finest: 1 / 128 },
  { name: 'five sizes', wanted: (x) => 1 / 200 + 0.08 * Math.abs(x - 0.3), finest: 1 / 256 },
];

function benchPool(
  { name, wanted, finest }: (typeof POOLS)[number],
  { heap, threads }: Machine,
): RefereeRow[] {
  const machine = { heap, threads };
  const balls = fillPool(wanted);
  const scope = heap.scope('bench');
  const size = 2 * finest;
  const maxLevel = Math.round(Math.log2(1 / size));
  const sizing = createSizing((x, y, z) => 2 * wanted(x) + 0.3 * Math.abs(z - heightAt(x, y)), 0.7);
  const box = { origin: [0, 0, 0] as const, size, roots: [1, 1, 1] as const, maxLevel };
  const mesh = buildBackground(buildOctree(box, { sizing }), scope);
  const timed = (work: () => void) => {
    const start = performance.now();
    work();
    return (performance.now() - start) / 1000;
  };
  const level = () => {
    const own = heap.scope('level');
    computeSkinLevel(mesh, balls, machine, own);
    own.free();
  };
  let triangles = 0;
  const surface = () => {
    const velocity = new Float64Array(balls.position.length);
    triangles = buildSkinSurface({ balls, velocity }, machine).mesh.triangleCount;
  };
  timed(level);
  const rows = [
    reportRow(`${name}: particles`, balls.radius.length, ''),
    reportRow(`${name}: nodes of the mesh`, mesh.vertexCount, ''),
    atMost(`${name}: skin of a step`, Math.min(timed(level), timed(level)), BOUND, 's'),
    reportRow(`${name}: surface of a frame`, timed(surface), 's'),
    reportRow(`${name}: its triangles`, triangles, ''),
  ];
  scope.free();
  return rows;
}

export const skinCases: RefereeCase[] = [
  {
    name: 'tracking/skin',
    title: 'the skin of half a million particles, of one size and of five',
    run: async (context) => {
      const resources = await context.createResources();
      return POOLS.flatMap((pool) => benchPool(pool, resources));
    },
  },
];
