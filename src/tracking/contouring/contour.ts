/**
 * Contouring: the zero set of the liquid's function, clipped by the solids, as a closed triangulation.
 * [chentanez-2007] 3.2 (marching cubes over the finest cells) and 3.3.1 (minimum with the obstacles' function).
 *
 * The function is only evaluated near its zero set: starting from seed cells, the contour is continued through every
 * cell face it crosses, so the result is closed whatever the seeds missed. Each vertex is found by the function that
 * ends the liquid along its cell edge, the liquid's own or the solid's, so that contact lines on walls aligned with the grid
 * are sharp. Free vertices are then polished by root finding on the function itself: linear interpolation alone would
 * shrink curved surfaces a little at every step.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import { CASE_LOOPS, EDGE_CORNERS } from '../../mesh/marching/cases.ts';
import type { BlockGrid } from './block-grid.ts';
import { type ContourFrame, nodeClearance } from './frame.ts';
import { type SignField, spreadSigns } from './signs.ts';
import type { TrackedSurface } from './surface.ts';

/** The liquid's function at many points (count x 3) -> out (count); arrays are on the heap. */
export type SampleMany = (point: Float64Array, count: number, out: Float64Array) => void;

/** Rounds of root polishing per free vertex; each costs one evaluation. */
const ROOT_ROUNDS = 2;
/** A root this close to a grid node, in cells, shares the node's vertex, so that no zero-area triangle appears. */
const AT_NODE = 1e-6;
/** Relative gain that makes another fan worth choosing. */
const DIAGONAL_MARGIN = 1e-6;
/** Depth inside a solid, in cells, to which the liquid's function is continued. */
const SOLID_DEPTH = 1.8;

export interface Contour {
  readonly surface: TrackedSurface;
  readonly signs: SignField;
  /** Function evaluations spent. */
  readonly evaluations: number;
}

/** Collects seed cells, evaluates, continues and triangulates. Used once per contour. */
export class ContourBuilder {
  readonly grid: BlockGrid;
  private value = new Float64Array(0);
  /** Bit 0: node evaluated. Bit 1: cell active. */
  private state = new Uint8Array(0);
  private cells = new Int32Array(1024);
  private cellCount = 0;
  private evaluations = 0;
  private readonly spacing: number;

  constructor(
    private readonly frame: ContourFrame,
    private readonly sample: SampleMany,
    private readonly scratch: HeapScope,
  ) {
    this.grid = frame.walls.clone();
    this.spacing = this.grid.spacing;
    this.growSlots();
  }

  /** Makes cell (i, j, k) part of the band. Cells outside the grid are ignored. */
  addCell(i: number, j: number, k: number): void {
    const grid = this.grid;
    if (i < 0 || j < 0 || k < 0 || i + 1 >= grid.nodesX || j + 1 >= grid.nodesY || k + 1 >= grid.nodesZ)
      return;
    const slot = grid.addSlot(i, j, k);
    if (slot >= this.state.length) this.growSlots();
    if ((this.state[slot] & 2) !== 0) return;
    this.state[slot] |= 2;
    if (this.cellCount === this.cells.length) {
      const wider = new Int32Array(2 * this.cells.length);
      wider.set(this.cells);
      this.cells = wider;
    }
    this.cells[this.cellCount++] = slot;
  }

  /** Every cell that overlaps the box, widened by half a cell. */
  addBox(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): void {
    const { origin, spacing } = this.grid;
    const i0 = Math.floor((minX - origin[0]) / spacing - 0.5);
    const j0 = Math.floor((minY - origin[1]) / spacing - 0.5);
    const k0 = Math.floor((minZ - origin[2]) / spacing - 0.5);
    const i1 = Math.floor((maxX - origin[0]) / spacing + 0.5);
    const j1 = Math.floor((maxY - origin[1]) / spacing + 0.5);
    const k1 = Math.floor((maxZ - origin[2]) / spacing + 0.5);
    for (let k = k0; k <= k1; k++)
      for (let j = j0; j <= j1; j++) for (let i = i0; i <= i1; i++) this.addCell(i, j, k);
  }

