/** Wires and rims: air that goes with a wire, what a wire holds, and a film on a ring against the formula. */
import { describe, expect, it } from 'vitest';
import { buildFilms, march } from '../../../../cases/films/march.ts';
import { ringOptions } from '../../../../cases/films/rings.ts';
import { createHeap } from '../../../../src/core/heap.ts';
import { createRandom } from '../../../../src/core/random.ts';
import { createSingleThread } from '../../../../src/core/threads/single.ts';
import { type HeldVertices, move, updateGradients } from '../../../../src/methods/films/air/air.ts';
import type { FilmsState } from '../../../../src/methods/films/state.ts';
import { ON_WIRE, RIDING } from '../../../../src/methods/films/wires/wires.ts';
import { buildDoubleSphere, buildSpheres } from '../../../../src/tracking/multimaterial/shapes.ts';
import { createTestAir } from '../sheets.ts';

const resources = () => ({ heap: createHeap(), threads: createSingleThread() });

describe('air at wires', () => {
  const bubble = buildSpheres([{ levels: 3 }]);
  const double = buildDoubleSphere({ centre: [0, 0, 0], radius: 1, distance: 1, edge: 0.35 });
  it.each([
    ['around a bubble', bubble, 2],
    ['along the curve of a double bubble', double, 3],
  ])(
    '%s: the flux of every region at a held vertex is the wire’s, whatever the air does',
    (_, surface, regionCount) => {
      const air = createTestAir(surface);
      const { sheet, gradients, flux } = air;
      const random = createRandom(5);
      for (let n = 0; n < sheet.entryCount; n++) sheet.potential[n] = 0.3 * random.next();
      updateGradients(air);
      const vertex: number[] = [];
      for (let v = 0; v < sheet.vertexCount; v++) {
        const regions = sheet.entryStart[v + 1] - sheet.entryStart[v];
        if (regions === regionCount && (regions === 3 || Math.abs(sheet.position[3 * v + 2]) < 1e-9))
          vertex.push(v);
      }
      expect(vertex.length).toBeGreaterThan(10);
      // A wire that goes along and turns.
      const velocity = vertex.flatMap((v) => [
        0.3,
        -0.2 - sheet.position[3 * v + 2],
        sheet.position[3 * v + 1],
      ]);
      const measureMiss = () => {
        let miss = 0;
        vertex.forEach((v, w) => {
          for (let e = sheet.entryStart[v]; e < sheet.entryStart[v + 1]; e++) {
            let wanted = 0;
            for (let k = 0; k < 3; k++) wanted += gradients.volumeGradient[3 * e + k] * velocity[3 * w + k];
            miss += (flux[e] - wanted) ** 2;
          }
        });
        return Math.sqrt(miss);
      };
      move(air);
      const free = measureMiss();
      const before = sheet.potential.slice();
      const hold: HeldVertices = {
        vertex: Int32Array.from(vertex),
        velocity: Float64Array.from(velocity),
        wired: Int32Array.from(vertex, (_, n) => n),
      };
      air.hold = hold;
      move(air);
      expect(free).toBeGreaterThan(0.01);
      expect(measureMiss()).toBeLessThan(2e-3 * free);
      vertex.forEach((v, w) => {
        for (let k = 0; k < 3; k++) expect(air.velocity[3 * v + k]).toBe(velocity[3 * w + k]);
      });
      // Potentials change at the wire alone.
      const isHeld = new Set(vertex);
      for (let v = 0; v < sheet.vertexCount; v++)
        for (let e = sheet.entryStart[v]; e < sheet.entryStart[v + 1]; e++)
          if (!isHeld.has(v)) expect(sheet.potential[e]).toBe(before[e]);
    },
  );
});

/** A film of this height over a ring of radius 1, and the roof of ghosts that closes it. */
function ringFilm(height: (r: number) => number, motion?: Record<string, unknown>) {
  const points = 20;
  const sheet = (profile: readonly (readonly number[])[], left: number, right: number) => ({
    profile,
    left,
    right,
  });
  const film = Array.from({ length: points + 1 }, (_, n) => [1 - n / points, height(1 - n / points)]);
  const roof = (tip: number) => [
    [1, 0],
    [0, tip],
  ];
  return {
    start: [
      { type: 'revolution', sheets: [sheet(film, 0, 1), sheet(roof(0.6), 1, 2), sheet(roof(1.2), 2, 0)] },
    ],
    openings: [2],
    wires: [{ type: 'ring', centre: [0, 0, 0], axis: [0, 0, 1], radius: 1, ...(motion && { motion }) }],
  };
}

/** Vertices of the film alone. */
function listFilm({ tracker }: FilmsState): Set<number> {
  const { mesh } = tracker;
  const found = new Set<number>();
  for (let f = 0; f < mesh.faceFill; f++)
    if (mesh.isFace(f) && mesh.label[2 * f] !== 2 && mesh.label[2 * f + 1] !== 2)
      for (let i = 0; i < 3; i++) found.add(mesh.face[3 * f + i]);
  return found;
}

