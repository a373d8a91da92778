/**
 * Circulation around the hole of a ring ([da-2017] 22.2 leaves it out). The liquid's velocity is then
 *     u = grad s + C b,    b = a x r / (2 pi r^2),
 * C the circulation, b the flow around a straight vortex along axis a that leads through the hole, in the
 * air, and r the way from it. s is a potential as other bodies have. Kelvin: nothing changes C as long as
 * there is a hole.
 *
 * The whole potential is phi = s + C beta, beta the angle about the axis in turns, so that phi is known up to
 * multiples of C; that is what the state holds. The line is chosen anew in every step, which changes s and no
 * velocity. Integrals of b over the liquid are integrals over its surface, as b = rot(psi a) with
 * psi = -log(r) / 2 pi.
 */
import { NONE } from '../../../core/types.ts';
import { SymmetricEigen } from '../../../math/symmetric-eigen.ts';
import { computeDoubleArea } from '../../../math/triangle.ts';
import { triangleRules } from '../../../math/triangle-rules.ts';
import type { Body } from './body.ts';
import type { Triple } from './moments.ts';

/**
 * Largest difference of s along an edge, in circulations, with which a line counts as leading through the
 * hole.
 */
const SINGLE = 0.5;
const POINTS = 7;

export interface Swirl {
  /** C, m^2/s */
  readonly circulation: number;
  /** A point of the line, and its direction */
  readonly centre: Readonly<Triple>;
  readonly axis: Readonly<Triple>;
  /** (vertices) beta, turns */
  readonly angle: Float64Array;
}

/** C b at a place. */
export function setSwirlVelocity(
  { circulation, centre, axis }: Swirl,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): void {
  const [dx, dy, dz] = [x - centre[0], y - centre[1], z - centre[2]];
  const along = dx * axis[0] + dy * axis[1] + dz * axis[2];
  const [rx, ry, rz] = [dx - along * axis[0], dy - along * axis[1], dz - along * axis[2]];
  const scale = circulation / (2 * Math.PI * (rx * rx + ry * ry + rz * rz));
  out[0] = scale * (axis[1] * rz - axis[2] * ry);
  out[1] = scale * (axis[2] * rx - axis[0] * rz);
  out[2] = scale * (axis[0] * ry - axis[1] * rx);
}

/** Handles of a closed surface in so many pieces, by Euler's formula. */
export const countHandles = ({ vertexCount, faceCount }: Body, pieces: number): number =>
  pieces - (vertexCount - faceCount / 2) / 2;

/**
 * Makes of the whole potential (up to multiples of the circulation) that of the rest of the flow, s, by the
 * line along a principal axis that leaves the fewest jumps in it: none where the line leads through the hole.
 */
function takeSwirl(
  body: Body,
  circulation: number,
  potential: Float64Array,
): { swirl: Swirl; jumps: number } {
  const { centre: middle, axes } = findPrincipalAxes(body);
  let best: { swirl: Swirl; jumps: number; rest: Float64Array } | undefined;
  for (const axis of axes) {
    const centre = findHole(body, middle, axis);
    const angle = computeAngles(body, centre, axis);
    const rest = potential.map((phi, v) => phi - circulation * angle[v]);
    const jumps = unwrapPotential(body, circulation, rest);
    if (best && jumps >= best.jumps) continue;
    // The branch of each vertex's angle is that with which phi is what was given.
    for (let v = 0; v < rest.length; v++) angle[v] = (potential[v] - rest[v]) / circulation;
    best = { swirl: { circulation, centre, axis, angle }, jumps, rest };
    if (jumps === 0) break;
  }
  potential.set(best!.rest);
  return best!;
}

/**
 * The same for a body of so many closed pieces, its own surface and those of its bubbles. Where a body's hole
 * has closed, or is narrower than its edges, the vortex would stand in the liquid, which has no eddies: its
 * flow is left out from then on. Where the body has come apart elsewhere, so that it is no ring any more, the
 * potential has one value at each vertex by itself, and nothing is lost.
 */
export function findSwirl(
  body: Body,
  pieces: number,
  circulation: number,
  potential: Float64Array,
): Swirl | undefined {
  if (circulation === 0) return undefined;
  const isRing = countHandles(body, pieces) >= 1;
  if (!isRing) {
    const whole = potential.slice();
    if (unwrapPotential(body, circulation, potential) === 0) return undefined;
    potential.set(whole);
  }
  const { swirl, jumps } = takeSwirl(body, circulation, potential);
  if (isRing && jumps === 0 && isWide(body, swirl)) return swirl;
  if (jumps > 0) smoothJumps(body, circulation, potential);
  return undefined;
}

