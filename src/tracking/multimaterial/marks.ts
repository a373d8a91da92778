/**
 * Small numbers by row, all zero at the start of each use, without clearing anything: a mark counts only if
 * it was set in this use.
 */

/** Marks are packed below the number of the use. */
const MARK_BITS = 2;
const MARK_MASK = (1 << MARK_BITS) - 1;
const LAST_USE = 2 ** (30 - MARK_BITS);

export class Marks {
  private data = new Int32Array(64);
  private use = 0;

  /** All marks of [0, count) are 0. */
  begin(count: number): void {
    if (count > this.data.length) {
      this.data = new Int32Array(2 * count);
      this.use = 0;
    } else if (this.use === LAST_USE) {
      this.data.fill(0);
      this.use = 0;
    }
    this.use++;
  }

  /** 0 to 3; 0 if it was not set. */
  get(row: number): number {
    const value = this.data[row];
    return value >> MARK_BITS === this.use ? value & MARK_MASK : 0;
  }

  set(row: number, mark: number): void {
    this.data[row] = (this.use << MARK_BITS) | mark;
  }
}
