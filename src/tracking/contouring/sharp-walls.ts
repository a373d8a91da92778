/**
 * Sharp edges of solids in the tracked surface. Marching cubes joins the two sides of a sharp edge by a
 * chord, so up to half a cell along every edge and rim of a solid would count as liquid (or, in a solid's
 * corner, as a gap). The paper leaves them cut off. Here the chords between wall vertices are split and their
 * middles moved out to the solid: onto the sharp edge itself where the planes of the two ends meet (the
 * feature rule of Kobbelt et al. 2001), else straight ahead until the solid ends, as at the rim of a plate,
 * whose sides are parallel.
 *
 * Only wall triangles change, which nothing advects. Cost: linear in the wall triangles, a few clearances per
 * cut chord.
 */
import { NONE, type Vec3 } from '../../core/types.ts';
import { computeClearanceNormal, meetPlanes, readPoint, SHARP } from '../../geometry/sharp-edges.ts';
import { computeDistance, dot } from '../../math/vectors.ts';
import {
  addVertex,
  computeNormalOf,
  computeTriangleNormal,
  type DraftSurface,
  keyOf,
  splitTriangles,
} from './draft-surface.ts';
import type { ClearanceFunction } from './space.ts';

/**
 * In each round a triangle is split once, where it cuts deepest: a rim takes one, its two edges and their
 * ends the others.
 */
const ROUNDS = 10;
/** Depth or gap, in cells, at which the middle of a chord shows that an edge is cut off. */
const CUT_DEPTH = 0.01;
/**
 * A vertex is at a crease if the unit normals of its wall triangles sum to less than this share of their
 * number.
 */
const CREASED = 0.97;
/** Sides this far from meeting, as a cosine, are the sides of a plate. */
const PARALLEL = -Math.cos(Math.PI / 12);
/** Cells a middle may move: a rim may end anywhere within the cell beyond the chord's own. */
const REACH = 1.3;
/** Clearance, in cells, at which a point is on the solid. */
const ON_WALL = 1e-4;
/** Steps towards the solid's end; each goes as far as the clearance allows. */
const STRIDES = 40;
/**
 * Cells before and behind a triangle where the solid is asked for, and the rise of the clearance, at most,
 * from behind to before.
 */
const PROBE = { ahead: 0.05, back: 0.3 };
/** Cells over which a solid's normal is differenced. */
const DIFFERENCE = 1e-3;
/** Moves the chords that cut off sharp edges of solids onto them; the draft grows in place. */
export function sharpenWalls(draft: DraftSurface, clearanceAt: ClearanceFunction, spacing: number): void {
  const creased = findCreases(draft);
  const active = listCreasedTriangles(draft, creased);
  for (let round = 0; round < ROUNDS && active.length > 0; round++) {
    const middles = new Map<number, number>();
    const busy = new Set<number>();
    for (const chord of listCutChords(draft, active, creased, clearanceAt, spacing)) {
      if (busy.has(chord.left) || busy.has(chord.right)) continue;
      const place = findPlace(draft, chord, clearanceAt, spacing);
      if (!place || folds(draft, chord, place, clearanceAt, spacing)) continue;
      middles.set(keyOf(chord.a, chord.b), addVertex(draft, place));
      busy.add(chord.left).add(chord.right);
    }
    if (middles.size === 0) return;
    splitTriangles(draft, active, middles);
  }
}

/** An edge between wall vertices, and the two triangles at it. */
interface Chord {
  readonly a: number;
  readonly b: number;
  readonly left: number;
  right: number;
  /** Clearance at its middle. */
  off: number;
}

/** 1 for wall vertices around which the wall triangles bend. */
function findCreases(draft: DraftSurface): Uint8Array {
  const { vertexCount, triangleCount, triangle, wall, free } = draft;
  const sum = new Float32Array(4 * vertexCount);
  for (let f = 0; f < triangleCount; f++) {
    if (wall[f] === 0) continue;
    const [nx, ny, nz] = computeTriangleNormal(draft, f);
    for (let n = 3 * f; n < 3 * f + 3; n++) {
      const v = 4 * triangle[n];
      sum[v] += nx;
      sum[v + 1] += ny;
      sum[v + 2] += nz;
      sum[v + 3] += 1;
    }
  }
  const creased = new Uint8Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    if (free[v] === 1) continue;
    const length = Math.hypot(sum[4 * v], sum[4 * v + 1], sum[4 * v + 2]);
    if (length < CREASED * sum[4 * v + 3]) creased[v] = 1;
  }
  return creased;
}

const isCreased = (creased: Uint8Array, v: number) => v >= creased.length || creased[v] === 1;

function listCreasedTriangles(
  { triangleCount, triangle, wall }: DraftSurface,
  creased: Uint8Array,
): number[] {
  const active: number[] = [];
  for (let f = 0; f < triangleCount; f++) {
    if (wall[f] === 0) continue;
    if (creased[triangle[3 * f]] + creased[triangle[3 * f + 1]] + creased[triangle[3 * f + 2]] > 1)
      active.push(f);
  }
  return active;
}

