/** Drops in motion: what must hold exactly, and what formulas say, on meshes of a few hundred faces. */
import { describe, expect, it } from 'vitest';
import { createDrop, edgeOf, measureRadius, swing, throwDrop } from '../../../cases/surface/drop.ts';
import { buildLiquid, march } from '../../../cases/surface/march.ts';
import { findMeshIntersections } from '../../../cases/tracking/intersection-referee.ts';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import type { StepReport } from '../../../src/methods/method.ts';
import { surface } from '../../../src/methods/surface/surface.ts';
import { joinTriangles } from '../../../src/tracking/multimaterial/build.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };

it('a drop that falls keeps its shape to rounding', () => {
  const { model, state, worst } = throwDrop(resources, buildSpheres([{ levels: 1 }]), 1, 0.5);
  expect(worst).toBeLessThan(1e-9);
  const { momentum, kineticEnergy, volume } = surface.measure(model, state);
  expect(momentum![2] / volume!).toBeCloseTo(2 - 1, 9);
  expect(kineticEnergy! / volume!).toBeCloseTo(0.5 * (9 + 1 + 1), 8);
});

it('mode 2 swings as the formula has it, and back to where it began', () => {
  const run = swing(resources, 2, 2, { periods: 1.04 });
  expect(run.vertices).toBe(162);
  expect(Math.abs(run.error)).toBeLessThan(0.02);
  expect(run.turn).toBeLessThan(-0.95);
  expect(run.peak).toBeGreaterThan(0.995);
  expect(run.peak).toBeLessThan(1.005);
  expect(run.energy).toBeLessThan(0.05);
  expect(Math.abs(run.volume)).toBeLessThan(1e-6);
});

it('weak viscosity damps mode 2 by 5 nu / R^2', () => {
  const nu = 0.02;
  const free = swing(resources, 2, 2);
  const damped = swing(resources, 2, 2, { viscosity: nu });
  const period = (2 * Math.PI) / Math.sqrt(8);
  const rate = -Math.log(damped.peak / free.peak) / period;
  expect(Math.abs(rate / (5 * nu) - 1)).toBeLessThan(0.1);
});

it('pressure in a drop at rest is that of Laplace', () => {
  const { model, state } = createDrop(resources, 2, { options: { damping: 0.15 } });
  march(model, state, 2);
  const frame = surface.surface(model, state);
  const radius = measureRadius(model, state);
  const { values } = frame.vertexFields!['curvature'];
  const mean = (values as Float32Array).reduce((sum, x) => sum + x, 0) / values.length;
  expect(Math.abs((mean * radius) / 2 - 1)).toBeLessThan(0.01);
});

it('drops that meet head-on at We 80 gain no energy', () => {
  // Not alike, so that no vertex meets its image.
  const drops = joinTriangles([
    buildSpheres([{ levels: 2, centre: [-1.05, 0.2, 0], radius: 1 }]),
    buildSpheres([{ levels: 2, centre: [0.95, 0, 0.013], radius: 0.9 }]),
  ]);
  const speed = Math.sqrt(10);
  const velocity = Float64Array.from(drops.position, (_, c) =>
    c % 3 === 0 ? (drops.position[c] < 0 ? speed : -speed) : 0,
  );
  const { model, state } = buildLiquid(resources, { surface: drops, resolution: edgeOf(2), velocity });
  const energy = (report?: StepReport) => {
    const now = surface.measure(model, state, report);
    return now.kineticEnergy! + now.surfaceEnergy!;
  };
  const first = energy();
  const energies: number[] = [];
  march(model, state, 0.11, (report) => energies.push(energy(report) / first));
  expect(surface.measure(model, state).regions).toHaveLength(1);
  expect(Math.max(...energies)).toBeLessThan(1.005);
  expect(energies[energies.length - 1]).toBeGreaterThan(0.85);
});

