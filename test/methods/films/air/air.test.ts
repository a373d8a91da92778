import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/core/random.ts';
import { measureKineticEnergy, move, updateGradients } from '../../../../src/methods/films/air/air.ts';
import { integrate } from '../../../../src/methods/films/air/integrate.ts';
import { measureMomentum, restoreMomentum } from '../../../../src/methods/films/conservation/momentum.ts';
import { buildRevolution } from '../../../../src/methods/films/start/revolution.ts';
import { buildSpheres } from '../../../../src/tracking/multimaterial/shapes.ts';
import { buildMode, createTestAir, measureMode, unit } from '../sheets.ts';

const frequency = (n: number) => Math.sqrt(((n - 1) * n * (n + 1) * (n + 2)) / (2 * n + 1));

/**
 * Time of the first two zeros of mode n, which are half a period apart, as a frequency; and the greatest
 * swing back.
 */
function swing(levels: number, n: number, scheme: 'leapfrog' | 'runge-kutta' | 'symplectic-euler') {
  const amplitude = 0.01;
  const air = createTestAir(buildMode(levels, n, amplitude));
  const dt = 0.35 * Math.sqrt((2.4 / 2 ** levels) ** 3 / 8);
  const zeros: number[] = [];
  let last = amplitude;
  let least = 0;
  for (let t = 0; zeros.length < 2; t += dt) {
    integrate(air, scheme, dt);
    const now = measureMode(air, n);
    if (now * last < 0) zeros.push(t + dt - (dt * now) / (now - last));
    least = Math.min(least, now);
    last = now;
    if (t > 10) throw new Error('the bubble does not swing');
  }
  return { omega: Math.PI / (zeros[1] - zeros[0]), back: -least / amplitude };
}

/**
 * A sphere of which two faces that share an edge are folded onto each other: their far corners meet over its
 * middle, a height apart along the normal.
 */
function buildFolded() {
  const surface = buildSpheres([{ levels: 3 }]);
  const { position: p } = surface;
  const t = Array.from(surface.triangle);
  const [a, b, c] = t;
  const other = Array.from({ length: t.length / 3 - 1 }, (_, f) => t.slice(3 * f + 3, 3 * f + 6)).find(
    (face) => face.includes(a) && face.includes(b),
  )!;
  const d = other.find((v) => v !== a && v !== b)!;
  const fold = (height: number) => {
    const position = Float64Array.from(p);
    for (let k = 0; k < 3; k++) {
      const middle = 0.5 * (p[3 * a + k] + p[3 * b + k]);
      const place = middle + 0.3 * (p[3 * c + k] - middle);
      position[3 * c + k] = place;
      position[3 * d + k] = place + height * middle;
    }
    return position;
  };
  return { surface, fold };
}

describe('the way of a vertex in a step', () => {
  it.each(['leapfrog', 'runge-kutta', 'symplectic-euler'] as const)('%s keeps its bound', (scheme) => {
    const measureWay = (longest: number) => {
      const air = createTestAir(buildMode(2, 2, 0.3));
      const from = air.sheet.position.slice();
      const { stopped } = integrate(air, scheme, 0.05, longest);
      let way = 0;
      for (let n = 0; n < from.length; n += 3)
        way = Math.max(way, Math.hypot(...[0, 1, 2].map((k) => air.sheet.position[n + k] - from[n + k])));
      return { way, stopped };
    };
    const free = measureWay(Infinity);
    expect(free.stopped).toBe(0);
    const held = measureWay(free.way / 2);
    expect(held.stopped).toBeGreaterThan(0);
    expect(held.way).toBeLessThanOrEqual((free.way / 2) * (1 + 1e-9));
    expect(held.way).toBeGreaterThan(0.4 * free.way);
    expect(measureWay(2 * free.way)).toEqual(free);
  });
});