/** Sweeps by which values at jumps become means of those around. */
const SWEEPS = 20;

/** Where a hole closed in one step a few edges keep a jump, and would make jets of it. */
function smoothJumps(
  { vertexCount, triangle, cornerStart, vertexCorner }: Body,
  period: number,
  potential: Float64Array,
): void {
  const isTorn = new Uint8Array(vertexCount);
  for (let c = 0; c < triangle.length; c++) {
    const [v, w] = [triangle[c], triangle[c % 3 === 2 ? c - 2 : c + 1]];
    if (Math.abs(potential[v] - potential[w]) > SINGLE * Math.abs(period)) isTorn[v] = isTorn[w] = 1;
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (let v = 0; v < vertexCount; v++) {
      if (!isTorn[v]) continue;
      let sum = 0;
      for (let n = cornerStart[v]; n < cornerStart[v + 1]; n++) {
        const c = vertexCorner[n];
        sum += potential[triangle[c % 3 === 2 ? c - 2 : c + 1]];
      }
      potential[v] = sum / (cornerStart[v + 1] - cornerStart[v]);
    }
}

/** Narrowest that a hole may be, from its line, in mean edges. */
const NARROWEST = 1;

function isWide({ position: p, triangle, vertexCount, faceCount }: Body, { centre, axis }: Swirl): boolean {
  let least = Infinity;
  for (let v = 0; v < vertexCount; v++) {
    const x = [0, 1, 2].map((k) => p[3 * v + k] - centre[k]);
    const along = x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2];
    least = Math.min(least, x[0] ** 2 + x[1] ** 2 + x[2] ** 2 - along ** 2);
  }
  let area = 0;
  for (let f = 0; f < faceCount; f++)
    area += computeDoubleArea(p, 3 * triangle[3 * f], 3 * triangle[3 * f + 1], 3 * triangle[3 * f + 2]) / 2;
  // Of even triangles.
  const edge2 = (4 / Math.sqrt(3)) * (area / faceCount);
  return least > NARROWEST ** 2 * edge2;
}

/** The middle of a surface, and its principal axes both ways, the one it is thinnest along first. */
function findPrincipalAxes({ position: p, triangle, faceCount }: Body) {
  const moments = new Float64Array(10);
  for (let f = 0; f < faceCount; f++) {
    const [a, b, c] = triangle.subarray(3 * f, 3 * f + 3);
    const area = Math.hypot(...computeAreaVector(p, 3 * a, 3 * b, 3 * c));
    const x = [0, 1, 2].map((k) => (p[3 * a + k] + p[3 * b + k] + p[3 * c + k]) / 3);
    moments[9] += area;
    for (let i = 0, n = 3; i < 3; i++) {
      moments[i] += area * x[i];
      for (let j = i; j < 3; j++, n++) moments[n] += area * x[i] * x[j];
    }
  }
  const centre = [0, 1, 2].map((k) => moments[k] / moments[9]) as Triple;
  const [x, y, z] = centre;
  const own = [x * x, x * y, x * z, y * y, y * z, z * z].map((c, n) => moments[3 + n] - moments[9] * c);
  const eigen = new SymmetricEigen();
  eigen.solve(own[0], own[1], own[2], own[3], own[4], own[5]);
  const axes = [2, 1, 0].flatMap((n) =>
    [1, -1].map((sign) => [0, 1, 2].map((k) => sign * eigen.vector[3 * n + k]) as Triple),
  );
  return { centre, axes };
}

/** A flow around the axis a ring is thinnest along. */
export function startSwirl(body: Body, circulation: number): Swirl {
  const { centre: middle, axes } = findPrincipalAxes(body);
  const centre = findHole(body, middle, axes[0]);
  return { circulation, centre, axis: axes[0], angle: computeAngles(body, centre, axes[0]) };
}

/** Sectors around an axis, and rounds, by which the middle of a hole is found. */
const SECTORS = 16;
const ROUNDS = 3;

/**
 * The middle of the vertices that are nearest to an axis, sector by sector: as far from all sides as may be.
 */
function findHole(body: Body, middle: Triple, axis: Triple): Triple {
  const { position: p, vertexCount } = body;
  let centre = middle;
  for (let n = 0; n < ROUNDS; n++) {
    const angle = computeAngles(body, centre, axis);
    const nearest = new Int32Array(SECTORS).fill(NONE);
    const least = new Float64Array(SECTORS).fill(Infinity);
    for (let v = 0; v < vertexCount; v++) {
      const x = [0, 1, 2].map((k) => p[3 * v + k] - centre[k]);
      const along = x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2];
      const r = x[0] ** 2 + x[1] ** 2 + x[2] ** 2 - along ** 2;
      const sector = Math.floor(SECTORS * (angle[v] + 0.5)) % SECTORS;
      if (r >= least[sector]) continue;
      least[sector] = r;
      nearest[sector] = v;
    }
    const found = nearest.filter((v) => v !== NONE);
    centre = [0, 1, 2].map((k) => found.reduce((sum, v) => sum + p[3 * v + k], 0) / found.length) as Triple;
  }
  return centre;
}

