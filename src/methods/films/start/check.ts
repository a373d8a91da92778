/**
 * Refuses scenes that the schema lets pass but that cannot be meant: what names films, regions or places must
 * find them at time 0.
 */
import { InputError } from '../../../core/errors.ts';
import type { Box, Metres, Vec3 } from '../../../core/types.ts';
import { buildMultiMesh } from '../../../tracking/multimaterial/build.ts';
import type { MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import { type Start, showPoint } from '../../../tracking/multimaterial/shapes/check.ts';
import { isInRegion } from '../../../tracking/multimaterial/shapes/nesting.ts';
import type { FilmsOptions } from '../options.ts';
import { REACH } from '../wires/attach.ts';
import { HOLD, Hold, ON_WIRE, type Wire } from '../wires/wires.ts';
import { nameShape } from './check-start.ts';

/** Regions that a message lists one by one. */
const MOST_NAMED = 12;

/** `start`: the films on their wires, found to be closed (check-start.ts). `resolution`: at time 0. */
export function checkModel(
  options: FilmsOptions,
  start: Start,
  wires: readonly Wire[],
  domain: Box,
  resolution: Metres,
): void {
  const mesh = buildMultiMesh(start.surface);
  const { label } = start.surface;
  const openings = new Set(options.openings);
  const isFilm = (f: number) => !openings.has(label[2 * f]) && !openings.has(label[2 * f + 1]);
  checkOpenings(options, start, isFilm);
  checkPlace(start, isFilm, domain);
  checkWires(mesh, wires, (region) => openings.has(region), isFilm, resolution);
  checkPops(options, start, isFilm);
  checkSources(options, start, domain);
}

function checkOpenings({ openings, start: specs }: FilmsOptions, start: Start, isFilm: FaceTest): void {
  const labels = listRegions(start, () => true);
  openings.forEach((region, n) => {
    requireRegion(`films.openings[${n}]`, region, labels);
  });
  const withFilm = new Set(start.faceToShape.filter((_, f) => isFilm(f)));
  specs.forEach(({ type }, n) => {
    if (type === 'frame' && !openings.includes(0))
      throw new InputError(
        nameShape(n),
        `the faces of a frame open into region 0, but films.openings is [${openings.join(', ')}]: they would be films`,
        'add 0 to films.openings',
      );
    if (!withFilm.has(n))
      throw new InputError(
        nameShape(n),
        `none of its faces is a film: all have a region of films.openings, [${openings.join(', ')}], on a side`,
        'take that region out of films.openings, or the shape out of films.start',
      );
  });
}

/** Openings may reach out of the domain: they are only there to close films, and nobody sees them. */
function checkPlace({ surface, faceToShape }: Start, isFilm: FaceTest, { min, max }: Box): void {
  const { position, triangle } = surface;
  for (let h = 0; h < triangle.length; h++) {
    if (!isFilm(Math.floor(h / 3))) continue;
    const x = getPoint(position, triangle[h]);
    if (isInBox(x, min, max)) continue;
    throw new InputError(
      nameShape(faceToShape[Math.floor(h / 3)]),
      `its film at ${showPoint(x)} is outside the domain`,
      `move it, or enlarge the domain, now from ${showPoint(min)} to ${showPoint(max)}`,
    );
  }
}

function checkWires(
  mesh: MultiMesh,
  wires: readonly Wire[],
  isOpening: (region: number) => boolean,
  isFilm: FaceTest,
  resolution: Metres,
): void {
  if (wires.length === 0) return;
  const hold = new Hold(wires, isOpening);
  hold.begin(mesh, resolution);
  const isHolding = new Uint8Array(wires.length);
  const nearest = new Float64Array(wires.length).fill(Infinity);
  for (let h = 0; h < 3 * mesh.faceFill; h++) {
    const v = mesh.face[h];
    if (isFilm(Math.floor(h / 3)) && hold.how(v) === ON_WIRE) isHolding[hold.wireOf(v)] = 1;
  }
  const idle = isHolding.indexOf(0);
  if (idle < 0) return;
  for (let h = 0; h < 3 * mesh.faceFill; h++)
    if (isFilm(Math.floor(h / 3)))
      nearest[idle] = Math.min(
        nearest[idle],
        hold.measureDistance(idle, getPoint(mesh.position, mesh.face[h])),
      );
  const reach = REACH * resolution;
  const isTaken = nearest[idle] <= HOLD * resolution;
  throw new InputError(
    `films.wires[${idle}]`,
    isTaken
      ? 'holds no film: another wire holds all vertices on it'
      : `holds no film: the nearest vertex is ${round(nearest[idle])} m away, and it takes films within ${round(reach)} m that it runs along`,
    isTaken ? 'remove one of the two' : 'lay it along a film',
  );
}

function checkPops({ pops }: FilmsOptions, start: Start, isFilm: FaceTest): void {
  const labels = listRegions(start, isFilm);
  pops.forEach(({ region, into }, n) => {
    requireRegion(`films.pops[${n}].region`, region, labels);
    if (into !== undefined) requireRegion(`films.pops[${n}].into`, into, labels);
  });
}

/** A source that begins later may wait for its bubble to come there, but not outside the domain. */
function checkSources({ sources }: FilmsOptions, start: Start, { min, max }: Box): void {
  const labels = listRegions(start, () => true);
  labels.delete(0);
  sources.forEach(({ region, position, start: begin }, n) => {
    requireRegion(`films.sources[${n}].region`, region, labels);
    if (!position) return;
    const isInDomain = isInBox(position, min, max);
    if (isInDomain && (begin > 0 || isInRegion(start.surface, region, position))) return;
    throw new InputError(
      `films.sources[${n}].position`,
      `${showPoint(position)} is outside ${isInDomain ? `region ${region}` : 'the domain'}`,
      `move it into region ${region}, or leave it out: the air then comes from the middle of the region`,
    );
  });
}

type FaceTest = (f: number) => boolean;

/** Of the faces that pass. */
function listRegions({ surface }: Start, isCounted: FaceTest): Set<number> {
  const labels = new Set<number>();
  for (let h = 0; h < surface.label.length; h++) if (isCounted(h >> 1)) labels.add(surface.label[h]);
  return labels;
}

function requireRegion(where: string, region: number, labels: ReadonlySet<number>): void {
  if (labels.has(region)) return;
  const known = [...labels].sort((a, b) => a - b);
  const list = known.length > MOST_NAMED ? `${known[0]} to ${known.at(-1)}` : known.join(', ');
  throw new InputError(
    where,
    `no film at the start borders on region ${region}; there are ${list}`,
    'name one of them',
  );
}

const round = (x: number) => Number(x.toPrecision(4));
const getPoint = (p: { readonly [i: number]: number }, v: number): Vec3 => [
  p[3 * v],
  p[3 * v + 1],
  p[3 * v + 2],
];
const isInBox = (x: Vec3, min: Vec3, max: Vec3) => x.every((c, k) => c >= min[k] && c <= max[k]);