/** Edges between creased vertices whose middle is off the solid, the farthest off first. */
function listCutChords(
  draft: DraftSurface,
  active: readonly number[],
  creased: Uint8Array,
  at: ClearanceFunction,
  spacing: number,
): Chord[] {
  const { triangle } = draft;
  const chords = new Map<number, Chord>();
  for (const f of active) {
    for (let n = 0; n < 3; n++) {
      const a = triangle[3 * f + n];
      const b = triangle[3 * f + ((n + 1) % 3)];
      if (!isCreased(creased, a) || !isCreased(creased, b)) continue;
      const key = keyOf(a, b);
      const chord = chords.get(key);
      if (chord) chord.right = f;
      else chords.set(key, { a, b, left: f, right: NONE, off: 0 });
    }
  }
  const cut: Chord[] = [];
  for (const chord of chords.values()) {
    // At the contact line one of the two triangles is free: it stays.
    if (chord.right === NONE) continue;
    chord.off = at(...readMiddle(draft, chord));
    if (Math.abs(chord.off) > CUT_DEPTH * spacing) cut.push(chord);
  }
  return cut.sort((c, d) => Math.abs(d.off) - Math.abs(c.off));
}

/** Where the middle of a cut chord belongs. */
function findPlace(
  draft: DraftSurface,
  chord: Chord,
  at: ClearanceFunction,
  spacing: number,
): Vec3 | undefined {
  const p = readPoint(draft.position, chord.a);
  const q = readPoint(draft.position, chord.b);
  const middle = readMiddle(draft, chord);
  const m = computeClearanceNormal(at, p, DIFFERENCE * spacing);
  const n = computeClearanceNormal(at, q, DIFFERENCE * spacing);
  const cosine = dot(m, n);
  if (cosine > SHARP) return undefined;
  if (cosine > PARALLEL) {
    const place = meetPlanes(middle, p, m, q, n);
    const onWall = Math.abs(at(...place)) < ON_WALL * spacing;
    return onWall && computeDistance(place, middle) < REACH * spacing ? place : undefined;
  }
  // Between the sides of a plate: along it, back into the liquid from within the solid, on to the solid from
  // within a gap.
  const l = computeTriangleNormal(draft, chord.left);
  const r = computeTriangleNormal(draft, chord.right);
  const side = chord.off < 0 ? -1 : 1;
  const ahead: Vec3 = [side * (l[0] + r[0]), side * (l[1] + r[1]), side * (l[2] + r[2])];
  const across = dot(ahead, m);
  return walkToWall(
    middle,
    [ahead[0] - across * m[0], ahead[1] - across * m[1], ahead[2] - across * m[2]],
    at,
    spacing,
  );
}

/**
 * Whether the surface would turn its back on the solid, or shrink to a needle, somewhere around the new
 * vertex.
 */
function folds(
  draft: DraftSurface,
  { a, b, left, right }: Chord,
  place: Vec3,
  at: ClearanceFunction,
  spacing: number,
): boolean {
  const e = PROBE.ahead * spacing;
  for (const f of [left, right]) {
    const corners = [0, 1, 2].map((n) => draft.triangle[3 * f + n]);
    for (const end of [a, b]) {
      const [p, q, r] = corners.map((v) => (v === end ? place : readPoint(draft.position, v)));
      const n = computeNormalOf(p, q, r);
      const x = [0, 1, 2].map((i) => (p[i] + q[i] + r[i]) / 3);
      const ahead = at(x[0] + e * n[0], x[1] + e * n[1], x[2] + e * n[2]);
      const behind = at(x[0] - e * n[0], x[1] - e * n[1], x[2] - e * n[2]);
      if (dot(n, n) === 0 || ahead - behind > PROBE.back * 2 * e) return true;
    }
  }
  return false;
}

/**
 * The first place on the solid's surface straight ahead. The clearance is a distance: so far it is safe to
 * go.
 */
function walkToWall(from: Vec3, direction: Vec3, at: ClearanceFunction, spacing: number): Vec3 | undefined {
  const length = Math.hypot(...direction);
  if (length === 0) return undefined;
  let walked = 0;
  for (let stride = 0; stride < STRIDES && walked < REACH * spacing; stride++) {
    const s = walked / length;
    const x: Vec3 = [from[0] + s * direction[0], from[1] + s * direction[1], from[2] + s * direction[2]];
    const clearance = Math.abs(at(...x));
    if (clearance < ON_WALL * spacing) return x;
    walked += clearance;
  }
  return undefined;
}

function readMiddle(draft: DraftSurface, { a, b }: Chord): Vec3 {
  const p = readPoint(draft.position, a);
  const q = readPoint(draft.position, b);
  return [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2];
}