  /** Evaluates the band, continues it, and triangulates into arrays of `scope`. */
  build(scope: HeapScope, insideAt: (x: number, y: number, z: number) => boolean): Contour {
    for (let first = 0; first < this.cellCount; ) {
      const last = this.cellCount;
      this.evaluateNodes(first, last);
      this.continueContour(first, last);
      first = last;
    }
    const slotSign = new Int8Array(this.grid.slotCount);
    for (let s = 0; s < slotSign.length; s++) {
      if ((this.state[s] & 1) !== 0 && nodeClearance(this.frame, s, this.grid) >= 0) {
        slotSign[s] = this.value[s] > 0 ? 1 : -1;
      }
    }
    const signs = spreadSigns(this.frame, this.grid, slotSign, insideAt);
    const surface = this.triangulate(slotSign, scope);
    return { surface, signs, evaluations: this.evaluations };
  }

  private growSlots(): void {
    const need = Math.max(this.grid.slotCount, 1);
    if (need <= this.state.length) return;
    const capacity = Math.max(need, Math.ceil(1.5 * this.state.length));
    const state = new Uint8Array(capacity);
    state.set(this.state);
    this.state = state;
    const value = new Float64Array(capacity);
    value.set(this.value);
    this.value = value;
  }

  /** Evaluates the function at the nodes of cells [first, last) that have no value yet. */
  private evaluateNodes(first: number, last: number): void {
    const grid = this.grid;
    const node = new Int32Array(3);
    let slots = new Int32Array(8 * (last - first));
    let count = 0;
    for (let c = first; c < last; c++) {
      grid.nodeOfSlot(this.cells[c], node);
      for (let corner = 0; corner < 8; corner++) {
        const slot = grid.addSlot(
          node[0] + (corner & 1),
          node[1] + ((corner >> 1) & 1),
          node[2] + (corner >> 2),
        );
        if (slot >= this.state.length) this.growSlots();
        if ((this.state[slot] & 1) !== 0) continue;
        this.state[slot] |= 1;
        if (nodeClearance(this.frame, slot, grid) < -SOLID_DEPTH * this.spacing) {
          this.value[slot] = Number.NEGATIVE_INFINITY;
          continue;
        }
        slots[count++] = slot;
      }
    }
    slots = slots.subarray(0, count);
    if (count === 0) return;
    const point = this.scratch.f64(3 * count);
    const out = this.scratch.f64(count);
    for (let n = 0; n < count; n++) {
      grid.nodeOfSlot(slots[n], node);
      for (let a = 0; a < 3; a++) point[3 * n + a] = grid.origin[a] + node[a] * this.spacing;
      const clearance = nodeClearance(this.frame, slots[n], grid);
      if (clearance < 0) this.projectOutOfSolid(point, n, clearance);
    }
    this.sample(point, count, out);
    this.evaluations += count;
    for (let n = 0; n < count; n++) this.value[slots[n]] = out[n];
  }

  /** Inside a solid the function continues with the value at the wall. */
  private projectOutOfSolid(point: Float64Array, n: number, clearance: number): void {
    const at = this.frame.clearanceAt;
    const x = point[3 * n];
    const y = point[3 * n + 1];
    const z = point[3 * n + 2];
    const e = 1e-3 * this.spacing;
    const gx = at(x + e, y, z) - at(x - e, y, z);
    const gy = at(x, y + e, z) - at(x, y - e, z);
    const gz = at(x, y, z + e) - at(x, y, z - e);
    const length = Math.hypot(gx, gy, gz);
    if (length === 0) return;
    point[3 * n] -= (clearance * gx) / length;
    point[3 * n + 1] -= (clearance * gy) / length;
    point[3 * n + 2] -= (clearance * gz) / length;
  }

  /** Activates the neighbours of cells [first, last) across every face the contour passes through in open space. */
  private continueContour(first: number, last: number): void {
    const grid = this.grid;
    const node = new Int32Array(3);
    for (let c = first; c < last; c++) {
      grid.nodeOfSlot(this.cells[c], node);
      let inside = 0;
      let open = 0;
      for (let corner = 0; corner < 8; corner++) {
        const slot = grid.findSlot(
          node[0] + (corner & 1),
          node[1] + ((corner >> 1) & 1),
          node[2] + (corner >> 2),
        );
        if (this.value[slot] > 0) inside |= 1 << corner;
        if (nodeClearance(this.frame, slot, grid) >= 0) open |= 1 << corner;
      }
      if (inside === 0 || inside === 255 || open === 0) continue;
      for (let axis = 0; axis < 3; axis++) {
        for (let side = 0; side < 2; side++) {
          const face = FACE_MASK[2 * axis + side];
          const onFace = inside & face;
          if (onFace === 0 || onFace === face || (open & face) === 0) continue;
          const step = side === 0 ? -1 : 1;
          this.addCell(
            node[0] + (axis === 0 ? step : 0),
            node[1] + (axis === 1 ? step : 0),
            node[2] + (axis === 2 ? step : 0),
          );
        }
      }
    }
  }

