/**
 * Which regions at an irregular vertex may part, along which direction, and how strongly they want to
 * ([da-2017] chapter 6).
 *
 * Strength by area is the area that the separation takes off the surface, at its full distance or at its
 * beginning, computed from the faces it would move and the gaps it would fill, without doing it. Cost: linear
 * in the faces of the vertex for each pair of regions.
 */
import { NONE } from '../../core/types.ts';
import { computeOpeningLoss, type FaceOpening, findOpening } from './face-opening.ts';
import { faceOf, type MultiMesh, nextCorner, previousCorner } from './mesh.ts';
import { RegionGraph } from './region-graph.ts';
import type { Tracker } from './tracker.ts';

/** How strongly a pair wants to part. */
export type StrengthMeasure = 'velocity' | 'area' | 'client';

export interface Candidate {
  readonly v: number;
  /** Faces that go with the new vertex, in rising order. */
  readonly moved: number[];
  /** Faces of what they part from, in rising order. */
  readonly stay: number[];
  readonly direction: readonly [number, number, number];
  readonly strength: number;
  /**
   * The clock of edits (knowledge.ts) when it was found: it stands while the star of v was not touched since.
   */
  readonly time: number;
  /** Was it tried then, and refused for reasons that lie in the star? */
  readonly isSettled: boolean;
  /** The two regions are to come into contact, not to part (face-opening.ts). */
  readonly opening?: FaceOpening;
}

/** Share of the areas at a vertex that rounding may leave of their difference. */
const NOISE = 1e-12;
/** 2^29 + 1: splits a double into its leading 24 bits and the rest. */
const SPLITTER = 536870913;

/**
 * Part of the distance that shows whether a separation takes area off at its beginning. An edge of four films
 * opens along its length, where films pull it apart, but against the films that end at its ends: each end
 * alone, opened by the full distance, gains area.
 */
const BEGINNING = 1 / 16;

/** Marks of the faces of a vertex: those that go with the new one, those of the region it parts from. */
const MOVED = 1;
const STAYING = 2;

export class Candidates {
  readonly graph: RegionGraph;
  private readonly middle = new Float64Array(6);
  private readonly apart = new Float64Array(3);
  private readonly ahead = new Float64Array(3);
  private readonly behind = new Float64Array(3);
  private readonly gaps: number[] = [];

  constructor(
    private readonly tracker: Tracker,
    private readonly measure: StrengthMeasure,
  ) {
    this.graph = new RegionGraph(tracker.mesh);
  }

  /** Adds all candidates of a vertex that want to part. With `wanted`: only the one of the same faces. */
  add(v: number, out: Candidate[], wanted?: Candidate): void {
    const { graph } = this;
    if (!graph.build(v) || graph.isComplete) return;
    if (graph.fanCount > 1) {
      for (let k = 1; k < graph.fanCount; k++) {
        this.beginFaces();
        for (let i = 0; i < graph.face.length; i++) this.markFace(i, graph.fan[i] === k, true);
        this.addMarked(v, out, wanted);
      }
      return;
    }
    const { node } = graph;
    for (let a = 0; a < graph.nodeCount; a++) {
      for (let b = 0; b < graph.nodeCount; b++) {
        if (a === b || graph.areAdjacent(a, b)) continue;
        if (a < b) this.addContact(v, a, b, out, wanted);
        if (wanted?.opening) continue;
        // Both ways round: which of the two takes its faces along makes a difference, and one may be safe
        // where the other is not.
        this.beginFaces();
        for (let i = 0; i < graph.face.length; i++)
          this.markFace(
            i,
            node[2 * i] === a || node[2 * i + 1] === a,
            node[2 * i] === b || node[2 * i + 1] === b,
          );
        this.addMarked(v, out, wanted);
      }
    }
  }

  private addContact(v: number, a: number, b: number, out: Candidate[], wanted: Candidate | undefined): void {
    const { mesh, options, walls } = this.tracker;
    if (!options.contacts || this.measure !== 'area' || (wanted && !wanted.opening)) return;
    if (walls && walls.count(v) > 0) return;
    const opening = findOpening(mesh, this.graph, v, a, b);
    if (!opening || (wanted && !areSamePair(opening.label, wanted.opening!.label))) return;
    const strength = dropNoise(computeOpeningLoss(this.tracker, opening));
    if (!(strength > 0)) return;
    const time = mesh.known.clock;
    out.push({ v, moved: [], stay: [], direction: [0, 0, 0], strength, time, isSettled: false, opening });
  }

  private beginFaces(): void {
    const { mesh, faceMarks } = this.tracker;
    faceMarks.begin(mesh.faceFill);
  }

  private markFace(i: number, isMoved: boolean, isStaying: boolean): void {
    if (isMoved) this.tracker.faceMarks.set(this.graph.face[i], MOVED);
    else if (isStaying) this.tracker.faceMarks.set(this.graph.face[i], STAYING);
  }

