/**
 * A number for every block of a lattice, kept by tiles of 8 x 8 x 8 blocks. A tile whose blocks all have the
 * same number, NONE or below, is that number; only others are stored. So memory goes with what is meshed: a
 * number per block would take half a gigabyte at 1024 cells across. A block is found by two loads.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import { finishI32, withRoom } from './buffers.ts';

/** A tile has 2^TILE_BITS blocks along each axis. */
const TILE_BITS = 3;
const LAST = (1 << TILE_BITS) - 1;
const TILE_BLOCKS = 1 << (3 * TILE_BITS);

/** Tiles along an axis, by blocks. */
export const countTiles = (blocks: number): number => (blocks + LAST) >> TILE_BITS;

/** Place of a block in the table, by the number of its stored tile. */
const placeInTile = (tile: number, x: number, y: number, z: number): number =>
  TILE_BLOCKS * tile + ((((z & LAST) << TILE_BITS) | (y & LAST)) << TILE_BITS) + (x & LAST);

/** Number of block (x, y, z): the tile's, or where that is stored, the block's own. */
export function findInTiles(
  tileStart: Int32Array,
  blockStart: Int32Array,
  tilesX: number,
  tilesY: number,
  x: number,
  y: number,
  z: number,
): number {
  const tile = tileStart[(x >> TILE_BITS) + tilesX * ((y >> TILE_BITS) + tilesY * (z >> TILE_BITS))];
  return tile < 0 ? tile : blockStart[placeInTile(tile, x, y, z)];
}

export class BlockTiles {
  private readonly tilesX: number;
  private readonly tilesY: number;
  private readonly tilesZ: number;
  private readonly tileStart: Int32Array;
  private blockStart = new Int32Array(16 * TILE_BLOCKS);
  private storedCount = 0;

  constructor(blocks: readonly [number, number, number]) {
    [this.tilesX, this.tilesY, this.tilesZ] = blocks.map(countTiles) as [number, number, number];
    this.tileStart = new Int32Array(this.tilesX * this.tilesY * this.tilesZ).fill(NONE);
  }

  find(x: number, y: number, z: number): number {
    return findInTiles(this.tileStart, this.blockStart, this.tilesX, this.tilesY, x, y, z);
  }

  set(x: number, y: number, z: number, number: number): void {
    const place = (x >> TILE_BITS) + this.tilesX * ((y >> TILE_BITS) + this.tilesY * (z >> TILE_BITS));
    let tile = this.tileStart[place];
    if (tile < 0) {
      if (tile === number) return;
      const from = TILE_BLOCKS * this.storedCount;
      this.blockStart = withRoom(this.blockStart, from + TILE_BLOCKS);
      this.blockStart.fill(tile, from, from + TILE_BLOCKS);
      tile = this.storedCount++;
      this.tileStart[place] = tile;
    }
    this.blockStart[placeInTile(tile, x, y, z)] = number;
  }

  /**
   * Gives a cube of blocks, which lies at a multiple of its own size, one number below 0. What is beyond the
   * lattice is left out.
   */
  fill(x: number, y: number, z: number, across: number, number: number): void {
    const { tilesX, tilesY, tilesZ } = this;
    if (x >> TILE_BITS >= tilesX || y >> TILE_BITS >= tilesY || z >> TILE_BITS >= tilesZ) return;
    if (across <= LAST) {
      for (let c = z; c < z + across; c++)
        for (let b = y; b < y + across; b++) for (let a = x; a < x + across; a++) this.set(a, b, c, number);
      return;
    }
    const endX = Math.min(tilesX, (x + across) >> TILE_BITS);
    const endY = Math.min(tilesY, (y + across) >> TILE_BITS);
    const endZ = Math.min(tilesZ, (z + across) >> TILE_BITS);
    for (let c = z >> TILE_BITS; c < endZ; c++)
      for (let b = y >> TILE_BITS; b < endY; b++) {
        const row = tilesX * (b + tilesY * c);
        this.tileStart.fill(number, row + (x >> TILE_BITS), row + endX);
      }
  }

  /** The tables, stored tiles in the order of their places; those that a fill replaced are gone. */
  finish(scope?: HeapScope): { tileStart: Int32Array; blockStart: Int32Array } {
    const tileStart = finishI32(this.tileStart, this.tileStart.length, scope);
    let kept = 0;
    for (let n = 0; n < tileStart.length; n++) if (tileStart[n] >= 0) kept++;
    const size = TILE_BLOCKS * kept;
    const blockStart = scope ? scope.i32(size) : new Int32Array(size);
    let next = 0;
    for (let n = 0; n < tileStart.length; n++) {
      if (tileStart[n] < 0) continue;
      const from = TILE_BLOCKS * tileStart[n];
      blockStart.set(this.blockStart.subarray(from, from + TILE_BLOCKS), TILE_BLOCKS * next);
      tileStart[n] = next++;
    }
    return { tileStart, blockStart };
  }
}
