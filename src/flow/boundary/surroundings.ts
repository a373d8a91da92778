/**
 * What surrounds the liquid at one instant: the walls of the domain and the solids where they are now,
 * standing or on their prescribed motion, with the velocities of their surfaces ([chentanez-2007] 3.3.1;
 * moving ones are ours).
 *
 * Thin solids. A lattice edge may step over a plate thinner than a cell, and tets would join the liquid on
 * its two sides. For the mesh, and only for it, such a solid is *inflated* to THICK_ENOUGH cells. The tracked
 * surface sees the true shape: its cells are half as large, and no axis-aligned edge of theirs steps over a
 * plate half a lattice cell thick.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Box, Metres, Seconds, Vec3 } from '../../core/types.ts';
import { NONE } from '../../core/types.ts';
import type { Implicit } from '../../geometry/implicit.ts';
import { measureThickness } from '../../geometry/shapes.ts';
import type { Solid } from '../../scene/scene.ts';
import { buildClearanceGrid, type ClearanceGrid } from '../../tracking/contouring/clearance.ts';
import {
  addMovers,
  buildContourSpace,
  type ClearanceFunction,
  type ContourSpace,
} from '../../tracking/contouring/space.ts';

/** Least thickness of a solid in the mesh, lattice cells: just over the longest lattice edge. */
const THICK_ENOUGH = 1.1;
/** Bits of findWalls: those of the domain, then solids. */
const WALL_BITS = { domain: 6, solids: 25 };
/** Those of the domain's walls, all planes. */
export const DOMAIN_WALLS = 2 ** WALL_BITS.domain - 1;

export interface Surroundings {
  /** Owner of the arrays, where they are of this instant only. */
  readonly scope?: HeapScope;
  readonly space: ContourSpace;
  /** Distance to the nearest wall or solid, positive in open space. */
  readonly clearanceAt: ClearanceFunction;
  /** The same with thin solids inflated: what bounds the tet mesh. */
  readonly meshClearanceAt: ClearanceFunction;
  /** For paths on all threads; absent where there are no solids. */
  readonly solids?: ClearanceGrid;
  /**
   * The walls of the mesh that come within `reach` of a point: a bit for each of the domain's, and one for
   * each solid, shared beyond 25.
   */
  findWalls(x: number, y: number, z: number, reach: Metres): number;
  /** The solid nearest to a point of the mesh's walls, NONE for the domain's own. */
  findSolid(x: number, y: number, z: number): number;
  /** Whether the liquid sticks to this solid (NONE: the domain's walls). */
  sticks(solid: number): boolean;
  /** Whether the liquid sticks to any wall. */
  readonly hasStickyWalls: boolean;
  /** Velocity of a solid's surface at a point, m/s. */
  velocityAt(solid: number, x: number, y: number, z: number, out: Float64Array): void;
  /** Fastest any point of any solid moves inside the domain, m/s. */
  readonly topSpeed: number;
}

/** What is common to all instants. */
export interface Vessel {
  readonly domain: Box;
  readonly solids: readonly Solid[];
  readonly sticky: boolean;
  /** How much each solid is inflated for the mesh, m. */
  readonly inflation: readonly Metres[];
  readonly moves: boolean;
  /** Domain walls and standing solids. */
  readonly standing: ContourSpace;
}

export function buildVessel(
  domain: Box,
  solids: readonly Solid[],
  sticky: boolean,
  cell: Metres,
  grid: { origin: Vec3; spacing: Metres; nodes: Vec3 },
  scope: HeapScope,
): Vessel {
  const wall = domainClearance(domain);
  const still = solids.filter((s) => !s.motion).map((s) => s.shape);
  const standingAt: ClearanceFunction = (x, y, z) => {
    let least = wall(x, y, z);
    for (const shape of still) least = Math.min(least, -shape.value(x, y, z));
    return least;
  };
  const enough = THICK_ENOUGH * cell;
  return {
    domain,
    solids,
    sticky,
    inflation: solids.map((s) => 0.5 * Math.max(0, enough - measureSolid(s.shape, enough))),
    moves: solids.some((s) => s.motion),
    standing: buildContourSpace(grid.origin, grid.spacing, grid.nodes, standingAt, scope),
  };
}

/** Thickness of a solid as far as `enough`; underestimating is safe, it is then inflated a little more. */
function measureSolid(shape: Implicit, enough: Metres): Metres {
  const { min, max } = shape.bounds;
  return [...min, ...max].every(Number.isFinite)
    ? measureThickness(shape, shape.bounds, enough / 4, enough)
    : enough;
}

/**
 * The surroundings at a time, moving as they will `lead` later. `scope` is given where solids move: the
 * caller frees it with them.
 */
