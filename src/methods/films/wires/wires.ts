/**
 * Wires ([da-2017] 15.6): curves that hold the vertices on them, at rest or in rigid motion. A held vertex
 * keeps its place on the wire in the wire's rest pose; where the wire goes, it goes. Vertices of openings (no
 * film) ride along with the wire next to them, so that ghost faces follow moving rims.
 *
 * As a policy of the tracker: a vertex split into a held edge is held, one that a held vertex collapses into
 * takes its place.
 */
import { NONE, type Seconds, type Vec3 } from '../../../core/types.ts';
import { computePointVelocity, movePoint, type RigidMotion } from '../../../geometry/rigid-motion.ts';
import { normalise } from '../../../math/vectors.ts';
import { buildMotion } from '../../../scene/motion.ts';
import type { WireSpec } from '../../../scene/schema-wires.ts';
import type { MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import { faceOf } from '../../../tracking/multimaterial/mesh.ts';
import { type VertexPolicy, VertexValues } from '../../../tracking/multimaterial/policy.ts';

/** A vertex this near a wire at the start is held by it, in resolutions. */
export const HOLD = 1e-3;
/**
 * The middle of a wire's edge lies off the curve by its sagitta at most; a chord across the film by far more.
 * Share of the edge's length.
 */
const SAGITTA = 0.15;
/** A point this near the end of a part of a polyline, in lengths of the part, is on its corner. */
const CORNER = 1e-9;

export interface Wire {
  /** The point of the wire in its rest pose that is nearest to x. */
  findNearest(x: Vec3): Vec3;
  /** Unit vector along the wire at a point of it in its rest pose; between its two sides at a corner. */
  findTangent(p: Vec3): Vec3;
  readonly motion: RigidMotion | undefined;
}

export function buildWire(spec: WireSpec): Wire {
  const motion = spec.motion ? buildMotion(spec.motion) : undefined;
  if (spec.type === 'ring') {
    const { centre, radius } = spec;
    const size = Math.hypot(...spec.axis);
    const axis = spec.axis.map((a) => a / size);
    const least = axis.reduce((found, a, k) => (Math.abs(a) < Math.abs(axis[found]) ? k : found), 0);
    const across = axis.map((a, k) => (k === least ? 1 : 0) - axis[least] * a);
    const anyNormal = across.map((c) => c / Math.hypot(...across));
    return {
      motion,
      findNearest(x) {
        const d = x.map((c, k) => c - centre[k]);
        const along = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2];
        const flat = d.map((c, k) => c - along * axis[k]);
        const r = Math.hypot(flat[0], flat[1], flat[2]);
        // On the axis all points of the ring are as near: without one of them the centre itself would count
        // as on the wire.
        const away = r > 0 ? flat.map((c) => c / r) : anyNormal;
        return away.map((c, k) => centre[k] + radius * c) as unknown as Vec3;
      },
      findTangent(p) {
        const d = p.map((c, k) => c - centre[k]);
        return normalise([
          axis[1] * d[2] - axis[2] * d[1],
          axis[2] * d[0] - axis[0] * d[2],
          axis[0] * d[1] - axis[1] * d[0],
        ]);
      },
    };
  }
  const points = spec.closed ? [...spec.points, spec.points[0]] : spec.points;
  /** The point of a part that is nearest to x, and how far that is, m^2. */
  const findInPart = (n: number, x: Vec3): { p: Vec3; distance2: number } => {
    const a = points[n - 1];
    const d = points[n].map((c, k) => c - a[k]);
    const length2 = d[0] ** 2 + d[1] ** 2 + d[2] ** 2;
    const dot = d.reduce((sum, c, k) => sum + c * (x[k] - a[k]), 0);
    const s = Math.min(1, Math.max(0, length2 > 0 ? dot / length2 : 0));
    const p = a.map((c, k) => c + s * d[k]) as unknown as Vec3;
    return { p, distance2: (p[0] - x[0]) ** 2 + (p[1] - x[1]) ** 2 + (p[2] - x[2]) ** 2 };
  };
  return {
    motion,
    findNearest(x) {
      let best: Vec3 = points[0];
      let least = Infinity;
      for (let n = 1; n < points.length; n++) {
        const { p, distance2 } = findInPart(n, x);
        if (distance2 < least) {
          least = distance2;
          best = p;
        }
      }
      return best;
    },
    findTangent(p) {
      const parts = points.slice(1).map((_, n) => findInPart(n + 1, p));
      const lengths = points.slice(1).map((c, n) => Math.hypot(...c.map((x, k) => x - points[n][k])));
      const least = Math.min(...parts.map(({ distance2 }) => distance2));
      const sum: [number, number, number] = [0, 0, 0];
      parts.forEach(({ distance2 }, n) => {
        // Rounding parts the two sides of a corner.
        if (lengths[n] === 0 || distance2 > least + (CORNER * lengths[n]) ** 2) return;
        for (let k = 0; k < 3; k++) sum[k] += (points[n + 1][k] - points[n][k]) / lengths[n];
      });
      return normalise(sum);
    },
  };
}

