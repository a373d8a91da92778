/** Drops on walls: what holds to rounding, and what a liquid that does nothing would not do. */
import { describe, expect, it } from 'vitest';
import { march } from '../../../cases/surface/march.ts';
import { buildOnWalls, measureLine, type WallSetup } from '../../../cases/surface/on-walls.ts';
import { findMeshIntersections } from '../../../cases/tracking/intersection-referee.ts';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { box, sphere } from '../../../src/geometry/shapes.ts';
import { surface } from '../../../src/methods/surface/surface.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };

/** A half ball on the floor, and what became of it. */
function settle(setup: Partial<WallSetup>, until: number) {
  const { model, state } = buildOnWalls(resources, {
    shape: sphere([0, 0, 0], 1),
    resolution: 0.5,
    options: { damping: 0.1 },
    ...setup,
  });
  const { mesh } = state.tracker;
  const begin = { ...surface.measure(model, state), line: measureLine(state) };
  let crossings = 0;
  let volumeOff = 0;
  let lowest = Infinity;
  march(model, state, until, () => {
    crossings += findMeshIntersections(
      mesh.position.slice(0, 3 * mesh.vertexFill),
      mesh.face.slice(0, 3 * mesh.faceFill),
    ).count;
    volumeOff = Math.max(volumeOff, Math.abs(surface.measure(model, state).volume! / begin.volume! - 1));
    for (let v = 0; v < mesh.vertexFill; v++) lowest = Math.min(lowest, mesh.position[3 * v + 2]);
  });
  validateMesh(mesh);
  return {
    begin,
    end: { ...surface.measure(model, state), line: measureLine(state) },
    crossings,
    volumeOff,
    lowest,
  };
}

describe('a half ball on the floor', () => {
  it('stays what it is where the contact angle is 90 degrees', () => {
    const { begin, end, volumeOff, crossings } = settle({}, 0.15);
    expect(begin.line.count).toBeGreaterThan(10);
    expect(begin.line.spread).toBeLessThan(1e-9);
    expect(Math.abs(end.line.radius / begin.line.radius - 1)).toBeLessThan(0.01);
    expect(volumeOff).toBeLessThan(1e-4);
    expect(crossings).toBe(0);
  });

  it('spreads where the liquid wets the floor, and loses surface energy', () => {
    const { begin, end, volumeOff, lowest } = settle({ contactAngle: 50 }, 0.2);
    expect(end.line.radius).toBeGreaterThan(1.02 * begin.line.radius);
    expect(end.surfaceEnergy!).toBeLessThan(begin.surfaceEnergy!);
    expect(volumeOff).toBeLessThan(1e-4);
    expect(lowest).toBeGreaterThan(-1e-12);
  });

  it('draws back where it does not', () => {
    const { begin, end } = settle({ contactAngle: 130 }, 0.2);
    expect(end.line.radius).toBeLessThan(0.98 * begin.line.radius);
    expect(end.surfaceEnergy!).toBeLessThan(begin.surfaceEnergy!);
  });

  it('is held between its receding and its advancing angle, also where the whole of it sways', () => {
    const shape = sphere([0, 0, 0], 1);
    const { begin, end } = settle(
      { shape, gravity: [0.5, 0, 0], contactAngle: { advancing: 120, receding: 60 } },
      0.2,
    );
    expect(Math.abs(end.line.radius / begin.line.radius - 1)).toBeLessThan(1e-9);
    expect(Math.abs(end.line.centre[0])).toBeLessThan(1e-9 + Math.abs(begin.line.centre[0]));
    // The liquid above does move.
    expect(end.centreOfMass![0] - begin.centreOfMass![0]).toBeGreaterThan(0.004);
  });
});