/** Gives the whole potential back. */
export function giveSwirl({ circulation, angle }: Swirl, potential: Float64Array): void {
  for (let v = 0; v < potential.length; v++) potential[v] += circulation * angle[v];
}

/**
 * After vertices have moved: beta where they now are, and s less by what C beta has gained, so that phi
 * stays.
 */
export function followSwirl(body: Body, swirl: Swirl, potential: Float64Array): void {
  const now = computeAngles(body, swirl.centre, swirl.axis);
  for (let v = 0; v < now.length; v++) {
    const change = now[v] - swirl.angle[v];
    const least = change - Math.round(change);
    swirl.angle[v] += least;
    potential[v] -= swirl.circulation * least;
  }
}

/** (vertices) turns, from -1/2 to 1/2 */
function computeAngles({ position: p, vertexCount }: Body, c: Readonly<Triple>, a: Readonly<Triple>) {
  // Two directions across the axis.
  const k = a.reduce((least, x, n) => (Math.abs(x) < Math.abs(a[least]) ? n : least), 0);
  const e = [0, 1, 2].map((n) => (n === k ? 1 : 0) - a[k] * a[n]);
  const length = Math.hypot(...e);
  const u = e.map((x) => x / length);
  const w = [a[1] * u[2] - a[2] * u[1], a[2] * u[0] - a[0] * u[2], a[0] * u[1] - a[1] * u[0]];
  const angle = new Float64Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    const [x, y, z] = [p[3 * v] - c[0], p[3 * v + 1] - c[1], p[3 * v + 2] - c[2]];
    angle[v] = Math.atan2(x * w[0] + y * w[1] + z * w[2], x * u[0] + y * u[1] + z * u[2]) / (2 * Math.PI);
  }
  return angle;
}

/**
 * Adds multiples of the period so that values along edges differ by less than half of one; returns along how
 * many they still do, around a handle.
 */
function unwrapPotential(
  { vertexCount, triangle, cornerStart, vertexCorner }: Body,
  period: number,
  potential: Float64Array,
): number {
  const isDone = new Uint8Array(vertexCount);
  const queue = new Int32Array(vertexCount);
  for (let first = 0; first < vertexCount; first++) {
    if (isDone[first]) continue;
    isDone[first] = 1;
    queue[0] = first;
    for (let head = 0, tail = 1; head < tail; head++) {
      const v = queue[head];
      for (let n = cornerStart[v]; n < cornerStart[v + 1]; n++) {
        const c = vertexCorner[n];
        const w = triangle[c % 3 === 2 ? c - 2 : c + 1];
        if (isDone[w]) continue;
        isDone[w] = 1;
        potential[w] += period * Math.round((potential[v] - potential[w]) / period);
        queue[tail++] = w;
      }
    }
  }
  let jumps = 0;
  for (let c = 0; c < triangle.length; c++) {
    const rise = potential[triangle[c]] - potential[triangle[c % 3 === 2 ? c - 2 : c + 1]];
    if (Math.abs(rise) > SINGLE * Math.abs(period)) jumps++;
  }
  return jumps;
}

/**
 * What the flow C b carries through the surface: by hat function, m^3/s, added; and its mean over faces, m/s,
 * added.
 */
export function addSwirlFlux(
  { triangle, position: p, faceCount, vertexCount }: Body,
  swirl: Swirl,
  flux: Float64Array,
  normalVelocity: Float64Array,
): void {
  const { weight, share } = triangleRules[POINTS];
  const u = new Float64Array(3);
  const own = new Float64Array(vertexCount);
  let sum = 0;
  let size = 0;
  for (let f = 0; f < faceCount; f++) {
    const [a, b, c] = triangle.subarray(3 * f, 3 * f + 3);
    const n = computeAreaVector(p, 3 * a, 3 * b, 3 * c);
    const area = Math.hypot(...n);
    if (area === 0) continue;
    let through = 0;
    for (let q = 0; q < POINTS; q++) {
      const [i, j, k] = [weight[3 * q], weight[3 * q + 1], weight[3 * q + 2]];
      const at = (m: number) => i * p[3 * a + m] + j * p[3 * b + m] + k * p[3 * c + m];
      setSwirlVelocity(swirl, at(0), at(1), at(2), u);
      const part = share[q] * (u[0] * n[0] + u[1] * n[1] + u[2] * n[2]);
      through += part;
      own[a] += i * part;
      own[b] += j * part;
      own[c] += k * part;
    }
    normalVelocity[f] += through / area;
    sum += through;
  }
  // Nothing goes in or out; what the rule leaves is shared by size.
  for (const w of own) size += Math.abs(w);
  for (let v = 0; v < vertexCount; v++) flux[v] += own[v] - (size > 0 ? (sum * Math.abs(own[v])) / size : 0);
}

