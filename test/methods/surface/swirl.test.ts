/** Rings of liquid with circulation: integrals against formulas, and that it is kept. */
import { expect, it } from 'vitest';
import { buildLiquid, march } from '../../../cases/surface/march.ts';
import { buildRing, measureCirculation } from '../../../cases/surface/ring.ts';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { buildBody, findBodies } from '../../../src/methods/surface/liquid/body.ts';
import {
  countHandles,
  findSwirl,
  measureSwirl,
  startSwirl,
} from '../../../src/methods/surface/liquid/swirl.ts';
import { surface } from '../../../src/methods/surface/surface.ts';
import { buildMultiMesh } from '../../../src/tracking/multimaterial/build.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };
const [MAJOR, MINOR] = [1, 0.3];

function buildRingBody(divisions: number) {
  const mesh = buildMultiMesh(buildRing(MAJOR, MINOR, divisions));
  return buildBody(mesh, findBodies(mesh).faces[0], resources.heap.scope('test'));
}

it('integrals of the flow around a hole are those of the formulas', () => {
  const body = buildRingBody(16);
  expect(countHandles(body, 1)).toBe(1);
  const swirl = startSwirl(body, 3);
  const { impulse, turn, square } = measureSwirl(body, swirl, [0.2, 0, 0]);
  let volume = 0;
  const p = body.position;
  for (let c = 0; c < body.triangle.length; c += 3) {
    const [a, b, d] = [0, 1, 2].map((k) => 3 * body.triangle[c + k]);
    volume +=
      (p[a] * (p[b + 1] * p[d + 2] - p[b + 2] * p[d + 1]) +
        p[a + 1] * (p[b + 2] * p[d] - p[b] * p[d + 2]) +
        p[a + 2] * (p[b] * p[d + 1] - p[b + 1] * p[d])) /
      6;
  }
  expect(Math.hypot(...impulse)).toBeLessThan(1e-9);
  expect(Math.abs(Math.abs(turn[2]) / ((3 * volume) / (2 * Math.PI)) - 1)).toBeLessThan(1e-5);
  // Of a smooth ring, of which a mesh has a little less.
  expect(Math.abs(square / (9 * (MAJOR - Math.sqrt(MAJOR ** 2 - MINOR ** 2))) - 1)).toBeLessThan(0.05);
});

it('the potential is taken apart whatever branch its vertices are on', () => {
  const body = buildRingBody(8);
  const { angle } = startSwirl(body, 2);
  const rest = angle.map((_, v) => 0.3 * body.position[3 * v] - 0.1 * body.position[3 * v + 2] ** 2);
  const whole = rest.map((s, v) => s + 2 * (angle[v] + ((v * 7) % 5)));
  const swirl = findSwirl(body, 1, 2, whole)!;
  const constant = whole[0] - rest[0];
  // The axis is found from the mesh, and may lead the other way.
  expect(Math.abs(swirl.circulation)).toBe(2);
  whole.forEach((s, v) => {
    expect(Math.abs(s - rest[v] - constant)).toBeLessThan(1e-9);
  });
});

it('a ring that draws together keeps circulation and angular momentum until its hole closes', () => {
  const ring = buildRing(MAJOR, MINOR, 8);
  const { model, state } = buildLiquid(resources, {
    surface: ring,
    resolution: 0.25,
    options: { circulation: 4 },
  });
  const first = surface.measure(model, state);
  let fastest = 0;
  march(model, state, 0.1);
  const early = measureCirculation(state);
  march(model, state, 0.3, () => {
    fastest = Math.max(fastest, state.maxSpeed);
  });
  const last = surface.measure(model, state);
  expect(fastest).toBeGreaterThan(0.5);
  expect(Math.abs(early / 4)).toBeGreaterThan(0.97);
  expect(Math.abs(measureCirculation(state) / early - 1)).toBeLessThan(0.01);
  const turn = (of: typeof first) => Math.hypot(...of.angularMomentum!);
  expect(turn(first)).toBeGreaterThan(0.5);
  expect(Math.abs(turn(last) / turn(first) - 1)).toBeLessThan(0.02);
  expect(Math.hypot(...last.momentum!)).toBeLessThan(1e-6);
  expect(Math.abs(last.volume! / first.volume! - 1)).toBeLessThan(1e-4);

  // Then the vortex is left out, and nothing is gained by that.
  let closed = 0;
  const energies: number[] = [];
  march(model, state, 0.6, (report) => {
    closed += report.events['closedHoles'] ?? 0;
    const now = surface.measure(model, state, report);
    energies.push(now.kineticEnergy! + now.surfaceEnergy!);
  });
  expect(closed).toBeLessThanOrEqual(1);
  expect(Math.max(...energies)).toBeLessThan(1.02 * energies[0]);
  expect(Math.abs(measureCirculation(state) / early)).toBeLessThan(0.1);
});
