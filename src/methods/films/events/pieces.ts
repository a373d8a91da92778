/**
 * Bubbles that pinch off a region become regions of their own. Soap films that touch do not run into one
 * another: they share a film from then on. The tracker makes that film where the regions on both sides have
 * different labels, and a hole where they have the same.
 *
 * A hole would also make energy. The potential of the air in a closed bubble is known up to a constant, which
 * means nothing while the bubble is closed (its films' gradients carry all motion) and falls by its
 * overpressure, p / rho in every second. Where the bubble then opened into air of the same label, the
 * difference of the two constants would become a vortex around the hole.
 *
 * Pieces are the tracker's shells; crumbs (compartments.ts) stay with their region, and so does what is open.
 * Cost: linear.
 */
import { NONE } from '../../../core/types.ts';
import { computeWindingNumber } from '../../../geometry/inside.ts';
import { CRUMB, computeVolumes } from '../../../tracking/multimaterial/conservation/compartments.ts';
import type { MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import { findShells } from '../../../tracking/multimaterial/return-volume.ts';
import type { Tracker } from '../../../tracking/multimaterial/tracker.ts';
import type { RegionPotentials } from '../circulation/potentials.ts';

/**
 * Gives every piece that came off its region a label of its own, not below `first`; returns how many.
 * `isGhost`: faces on openings; `meant`: volumes that regions are to have, by label.
 */
export function namePieces(
  tracker: Tracker,
  rows: RegionPotentials,
  isGhost: ((f: number) => boolean) | undefined,
  meant: Map<number, number>,
  first: number,
): number {
  const { mesh } = tracker;
  const { shell, count } = findShells(mesh);
  const pieces = findPieces(tracker, shell, count, isGhost);
  if (pieces.length === 0) return 0;
  let next = first;
  for (let h = 0; h < 2 * mesh.faceFill; h++)
    if (mesh.isFace(h >> 1)) next = Math.max(next, mesh.label[h] + 1);
  const name = new Int32Array(count).fill(NONE);
  for (const piece of pieces) {
    name[piece] = next++;
    for (const hollow of findHollows(mesh, shell, count, piece)) name[hollow] = name[piece];
  }
  takeVolumes(mesh, shell, count, name, meant);
  rename(mesh, rows, shell, name);
  return pieces.length;
}

/**
 * What comes off is no longer meant for the old region; the new one's own volume is set where volumes are
 * kept: it begins with what it has.
 */
function takeVolumes(
  mesh: MultiMesh,
  shell: Int32Array,
  count: number,
  name: Int32Array,
  meant: Map<number, number>,
): void {
  const volume = computeVolumes(mesh, shell, count, mesh.position);
  const from = new Int32Array(count);
  for (let h = 0; h < shell.length; h++) {
    if (shell[h] === NONE) continue;
    volume[shell[h]] -= mesh.debt[h];
    from[shell[h]] = mesh.label[h];
  }
  for (let s = 0; s < count; s++) {
    const own = meant.get(from[s]);
    if (name[s] !== NONE && own !== undefined) meant.set(from[s], own - volume[s]);
  }
}

/**
 * Closed shells with air inside that are neither their region's largest, nor crumbs. Of a region that is open
 * somewhere, or is the outside, all of them.
 */
function findPieces(
  { mesh, length }: Tracker,
  shell: Int32Array,
  count: number,
  isGhost: ((f: number) => boolean) | undefined,
): number[] {
  const volume = computeVolumes(mesh, shell, count, mesh.position);
  const label = new Int32Array(count);
  const isOpen = new Uint8Array(count);
  for (let h = 0; h < shell.length; h++) {
    if (shell[h] === NONE) continue;
    label[shell[h]] = mesh.label[h];
    if (isGhost?.(h >> 1)) isOpen[shell[h]] = 1;
  }
  const main = new Map<number, number>([[0, NONE]]);
  for (let s = 0; s < count; s++) if (isOpen[s]) main.set(label[s], NONE);
  for (let s = 0; s < count; s++) {
    const best = main.get(label[s]);
    if (best === undefined || (best !== NONE && volume[s] > volume[best])) main.set(label[s], s);
  }
  const pieces: number[] = [];
  for (let s = 0; s < count; s++)
    if (!isOpen[s] && s !== main.get(label[s]) && volume[s] > CRUMB * length ** 3) pieces.push(s);
  return pieces;
}

/** Shells of a piece's region around other bubbles inside it. */
function findHollows(mesh: MultiMesh, shell: Int32Array, count: number, piece: number): number[] {
  const { position, face, label } = mesh;
  const firstOf = new Int32Array(count).fill(NONE);
  const corners: number[] = [];
  for (let h = 0; h < shell.length; h++) {
    const s = shell[h];
    if (s === NONE) continue;
    if (firstOf[s] === NONE) firstOf[s] = h;
    const f = 3 * (h >> 1);
    // Outwards: half-faces in front of a face see it from inside.
    if (s === piece)
      corners.push(
        face[f],
        (h & 1) === 1 ? face[f + 1] : face[f + 2],
        (h & 1) === 1 ? face[f + 2] : face[f + 1],
      );
  }
  const triangles = {
    position,
    triangle: Int32Array.from(corners),
    triangleCount: corners.length / 3,
    vertexCount: mesh.vertexFill,
  };
  const hollows: number[] = [];
  for (let s = 0; s < count; s++) {
    const h = firstOf[s];
    if (s === piece || h === NONE || label[h] !== label[firstOf[piece]]) continue;
    const v = 3 * face[3 * (h >> 1)];
    if (computeWindingNumber(triangles, position[v], position[v + 1], position[v + 2]) > 0.5) hollows.push(s);
  }
  return hollows;
}

/**
 * Labels and circulations of shells that have a new name. A vertex where a piece still touches its old region
 * knows both.
 */
function rename(mesh: MultiMesh, rows: RegionPotentials, shell: Int32Array, name: Int32Array): void {
  const { label } = mesh;
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const sides = [2 * f, 2 * f + 1].map((h) => (name[shell[h]] === NONE ? label[h] : name[shell[h]]));
    if (sides[0] === label[2 * f] && sides[1] === label[2 * f + 1]) continue;
    for (let c = 3 * f; c < 3 * f + 3; c++) {
      for (let side = 0; side < 2; side++) {
        const known = rows.find(mesh.face[c], label[2 * f + side]);
        if (sides[side] !== label[2 * f + side] && known !== NONE)
          rows.set(mesh.face[c], sides[side], rows.value[known]);
      }
    }
    mesh.setLabels(f, sides[0], sides[1]);
  }
}