  private triangulate(slotSign: Int8Array, scope: HeapScope): TrackedSurface {
    const vertices = new VertexSet(this.grid.slotCount);
    const triangles = new TriangleList();
    const node = new Int32Array(3);
    for (let c = 0; c < this.cellCount; c++) {
      this.grid.nodeOfSlot(this.cells[c], node);
      this.triangulateCell(node[0], node[1], node[2], slotSign, vertices, triangles);
    }
    const { wallCell } = this.frame;
    for (let w = 0; w < wallCell.length; w += 3) {
      const slot = this.grid.findSlot(wallCell[w], wallCell[w + 1], wallCell[w + 2]);
      if ((this.state[slot] & 2) !== 0) continue;
      this.triangulateCell(wallCell[w], wallCell[w + 1], wallCell[w + 2], slotSign, vertices, triangles);
    }
    this.polish(vertices);
    return triangles.finish(vertices, scope);
  }

  private triangulateCell(
    i: number,
    j: number,
    k: number,
    slotSign: Int8Array,
    vertices: VertexSet,
    triangles: TriangleList,
  ): void {
    const grid = this.grid;
    let inside = 0;
    for (let corner = 0; corner < 8; corner++) {
      const slot = grid.findSlot(i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2));
      this.cornerSlot[corner] = slot;
      if (slotSign[slot] > 0) inside |= 1 << corner;
    }
    if (inside === 0 || inside === 255) return;
    for (const loop of CASE_LOOPS[inside]) {
      this.loop.length = 0;
      for (const edge of loop) {
        const [lo, hi] = EDGE_CORNERS[edge];
        const fromLo = ((inside >> lo) & 1) === 1;
        this.loop.push(this.findVertex(i, j, k, edge >> 2, lo, hi, fromLo, vertices));
      }
      triangles.addLoop(this.loop, vertices);
    }
  }

  private readonly cornerSlot = new Int32Array(8);
  private readonly loop: number[] = [];

  /** Vertex on the cell edge from corner lo to corner hi, created on first use. */
  private findVertex(
    i: number,
    j: number,
    k: number,
    axis: number,
    lo: number,
    hi: number,
    fromLo: boolean,
    vertices: VertexSet,
  ): number {
    const slotLo = this.cornerSlot[lo];
    const known = vertices.ofEdge(slotLo, axis);
    if (known !== NONE) return known;
    const a = fromLo ? slotLo : this.cornerSlot[hi];
    const b = fromLo ? this.cornerSlot[hi] : slotLo;
    const evaluated = (this.state[a] & this.state[b] & 1) !== 0;
    const clearA = nodeClearance(this.frame, a, this.grid);
    const clearB = nodeClearance(this.frame, b, this.grid);
    // Where the solid ends the liquid along this edge, and where the liquid ends by itself.
    const atWall = clearB < 0 ? (clearA === 0 ? 0 : clearA / (clearA - clearB)) : 1;
    let t = atWall;
    let free = false;
    const fa = this.value[a];
    const fb = this.value[b];
    if (evaluated && fb <= 0 && fb !== Number.NEGATIVE_INFINITY) {
      const own = (fa / (fa - fb)) * atWall;
      if (own < atWall || clearB >= 0) {
        t = own;
        free = true;
      }
    }
    const cornerA = fromLo ? lo : hi;
    const x = i + (cornerA & 1);
    const y = j + ((cornerA >> 1) & 1);
    const z = k + (cornerA >> 2);
    if (t <= AT_NODE || t >= 1 - AT_NODE) {
      const at = t <= AT_NODE ? a : b;
      const direction = fromLo ? 1 : -1;
      const shift = t <= AT_NODE ? 0 : direction;
      const v = vertices.addAtNode(
        at,
        this.grid.origin[0] + (x + (axis === 0 ? shift : 0)) * this.spacing,
        this.grid.origin[1] + (y + (axis === 1 ? shift : 0)) * this.spacing,
        this.grid.origin[2] + (z + (axis === 2 ? shift : 0)) * this.spacing,
        free,
      );
      vertices.setEdge(slotLo, axis, v);
      return v;
    }
    const v = vertices.add(
      this.grid.origin[0] + x * this.spacing,
      this.grid.origin[1] + y * this.spacing,
      this.grid.origin[2] + z * this.spacing,
      axis,
      fromLo ? this.spacing : -this.spacing,
      t,
      free,
    );
    if (free && clearB >= 0) vertices.setBracket(v, fa, fb);
    vertices.setEdge(slotLo, axis, v);
    return v;
  }

  /** Moves free vertices along their edges onto the zero of the function: bracketed secant (Illinois) rounds. */
  private polish(vertices: VertexSet): void {
    const ids = vertices.bracketed();
    const count = ids.length;
    if (count === 0) return;
    const point = this.scratch.f64(3 * count);
    const out = this.scratch.f64(count);
    for (let round = 0; round < ROOT_ROUNDS; round++) {
      for (let n = 0; n < count; n++) vertices.copyPosition(ids[n], point, n);
      this.sample(point, count, out);
      this.evaluations += count;
      for (let n = 0; n < count; n++) vertices.narrow(ids[n], out[n]);
    }
  }
}