  private addMarked(v: number, out: Candidate[], wanted: Candidate | undefined): void {
    const { faceMarks, mesh } = this.tracker;
    const moved: number[] = [];
    const stay: number[] = [];
    for (const f of this.graph.face) {
      const mark = faceMarks.get(f);
      if (mark === MOVED) moved.push(f);
      else if (mark === STAYING) stay.push(f);
    }
    moved.sort((f, g) => f - g);
    stay.sort((f, g) => f - g);
    if (wanted && !(areEqual(moved, wanted.moved) && areEqual(stay, wanted.stay))) return;
    const direction = this.computeDirection(v);
    const strength = dropNoise(this.computeStrength(v, moved.length, direction));
    if (strength > 0)
      out.push({ v, moved, stay, direction, strength, time: mesh.known.clock, isSettled: false });
  }

  /** Unit vector from the middle of the ring of the staying faces to that of the moved ones. */
  private computeDirection(v: number): [number, number, number] {
    const { middle, apart } = this;
    this.setRingMiddle(v, MOVED, 0);
    this.setRingMiddle(v, STAYING, 3);
    for (let k = 0; k < 3; k++) apart[k] = middle[k] - middle[3 + k];
    this.slideOnWalls(v);
    const [x, y, z] = apart;
    const length = Math.sqrt(x * x + y * y + z * z);
    return length > 0 ? [x / length, y / length, z / length] : [0, 0, 0];
  }

  /** Takes from `apart` what leads off walls that both parts of the vertex stay on. */
  private slideOnWalls(v: number): void {
    const { walls, mesh, faceMarks } = this.tracker;
    if (!walls) return;
    const { apart } = this;
    const at = mesh.position.subarray(3 * v, 3 * v + 3);
    const [moved, rest] = [true, false].map((isMoved) => {
      const place = Array.from(at, (x, k) => x + apart[k]);
      walls.holdPart(v, (f) => (faceMarks.get(f) === MOVED) === isMoved, place);
      return place;
    });
    for (let k = 0; k < 3; k++) if (moved[k] === at[k] && rest[k] === at[k]) apart[k] = 0;
  }

  private setRingMiddle(v: number, mark: number, at: number): void {
    const { mesh, marks, faceMarks } = this.tracker;
    const { face, position: p, cornerNextAtVertex } = mesh;
    const { middle } = this;
    marks.begin(mesh.vertexFill);
    middle.fill(0, at, at + 3);
    let count = 0;
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = cornerNextAtVertex[c]) {
      if (faceMarks.get(faceOf(c)) !== mark) continue;
      for (let side = 0; side < 2; side++) {
        const w = face[side === 0 ? nextCorner(c) : previousCorner(c)];
        if (marks.get(w) !== 0) continue;
        marks.set(w, 1);
        count++;
        for (let k = 0; k < 3; k++) middle[at + k] += p[3 * w + k] - p[3 * v + k];
      }
    }
    if (count > 0) for (let k = at; k < at + 3; k++) middle[k] /= count;
  }

  private computeStrength(
    v: number,
    movedCount: number,
    direction: readonly [number, number, number],
  ): number {
    const { flow, options, mesh } = this.tracker;
    const { measure, ahead, behind } = this;
    const [dx, dy, dz] = direction;
    if (dx === 0 && dy === 0 && dz === 0) return 0;
    const h = 0.5 * options.separation * this.tracker.lengthAt(v);
    if (measure === 'area') {
      const loss = this.computeAreaLoss(v, movedCount, h, dx, dy, dz);
      if (loss > 0 || !options.contacts || !this.endsEdgeOfFour(v)) return loss;
      return this.computeAreaLoss(v, movedCount, BEGINNING * h, dx, dy, dz);
    }
    if (measure === 'client') return flow?.separationStrength?.(v, dx, dy, dz) ?? 0;
    if (!flow?.velocity) return 0;
    const p = mesh.position;
    const [x, y, z] = [p[3 * v], p[3 * v + 1], p[3 * v + 2]];
    flow.velocity(x + h * dx, y + h * dy, z + h * dz, ahead);
    flow.velocity(x - h * dx, y - h * dy, z - h * dz, behind);
    return (
      ((ahead[0] - behind[0]) * dx + (ahead[1] - behind[1]) * dy + (ahead[2] - behind[2]) * dz) / (2 * h)
    );
  }

  private endsEdgeOfFour(v: number): boolean {
    const { edgeValence, vertexEnd, endNext } = this.tracker.mesh;
    for (let d = vertexEnd[v]; d !== NONE; d = endNext[d]) if (edgeValence[d >> 1] >= 4) return true;
    return false;
  }

  /**
   * Area that the separation of the marked faces along a direction would take off the surface, m^2; 0 where
   * it cannot be done.
   */
  private computeAreaLoss(
    v: number,
    movedCount: number,
    h: number,
    dx: number,
    dy: number,
    dz: number,
  ): number {
    const { mesh, faceMarks } = this.tracker;
    const { face, position: p } = mesh;
    const { graph, gaps } = this;
    if (movedCount === 0 || movedCount === graph.face.length) return 0;
    gaps.length = 0;
    for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d])
      if (!findGap(this.tracker, d, gaps)) return 0;
    const [x, y, z] = [p[3 * v], p[3 * v + 1], p[3 * v + 2]];
    let loss = 0;
    let sum = 0;
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const a = 3 * face[nextCorner(c)];
      const b = 3 * face[previousCorner(c)];
      const s = faceMarks.get(faceOf(c)) === MOVED ? h : -h;
      const before = computeDoubleArea(x, y, z, p, a, b);
      sum += before;
      loss += before;
      loss -= computeDoubleArea(x + s * dx, y + s * dy, z + s * dz, p, a, b);
    }
    for (let n = 0; n < gaps.length; n += 3) {
      // Of the triangle between w and the two ends, which are 2 h apart.
      const w = 3 * gaps[n];
      const [ux, uy, uz] = [p[w] - x, p[w + 1] - y, p[w + 2] - z];
      loss -=
        2 * h * Math.sqrt((uy * dz - uz * dy) ** 2 + (uz * dx - ux * dz) ** 2 + (ux * dy - uy * dx) ** 2);
    }
    // What is left of areas that balance is rounding and no wish to part.
    return loss > NOISE * sum ? loss / 2 : 0;
  }
}

