/**
 * How attributes follow the mesh: one policy, chosen by the client, told of every vertex that an edit makes,
 * moves or removes.
 *
 * Called after an edit is certain: one that is undone is never heard of. `onReplace` comes first and
 * `onReplaced` last, once for each edit. Ids of removed vertices still name the client's old rows while the
 * call lasts; afterwards they may be reused. A client that stores rows by vertex grows its arrays in these
 * calls.
 */
import { NONE } from '../../core/types.ts';

/** Faces that an edit replaces, as they were. */
export interface OldPatch {
  /** (faces x 3) vertices */
  readonly vertex: readonly number[];
  /** (faces x 9) where those were, m */
  readonly position: readonly number[];
  /** (faces x 2) regions in front and behind */
  readonly label: readonly number[];
}

export interface VertexPolicy {
  /** An edit is certain and about to be told: the faces it replaces. Rows are still those of before. */
  onReplace?(old: OldPatch): void;
  /** All of the edit has been told: the faces that stand there now. */
  onReplaced?(fresh: readonly number[]): void;
  /** New vertex v on edge a b, at weight s of b; `onMove` then takes it to where subdivision puts it. */
  onSplit?(v: number, a: number, b: number, s: number): void;
  /** New vertex v in face a b c, at these weights. */
  onFaceSplit?(v: number, a: number, b: number, c: number, wa: number, wb: number, wc: number): void;
  /** Vertex `gone` went into `kept`, which now stands at weight s of `gone`, and `onMove` likewise. */
  onCollapse?(kept: number, gone: number, s: number): void;
  /** The same for vertices that shared no edge (merging, chapter 8). */
  onSnap?(kept: number, gone: number, s: number): void;
  /**
   * New vertex v came off `from` (chapter 6). Both are pulled apart, by less than an edge, of which nothing
   * is told.
   */
  onSeparate?(v: number, from: number): void;
  /**
   * Remeshing moved vertex v by (dx, dy, dz), m, to where it is now: smoothing, and places of subdivision off
   * their edges.
   */
  onMove?(v: number, dx: number, dy: number, dz: number): void;
  /** Vertex v is no longer on the surface. */
  onRemove?(v: number): void;
  /**
   * Does the client hold vertex v in its place (a wire)? Then smoothing leaves it, other vertices collapse
   * into it, and no regions part there.
   */
  isHeld?(v: number): boolean;
  /** Does the client hold the edge a b (along a wire)? Then it is not flipped. Default no. */
  isHeldEdge?(a: number, b: number): boolean;
  /** May vertices a and b become one (two places on wires may not)? Default yes. */
  mayJoin?(a: number, b: number): boolean;
  /**
   * The same of vertices that merging would make in a vertex, edge or face each: asked before it splits them.
   * Default yes.
   */
  mayMeet?(first: readonly number[], second: readonly number[]): boolean;
}

/** Rows by vertex that are blended on edges, and copied on separation ([da-2017] 23.1). */
export abstract class BlendedRows implements VertexPolicy {
  onSplit(v: number, a: number, b: number, s: number): void {
    this.blend(v, a, b, s);
  }

  onCollapse(kept: number, gone: number, s: number): void {
    this.blend(kept, kept, gone, s);
  }

  onSnap(kept: number, gone: number, s: number): void {
    this.blend(kept, kept, gone, s);
  }

  onSeparate(v: number, from: number): void {
    this.blend(v, from, from, 0);
  }

  /** Row v becomes (1 - s) row a + s row b. */
  abstract blend(v: number, a: number, b: number, s: number): void;
}

/**
 * Values held by vertex (width numbers each): linear on edges and faces, copied on separation ([da-2017]
 * 23.1).
 */
export class VertexValues extends BlendedRows {
  data: Float64Array;

  constructor(
    readonly width: number,
    capacity = 64,
  ) {
    super();
    this.data = new Float64Array(width * capacity);
  }

  /** Makes room for vertex v. */
  reserve(v: number): void {
    if (this.width * (v + 1) <= this.data.length) return;
    const longer = new Float64Array(Math.max(2 * this.data.length, this.width * (v + 1)));
    longer.set(this.data);
    this.data = longer;
  }

  /**
   * Moves the rows as vertices were renumbered in rising order: `newId[old]`, NONE for the gone (Remap of
   * build.ts).
   */
  follow(newId: Int32Array): void {
    const { data, width } = this;
    for (let v = 0; v < newId.length; v++) {
      if (newId[v] === NONE) continue;
      for (let k = 0; k < width; k++) data[width * newId[v] + k] = data[width * v + k];
    }
  }

  onFaceSplit(v: number, a: number, b: number, c: number, wa: number, wb: number, wc: number): void {
    this.reserve(v);
    const { data, width } = this;
    for (let k = 0; k < width; k++)
      data[width * v + k] = wa * data[width * a + k] + wb * data[width * b + k] + wc * data[width * c + k];
  }

  override blend(v: number, a: number, b: number, s: number): void {
    this.reserve(v);
    const { data, width } = this;
    for (let k = 0; k < width; k++)
      data[width * v + k] = (1 - s) * data[width * a + k] + s * data[width * b + k];
  }
}

/** Several policies as one, told in order. */
export function combinePolicies(...policies: readonly VertexPolicy[]): VertexPolicy {
  return {
    // Patches are kept only for clients that ask for them.
    ...(policies.some((p) => p.onReplace) && {
      onReplace: (old: OldPatch) => {
        for (const p of policies) p.onReplace?.(old);
      },
    }),
    onReplaced: (fresh) => {
      for (const p of policies) p.onReplaced?.(fresh);
    },
    onSplit: (v, a, b, s) => {
      for (const p of policies) p.onSplit?.(v, a, b, s);
    },
    onFaceSplit: (v, a, b, c, wa, wb, wc) => {
      for (const p of policies) p.onFaceSplit?.(v, a, b, c, wa, wb, wc);
    },
    onCollapse: (kept, gone, s) => {
      for (const p of policies) p.onCollapse?.(kept, gone, s);
    },
    onSnap: (kept, gone, s) => {
      for (const p of policies) p.onSnap?.(kept, gone, s);
    },
    onSeparate: (v, from) => {
      for (const p of policies) p.onSeparate?.(v, from);
    },
    onMove: (v, dx, dy, dz) => {
      for (const p of policies) p.onMove?.(v, dx, dy, dz);
    },
    onRemove: (v) => {
      for (const p of policies) p.onRemove?.(v);
    },
    isHeld: (v) => {
      for (const p of policies) if (p.isHeld?.(v)) return true;
      return false;
    },
    isHeldEdge: (a, b) => {
      for (const p of policies) if (p.isHeldEdge?.(a, b)) return true;
      return false;
    },
    mayJoin: (a, b) => {
      for (const p of policies) if (p.mayJoin && !p.mayJoin(a, b)) return false;
      return true;
    },
    mayMeet: (first, second) => {
      for (const p of policies) if (p.mayMeet && !p.mayMeet(first, second)) return false;
      return true;
    },
  };
}
