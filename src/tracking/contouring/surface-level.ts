/**
 * Signed distance to a tracked surface, of the right sign everywhere. Near the surface its nearest triangle
 * tells inside from outside, but where it cannot be trusted (sign-judge.ts). Farther off the signs spread from
 * it do: that triangle may lie on the other side of a thin solid. They also do at the rim, where the free
 * surface ends on a wall: a triangle there speaks for its own plane, and the half space beyond is not its own.
 * The last two triangles of a pocket of air on a wall would make air of all within SURE cells, and a pocket
 * that closes would burst open.
 */
import type { TaskValues } from '../../core/threads/task.ts';
import { SurfaceDistance } from './distance.ts';
import { SignJudge } from './sign-judge.ts';
import { SIGN_AIR, SIGN_LIQUID, SignSampler, SURE, signRecord } from './signs.ts';
import { surfaceIndexRecord } from './surface-index.ts';

/**
 * spacing: edge of a contouring cell, m. rings: how many of them are searched. moved: by how many of them the
 * surface has left its signs, at most.
 */
export const levelRecords = {
  surface: surfaceIndexRecord,
  signs: signRecord,
  spacing: 'number',
  rings: 'number',
  moved: 'number',
} as const;
export type LevelValues = TaskValues<typeof levelRecords>;

/**
 * Distance, in contouring cells, from which a nearest triangle that the signs contradict is looked at more
 * closely; nearer, the surface passes between.
 */
const DOUBTFUL = 0.3;
/**
 * Cells from a rim, beyond those by which the surface has moved, from which on a cell whose open corners agree
 * holds no surface: shifts (flow/volume/shift.ts) take contact lines a third of a cell out of the cells they
 * were contoured in.
 */
const RIM = 0.15;

export class SurfaceLevel {
  /** Whether the surface near the last point told its value. */
  isNear = false;
  /** Of the last point. */
  readonly surface: SurfaceDistance;
  private readonly signs: SignSampler;
  private readonly judge: SignJudge;
  private readonly spacing: number;
  private readonly rings: number;
  private readonly moved: number;

  constructor({ surface, signs, spacing, rings, moved }: LevelValues) {
    this.surface = new SurfaceDistance(surface);
    this.signs = new SignSampler(signs);
    this.judge = new SignJudge(surface, signs, moved);
    this.spacing = spacing;
    this.rings = rings;
    this.moved = moved;
  }

  /** Positive inside. */
  value(x: number, y: number, z: number): number {
    const { surface, signs, spacing, rings } = this;
    const value = surface.signedDistance(x, y, z, rings);
    const sure = SURE * spacing;
    this.isNear = surface.found && surface.distance < sure;
    if (!this.isNear) {
      const size = surface.found ? Math.max(Math.abs(value), sure) : rings * spacing;
      return signs.isInside(x, y, z) ? size : -size;
    }
    if (surface.distance <= DOUBTFUL * spacing) return value;
    const isInside = this.reconsider(x, y, z, value > 0);
    if (isInside === value > 0) return value;
    return isInside ? surface.distance : -surface.distance;
  }

  /** Whether a point is inside of which the nearest triangle has said so. */
  private reconsider(x: number, y: number, z: number, said: boolean): boolean {
    const { surface, signs } = this;
    if (surface.isBeyondRim && surface.distance >= (RIM + this.moved) * this.spacing) {
      const agreed = signs.agreedAt(x, y, z);
      if (agreed === SIGN_LIQUID) return true;
      if (agreed === SIGN_AIR) return false;
    }
    return signs.isInside(x, y, z) === said ? said : (this.judge.isInside(x, y, z) ?? said);
  }
}
