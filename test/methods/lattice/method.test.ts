import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../../../src/core/types.ts';
import type { LiquidState } from '../../../src/flow/liquid/state.ts';
import { box, sphere } from '../../../src/geometry/shapes.ts';
import { lattice } from '../../../src/methods/lattice/lattice.ts';
import type { Diagnostics } from '../../../src/methods/method.ts';
import { countUnmatchedEdges } from '../../tracking/contours.ts';
import { type SceneParts, type Started, startScene } from './scenes.ts';

const g = 9.81;
const measure = ({ model, state }: Started) => lattice.measure(model, state) as Required<Diagnostics>;

/** Distances of the surface's vertices from a point, least and greatest. */
function radiusRange({ surface }: LiquidState, [x, y, z]: Vec3): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (let v = 0; v < 3 * surface.vertexCount; v += 3) {
    const r = Math.hypot(surface.position[v] - x, surface.position[v + 1] - y, surface.position[v + 2] - z);
    low = Math.min(low, r);
    high = Math.max(high, r);
  }
  return [low, high];
}

describe('a blob', () => {
  const R = 0.2;
  const domain: SceneParts['domain'] = [
    [0, 0, 0],
    [1, 0.8, 1.2],
  ];

  it('falls along the parabola and stays round', () => {
    const blob = startScene({
      domain,
      resolution: 0.08,
      gravity: [0, 0, -g],
      liquids: [sphere([0.5, 0.41, 0.9], R)],
    });
    const start = measure(blob);
    for (let n = 0; n < 20; n++) blob.step(0.0125);
    const end = measure(blob);
    const fallen = start.centreOfMass[2] - end.centreOfMass[2];
    expect(Math.abs(fallen / (0.5 * g * 0.25 ** 2) - 1)).toBeLessThan(0.005);
    expect(Math.abs(end.momentum[2] / (-1000 * end.volume * g * 0.25) - 1)).toBeLessThan(0.04);
    const [low, high] = radiusRange(blob.state, end.centreOfMass);
    expect(Math.max(R - low, high - R)).toBeLessThan(0.01 * R);
    expect(Math.abs(end.volume / start.volume - 1)).toBeLessThan(1e-3);
  });

  it('keeps its momentum, shape and course without gravity', () => {
    const velocity: Vec3 = [0.8, -0.3, 0.5];
    const blob = startScene({
      domain,
      resolution: 0.08,
      liquids: [{ shape: sphere([0.3, 0.45, 0.4], R), velocity }],
    });
    const start = measure(blob);
    for (let a = 0; a < 3; a++)
      expect(Math.abs(start.momentum[a] / (1000 * start.volume * velocity[a]) - 1)).toBeLessThan(0.05);
    for (let n = 0; n < 12; n++) blob.step(0.03);
    const end = measure(blob);
    for (let a = 0; a < 3; a++) {
      expect(Math.abs(end.momentum[a] - start.momentum[a])).toBeLessThan(0.01 * 1000 * start.volume);
      expect(end.centreOfMass[a] - start.centreOfMass[a]).toBeCloseTo(0.36 * velocity[a], 3);
    }
    expect(Math.abs(end.kineticEnergy / start.kineticEnergy - 1)).toBeLessThan(0.02);
    const [low, high] = radiusRange(blob.state, end.centreOfMass);
    expect(Math.max(R - low, high - R)).toBeLessThan(0.02 * R);
  });
});