export function buildSurroundings(
  vessel: Vessel,
  time: Seconds,
  lead: Seconds,
  scope: HeapScope,
): Surroundings {
  const { domain, solids, standing, inflation } = vessel;
  const posed = solids.map((solid) => new PosedSolid(solid, time, lead));
  const movers = posed
    .filter((p) => p.solid.motion)
    .map((p) => ({ clearanceAt: p.clearanceAt, bounds: p.bounds }));
  const space = movers.length > 0 ? addMovers(standing, movers, scope) : standing;
  const wall = domainClearance(domain);
  const meshClearanceAt: ClearanceFunction = (x, y, z) => {
    let least = wall(x, y, z);
    for (let s = 0; s < posed.length; s++)
      least = Math.min(least, posed[s].clearanceAt(x, y, z) - inflation[s]);
    return least;
  };
  return {
    ...(vessel.moves ? { scope } : {}),
    space,
    clearanceAt: space.clearanceAt,
    meshClearanceAt,
    ...(solids.length > 0 ? { solids: buildClearanceGrid(space, scope) } : {}),
    findWalls: (x, y, z, reach) => {
      const { min, max } = domain;
      let walls =
        (x - min[0] < reach ? 1 : 0) |
        (y - min[1] < reach ? 2 : 0) |
        (z - min[2] < reach ? 4 : 0) |
        (max[0] - x < reach ? 8 : 0) |
        (max[1] - y < reach ? 16 : 0) |
        (max[2] - z < reach ? 32 : 0);
      for (let s = 0; s < posed.length; s++)
        if (posed[s].clearanceAt(x, y, z) - inflation[s] < reach)
          walls |= 1 << (WALL_BITS.domain + (s % WALL_BITS.solids));
      return walls;
    },
    findSolid: (x, y, z) => {
      let least = wall(x, y, z);
      let nearest = NONE;
      for (let s = 0; s < posed.length; s++) {
        const clearance = posed[s].clearanceAt(x, y, z) - inflation[s];
        if (clearance >= least) continue;
        least = clearance;
        nearest = s;
      }
      return nearest;
    },
    sticks: (s) => (s === NONE ? vessel.sticky : solids[s].wall === 'no-slip'),
    hasStickyWalls: vessel.sticky || solids.some((s) => s.wall === 'no-slip'),
    velocityAt: (s, x, y, z, out) => {
      if (s === NONE) out.fill(0);
      else posed[s].velocityAt(x, y, z, out);
    },
    topSpeed: posed.reduce((top, p) => Math.max(top, p.topSpeed(domain)), 0),
  };
}

/** The solids that findWalls tells of, as far as a bit tells them apart; NONE for the walls of the domain. */
export function listWalls(walls: number): number[] {
  const found = (walls & ((1 << WALL_BITS.domain) - 1)) !== 0 ? [NONE] : [];
  for (let s = 0; s < WALL_BITS.solids; s++) if ((walls >> (WALL_BITS.domain + s)) & 1) found.push(s);
  return found;
}

export function domainClearance({ min, max }: Box): ClearanceFunction {
  return (x, y, z) => Math.min(x - min[0], y - min[1], z - min[2], max[0] - x, max[1] - y, max[2] - z);
}

/** A solid where its motion has taken it. */
export class PosedSolid {
  readonly clearanceAt: ClearanceFunction;
  readonly bounds: Box;
  private readonly linear: Vec3;
  private readonly angular: Vec3;

  constructor(
    readonly solid: Solid,
    time: Seconds,
    lead: Seconds,
  ) {
    const { shape, motion } = solid;
    if (!motion) {
      this.clearanceAt = (x, y, z) => -shape.value(x, y, z);
      this.bounds = shape.bounds;
      this.linear = [0, 0, 0];
      this.angular = [0, 0, 0];
      return;
    }
    const { rotation: r, translation: d } = motion.poseAt(time);
    this.clearanceAt = (x, y, z) => {
      const dx = x - d[0];
      const dy = y - d[1];
      const dz = z - d[2];
      return -shape.value(
        r[0] * dx + r[3] * dy + r[6] * dz,
        r[1] * dx + r[4] * dy + r[7] * dz,
        r[2] * dx + r[5] * dy + r[8] * dz,
      );
    };
    this.bounds = moveBounds(shape.bounds, r, d);
    const velocity = motion.velocityAt(time + lead);
    this.linear = velocity.linear;
    this.angular = velocity.angular;
  }

  velocityAt(x: number, y: number, z: number, out: Float64Array): void {
    const { linear: v, angular: w } = this;
    out[0] = v[0] + w[1] * z - w[2] * y;
    out[1] = v[1] + w[2] * x - w[0] * z;
    out[2] = v[2] + w[0] * y - w[1] * x;
  }

  /** At the corners of its bounds, as far as they are inside the domain's reach. */
  topSpeed(domain: Box): number {
    const out = new Float64Array(3);
    let top = 0;
    for (let n = 0; n < 8; n++) {
      const corner = [0, 1, 2].map((a) => {
        const side = (n >> a) & 1 ? this.bounds.max[a] : this.bounds.min[a];
        return Math.min(domain.max[a], Math.max(domain.min[a], side));
      });
      this.velocityAt(corner[0], corner[1], corner[2], out);
      top = Math.max(top, Math.hypot(out[0], out[1], out[2]));
    }
    return top;
  }
}

/** The box around a turned and moved box; infinite sides stay infinite. */
function moveBounds({ min, max }: Box, r: readonly number[], d: Vec3): Box {
  const low: [number, number, number] = [d[0], d[1], d[2]];
  const high: [number, number, number] = [d[0], d[1], d[2]];
  for (let a = 0; a < 3; a++) {
    for (let b = 0; b < 3; b++) {
      const factor = r[3 * a + b];
      if (factor === 0) continue;
      low[a] += factor * (factor > 0 ? min[b] : max[b]);
      high[a] += factor * (factor > 0 ? max[b] : min[b]);
    }
  }
  return { min: low, max: high };
}