it('a plate that is driven upward presses as gravity does', () => {
  const [push, until] = [1.5, 0.5];
  const sink = (driven: boolean) => {
    const motion = {
      poseAt: (t: number) => ({
        rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1],
        translation: [0, 0, (push * t * t) / 2] as const,
      }),
      velocityAt: (t: number) => ({ linear: [0, 0, push * t] as const, angular: [0, 0, 0] as const }),
    };
    const plate = { name: 'plate', shape: box([-3, -3, -1], [3, 3, 1]), wall: 'slip' as const };
    const { model, state } = buildOnWalls(resources, {
      shape: sphere([0, 0, 1], 1),
      resolution: 0.45,
      contactAngle: 100,
      gravity: [0, 0, driven ? 0 : -push],
      height: 6,
      solids: [driven ? { ...plate, motion } : plate],
      options: { open: ['-x', '+x', '-y', '+y', '-z', '+z'] },
    });
    const begin = surface.measure(model, state);
    march(model, state, until);
    const end = surface.measure(model, state);
    const risen = driven ? (push * until ** 2) / 2 : 0;
    return {
      sunk: begin.centreOfMass![2] - end.centreOfMass![2] + risen,
      momentum: end.momentum![2] / (begin.volume! * push * until),
      volume: end.volume! / begin.volume! - 1,
    };
  };
  const [weighed, driven] = [sink(false), sink(true)];
  expect(weighed.sunk).toBeGreaterThan(0.03);
  expect(Math.abs(driven.sunk / weighed.sunk - 1)).toBeLessThan(0.04);
  // What the plate gave is what gravity gives and the floor takes.
  expect(Math.abs(driven.momentum - (1 + weighed.momentum))).toBeLessThan(0.03);
  expect(Math.abs(driven.volume)).toBeLessThan(1e-4);
});

describe('a cap put down at 8 degrees off its angle', () => {
  const cap = (angle: number, start: number) =>
    buildOnWalls(resources, {
      shape: sphere([0, 0, -Math.cos((start * Math.PI) / 180)], 1),
      resolution: 0.5,
      contactAngle: angle,
      options: { damping: 0.4 },
    });

  it.each([
    [60, 68],
    [120, 112],
  ])('comes to rest at %i degrees, and viscosity never gives it energy', (angle, start) => {
    const { model, state } = cap(angle, start);
    const { mesh } = state.tracker;
    const begin = measureLine(state).radius;
    const energies: number[] = [];
    march(model, state, 1.5, (report) => {
      const now = surface.measure(model, state, report);
      energies.push(now.kineticEnergy! + now.surfaceEnergy!);
    });
    for (let n = 1; n < energies.length; n++)
      expect(energies[n]).toBeLessThan(energies[n - 1] + 1e-4 * energies[0]);
    let height = 0;
    for (let v = 0; v < mesh.vertexFill; v++) height = Math.max(height, mesh.position[3 * v + 2]);
    const { radius } = measureLine(state);
    expect(Math.abs((360 / Math.PI) * Math.atan2(height, radius) - angle)).toBeLessThan(2.5);
    expect(Math.sign(radius - begin)).toBe(angle < 90 ? 1 : -1);
  });
});

describe('a drop that falls', () => {
  it('lands, wets the floor and is stopped by it', () => {
    const { model, state } = buildOnWalls(resources, {
      shape: sphere([0, 0, 1.02], 1),
      velocity: [0, 0, -1],
      resolution: 0.5,
      contactAngle: 120,
      options: { damping: 0.02 },
    });
    const { mesh } = state.tracker;
    const begin = surface.measure(model, state);
    expect(state.walls!.save().every((bits) => bits === 0)).toBe(true);
    let captured = 0;
    march(model, state, 0.5, ({ events }) => {
      captured += events['captured'] ?? 0;
    });
    const end = surface.measure(model, state);
    for (let v = 0; v < mesh.vertexFill; v++) expect(mesh.position[3 * v + 2]).toBeGreaterThan(-1e-12);
    expect(captured).toBeGreaterThan(3);
    expect(measureLine(state).radius).toBeGreaterThan(0.4);
    // Part of its momentum is the floor's by then; nothing of it is made.
    expect(end.momentum![2]).toBeGreaterThan(0.9 * begin.momentum![2]);
    expect(Math.abs(end.volume! / begin.volume! - 1)).toBeLessThan(1e-4);
    expect(surface.surface(model, state).mesh.vertexCount).toBe(mesh.vertexCount);
  });
});

