/**
 * Point location in a background mesh: down the octree to the leaf, then the tet by comparing coordinates. No
 * walk, no search, and no position of a vertex is read. Cost: a load per level, one face record, some ten
 * comparisons.
 *
 * Arithmetic is that of whole numbers. A point is first moved to the nearest multiple of 2^(b - 52) finest
 * cells, where the box has at most 2^b along an axis: the spacing of doubles at its far end. Everything
 * after, coordinates in the leaf, comparisons and barycentric coordinates, is then exact in doubles.
 * Coordinates are never negative and add up to 1.
 *
 * On shared faces: the tet found is the one that holds the point moved by (e, e^2, e^3) for all small e > 0.
 * A point on a high side of the box is first moved one unit below it. So the answer depends on neither the
 * order of tets nor on rounding.
 */
import { NONE } from '../../core/types.ts';
import type { Octree } from '../octree/octree.ts';
import { FACES, FAN, HALVES, KIND_BITS, KIND_MASK } from './faces.ts';

/** What location reads: of a BackgroundMesh, or of its arrays on a shared heap. */
export interface BackgroundIndex {
  readonly octree: Pick<Octree, 'origin' | 'size' | 'roots' | 'maxLevel' | 'child'>;
  readonly faceCode: Uint8Array;
  readonly faceTet: Int32Array;
}

/** 2^(1 - level): one over the half edge of a leaf in finest cells. */
const INVERSE_HALF = Float64Array.from({ length: 32 }, (_, level) => 2 ** (1 - level));
/** Bits set below bit m of a mask of split edges: where the tets over edge m start. Entry 4 mask + m. */
const SPLITS_BEFORE = Uint8Array.from({ length: 64 }, (_, n) => {
  let before = 0;
  for (let m = 0; m < (n & 3); m++) before += (n >> (2 + m)) & 1;
  return before;
});

/**
 * A number that rounds coordinates below 2^b to multiples of 2^(b - 52) when it is added and taken away
 * again.
 */
function computeRounder({ roots, maxLevel }: BackgroundIndex['octree']): number {
  return 2 ** (Math.ceil(Math.log2(Math.max(...roots))) + maxLevel);
}

/**
 * For the points [begin, end): outTet receives the tet, NONE outside the box, and outBarycentric (count x 4)
 * the coordinates in the order of its vertices, zeros outside.
 */
