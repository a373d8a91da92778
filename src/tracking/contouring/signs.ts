/**
 * Inside or outside, everywhere: the sign of the liquid's function away from the evaluated band
 * (spread-signs.ts).
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineRecord, type ValuesOf } from '../../core/records.ts';
import { NONE } from '../../core/types.ts';
import { BLOCK_SHIFT, BlockGrid } from './block-grid.ts';

export class SignField {
  constructor(
    readonly grid: BlockGrid,
    /** (slotCount) +1 inside, -1 outside, 0 inside solids */
    readonly slotSign: Int8Array,
    /** Per directory place, for blocks that are not stored. */
    readonly blockSign: Int8Array,
  ) {}

  /** +1 inside the liquid, -1 outside, 0 in a solid. Nodes beyond the grid are outside. */
  at(i: number, j: number, k: number): number {
    const grid = this.grid;
    if (!grid.contains(i, j, k)) return -1;
    const slot = grid.findSlot(i, j, k);
    if (slot !== NONE) return this.slotSign[slot];
    return this.blockSign[
      ((k >> BLOCK_SHIFT) * grid.blocksY + (j >> BLOCK_SHIFT)) * grid.blocksX + (i >> BLOCK_SHIFT)
    ];
  }
}

/** A SignField on the heap: what tasks on other threads and checkpoints are given. */
export const signRecord = defineRecord('signs', {
  place: { type: 'f64', stride: 7, meaning: '[origin x, y, z, spacing, nodesX, nodesY, nodesZ]' },
  directory: { type: 'i32', per: 'block place', meaning: 'of the blocks stored' },
  slotSign: { type: 'u8', meaning: '(slotCount) SIGN_*' },
  blockSign: { type: 'u8', per: 'block place', meaning: 'SIGN_* of blocks that are not stored' },
});
export type SignGrid = ValuesOf<typeof signRecord>;

/**
 * Cells from the surface beyond which a point and the nearest open corner of its cell are on the same side: a
 * diagonal.
 */
export const SURE = 1.75;

export const SIGN_SOLID = 0;
export const SIGN_LIQUID = 1;
/** -1 as a byte */
export const SIGN_AIR = 255;

export function buildSignGrid(signs: SignField, scope: HeapScope): SignGrid {
  const { grid } = signs;
  const { place, directory } = grid.copyPlace(scope);
  const slotSign = scope.u8(Math.max(1, signs.slotSign.length));
  slotSign.set(asCodes(signs.slotSign));
  const blockSign = scope.u8(signs.blockSign.length);
  blockSign.set(asCodes(signs.blockSign));
  return { place, directory, slotSign, blockSign };
}

/**
 * Turns the liquid nodes of a dropped piece of surface into air: those its vertices' cell edges start from,
 * and what hangs together with them. A piece that reaches unstored blocks is none that can be dropped.
 */
export function clearPiece(signs: SignGrid, position: Float64Array, vertices: readonly number[]): void {
  const { place, directory, slotSign } = signs;
  floodNodes(BlockGrid.at(place, directory), position, vertices, (slot) => {
    if (slotSign[slot] !== SIGN_LIQUID) return false;
    slotSign[slot] = SIGN_AIR;
    return true;
  });
}

/**
 * Takes the nodes at the ends of the cell edges that vertices of a contour lie on, and those that hang
 * together with them. `take` says whether a node is one of them, and sees to it that it is none again.
 */
