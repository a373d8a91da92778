import { describe, expect, test } from 'vitest';
import { NONE } from '../../../src/core/types.ts';
import { renumberTargets } from '../../../src/flow/volume/renumber.ts';
import type { Pieces } from '../../../src/tracking/contouring/pieces.ts';

const pieces = (vertexPiece: number[], inCavity: number[] = vertexPiece.map(() => 0)): Pieces => ({
  count: Math.max(...vertexPiece) + 1,
  vertexPiece: Int32Array.from(vertexPiece),
  inCavity: Uint8Array.from(inCavity),
  volume: new Float64Array(Math.max(...vertexPiece) + 1),
});
const target = Float64Array.of(1, 2, 4);
const before = pieces([0, 0, 1, 1, 2, 2]);

describe('targets after the shift', () => {
  test('stay where no piece changed', () => {
    const { target: now, isGone } = renumberTargets(before, target, [0, 1, 2, 3, 4, 5], before);
    expect([...now]).toEqual([1, 2, 4]);
    expect([...isGone]).toEqual([0, 0, 0]);
  });

  test('of a sliver turned inside out in the open are given back; those after it keep their own', () => {
    const now = renumberTargets(before, target, [0, 1, 2, 3, 4, 5], pieces([0, 0, NONE, NONE, 1, 1]));
    expect([...now.target]).toEqual([1, 4]);
    expect([...now.isGone]).toEqual([0, 1, 0]);
  });

  test('of a sliver that became a cavity go to the piece around it', () => {
    const around = pieces([0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 0, 0]);
    expect([...renumberTargets(before, target, [0, 1, 2, 3, 4, 5], around).target]).toEqual([3, 4]);
  });

  test('of pieces that left the surface are gone', () => {
    const now = renumberTargets(before, target, [2, 3, 4, 5], pieces([0, 0, 1, 1]));
    expect([...now.target]).toEqual([2, 4]);
    expect([...now.isGone]).toEqual([1, 0, 0]);
  });
});