const FACE_MASK = [0x55, 0xaa, 0x33, 0xcc, 0x0f, 0xf0];

/** Vertices on cell edges, each with its place t along the edge and the bracket of its root. */
class VertexSet {
  count = 0;
  /** Per vertex: start x, y, z, signed edge length, t, bracket low t, f, bracket high t, f. */
  private data = new Float64Array(9 * 1024);
  private axisOf = new Uint8Array(1024);
  /** Bit 0: free. Bit 1: bracketed. Bit 2: last narrowing kept the high end; bit 3: kept the low end. */
  private flag = new Uint8Array(1024);
  private readonly edgeVertex: Int32Array;
  private readonly nodeVertex: Int32Array;

  constructor(slotCount: number) {
    this.edgeVertex = new Int32Array(3 * slotCount);
    this.nodeVertex = new Int32Array(slotCount);
  }

  ofEdge(slot: number, axis: number): number {
    return this.edgeVertex[3 * slot + axis] - 1;
  }

  setEdge(slot: number, axis: number, vertex: number): void {
    this.edgeVertex[3 * slot + axis] = vertex + 1;
  }

  addAtNode(slot: number, x: number, y: number, z: number, free: boolean): number {
    if (this.nodeVertex[slot] === 0) this.nodeVertex[slot] = this.add(x, y, z, 0, 0, 0, free) + 1;
    const v = this.nodeVertex[slot] - 1;
    // A node shared by a wall edge and a free edge lies on the wall.
    if (!free) this.flag[v] &= ~1;
    return v;
  }

  add(x: number, y: number, z: number, axis: number, length: number, t: number, free: boolean): number {
    if (this.count === this.flag.length) {
      const capacity = 2 * this.count;
      const data = new Float64Array(9 * capacity);
      data.set(this.data);
      this.data = data;
      const axisOf = new Uint8Array(capacity);
      axisOf.set(this.axisOf);
      this.axisOf = axisOf;
      const flag = new Uint8Array(capacity);
      flag.set(this.flag);
      this.flag = flag;
    }
    const v = this.count++;
    const d = 9 * v;
    this.data[d] = x;
    this.data[d + 1] = y;
    this.data[d + 2] = z;
    this.data[d + 3] = length;
    this.data[d + 4] = t;
    this.axisOf[v] = axis;
    this.flag[v] = free ? 1 : 0;
    return v;
  }

  setBracket(v: number, fLow: number, fHigh: number): void {
    const d = 9 * v;
    this.data[d + 5] = 0;
    this.data[d + 6] = fLow;
    this.data[d + 7] = 1;
    this.data[d + 8] = fHigh;
    this.flag[v] |= 2;
  }