export function floodNodes(
  grid: BlockGrid,
  position: Float64Array,
  vertices: readonly number[],
  take: (slot: number) => boolean,
): void {
  const stack: number[] = [];
  const enter = (i: number, j: number, k: number) => {
    if (!grid.contains(i, j, k)) return;
    const slot = grid.findSlot(i, j, k);
    if (slot !== NONE && take(slot)) stack.push(i, j, k);
  };
  for (const v of vertices) {
    const at = [0, 1, 2].map((a) => (position[3 * v + a] - grid.origin[a]) / grid.spacing);
    const near = at.map(Math.round);
    const axis = [0, 1, 2].reduce(
      (most, a) => (Math.abs(at[a] - near[a]) > Math.abs(at[most] - near[most]) ? a : most),
      0,
    );
    for (const end of [Math.floor(at[axis]), Math.ceil(at[axis])]) {
      near[axis] = end;
      enter(near[0], near[1], near[2]);
    }
  }
  while (stack.length > 0) {
    const [i, j, k] = stack.splice(stack.length - 3, 3);
    enter(i - 1, j, k);
    enter(i + 1, j, k);
    enter(i, j - 1, k);
    enter(i, j + 1, k);
    enter(i, j, k - 1);
    enter(i, j, k + 1);
  }
}

/** Signs +1, 0 and -1, read as bytes, are SIGN_LIQUID, SIGN_SOLID and SIGN_AIR. */
function asCodes(sign: Int8Array): Uint8Array {
  return new Uint8Array(sign.buffer, sign.byteOffset, sign.length);
}

/** Inside or outside at any point away from the free surface. */
export class SignSampler {
  private readonly grid: BlockGrid;

  private readonly slotSign: Uint8Array;
  private readonly blockSign: Uint8Array;

  constructor({ place, directory, slotSign, blockSign }: SignGrid) {
    this.slotSign = slotSign;
    this.blockSign = blockSign;
    this.grid = BlockGrid.at(place, directory);
  }

  /** The sign at the nearest corner of the point's cell that is not in a solid. */
  isInside(x: number, y: number, z: number): boolean {
    const { origin, spacing } = this.grid;
    const gx = (x - origin[0]) / spacing;
    const gy = (y - origin[1]) / spacing;
    const gz = (z - origin[2]) / spacing;
    const i = Math.floor(gx);
    const j = Math.floor(gy);
    const k = Math.floor(gz);
    let nearest = Number.POSITIVE_INFINITY;
    let inside = false;
    for (let n = 0; n < 8; n++) {
      const ci = i + (n & 1);
      const cj = j + ((n >> 1) & 1);
      const ck = k + (n >> 2);
      const sign = this.signAt(ci, cj, ck);
      if (sign === SIGN_SOLID) continue;
      const squared = (gx - ci) ** 2 + (gy - cj) ** 2 + (gz - ck) ** 2;
      if (squared >= nearest) continue;
      nearest = squared;
      inside = sign === SIGN_LIQUID;
    }
    return inside;
  }

  /**
   * The sign of all corners of the point's cell that are not in a solid; SIGN_SOLID where they differ or all
   * are.
   */
  agreedAt(x: number, y: number, z: number): number {
    const { origin, spacing } = this.grid;
    const i = Math.floor((x - origin[0]) / spacing);
    const j = Math.floor((y - origin[1]) / spacing);
    const k = Math.floor((z - origin[2]) / spacing);
    let agreed = SIGN_SOLID;
    for (let n = 0; n < 8; n++) {
      const sign = this.signAt(i + (n & 1), j + ((n >> 1) & 1), k + (n >> 2));
      if (sign === SIGN_SOLID || sign === agreed) continue;
      if (agreed !== SIGN_SOLID) return SIGN_SOLID;
      agreed = sign;
    }
    return agreed;
  }

  /** Whether a node lies in a solid; none beyond the grid does. */
  isSolid(i: number, j: number, k: number): boolean {
    return this.signAt(i, j, k) === SIGN_SOLID;
  }

  /** SIGN_* of a node. */
  signAt(i: number, j: number, k: number): number {
    const grid = this.grid;
    if (!grid.contains(i, j, k)) return SIGN_AIR;
    const slot = grid.findSlot(i, j, k);
    if (slot !== NONE) return this.slotSign[slot];
    return this.blockSign[
      ((k >> BLOCK_SHIFT) * grid.blocksY + (j >> BLOCK_SHIFT)) * grid.blocksX + (i >> BLOCK_SHIFT)
    ];
  }
}
