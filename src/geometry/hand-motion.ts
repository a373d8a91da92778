/**
 * A rigid motion that is led by hand while a run goes on: straight from where it is to where it is wanted, no
 * faster than it may. It holds still at the end. What it has done stays as it was, so that its path can be
 * written down as keyframes.
 */
import type { Box, MetresPerSecond, Seconds, Vec3 } from '../core/types.ts';
import { multiply, subtract } from '../math/vectors.ts';
import type { RigidMotion } from './rigid-motion.ts';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const ORIGIN: Vec3 = [0, 0, 0];

/** A straight piece of the way: displacements from the rest pose, m. */
export interface Leg {
  readonly from: Seconds;
  readonly start: Vec3;
  readonly until: Seconds;
  readonly end: Vec3;
}

export interface Waypoint {
  readonly time: Seconds;
  readonly translate: Vec3;
}

export class HandMotion implements RigidMotion {
  private readonly path: Waypoint[] = [{ time: 0, translate: ORIGIN }];

  /** `reach`: displacements that it may have. */
  constructor(
    private readonly fastest: MetresPerSecond = Number.POSITIVE_INFINITY,
    private readonly reach?: Box,
  ) {}

  /** From a time on it goes to a displacement, which it reaches after `within` or as soon as it can. */
  lead(wanted: Vec3, from: Seconds, within: Seconds): Leg {
    const end = this.reach ? clamp(wanted, this.reach) : wanted;
    const start = this.displacementAt(from);
    const time = Math.max(within, Math.hypot(...subtract(end, start)) / this.fastest);
    const leg = { from, start, until: from + time, end };
    this.follow(leg);
    return leg;
  }

  /** Takes a leg in place of whatever was to come from its start on. */
  follow({ from, start, until, end }: Leg): void {
    while (this.path.length > 1 && this.path[this.path.length - 1].time >= from) this.path.pop();
    if (from > this.path[0].time) this.path.push({ time: from, translate: start });
    this.path.push({ time: until, translate: end });
  }

  /** The path from the start to where it comes to rest. */
  get waypoints(): readonly Waypoint[] {
    return this.path;
  }

  poseAt(time: Seconds) {
    return { rotation: IDENTITY, translation: this.displacementAt(time) };
  }

  velocityAt(time: Seconds) {
    const n = this.findLeg(time);
    if (n < 0) return { linear: ORIGIN, angular: ORIGIN };
    const [a, b] = [this.path[n], this.path[n + 1]];
    return {
      linear: multiply(subtract(b.translate, a.translate), 1 / (b.time - a.time)),
      angular: ORIGIN,
    };
  }

  private displacementAt(time: Seconds): Vec3 {
    const n = this.findLeg(time);
    if (n < 0) return this.path[time < this.path[0].time ? 0 : this.path.length - 1].translate;
    const [a, b] = [this.path[n], this.path[n + 1]];
    const share = (time - a.time) / (b.time - a.time);
    return [0, 1, 2].map(
      (i) => a.translate[i] + share * (b.translate[i] - a.translate[i]),
    ) as unknown as Vec3;
  }

  /**
   * The waypoint before a time on the way; -1 before the first and from the last on. Times asked for are
   * mostly late.
   */
  private findLeg(time: Seconds): number {
    if (time >= this.path[this.path.length - 1].time) return -1;
    let n = this.path.length - 2;
    while (n >= 0 && this.path[n].time > time) n--;
    return n;
  }
}

function clamp(point: Vec3, { min, max }: Box): Vec3 {
  return point.map((x, a) => Math.min(max[a], Math.max(min[a], x))) as unknown as Vec3;
}
