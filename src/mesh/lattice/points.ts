/**
 * Lattice points near the surface: their positions, field values and signs, the cells that touch the surface,
 * and the ring of cells around those that must be finest leaves so that the surface meets only regular BCC
 * tets.
 *
 * The candidate cells given need not be complete: wherever a cell touches the surface and a neighbour not yet
 * sampled would see it too, the neighbour joins, so the surface is followed to its end. Cost: one evaluation
 * per point.
 */
import { InputError } from '../../core/errors.ts';
import { NONE } from '../../core/types.ts';
import { withRoom } from './buffers.ts';
import type { Grid } from './grid.ts';
import type { Sampler } from './sampler.ts';

/**
 * Offsets to the 26 neighbours, the corners shared with each (bit per corner), and whether a face is shared.
 */
const OFFSET: number[] = [];
const SHARED: number[] = [];
const IS_FACE: boolean[] = [];
for (let z = -1; z <= 1; z++)
  for (let y = -1; y <= 1; y++)
    for (let x = -1; x <= 1; x++) {
      if (x === 0 && y === 0 && z === 0) continue;
      let mask = 0;
      for (let c = 0; c < 8; c++) {
        const touches = (d: number, bit: number) => d === 0 || d === 2 * bit - 1;
        if (touches(x, c & 1) && touches(y, (c >> 1) & 1) && touches(z, c >> 2)) mask |= 1 << c;
      }
      OFFSET.push(x, y, z);
      SHARED.push(mask);
      IS_FACE.push(Math.abs(x) + Math.abs(y) + Math.abs(z) === 1);
    }

export class Points {
  count = 0;
  /** (count x 3) m; warping moves them. */
  position = new Float64Array(3 * 1024);
  value = new Float64Array(1024);
  /** With a vessel: the two functions whose minimum `value` is. */
  liquid = new Float64Array(0);
  vessel = new Float64Array(0);
  /** Sign of the value; 0 on the surface, and after warping for those moved there. */
  state = new Int8Array(0);
  /** First edge owned by the point: a corner owns 3 (long, +x +y +z), a centre 11 (8 short, then 3 long). */
  edgeBase = new Int32Array(1024);
  edgeCount = 0;
  /** Sampled cells (i + nx (j + ny k), padded), and those that touch the surface. */
  cells = new Int32Array(256);
  cellCount = 0;
  surfaceCells = new Int32Array(256);
  surfaceCellCount = 0;

  /** Adds a lattice point at (i, j, k) + offset cells. */
  add(grid: Grid, i: number, j: number, k: number, offset: number, edges: number): number {
    const p = this.count++;
    if (3 * this.count > this.position.length) {
      this.position = withRoom(this.position, 3 * this.count);
      this.value = withRoom(this.value, this.position.length / 3);
      this.edgeBase = withRoom(this.edgeBase, this.position.length / 3);
    }
    this.position[3 * p] = grid.ox + grid.h * (i + offset);
    this.position[3 * p + 1] = grid.oy + grid.h * (j + offset);
    this.position[3 * p + 2] = grid.oz + grid.h * (k + offset);
    this.edgeBase[p] = this.edgeCount;
    this.edgeCount += edges;
    return p;
  }
}

/**
 * Samples the candidates and follows the surface; marks grid.candidate and grid.surface. With a vessel the
 * region is where both the field and the vessel's are positive.
 */
export function sampleSurface(
  grid: Grid,
  sampler: Sampler,
  candidates: Int32Array,
  vessel?: Sampler,
): Points {
  const points = new Points();
  for (let c = 0; c < candidates.length; c++) {
    const i = candidates[c] % grid.nx;
    const j = Math.floor(candidates[c] / grid.nx) % grid.ny;
    addCandidate(grid, points, i, j, Math.floor(candidates[c] / (grid.nx * grid.ny)));
  }
  let firstPoint = 0;
  let firstCell = 0;
  while (firstCell < points.cellCount) {
    const added = points.count - firstPoint;
    const place = points.position.subarray(3 * firstPoint, 3 * points.count);
    const value = points.value.subarray(firstPoint, points.count);
    sampler.sample(place, added, value);
    if (vessel) addVessel(points, firstPoint, vessel, place, value);
    validateValues(points, firstPoint);
    firstPoint = points.count;
    const lastCell = points.cellCount;
    for (let c = firstCell; c < lastCell; c++) followSurface(grid, points, points.cells[c]);
    firstCell = lastCell;
  }
  points.state = new Int8Array(points.count);
  for (let p = 0; p < points.count; p++) points.state[p] = Math.sign(points.value[p]);
  for (let c = 0; c < points.cellCount; c++) markSurfaceCell(grid, points, points.cells[c]);
  return points;
}

