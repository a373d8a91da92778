/**
 * What the passes over the mesh found out about vertices and edges and need not find out again while the
 * topology around them stays: most of a mesh does from one step to the next. Any change of the faces at a
 * vertex, or of their labels, makes it forget; what an undone edit made it forget comes back with the rest.
 *
 * It also keeps a clock of edits, and with each vertex the time when one last changed its star (its faces or
 * any corner of theirs). What depends on the stars of a few vertices alone, as most refusals do, stands as
 * long as they were not touched. Vertices that move by anything but an edit are not told of: watch within one
 * pass.
 */
import { NONE } from '../../core/types.ts';

/** Worth of a flip. */
export const UNKNOWN = 0;
export const VAIN = 1;
export const WANTED = 2;

const LAST_TIME = 2 ** 29;

export class Knowledge {
  /** Vertices whose region graph is complete, by topology alone. */
  isRegular = new Uint8Array(0);
  /**
   * UNKNOWN, or whether a flip would better the valences. Stands only while no vertex of the edge's faces is
   * in `changed`.
   */
  flipWorth = new Uint8Array(0);
  /** Vertices whose faces changed since `takeChanged`, each once. */
  private changed: number[] = [];
  private isChanged = new Uint8Array(0);
  /**
   * Edits that stand so far; any number of passes may compare times with it, until it starts anew (`rewind`).
   */
  clock = 0;
  /** The clock at the last edit that changed the star of a vertex. */
  touchedAt = new Int32Array(0);
  /** Vertices that the open edit made irregular as far as is known, and how many had changed before it. */
  private readonly forgotten: number[] = [];
  private changedBefore = 0;

  reserve(vertices: number, edges: number): void {
    this.isRegular = extend(this.isRegular, vertices);
    this.isChanged = extend(this.isChanged, vertices);
    if (this.touchedAt.length < vertices) {
      const longer = new Int32Array(vertices);
      longer.set(this.touchedAt);
      this.touchedAt = longer;
    }
    this.flipWorth = extend(this.flipWorth, edges);
  }

  /** Before an edit is opened. */
  begin(): void {
    this.forgotten.length = 0;
    this.changedBefore = this.changed.length;
  }

  /** After an edit was undone: all is as it was before. */
  undo(): void {
    for (const v of this.forgotten) this.isRegular[v] = 1;
    for (let n = this.changedBefore; n < this.changed.length; n++) this.isChanged[this.changed[n]] = 0;
    this.changed.length = this.changedBefore;
  }

  /** The star of a vertex was changed by the edit that the clock now counts. */
  touch(v: number): void {
    this.touchedAt[v] = this.clock;
  }

  /** Starts the clock anew before it leaves the 31 bits of a small integer; call where no time is held. */
  rewind(): void {
    if (this.clock < LAST_TIME) return;
    this.clock = 0;
    this.touchedAt.fill(0);
  }

  forgetVertex(v: number): void {
    if (this.isRegular[v] !== 0) {
      this.forgotten.push(v);
      this.isRegular[v] = 0;
    }
    if (this.isChanged[v] !== 0) return;
    this.isChanged[v] = 1;
    this.changed.push(v);
  }

  forgetAll(): void {
    this.isRegular.fill(0);
    this.flipWorth.fill(0);
    this.isChanged.fill(0);
    this.changed = [];
  }

  /** Keeps what is known while rows are renumbered (NONE: gone), vertices in rising order. */
  follow(vertexTo: Int32Array, edgeTo: Int32Array): void {
    let end = 0;
    for (let v = 0; v < vertexTo.length; v++) {
      if (vertexTo[v] === NONE) continue;
      this.isRegular[vertexTo[v]] = this.isRegular[v];
      this.isChanged[vertexTo[v]] = this.isChanged[v];
      end = vertexTo[v] + 1;
    }
    this.isRegular.fill(0, end);
    this.isChanged.fill(0, end);
    // Vertices of undone edits may lie beyond what the mesh has.
    this.changed = this.changed
      .filter((v) => v < vertexTo.length && vertexTo[v] !== NONE)
      .map((v) => vertexTo[v]);
    const old = this.flipWorth.slice(0, edgeTo.length);
    this.flipWorth.fill(0);
    for (let e = 0; e < edgeTo.length; e++) if (edgeTo[e] !== NONE) this.flipWorth[edgeTo[e]] = old[e];
  }

  /**
   * The vertices whose faces changed since the last call; some may be gone, or beyond the mesh where an edit
   * was undone.
   */
  takeChanged(): readonly number[] {
    const { changed } = this;
    for (const v of changed) this.isChanged[v] = 0;
    this.changed = [];
    return changed;
  }
}

function extend(array: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (array.length >= length) return array;
  const longer = new Uint8Array(length);
  longer.set(array);
  return longer;
}
