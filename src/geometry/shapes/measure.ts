/**
 * Sizes of implicit regions inside a box, from their values alone: how thick a region is, how large a shadow
 * it throws. Both lean on fields being 1-Lipschitz: a point at value v has none of the boundary nearer than
 * |v|.
 */
import { LIMITS } from '../../core/limits.ts';
import type { Box, Metres, Seconds, Vec3 } from '../../core/types.ts';
import { cross } from '../../math/vectors.ts';
import { costOf, type Implicit } from '../implicit.ts';
import { computeUnit } from './check.ts';
import { sampleImplicit } from './combine.ts';

/** Rays along the longer side of a shadow's frame, at most. */
const SHADOW_RAYS = 256;
/** Of a step of a ray towards a sphere, s; and steps of a ray. */
const STEP_SECONDS = 0.06e-6;
const STEPS_OF_RAY = 5;
/**
 * A ray this close to the boundary, relative to the frame, counts as touching: it would take ever smaller
 * steps.
 */
const TOUCHING = 1e-6;
/** Steps of a ray through the frame once the shadow has used up its fine ones. */
const COARSE_STEPS = 32;

/**
 * Diameter of the largest ball in the region and the box, to within `tolerance`; 0 where there is none.
 * Branch and bound: a cell can hold no value above that of its centre plus its half diagonal. Stops as soon
 * as it has found a ball of diameter `enough`. Cost: for plates, their area over the tolerance squared, up to
 * a limit; where it is not decided by then, `unsure` is the answer, or the best found.
 */
export function measureThickness(
  shape: Implicit,
  within: Box,
  tolerance: Metres,
  enough: Metres = Infinity,
  unsure?: Metres,
): Metres {
  const clip = intersectBoxes(shape.bounds, within);
  if (!clip) return 0;
  let best = 0;
  const queue: Box[] = [clip];
  let looked = 0;
  for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
    const { min, max } = cell;
    const centre: Vec3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
    const toWall = Math.min(...centre.map((x, a) => Math.min(x - within.min[a], within.max[a] - x)));
    const value = Math.min(shape.value(...centre), toWall);
    best = Math.max(best, value);
    if (2 * best >= enough) break;
    if (++looked > LIMITS.thicknessCells) return unsure ?? 2 * best;
    const extent = [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
    if (value + 0.5 * Math.hypot(...extent) <= best + 0.5 * tolerance) continue;
    const longest = extent.indexOf(Math.max(...extent));
    const replace = (v: Vec3) => v.map((x, a) => (a === longest ? centre[a] : x)) as unknown as Vec3;
    queue.push({ min: replace(min), max }, { min, max: replace(max) });
  }
  return 2 * best;
}

/** Rays along a side of a shadow: fewer of a shape that takes long to ask. */
const countRays = (shape: Implicit, most: number): number =>
  Math.min(most, Math.ceil(Math.sqrt(LIMITS.shadowQuestions / costOf(shape))));

/** Time that `measureShadow` takes, on one thread of the machine that costs were measured on. */
export const estimateShadowTime = (shape: Implicit): Seconds =>
  STEP_SECONDS * STEPS_OF_RAY * costOf(shape) * countRays(shape, SHADOW_RAYS) ** 2;

/**
 * Area of the region's shadow along a direction, m^2: what a jet of that cross-section would fill. By rays on
 * a grid, to about 1 % with 256 along the longer side (exact for boxes seen along an axis).
 */
export function measureShadow(shape: Implicit, direction: Vec3, within: Box, most = SHADOW_RAYS): number {
  const clip = intersectBoxes(shape.bounds, within);
  if (!clip) return 0;
  const [along, across, up] = buildFrame(computeUnit('shadow', 'direction', direction));
  const [w0, w1] = projectBox(clip, along);
  const [u0, u1] = projectBox(clip, across);
  const [v0, v1] = projectBox(clip, up);
  const size = Math.max(u1 - u0, v1 - v0);
  const rays = countRays(shape, most);
  const columns = Math.max(1, Math.round((rays * (u1 - u0)) / size));
  const rows = Math.max(1, Math.round((rays * (v1 - v0)) / size));
  const least = TOUCHING * Math.max(size, w1 - w0);
  // Rays along a boundary, or through a field that lost its digits far from the origin, would take a million
  // steps each.
  let fineSteps = LIMITS.shadowSteps * rows * columns;
  let hits = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const u = u0 + ((column + 0.5) / columns) * (u1 - u0);
      const v = v0 + ((row + 0.5) / rows) * (v1 - v0);
      for (let w = w0; w < w1; ) {
        const x = u * across[0] + v * up[0] + w * along[0];
        const y = u * across[1] + v * up[1] + w * along[1];
        const z = u * across[2] + v * up[2] + w * along[2];
        const value = Math.min(shape.value(x, y, z), valueOfBox(within, x, y, z));
        if (value > 0) {
          hits++;
          break;
        }
        w += Math.max(-value, fineSteps-- > 0 ? least : (w1 - w0) / COARSE_STEPS);
      }
    }
  }
  return (hits * (u1 - u0) * (v1 - v0)) / (rows * columns);
}

/** What a region measures inside a box. */
export interface RegionSize {
  /** m^3 */
  readonly volume: number;
  /** Of its boundary, walls of the box included, m^2 */
  readonly area: number;
  /**
   * The boundary's shadows along x, y and z added up, m^2: what counts where cubes along it are counted. From
   * `area` for axis-aligned faces to 1.7 times it.
   */
  readonly steps: number;
  readonly centroid: Vec3;
  /** Of the samples inside; undefined where there are none. */
  readonly bounds: Box | undefined;
}