describe('air around films', () => {
  it('Laplace pressure of a bubble: 2 sigma_f / R, converging', () => {
    const miss = [2, 3].map((levels) => {
      const air = createTestAir(buildSpheres([{ levels, radius: 1 }]));
      updateGradients(air);
      // Vertices of five and six faces scatter about the mean; in balance they move by a hair instead.
      let mean = 0;
      for (let v = 0; v < air.sheet.vertexCount; v++)
        mean += (air.pressure[2 * v + 1] - air.pressure[2 * v]) / (2 * air.sheet.vertexCount);
      return Math.abs(mean - 1);
    });
    expect(miss[1]).toBeLessThan(0.01);
    expect(miss[1]).toBeLessThan(0.35 * miss[0]);
  });

  it('Gamma = c cos(theta) on a sphere moves it as a body, with the momentum and energy of the formula', () => {
    const air = createTestAir(buildSpheres([{ levels: 3 }]));
    updateGradients(air);
    const { sheet } = air;
    for (let v = 0; v < sheet.vertexCount; v++)
      sheet.potential[sheet.entryStart[v] + 1] = sheet.position[3 * v + 2];
    move(air);
    // Inside u = a z, outside the dipole that matches it: jump of potential 3/2 a z, so a = 2/3.
    for (let v = 0; v < sheet.vertexCount; v++) {
      const n = [0, 1, 2].map((k) => sheet.position[3 * v + k]);
      const normal =
        n[0] * air.velocity[3 * v] + n[1] * air.velocity[3 * v + 1] + n[2] * air.velocity[3 * v + 2];
      expect(Math.abs(normal - (2 / 3) * n[2])).toBeLessThan(0.02);
    }
    // rho int Gamma n = 4/3 pi; energy rho/2 int Gamma u.n = 4/9 pi.
    expect(Math.abs(measureMomentum(air)[2] / ((4 / 3) * Math.PI) - 1)).toBeLessThan(0.02);
    expect(Math.abs(measureKineticEnergy(air) / ((4 / 9) * Math.PI) - 1)).toBeLessThan(0.02);
  });

  it('a film folded up around a vertex, where no volume changes as that goes, has no pressure out of all measure', () => {
    const sphere = buildSpheres([{ levels: 2 }]);
    const [position, triangle, label] = [sphere.position, sphere.triangle, sphere.label].map((a) =>
      Array.from(a),
    );
    // The edge a b of the first face gets a middle m on one side, and between m and the edge three faces
    // around a vertex n that add up to nothing.
    const [a, b, c] = [triangle[0], triangle[1], triangle[2]];
    const m = position.length / 3;
    const n = m + 1;
    const half = [0, 1, 2].map((k) => (position[3 * a + k] + position[3 * b + k]) / 2);
    const air = createTestAir({
      position: Float64Array.from([...position, ...half, ...half.map((x) => 1.3 * x)]),
      triangle: Int32Array.from([...triangle.slice(3), a, m, c, m, b, c, b, m, n, m, a, n, a, b, n]),
      label: Int32Array.from([
        ...label.slice(2),
        ...Array.from({ length: 5 }, () => [label[0], label[1]]).flat(),
      ]),
    });
    updateGradients(air);
    const { sheet, pressure } = air;
    expect(pressure.every((p) => Math.abs(p) < 100)).toBe(true);
    for (let i = 0; i < sheet.entryCount; i++) sheet.potential[i] -= 0.01 * pressure[i];
    move(air);
    expect(air.velocity.every((u) => Math.abs(u) < 100)).toBe(true);
  });

  it.each([0, 1e-19, 1e-9, 1e-4])('films folded onto each other, %d apart, make no energy', (gap) => {
    // Two vertices of a bubble next to each other are drawn to the edge that their faces share, and past it:
    // the faces lie on each other.
    const { surface, fold } = buildFolded();
    const measure = (height: number) => {
      const air = createTestAir({ ...surface, position: fold(height) });
      updateGradients(air);
      const { sheet } = air;
      for (let v = 0; v < sheet.vertexCount; v++)
        for (let n = sheet.entryStart[v]; n < sheet.entryStart[v + 1]; n++)
          sheet.potential[n] = sheet.entryRegion[n] === 0 ? 0 : Math.sin(5 * sheet.position[3 * v]);
      move(air);
      return measureKineticEnergy(air);
    };
    const [folded, near] = [measure(gap), measure(0.01)];
    expect(folded).toBeGreaterThan(0);
    expect(Math.abs(folded / near - 1)).toBeLessThan(0.02);
  });

  it('air is given the momentum it is meant to have by a uniform impulse, far from the origin too', () => {
    const surface = buildRevolution(doubleBubble(1), [0, 0, 0], 0.35);
    const position = Float64Array.from(surface.position, (x) => x + 1000);
    const air = createTestAir({ ...surface, position });
    const { sheet } = air;
    const random = createRandom(4);
    for (let n = 0; n < sheet.entryCount; n++) sheet.potential[n] = random.next();
    updateGradients(air);
    move(air);
    const before = measureKineticEnergy(air);
    const had = measureMomentum(air);
    expect(Math.hypot(...had)).toBeGreaterThan(0.01);
    restoreMomentum(air, [0.3, -0.2, 0.1]);
    measureMomentum(air).forEach((p, k) => {
      expect(Math.abs(p - [0.3, -0.2, 0.1][k])).toBeLessThan(1e-9);
    });
    // Nothing is missing: nothing changes.
    restoreMomentum(air, had);
    move(air);
    expect(Math.abs(measureKineticEnergy(air) / before - 1)).toBeLessThan(1e-9);
  });

  it('fluxes out of every closed region vanish, and energy is half of potential times flux', () => {
    const air = createTestAir(buildRevolution(doubleBubble(1), [0, 0, 0], 0.35));
    updateGradients(air);
    const { sheet } = air;
    const random = createRandom(3);
    for (let n = 0; n < sheet.entryCount; n++) sheet.potential[n] = random.next();
    move(air);
    const sums = new Map<number, number>();
    let energy = 0;
    let size = 0;
    for (let n = 0; n < sheet.entryCount; n++) {
      const region = sheet.entryRegion[n];
      sums.set(region, (sums.get(region) ?? 0) + air.flux[n]);
      energy += 0.5 * sheet.potential[n] * air.flux[n];
      size += Math.abs(air.flux[n]);
    }
    expect(size).toBeGreaterThan(0.1);
    for (const sum of sums.values()) expect(Math.abs(sum)).toBeLessThan(1e-12 * size);
    expect(measureKineticEnergy(air)).toBeCloseTo(energy, 10);
    expect(energy).toBeGreaterThan(0);
  });

  it('a double bubble at rest balances on films and on its triple curve', () => {
    const spread = [0.3, 0.15].map((edge) => {
      const air = createTestAir(buildRevolution(doubleBubble(1), [0, 0, 0], edge));
      updateGradients(air);
      const { sheet, pressure } = air;
      let onCurve = 0;
      let count = 0;
      for (let v = 0; v < sheet.vertexCount; v++) {
        const n = sheet.entryStart[v];
        if (sheet.entryStart[v + 1] - n !== 3) continue;
        // Both bubbles against the outside: 2 sigma / R each; nothing between them.
        onCurve += pressure[n + 1] - pressure[n];
        onCurve += pressure[n + 2] - pressure[n];
        count += 2;
      }
      return Math.abs(onCurve / count / 2 - 1);
    });
    expect(spread[1]).toBeLessThan(0.1);
    expect(spread[1]).toBeLessThan(0.75 * spread[0]);
  });

  it('bubbles swing at the frequency of the formula, closer on finer meshes, and come all the way back', () => {
    for (const n of [2, 3]) {
      const coarse = swing(2, n, 'leapfrog');
      const fine = swing(3, n, 'leapfrog');
      const miss = (omega: number) => Math.abs(omega / frequency(n) - 1);
      expect(miss(fine.omega)).toBeLessThan(0.025);
      expect(miss(fine.omega)).toBeLessThan(0.5 * miss(coarse.omega));
      expect(fine.back).toBeGreaterThan(0.98);
    }
  });

  it('all integrators agree on the frequency', () => {
    const truth = swing(2, 2, 'leapfrog').omega;
    for (const scheme of ['symplectic-euler', 'runge-kutta'] as const)
      expect(Math.abs(swing(2, 2, scheme).omega / truth - 1)).toBeLessThan(0.005);
  });

  it('damping takes energy away, none gives it', () => {
    const run = (damping: number, drag: number) => {
      const air = createTestAir(buildMode(2, 2, 0.05), { ...unit, damping, drag });
      for (let n = 0; n < 60; n++) integrate(air, 'leapfrog', 0.012);
      updateGradients(air);
      move(air);
      return measureKineticEnergy(air);
    };
    const free = run(0, 0);
    expect(run(0.2, 0)).toBeLessThan(0.9 * free);
    expect(run(0, 1)).toBeLessThan(0.7 * free);
  });
});

/** Equal double bubble of cap radius R about the z axis: caps meet a flat disk at 120 degrees. */
function doubleBubble(radius: number) {
  const arc = (from: number, to: number, sign: number) =>
    Array.from({ length: 41 }, (_, n) => {
      const angle = from + ((to - from) * n) / 40;
      const r = n === 0 && from === 0 ? 0 : radius * Math.sin(angle);
      return [r, sign * (radius / 2 + radius * Math.cos(angle))] as [number, number];
    });
  const rim = (2 * Math.PI) / 3;
  const upper = arc(0, rim, 1);
  const lower = arc(0, rim, -1).reverse();
  upper[40] = [radius * Math.sin(rim), 0];
  lower[0] = [radius * Math.sin(rim), 0];
  return [
    { profile: upper, left: 0, right: 1 },
    { profile: lower, left: 0, right: 2 },
    { profile: [upper[40], [0, 0] as [number, number]], left: 2, right: 1 },
  ];
}
