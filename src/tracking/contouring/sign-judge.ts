/**
 * Inside or outside where the nearest triangle cannot be trusted. A surface that has been moved and shifted
 * crosses itself by a hair in creases; a lobe of it that is turned inside out shows its inner side to the air
 * around it, and the nearest triangle then says "inside" there: scraps of liquid would come up in the air.
 *
 * What can be trusted is the sign of a node of the last contour that the surface has not passed since, and
 * how often the surface lies between: with w the winding number, 1 inside the liquid and 0 outside,
 *     w(point) = w(node) + sum over triangles that the way from node to point crosses: 1 inward, -1 outward.
 * A lobe turned inside out has w = -1, liquid that overlaps itself has w = 2: the first is air, the second is
 * liquid. Ties of rounding on edges are broken by the numbers of their ends, so that two triangles never both
 * have, or both miss, the way through their edge. Cost: a few distances; asked where the two ways to the sign
 * disagree.
 */

import { NONE } from '../../core/types.ts';
import { setSeen } from '../../math/triangle.ts';
import { BlockGrid } from './block-grid.ts';
import { SurfaceDistance } from './distance.ts';
import { SIGN_LIQUID, SIGN_SOLID, type SignGrid, SignSampler } from './signs.ts';
import type { SurfaceIndex } from './surface-index.ts';

/** Rings of cells looked through for what is near a node. */
const RINGS = 2;

const seen = new Float64Array(9);
const seenFromNode = new Float64Array(9);

export class SignJudge {
  private readonly signs: SignSampler;
  private readonly distance: SurfaceDistance;
  private readonly cells: BlockGrid;
  private readonly squared = new Float64Array(8);

  /** `moved`: cells by which the surface has moved since the signs were made, at most. */
  constructor(
    private readonly index: SurfaceIndex,
    signs: SignGrid,
    private readonly moved: number,
  ) {
    this.signs = new SignSampler(signs);
    this.distance = new SurfaceDistance(index);
    this.cells = BlockGrid.at(index.place, index.directory);
  }

  /**
   * Undefined where the surface is near all nodes around the point, or ends at a wall beside it: past that
   * end the way may go around it.
   */
  isInside(x: number, y: number, z: number): boolean | undefined {
    const { origin, spacing } = this.cells;
    const i = Math.floor((x - origin[0]) / spacing);
    const j = Math.floor((y - origin[1]) / spacing);
    const k = Math.floor((z - origin[2]) / spacing);
    const { squared } = this;
    for (let n = 0; n < 8; n++) {
      const dx = x - origin[0] - (i + (n & 1)) * spacing;
      const dy = y - origin[1] - (j + ((n >> 1) & 1)) * spacing;
      const dz = z - origin[2] - (k + (n >> 2)) * spacing;
      squared[n] = dx * dx + dy * dy + dz * dz;
    }
    for (let tried = 0; tried < 8; tried++) {
      let n = 0;
      for (let m = 1; m < 8; m++) if (squared[m] < squared[n]) n = m;
      squared[n] = Number.POSITIVE_INFINITY;
      const [ci, cj, ck] = [i + (n & 1), j + ((n >> 1) & 1), k + (n >> 2)];
      const sign = this.signs.signAt(ci, cj, ck);
      if (sign === SIGN_SOLID) continue;
      const nodeX = origin[0] + ci * spacing;
      const nodeY = origin[1] + cj * spacing;
      const nodeZ = origin[2] + ck * spacing;
      if (this.distance.freeDistance(nodeX, nodeY, nodeZ, RINGS) < this.moved * spacing) continue;
      const inward = this.countInward(x, y, z, nodeX, nodeY, nodeZ);
      return inward === undefined ? undefined : (sign === SIGN_LIQUID ? 1 : 0) + inward > 0;
    }
    return undefined;
  }

