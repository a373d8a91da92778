import { describe, expect, it } from 'vitest';
import type { HeapScope } from '../../../src/core/heap.ts';
import { createRandom } from '../../../src/core/random.ts';
import type { Vec3 } from '../../../src/core/types.ts';
import { classifyFaces } from '../../../src/flow/boundary/conditions.ts';
import { AREA } from '../../../src/flow/mesh/face-geometry.ts';
import {
  assemblePressure,
  computeCellVelocity,
  FREE,
  measureDivergence,
  ON_SURFACE,
  WALL,
} from '../../../src/flow/pressure/pressure.ts';
import { project } from '../../../src/flow/pressure/projection.ts';
import { box, sphere } from '../../../src/geometry/shapes.ts';
import { computeResidual } from '../../../src/linalg/csr.ts';
import { lattice } from '../../../src/methods/lattice/lattice.ts';
import {
  faceCentre,
  heap,
  type Started,
  sampleOnFaces,
  startPool,
  startScene,
  threads,
} from '../../methods/lattice/scenes.ts';

/** The corners of a room from the origin on. */
const roomTo = (...high: Vec3): [Vec3, Vec3] => [[0, 0, 0], high];

const partsOf = ({ state }: Started) => ({
  mesh: state.mesh,
  topology: state.derived.topology,
  geometry: state.derived.geometry,
});
const classify = (started: Started, scope: HeapScope) => {
  const { surroundings, surfaceIndex } = started.state.derived;
  return classifyFaces(started.model, surroundings, partsOf(started), surfaceIndex, scope);
};
const projectFaces = (
  started: Started,
  conditions: ReturnType<typeof classify>,
  velocity: Float64Array,
  scope: HeapScope,
) => project(started.model, partsOf(started), conditions, velocity, scope, scope);
/** The system for the faces' velocities; the cells' are left in `outCell`. */
const assemble = (
  started: Started,
  conditions: ReturnType<typeof classify>,
  velocity: Float64Array,
  outCell: Float64Array,
  scope: HeapScope,
) => {
  const { mesh, topology, geometry } = partsOf(started);
  computeCellVelocity(mesh, topology, geometry, velocity, threads, outCell);
  return assemblePressure(topology, geometry, conditions, outCell, threads, scope);
};
const divergenceOf = (started: Started, faceVelocity: Float64Array) => {
  const { mesh, topology, geometry } = partsOf(started);
  return measureDivergence(mesh, topology, geometry, faceVelocity);
};

function randomFaces(started: Started, seed: number): Float64Array {
  const random = createRandom(seed);
  return sampleOnFaces(started.state, () => [0, 0, 0]).map(() => 2 * random.next() - 1);
}

describe('a pool at rest', () => {
  const g: Vec3 = [0, 0, -9.81];

  it.each([0.37, 0.412, 0.5, 0.56])('of height %f stays at rest', (height) => {
    const pool = startPool({
      size: [0.6, 0.5, 0.8],
      level: [0, 0, height],
      gravity: g,
      options: { pressureTolerance: 1e-10 },
    });
    const { solver } = pool.step(0.02);
    expect(solver['pressure'].converged).toBe(true);
    const { maxSpeed, volume } = lattice.measure(pool.model, pool.state);
    expect(maxSpeed).toBeLessThan(1e-6 * Math.sqrt(9.81 * height));
    expect(volume).toBeCloseTo(0.6 * 0.5 * height, 9);
    // It is held up by a pressure, not by a lack of gravity.
    const deepest = Math.max(...pool.state.facePressure.map(Math.abs));
    expect(deepest / (0.02 * 9.81 * height)).toBeCloseTo(1, 1);
  });

  it('a hair above a lattice plane moves by no more than the hair allows', () => {
    const height = 0.5001;
    const pool = startPool({
      size: [0.6, 0.5, 0.8],
      level: [0, 0, height],
      gravity: g,
      options: { pressureTolerance: 1e-10 },
    });
    pool.step(0.02);
    const { maxSpeed } = lattice.measure(pool.model, pool.state);
    // Faces that near to the surface count as on it (ON_SURFACE).
    expect(maxSpeed).toBeLessThan(0.3 * ON_SURFACE * Math.sqrt(9.81 * height));
  });

  it('with a graded interior stays at rest', () => {
    const pool = startPool({
      size: [1.6, 1.6, 1.6],
      level: [0, 0, 1.53],
      gravity: g,
      options: { interiorLevels: 3, pressureTolerance: 1e-10 },
    });
    pool.step(0.02);
    const levels = new Set(pool.state.mesh.tetLevel);
    expect(levels).toEqual(new Set([0, 1, 2]));
    const { maxSpeed } = lattice.measure(pool.model, pool.state);
    expect(maxSpeed).toBeLessThan(1e-6 * Math.sqrt(9.81 * 1.53));
  });

  it('stays at rest around obstacles, drowned and standing out', () => {
    for (const solid of [sphere([0.5, 0.4, 0.2], 0.17), box([0.32, 0.31, -1], [0.57, 0.52, 2])]) {
      const pool = startPool({
        size: [1, 0.8, 0.7],
        level: [0, 0, 0.43],
        gravity: g,
        solids: [solid],
        options: { pressureTolerance: 1e-10 },
      });
      for (let n = 0; n < 3; n++) pool.step(0.02);
      const { maxSpeed } = lattice.measure(pool.model, pool.state);
      expect(maxSpeed).toBeLessThan(1e-6 * Math.sqrt(9.81 * 0.43));
    }
  });

  it('stays at rest under tilted gravity', () => {
    const tilted: Vec3 = [1.3, -0.9, -9.5];
    const pool = startPool({
      size: [1, 0.8, 1],
      level: [0.5, 0.4, 0.45],
      gravity: tilted,
      options: { pressureTolerance: 1e-10 },
    });
    for (let n = 0; n < 5; n++) pool.step(0.02);
    const { maxSpeed, volume } = lattice.measure(pool.model, pool.state);
    // Falling freely for one step would give 0.09 sqrt(gH).
    expect(maxSpeed).toBeLessThan(1e-6 * Math.sqrt(9.81 * 0.45));
    expect(volume).toBeCloseTo(0.36, 6);
  });
});

