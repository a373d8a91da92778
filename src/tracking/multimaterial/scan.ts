/**
 * One look at the whole mesh on all threads before it is improved: which edges are too long, too short or
 * folded, which faces have bad angles. After it only what was flagged, or touched by an edit since
 * (knowledge.ts), can be at fault, so that the passes of improve.ts walk over little. They ask each suspect
 * again by their own tests: flags err on neither side of them when nothing was touched, as both compute the
 * same numbers in the same order. Cost: linear; about 30 ns an edge or face and thread.
 */
import { defineTask } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { computeExtremeCosines, distance2 } from './edit.ts';
import { computeBendCosine, PEAK, rankByCreases } from './features.ts';
import { faceOf, nextCorner, previousCorner } from './mesh.ts';
import { setSmoothingStep } from './smooth.ts';
import type { Tracker } from './tracker.ts';

/** Flags of edges, and of faces. */
export const EDGE = { long: 1, short: 2, folded: 4, crease: 8 } as const;
const FACE = { sharp: 1, poor: 2 } as const;

const GRAIN = 1024;

/** What the look found. The arrays are scratch of the tracker: good until its next stage. */
export class Scan {
  /** (edges), (faces) flags when it was made */
  readonly edgeFlag: Uint8Array;
  readonly faceFlag: Uint8Array;
  /** Rows and the clock of edits when it was made. */
  readonly edgeFill: number;
  readonly faceFill: number;
  readonly time: number;
  /** Vertices that smoothing wants to move. */
  private readonly isRestless: Uint8Array;

  constructor(private readonly tracker: Tracker) {
    const { mesh, buffers, options, sizing } = tracker;
    const { vertexFill, edgeFill, faceFill } = mesh;
    this.edgeFill = edgeFill;
    this.faceFill = faceFill;
    mesh.known.rewind();
    this.time = mesh.known.clock;
    const position = buffers.copyF64('starts', mesh.position, 3 * vertexFill);
    const face = buffers.copyI32('faces', mesh.face, 3 * faceFill);
    const edgeVertex = buffers.copyI32('edge vertices', mesh.edgeVertex, 2 * edgeFill);
    const edgeCorner = buffers.copyI32('edge corners', mesh.edgeCorner, edgeFill);
    const cornerEdge = buffers.copyI32('corner edges', mesh.cornerEdge, 3 * faceFill);
    const next = buffers.copyI32('next at edge', mesh.cornerNextAtEdge, 3 * faceFill);
    // Without sizing no entry is read.
    const size = sizing ? buffers.copyF64('sizing', sizing.data, vertexFill) : position;
    const { split, feature, fold, smooth, poorLeast, poorMost } = tracker.cosines;
    this.edgeFlag = buffers.u8('edge flags', edgeFill);
    this.faceFlag = buffers.u8('face flags', faceFill);
    buffers.threads.run(scanEdgesTask, edgeFill, GRAIN, {
      position,
      face,
      edgeVertex,
      edgeCorner,
      cornerEdge,
      cornerNextAtEdge: next,
      size,
      isSized: sizing ? 1 : 0,
      minEdge: options.minEdge,
      maxEdge: options.maxEdge,
      splitCosine: split,
      featureCosine: feature,
      foldCosine: fold,
      out: this.edgeFlag,
    });
    buffers.threads.run(scanFacesTask, faceFill, GRAIN, {
      position,
      face,
      smooth,
      poorLeast,
      poorMost,
      out: this.faceFlag,
    });
    this.isRestless = buffers.u8('is restless', vertexFill);
    if (!options.smoothing) return;
    buffers.threads.run(scanVerticesTask, vertexFill, GRAIN, {
      position,
      face,
      label: buffers.copyI32('labels', mesh.label, 2 * faceFill),
      vertexCorner: buffers.copyI32('vertex corners', mesh.vertexCorner, vertexFill),
      cornerNextAtVertex: buffers.copyI32('next corners', mesh.cornerNextAtVertex, 3 * faceFill),
      vertexEnd: buffers.copyI32('vertex ends', mesh.vertexEnd, vertexFill),
      endNext: buffers.copyI32('next ends', mesh.endNext, 2 * edgeFill),
      edgeFlag: this.edgeFlag,
      faceFlag: this.faceFlag,
      length: tracker.length,
      out: this.isRestless,
    });
  }

  /** Has the star of a vertex stayed as it was looked at? */
  isVertexKnown(v: number): boolean {
    return this.tracker.mesh.known.touchedAt[v] <= this.time;
  }

