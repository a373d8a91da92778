/**
 * Bursting a film ([da-2017] chapter 17): the faces between two regions go, and the regions are one from then
 * on. The film's own circulation is lost to the air; that of the films around stays, made to agree where the
 * two regions' rims met. Cost: linear.
 */
import { NONE } from '../../../core/types.ts';
import type { MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import type { Tracker } from '../../../tracking/multimaterial/tracker.ts';
import type { RegionPotentials } from '../circulation/potentials.ts';

/**
 * Opens all film between two regions; the one with the lower label remains. Returns the number of faces
 * removed.
 */
export function burstFilm(tracker: Tracker, rows: RegionPotentials, a: number, b: number): number {
  const { mesh } = tracker;
  const kept = Math.min(a, b);
  const gone = Math.max(a, b);
  joinPotentials(mesh, rows, kept, gone);
  let removed = 0;
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const front = mesh.label[2 * f] === gone ? kept : mesh.label[2 * f];
    const back = mesh.label[2 * f + 1] === gone ? kept : mesh.label[2 * f + 1];
    if (front === back) {
      mesh.removeFace(f);
      removed++;
    } else if (front !== mesh.label[2 * f] || back !== mesh.label[2 * f + 1]) mesh.setLabels(f, front, back);
  }
  for (let v = 0; v < mesh.vertexFill; v++) if (mesh.isVertex(v)) mesh.removeIsolatedVertex(v);
  tracker.rebuildGrid();
  return removed;
}

/**
 * Potentials of the region that goes become ones of the region that stays, shifted so that the two agree on
 * their film on average.
 */
function joinPotentials(mesh: MultiMesh, rows: RegionPotentials, kept: number, gone: number): void {
  let shift = 0;
  let common = 0;
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    const k = rows.find(v, kept);
    const g = rows.find(v, gone);
    if (k === NONE || g === NONE) continue;
    shift += rows.value[k] - rows.value[g];
    common++;
  }
  if (common > 0) shift /= common;
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    const g = rows.find(v, gone);
    if (g === NONE) continue;
    const k = rows.find(v, kept);
    const value = rows.value[g] + shift;
    rows.drop(v, gone);
    rows.set(v, kept, k === NONE ? value : 0.5 * (value + rows.value[k]));
  }
}

/** Area of the films between a region and each of its neighbours, m^2, by label. */
export function measureFilms(
  mesh: MultiMesh,
  region: number,
  isOpening: (label: number) => boolean,
): Map<number, number> {
  const area = new Map<number, number>();
  const p = mesh.position;
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const side = mesh.label[2 * f] === region ? 0 : mesh.label[2 * f + 1] === region ? 1 : NONE;
    if (side === NONE) continue;
    const other = mesh.label[2 * f + 1 - side];
    if (isOpening(other) || isOpening(region)) continue;
    const [a, b, c] = [3 * mesh.face[3 * f], 3 * mesh.face[3 * f + 1], 3 * mesh.face[3 * f + 2]];
    const u = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const w = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const size =
      Math.hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]) / 2;
    area.set(other, (area.get(other) ?? 0) + size);
  }
  return area;
}

/**
 * The neighbour a bubble opens into: the outside where they touch, else across its largest film; NONE where
 * it has none.
 */
export function findOutlet(films: Map<number, number>): number {
  if (films.has(0)) return 0;
  let best = NONE;
  for (const [label, area] of [...films].sort((x, y) => x[0] - y[0]))
    if (best === NONE || area > films.get(best)!) best = label;
  return best;
}