  /**
   * How often the way from a node to a point goes into the liquid, less how often it comes out; undefined
   * beside a contact line.
   */
  private countInward(
    x: number,
    y: number,
    z: number,
    nodeX: number,
    nodeY: number,
    nodeZ: number,
  ): number | undefined {
    const { cells, index } = this;
    const { cellStart, cellTriangle, place } = index;
    const { origin, spacing } = cells;
    const stray = place[7];
    const low = (a: number, from: number, to: number) =>
      Math.floor((Math.min(from, to) - origin[a]) / spacing - stray);
    const high = (a: number, from: number, to: number) =>
      Math.floor((Math.max(from, to) - origin[a]) / spacing + stray);
    let sum = 0;
    for (let k = low(2, z, nodeZ); k <= high(2, z, nodeZ); k++)
      for (let j = low(1, y, nodeY); j <= high(1, y, nodeY); j++)
        for (let i = low(0, x, nodeX); i <= high(0, x, nodeX); i++) {
          if (i < 0 || j < 0 || k < 0 || i >= cells.nodesX || j >= cells.nodesY || k >= cells.nodesZ)
            continue;
          const slot = cells.findSlot(i, j, k);
          if (slot === NONE) continue;
          for (let n = cellStart[slot]; n < cellStart[slot + 1]; n++) {
            if (this.isAtContact(cellTriangle[n])) return undefined;
            sum += this.crosses(cellTriangle[n], x, y, z, nodeX, nodeY, nodeZ);
          }
        }
    return sum;
  }

  private isAtContact(f: number): boolean {
    const { triangle, contact } = this.index;
    return contact[triangle[3 * f]] + contact[triangle[3 * f + 1]] + contact[triangle[3 * f + 2]] > 0;
  }

  /** 1 where the way from the node to the point passes triangle f inward, -1 outward, 0 if not at all. */
  private crosses(
    f: number,
    x: number,
    y: number,
    z: number,
    nodeX: number,
    nodeY: number,
    nodeZ: number,
  ): number {
    const { position, triangle } = this.index;
    const a = triangle[3 * f];
    const b = triangle[3 * f + 1];
    const c = triangle[3 * f + 2];
    setSeen(position, 3 * a, 3 * b, 3 * c, x, y, z, seen);
    setSeen(position, 3 * a, 3 * b, 3 * c, nodeX, nodeY, nodeZ, seenFromNode);
    // A point sees the front of a triangle where the volume spanned to it is negative.
    const isOut = spannedVolume(seen) < 0;
    const isNodeOut = spannedVolume(seenFromNode) < 0;
    if (isOut === isNodeOut) return 0;
    const wayX = x - nodeX;
    const wayY = y - nodeY;
    const wayZ = z - nodeZ;
    const first = turnsLeft(0, 3, wayX, wayY, wayZ, a < b);
    if (turnsLeft(3, 6, wayX, wayY, wayZ, b < c) !== first) return 0;
    if (turnsLeft(6, 0, wayX, wayY, wayZ, c < a) !== first) return 0;
    return isNodeOut ? 1 : -1;
  }
}

/** Which way the edge between corners at p and q of `seen` turns around a line through the point. */
function turnsLeft(
  p: number,
  q: number,
  wayX: number,
  wayY: number,
  wayZ: number,
  isAscending: boolean,
): boolean {
  const volume =
    wayX * (seen[p + 1] * seen[q + 2] - seen[p + 2] * seen[q + 1]) +
    wayY * (seen[p + 2] * seen[q] - seen[p] * seen[q + 2]) +
    wayZ * (seen[p] * seen[q + 1] - seen[p + 1] * seen[q]);
  return volume === 0 ? isAscending : volume > 0;
}

/** Six times the signed volume between a point and a triangle seen from it: negative in front of it. */
function spannedVolume(p: Float64Array): number {
  return (
    p[0] * (p[4] * p[8] - p[5] * p[7]) +
    p[1] * (p[5] * p[6] - p[3] * p[8]) +
    p[2] * (p[3] * p[7] - p[4] * p[6])
  );
}