  /** Have the faces of an edge stayed? They are in the stars of both its ends. */
  isEdgeKnown(e: number): boolean {
    const { edgeVertex } = this.tracker.mesh;
    return this.isVertexKnown(edgeVertex[2 * e]) || this.isVertexKnown(edgeVertex[2 * e + 1]);
  }

  /** Was an edge a crease (features.ts), or folded, when it was looked at? */
  isCrease(e: number): boolean {
    return (this.edgeFlag[e] & EDGE.crease) !== 0;
  }
  isFolded(e: number): boolean {
    return (this.edgeFlag[e] & EDGE.folded) !== 0;
  }

  /** May smoothing have something to do at a vertex? */
  isVertexSuspect(v: number): boolean {
    // New vertices were touched by the edit that made them.
    return !this.isVertexKnown(v) || this.isRestless[v] !== 0;
  }

  isFaceSuspect(f: number): boolean {
    if (f >= this.faceFill || this.faceFlag[f] & FACE.poor) return true;
    const { face, known } = this.tracker.mesh;
    const { touchedAt } = known;
    const { time } = this;
    return (
      touchedAt[face[3 * f]] > time || touchedAt[face[3 * f + 1]] > time || touchedAt[face[3 * f + 2]] > time
    );
  }
}

/**
 * Edges that one kind of pass has still to look at: those that were flagged, and those touched since they
 * were last settled. Refused edges stay on the list of every round, in their place, and are looked at if they
 * were touched by the time it is their turn.
 */
export class EdgeWatch {
  /**
   * The clock when an edge was found to need nothing, or to be refused for reasons that lie in the stars of
   * its ends.
   */
  private settledAt: Int32Array;
  private wasRefused: Uint8Array;

  constructor(
    private readonly tracker: Tracker,
    scan: Scan,
    flag: number,
  ) {
    this.settledAt = new Int32Array(scan.edgeFill);
    this.wasRefused = new Uint8Array(scan.edgeFill);
    for (let e = 0; e < scan.edgeFill; e++)
      this.settledAt[e] = (scan.edgeFlag[e] & flag) !== 0 ? NONE : scan.time;
  }

  isDue(e: number): boolean {
    const { settledAt } = this;
    if (e >= settledAt.length) return true;
    const { edgeVertex, known } = this.tracker.mesh;
    const at = settledAt[e];
    return known.touchedAt[edgeVertex[2 * e]] > at || known.touchedAt[edgeVertex[2 * e + 1]] > at;
  }

  /** Edges that are due, or were refused, in rising order; new ones may be gone. */
  gather(): number[] {
    const { settledAt, wasRefused } = this;
    const { edgeVertex, edgeFill, known } = this.tracker.mesh;
    const { touchedAt } = known;
    const found: number[] = [];
    const watched = Math.min(edgeFill, settledAt.length);
    for (let e = 0; e < watched; e++) {
      const a = edgeVertex[2 * e];
      // Dead rows are below NONE (mesh.ts).
      if (a < NONE) continue;
      const at = settledAt[e];
      const isDue = touchedAt[a] > at || touchedAt[edgeVertex[2 * e + 1]] > at;
      if (isDue || wasRefused[e] !== 0) found.push(e);
    }
    for (let e = watched; e < edgeFill; e++) found.push(e);
    return found;
  }

  settle(e: number, isRefused: boolean): void {
    if (e >= this.settledAt.length) {
      const at = new Int32Array(2 * e + 1).fill(NONE);
      at.set(this.settledAt);
      this.settledAt = at;
      const refused = new Uint8Array(2 * e + 1);
      refused.set(this.wasRefused);
      this.wasRefused = refused;
    }
    this.settledAt[e] = this.tracker.mesh.known.clock;
    this.wasRefused[e] = isRefused ? 1 : 0;
  }
}

