/**
 * The padded lattice and its sparse storage. Finest cells are gathered in blocks of 2 x 2 x 2; a block that
 * holds anything gets a slot, and a slot has room for the references of its 8 low corners and 8 cell centres.
 * Slots are found by tiles of blocks (block-tiles.ts).
 */
import { InputError } from '../../core/errors.ts';
import { NONE } from '../../core/types.ts';
import { BlockTiles } from './block-tiles.ts';
import { withRoom } from './buffers.ts';
import { type Lattice, PADDING } from './lattice.ts';

/** Cells are numbered by Int32. */
const MAX_BLOCKS = 2 ** 28;

export class Grid {
  /** Padded finest cells, even along each axis. */
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  /** Blocks along each axis: one more than nx / 2, to hold the corners on the high sides. */
  readonly bx: number;
  readonly by: number;
  readonly bz: number;
  /** Low corner of padded cell 0, m. */
  readonly ox: number;
  readonly oy: number;
  readonly oz: number;
  readonly h: number;

  /** Slot of each block, or NONE. */
  readonly slots: BlockTiles;
  slotToBlock = new Int32Array(64);
  slotCount = 0;
  /**
   * Reference per low corner and per centre of each cell of each slot: point id >= 0, NONE, or -2 - vertex.
   */
  corner = new Int32Array(8 * 64).fill(NONE);
  centre = new Int32Array(8 * 64).fill(NONE);
  /** Sign of the field over each cell's centre: filled for cells of refined blocks. */
  cellSign = new Int8Array(8 * 64);
  /** Bit per cell: sampled, touches the surface, must be a finest leaf. */
  candidate = new Uint8Array(64);
  surface = new Uint8Array(64);
  required = new Uint8Array(64);

  constructor(lattice: Lattice) {
    const where = 'lattice';
    if (!(lattice.size > 0) || !Number.isFinite(lattice.size))
      throw new InputError(where, `cell size is ${lattice.size} m`, 'give a positive finite size');
    for (const n of lattice.cells)
      if (!Number.isInteger(n) || n < 1)
        throw new InputError(
          where,
          `has ${lattice.cells.join(' x ')} cells`,
          'give whole positive numbers of cells',
        );
    this.h = lattice.size;
    [this.nx, this.ny, this.nz] = lattice.cells.map((n) => n + 2 * PADDING + (n & 1)) as [
      number,
      number,
      number,
    ];
    [this.ox, this.oy, this.oz] = lattice.origin.map((o) => o - PADDING * lattice.size) as [
      number,
      number,
      number,
    ];
    this.bx = this.nx / 2 + 1;
    this.by = this.ny / 2 + 1;
    this.bz = this.nz / 2 + 1;
    if (this.bx * this.by * this.bz > MAX_BLOCKS)
      throw new InputError(
        where,
        `has ${lattice.cells.join(' x ')} cells, more than can be indexed`,
        'use a larger cell size',
      );
    this.slots = new BlockTiles([this.bx, this.by, this.bz]);
  }

  /** Entry of the cell or low corner (i, j, k) in the slot tables, giving its block a slot if it has none. */
  entry(i: number, j: number, k: number): number {
    let slot = this.slots.find(i >> 1, j >> 1, k >> 1);
    if (slot < 0) slot = this.addSlot(i >> 1, j >> 1, k >> 1);
    return 8 * slot + (i & 1) + 2 * (j & 1) + 4 * (k & 1);
  }

  /** Like `entry`, but NONE where the block has no slot. */
  findEntry(i: number, j: number, k: number): number {
    const slot = this.slots.find(i >> 1, j >> 1, k >> 1);
    return slot < 0 ? NONE : 8 * slot + (i & 1) + 2 * (j & 1) + 4 * (k & 1);
  }

  private addSlot(x: number, y: number, z: number): number {
    const slot = this.slotCount++;
    const filled = this.corner.length;
    if (8 * this.slotCount > filled) {
      this.corner = withRoom(this.corner, 2 * filled).fill(NONE, filled);
      this.centre = withRoom(this.centre, 2 * filled).fill(NONE, filled);
      const sign = new Int8Array(2 * filled);
      sign.set(this.cellSign);
      this.cellSign = sign;
      this.slotToBlock = withRoom(this.slotToBlock, filled / 4);
      this.candidate = withRoom(this.candidate, filled / 4);
      this.surface = withRoom(this.surface, filled / 4);
      this.required = withRoom(this.required, filled / 4);
    }
    this.slots.set(x, y, z, slot);
    this.slotToBlock[slot] = x + this.bx * (y + this.by * z);
    return slot;
  }
}
