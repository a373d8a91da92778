/** A pressure system that follows its conditions, against one made anew. */
import { describe, expect, it } from 'vitest';
import { classifyFaces } from '../../../src/flow/boundary/conditions.ts';
import {
  assemblePressure,
  computeCellVelocity,
  FREE,
  followConditions,
  WALL,
} from '../../../src/flow/pressure/pressure.ts';
import { Projector, project } from '../../../src/flow/pressure/projection.ts';
import { sphere } from '../../../src/geometry/shapes.ts';
import { heap, sampleOnFaces, startScene, threads } from '../../methods/lattice/scenes.ts';

/** A ball in free fall, and a velocity that wants to tear it. */
function startBall() {
  const { model, state } = startScene({
    domain: [
      [0, 0, 0],
      [1, 1, 1],
    ],
    resolution: 0.08,
    liquids: [sphere([0.5, 0.5, 0.5], 0.3)],
    options: { pressureTolerance: 1e-11 },
  });
  const { topology, geometry, surroundings, surfaceIndex } = state.derived;
  const parts = { mesh: state.mesh, topology, geometry };
  const scope = heap.scope('test rounds');
  const conditions = classifyFaces(model, surroundings, parts, surfaceIndex, scope);
  const velocity = sampleOnFaces(state, (x, y, z) => [Math.sin(7 * x), x * y, Math.cos(5 * z)]);
  const onHeap = scope.f64(velocity.length);
  onHeap.set(velocity);
  return { model, parts, conditions, velocity, onHeap, scope };
}

/** Every seventh free face whose pressure is unknown becomes a wall that moves. */
function turnSome({ conditions: { kind, depth, wallVelocity } }: ReturnType<typeof startBall>): number[] {
  const turned: number[] = [];
  for (let f = 0, seen = 0; f < kind.length; f++) {
    if (kind[f] !== FREE || depth[f] < 1e-3 || seen++ % 7 !== 0) continue;
    kind[f] = WALL;
    wallVelocity[f] = 0.1;
    turned.push(f);
  }
  return turned;
}

describe('rounds of contact', () => {
  it('leave the rows that a system made anew would have', () => {
    const ball = startBall();
    const { parts, conditions, scope, onHeap } = ball;
    const { mesh, topology, geometry } = parts;
    const cell = scope.f64(3 * mesh.tetCount);
    computeCellVelocity(mesh, topology, geometry, onHeap, threads, cell);
    const assemble = () => assemblePressure(topology, geometry, conditions, cell, threads, scope);
    const system = assemble();
    const before = system.right.slice();
    const turned = turnSome(ball);
    expect(turned.length).toBeGreaterThan(20);
    const list = scope.i32(turned.length);
    list.set(turned);
    const follow = () => followConditions(topology, geometry, conditions, cell, system, list, threads);
    expect(follow()).toBe(true);
    const fresh = assemble();
    expect(system.right).not.toEqual(before);
    expect(system.right).toEqual(fresh.right);
    expect(system.matrix.value).toEqual(fresh.matrix.value);
    // Where a pressure becomes known, rows go.
    conditions.kind[turned[0]] = FREE;
    conditions.depth[turned[0]] = conditions.lift[turned[0]] = 0;
    expect(follow()).toBe(false);
    scope.free();
  });

  it('solve to what a projection made anew finds', () => {
    const ball = startBall();
    const { model, parts, conditions, velocity, onHeap, scope } = ball;
    const projector = new Projector(model, parts, conditions, onHeap, scope);
    const first = projector.solve();
    const turned = turnSome(ball);
    const sizes = [first.iterations];
    for (const faces of [turned, turned.slice(0, 1)]) {
      // Once rows alone change, once an unknown goes.
      if (faces.length === 1) {
        conditions.kind[faces[0]] = FREE;
        conditions.depth[faces[0]] = conditions.lift[faces[0]] = 0;
      }
      projector.follow(faces);
      const report = projector.solve();
      expect(report.converged).toBe(true);
      sizes.push(report.iterations);
      const fresh = scope.f64(velocity.length);
      fresh.set(velocity);
      const { facePressure } = project(model, parts, conditions, fresh, scope);
      let off = 0;
      let most = 0;
      for (let f = 0; f < fresh.length; f++) {
        off = Math.max(off, Math.abs(fresh[f] - onHeap[f]));
        most = Math.max(most, Math.abs(facePressure[f] - projector.facePressure[f]));
      }
      expect(off).toBeLessThan(1e-7);
      expect(most).toBeLessThan(1e-8);
    }
    // The preconditioner that is kept is hardly worse than its own.
    expect(sizes[1]).toBeLessThan(1.5 * sizes[0]);
    projector.free();
    scope.free();
  });

  it('may be looked at on the way without a change', () => {
    const { model, parts, conditions, velocity, onHeap, scope } = startBall();
    const projector = new Projector(model, parts, conditions, onHeap, scope);
    let looks = 0;
    const report = projector.solve({ tolerance: 1e-3, isEnough: () => ++looks < 0 });
    const fresh = scope.f64(velocity.length);
    fresh.set(velocity);
    const { report: plain } = project(model, parts, conditions, fresh, scope);
    expect(looks).toBe(1);
    expect(report).toEqual(plain);
    expect(onHeap).toEqual(fresh);
    projector.facePressure.fill(0);
    const early = projector.solve({ tolerance: 1e-3, isEnough: () => true });
    expect(early.converged).toBe(false);
    expect(early.iterations).toBeLessThan(plain.iterations / 2);
    projector.free();
    scope.free();
  });
});