/** How a point lies to a wire at time 0. */
export interface Place {
  /** The point of the wire that is nearest, and the unit vector along the wire there. */
  readonly foot: Vec3;
  readonly tangent: Vec3;
  /** m */
  readonly distance: number;
}

export function findPlace(wire: Wire, x: Vec3): Place {
  const rest = toRest(wire, x, 0);
  const foot = wire.findNearest(rest);
  const tangent = wire.findTangent(foot);
  const distance = Math.hypot(foot[0] - rest[0], foot[1] - rest[1], foot[2] - rest[2]);
  const pose = wire.motion?.poseAt(0);
  if (!pose) return { foot, tangent, distance };
  return {
    foot: movePoint(pose, foot),
    tangent: movePoint({ rotation: pose.rotation, translation: [0, 0, 0] }, tangent),
    distance,
  };
}

/** A place at a time, in the wire's rest pose. */
function toRest({ motion }: Wire, x: Vec3, time: Seconds): Vec3 {
  if (!motion) return x;
  const { rotation: r, translation: t } = motion.poseAt(time);
  const d = [x[0] - t[0], x[1] - t[1], x[2] - t[2]];
  return [
    r[0] * d[0] + r[3] * d[1] + r[6] * d[2],
    r[1] * d[0] + r[4] * d[1] + r[7] * d[2],
    r[2] * d[0] + r[5] * d[1] + r[8] * d[2],
  ];
}

/** How a vertex is held. */
export const FREE = 0;
/** On the wire itself. */
export const ON_WIRE = 1;
/** On an opening that rides along. */
export const RIDING = 2;

export class Hold implements VertexPolicy {
  /** [how, wire, rest x, y, z] by vertex */
  readonly rows = new VertexValues(5);
  mesh: MultiMesh | undefined;

  constructor(
    private readonly wires: readonly Wire[],
    private readonly isOpening: (label: number) => boolean,
  ) {}

  /** Holds what lies on the wires and what rides along, at time 0. */
  begin(mesh: MultiMesh, resolution: number): void {
    this.mesh = mesh;
    for (let v = 0; v < mesh.vertexFill; v++) {
      this.set(v, FREE, NONE, 0, 0, 0);
      if (!mesh.isVertex(v) || this.wires.length === 0) continue;
      const x: Vec3 = [mesh.position[3 * v], mesh.position[3 * v + 1], mesh.position[3 * v + 2]];
      let nearest = NONE;
      let least = Infinity;
      this.wires.forEach((_, w) => {
        const distance = this.measureDistance(w, x);
        if (distance < least) {
          least = distance;
          nearest = w;
        }
      });
      if (least <= HOLD * resolution)
        this.set(v, ON_WIRE, nearest, ...this.wires[nearest].findNearest(toRest(this.wires[nearest], x, 0)));
      else if (this.isOnOpeningOnly(v)) this.set(v, RIDING, nearest, ...toRest(this.wires[nearest], x, 0));
    }
  }