export interface SwirlMoments {
  /** Integrals of C b, m^4/s, of (x - centre) x C b, m^5/s, and of (C b)^2, m^5/s^2 */
  readonly impulse: Triple;
  readonly turn: Triple;
  readonly square: number;
}

/** Over the liquid, about a place. */
export function measureSwirl(
  { triangle, position: p, faceCount }: Body,
  { circulation, centre, axis }: Swirl,
  about: Readonly<Triple>,
): SwirlMoments {
  const { weight, share } = triangleRules[POINTS];
  const impulse: Triple = [0, 0, 0];
  const turn: Triple = [0, 0, 0];
  let square = 0;
  let inside = 0;
  for (let f = 0; f < faceCount; f++) {
    const [a, b, c] = triangle.subarray(3 * f, 3 * f + 3);
    const n = computeAreaVector(p, 3 * a, 3 * b, 3 * c);
    const across: Triple = [
      n[1] * axis[2] - n[2] * axis[1],
      n[2] * axis[0] - n[0] * axis[2],
      n[0] * axis[1] - n[1] * axis[0],
    ];
    for (let q = 0; q < POINTS; q++) {
      const [i, j, k] = [weight[3 * q], weight[3 * q + 1], weight[3 * q + 2]];
      const x = [0, 1, 2].map((m) => i * p[3 * a + m] + j * p[3 * b + m] + k * p[3 * c + m] - centre[m]);
      const along = x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2];
      const r = x.map((y, m) => y - along * axis[m]);
      const rr = r[0] ** 2 + r[1] ** 2 + r[2] ** 2;
      const log = 0.5 * Math.log(rr);
      const psi = (-share[q] * log) / (2 * Math.PI);
      const out = share[q] * (r[0] * n[0] + r[1] * n[1] + r[2] * n[2]);
      const away = x[0] * n[0] + x[1] * n[1] + x[2] * n[2];
      for (let m = 0; m < 3; m++) {
        impulse[m] += psi * across[m];
        turn[m] += psi * (along * n[m] - away * axis[m]);
      }
      inside -= (out * (0.5 * log - 0.25)) / (2 * Math.PI);
      square += (out * log) / (4 * Math.PI ** 2 * rr);
    }
  }
  const [dx, dy, dz] = centre.map((x, m) => x - about[m]);
  const shift = [
    dy * impulse[2] - dz * impulse[1],
    dz * impulse[0] - dx * impulse[2],
    dx * impulse[1] - dy * impulse[0],
  ];
  return {
    impulse: impulse.map((x) => circulation * x) as Triple,
    turn: turn.map((x, m) => circulation * (x + 2 * inside * axis[m] + shift[m])) as Triple,
    square: circulation ** 2 * square,
  };
}

/** Half the cross product of two edges. */
function computeAreaVector(p: Float64Array, a: number, b: number, c: number): Triple {
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [wx, wy, wz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  return [0.5 * (uy * wz - uz * wy), 0.5 * (uz * wx - ux * wz), 0.5 * (ux * wy - uy * wx)];
}

/** What of the integral of the square of the velocity sum s W does not have, m^5/s^2, W of all flow. */
export function measureSwirlEnergy(body: Body, swirl: Swirl, potential: Float64Array): number {
  const own = new Float64Array(body.vertexCount);
  addSwirlFlux(body, swirl, own, new Float64Array(body.faceCount));
  let cross = 0;
  for (let v = 0; v < own.length; v++) cross += potential[v] * own[v];
  return cross + measureSwirl(body, swirl, swirl.centre).square;
}

/** Velocities at places (n x 3) without C b. */
export function takeSwirlVelocity(place: Float64Array, swirl: Swirl, velocity: Float64Array): Float64Array {
  const rest = velocity.slice();
  const u = new Float64Array(3);
  for (let n = 0; n < place.length; n += 3) {
    setSwirlVelocity(swirl, place[n], place[n + 1], place[n + 2], u);
    for (let k = 0; k < 3; k++) rest[n + k] -= u[k];
  }
  return rest;
}
