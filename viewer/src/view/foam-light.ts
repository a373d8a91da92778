/**
 * How much light gets into a foam, and how much gets through one of its films. A film mirrors a share of the
 * light that meets it; the channels of liquid along its edges (Plateau borders) throw what they meet into all
 * directions. A border of width w covers w times its length, which is shared by the three films that meet in
 * it, so of the films around a bubble with area A and borders of length L the share 2/3 w L / A is covered:
 * next to nothing for a few large bubbles, a quarter for hundreds of small ones, which are thus seen no
 * deeper than a few layers.
 *
 * The light in a bubble is kept for six directions, along the axes: what comes from +x is what its neighbours
 * on that side get from +x, each by its share in the bubble's shadow along x, less what the films between
 * take. Solved by sweeps, a few per layer of bubbles.
 */
import type { RegionData, SurfaceData } from '../data/types.ts';
import type { SlicePlane } from './slice.ts';

/**
 * Of light from everywhere, the share that a film of soap mirrors: 2 r / (1 + r) with r = 0.066 for one face
 * of water.
 */
export const MIRRORED_SHARE = 0.124;

const DIRECTIONS = 6;
/** Below what a screen can show; light that goes in circles between odd shapes stops here at the latest. */
const SWEEPS = { tolerance: 1e-3, most: 100 };

export interface FoamLight {
  /** (faces x 2) places among the labels of the regions in front and behind */
  readonly sides: Uint32Array;
  /** (faces) share of each film that its borders cover */
  readonly cover: Float32Array;
  /** (regions x 6) share of the light from +x, +y, +z, -x, -y, -z that gets into each region */
  readonly share: Float32Array;
}

export interface OpenFoam {
  /** Ids of the faces that are drawn: the others let light pass. */
  readonly faces: Uint32Array;
  /** Labels of regions switched off, which are air. */
  readonly hidden: readonly number[];
  /** What it cuts lies open. */
  readonly plane: SlicePlane | null;
}

type LabelledSurface = SurfaceData & { readonly regions: RegionData };

/** Borders of `width` metres around the films of a labelled surface. */
export function computeFoamLight(surface: LabelledSurface, look: OpenFoam, width: number): FoamLight {
  const sides = numberSides(surface.regions);
  const vectorArea = computeVectorAreas(surface);
  const covers = computeRegionCovers(surface, sides, vectorArea, width);
  const cover = new Float32Array(sides.length / 2);
  for (let f = 0; f < cover.length; f++) {
    const [a, b] = [covers[sides[2 * f]], covers[sides[2 * f + 1]]];
    // The outside has no borders of its own.
    cover[f] = sides[2 * f] === 0 || sides[2 * f + 1] === 0 ? a + b : (a + b) / 2;
  }
  const open = listOpen(surface, sides, look);
  const passes = new Float32Array(cover.length).fill(1);
  for (const f of look.faces) passes[f] = (1 - cover[f]) * (1 - MIRRORED_SHARE);
  return { sides, cover, share: spreadLight(open, findWindows(sides, vectorArea, passes, open.length)) };
}

function numberSides({ front, back, labels }: RegionData): Uint32Array {
  const idOf = new Map([...labels].map((label, id) => [label, id]));
  const out = new Uint32Array(2 * front.length);
  for (let f = 0; f < front.length; f++) {
    out[2 * f] = idOf.get(front[f]) ?? 0;
    out[2 * f + 1] = idOf.get(back[f]) ?? 0;
  }
  return out;
}

/** (faces x 3) m^2, towards the region in front */
function computeVectorAreas({ position, triangle }: SurfaceData): Float64Array {
  const out = new Float64Array(triangle.length);
  for (let i = 0; i < triangle.length; i += 3) {
    const [a, b, c] = [3 * triangle[i], 3 * triangle[i + 1], 3 * triangle[i + 2]];
    for (let k = 0; k < 3; k++) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      out[i + k] =
        0.5 *
        ((position[b + l] - position[a + l]) * (position[c + m] - position[a + m]) -
          (position[b + m] - position[a + m]) * (position[c + l] - position[a + l]));
    }
  }
  return out;
}

/** Share of the films around each region that borders cover; 0 for the outside. */
function computeRegionCovers(
  { regions: { labels, curve, curveFace, curveFaceStart } }: LabelledSurface,
  sides: Uint32Array,
  vectorArea: Float64Array,
  width: number,
): Float64Array {
  const area = new Float64Array(labels.length);
  const length = new Float64Array(labels.length);
  for (let f = 0; f < sides.length / 2; f++) {
    const own = Math.hypot(vectorArea[3 * f], vectorArea[3 * f + 1], vectorArea[3 * f + 2]);
    area[sides[2 * f]] += own;
    area[sides[2 * f + 1]] += own;
  }
  for (let s = 0; s + 1 < curveFaceStart.length; s++) {
    const [x, y, z] = [0, 1, 2].map((k) => curve[6 * s + 3 + k] - curve[6 * s + k]);
    const films = curveFaceStart[s + 1] - curveFaceStart[s];
    for (let i = 2 * curveFaceStart[s]; i < 2 * curveFaceStart[s + 1]; i++)
      length[sides[2 * curveFace[i >> 1] + (i & 1)]] += Math.hypot(x, y, z) / films;
  }
  return area.map((all, id) => (id === 0 || all === 0 ? 0 : 1 - Math.exp((-width * length[id]) / all)));
}

