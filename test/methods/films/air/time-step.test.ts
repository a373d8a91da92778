/**
 * The time step against the fastest wave of the mesh, found by power iteration on the linearised motion:
 * explicit integration stands omega dt up to 2.
 */
import { describe, expect, it } from 'vitest';
import { buildFilms, march } from '../../../../cases/films/march.ts';
import { ringOptions } from '../../../../cases/films/rings.ts';
import { createHeap } from '../../../../src/core/heap.ts';
import { createRandom } from '../../../../src/core/random.ts';
import { createSingleThread } from '../../../../src/core/threads/single.ts';
import { createAir, move, updateGradients } from '../../../../src/methods/films/air/air.ts';
import { computeStableStep } from '../../../../src/methods/films/air/time-step.ts';
import { buildSheet } from '../../../../src/methods/films/circulation/sheet.ts';
import type { FilmsModel } from '../../../../src/methods/films/model.ts';
import { type FilmsState, filmsStore } from '../../../../src/methods/films/state.ts';
import { buildMultiMesh } from '../../../../src/tracking/multimaterial/build.ts';

const ITERATIONS = 40;
/** Largest displacement of the finite differences, m. */
const SHIFT = 1e-7;

function findLongestStep(model: FilmsModel, state: FilmsState): number {
  const scope = model.heap.scope('test');
  const sheet = buildSheet(state.tracker.mesh, model.isOpening, scope);
  const air = createAir(sheet, model.constants, model.sums, model.threads, scope);
  const { position, potential } = sheet;
  const rest = position.slice();
  const random = createRandom(3);
  for (let n = 0; n < potential.length; n++) potential[n] = random.next() - 0.5;
  const pressureAt = (velocity: Float64Array, time: number) => {
    for (let n = 0; n < position.length; n++) position[n] = rest[n] + time * velocity[n];
    updateGradients(air);
    return air.pressure.slice();
  };
  let square = 0;
  for (let k = 0; k < ITERATIONS; k++) {
    updateGradients(air);
    move(air);
    const velocity = air.velocity.slice();
    const time = SHIFT / velocity.reduce((most, u) => Math.max(most, Math.abs(u)), 0);
    const ahead = pressureAt(velocity, time);
    const behind = pressureAt(velocity, -time);
    const change = ahead.map((p, n) => (p - behind[n]) / (2 * time * model.constants.density));
    square = Math.hypot(...change) / Math.hypot(...potential);
    const scale = 1 / Math.hypot(...change);
    for (let n = 0; n < potential.length; n++) potential[n] = scale * change[n];
    position.set(rest);
  }
  scope.free();
  return 2 / Math.sqrt(square);
}

const starts = {
  'regular bubble': [{ type: 'bubble', centre: [0, 0, 0], radius: 1, divisions: 6 }],
  'stretched bubble': [
    { type: 'bubble', centre: [0, 0, 0], radius: 1, divisions: 6, stretch: [1.5, 1, 0.7] },
  ],
  'eight bubbles': [{ type: 'boxes', min: [-1, -1, -1], max: [1, 1, 1], count: [2, 2, 2] }],
} as const;

describe('time step', () => {
  it.each(Object.entries(starts))('%s: stable, and not many times too short', (_, start) => {
    const { model, state } = buildFilms({ heap: createHeap(), threads: createSingleThread() }, 0.3, {
      start,
    });
    for (const until of [0, 0.15, 0.3]) {
      march(model, state, until);
      state.maxSpeed = 0; // the bound by waves alone
      const longest = findLongestStep(model, state);
      const taken = computeStableStep(model, state);
      expect(taken).toBeLessThan(longest);
      expect(taken).toBeGreaterThan(0.3 * longest);
    }
  });

  it('does not take the rim of an open film for a junction, whichever of its faces comes first', () => {
    const take = (isTurned: boolean) => {
      const { model, state } = buildFilms(
        { heap: createHeap(), threads: createSingleThread() },
        0.3,
        ringOptions(1.2),
      );
      const { position, triangle, label } = filmsStore.save(state).arrays as Record<string, Int32Array>;
      const turn = (rows: Int32Array, width: number) =>
        rows.map((_, n) => rows[rows.length - width * (1 + Math.floor(n / width)) + (n % width)]);
      const surface = {
        position: position as unknown as Float64Array,
        triangle: isTurned ? turn(triangle, 3) : triangle,
        label: isTurned ? turn(label, 2) : label,
      };
      // Nothing is held: the vertices on the wire, with films and ghosts around them, count like all others.
      return computeStableStep(model, {
        ...state,
        tracker: { ...state.tracker, mesh: buildMultiMesh(surface) },
        hold: { isHeld: () => false, measureSpeed: () => 0 },
      } as unknown as FilmsState);
    };
    expect(take(true) / take(false)).toBeCloseTo(1, 9);
  });

  it('is short enough for wires that set out at full speed, by displacement or by rotation', () => {
    const { wires, ...rings } = ringOptions(1.2);
    const take = (motion: Record<string, unknown>) => {
      const moved = (wires as Record<string, unknown>[]).map((wire) => ({ ...wire, motion }));
      const resources = { heap: createHeap(), threads: createSingleThread() };
      const { model, state } = buildFilms(resources, 0.3, { ...rings, wires: moved });
      return computeStableStep(model, state) / (model.options.cfl * model.bounds.minEdge);
    };
    const speed = 500;
    const translate = { velocity: [0, 0, speed], start: 0, end: 1 };
    expect(take({ translate })).toBeCloseTo(0.5 / speed, 9);
    // The ghosts' tips, on the axis, stand still; the rings do not.
    const rotate = {
      axis: [0, 0, 1],
      pivot: [0, 0, 0],
      revolutionsPerSecond: speed / (2 * Math.PI),
      start: 0,
      end: 1,
    };
    expect(take({ rotate })).toBeCloseTo(0.5 / speed, 9);
    expect(take({ translate: { ...translate, start: 0.5 } })).toBeGreaterThan(5 / speed);
  });
});