it('three drops that meet keep their volume together', () => {
  const drops = joinTriangles([
    buildSpheres([{ levels: 1, centre: [-1.2, 0, 0], radius: 1 }]),
    buildSpheres([{ levels: 1, centre: [0.9, 1, 0.1], radius: 0.8 }]),
    buildSpheres([{ levels: 1, centre: [0.9, -1.2, 0.2], radius: 0.9 }]),
  ]);
  const speeds = [
    [3.35, 0, 0],
    [-1.9, -1.9, 0],
    [-1.5, 2.2, 0],
  ];
  const velocity = Float64Array.from(drops.position, (_, n) => speeds[Math.floor(n / 126)][n % 3]);
  const { model, state } = buildLiquid(resources, { surface: drops, resolution: edgeOf(1), velocity });
  const first = surface.measure(model, state).volume!;
  let worst = 0;
  march(model, state, 0.4, () => {
    worst = Math.max(worst, Math.abs(surface.measure(model, state).volume! / first - 1));
  });
  expect(surface.measure(model, state).regions!.length).toBeLessThan(3);
  expect(worst).toBeLessThan(3e-5);
});

describe('two drops that meet', () => {
  const drops = joinTriangles([
    buildSpheres([{ levels: 1, centre: [-1.1, 0.15, 0], radius: 1 }]),
    buildSpheres([{ levels: 1, centre: [1.1, -0.15, 0], radius: 1 }]),
  ]);
  const speed = Math.sqrt(10 / 8);
  const velocity = Float64Array.from(drops.position, (_, c) =>
    c % 3 === 0 ? (drops.position[c] < 0 ? speed : -speed) : 0,
  );
  const { model, state } = buildLiquid(resources, { surface: drops, resolution: edgeOf(1), velocity });
  const first = surface.measure(model, state);
  const reports: StepReport[] = [];
  let intersections = 0;
  let volumeOff = 0;
  let unexplained = 0;
  let volume = first.volume!;
  march(model, state, 0.6, (report) => {
    reports.push(report);
    const { mesh } = state.tracker;
    const position = mesh.position.slice(0, 3 * mesh.vertexFill);
    intersections += findMeshIntersections(position, mesh.face.slice(0, 3 * mesh.faceFill)).count;
    validateMesh(mesh);
    const now = surface.measure(model, state, report);
    volumeOff = Math.max(volumeOff, Math.abs(now.volume! / first.volume! - 1));
    const booked = Object.values(report.ledger!.volume).reduce((sum, cause) => sum + cause, 0);
    unexplained = Math.max(unexplained, Math.abs(now.volume! - volume - booked));
    volume = now.volume!;
  });
  const last = surface.measure(model, state, reports[reports.length - 1]);

  it('become one', () => {
    expect(first.regions).toHaveLength(2);
    expect(last.regions).toHaveLength(1);
    expect(reports.reduce((sum, { events }) => sum + (events['merges'] ?? 0), 0)).toBeGreaterThan(0);
  });

  it('without intersections, all volume explained', () => {
    expect(intersections).toBe(0);
    expect(unexplained / volume).toBeLessThan(1e-9);
    expect(volumeOff).toBeLessThan(1e-4);
  });

  it('keep momentum, angular momentum and no more than their energy', () => {
    const size = first.mass! * speed;
    for (let k = 0; k < 3; k++)
      expect(Math.abs(last.momentum![k] - first.momentum![k]) / size).toBeLessThan(1e-6);
    expect(Math.abs(first.angularMomentum![2]) / size).toBeGreaterThan(0.1);
    for (let k = 0; k < 3; k++)
      expect(Math.abs(last.angularMomentum![k] - first.angularMomentum![k]) / size).toBeLessThan(0.02);
    const energy = (of: typeof first) => of.kineticEnergy! + of.surfaceEnergy!;
    expect(energy(last)).toBeLessThan(1.005 * energy(first));
    expect(energy(last)).toBeGreaterThan(0.5 * energy(first));
  });
});