  /** Of a place from a wire at time 0, m. */
  measureDistance(w: number, x: Vec3): number {
    const rest = toRest(this.wires[w], x, 0);
    const p = this.wires[w].findNearest(rest);
    return Math.hypot(p[0] - rest[0], p[1] - rest[1], p[2] - rest[2]);
  }

  how(v: number): number {
    return 5 * v < this.rows.data.length ? this.rows.data[5 * v] : FREE;
  }

  isHeld(v: number): boolean {
    return this.how(v) !== FREE;
  }

  /** Along a wire: with such an edge gone the film would be held at points, and slip off between them. */
  isHeldEdge(a: number, b: number): boolean {
    return this.wires.length > 0 && this.isOnWire([a, b]);
  }

  /** Where a held vertex is to be at a time. */
  findPlace(v: number, time: Seconds): Vec3 {
    const d = this.rows.data;
    const rest: Vec3 = [d[5 * v + 2], d[5 * v + 3], d[5 * v + 4]];
    const { motion } = this.wires[d[5 * v + 1]];
    return motion ? movePoint(motion.poseAt(time), rest) : rest;
  }

  /** The greatest speed at which wires move what they hold, m/s. */
  measureSpeed(time: Seconds): number {
    const velocities = this.wires.map(({ motion }) => motion?.velocityAt(time));
    if (!velocities.some((velocity) => velocity)) return 0;
    const { rows, mesh } = this;
    let fastest = 0;
    for (let v = 0; v < mesh!.vertexFill; v++) {
      const velocity = mesh!.isVertex(v) && this.isHeld(v) ? velocities[rows.data[5 * v + 1]] : undefined;
      if (velocity)
        fastest = Math.max(fastest, Math.hypot(...computePointVelocity(velocity, this.findPlace(v, time))));
    }
    return fastest;
  }

  /**
   * Two vertices on wires only where they are neighbours on one: the place between them lies on it too. Else
   * a film would come off the wire.
   *
   * No film and ghost but on a wire: that would tear the film. Its new edge would be free, where the air
   * being one around it asks for no circulation; what the film carries would fall to nothing within an edge,
   * so that every tear made kinetic energy, and no wire holds such an edge against tension. Nor ghosts of
   * unlike regions: they would close into a film.
   */
  mayJoin(a: number, b: number): boolean {
    if (this.wires.length === 0) return true;
    const [ha, hb] = [this.how(a), this.how(b)];
    if (ha !== ON_WIRE || hb !== ON_WIRE) return this.mayMeet([a], [b]);
    if (this.wireOf(a) !== this.wireOf(b)) return false;
    return this.findBetween(a, b, 0.5) !== undefined;
  }

  /**
   * On a wire all; elsewhere films with films, and ghosts with ghosts between the same regions. A free edge
   * that is there already may join with all.
   */
  mayMeet(first: readonly number[], second: readonly number[]): boolean {
    if (this.wires.length === 0 || this.isOnWire(first) || this.isOnWire(second)) return true;
    const [a, b] = [this.findSides(first), this.findSides(second)];
    if ((a.film && a.ghosts.size > 0) || (b.film && b.ghosts.size > 0)) return true;
    if (a.film !== b.film || a.ghosts.size !== b.ghosts.size) return false;
    for (const label of a.ghosts) if (!b.ghosts.has(label)) return false;
    return true;
  }

  onSplit(v: number, a: number, b: number, s: number): void {
    this.place(v, a, b, s);
  }

  onFaceSplit(v: number, a: number, b: number, c: number, wa: number, wb: number, wc: number): void {
    const isRiding =
      this.isOnOpeningOnly(v) &&
      this.isHeld(a) &&
      this.wireOf(a) === this.wireOf(b) &&
      this.wireOf(a) === this.wireOf(c);
    this.rows.onFaceSplit(v, a, b, c, wa, wb, wc);
    this.rows.data[5 * v] = isRiding ? RIDING : FREE;
    if (isRiding) this.rows.data[5 * v + 1] = this.wireOf(a);
  }