/**
 * Volume and boundary of a region inside a box, on a grid of `samples` points along each axis of the box they
 * share: to some percent, thin plates along the axes included, since the grid is that of the region's own
 * bounds. Cost: the cube of `samples`. `also`: further fields that must be positive.
 */
export function measureRegion(
  shape: Implicit,
  within: Box,
  samples: number,
  also: readonly Implicit[] = [],
): RegionSize {
  const clip = intersectBoxes(shape.bounds, within);
  if (!clip) return { volume: 0, area: 0, steps: 0, centroid: [0, 0, 0], bounds: undefined };
  const n = samples;
  const spacing = clip.max.map((x, a) => (x - clip.min[a]) / n);
  const point = new Float64Array(3 * n ** 3);
  for (let k = 0, i = 0; k < n; k++)
    for (let j = 0; j < n; j++)
      for (let h = 0; h < n; h++, i += 3) {
        point[i] = clip.min[0] + (h + 0.5) * spacing[0];
        point[i + 1] = clip.min[1] + (j + 0.5) * spacing[1];
        point[i + 2] = clip.min[2] + (k + 0.5) * spacing[2];
      }
  const value = new Float64Array(n ** 3);
  sampleImplicit(shape, point, n ** 3, value);
  if (also.length > 0) {
    const other = new Float64Array(n ** 3);
    for (const field of also) {
      sampleImplicit(field, point, n ** 3, other);
      for (let i = 0; i < value.length; i++) value[i] = Math.min(value[i], other[i]);
    }
  }
  const sum = [0, 0, 0];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  let inside = 0;
  let area = 0;
  let steps = 0;
  const stride = [1, n, n * n];
  const face = [spacing[1] * spacing[2], spacing[2] * spacing[0], spacing[0] * spacing[1]];
  const slope = [0, 0, 0];
  for (let k = 0, i = 0; k < n; k++)
    for (let j = 0; j < n; j++)
      for (let h = 0; h < n; h++, i++) {
        if (value[i] <= 0) continue;
        inside++;
        const at = [h, j, k];
        for (let a = 0; a < 3; a++) {
          const before = at[a] > 0 ? value[i - stride[a]] : Number.NaN;
          const after = at[a] < n - 1 ? value[i + stride[a]] : Number.NaN;
          slope[a] = measureSlope(before, value[i], after) / spacing[a];
          const x = point[3 * i + a];
          sum[a] += x;
          low[a] = Math.min(low[a], x - 0.5 * spacing[a]);
          high[a] = Math.max(high[a], x + 0.5 * spacing[a]);
        }
        const size = Math.hypot(slope[0], slope[1], slope[2]) || 1;
        for (let a = 0; a < 3; a++) {
          // Where the box cuts the region its side is the boundary, and the normal runs along the axis.
          const cut = (at[a] === 0 ? 1 : 0) + (at[a] === n - 1 ? 1 : 0);
          let crossed = 0;
          if (at[a] > 0 && value[i - stride[a]] <= 0) crossed++;
          if (at[a] < n - 1 && value[i + stride[a]] <= 0) crossed++;
          steps += (cut + crossed) * face[a];
          // The shadow of a piece of boundary along an axis, times the normal's share of that axis, adds up
          // to its area over the axes.
          area += cut * face[a] + (crossed * face[a] * Math.abs(slope[a])) / size;
        }
      }
  const centroid = sum.map((x) => x / Math.max(1, inside)) as unknown as Vec3;
  const volume = inside * spacing[0] * spacing[1] * spacing[2];
  const bounds = inside > 0 ? { min: low as unknown as Vec3, max: high as unknown as Vec3 } : undefined;
  return { volume, area, steps, centroid, bounds };
}

/**
 * The steeper of the two one-sided differences: the other may belong to another face. NaN stands for no
 * neighbour.
 */
function measureSlope(before: number, here: number, after: number): number {
  const back = Number.isNaN(before) ? 0 : here - before;
  const forth = Number.isNaN(after) ? 0 : after - here;
  return Math.abs(back) > Math.abs(forth) ? back : forth;
}

/** At most the distance to the box, positive inside: enough to walk by. */
function valueOfBox({ min, max }: Box, x: number, y: number, z: number): number {
  return Math.min(x - min[0], y - min[1], z - min[2], max[0] - x, max[1] - y, max[2] - z);
}

/** Undefined where they share nothing. */
export function intersectBoxes(a: Box, b: Box): Box | undefined {
  const min = a.min.map((x, i) => Math.max(x, b.min[i])) as unknown as Vec3;
  const max = a.max.map((x, i) => Math.min(x, b.max[i])) as unknown as Vec3;
  return min.every((x, i) => x < max[i]) ? { min, max } : undefined;
}

/** The direction and two across it; along an axis the two are axes as well. */
function buildFrame(along: Vec3): [Vec3, Vec3, Vec3] {
  const size = along.map(Math.abs);
  const least = size.indexOf(Math.min(...size));
  const axis: Vec3 = [least === 0 ? 1 : 0, least === 1 ? 1 : 0, least === 2 ? 1 : 0];
  const across = computeUnit('shadow', 'direction', cross(along, axis));
  return [along, across, cross(along, across)];
}

function projectBox({ min, max }: Box, axis: Vec3): [number, number] {
  let low = 0;
  let high = 0;
  for (let a = 0; a < 3; a++) {
    low += axis[a] * (axis[a] > 0 ? min[a] : max[a]);
    high += axis[a] * (axis[a] > 0 ? max[a] : min[a]);
  }
  return [low, high];
}
