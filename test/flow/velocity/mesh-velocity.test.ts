import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { NONE, type Vec3 } from '../../../src/core/types.ts';
import { buildDerived, buildMeshVelocity } from '../../../src/flow/liquid/state.ts';
import { AREA } from '../../../src/flow/mesh/face-geometry.ts';
import { FREE, WALL } from '../../../src/flow/pressure/pressure.ts';
import { advectVelocity } from '../../../src/flow/velocity/advection.ts';
import {
  type MeshVelocity,
  VelocitySampler,
  velocityValues,
} from '../../../src/flow/velocity/mesh-velocity.ts';
import { sphere } from '../../../src/geometry/shapes.ts';
import {
  faceCentre,
  heap,
  levelPool,
  type Started,
  sampleOnFaces,
  startPool,
  startScene,
} from '../../methods/lattice/scenes.ts';

type Field = (x: number, y: number, z: number) => Vec3;

const partsOf = ({ state }: Started) => ({
  mesh: state.mesh,
  topology: state.derived.topology,
  geometry: state.derived.geometry,
});

/** The started scene's flow with the given face velocities. */
function flowWith(started: Started, faceVelocity: Float64Array): MeshVelocity {
  const { model, state } = started;
  const scope = heap.scope('test flow');
  const still = scope.f64(faceVelocity.length);
  const derived = buildDerived(
    model,
    state.derived.surroundings,
    {
      surface: state.surface,
      index: state.derived.surfaceIndex,
      parts: partsOf(started),
      faces: { faceVelocity, faceAcceleration: still, faceKind: state.faceKind },
    },
    scope,
  );
  return buildMeshVelocity(model, { ...state, faceVelocity, faceAcceleration: still, derived }, 0, scope);
}

const ballAt = (resolution: number) =>
  startScene({
    // Walls far off: velocities around the liquid do not lead away from walls, and this is about open space.
    domain: [
      [-0.4, -0.4, -0.4],
      [1.4, 1.4, 1.4],
    ],
    resolution,
    liquids: [sphere([0.5, 0.51, 0.49], 0.36)],
  });
const ball = ballAt(0.1);

/** Largest error of a query over random points whose distance from the ball's surface is in [low, high]. */
function worstError(
  flow: MeshVelocity,
  field: Field,
  low: number,
  high: number,
  query: 'smooth' | 'detailed',
): number {
  const sampler = new VelocitySampler(velocityValues(flow));
  const random = createRandom(11);
  let worst = 0;
  for (let n = 0; n < 20000; n++) {
    const [x, y, z] = [random.next(), random.next(), random.next()];
    const depth = 0.36 - Math.hypot(x - 0.5, y - 0.51, z - 0.49);
    if (depth < low || depth > high) continue;
    sampler[query](x, y, z);
    const [u, v, w] = field(x, y, z);
    worst = Math.max(worst, Math.hypot(sampler.x - u, sampler.y - v, sampler.z - w));
  }
  return worst;
}

describe.each(['smooth', 'detailed'] as const)('%s velocity', (query) => {
  it('is exact for uniform flow, inside and around the liquid', () => {
    const field: Field = () => [0.3, -1.2, 0.7];
    const flow = flowWith(ball, sampleOnFaces(ball.state, field));
    expect(worstError(flow, field, -0.15, 1, query)).toBeLessThan(1e-7);
  });

  it('is second order for linear flow in the liquid', () => {
    // A turn and a stretch without divergence; largest gradient entry 2.
    const field: Field = (x, y, z) => [
      0.5 * (x - 0.4) - 2 * y + 0.3 * z,
      1.7 * x + 0.7 * (y - 0.5),
      0.4 * x - 0.2 * y - 1.2 * (z - 0.6),
    ];
    const flow = flowWith(ball, sampleOnFaces(ball.state, field));
    // One constant vector per cell would be off by gradient x half a cell = 0.1.
    const inside = worstError(flow, field, 0.15, 1, query);
    const anywhere = worstError(flow, field, 0, 1, query);
    expect(inside).toBeLessThan(0.01);
    expect(anywhere).toBeLessThan(0.05);
  });

  it('converges for a smooth flow', () => {
    const field: Field = (x, y, z) => [Math.sin(2 * y) + 0.2 * z, Math.cos(2 * z), Math.sin(2 * x)];
    const errors = [0.1, 0.05].map((h) => {
      const started = h === 0.1 ? ball : ballAt(h);
      return worstError(flowWith(started, sampleOnFaces(started.state, field)), field, 0, 1, query);
    });
    expect(errors[0]).toBeLessThan(0.05);
    expect(errors[1]).toBeLessThan(0.6 * errors[0]);
  });
});

