/**
 * A block of flat films for the tests of resampling: two by two by two cubes of many faces, whose vertices
 * were shaken within their films and along their curves.
 */
import { createRandom } from '../../../../src/core/random.ts';
import { NONE } from '../../../../src/core/types.ts';
import { createConservation, type Shortfall } from '../../../../src/methods/films/circulation/conserve.ts';
import { RegionPotentials } from '../../../../src/methods/films/circulation/potentials.ts';
import { createResampling } from '../../../../src/methods/films/circulation/resample.ts';
import { buildMultiMesh } from '../../../../src/tracking/multimaterial/build.ts';
import { faceOf, type MultiMesh } from '../../../../src/tracking/multimaterial/mesh.ts';
import { resolveOptions, type TrackerOptions } from '../../../../src/tracking/multimaterial/options.ts';
import { combinePolicies } from '../../../../src/tracking/multimaterial/policy.ts';
import { buildCellBlock } from '../../../../src/tracking/multimaterial/shapes.ts';
import { Tracker } from '../../../../src/tracking/multimaterial/tracker.ts';

/** Potential of a region at a place. */
export type Field = (region: number, x: number, y: number, z: number) => number;

/** Of the squares of the block, m */
export const EDGE = 1 / 16;

export interface Shaken {
  readonly mesh: MultiMesh;
  readonly rows: RegionPotentials;
  readonly tracker: Tracker;
}

export interface ShakenOptions extends Partial<TrackerOptions> {
  /** Without it circulations are interpolated and no more. */
  readonly conserves?: boolean;
  readonly isOpening?: (label: number) => boolean;
  readonly onShort?: (how: Shortfall) => void;
}

export function buildShaken(
  field: Field,
  { conserves = true, isOpening = () => false, onShort = () => {}, ...options }: ShakenOptions,
): Shaken {
  const surface = buildCellBlock(2, 3);
  const random = createRandom(5);
  const position = Float64Array.from(surface.position, (x) => {
    const shift = 0.6 * EDGE * (random.next() - 0.5);
    return Math.abs(2 * x - Math.round(2 * x)) < 1e-9 ? x : x + shift;
  });
  const mesh = buildMultiMesh({ ...surface, position });
  const rows = new RegionPotentials();
  for (let v = 0; v < mesh.vertexFill; v++) {
    // The constant of a vertex means nothing.
    const constant = random.next();
    for (const region of listRegions(mesh, v)) rows.set(v, region, constant + field(region, ...at(mesh, v)));
  }
  const policy = combinePolicies(
    rows,
    createResampling(() => mesh, rows),
    conserves ? createConservation(() => mesh, rows, isOpening, onShort) : {},
  );
  const bounds = resolveOptions({ minEdge: 0.5 * EDGE, maxEdge: 1.5 * EDGE, topology: false, ...options });
  return { mesh, rows, tracker: new Tracker(mesh, bounds, policy) };
}

export const at = ({ position }: MultiMesh, v: number): [number, number, number] => [
  position[3 * v],
  position[3 * v + 1],
  position[3 * v + 2],
];

export function listRegions(mesh: MultiMesh, v: number): number[] {
  const found = new Set<number>();
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c])
    for (let side = 0; side < 2; side++) found.add(mesh.label[2 * faceOf(c) + side]);
  return [...found];
}

export const listVertices = (mesh: MultiMesh): number[] =>
  Array.from({ length: mesh.vertexFill }, (_, v) => v).filter((v) => mesh.isVertex(v));

/** Vertices of faces that lie in none of the block's planes: a collapse may cut its edges off. */
export function listCutVertices(mesh: MultiMesh): number[] {
  const found = new Set<number>();
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const [a, b, c] = [0, 1, 2].map((k) => at(mesh, mesh.face[3 * f + k]));
    const isFlat = a.some((x, k) => Math.abs(x - b[k]) < 1e-9 && Math.abs(x - c[k]) < 1e-9);
    if (!isFlat) for (let k = 0; k < 3; k++) found.add(mesh.face[3 * f + k]);
  }
  return [...found];
}

/** Is a vertex on one of the block's flat films still? At its edges a collapse may leave them. */
export const isFlat = (mesh: MultiMesh, v: number): boolean =>
  at(mesh, v).some((x) => Math.abs(2 * x - Math.round(2 * x)) < 1e-9);
