/**
 * The adaptive octree over sources and targets together. A cell is the tight box of its points; a crowded
 * cell is halved at the middle of its box along every axis that is at least half as long as the longest: flat
 * patches become four cells and not eight, every split separates points, and depth does not depend on how far
 * clusters lie apart. A cell with less than four (two) times a leaf's points is halved along two axes (one)
 * only, so that leaves are filled evenly. Cells stand level by level, children side by side.
 *
 * Cost: points times depth. Points that coincide stay in one leaf however many they are.
 */
import type { HeapScope } from '../../core/heap.ts';

export interface PointTree {
  readonly cellCount: number;
  /** Cells [levelStart[l], levelStart[l + 1]) are those of level l. */
  readonly levelStart: readonly number[];
  /** (cellCount) first child, or 0 for a leaf: cell 0 is nobody's child */
  readonly firstChild: Int32Array;
  readonly childCount: Int32Array;
  readonly parent: Int32Array;
  /** (cellCount + 1) sources and targets of a cell */
  readonly sourceCount: Int32Array;
  readonly targetCount: Int32Array;
  /** (cellCount x 3) middle of the box, on the heap */
  readonly centre: Float64Array;
  /** (cellCount) no point of the cell lies farther from its centre */
  readonly radius: Float64Array;
  /**
   * Points and their ids, each cell's side by side from pointStart on: sources are [0, sources), targets
   * follow, or are the same points.
   */
  readonly point: Float64Array;
  readonly id: Int32Array;
  readonly pointStart: Int32Array;
}

/** An axis is halved when at least this part of the longest. */
const SPLIT_RATIO = 0.5;

/** Cells in the making: arrays that double. */
class CellList {
  count = 0;
  start = new Int32Array(256);
  end = new Int32Array(256);
  parent = new Int32Array(256);
  firstChild = new Int32Array(256);
  childCount = new Int32Array(256);
  /** low and high corner */
  box = new Float64Array(6 * 256);

  add(start: number, end: number, parent: number): void {
    if (this.count === this.start.length) this.grow();
    this.start[this.count] = start;
    this.end[this.count] = end;
    this.parent[this.count] = parent;
    this.count++;
  }

  private grow(): void {
    const double = (old: Int32Array<ArrayBuffer>) => {
      const longer = new Int32Array(2 * old.length);
      longer.set(old);
      return longer;
    };
    this.start = double(this.start);
    this.end = double(this.end);
    this.parent = double(this.parent);
    this.firstChild = double(this.firstChild);
    this.childCount = double(this.childCount);
    const box = new Float64Array(2 * this.box.length);
    box.set(this.box);
    this.box = box;
  }
}

/**
 * Points in the order of the cells: they move with their ids, so that every pass reads memory from front to
 * back.
 */
interface Work {
  readonly point: Float64Array;
  readonly id: Int32Array;
  readonly sparePoint: Float64Array;
  readonly spareId: Int32Array;
  readonly octant: Uint8Array;
}

/**
 * point (pointCount x 3), scaled, brought into the order of the cells; the first `sources` are sources, the
 * others targets. With isShared all are both, and count twice in a leaf: the same tree, for half the work.
 */
export function buildPointTree(
  scope: HeapScope,
  point: Float64Array,
  sources: number,
  leafPoints: number,
  isShared = false,
): PointTree {
  const pointCount = point.length / 3;
  const leafCount = isShared ? leafPoints / 2 : leafPoints;
  const id = new Int32Array(pointCount);
  for (let i = 0; i < pointCount; i++) id[i] = i;
  const spareId = new Int32Array(pointCount);
  const work: Work = {
    ...{ point, id, sparePoint: new Float64Array(3 * pointCount), spareId },
    octant: new Uint8Array(pointCount),
  };
  const cells = new CellList();
  const levelStart = [0];
  cells.add(0, pointCount, 0);
  for (let cell = 0; cell < cells.count; ) {
    const levelEnd = cells.count;
    for (; cell < levelEnd; cell++) {
      measureBox(point, cells, cell);
      const crowd = (cells.end[cell] - cells.start[cell]) / leafCount;
      if (crowd > 1) splitCell(work, cells, cell, crowd > 4 ? 3 : crowd > 2 ? 2 : 1);
    }
    levelStart.push(levelEnd);
  }
  return finish(scope, work, sources, isShared, cells, levelStart);
}

function measureBox(point: Float64Array, cells: CellList, cell: number): void {
  let lowX = Number.POSITIVE_INFINITY;
  let lowY = lowX;
  let lowZ = lowX;
  let highX = Number.NEGATIVE_INFINITY;
  let highY = highX;
  let highZ = highX;
  const end = 3 * cells.end[cell];
  for (let i = 3 * cells.start[cell]; i < end; i += 3) {
    const x = point[i];
    const y = point[i + 1];
    const z = point[i + 2];
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
    if (z < lowZ) lowZ = z;
    if (z > highZ) highZ = z;
  }
  const { box } = cells;
  box[6 * cell] = lowX;
  box[6 * cell + 1] = lowY;
  box[6 * cell + 2] = lowZ;
  box[6 * cell + 3] = highX;
  box[6 * cell + 4] = highY;
  box[6 * cell + 5] = highZ;
}