/** The sampled velocity across a face. */
function across({ x, y, z }: VelocitySampler, { state }: Started, f: number): number {
  const { faceForm, form } = state.derived.geometry;
  const [nx, ny, nz] = form.subarray(faceForm[f]);
  return (x * nx + y * ny + z * nz) / form[faceForm[f] + AREA];
}

describe('faces', () => {
  const random = createRandom(8);
  const rough = sampleOnFaces(ball.state, () => [0, 0, 0]);
  for (let f = 0; f < rough.length; f++) rough[f] = 2 * random.next() - 1;
  const flow = flowWith(ball, rough);

  it('give back their stored normal velocity at their centres, however rough', () => {
    const sampler = new VelocitySampler(velocityValues(flow));
    let worst = 0;
    for (let f = 0; f < rough.length; f++) {
      sampler.detailed(...faceCentre(ball.state, f));
      worst = Math.max(worst, Math.abs(across(sampler, ball, f) - rough[f]));
    }
    expect(worst).toBeLessThan(1e-9);
  });

  it('on the surface give it back to points just outside too', () => {
    const sampler = new VelocitySampler(velocityValues(flow));
    const { faceForm, form } = ball.state.derived.geometry;
    let worst = 0;
    for (let f = 0; f < rough.length; f++) {
      if (ball.state.faceKind[f] !== FREE) continue;
      const n = [0, 1, 2].map((a) => form[faceForm[f] + a] / form[faceForm[f] + AREA]);
      const [x, y, z] = faceCentre(ball.state, f);
      const by = 1e-7;
      sampler.detailed(x + by * n[0], y + by * n[1], z + by * n[2]);
      worst = Math.max(worst, Math.abs(sampler.x * n[0] + sampler.y * n[1] + sampler.z * n[2] - rough[f]));
    }
    // Velocities are up to 1 and vary by as much within a cell of 0.1.
    expect(worst).toBeLessThan(1e-3);
  });

  it('on the surface are drawn to their vertices, at a rate, and no others are', () => {
    const still: Vec3 = [0, 0, -9.81];
    const pool = startPool({ size: [1, 1, 0.8], level: [0, 0, 0.55], gravity: still });
    // Velocities so small that the paths have no length.
    const tiny = sampleOnFaces(pool.state, () => [0, 0, 0]);
    for (let f = 0; f < tiny.length; f++) tiny[f] = 1e-9 * (2 * random.next() - 1);
    const own = flowWith(pool, tiny);
    const scope = heap.scope('test draw');
    const smooth = new VelocitySampler(velocityValues(own));
    const unit = Math.sqrt(0.1 / 9.81);
    for (const r of [0.1, 0.2, 1]) {
      const { velocity, former } = advectVelocity(
        pool.model,
        pool.state,
        own,
        partsOf(pool),
        r * unit,
        scope,
        scope,
      );
      for (let f = 0; f < tiny.length; f++) {
        if (pool.state.faceKind[f] === WALL) continue;
        let expected = tiny[f];
        if (pool.state.faceKind[f] === FREE) {
          smooth.smooth(...faceCentre(pool.state, f));
          expected += 0.5 * r * (across(smooth, pool, f) - tiny[f]);
        }
        expect(Math.abs(velocity[f] - expected)).toBeLessThan(1e-13);
        expect(Math.abs(former[f] - tiny[f])).toBeLessThan(1e-13);
      }
    }
  });

  it('keep their velocity over a path of no length: advection does not damp', () => {
    const scope = heap.scope('test advect');
    const { velocity, former } = advectVelocity(ball.model, ball.state, flow, partsOf(ball), 0, scope, scope);
    const worst = velocity.reduce(
      (most, u, f) => Math.max(most, Math.abs(u - rough[f]), Math.abs(former[f] - u)),
      0,
    );
    expect(worst).toBeLessThan(1e-9);
    // A path of finite length does change it.
    const moved = advectVelocity(ball.model, ball.state, flow, partsOf(ball), 0.05, scope, scope).velocity;
    expect(moved.reduce((most, u, f) => Math.max(most, Math.abs(u - rough[f])), 0)).toBeGreaterThan(0.1);
  });
});

