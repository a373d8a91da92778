/**
 * Compartments: closed pockets of air whose volume cannot change. A shell is a connected set of half-faces
 * that look into one region (the tracker's findShells); every shell with air inside is a compartment, but for
 * those with a face on an opening, through which air comes and goes, and for crumbs: pieces that a T1 cut off
 * a region, too small for their own volume to be kept on this mesh, count with the largest piece of their
 * region.
 *
 * What a compartment has too much stands on its half-faces as a debt (mesh.debt, m^3), so that it follows the
 * pieces through all edits. Cost: linear.
 */
import { NONE } from '../../../core/types.ts';
import { computeFaceArea, computeTetVolume6 } from '../measure.ts';
import type { MultiMesh } from '../mesh.ts';
import { findShells } from '../return-volume.ts';
import type { Tracker } from '../tracker.ts';

/**
 * Pieces smaller than this many cubes of L, the mean edge, are crumbs: a tetrahedron of edge L has 0.12, an
 * icosahedron 2.2.
 */
export const CRUMB = 1;

export interface Compartments {
  readonly count: number;
  /** (2 faces) compartment that a half-face looks into, or NONE */
  readonly of: Int32Array;
  /** (compartments) label of the region */
  readonly label: Int32Array;
  /** (compartments) is it the largest piece of its region, and no piece of that open? */
  readonly isMain: Uint8Array;
}

/** `isGhost`: faces on openings; undefined where there are none. `crumb`: pieces smaller than this, in L^3, count with the largest of their region. */
export function findCompartments(
  { mesh, length }: Tracker,
  isGhost: ((f: number) => boolean) | undefined,
  crumb = CRUMB,
): Compartments {
  const { shell, count } = findShells(mesh);
  const volume = computeVolumes(mesh, shell, count, mesh.position);
  const label = new Int32Array(count);
  const isOpen = new Uint8Array(count);
  const openLabels = new Set<number>();
  for (let h = 0; h < shell.length; h++) {
    if (shell[h] === NONE) continue;
    label[shell[h]] = mesh.label[h];
    if (!isGhost?.(h >> 1)) continue;
    isOpen[shell[h]] = 1;
    openLabels.add(mesh.label[h]);
  }
  const largest = new Map<number, number>();
  for (let s = 0; s < count; s++) {
    const best = largest.get(label[s]);
    if (!isOpen[s] && volume[s] > (best === undefined ? 0 : volume[best])) largest.set(label[s], s);
  }
  // The outside is what is left: its shells have negative volumes and are no compartments, nor are its
  // crumbs.
  const number = new Int32Array(count).fill(NONE);
  const kept: number[] = [];
  for (let s = 0; s < count; s++) {
    const main = largest.get(label[s]);
    if (main === undefined || isOpen[s] || (label[s] === 0 && !(volume[s] > crumb * length ** 3))) continue;
    if (s === main || volume[s] > crumb * length ** 3) number[s] = kept.push(s) - 1;
  }
  for (let s = 0; s < count; s++) {
    const main = largest.get(label[s]);
    if (number[s] === NONE && !isOpen[s] && main !== undefined && label[s] !== 0) number[s] = number[main];
  }
  return {
    count: kept.length,
    of: shell.map((s) => (s === NONE ? NONE : number[s])),
    label: Int32Array.from(kept, (s) => label[s]),
    isMain: Uint8Array.from(kept, (s) =>
      label[s] !== 0 && largest.get(label[s]) === s && !openLabels.has(label[s]) ? 1 : 0,
    ),
  };
}

/**
 * Volumes enclosed by closed sets of half-faces at these positions (vertices x 3), m^3: tetrahedra about a
 * vertex of the mesh, so that films far from the origin lose no digits.
 */
export function computeVolumes(
  { face, faceFill }: MultiMesh,
  of: Int32Array,
  count: number,
  p: Float64Array,
): Float64Array {
  const volume = new Float64Array(count);
  let apex = NONE;
  for (let f = 0; f < faceFill; f++) {
    const front = of[2 * f];
    const back = of[2 * f + 1];
    if (front === NONE && back === NONE) continue;
    if (apex === NONE) apex = face[3 * f];
    const tet = computeTetVolume6(p, face[3 * f], face[3 * f + 1], face[3 * f + 2], apex) / 6;
    if (back !== NONE) volume[back] -= tet;
    if (front !== NONE) volume[front] += tet;
  }
  return volume;
}

/** What each compartment has too much, m^3, from its half-faces. */
export function computeDebts({ debt }: MultiMesh, { of, count }: Compartments): Float64Array {
  const sum = new Float64Array(count);
  for (let h = 0; h < of.length; h++) if (of[h] !== NONE) sum[of[h]] += debt[h];
  return sum;
}

/**
 * Writes debts back, spread over each compartment by area, so that its parts share them if it comes apart;
 * what is no compartment owes nothing.
 */
export function spreadDebts(mesh: MultiMesh, { of, count }: Compartments, debt: Float64Array): void {
  const area = new Float64Array(count);
  const faceArea = new Float64Array(mesh.faceFill);
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    faceArea[f] = computeFaceArea(mesh, f);
    if (of[2 * f] !== NONE) area[of[2 * f]] += faceArea[f];
    if (of[2 * f + 1] !== NONE) area[of[2 * f + 1]] += faceArea[f];
  }
  for (let h = 0; h < 2 * mesh.faceFill; h++) {
    if (!mesh.isFace(h >> 1)) continue;
    const c = of[h];
    const share = c === NONE || area[c] === 0 ? 0 : (debt[c] * faceArea[h >> 1]) / area[c];
    if (share !== mesh.debt[h]) mesh.setDebt(h, share);
  }
}