/** Keeps both functions apart and leaves their minimum in `outValue`. */
function addVessel(
  points: Points,
  first: number,
  vessel: Sampler,
  place: Float64Array,
  outValue: Float64Array,
): void {
  points.liquid = withRoom(points.liquid as Float64Array<ArrayBuffer>, points.value.length);
  points.vessel = withRoom(points.vessel as Float64Array<ArrayBuffer>, points.value.length);
  points.liquid.set(outValue, first);
  const walls = points.vessel.subarray(first, points.count);
  vessel.sample(place, outValue.length, walls);
  for (let n = 0; n < outValue.length; n++) outValue[n] = Math.min(outValue[n], walls[n]);
}

function validateValues(points: Points, first: number): void {
  for (let p = first; p < points.count; p++)
    if (Number.isNaN(points.value[p])) {
      const at = Array.from(points.position.subarray(3 * p, 3 * p + 3)).join(', ');
      throw new InputError('stuffing', `the field is not a number at (${at}) m`, 'check the shape');
    }
}

function addCandidate(grid: Grid, points: Points, i: number, j: number, k: number): void {
  const cell = grid.entry(i, j, k);
  const bit = 1 << (cell & 7);
  if (grid.candidate[cell >> 3] & bit) return;
  grid.candidate[cell >> 3] |= bit;
  if (points.cellCount === points.cells.length) points.cells = withRoom(points.cells, 2 * points.cellCount);
  points.cells[points.cellCount++] = i + grid.nx * (j + grid.ny * k);
  if (grid.centre[cell] === NONE) grid.centre[cell] = points.add(grid, i, j, k, 0.5, 11);
  for (let c = 0; c < 8; c++) {
    const x = i + (c & 1);
    const y = j + ((c >> 1) & 1);
    const z = k + (c >> 2);
    const e = grid.entry(x, y, z);
    if (grid.corner[e] === NONE) grid.corner[e] = points.add(grid, x, y, z, 0, 3);
  }
}

/** Corner signs of a sampled cell as two 8-bit masks: positive in the low byte, zero in the next. */
function cornerMasks(grid: Grid, value: Float64Array, i: number, j: number, k: number): number {
  let masks = 0;
  for (let c = 0; c < 8; c++) {
    const v = value[grid.corner[grid.entry(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2))]];
    if (v > 0) masks |= 1 << c;
    else if (v === 0) masks |= 256 << c;
  }
  return masks;
}

/** Adds the neighbours that see the surface through what they share with this cell. */
function followSurface(grid: Grid, points: Points, cell: number): void {
  const i = cell % grid.nx;
  const j = Math.floor(cell / grid.nx) % grid.ny;
  const k = Math.floor(cell / (grid.nx * grid.ny));
  const masks = cornerMasks(grid, points.value, i, j, k);
  const positive = masks & 255;
  const zero = masks >> 8;
  const centre = Math.sign(points.value[grid.centre[grid.entry(i, j, k)]]);
  if (zero === 0 && ((positive === 255 && centre > 0) || (positive === 0 && centre < 0))) return;
  for (let d = 0; d < 26; d++) {
    const shared = SHARED[d];
    const plus = positive & shared;
    const uniform = (zero & shared) === 0 && (plus === 0 || plus === shared);
    if (uniform && !(IS_FACE[d] && centre !== (plus ? 1 : -1))) continue;
    const x = i + OFFSET[3 * d];
    const y = j + OFFSET[3 * d + 1];
    const z = k + OFFSET[3 * d + 2];
    if (x < 0 || y < 0 || z < 0 || x >= grid.nx || y >= grid.ny || z >= grid.nz) throw leavesLattice(grid);
    addCandidate(grid, points, x, y, z);
  }
}