describe('symmetry and scale', () => {
  /**
   * A drop thrown into a shallow pool: off-centre on purpose. `map` places and turns it, `s` scales lengths,
   * `tau` times.
   */
  function splash(
    map: (p: Vec3) => Vec3,
    turn: (p: Vec3) => Vec3,
    s = 1,
    tau = 1,
  ): Diagnostics & { centre: Vec3 } {
    const at = (p: Vec3) => map(p).map((x) => s * x) as unknown as Vec3;
    const between = (p: Vec3, q: Vec3): [Vec3, Vec3] => {
      const [a, b] = [at(p), at(q)];
      return [
        a.map((x, n) => Math.min(x, b[n])) as unknown as Vec3,
        a.map((x, n) => Math.max(x, b[n])) as unknown as Vec3,
      ];
    };
    const along = (v: Vec3, unit: number) => turn(v).map((x) => unit * x) as unknown as Vec3;
    const started = startScene({
      domain: between([0, 0, 0], [0.8, 0.6, 0.8]),
      resolution: 0.1 * s,
      gravity: along([0, 0, -g], s / tau ** 2),
      liquids: [
        box(...between([-1, -1, -1], [2, 2, 0.23])),
        { shape: sphere(at([0.33, 0.27, 0.47]), 0.16 * s), velocity: along([0.5, 0.2, -1], s / tau) },
      ],
    });
    for (let n = 0; n < 8; n++) started.step(0.02 * tau);
    const figures = measure(started);
    started.state.scope.free();
    return { ...figures, centre: figures.centreOfMass.map((x) => x / s) as unknown as Vec3 };
  }
  const same = (p: Vec3): Vec3 => p;
  const reference = splash(same, same);

  it('moves at all', () => {
    expect(reference.kineticEnergy! / (reference.volume! * 1000)).toBeGreaterThan(0.1);
  });

  it('gives the mirrored result for the mirrored scene', () => {
    const mirrored = splash(
      ([x, y, z]) => [0.8 - x, y, z],
      ([x, y, z]) => [-x, y, z],
    );
    expect(Math.abs(mirrored.centre[0] - (0.8 - reference.centre[0]))).toBeLessThan(5e-4);
    expect(Math.abs(mirrored.centre[1] - reference.centre[1])).toBeLessThan(5e-4);
    expect(Math.abs(mirrored.centre[2] - reference.centre[2])).toBeLessThan(5e-4);
    expect(Math.abs(mirrored.kineticEnergy! / reference.kineticEnergy! - 1)).toBeLessThan(0.03);
  });

  it('gives the turned result for the scene turned by 90 degrees', () => {
    // x -> y -> z -> x: up is now along x.
    const turned = splash(
      ([x, y, z]) => [z, x, y],
      ([x, y, z]) => [z, x, y],
    );
    expect(Math.abs(turned.centre[1] - reference.centre[0])).toBeLessThan(5e-4);
    expect(Math.abs(turned.centre[2] - reference.centre[1])).toBeLessThan(5e-4);
    expect(Math.abs(turned.centre[0] - reference.centre[2])).toBeLessThan(5e-4);
    expect(Math.abs(turned.kineticEnergy! / reference.kineticEnergy! - 1)).toBeLessThan(0.03);
  });

  it.each([
    [1024, 1],
    [1 / 1024, 1],
    [1 / 1024, 1 / 32],
  ])('knows no length or time of its own: x%f, time x%f', (s, tau) => {
    const scaled = splash(same, same, s, tau);
    // Powers of two scale without rounding, so that only a length or time hidden in the code could make a
    // difference.
    expect(scaled.volume! / s ** 3).toBe(reference.volume);
    expect(scaled.centre).toEqual(reference.centre);
    expect(((scaled.kineticEnergy! / s ** 5) * tau ** 2) / reference.kineticEnergy!).toBeCloseTo(1, 12);
    expect(scaled.tets).toBe(reference.tets);
  });

  it.each([1000, 1e-3])('gives nearly the same at a scale of %f, where rounding differs', (s) => {
    const scaled = splash(same, same, s, 1);
    expect(Math.abs(scaled.volume! / s ** 3 / reference.volume! - 1)).toBeLessThan(5e-3);
    for (let a = 0; a < 3; a++) expect(Math.abs(scaled.centre[a] - reference.centre[a])).toBeLessThan(2e-3);
    expect(Math.abs(scaled.kineticEnergy! / s ** 5 / reference.kineticEnergy! - 1)).toBeLessThan(0.08);
  });
});

