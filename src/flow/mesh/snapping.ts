/**
 * Vertices of the tet boundary near obstacles are moved onto them ([chentanez-2007] 3.3.1), and, beyond the
 * paper, those near a sharp edge of an obstacle onto that edge: isosurface stuffing cuts it off otherwise,
 * and up to half a cell of the solid would count as liquid. A vertex stays where it is if its move would
 * flatten one of its tets.
 */
import type { Vec3 } from '../../core/types.ts';
import { computeClearanceNormal, meetPlanes, readPoint, SHARP } from '../../geometry/sharp-edges.ts';
import { computeDistance, dot } from '../../math/vectors.ts';
import { ON_LIQUID, ON_VESSEL, SHAPE_SURFACE, type StuffedMesh } from '../../mesh/lattice/lattice.ts';
import { computeTetVolume } from '../../mesh/quality.ts';
import { SurfaceDistance } from '../../tracking/contouring/distance.ts';
import type { SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { Surroundings } from '../boundary/surroundings.ts';
import type { LiquidModel } from '../liquid/model.ts';

/**
 * Vertices of contact lines nearer to an obstacle than this share of a leaf octant's edge are snapped onto it
 * (3.3.1).
 */
const SNAP_DISTANCE = 1 / 8;
/** Least volume, as a share of the one before, that a tet may keep when a vertex snaps. */
const SNAP_VOLUME = 0.2;
/** Distance from the free surface, in lattice cells, at which a vertex counts as lying on it. */
const ON_FREE_SURFACE = 1e-3;
/** Clearance, in lattice cells, at which a vertex counts as lying on an obstacle. */
const ON_OBSTACLE = 1e-6;
/**
 * Depth inside an obstacle, in lattice cells, at which the middle of a mesh edge shows that a sharp edge is
 * cut off.
 */
const CUT_DEPTH = 0.01;
/** Lattice cells a vertex may move along an obstacle to reach its sharp edge. */
const EDGE_REACH = 0.6;
/** A vertex that cannot move leaves it to the other end of its edge. */
const EDGE_PASSES = 3;
/** Lattice cells over which the obstacle's normal is differenced. */
const DIFFERENCE = 1e-3;
/** Local vertices at the ends of a tet's six edges. */
const TET_EDGES = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3];

type Clearance = (x: number, y: number, z: number) => number;
type Targets = Map<number, Vec3>;

/**
 * Vertices of contact lines lie on chords of a bent obstacle: they move onto it, along the free surface,
 * since leaving that would put the pressure's zero in the wrong place and stir a tilted pool.
 */
export function snapToObstacles(
  model: LiquidModel,
  surroundings: Surroundings,
  mesh: StuffedMesh,
  index: SurfaceIndex,
): void {
  if (!surroundings.solids) return;
  const free = new SurfaceDistance(index);
  const { position, vertexOnSurface } = mesh;
  const h = model.lattice.size;
  const targets: Targets = new Map();
  const at = surroundings.meshClearanceAt;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (vertexOnSurface[v] !== (ON_LIQUID | ON_VESSEL)) continue;
    const x = position[3 * v];
    const y = position[3 * v + 1];
    const z = position[3 * v + 2];
    const clearance = at(x, y, z);
    if (Math.abs(clearance) < ON_OBSTACLE * h || Math.abs(clearance) > SNAP_DISTANCE * h) continue;
    const normal = computeClearanceNormal(at, [x, y, z], DIFFERENCE * h);
    if (dot(normal, normal) === 0) continue;
    let [dx, dy, dz] = normal.map((n) => -n);
    free.signedDistance(x, y, z, 2);
    const { normalX, normalY, normalZ } = free;
    const along = free.found ? dx * normalX + dy * normalY + dz * normalZ : 0;
    const rest = 1 - along * along;
    // Where surface and obstacle are nearly parallel there is no way along the surface.
    if (rest > 0.25) {
      dx = (dx - along * normalX) / rest;
      dy = (dy - along * normalY) / rest;
      dz = (dz - along * normalZ) / rest;
    }
    targets.set(v, [x + clearance * dx, y + clearance * dy, z + clearance * dz]);
  }
  moveVertices(mesh, targets);
}

/**
 * Where a mesh edge joins two sides of a sharp edge through the obstacle, its nearer end moves along its own
 * side to the sharp edge; if that would flatten a tet, its other end. Vertices of the free surface stay: it
 * passes through them.
 */
export function snapToSharpEdges(
  model: LiquidModel,
  surroundings: Surroundings,
  mesh: StuffedMesh,
  index: SurfaceIndex,
): void {
  const h = model.lattice.size;
  const free = new SurfaceDistance(index);
  const held = new Set<number>();
  let cut = findCutEdges(mesh, surroundings, h);
  for (let pass = 0; pass < EDGE_PASSES && cut.length > 0; pass++) {
    const targets = findEdgeTargets(cut, surroundings.meshClearanceAt, mesh.position, free, held, h);
    for (const v of moveVertices(mesh, targets)) held.add(v);
    cut = cut.filter(([a, b]) => isCut(mesh.position, a, b, surroundings.meshClearanceAt, h));
  }
}