/**
 * Where the box is halved along each axis: its middle on the `most` longest, infinity (beyond every point) on
 * the others.
 */
function findMiddle(box: Float64Array, cell: number, most: number): number[] {
  const length = [0, 1, 2].map((a) => box[6 * cell + 3 + a] - box[6 * cell + a]);
  const longest = Math.max(...length);
  const isLonger = (a: number, b: number) => length[a] > length[b] || (length[a] === length[b] && a < b);
  return [0, 1, 2].map((a) => {
    const longer = [0, 1, 2].filter((b) => b !== a && isLonger(b, a)).length;
    return longer < most && length[a] >= SPLIT_RATIO * longest
      ? 0.5 * (box[6 * cell + a] + box[6 * cell + 3 + a])
      : Number.POSITIVE_INFINITY;
  });
}

/** Sorts a cell's points by octant, in stable order, and adds a cell per octant that has any. */
function splitCell(work: Work, cells: CellList, cell: number, most: number): void {
  const { point, id, sparePoint, spareId, octant } = work;
  const start = cells.start[cell];
  const end = cells.end[cell];
  const [middleX, middleY, middleZ] = findMiddle(cells.box, cell, most);
  const next = new Int32Array(9);
  for (let i = start; i < end; i++) {
    const o =
      (point[3 * i] > middleX ? 1 : 0) |
      (point[3 * i + 1] > middleY ? 2 : 0) |
      (point[3 * i + 2] > middleZ ? 4 : 0);
    octant[i] = o;
    next[o + 1]++;
  }
  // Coincident, or too close for the middle to fall between: a leaf.
  for (let o = 0; o < 8; o++) if (next[o + 1] === end - start) return;
  next[0] = start;
  for (let o = 0; o < 8; o++) next[o + 1] += next[o];
  const first = cells.count;
  for (let o = 0; o < 8; o++) if (next[o + 1] > next[o]) cells.add(next[o], next[o + 1], cell);
  cells.firstChild[cell] = first;
  cells.childCount[cell] = cells.count - first;
  for (let i = start; i < end; i++) {
    const to = next[octant[i]]++;
    spareId[to] = id[i];
    sparePoint[3 * to] = point[3 * i];
    sparePoint[3 * to + 1] = point[3 * i + 1];
    sparePoint[3 * to + 2] = point[3 * i + 2];
  }
  id.set(spareId.subarray(start, end), start);
  point.set(sparePoint.subarray(3 * start, 3 * end), 3 * start);
}

function finish(
  scope: HeapScope,
  { point, id }: Work,
  sources: number,
  isShared: boolean,
  cells: CellList,
  levelStart: number[],
): PointTree {
  const { count: cellCount, parent, firstChild, childCount, start, end, box } = cells;
  const centre = scope.f64(3 * cellCount);
  const radius = new Float64Array(cellCount);
  const sourceCount = new Int32Array(cellCount);
  const targetCount = new Int32Array(cellCount);
  for (let cell = cellCount - 1; cell >= 0; cell--) {
    for (let a = 0; a < 3; a++) centre[3 * cell + a] = 0.5 * (box[6 * cell + a] + box[6 * cell + 3 + a]);
    let reach = 0;
    if (childCount[cell] === 0) {
      for (let i = start[cell]; i < end[cell]; i++) {
        reach = Math.max(reach, computeDistance(centre, 3 * cell, point, 3 * i));
        if (id[i] < sources) sourceCount[cell]++;
      }
      targetCount[cell] = isShared ? sourceCount[cell] : end[cell] - start[cell] - sourceCount[cell];
      radius[cell] = reach;
      continue;
    }
    for (let child = firstChild[cell]; child < firstChild[cell] + childCount[cell]; child++) {
      reach = Math.max(reach, computeDistance(centre, 3 * cell, centre, 3 * child) + radius[child]);
      sourceCount[cell] += sourceCount[child];
      targetCount[cell] += targetCount[child];
    }
    radius[cell] = Math.min(computeDistance(centre, 3 * cell, box, 6 * cell), reach);
  }
  return {
    ...{ cellCount, levelStart, firstChild, childCount, parent, sourceCount, targetCount },
    ...{ centre, radius, point, id, pointStart: start },
  };
}

function computeDistance(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = a[i] - b[j];
  const y = a[i + 1] - b[j + 1];
  const z = a[i + 2] - b[j + 2];
  return Math.sqrt(x * x + y * y + z * z);
}