/**
 * Keeps the leading 24 bits: strengths that are equal but for rounding, as those of symmetric places are,
 * must come out as equal whichever way the surface is turned, so that the order of vertices decides between
 * them and not the noise. Exact under scaling by powers of two (Veltkamp's splitting).
 */
function dropNoise(strength: number): number {
  const spread = SPLITTER * strength;
  return spread - (spread - strength);
}

function areSamePair([a, b]: readonly [number, number], [c, d]: readonly [number, number]): boolean {
  return (a === c && b === d) || (a === d && b === c);
}

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false;
  return true;
}

/** Twice the area of the triangle of a point and the vertices at p[a] and p[b], m^2. */
function computeDoubleArea(x: number, y: number, z: number, p: Float64Array, a: number, b: number): number {
  const ux = p[a] - x;
  const uy = p[a + 1] - y;
  const uz = p[a + 2] - z;
  const wx = p[b] - x;
  const wy = p[b + 1] - y;
  const wz = p[b + 2] - z;
  const nx = uy * wz - uz * wy;
  const ny = uz * wx - ux * wz;
  const nz = ux * wy - uy * wx;
  return Math.sqrt(nx * nx + ny * ny + nz * nz);
}

/** Marks faces that go with the new vertex, for findGap. */
export function markMoved({ mesh, faceMarks }: Tracker, moved: readonly number[]): void {
  faceMarks.begin(mesh.faceFill);
  for (const f of moved) faceMarks.set(f, MOVED);
}

export function isMoved({ faceMarks }: Tracker, f: number): boolean {
  return faceMarks.get(f) === MOVED;
}

const label: number[] = [];
const balance: number[] = [];

function addBalance(region: number, change: number): void {
  let n = label.indexOf(region);
  if (n < 0) {
    n = label.push(region) - 1;
    balance.push(0);
  }
  balance[n] += change;
}

/**
 * Notes the face that closes the gap at an edge end: far vertex, label in front, label behind. The moved
 * faces lack one label ahead and one behind when turning about v -> w; the face v_a w v supplies them. False
 * where more than one face would be needed.
 */
export function findGap(tracker: Tracker, end: number, outGaps: number[]): boolean {
  const { mesh } = tracker;
  const isForward = (end & 1) === 0;
  if (countMoved(tracker, mesh, end >> 1) === 0) return true;
  label.length = 0;
  balance.length = 0;
  for (let c = mesh.edgeCorner[end >> 1]; c !== NONE; c = mesh.cornerNextAtEdge[c]) {
    if (!isMoved(tracker, faceOf(c))) continue;
    addBalance(isForward ? mesh.labelAhead(c) : mesh.labelBehind(c), 1);
    addBalance(isForward ? mesh.labelBehind(c) : mesh.labelAhead(c), -1);
  }
  let front = NONE;
  let back = NONE;
  let isOff = false;
  for (let n = 0; n < label.length; n++) {
    if (balance[n] === 0) continue;
    isOff = true;
    if (balance[n] === -1 && front === NONE) front = label[n];
    else if (balance[n] === 1 && back === NONE) back = label[n];
    else return false;
  }
  if (isOff) outGaps.push(mesh.edgeVertex[end ^ 1], front, back);
  return true;
}

function countMoved(tracker: Tracker, mesh: MultiMesh, e: number): number {
  let count = 0;
  for (let c = mesh.edgeCorner[e]; c !== NONE; c = mesh.cornerNextAtEdge[c])
    if (isMoved(tracker, faceOf(c))) count++;
  return count;
}
