/**
 * Whether the films at time 0 are what the tracker can move: every region closed, no film through another,
 * every part in the region it says is around it. Each problem is named with its entry of films.start.
 */
import { InputError } from '../../../core/errors.ts';
import { buildMultiMesh } from '../../../tracking/multimaterial/build.ts';
import { faceOf, type MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import {
  findCorner,
  refuseCrossings,
  refuseFlat,
  refuseMisplaced,
  type Start,
  type StartNames,
  showPoint,
} from '../../../tracking/multimaterial/shapes/check.ts';
import { findDefects } from '../../../tracking/multimaterial/validate.ts';
import type { StartSpec } from './options.ts';

export const nameShape = (n: number) => `films.start[${n}]`;

const names: StartNames = {
  nameShape,
  surfaces: 'their films, or what closes openings,',
  apart:
    'move them apart; bubbles that share films are one shape: double-bubble, boxes, voronoi or revolution',
  out: 'move it out of there, or describe both as one revolution with the regions between them',
};

export function checkStart(specs: readonly StartSpec[], start: Start): void {
  refuseFlat(start, names);
  refuseDefects(specs, start, buildMultiMesh(start.surface));
  refuseCrossings(start, names);
  refuseMisplaced(start, names);
}

/** The same of films that were well before they were drawn onto a wire. */
export function checkAttached(specs: readonly StartSpec[], start: Start, wire: number): void {
  try {
    checkStart(specs, start);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      `films.wires[${wire}]`,
      `drawn onto it, ${error.where} ${error.what}`,
      'move it onto one film and away from other wires, or make the resolution finer',
      { cause: error },
    );
  }
}

function refuseDefects(specs: readonly StartSpec[], { surface, faceToShape }: Start, mesh: MultiMesh): void {
  const { unchained, duplicate, open } = findDefects(mesh);
  if (unchained.length > 0) {
    const e = unchained[0];
    const n = faceToShape[faceOf(mesh.edgeCorner[e])];
    const v = 3 * mesh.edgeVertex[2 * e];
    const what = open.length > 0 ? `leave region ${open.join(' and ')} open` : 'have regions that do not fit';
    throw new InputError(
      nameShape(n),
      `${unchained.length} edges, the first at ${showPoint([...mesh.position.subarray(v, v + 3)])}, ${what}`,
      specs[n].type === 'revolution'
        ? 'let every profile end on the axis or where others end, with one region between neighbours; close open films by sheets to a region in films.openings'
        : 'change its measures, or make the resolution finer',
    );
  }
  if (duplicate.length > 0)
    throw new InputError(
      nameShape(faceToShape[duplicate[0]]),
      `${duplicate.length} triangles lie on others, the first at ${showPoint(findCorner(surface, duplicate[0]))}`,
      'do not cover a film twice',
    );
}