describe('projection', () => {
  const ball = startScene({
    domain: roomTo(1, 1, 1),
    resolution: 0.1,
    liquids: [sphere([0.5, 0.51, 0.49], 0.37)],
    options: { pressureTolerance: 1e-8 },
  });

  it('reduces the divergence of random velocities below 1e-6 at tolerance 1e-8, and is idempotent', () => {
    const scope = heap.scope('test projection');
    const conditions = classify(ball, scope);
    const velocity = randomFaces(ball, 2);
    const before = divergenceOf(ball, velocity);
    const { report } = projectFaces(ball, conditions, velocity, scope);
    expect(report.converged).toBe(true);
    expect(report.residual).toBeLessThan(1e-8);
    expect(divergenceOf(ball, velocity)).toBeLessThan(1e-6 * before);
    const once = velocity.slice();
    expect(Math.max(...once.map(Math.abs))).toBeGreaterThan(0.1);
    projectFaces(ball, conditions, velocity, scope);
    const change = Math.max(...velocity.map((u, f) => Math.abs(u - once[f])));
    expect(change).toBeLessThan(1e-6);
  });

  it('assembles the symmetric positive definite matrix of the variational form', () => {
    const small = startScene({
      domain: roomTo(0.5, 0.4, 0.4),
      resolution: 0.1,
      gravity: [0, 0, -1],
      liquids: [sphere([0.2, 0.2, 0.1], 0.17)],
    });
    const { mesh, topology, geometry } = partsOf(small);
    const scope = heap.scope('test matrix');
    const conditions = classify(small, scope);
    const cell = scope.f64(3 * mesh.tetCount);
    const system = assemble(small, conditions, randomFaces(small, 3), cell, scope);
    const { matrix, right, faceToUnknown } = system;
    const n = matrix.rowCount;
    const kinds = new Set(conditions.kind);
    expect(kinds).toEqual(new Set([0, FREE, WALL]));
    const dense = new Float64Array(n * n);
    const load = new Float64Array(n);
    for (let t = 0; t < mesh.tetCount; t++)
      for (let i = 0; i < 4; i++) {
        const f = topology.tetToFace[4 * t + i];
        const u = faceToUnknown[f];
        if (u < 0) continue;
        const si = topology.faceToTet[2 * f] === t ? 1 : -1;
        if (conditions.kind[f] !== FREE)
          for (let a = 0; a < 3; a++)
            load[u] += si * geometry.form[geometry.faceForm[f] + a] * cell[3 * t + a];
        for (let j = 0; j < 4; j++) {
          const e = topology.tetToFace[4 * t + j];
          if (faceToUnknown[e] < 0) continue;
          const sj = topology.faceToTet[2 * e] === t ? 1 : -1;
          let dot = 0;
          for (let a = 0; a < 3; a++)
            dot += geometry.form[geometry.faceForm[f] + a] * geometry.form[geometry.faceForm[e] + a];
          dense[n * u + faceToUnknown[e]] += (si * sj * dot) / geometry.volume[t];
        }
      }
    let robin = 0;
    for (let f = 0; f < topology.faceCount; f++) {
      const u = faceToUnknown[f];
      if (conditions.kind[f] !== FREE || u < 0) continue;
      expect(conditions.depth[f]).toBeGreaterThan(
        ON_SURFACE * Math.sqrt(geometry.form[geometry.faceForm[f] + AREA]),
      );
      dense[n * u + u] += geometry.form[geometry.faceForm[f] + AREA] / conditions.depth[f];
      robin++;
    }
    expect(robin).toBeGreaterThan(10);
    const scale = dense.reduce((most, x) => Math.max(most, x), 0);
    for (let r = 0; r < n; r++) {
      const row = new Float64Array(n);
      for (let e = matrix.rowStart[r]; e < matrix.rowStart[r + 1]; e++)
        row[matrix.column[e]] += matrix.value[e];
      expect(matrix.column[matrix.diagonal[r]]).toBe(r);
      for (let c = 0; c < n; c++)
        if (Math.abs(row[c] - dense[n * r + c]) > 1e-12 * scale) expect([r, c]).toBe('equal');
      expect(Math.abs(right[r] - load[r])).toBeLessThan(1e-12);
    }
    // Cholesky of the dense twin finishes with positive pivots.
    let least = Number.POSITIVE_INFINITY;
    for (let c = 0; c < n; c++) {
      for (let k = 0; k < c; k++) dense[n * c + c] -= dense[n * c + k] ** 2;
      least = Math.min(least, dense[n * c + c]);
      const pivot = Math.sqrt(dense[n * c + c]);
      dense[n * c + c] = pivot;
      for (let r = c + 1; r < n; r++) {
        let sum = dense[n * r + c];
        for (let k = 0; k < c; k++) sum -= dense[n * r + k] * dense[n * c + k];
        dense[n * r + c] = sum / pivot;
      }
    }
    expect(least).toBeGreaterThan(0);
  });

  it('solves a closed full vessel, and in two chambers at once', () => {
    const vessel = startScene({
      domain: roomTo(1, 0.4, 0.4),
      resolution: 0.1,
      gravity: [0, -3, -9],
      liquids: [box([-1, -1, -1], [2, 2, 2])],
      solids: [box([0.43, -1, -1], [0.58, 2, 2])],
      options: { pressureTolerance: 1e-10 },
    });
    expect(vessel.state.faceKind).not.toContain(FREE);
    const { solver } = vessel.step(0.05);
    expect(solver['pressure'].converged).toBe(true);
    const { maxSpeed } = lattice.measure(vessel.model, vessel.state);
    expect(maxSpeed).toBeLessThan(1e-7);
    const scope = heap.scope('test vessel');
    const velocity = randomFaces(vessel, 4);
    const before = divergenceOf(vessel, velocity);
    const conditions = classify(vessel, scope);
    const { report } = projectFaces(vessel, conditions, velocity, scope);
    expect(report.converged).toBe(true);
    expect(divergenceOf(vessel, velocity)).toBeLessThan(1e-6 * before);
    expect(Math.max(...velocity.map(Math.abs))).toBeGreaterThan(0.1);
  });

  it('reports a residual that the system confirms', () => {
    const scope = heap.scope('test residual');
    const conditions = classify(ball, scope);
    const velocity = randomFaces(ball, 5);
    const cell = scope.f64(3 * partsOf(ball).mesh.tetCount);
    const { matrix, right, unknownToFace } = assemble(ball, conditions, velocity, cell, scope);
    const { facePressure, report } = projectFaces(ball, conditions, velocity, scope);
    const x = scope.f64(matrix.rowCount);
    for (let u = 0; u < matrix.rowCount; u++) x[u] = facePressure[unknownToFace[u]];
    const residual = scope.f64(matrix.rowCount);
    computeResidual(threads, matrix, x, right, residual);
    const ratio = Math.hypot(...residual) / Math.hypot(...right);
    expect(ratio).toBeLessThan(1e-8);
    expect(Math.abs(ratio / report.residual - 1)).toBeLessThan(1e-3);
  });

  it('solves Poisson in a ball to second order; the depth of the surface is what makes it accurate', () => {
    const R = 0.37;
    const c = 0.503;
    const errorAt = (h: number, withDepth: boolean) => {
      const started = startScene({
        domain: roomTo(1, 1, 1),
        resolution: h,
        liquids: [sphere([c, c, c], R)],
        options: { pressureTolerance: 1e-9, interiorLevels: 0 },
      });
      const scope = heap.scope('test ball');
      const conditions = classify(started, scope);
      if (!withDepth) conditions.depth.fill(0);
      // The field x has divergence 3: q = (r^2 - R^2) / 2, and nothing is left of it.
      const velocity = sampleOnFaces(started.state, (x, y, z) => [x - c, y - c, z - c]);
      const { facePressure } = projectFaces(started, conditions, velocity, scope);
      let sum = 0;
      for (let f = 0; f < facePressure.length; f++) {
        const [x, y, z] = faceCentre(started.state, f);
        sum += (facePressure[f] - ((x - c) ** 2 + (y - c) ** 2 + (z - c) ** 2 - R * R) / 2) ** 2;
      }
      started.state.scope.free();
      scope.free();
      return Math.sqrt(sum / facePressure.length);
    };
    const coarse = errorAt(0.1, true);
    const fine = errorAt(0.05, true);
    expect(coarse).toBeLessThan(3e-4);
    expect(Math.log2(coarse / fine)).toBeGreaterThan(1.8);
    expect(errorAt(0.1, false)).toBeGreaterThan(5 * coarse);
  });
});