const scanEdgesTask = defineTask(
  'tracking/scan-edges',
  {
    ...{ position: 'f64', face: 'i32' },
    ...{ edgeVertex: 'i32', edgeCorner: 'i32', cornerEdge: 'i32', cornerNextAtEdge: 'i32' },
    ...{ size: 'f64', isSized: 'number', minEdge: 'number', maxEdge: 'number' },
    ...{ splitCosine: 'number', featureCosine: 'number', foldCosine: 'number' },
    out: 'u8',
  },
  (begin, end, values) => {
    const { position, edgeVertex, edgeCorner, cornerNextAtEdge, size, isSized, out } = values;
    const { minEdge, maxEdge, splitCosine, featureCosine, foldCosine } = values;
    for (let e = begin; e < end; e++) {
      out[e] = 0;
      const a = edgeVertex[2 * e];
      const b = edgeVertex[2 * e + 1];
      // Dead rows are below NONE (mesh.ts).
      if (a < NONE) continue;
      const length2 = distance2(position, a, b);
      const sizing = isSized === 1 ? Math.min(size[a], size[b]) : 1;
      const least = minEdge * sizing;
      const longest = maxEdge * sizing;
      let flag = length2 < least * least ? EDGE.short : 0;
      if (length2 > longest * longest) flag |= EDGE.long;
      else if (length2 >= (2 * least) ** 2 && isOppositeObtuse(values, e, length2, splitCosine))
        flag |= EDGE.long;
      const first = edgeCorner[e];
      const second = cornerNextAtEdge[first];
      const isManifold = second !== NONE && cornerNextAtEdge[second] === NONE;
      const cosine = isManifold ? computeBendCosine(values, e) : 1;
      if (!isManifold || cosine < featureCosine) flag |= EDGE.crease;
      if (cosine < foldCosine) flag |= EDGE.folded;
      out[e] = flag;
    }
  },
);

/** Is an angle beyond the split angle opposite the edge (9.6)? */
export function isOppositeObtuse(
  mesh: {
    readonly position: Float64Array;
    readonly face: Int32Array;
    readonly edgeCorner: Int32Array;
    readonly cornerNextAtEdge: Int32Array;
  },
  e: number,
  length2: number,
  obtuse: number,
): boolean {
  const { position: p, face, cornerNextAtEdge } = mesh;
  for (let c = mesh.edgeCorner[e]; c !== NONE; c = cornerNextAtEdge[c]) {
    const w = face[previousCorner(c)];
    const la = distance2(p, face[c], w);
    const lb = distance2(p, face[nextCorner(c)], w);
    if (la + lb - length2 < 2 * obtuse * Math.sqrt(la * lb)) return true;
  }
  return false;
}

const scanFacesTask = defineTask(
  'tracking/scan-faces',
  { position: 'f64', face: 'i32', smooth: 'number', poorLeast: 'number', poorMost: 'number', out: 'u8' },
  (begin, end, { position, face, smooth, poorLeast, poorMost, out }) => {
    const cosines = new Float64Array(2);
    for (let f = begin; f < end; f++) {
      out[f] = 0;
      if (face[3 * f] < NONE) continue;
      computeExtremeCosines(position, face[3 * f], face[3 * f + 1], face[3 * f + 2], cosines);
      // Not a number where a face has no extent at all: poor.
      const isFit = cosines[0] >= poorLeast && cosines[1] <= poorMost;
      out[f] = (cosines[1] > smooth ? FACE.sharp : 0) | (isFit ? 0 : FACE.poor);
    }
  },
);

/** Which vertices smoothing (smooth.ts) wants to move, by the flags of their edges and faces. */
const scanVerticesTask = defineTask(
  'tracking/scan-vertices',
  {
    ...{ position: 'f64', face: 'i32', label: 'i32' },
    ...{ vertexCorner: 'i32', cornerNextAtVertex: 'i32', vertexEnd: 'i32', endNext: 'i32' },
    ...{ edgeFlag: 'u8', faceFlag: 'u8', length: 'number', out: 'u8' },
  },
  (begin, end, values) => {
    const { vertexCorner, cornerNextAtVertex, vertexEnd, endNext, edgeFlag, faceFlag, length, out } = values;
    for (let v = begin; v < end; v++) {
      out[v] = 0;
      // Dead rows are below NONE (mesh.ts).
      if (vertexCorner[v] <= NONE) continue;
      let faceFlags = 0;
      for (let c = vertexCorner[v]; c !== NONE; c = cornerNextAtVertex[c]) faceFlags |= faceFlag[faceOf(c)];
      let edgeFlags = 0;
      let creases = 0;
      for (let d = vertexEnd[v]; d !== NONE; d = endNext[d]) {
        const flag = edgeFlag[d >> 1];
        edgeFlags |= flag;
        if ((flag & EDGE.crease) !== 0) creases++;
      }
      const isFold = (edgeFlags & EDGE.folded) !== 0;
      const rank = rankByCreases(creases);
      if (!isFold && (rank === PEAK || (faceFlags & FACE.sharp) === 0)) continue;
      if (setSmoothingStep(values, v, rank, isFold, length)) out[v] = 1;
    }
  },
);
