/**
 * Films take to the wires beside them at time 0: nobody has to lay vertices where a wire runs. In the film, a
 * wire passes between vertices on its one side and on its other. Of those near it, the nearest are moved onto
 * it (snapped); edges that then still cross it get a vertex on it (inserted), and so do all faces at such an
 * edge:
 *
 *        +-------+-------+            +-------+-------+
 *         \     / \     /              \     / \     /
 *   ~~~~~~~\~~~/~~~\~~~/~~  wire        o---o---o---o       o on the wire, with edges along it
 *           \ /     \ /                  \ / \ / \ /
 *            +-------+                    +---o---+         (a vertex close to the wire was moved up)
 *
 * What has vertices on its wires already stays as it is, to the last bit. Cost: linear in films and wires.
 */
import { type F64View, type I32View, type Metres, NONE, type Vec3 } from '../../../core/types.ts';
import { cross, dot, normalise, subtract } from '../../../math/vectors.ts';
import type { Start } from '../../../tracking/multimaterial/shapes/check.ts';
import { findPlace, HOLD, type Place, type Wire } from './wires.ts';

/** A film within this distance of a wire takes to it, in resolutions: farther ones would fold. */
export const REACH = 0.5;
/**
 * Vertices within this distance along the film are moved, rather than edges cut close to them; in
 * resolutions.
 */
const SNAP = 0.25;
/**
 * Edges of a start are about a resolution long: vertices farther from the wire have none that crosses it. In
 * resolutions.
 */
const BAND = REACH + 2;
/**
 * Sine of the angle between the wire and the normal of a film below which it pierces that film instead of
 * running along it.
 */
const ALONG = 0.5;

/**
 * The start with its films on the wires; the start itself where nothing has to change. `check` is told of
 * every wire that changed something.
 */
export function attachWires(
  start: Start,
  wires: readonly Wire[],
  isOpening: (label: number) => boolean,
  resolution: Metres,
  check: (attached: Start, wire: number) => void = () => {},
): Start {
  let attached = start;
  // What any wire has already is left where it is. Vertices that a wire adds come last, and are on it.
  let isHeld = findHeld(start, wires, resolution);
  wires.forEach((wire, n) => {
    const next = attachWire(attached, wire, wires, isOpening, resolution, isHeld);
    if (next === attached) return;
    check(next, n);
    const held = new Uint8Array(next.surface.position.length / 3).fill(1);
    held.set(isHeld);
    isHeld = held;
    attached = next;
  });
  return attached;
}

/** By vertex: 1 where a wire has it. */
function findHeld({ surface }: Start, wires: readonly Wire[], resolution: Metres): Uint8Array {
  const { position } = surface;
  return Uint8Array.from({ length: position.length / 3 }, (_, v) =>
    wires.some((w) => findPlace(w, getPoint(position, v)).distance <= HOLD * resolution) ? 1 : 0,
  );
}

function attachWire(
  start: Start,
  wire: Wire,
  wires: readonly Wire[],
  isOpening: (label: number) => boolean,
  resolution: Metres,
  isHeld: Uint8Array,
): Start {
  const { position, triangle, label } = start.surface;
  const films: number[] = [];
  for (let f = 0; 3 * f < triangle.length; f++)
    if (!isOpening(label[2 * f]) && !isOpening(label[2 * f + 1])) films.push(f);
  const count = position.length / 3;
  const place = Array.from({ length: count }, (_, v) => {
    const found = findPlace(wire, getPoint(position, v));
    return found.distance <= BAND * resolution ? found : undefined;
  });
  const near: NearWire = { position: Float64Array.from(position), triangle, label, films, place, isHeld };
  const snapped = snap(near, resolution);
  const cuts = findCuts(near, wire, wires, resolution);
  if (snapped === 0 && cuts.size === 0) return start;
  return insert(start, near.position, cuts);
}

interface NearWire {
  /** Of the start; those of snapped vertices are on the wire. */
  readonly position: Float64Array;
  readonly triangle: I32View;
  readonly label: I32View;
  /** Faces that are films. */
  readonly films: readonly number[];
  /** By vertex, where it is near the wire. */
  readonly place: readonly (Place | undefined)[];
  /** By vertex: on some wire already. Snapping adds to it. */
  readonly isHeld: Uint8Array;
}

/** Moves the vertices that are nearest to the wire onto it, the nearest of all first, and counts them. */
function snap(near: NearWire, resolution: Metres): number {
  const { triangle, place, isHeld, position } = near;
  const candidates = new Map<number, Metres>();
  for (const f of near.films) {
    for (let i = 0; i < 3; i++) {
      const v = triangle[3 * f + i];
      const side = isHeld[v] ? undefined : measureSide(near, f, v);
      if (side === undefined || place[v]!.distance > REACH * resolution) continue;
      const least = Math.min(Math.abs(side), candidates.get(v) ?? Infinity);
      if (least <= SNAP * resolution) candidates.set(v, least);
    }
  }
  const faces = new Map<number, number[]>([...candidates.keys()].map((v) => [v, []]));
  for (let h = 0; h < triangle.length; h++) faces.get(triangle[h])?.push(Math.floor(h / 3));
  let moved = 0;
  for (const [v] of [...candidates].sort(([v, a], [w, b]) => a - b || v - w)) {
    // With all its corners on the wire a face would have no area.
    const isLast = faces
      .get(v)!
      .some((f) => [0, 1, 2].map((i) => triangle[3 * f + i]).every((w) => w === v || isHeld[w]));
    if (isLast) continue;
    position.set(place[v]!.foot, 3 * v);
    isHeld[v] = 1;
    moved++;
  }
  return moved;
}