describe('what a wire holds', () => {
  it('neighbours on the ring may become one, others on it not, and ghosts ride along', () => {
    const motion = { translate: { velocity: [0, 0, 1], start: 0, end: 10 } };
    const { state } = buildFilms(
      resources(),
      0.3,
      ringFilm(() => 0, motion),
    );
    const { hold, tracker } = state;
    const { position } = tracker.mesh;
    const film = listFilm(state);
    const onWire: number[] = [];
    let riding = 0;
    for (let v = 0; v < tracker.mesh.vertexFill; v++) {
      const radius = Math.hypot(position[3 * v], position[3 * v + 1]);
      const isOnRing = Math.abs(radius - 1) < 1e-9 && Math.abs(position[3 * v + 2]) < 1e-9;
      expect(hold.how(v) === ON_WIRE).toBe(isOnRing);
      if (isOnRing) onWire.push(v);
      expect(hold.how(v) === RIDING).toBe(!film.has(v));
      if (!hold.isHeld(v)) continue;
      if (!isOnRing) riding++;
      expect(hold.findPlace(v, 0.5)[2] - position[3 * v + 2]).toBeCloseTo(0.5, 9);
    }
    expect(onWire.length).toBeGreaterThan(15);
    expect(riding).toBeGreaterThan(15);
    onWire.sort(
      (a, b) =>
        Math.atan2(position[3 * a + 1], position[3 * a]) - Math.atan2(position[3 * b + 1], position[3 * b]),
    );
    onWire.forEach((v, n) => {
      expect(hold.mayJoin(v, onWire[(n + 1) % onWire.length])).toBe(true);
      expect(hold.mayJoin(v, onWire[(n + Math.floor(onWire.length / 2)) % onWire.length])).toBe(false);
    });
    const free = [...film].find((v) => !hold.isHeld(v))!;
    expect(hold.mayJoin(onWire[0], free)).toBe(true);
  });

  it('vertices of two rings never become one, those above each other as little as others', () => {
    const { state } = buildFilms(resources(), 0.3, ringOptions(0.3));
    const { hold, tracker } = state;
    const { position } = tracker.mesh;
    const rings = [0.15, -0.15].map((z) => {
      const found: number[] = [];
      for (let v = 0; v < tracker.mesh.vertexFill; v++)
        if (hold.how(v) === ON_WIRE && Math.abs(position[3 * v + 2] - z) < 1e-9) found.push(v);
      return found;
    });
    for (const ring of rings) expect(ring.length).toBeGreaterThan(15);
    for (const a of rings[0]) for (const b of rings[1]) expect(hold.mayJoin(a, b)).toBe(false);
  });
});

/**
 * Slowest round mode of a massless film on a ring, air on both sides and around it (tension, density and
 * radius 1). On a disk whose circulation vanishes at the rim, as P_2n+1(s) with s = sqrt(1 - r^2), air flows
 * through it as (Gamma(n + 3/2) / n!)^2 P_2n+1(s) / s; with the kinetic energy from that and the stretching
 * int |grad z|^2 / 2 Ritz's method gives, for heights (1 - r^2) times powers of r^2, 2.45645, 2.42079,
 * 2.42071, 2.42070 by one to four terms.
 */
const RING_FREQUENCY = 2.420705;
const ringMode = (r: number) => (1 - r * r) * (1 - 0.36954 * r ** 2 + 0.04401 * r ** 4);

describe('an open film on a ring', () => {
  it('flat, it stays at rest', () => {
    const { model, state } = buildFilms(
      resources(),
      0.3,
      ringFilm(() => 0),
    );
    march(model, state, 0.5);
    for (const v of listFilm(state))
      expect(Math.abs(state.tracker.mesh.position[3 * v + 2])).toBeLessThan(1e-12);
    expect(state.maxSpeed).toBeLessThan(1e-9);
  });

  it('bulged, it swings through and back at the frequency of the formula, closer on finer meshes', () => {
    const height = 0.02;
    const miss = [0.3, 0.2].map((resolution) => {
      const { model, state } = buildFilms(
        resources(),
        resolution,
        ringFilm((r) => height * ringMode(r)),
      );
      const measureHeight = () => {
        let [above, below] = [0, 0];
        const p = state.tracker.mesh.position;
        for (const v of listFilm(state)) {
          const shape = ringMode(Math.hypot(p[3 * v], p[3 * v + 1]));
          above += p[3 * v + 2] * shape;
          below += shape * shape;
        }
        return above / below;
      };
      const zeros: number[] = [];
      let [last, before, least] = [measureHeight(), 0, 0];
      march(model, state, (2.1 * Math.PI) / RING_FREQUENCY, () => {
        const now = measureHeight();
        if (now * last < 0) zeros.push(before + ((state.time - before) * last) / (last - now));
        least = Math.min(least, now);
        [last, before] = [now, state.time];
      });
      expect(least / height).toBeLessThan(-0.97);
      expect(last / height).toBeGreaterThan(0.85);
      expect(zeros.length).toBe(2);
      return Math.abs(Math.PI / (zeros[1] - zeros[0]) / RING_FREQUENCY - 1);
    });
    expect(miss[0]).toBeLessThan(0.03);
    expect(miss[1]).toBeLessThan(0.01);
  });
});