export function leavesLattice(grid: Grid): InputError {
  const to = [grid.ox + grid.nx * grid.h, grid.oy + grid.ny * grid.h, grid.oz + grid.nz * grid.h];
  return new InputError(
    'stuffing',
    `the region reaches beyond the lattice box (${grid.ox}, ${grid.oy}, ${grid.oz}) to (${to.join(', ')}) m`,
    'enlarge the lattice or clip the region with its box',
  );
}

/**
 * A cell touches the surface if its nine points disagree, or its centre disagrees with a face neighbour's.
 */
function markSurfaceCell(grid: Grid, points: Points, cell: number): void {
  const i = cell % grid.nx;
  const j = Math.floor(cell / grid.nx) % grid.ny;
  const k = Math.floor(cell / (grid.nx * grid.ny));
  const e = grid.entry(i, j, k);
  const centre = points.state[grid.centre[e]];
  grid.cellSign[e] = centre;
  const masks = cornerMasks(grid, points.value, i, j, k);
  const touches = masks >> 8 !== 0 || !((masks === 255 && centre > 0) || (masks === 0 && centre < 0));
  if (
    !touches &&
    !facesOppositeCentre(grid, points.value, i, j, k, centre) &&
    !(points.vessel.length > 0 && touchesVessel(grid, points.vessel, i, j, k))
  )
    return;
  if (i < 1 || j < 1 || k < 1 || i >= grid.nx - 1 || j >= grid.ny - 1 || k >= grid.nz - 1)
    throw leavesLattice(grid);
  grid.surface[e >> 3] |= 1 << (e & 7);
  if (points.surfaceCellCount === points.surfaceCells.length)
    points.surfaceCells = withRoom(points.surfaceCells, 2 * points.surfaceCellCount);
  points.surfaceCells[points.surfaceCellCount++] = cell;
}

/** A film thinner than the lattice has no point inside: its cells are known by the vessel's wall in them. */
function touchesVessel(grid: Grid, vessel: Float64Array, i: number, j: number, k: number): boolean {
  const centre = Math.sign(vessel[grid.centre[grid.entry(i, j, k)]]);
  const masks = cornerMasks(grid, vessel, i, j, k);
  if (masks >> 8 !== 0 || !((masks === 255 && centre > 0) || (masks === 0 && centre < 0))) return true;
  return facesOppositeCentre(grid, vessel, i, j, k, centre);
}

function facesOppositeCentre(
  grid: Grid,
  value: Float64Array,
  i: number,
  j: number,
  k: number,
  sign: number,
): boolean {
  for (let d = 0; d < 26; d++) {
    if (!IS_FACE[d]) continue;
    const x = i + OFFSET[3 * d];
    const y = j + OFFSET[3 * d + 1];
    const z = k + OFFSET[3 * d + 2];
    if (x < 0 || y < 0 || z < 0) continue;
    const e = grid.findEntry(x, y, z);
    if (e === NONE || grid.centre[e] === NONE) continue;
    if (Math.sign(value[grid.centre[e]]) === -sign) return true;
  }
  return false;
}

/**
 * Marks every surface cell and its 26 neighbours as required finest leaves, and gives each its sign: a
 * neighbour that was not sampled lies wholly on the side of the corners it shares.
 */
export function markRequired(grid: Grid, points: Points): void {
  for (let s = 0; s < points.surfaceCellCount; s++) {
    const cell = points.surfaceCells[s];
    const i = cell % grid.nx;
    const j = Math.floor(cell / grid.nx) % grid.ny;
    const k = Math.floor(cell / (grid.nx * grid.ny));
    const e = grid.entry(i, j, k);
    grid.required[e >> 3] |= 1 << (e & 7);
    for (let d = 0; d < 26; d++) {
      const dx = OFFSET[3 * d];
      const dy = OFFSET[3 * d + 1];
      const dz = OFFSET[3 * d + 2];
      const n = grid.entry(i + dx, j + dy, k + dz);
      const bit = 1 << (n & 7);
      if (grid.required[n >> 3] & bit) continue;
      grid.required[n >> 3] |= bit;
      if (grid.candidate[n >> 3] & bit) continue;
      const shared = grid.entry(i + (dx > 0 ? 1 : 0), j + (dy > 0 ? 1 : 0), k + (dz > 0 ? 1 : 0));
      grid.cellSign[n] = points.state[grid.corner[shared]];
    }
  }
}