  /** Narrows the bracket of v with the function's value f at its present place, and moves it to the new estimate. */
  narrow(v: number, f: number): void {
    const d = 9 * v;
    const data = this.data;
    if (f > 0) {
      data[d + 5] = data[d + 4];
      data[d + 6] = f;
      if ((this.flag[v] & 4) !== 0) data[d + 8] /= 2;
      this.flag[v] = (this.flag[v] & ~8) | 4;
    } else {
      data[d + 7] = data[d + 4];
      data[d + 8] = f;
      if ((this.flag[v] & 8) !== 0) data[d + 6] /= 2;
      this.flag[v] = (this.flag[v] & ~4) | 8;
    }
    const rise = data[d + 6] - data[d + 8];
    if (rise > 0) data[d + 4] = data[d + 5] + ((data[d + 7] - data[d + 5]) * data[d + 6]) / rise;
  }

  bracketed(): Int32Array {
    const ids = new Int32Array(this.count);
    let count = 0;
    for (let v = 0; v < this.count; v++) if ((this.flag[v] & 2) !== 0) ids[count++] = v;
    return ids.subarray(0, count);
  }

  isFree(v: number): boolean {
    return (this.flag[v] & 1) !== 0;
  }

  copyPosition(v: number, out: Float64Array, n: number): void {
    const d = 9 * v;
    out[3 * n] = this.data[d];
    out[3 * n + 1] = this.data[d + 1];
    out[3 * n + 2] = this.data[d + 2];
    out[3 * n + this.axisOf[v]] += this.data[d + 3] * this.data[d + 4];
  }

  squaredDistance(v: number, w: number): number {
    const p = this.pair;
    this.copyPosition(v, p, 0);
    this.copyPosition(w, p, 1);
    return (p[0] - p[3]) ** 2 + (p[1] - p[4]) ** 2 + (p[2] - p[5]) ** 2;
  }

  private readonly pair = new Float64Array(6);
}

/** Triangles of the contour; loops are fanned from the corner that gives the shortest diagonals. */
class TriangleList {
  private corner = new Int32Array(3 * 1024);
  private wall = new Uint8Array(1024);
  private count = 0;

  addLoop(loop: number[], vertices: VertexSet): void {
    const n = loop.length;
    let best = 0;
    if (n > 3) {
      let least = Number.POSITIVE_INFINITY;
      for (let s = 0; s < (n === 4 ? 2 : n); s++) {
        let sum = 0;
        for (let m = 2; m < n - 1; m++) sum += vertices.squaredDistance(loop[s], loop[(s + m) % n]);
        // The margin keeps rounding from choosing between equals.
        if (sum < least * (1 - DIAGONAL_MARGIN)) {
          least = sum;
          best = s;
        }
      }
    }
    for (let m = 1; m < n - 1; m++) {
      this.add(loop[best], loop[(best + m) % n], loop[(best + m + 1) % n], vertices);
    }
  }

  private add(a: number, b: number, c: number, vertices: VertexSet): void {
    if (a === b || b === c || c === a) return;
    if (this.count === this.wall.length) {
      const corner = new Int32Array(6 * this.count);
      corner.set(this.corner);
      this.corner = corner;
      const wall = new Uint8Array(2 * this.count);
      wall.set(this.wall);
      this.wall = wall;
    }
    this.corner[3 * this.count] = a;
    this.corner[3 * this.count + 1] = b;
    this.corner[3 * this.count + 2] = c;
    this.wall[this.count++] = vertices.isFree(a) && vertices.isFree(b) && vertices.isFree(c) ? 0 : 1;
  }

  /** Copies into heap arrays, leaving out vertices that only collapsed triangles used. */
  finish(vertices: VertexSet, scope: HeapScope): TrackedSurface {
    const newId = new Int32Array(vertices.count).fill(NONE);
    let vertexCount = 0;
    const triangle = scope.i32(3 * this.count);
    for (let n = 0; n < 3 * this.count; n++) {
      const v = this.corner[n];
      if (newId[v] === NONE) newId[v] = vertexCount++;
      triangle[n] = newId[v];
    }
    const position = scope.f64(3 * vertexCount);
    for (let v = 0; v < vertices.count; v++) {
      if (newId[v] !== NONE) vertices.copyPosition(v, position, newId[v]);
    }
    const wall = scope.u8(this.count);
    wall.set(this.wall.subarray(0, this.count));
    return { vertexCount, triangleCount: this.count, position, triangle, wall };
  }
}
