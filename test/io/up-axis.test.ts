import { describe, expect, it } from 'vitest';
import { buildRotation } from '../../src/geometry/motions.ts';
import { movePoint, rotateVector } from '../../src/geometry/rigid-motion.ts';
import { computeTurn, findUpAxis, turnSolid, turnSurface, type UpAxis } from '../../src/io/up-axis.ts';
import { measureVolume } from '../../src/mesh/trimesh-measure.ts';
import { bunnyMesh, cubeMesh } from '../geometry/meshes.ts';
import { makeFrame, maxDifference } from './fixtures.ts';

const axes: UpAxis[] = ['x', '-x', 'y', '-y', 'z', '-z'];
const vectors: Record<UpAxis, readonly [number, number, number]> = {
  x: [1, 0, 0],
  '-x': [-1, 0, 0],
  y: [0, 1, 0],
  '-y': [0, -1, 0],
  z: [0, 0, 1],
  '-z': [0, 0, -1],
};

describe('up', () => {
  it('is against gravity, and z without any', () => {
    for (const axis of axes) {
      const [x, y, z] = vectors[axis];
      expect(findUpAxis([-9.81 * x + 0.3, -9.81 * y, -9.81 * z - 0.2])).toBe(axis);
    }
    expect(findUpAxis([0, 0, 0])).toBe('z');
    expect(findUpAxis([Number.NaN, 0, 0])).toBe('z');
  });

  it('turns every axis into every other, without mirroring and without rounding', () => {
    for (const from of axes) {
      for (const to of axes) {
        const turn = computeTurn(from, to);
        expect(rotateVector(turn, vectors[from]).map((x) => x + 0)).toEqual(vectors[to]);
        expect(turn.every((x) => [-1, 0, 1].includes(x))).toBe(true);
        const [a, b, c, d, e, f, g, h, i] = turn;
        expect(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)).toBe(1);
        expect(rotateVector(computeTurn(to, from), rotateVector(turn, [1, 2, 3])).map((x) => x + 0)).toEqual([
          1, 2, 3,
        ]);
      }
    }
    expect(rotateVector(computeTurn('z', 'y'), [1, 2, 3])).toEqual([1, 3, -2]);
  });
});

it('a turned surface keeps its volume, and its velocities turn along', () => {
  const frame = makeFrame(bunnyMesh());
  const turned = turnSurface(frame, computeTurn('z', 'y'));
  expect(measureVolume(turned.mesh)).toBeCloseTo(measureVolume(frame.mesh), 12);
  const before = frame.vertexFields['velocity'].values;
  const after = turned.vertexFields['velocity'].values;
  expect([after[3], after[4], after[5]]).toEqual([before[3], before[5], -before[4]]);
  expect(maxDifference(turned.vertexFields['age'].values, frame.vertexFields['age'].values)).toBe(0);
  expect(frame.mesh.position).not.toBe(turned.mesh.position);
});

it('a turned solid is where the turn takes the moved one', () => {
  const turn = computeTurn('z', 'y');
  const motion = buildRotation([1, 2, 3], [0.4, 0.1, -0.3], 0.7, {});
  const solid = { name: 'cube', mesh: cubeMesh(), motion };
  const turned = turnSolid(solid, turn);
  for (const time of [0, 0.3, 1.7]) {
    for (let v = 0; v < 24; v += 3) {
      const rest = solid.mesh.position.subarray(v, v + 3);
      const p = rotateVector(turn, movePoint(motion.poseAt(time), [rest[0], rest[1], rest[2]]));
      const at = turned.mesh.position.subarray(v, v + 3);
      const q = movePoint(turned.motion!.poseAt(time), [at[0], at[1], at[2]]);
      expect(maxDifference(p, q)).toBeLessThan(1e-14);
    }
  }
});
