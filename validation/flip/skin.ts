/**
 * Figure 4 of [ando-2013]: balls of mixed radii that touch one plane. The skin, the level set at the nodes of
 * a graded mesh and the surface of frames lie in that plane; the surfaces of Zhu and Bridson 2005 and of
 * Adams et al. 2007 stand beside them. Bumps are in radii of the smallest balls.
 */
import { adams, findHeight, layFlatBalls, layPoints, zhuBridson } from '../../cases/particles/flat.ts';
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { createHeap } from '../../src/core/heap.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { buildBackground } from '../../src/mesh/background/mesh.ts';
import { buildOctree, createSizing } from '../../src/mesh/octree/sizing.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';
import { computeSkinLevel } from '../../src/tracking/skinning/level.ts';
import { buildSkin, evaluateSkin } from '../../src/tracking/skinning/skin.ts';
import { buildSkinSurface } from '../../src/tracking/skinning/surface.ts';

const POINTS = 2000;
const OTHERS = 200;
/** Of the smallest radius: row 4 of the acceptance. */
const BUMPS = 1e-3;
/** The rim of the patch is round: vertices this near to it are left out. */
const RIM = 0.2;

function isMiddle(position: Float64Array, v: number): boolean {
  const [x, y, z] = position.subarray(3 * v, 3 * v + 3);
  return z > -0.01 && Math.min(x, y) > RIM && Math.max(x, y) < 1 - RIM;
}

function runFlat(): RefereeRow[] {
  const heap = createHeap();
  const machine = { heap, threads: createSingleThread() };
  const scope = heap.scope('flat');
  const balls = layFlatBalls(5);
  const r = balls.radius.reduce((least, own) => Math.min(least, own), 1);
  const rows: RefereeRow[] = [
    reportRow('balls', balls.radius.length, ''),
    reportRow('smallest radius', r, 'm'),
  ];

  const points = layPoints(POINTS, 6);
  const point = scope.f64(3 * POINTS);
  point.set(points);
  for (let n = 0; n < POINTS; n++) point[3 * n + 2] = 0.1 * r;
  const value = scope.f64(POINTS);
  evaluateSkin(buildSkin(balls, machine, scope), point, value, machine);
  const bumps = value.reduce((most, own) => Math.max(most, Math.abs(own + 0.1 * r)), 0);
  rows.push(atMost('skin', bumps / r, BUMPS, 'r'));

  const box = { origin: [-0.5, -0.5, -1.04] as const, size: 1 / 32, roots: [4, 4, 4] as const, maxLevel: 4 };
  const sizing = createSizing((x, _y, z) => 1 / 32 + 0.3 * Math.abs(z) + (x > 0.5 ? 1 / 16 : 0), 0.6);
  const mesh = buildBackground(buildOctree(box, { sizing }), scope);
  const level = computeSkinLevel(mesh, balls, machine, scope);
  const heights = (position: Float64Array, count: number) => {
    let most = 0;
    for (let v = 0; v < count; v++)
      if (isMiddle(position, v)) most = Math.max(most, Math.abs(position[3 * v + 2]));
    return most;
  };
  rows.push(
    atMost(
      'surface at a graded mesh',
      heights(level.surface.position, level.surface.vertexCount) / r,
      BUMPS,
      'r',
    ),
  );
  // Both ends of the edges that the plane cuts, in the middle of the patch.
  let off = 0;
  const { between } = level;
  for (let n = 0; n < between.length; n++) {
    const [x, y, z] = mesh.position.subarray(3 * between[n], 3 * between[n] + 3);
    if (z > -0.06 && Math.min(x, y) > 1.5 * RIM && Math.max(x, y) < 1 - 1.5 * RIM)
      off = Math.max(off, Math.abs(level.phi[between[n]] + z));
  }
  rows.push(atMost('distance at nodes of cut tets, both sides', off / r, BUMPS, 'r'));

  const { mesh: frame } = buildSkinSurface(
    { balls, velocity: new Float64Array(balls.position.length) },
    machine,
  );
  rows.push(
    atMost('surface of a frame, smoothed', heights(frame.position, frame.vertexCount) / r, BUMPS, 'r'),
  );

  for (const [name, field] of [
    ['Zhu and Bridson 2005', zhuBridson],
    ['Adams et al. 2007', adams],
  ] as const) {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let n = 0; n < OTHERS; n++) {
      const height = findHeight((z) => field(balls, points[3 * n], points[3 * n + 1], z), 4 * r);
      least = Math.min(least, height);
      most = Math.max(most, height);
    }
    // From the lowest to the highest: neither knows where the plane is.
    rows.push(atLeast(`beside it: ${name}`, (most - least) / r, 10 * BUMPS, 'r'));
  }
  scope.free();
  return rows;
}

export const skinCases: RefereeCase[] = [
  {
    name: 'flip/flat-skin',
    title: 'the skin of balls of mixed radii that touch one plane is flat (figure 4)',
    run: async () => runFlat(),
  },
];