/** Edges of films that cross the wire, and where on it their vertex is to be. */
function findCuts(near: NearWire, wire: Wire, wires: readonly Wire[], resolution: Metres): Map<string, Vec3> {
  const { triangle, isHeld, position } = near;
  const cuts = new Map<string, Vec3>();
  for (const f of near.films) {
    for (let i = 0; i < 3; i++) {
      const [a, b] = [triangle[3 * f + i], triangle[3 * f + ((i + 1) % 3)]];
      if (isHeld[a] || isHeld[b] || cuts.has(nameEdge(a, b))) continue;
      const [sideA, sideB] = [measureSide(near, f, a), measureSide(near, f, b)];
      if (sideA === undefined || sideB === undefined || sideA * sideB >= 0) continue;
      const s = sideA / (sideA - sideB);
      const [from, to] = [getPoint(position, a), getPoint(position, b)];
      const crossing = from.map((x, k) => (1 - s) * x + s * to[k]) as unknown as Vec3;
      const { foot, distance } = findPlace(wire, crossing);
      const isTaken = wires.some((w) => w !== wire && findPlace(w, foot).distance <= HOLD * resolution);
      if (distance <= REACH * resolution && !isTaken) cuts.set(nameEdge(a, b), foot);
    }
  }
  return cuts;
}

/**
 * How far a vertex lies to one side of the wire within the film of a face, m; undefined where the wire is far
 * or pierces that film.
 */
function measureSide(
  { position, triangle, label, place }: NearWire,
  f: number,
  v: number,
): Metres | undefined {
  const at = place[v];
  if (!at) return undefined;
  const [a, b, c] = [0, 1, 2].map((i) => getPoint(position, triangle[3 * f + i]));
  const normal = normalise(cross(subtract(b, a), subtract(c, a)));
  const across = cross(at.tangent, normal);
  if (!(Math.hypot(...across) >= ALONG)) return undefined;
  // Faces of one film may be wound either way; their regions turn all to the same side.
  const turn = label[2 * f] < label[2 * f + 1] ? 1 : -1;
  return turn * dot(normalise(across), subtract(getPoint(position, v), at.foot));
}

/** Divides the faces at cut edges, ghosts among them; each part has the regions and the shape of its face. */
function insert(start: Start, moved: Float64Array, cuts: ReadonlyMap<string, Vec3>): Start {
  const { triangle: face, label: side } = start.surface;
  const position = Array.from(moved);
  const edgeToVertex = new Map<string, number>();
  for (const [edge, p] of cuts) edgeToVertex.set(edge, position.push(...p) / 3 - 1);
  const distance = (v: number, w: number) =>
    Math.hypot(...subtract(getPoint(position, v), getPoint(position, w)));
  const triangle: number[] = [];
  const label: number[] = [];
  const faceToShape: number[] = [];
  for (let f = 0; 3 * f < face.length; f++) {
    const corner = [face[3 * f], face[3 * f + 1], face[3 * f + 2]];
    const middle = corner.map((v, i) => edgeToVertex.get(nameEdge(v, corner[(i + 1) % 3])) ?? NONE);
    for (const part of divide(corner, middle, distance)) {
      triangle.push(...part);
      label.push(side[2 * f], side[2 * f + 1]);
      faceToShape.push(start.faceToShape[f]);
    }
  }
  return {
    surface: {
      position: Float64Array.from(position),
      triangle: Int32Array.from(triangle),
      label: Int32Array.from(label),
    },
    faceToShape: Int32Array.from(faceToShape),
  };
}

/**
 * The parts of a face with vertices in its edges: `middle[i]` between corners i and i + 1, or NONE. A part
 * with four corners is cut along its shorter diagonal.
 */
function divide(
  corner: readonly number[],
  middle: readonly number[],
  distance: (v: number, w: number) => Metres,
): number[][] {
  const cuts = middle.filter((v) => v !== NONE).length;
  if (cuts === 0) return [[...corner]];
  // Turned so that the first edge is cut, and with two cuts the second one too.
  const first = cuts === 2 ? (middle.indexOf(NONE) + 1) % 3 : middle.findIndex((v) => v !== NONE);
  const [a, b, c] = [0, 1, 2].map((i) => corner[(first + i) % 3]);
  const [ab, bc, ca] = [0, 1, 2].map((i) => middle[(first + i) % 3]);
  if (cuts === 1)
    return [
      [a, ab, c],
      [ab, b, c],
    ];
  if (cuts === 3)
    return [
      [a, ab, ca],
      [ab, b, bc],
      [ca, bc, c],
      [ab, bc, ca],
    ];
  const rest =
    distance(a, bc) <= distance(ab, c)
      ? [
          [a, ab, bc],
          [a, bc, c],
        ]
      : [
          [a, ab, c],
          [ab, bc, c],
        ];
  return [[ab, b, bc], ...rest];
}

const nameEdge = (a: number, b: number) => `${Math.min(a, b)} ${Math.max(a, b)}`;
const getPoint = (p: F64View | readonly number[], v: number): Vec3 => [p[3 * v], p[3 * v + 1], p[3 * v + 2]];
