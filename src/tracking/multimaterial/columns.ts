/**
 * The storage of the multimaterial mesh: growable columns of numbers with a journal of every write, so that
 * an edit can be undone to the last bit ([da-2017] 5.2: edits "either complete in full or are canceled").
 *
 * A write inside a transaction notes (column, index, old value). Undoing plays the notes backwards;
 * committing drops them. Columns only grow, by doubling, and growth needs no note: entries beyond a fill
 * count mean nothing. Cost: O(1) per write.
 */

const FIRST_CAPACITY = 64;

/** Growable columns in groups that share a capacity: vertices, edges and faces. */
export class Columns {
  readonly ints: Int32Array[] = [];
  readonly floats: Float64Array[] = [];
  private readonly intWidth: number[] = [];
  private readonly intGroup: number[] = [];
  private readonly floatWidth: number[] = [];
  private readonly floatGroup: number[] = [];
  private readonly capacity: number[] = [];

  private noteColumn = new Int32Array(FIRST_CAPACITY);
  private noteIndex = new Int32Array(FIRST_CAPACITY);
  /** Integers are exact as doubles. */
  private noteValue = new Float64Array(FIRST_CAPACITY);
  private noteCount = 0;
  private isOpen = false;

  /** Called after arrays were replaced by longer ones. */
  constructor(private readonly onGrow: () => void) {}

  addGroup(): number {
    return this.capacity.push(FIRST_CAPACITY) - 1;
  }

  addInts(group: number, width: number): number {
    this.intWidth.push(width);
    this.intGroup.push(group);
    return this.ints.push(new Int32Array(width * this.capacity[group])) - 1;
  }

  addFloats(group: number, width: number): number {
    this.floatWidth.push(width);
    this.floatGroup.push(group);
    return this.floats.push(new Float64Array(width * this.capacity[group])) - 1;
  }

  /** Makes room for `count` rows in a group. */
  reserve(group: number, count: number): void {
    let capacity = this.capacity[group];
    if (count <= capacity) return;
    while (capacity < count) capacity *= 2;
    this.capacity[group] = capacity;
    for (let c = 0; c < this.ints.length; c++) {
      if (this.intGroup[c] !== group) continue;
      const longer = new Int32Array(this.intWidth[c] * capacity);
      longer.set(this.ints[c]);
      this.ints[c] = longer;
    }
    for (let c = 0; c < this.floats.length; c++) {
      if (this.floatGroup[c] !== group) continue;
      const longer = new Float64Array(this.floatWidth[c] * capacity);
      longer.set(this.floats[c]);
      this.floats[c] = longer;
    }
    this.onGrow();
  }

  setInt(column: number, index: number, value: number): void {
    const array = this.ints[column];
    if (this.isOpen) this.note(column, index, array[index]);
    array[index] = value;
  }

  setFloat(column: number, index: number, value: number): void {
    const array = this.floats[column];
    if (this.isOpen) this.note(~column, index, array[index]);
    array[index] = value;
  }

  get isInTransaction(): boolean {
    return this.isOpen;
  }

  begin(): void {
    if (this.isOpen) throw new Error('a transaction is open already');
    this.isOpen = true;
    this.noteCount = 0;
  }

  commit(): void {
    this.isOpen = false;
    this.noteCount = 0;
  }

  undo(): void {
    for (let n = this.noteCount - 1; n >= 0; n--) {
      const column = this.noteColumn[n];
      if (column >= 0) this.ints[column][this.noteIndex[n]] = this.noteValue[n];
      else this.floats[~column][this.noteIndex[n]] = this.noteValue[n];
    }
    this.commit();
  }

  private note(column: number, index: number, value: number): void {
    const n = this.noteCount++;
    if (n === this.noteColumn.length) this.growNotes();
    this.noteColumn[n] = column;
    this.noteIndex[n] = index;
    this.noteValue[n] = value;
  }

  private growNotes(): void {
    const length = 2 * this.noteColumn.length;
    const column = new Int32Array(length);
    const index = new Int32Array(length);
    const value = new Float64Array(length);
    column.set(this.noteColumn);
    index.set(this.noteIndex);
    value.set(this.noteValue);
    this.noteColumn = column;
    this.noteIndex = index;
    this.noteValue = value;
  }
}