  onCollapse(kept: number, gone: number, s: number): void {
    const [k, g] = [this.how(kept), this.how(gone)];
    if (k === ON_WIRE && g === ON_WIRE) this.place(kept, kept, gone, s);
    else if (g === ON_WIRE) this.rows.onSeparate(kept, gone);
    else if (k === RIDING && g === RIDING) this.place(kept, kept, gone, s);
    else if (k !== ON_WIRE && !this.isOnOpeningOnly(kept)) this.rows.data[5 * kept] = FREE;
  }

  onSnap(kept: number, gone: number, s: number): void {
    this.onCollapse(kept, gone, s);
  }

  onSeparate(v: number, from: number): void {
    this.rows.onSeparate(v, from);
    if (this.how(v) === RIDING && !this.isOnOpeningOnly(v)) this.rows.data[5 * v] = FREE;
  }

  private place(v: number, a: number, b: number, s: number): void {
    const [ha, hb] = [this.how(a), this.how(b)];
    const wire = this.wireOf(a);
    const isOne = ha !== FREE && hb !== FREE && wire === this.wireOf(b);
    const isOnWire = isOne && ha === ON_WIRE && hb === ON_WIRE;
    const p = isOnWire ? this.findBetween(a, b, s) : undefined;
    if (p) {
      this.set(v, ON_WIRE, wire, ...p);
      return;
    }
    const [from, to] = [this.restOf(a), this.restOf(b)];
    const rest = from.map((c, k) => (1 - s) * c + s * to[k]) as unknown as Vec3;
    if (isOne && this.isOnOpeningOnly(v)) this.set(v, RIDING, wire, ...rest);
    else this.set(v, FREE, NONE, 0, 0, 0);
  }

  /** The place on the wire between two others on it; undefined where the wire goes elsewhere. */
  private findBetween(a: number, b: number, s: number): Vec3 | undefined {
    const [from, to] = [this.restOf(a), this.restOf(b)];
    const rest = from.map((c, k) => (1 - s) * c + s * to[k]) as unknown as Vec3;
    const p = this.wires[this.wireOf(a)].findNearest(rest);
    const off = Math.hypot(p[0] - rest[0], p[1] - rest[1], p[2] - rest[2]);
    const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    return off <= SAGITTA * length ? p : undefined;
  }

  /** A vertex on a wire, or an edge along one, whose middle is on it too. */
  private isOnWire(at: readonly number[]): boolean {
    if (at.length > 2 || at.some((v) => this.how(v) !== ON_WIRE)) return false;
    if (at.length === 1) return true;
    return this.wireOf(at[0]) === this.wireOf(at[1]) && this.findBetween(at[0], at[1], 0.5) !== undefined;
  }

  private isOnOpeningOnly(v: number): boolean {
    const mesh = this.mesh!;
    // A piece of film that vanishes takes both ends of its last edge along.
    if (!mesh.isVertex(v)) return false;
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const f = faceOf(c);
      if (!this.isOpening(mesh.label[2 * f]) && !this.isOpening(mesh.label[2 * f + 1])) return false;
    }
    return true;
  }

  /** Does a vertex, or every face on an edge or face, touch films, and which regions lie at its ghosts? */
  private findSides([v, ...others]: readonly number[]): { film: boolean; ghosts: Set<number> } {
    const mesh = this.mesh!;
    let film = false;
    const ghosts = new Set<number>();
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const f = faceOf(c);
      if (!others.every((w) => mesh.hasVertex(f, w))) continue;
      const sides = [mesh.label[2 * f], mesh.label[2 * f + 1]];
      if (!sides.some((label) => this.isOpening(label))) film = true;
      else for (const label of sides) ghosts.add(label);
    }
    return { film, ghosts };
  }

  /** Of a held vertex. */
  wireOf(v: number): number {
    return this.rows.data[5 * v + 1];
  }

  private restOf(v: number): Vec3 {
    const d = this.rows.data;
    return [d[5 * v + 2], d[5 * v + 3], d[5 * v + 4]];
  }

  private set(v: number, how: number, wire: number, x: number, y: number, z: number): void {
    this.rows.reserve(v);
    this.rows.data.set([how, wire, x, y, z], 5 * v);
  }
}
