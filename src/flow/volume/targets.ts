/**
 * What each piece of the liquid should hold. A new piece comes from the old ones that the paths back from its
 * surface lead to; old and new pieces that hang together so form a group, and a group's new pieces share what
 * its old ones should have held, in proportion to their contours. So the pieces' targets always add up to
 * what is in the scene, and a drop in flight neither takes nor gives.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Seconds } from '../../core/types.ts';
import { SurfaceDistance } from '../../tracking/contouring/distance.ts';
import type { Pieces } from '../../tracking/contouring/pieces.ts';
import type { TrackedSurface } from '../../tracking/contouring/surface.ts';
import type { LiquidModel } from '../liquid/model.ts';
import type { LiquidState } from '../liquid/state.ts';
import { advectPoints } from '../velocity/advect-points.ts';
import type { MeshVelocity } from '../velocity/mesh-velocity.ts';

/** Vertices of a piece whose paths are followed back. */
const SAMPLES = 48;
/** Rings of contouring cells around a path's end in which its piece is sought. */
const SEARCH_RINGS = 3;

/**
 * Targets of the new pieces. old: those of the old ones. origin: the old pieces that each new one comes from.
 * lost: the old pieces that nothing comes from, with their targets.
 */
export function inheritTargets(
  pieces: Pieces,
  old: Float64Array,
  origin: readonly ReadonlySet<number>[],
): { target: Float64Array; lost: Map<number, number> } {
  const group = new Int32Array(old.length);
  for (let p = 0; p < group.length; p++) group[p] = p;
  const find = (p: number): number => {
    while (group[p] !== p) p = group[p];
    return p;
  };
  for (const from of origin) {
    let first = NONE;
    for (const p of from) {
      const root = find(p);
      if (first === NONE) first = root;
      else if (root !== first) {
        const low = Math.min(root, first);
        group[Math.max(root, first)] = low;
        first = low;
      }
    }
  }
  const owed = new Float64Array(old.length);
  for (let p = 0; p < old.length; p++) owed[find(p)] += old[p];
  const held = new Float64Array(old.length);
  for (let n = 0; n < pieces.count; n++)
    for (const p of origin[n]) {
      held[find(p)] += pieces.volume[n];
      break;
    }
  const target = new Float64Array(pieces.count);
  for (let n = 0; n < pieces.count; n++)
    for (const p of origin[n]) {
      const root = find(p);
      target[n] = held[root] > 0 ? (owed[root] * pieces.volume[n]) / held[root] : 0;
      break;
    }
  const lost = new Map<number, number>();
  for (let p = 0; p < old.length; p++) if (!(held[find(p)] > 0)) lost.set(p, old[p]);
  return { target, lost };
}

/** The old pieces that the paths back from each new piece lead to, and how fast its surface moved. */
export function findOrigins(
  model: LiquidModel,
  state: LiquidState,
  flow: MeshVelocity,
  dt: Seconds,
  surface: TrackedSurface,
  pieces: Pieces,
  scratch: HeapScope,
): { from: Set<number>[]; velocity: Float64Array } {
  const sample = pickVertices(surface, pieces);
  const point = scratch.f64(Math.max(1, 3 * sample.length));
  const end = scratch.f64(Math.max(1, 3 * sample.length));
  for (let n = 0; n < sample.length; n++)
    for (let a = 0; a < 3; a++) point[3 * n + a] = surface.position[3 * sample[n] + a];
  advectPoints(model, flow, -dt, point, sample.length, end);
  const distance = new SurfaceDistance(state.derived.surfaceIndex);
  const from = Array.from({ length: pieces.count }, () => new Set<number>());
  const velocity = new Float64Array(3 * pieces.count);
  const counts = new Float64Array(pieces.count);
  const old = state.derived.pieces.vertexPiece;
  for (let n = 0; n < sample.length; n++) {
    const p = pieces.vertexPiece[sample[n]];
    counts[p]++;
    for (let a = 0; a < 3; a++) velocity[3 * p + a] += (point[3 * n + a] - end[3 * n + a]) / dt;
    distance.signedDistance(end[3 * n], end[3 * n + 1], end[3 * n + 2], SEARCH_RINGS);
    if (!distance.found) continue;
    const piece = old[distance.nearestVertex()];
    if (piece !== NONE) from[p].add(piece);
  }
  for (let p = 0; p < pieces.count; p++)
    for (let a = 0; a < 3; a++) velocity[3 * p + a] /= Math.max(1, counts[p]);
  return { from, velocity };
}

/** SAMPLES vertices of each piece, spread over their numbers. */
function pickVertices(surface: TrackedSurface, { vertexPiece, inCavity, count }: Pieces): number[] {
  const total = new Float64Array(count);
  const counts = (v: number) => vertexPiece[v] !== NONE && inCavity[v] === 0;
  for (let v = 0; v < surface.vertexCount; v++) if (counts(v)) total[vertexPiece[v]]++;
  const seen = new Float64Array(count);
  const picked: number[] = [];
  for (let v = 0; v < surface.vertexCount; v++) {
    if (!counts(v)) continue;
    const p = vertexPiece[v];
    const step = Math.max(1, Math.floor(total[p] / SAMPLES));
    if (seen[p]++ % step === 0) picked.push(v);
  }
  return picked;
}