describe('a drop onto a drowned ball', () => {
  it('keeps its volume, its mesh quality, and out of the ball', () => {
    const h = 0.1;
    const ball = sphere([0.62, 0.5, 0.15], 0.12);
    const started = startScene({
      domain: [
        [0, 0, 0],
        [1.2, 1, 1],
      ],
      resolution: h,
      gravity: [0, 0, -g],
      liquids: [
        box([-1, -1, -1], [3, 3, 0.33]),
        { shape: sphere([0.55, 0.5, 0.63], 0.18), velocity: [0, 0, -1.5] },
      ],
      solids: [ball],
    });
    const start = measure(started);
    let lost = 0;
    let worstAngles: [number, number] = [180, 0];
    let fastest = 0;
    for (let n = 0; n < 14; n++) {
      const report = started.step(Math.min(0.02, lattice.stableTimeStep(started.model, started.state)));
      expect(report.solver['pressure'].converged).toBe(true);
      lost += report.events['droplets'];
      const now = measure(started);
      worstAngles = [Math.min(worstAngles[0], now.minDihedral), Math.max(worstAngles[1], now.maxDihedral)];
      fastest = Math.max(fastest, now.maxSpeed);
      const { surface, mesh } = started.state;
      expect(countUnmatchedEdges(surface)).toBe(0);
      const deepest = (position: Float64Array) => {
        let most = 0;
        for (let v = 0; v < position.length; v += 3)
          most = Math.max(most, ball.value(position[v], position[v + 1], position[v + 2]));
        return most;
      };
      expect(deepest(surface.position)).toBeLessThan((0.5 * h) ** 2 / (4 * 0.12));
      expect(deepest(mesh.position)).toBeLessThan(1e-3 * h);
      const { volume } = started.state.derived.geometry;
      expect(volume.reduce((least, v) => Math.min(least, v), 1)).toBeGreaterThan(0);
    }
    const end = measure(started);
    expect(Math.abs(end.volume / start.volume - 1)).toBeLessThan(0.01);
    expect(fastest).toBeGreaterThan(1);
    expect(lost).toBeLessThanOrEqual(3);
    // Snapping onto the ball may bend tets beyond the mesher's own [10.7, 164.8].
    expect(worstAngles[0]).toBeGreaterThan(5);
    expect(worstAngles[1]).toBeLessThan(172);
  });
});

describe('bad input', () => {
  const domain: SceneParts['domain'] = [
    [0, 0, 0],
    [1, 1, 1],
  ];
  it.each([
    [
      'outside the domain',
      [sphere([3, 3, 3], 0.2)],
      /no liquid is left inside the domain at a resolution of 0\.1 m/,
    ],
    ['inside a solid', [sphere([0.5, 0.5, 0.5], 0.1)], /no liquid is left/],
    ['smaller than a contouring cell', [sphere([0.231, 0.232, 0.233], 0.01)], /no liquid is left/],
    ['thinner than the lattice', [sphere([0.1, 0.1, 0.1], 0.03)], /thinner than the lattice cells of 0\.1 m/],
  ])('liquid %s is refused with the number and a remedy', (_name, liquids, message) => {
    expect(() =>
      startScene({ domain, resolution: 0.1, liquids, solids: [sphere([0.5, 0.5, 0.5], 0.2)] }),
    ).toThrow(message);
  });

  it('refuses two densities', () => {
    expect(() =>
      startScene({
        domain,
        resolution: 0.1,
        liquids: [
          sphere([0.3, 0.3, 0.3], 0.2),
          { shape: sphere([0.7, 0.7, 0.7], 0.2), velocity: [0, 0, 0], density: 800 },
        ],
      }),
    ).toThrow(/1000 and 800 kg/);
  });
});