/**
 * 1 for the outside, regions switched off, those that a frame of wire does not close, and those that a plane
 * cuts open.
 */
function listOpen(
  { position, triangle, regions }: LabelledSurface,
  sides: Uint32Array,
  { hidden, plane }: OpenFoam,
): Uint8Array {
  const open = Uint8Array.from(regions.labels, (label) => (label === 0 || hidden.includes(label) ? 1 : 0));
  for (const f of regions.rimFace) open[sides[2 * f]] = open[sides[2 * f + 1]] = 1;
  if (!plane) return open;
  for (let c = 0; c < triangle.length; c++) {
    if (plane.side * (position[3 * triangle[c] + plane.axis] - plane.offset) <= 0) continue;
    const f = (c / 3) | 0;
    open[sides[2 * f]] = open[sides[2 * f + 1]] = 1;
  }
  return open;
}

/** What lies between a region and one of its neighbours. */
interface Window {
  readonly from: number;
  readonly to: number;
  /**
   * (6) of the region's shadow along each direction, the share that lies on this side and passes its films
   */
  readonly weight: Float64Array;
}

function findWindows(
  sides: Uint32Array,
  vectorArea: Float64Array,
  passes: Float32Array,
  regionCount: number,
): Window[] {
  const windows = new Map<number, Window>();
  const shadow = new Float64Array(DIRECTIONS * regionCount);
  const add = (from: number, to: number, f: number, sign: 1 | -1) => {
    const key = from * regionCount + to;
    let window = windows.get(key);
    if (!window) {
      window = { from, to, weight: new Float64Array(DIRECTIONS) };
      windows.set(key, window);
    }
    for (let k = 0; k < 3; k++) {
      const outward = sign * vectorArea[3 * f + k];
      const direction = outward > 0 ? k : k + 3;
      window.weight[direction] += passes[f] * Math.abs(outward);
      shadow[DIRECTIONS * from + direction] += Math.abs(outward);
    }
  };
  for (let f = 0; f < passes.length; f++) {
    add(sides[2 * f + 1], sides[2 * f], f, 1);
    add(sides[2 * f], sides[2 * f + 1], f, -1);
  }
  const out = [...windows.values()];
  for (const { from, weight } of out) {
    for (let d = 0; d < DIRECTIONS; d++) weight[d] /= shadow[DIRECTIONS * from + d] || 1;
  }
  return out.sort((a, b) => a.from - b.from);
}

/** Sweeps forwards and backwards through the regions until the light no longer changes. */
function spreadLight(open: Uint8Array, windows: readonly Window[]): Float32Array {
  const share = new Float32Array(DIRECTIONS * open.length);
  for (let id = 0; id < open.length; id++) {
    if (open[id]) share.fill(1, DIRECTIONS * id, DIRECTIONS * (id + 1));
  }
  const sum = new Float64Array(DIRECTIONS);
  const inner = windows.filter(({ from }) => !open[from]);
  for (let sweep = 0, change = 1; sweep < SWEEPS.most && change > SWEEPS.tolerance; sweep++) {
    change = 0;
    for (let i = 0; i < inner.length; i++) {
      const at = (n: number) => inner[sweep % 2 === 0 ? n : inner.length - 1 - n];
      const { from, to, weight } = at(i);
      for (let d = 0; d < DIRECTIONS; d++) sum[d] += weight[d] * share[DIRECTIONS * to + d];
      if (i + 1 < inner.length && at(i + 1).from === from) continue;
      for (let d = 0; d < DIRECTIONS; d++) {
        change = Math.max(change, Math.abs(sum[d] - share[DIRECTIONS * from + d]));
        share[DIRECTIONS * from + d] = sum[d];
      }
      sum.fill(0);
    }
  }
  return share;
}

/**
 * Of the regions around each piece of a border, and around each junction, the one with most light from all
 * directions.
 */
export function findBrightest(
  { curveFace, curveFaceStart, curveToJunction, junction }: RegionData,
  { sides, share }: FoamLight,
): { segment: Uint32Array; junction: Uint32Array } {
  const total = new Float32Array(share.length / DIRECTIONS);
  for (let i = 0; i < share.length; i++) total[(i / DIRECTIONS) | 0] += share[i];
  const out = {
    segment: new Uint32Array(curveFaceStart.length - 1),
    junction: new Uint32Array(junction.length / 3),
  };
  const reached = new Uint8Array(out.junction.length);
  for (let s = 0; s < out.segment.length; s++) {
    let best = sides[2 * curveFace[curveFaceStart[s]]];
    for (let i = 2 * curveFaceStart[s]; i < 2 * curveFaceStart[s + 1]; i++) {
      const id = sides[2 * curveFace[i >> 1] + (i & 1)];
      if (total[id] > total[best]) best = id;
    }
    out.segment[s] = best;
    for (const j of curveToJunction.subarray(2 * s, 2 * s + 2)) {
      if (j < 0 || (reached[j] && total[out.junction[j]] >= total[best])) continue;
      out.junction[j] = best;
      reached[j] = 1;
    }
  }
  return out;
}