it('a drop that meets a ball wets it and stays outside', () => {
  const ball = sphere([0, 0, 1.5], 1);
  const { model, state } = buildOnWalls(resources, {
    shape: sphere([0, 0, 3.42], 0.9),
    velocity: [0, 0, -1],
    resolution: 0.45,
    height: 6,
    solids: [{ name: 'ball', shape: ball, wall: 'slip' }],
    contactAngle: 100,
    options: { damping: 0.02 },
  });
  const { mesh } = state.tracker;
  const begin = surface.measure(model, state);
  march(model, state, 0.9);
  let wet = 0;
  for (let v = 0; v < mesh.vertexFill; v++) {
    const inside = ball.value(mesh.position[3 * v], mesh.position[3 * v + 1], mesh.position[3 * v + 2]);
    expect(inside).toBeLessThan(1e-9);
    if (state.walls!.bitsOf(v) === 0) continue;
    expect(Math.abs(inside)).toBeLessThan(1e-9);
    wet++;
  }
  expect(wet).toBeGreaterThan(5);
  const end = surface.measure(model, state);
  expect(end.momentum![2]).toBeGreaterThan(0.95 * begin.momentum![2]);
  expect(Math.abs(end.volume! / begin.volume! - 1)).toBeLessThan(1e-4);
});

describe('a tank', () => {
  const wave = (amplitude: number) =>
    buildOnWalls(resources, {
      shape: box([-0.5, -0.5, 0], [0.5, 0.5, 0.5 + amplitude]),
      half: 0.5,
      resolution: 0.2,
      tension: 1e-3,
      gravity: [0, 0, -1],
    });

  it('stands still where it is level', () => {
    const { model, state } = wave(0);
    march(model, state, 0.3);
    const { mesh } = state.tracker;
    // Eight corners, creases, faces: nothing has left its wall.
    let corners = 0;
    for (let v = 0; v < mesh.vertexFill; v++) {
      const at = [0, 1].filter((k) => Math.abs(Math.abs(mesh.position[3 * v + k]) - 0.5) < 1e-12).length;
      if (at === 2 && (mesh.position[3 * v + 2] === 0 || !state.walls!.isLine(v))) corners++;
    }
    expect(corners).toBeGreaterThanOrEqual(4);
    expect(state.maxSpeed).toBeLessThan(1e-6);
  });
});

it('a nozzle gives what it is told to', () => {
  const flow = 0.3;
  const { model, state } = buildOnWalls(resources, {
    resolution: 0.4,
    height: 10,
    emitters: [
      {
        name: 'tap',
        shape: sphere([0, 0, 6], 0.7),
        material: { name: 'any', density: 1, viscosity: 0, surfaceTension: 1 },
        direction: [0, 0, -1],
        flowAt: () => flow,
        emittedUntil: (time) => flow * time,
        shutFrom: Infinity,
      },
    ],
    options: { damping: 0.05 },
  });
  const begin = surface.measure(model, state);
  let emitted = 0;
  march(model, state, 0.3, ({ ledger }) => {
    emitted += ledger!.volume.emitted!;
  });
  const end = surface.measure(model, state);
  expect(emitted).toBeCloseTo(flow * 0.3, 9);
  expect(Math.abs((end.volume! - begin.volume!) / (flow * 0.3) - 1)).toBeLessThan(2e-3);
});

it('a drop that is pushed moves away from the finger, and dents', () => {
  const { model, state } = buildOnWalls(resources, {
    shape: sphere([0, 0, 3], 1),
    resolution: 0.5,
    height: 6,
  });
  const { mesh } = state.tracker;
  const face = 0;
  const [a] = mesh.face;
  const point = [...mesh.position.subarray(3 * a, 3 * a + 3)] as [number, number, number];
  const out = [point[0], point[1], point[2] - 3];
  surface.poke!(model, state, { face, point });
  const { momentum, mass } = surface.measure(model, state);
  const speed = out.reduce((sum, x, k) => sum + x * momentum![k], 0) / mass!;
  expect(speed).toBeLessThan(-0.05);
  march(model, state, 0.2);
  const after = surface.measure(model, state);
  expect(after.surfaceArea!).toBeGreaterThan(
    1.001 * 4 * Math.PI * ((after.volume! * 0.75) / Math.PI) ** (2 / 3),
  );
});
