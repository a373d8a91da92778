/**
 * What the passes over the mesh found out about vertices and edges and need not find out again while the topology around them stays: most of a mesh does
 * from one step to the next. Any change of the faces at a vertex, or of their labels, makes it forget, undone edits included; so it never holds what is not so.
 */
import { NONE } from '../../core/types.ts';

/** Worth of a flip. */
export const UNKNOWN = 0;
export const VAIN = 1;
export const WANTED = 2;

export class Knowledge {
  /** Vertices whose region graph is complete, by topology alone. */
  isRegular = new Uint8Array(0);
  /** UNKNOWN, or whether a flip would better the valences. Stands only while no vertex of the edge's faces is in `changed`. */
  flipWorth = new Uint8Array(0);
  /** Vertices whose faces changed since `takeChanged`, each once. */
  private changed: number[] = [];
  private isChanged = new Uint8Array(0);

  reserve(vertices: number, edges: number): void {
    this.isRegular = extend(this.isRegular, vertices);
    this.isChanged = extend(this.isChanged, vertices);
    this.flipWorth = extend(this.flipWorth, edges);
  }

  forgetVertex(v: number): void {
    this.isRegular[v] = 0;
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

  /** The vertices whose faces changed since the last call; some may be gone, or beyond the mesh where an edit was undone. */
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