export function locatePoints(
  index: BackgroundIndex,
  begin: number,
  end: number,
  point: Float64Array,
  outTet: Int32Array,
  outBarycentric: Float64Array,
): void {
  const { octree, faceCode, faceTet } = index;
  const { child, roots, maxLevel, origin } = octree;
  const [rx, ry, rz] = roots;
  const [ox, oy, oz] = origin;
  const nx = rx << maxLevel;
  const ny = ry << maxLevel;
  const nz = rz << maxLevel;
  const perMetre = 1 / octree.size;
  const rounder = computeRounder(octree);
  const unit = rounder * 2 ** -52;
  for (let n = begin; n < end; n++) {
    const o = 4 * n;
    let tx = (point[3 * n] - ox) * perMetre + rounder - rounder;
    let ty = (point[3 * n + 1] - oy) * perMetre + rounder - rounder;
    let tz = (point[3 * n + 2] - oz) * perMetre + rounder - rounder;
    if (!(tx >= 0 && ty >= 0 && tz >= 0 && tx <= nx && ty <= ny && tz <= nz)) {
      outTet[n] = NONE;
      outBarycentric[o] = 0;
      outBarycentric[o + 1] = 0;
      outBarycentric[o + 2] = 0;
      outBarycentric[o + 3] = 0;
      continue;
    }
    if (tx === nx) tx -= unit;
    if (ty === ny) ty -= unit;
    if (tz === nz) tz -= unit;
    const i = tx | 0;
    const j = ty | 0;
    const k = tz | 0;
    let level = maxLevel;
    let next = child[(i >> level) + rx * ((j >> level) + ry * (k >> level))];
    while (next >= 0) {
      level--;
      next = child[next + ((i >> level) & 1) + (((j >> level) & 1) << 1) + (((k >> level) & 1) << 2)];
    }
    // Coordinates in the leaf from -1 to 1, and which face is nearest.
    const inverse = INVERSE_HALF[level];
    const ux = (tx - ((i >> level) << level)) * inverse - 1;
    const uy = (ty - ((j >> level) << level)) * inverse - 1;
    const uz = (tz - ((k >> level) << level)) * inverse - 1;
    const ax = Math.abs(ux);
    const ay = Math.abs(uy);
    const az = Math.abs(uz);
    const beatsXY = ax > ay || (ax === ay && ux >= 0);
    const beatsXZ = ax > az || (ax === az && ux >= 0);
    const beatsYZ = ay > az || (ay === az && uy >= 0);
    // w: height over the face's pyramid; ub and uc: coordinates along the two axes after the face's, in turn.
    let f: number;
    let w: number;
    let ub: number;
    let uc: number;
    let beatsBC: boolean;
    if (beatsXY && beatsXZ) {
      f = ux >= 0 ? 0 : 1;
      w = ax;
      ub = uy;
      uc = uz;
      beatsBC = beatsYZ;
    } else if (beatsYZ && !beatsXY) {
      f = uy >= 0 ? 2 : 3;
      w = ay;
      ub = uz;
      uc = ux;
      beatsBC = !beatsXZ;
    } else {
      f = uz >= 0 ? 4 : 5;
      w = az;
      ub = ux;
      uc = uy;
      beatsBC = beatsXY;
    }
    const record = FACES * (-1 - next) + f;
    const code = faceCode[record];
    const first = faceTet[record];
    const isLow = (f & 1) === 1;
    if ((code & KIND_MASK) === HALVES) {
      // Turned so that the diagonal runs from (-, -) to (+, +); then ub - uc decides.
      const turned = code >> KIND_BITS !== 0;
      const vb = turned ? uc : ub;
      const vc = turned ? -ub : uc;
      // On the diagonal the first axis that e moves decides: c is x or y before b only for faces of the y
      // axis.
      const isFirst = vb > vc || (vb === vc && (turned || f >> 1 !== 1));
      outTet[n] = isFirst ? first : first + 1;
      const atStart = 0.5 * (w - (isFirst ? vb : vc));
      const atEnd = 0.5 * (w + (isFirst ? vc : vb));
      const beside = 0.5 * (isFirst ? vb - vc : vc - vb);
      // (c, p, q, r) and (c, p, r, s), the last two exchanged on low sides.
      outBarycentric[o] = 1 - w;
      outBarycentric[o + 1] = atStart;
      outBarycentric[o + 2] = isFirst !== isLow ? beside : atEnd;
      outBarycentric[o + 3] = isFirst !== isLow ? atEnd : beside;
      continue;
    }
    // The edge m of the face, g towards it and t along it from corner m to corner m + 1.
    let m: number;
    let g: number;
    let t: number;
    let isSecond: boolean;
    if (beatsBC) {
      const high = ub >= 0;
      m = high ? 1 : 3;
      g = high ? ub : -ub;
      t = high ? uc : -uc;
      isSecond = uc >= 0 === high;
    } else {
      const high = uc >= 0;
      m = high ? 2 : 0;
      g = high ? uc : -uc;
      t = high ? -ub : ub;
      isSecond = ub >= 0 !== high;
    }
    const split = code >> KIND_BITS;
    const isSplit = (split >> m) & 1;
    outTet[n] = first + m + SPLITS_BEFORE[4 * split + m] + (isSplit & (isSecond ? 1 : 0));
    let along = 0.5 * (g - t);
    let ahead = 0.5 * (g + t);
    if (isSplit) {
      along = isSecond ? g - t : -t;
      ahead = isSecond ? t : g + t;
    }
    if ((code & KIND_MASK) === FAN) {
      outBarycentric[o] = 1 - w;
      outBarycentric[o + 1] = w - g;
      outBarycentric[o + 2] = isLow ? ahead : along;
      outBarycentric[o + 3] = isLow ? along : ahead;
    } else {
      const near = 1 - 0.5 * (w + g);
      const far = 0.5 * (w - g);
      outBarycentric[o] = isLow ? far : near;
      outBarycentric[o + 1] = isLow ? near : far;
      outBarycentric[o + 2] = along;
      outBarycentric[o + 3] = ahead;
    }
  }
}