describe('paths', () => {
  it('stay inside the domain and out of solids', () => {
    // Clear of the walls by more than the path: both bounds hold to rounding.
    const solid = sphere([0.5, 0.5, 0.4], 0.18);
    const pool = startScene({
      domain: [
        [0, 0, 0],
        [1, 1, 0.8],
      ],
      resolution: 0.1,
      liquids: [levelPool([0, 0, 0.55], [0, 0, -1])],
      solids: [solid],
    });
    const field: Field = () => [3, -2, -4];
    const sampler = new VelocitySampler(velocityValues(flowWith(pool, sampleOnFaces(pool.state, field))));
    const random = createRandom(6);
    let moved = 0;
    for (let n = 0; n < 3000; n++) {
      const [x, y, z] = [random.next(), random.next(), 0.8 * random.next()];
      if (solid.value(x, y, z) > 0) continue;
      sampler.trace(x, y, z, 0.03);
      const end: Vec3 = [sampler.endX, sampler.endY, sampler.endZ];
      moved = Math.max(moved, Math.hypot(end[0] - x, end[1] - y, end[2] - z));
      for (let a = 0; a < 3; a++) {
        expect(end[a]).toBeGreaterThan(-1e-9);
        expect(end[a]).toBeLessThan([1, 1, 0.8][a] + 1e-9);
      }
      // Pushed out by the trilinear clearance, which cuts the ball's bulge within a contouring cell.
      expect(solid.value(...end)).toBeLessThan(0.01);
    }
    expect(moved).toBeGreaterThan(0.1);
  });

  it('turn a solid rotation back to its start to second order', () => {
    const field: Field = (x, y) => [-(y - 0.51), x - 0.5, 0];
    const sampler = new VelocitySampler(velocityValues(flowWith(ball, sampleOnFaces(ball.state, field))));
    sampler.trace(0.7, 0.51, 0.49, 0.2);
    expect(
      Math.hypot(sampler.endX - 0.5 - 0.2 * Math.cos(0.2), sampler.endY - 0.51 - 0.2 * Math.sin(0.2)),
    ).toBeLessThan(0.2 * 0.2 ** 3);
  });
});

describe('just outside the mesh', () => {
  const random = createRandom(12);
  const roughen = (started: Started) =>
    flowWith(
      started,
      sampleOnFaces(started.state, () => [0, 0, 0]).map(() => 2 * random.next() - 1),
    );

  it('velocities do not jump where another tet becomes the nearest', () => {
    const sampler = new VelocitySampler(velocityValues(roughen(ball)));
    const { origin, size } = ball.state.mesh.index;
    const isApart = (a: number, b: number, axis: number) =>
      Math.floor((a - origin[axis]) / size) !== Math.floor((b - origin[axis]) / size);
    let fastest = 0;
    let jump = 0;
    for (let n = 0; n < 1200; n++) {
      const way = [0, 1, 2].map(() => 2 * random.next() - 1);
      const along = [0, 1, 2].map(() => 2 * random.next() - 1);
      const far = (0.37 + 0.02 * random.next()) / Math.hypot(...way);
      const from = [0.5, 0.51, 0.49].map((c, a) => c + far * way[a]);
      const to = from.map((x, a) => x + 0.01 * along[a]);
      // Across cells the lists of tets differ: paths may see a jump there.
      if (from.some((x, a) => isApart(x, to[a], a))) continue;
      let last: number[] | undefined;
      for (let step = 0; step <= 400; step++) {
        const [x, y, z] = from.map((x0, a) => x0 + (step / 400) * (to[a] - x0));
        sampler.smooth(x, y, z);
        const now = sampler.tet === NONE ? [sampler.x, sampler.y, sampler.z] : undefined;
        if (now && last) jump = Math.max(jump, Math.hypot(...now.map((u, a) => u - last![a])));
        if (now) fastest = Math.max(fastest, Math.hypot(...now));
        last = now;
      }
    }
    expect(fastest).toBeGreaterThan(0.5);
    // A four hundredth of a tenth of a cell.
    expect(jump).toBeLessThan(0.05 * fastest);
  });

  it('a point on a plane of cells reads what the outer cell says, on every side of the liquid', () => {
    const sampler = new VelocitySampler(velocityValues(roughen(ball)));
    const read = (x: number, y: number, z: number) => {
      sampler.smooth(x, y, z);
      return [sampler.x, sampler.y, sampler.z];
    };
    let differ = 0;
    for (let n = 0; n < 500; n++) {
      const [y, z] = [0.4 + 0.2 * random.next(), 0.4 + 0.2 * random.next()];
      // The ball reaches from 0.14 to 0.86; cells are 0.1 wide.
      for (const [plane, out] of [
        [0.1, -1],
        [0.9, 1],
      ]) {
        const on = read(plane, y, z);
        const outer = read(plane + 1e-8 * out, y, z);
        const inner = read(plane - 1e-8 * out, y, z);
        for (let a = 0; a < 3; a++) expect(Math.abs(on[a] - outer[a])).toBeLessThan(1e-5);
        if (Math.abs(on[0] - inner[0]) > 1e-3) differ++;
      }
    }
    // Else there would be nothing to choose.
    expect(differ).toBeGreaterThan(50);
  });
});