/**
 * For each cut mesh edge the nearer of its ends that may move, and the place on the sharp edge it goes to.
 */
function findEdgeTargets(
  cut: readonly (readonly [number, number])[],
  at: Clearance,
  position: Float64Array,
  free: SurfaceDistance,
  held: ReadonlySet<number>,
  h: number,
): Targets {
  const targets: Targets = new Map();
  for (const [a, b] of cut) {
    const p = readPoint(position, a);
    const q = readPoint(position, b);
    const m = computeClearanceNormal(at, p, DIFFERENCE * h);
    const n = computeClearanceNormal(at, q, DIFFERENCE * h);
    if (dot(m, m) === 0 || dot(n, n) === 0 || dot(m, n) > SHARP) continue;
    const ends = [
      { vertex: a, from: p, place: meetPlanes(p, p, m, q, n) },
      { vertex: b, from: q, place: meetPlanes(q, q, n, p, m) },
    ].filter(
      ({ vertex, from, place }) =>
        !held.has(vertex) &&
        computeDistance(from, place) < EDGE_REACH * h &&
        Math.abs(at(...place)) < ON_OBSTACLE * h &&
        !isOnFreeSurface(free, from, h),
    );
    if (ends.length === 0) continue;
    const { vertex, from, place } = ends.reduce((near, end) =>
      computeDistance(end.from, end.place) < computeDistance(near.from, near.place) ? end : near,
    );
    const before = targets.get(vertex);
    if (!before || computeDistance(from, place) < computeDistance(from, before)) targets.set(vertex, place);
  }
  return targets;
}

/** Mesh edges between vertices on obstacles whose middle is well inside one, each once. */
function findCutEdges(mesh: StuffedMesh, surroundings: Surroundings, h: number): [number, number][] {
  const { position, tet, vertexCount } = mesh;
  const onObstacle = findVerticesOnObstacles(mesh, surroundings, h);
  const at = surroundings.meshClearanceAt;
  const seen = new Set<number>();
  const cut: [number, number][] = [];
  for (let t = 0; t < mesh.tetCount; t++) {
    if (mesh.tetShape[t] !== SHAPE_SURFACE) continue;
    for (let n = 0; n < TET_EDGES.length; n += 2) {
      const a = tet[4 * t + TET_EDGES[n]];
      const b = tet[4 * t + TET_EDGES[n + 1]];
      if (onObstacle[a] === 0 || onObstacle[b] === 0) continue;
      const key = Math.min(a, b) * vertexCount + Math.max(a, b);
      if (seen.has(key)) continue;
      seen.add(key);
      if (isCut(position, a, b, at, h)) cut.push([a, b]);
    }
  }
  return cut;
}

function isCut(position: Float64Array, a: number, b: number, at: Clearance, h: number): boolean {
  const x = (position[3 * a] + position[3 * b]) / 2;
  const y = (position[3 * a + 1] + position[3 * b + 1]) / 2;
  const z = (position[3 * a + 2] + position[3 * b + 2]) / 2;
  return at(x, y, z) < -CUT_DEPTH * h;
}

function isOnFreeSurface(free: SurfaceDistance, [x, y, z]: Vec3, h: number): boolean {
  const off = free.signedDistance(x, y, z, 2);
  return free.found && Math.abs(off) < ON_FREE_SURFACE * h;
}

/** Moves vertices one after the other, and back where a tet would be flattened. Returns those that stayed. */
function moveVertices(mesh: StuffedMesh, targets: Targets): number[] {
  const stayed: number[] = [];
  if (targets.size === 0) return stayed;
  const { position, tet } = mesh;
  const moves = new Uint8Array(mesh.vertexCount);
  for (const v of targets.keys()) moves[v] = 1;
  const around = new Map<number, number[]>();
  for (let n = 0; n < tet.length; n++) {
    if (moves[tet[n]] === 0) continue;
    const list = around.get(tet[n]);
    if (list) list.push(n >> 2);
    else around.set(tet[n], [n >> 2]);
  }
  for (const [v, place] of targets) {
    const tets = around.get(v) ?? [];
    const before = tets.map((t) => computeTetVolume(mesh, t));
    const old = readPoint(position, v);
    position.set(place, 3 * v);
    if (tets.every((t, n) => computeTetVolume(mesh, t) >= SNAP_VOLUME * before[n])) continue;
    position.set(old, 3 * v);
    stayed.push(v);
  }
  return stayed;
}

/** 1 for the vertices of the boundary that lie on an obstacle or in it. */
export function findVerticesOnObstacles(
  mesh: StuffedMesh,
  surroundings: Surroundings,
  h: number,
): Uint8Array {
  const onObstacle = new Uint8Array(mesh.vertexCount);
  const { position } = mesh;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (mesh.vertexOnSurface[v] === 0) continue;
    const clearance = surroundings.meshClearanceAt(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
    if (clearance < ON_OBSTACLE * h) onObstacle[v] = 1;
  }
  return onObstacle;
}
