/**
 * Contouring: the zero set of the liquid's function, clipped by the solids, as a closed triangulation.
 * [chentanez-2007] 3.2 (marching cubes over the finest cells) and 3.3.1 (minimum with the obstacles'
 * function).
 *
 * The function is only evaluated near its zero set: starting from seed cells, the contour is continued
 * through every cell face it crosses, so the result is closed whatever the seeds missed. Each vertex is found
 * by the function that ends the liquid along its cell edge, the liquid's own or the solid's, so that contact
 * lines on walls aligned with the grid are sharp. Where the corners of a cell face leave it open whether the
 * liquid hangs together across it, the function in the face's middle decides: separating the inside corners
 * always, as is common, tears oblique sheets thinner than sqrt(3) cells, while a sheet that is seen in the
 * middle needs max |n_i| cells, one at most. Free vertices are then polished by root finding on the function
 * itself: linear interpolation alone would shrink curved surfaces a little at every step.
 */
import { lengthened } from '../../core/doubled.ts';
import type { HeapScope } from '../../core/heap.ts';
import { type F64View, NONE, type Vec3 } from '../../core/types.ts';
import { setTriangleBox } from '../../math/triangle.ts';
import { AMBIGUOUS_FACES, EDGE_CORNERS, FACE_MASK, findLoops } from '../../mesh/marching/cases.ts';
import type { BlockGrid } from './block-grid.ts';
import { storeSurface, TriangleList, VertexSet } from './contour-mesh.ts';
import { sharpenWalls } from './sharp-walls.ts';
import type { SignField } from './signs.ts';
import { type ContourSpace, nodeClearance } from './space.ts';
import { spreadSigns } from './spread-signs.ts';
import type { TrackedSurface } from './surface.ts';

/** The liquid's function at many points (count x 3) -> out (count); arrays are on the heap. */
export type SampleMany = (point: Float64Array, count: number, out: Float64Array) => void;

const box = new Float64Array(6);

/** Rounds of root polishing per free vertex; each costs one evaluation. */
const ROOT_ROUNDS = 2;
/** Room for more slots than the walls have, at first: growing means to copy all. */
const SPARE_SLOTS = 1.25;
/** Rounds of the search for a wall on a cell edge, and the clearance, in cells, at which it is found. */
const WALL_ROUNDS = 8;
const ON_WALL = 1e-7;
/**
 * A root this close to a grid node, in cells, shares the node's vertex, so that no zero-area triangle
 * appears.
 */
const AT_NODE = 1e-6;
/** Places that differ by less, in cells, are equal. */
const EQUAL = 1e-7;

/** The case of a cell with all corners inside. */
const ALL_INSIDE = 255;

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
    private readonly space: ContourSpace,
    private readonly sample: SampleMany,
    private readonly scratch: HeapScope,
  ) {
    this.grid = space.walls.clone();
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

  /** Every cell that overlaps the triangle's box. */
  addTriangle(p: F64View, a: number, b: number, c: number): void {
    setTriangleBox(p, a, b, c, box);
    this.addBox(box[0], box[1], box[2], box[3], box[4], box[5]);
  }

  /** Every cell that overlaps the box. */
  addBox(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): void {
    const { origin, spacing } = this.grid;
    const i0 = Math.floor((minX - origin[0]) / spacing);
    const j0 = Math.floor((minY - origin[1]) / spacing);
    const k0 = Math.floor((minZ - origin[2]) / spacing);
    const i1 = Math.floor((maxX - origin[0]) / spacing);
    const j1 = Math.floor((maxY - origin[1]) / spacing);
    const k1 = Math.floor((maxZ - origin[2]) / spacing);
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
      if ((this.state[s] & 1) !== 0 && nodeClearance(this.space, s, this.grid) >= 0) {
        slotSign[s] = this.value[s] > 0 ? 1 : -1;
      }
    }
    const signs = spreadSigns(this.space, this.grid, slotSign, insideAt);
    const surface = this.triangulate(slotSign, scope);
    return { surface, signs, evaluations: this.evaluations };
  }

  private growSlots(): void {
    const need = Math.max(this.grid.slotCount, 1);
    if (need <= this.state.length) return;
    const capacity = Math.max(Math.ceil(SPARE_SLOTS * need), Math.ceil(1.5 * this.state.length));
    this.state = lengthened(this.state, capacity);
    this.value = lengthened(this.value, capacity);
  }

  /** Evaluates the function at the nodes of cells [first, last) that have no value yet. */
  private evaluateNodes(first: number, last: number): void {
    const grid = this.grid;
    const node = new Int32Array(3);
    let slots = new Int32Array(8 * (last - first));
    let count = 0;
    for (let c = first; c < last; c++) {
      grid.addCorners(this.cells[c], this.cornerSlot);
      if (grid.slotCount > this.state.length) this.growSlots();
      for (let corner = 0; corner < 8; corner++) {
        const slot = this.cornerSlot[corner];
        if ((this.state[slot] & 1) !== 0) continue;
        this.state[slot] |= 1;
        // Inside solids the function is not asked for: each cell edge into one looks at its own wall
        // (sampleWalls).
        if (nodeClearance(this.space, slot, grid) < 0) continue;
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
    }
    this.sample(point, count, out);
    this.evaluations += count;
    for (let n = 0; n < count; n++) this.value[slots[n]] = out[n];
  }

  /**
   * Activates the neighbours of cells [first, last) across every face the contour passes through in open
   * space.
   */
  private continueContour(first: number, last: number): void {
    const grid = this.grid;
    const node = new Int32Array(3);
    for (let c = first; c < last; c++) {
      grid.findCorners(this.cells[c], this.cornerSlot);
      let inside = 0;
      let open = 0;
      for (let corner = 0; corner < 8; corner++) {
        const slot = this.cornerSlot[corner];
        if (nodeClearance(this.space, slot, grid) < 0) continue;
        open |= 1 << corner;
        if (this.value[slot] > 0) inside |= 1 << corner;
      }
      if (inside === 0 || inside === open) continue;
      grid.nodeOfSlot(this.cells[c], node);
      for (let axis = 0; axis < 3; axis++) {
        for (let side = 0; side < 2; side++) {
          const face = FACE_MASK[2 * axis + side] & open;
          const onFace = inside & face;
          if (onFace === 0 || onFace === face) continue;
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

  private findMiddle(): Vec3 {
    const { origin, spacing, nodesX, nodesY, nodesZ } = this.grid;
    const half = 0.5 * spacing;
    return [
      origin[0] + half * (nodesX - 1),
      origin[1] + half * (nodesY - 1),
      origin[2] + half * (nodesZ - 1),
    ];
  }

  private triangulate(slotSign: Int8Array, scope: HeapScope): TrackedSurface {
    const vertices = new VertexSet(
      this.grid.slotCount,
      this.cellCount,
      this.findMiddle(),
      EQUAL * this.spacing,
    );
    const triangles = new TriangleList();
    const cases = this.sampleWalls(slotSign);
    this.sampleFaces(slotSign, cases);
    for (let c = 0; c < this.cellCount; c++)
      if (cases[c] !== 0 && cases[c] !== ALL_INSIDE)
        this.triangulateCell(this.cells[c], slotSign, vertices, triangles);
    const { wallCell } = this.space;
    for (let w = 0; w < wallCell.length; w += 3) {
      const slot = this.grid.findSlot(wallCell[w], wallCell[w + 1], wallCell[w + 2]);
      if ((this.state[slot] & 2) === 0) this.triangulateCell(slot, slotSign, vertices, triangles);
    }
    this.polish(vertices);
    const draft = triangles.finish(vertices);
    sharpenWalls(draft, this.space.clearanceAt, this.spacing);
    return storeSurface(draft, scope);
  }

  /**
   * The function where cell edges of the band leave the liquid into a solid: whether the solid ends it there,
   * or the free surface just before. One value per edge, since the two sides of a thin plate have surfaces of
   * their own. Returns the cases of all cells, which are read for it.
   */
  private sampleWalls(slotSign: Int8Array): Uint8Array {
    const grid = this.grid;
    const cases = new Uint8Array(this.cellCount);
    const node = new Int32Array(3);
    const edges: number[] = [];
    const places: number[] = [];
    for (let c = 0; c < this.cellCount; c++) {
      const inside = this.readCell(this.cells[c], slotSign);
      cases[c] = inside;
      // Most cells have no corner in a solid.
      if (inside === 0 || !this.hasSolidCorner(slotSign)) continue;
      grid.nodeOfSlot(this.cells[c], node);
      for (let edge = 0; edge < EDGE_CORNERS.length; edge++) {
        const [lo, hi] = EDGE_CORNERS[edge];
        const slotLo = this.cornerSlot[lo];
        const slotHi = this.cornerSlot[hi];
        const fromLo = slotSign[slotLo] > 0;
        if (!fromLo && slotSign[slotHi] <= 0) continue;
        const a = fromLo ? slotLo : slotHi;
        const b = fromLo ? slotHi : slotLo;
        const t = this.wallPlace(a, b);
        // The function is a distance: deeper inside than the wall is away there is no surface in between.
        if (t <= 0 || t >= 1 || this.value[a] > t * this.spacing) continue;
        const id = 3 * slotLo + (edge >> 2);
        if (this.wallValue.has(id)) continue;
        this.wallValue.set(id, 0);
        edges.push(id);
        const corner = fromLo ? lo : hi;
        const step = (fromLo ? t : -t) * this.spacing;
        for (let axis = 0; axis < 3; axis++)
          places.push(
            grid.origin[axis] +
              (node[axis] + ((corner >> axis) & 1)) * this.spacing +
              (axis === edge >> 2 ? step : 0),
          );
      }
    }
    if (edges.length === 0) return cases;
    const point = this.scratch.f64(places.length);
    point.set(places);
    const out = this.scratch.f64(edges.length);
    this.sample(point, edges.length, out);
    this.evaluations += edges.length;
    for (let n = 0; n < edges.length; n++) this.wallValue.set(edges[n], out[n]);
    return cases;
  }

  /**
   * The function in the middle of the band's ambiguous faces in open space: whether liquid joins their inside
   * corners.
   */
  private sampleFaces(slotSign: Int8Array, cases: Uint8Array): void {
    const grid = this.grid;
    const node = new Int32Array(3);
    const faces: number[] = [];
    const places: number[] = [];
    for (let c = 0; c < this.cellCount; c++) {
      const ambiguous = AMBIGUOUS_FACES[cases[c]];
      if (ambiguous === 0) continue;
      this.readCell(this.cells[c], slotSign);
      grid.nodeOfSlot(this.cells[c], node);
      for (let face = 0; face < 6; face++) {
        if (((ambiguous >> face) & 1) === 0) continue;
        const id = this.faceId(face);
        if (this.joinedFaces.has(id)) continue;
        this.joinedFaces.set(id, false);
        if (!this.isOpenFace(face, slotSign)) continue;
        faces.push(id);
        for (let axis = 0; axis < 3; axis++)
          places.push(
            grid.origin[axis] + (node[axis] + (axis === face >> 1 ? face & 1 : 0.5)) * this.spacing,
          );
      }
    }
    if (faces.length === 0) return;
    const point = this.scratch.f64(places.length);
    point.set(places);
    const out = this.scratch.f64(faces.length);
    this.sample(point, faces.length, out);
    this.evaluations += faces.length;
    for (let n = 0; n < faces.length; n++) this.joinedFaces.set(faces[n], out[n] > 0);
  }

  /**
   * By 3 slot + axis of a face's lowest node and normal: whether the liquid joins the inside corners of an
   * ambiguous face.
   */
  private readonly joinedFaces = new Map<number, boolean>();

  /** Key of a face of the cell last read. */
  private faceId(face: number): number {
    const axis = face >> 1;
    return 3 * this.cornerSlot[(face & 1) << axis] + axis;
  }

  /** Whether a corner of the cell last read lies in a solid. */
  private hasSolidCorner(slotSign: Int8Array): boolean {
    for (let corner = 0; corner < 8; corner++) if (slotSign[this.cornerSlot[corner]] === 0) return true;
    return false;
  }

  /** No corner of the face of the cell last read lies in a solid. */
  private isOpenFace(face: number, slotSign: Int8Array): boolean {
    for (let corner = 0; corner < 8; corner++)
      if (((FACE_MASK[face] >> corner) & 1) === 1 && slotSign[this.cornerSlot[corner]] === 0) return false;
    return true;
  }

  /** The faces of the cell last read on which inside corners are joined, as bits. */
  private findJoined(inside: number): number {
    const ambiguous = AMBIGUOUS_FACES[inside];
    if (ambiguous === 0) return 0;
    let joined = 0;
    for (let face = 0; face < 6; face++)
      if (((ambiguous >> face) & 1) === 1 && this.joinedFaces.get(this.faceId(face)) === true)
        joined |= 1 << face;
    return joined;
  }

  /** Reads the slots of a cell's corners; returns the case, a bit for every corner inside. */
  private readCell(cell: number, slotSign: Int8Array): number {
    this.grid.findCorners(cell, this.cornerSlot);
    let inside = 0;
    for (let corner = 0; corner < 8; corner++)
      if (slotSign[this.cornerSlot[corner]] > 0) inside |= 1 << corner;
    return inside;
  }

  /** Where along the edge from open node a to node b a solid begins: 1 where b is open too. */
  private wallPlace(a: number, b: number): number {
    const clearB = nodeClearance(this.space, b, this.grid);
    if (clearB >= 0) return 1;
    const clearA = nodeClearance(this.space, a, this.grid);
    if (clearA === 0) return 0;
    // A distance that falls by the edge's whole length is linear along it: so it is at walls that face an
    // axis.
    if (clearA - clearB > (1 - ON_WALL) * this.spacing) return clearA / (clearA - clearB);
    const edge = a * this.grid.slotCount + b;
    const known = this.wallPlaces.get(edge);
    if (known !== undefined) return known;
    const place = this.findWall(a, b, clearA, clearB);
    this.wallPlaces.set(edge, place);
    return place;
  }

  private readonly wallPlaces = new Map<number, number>();
  private readonly nodeA = new Int32Array(3);
  private readonly nodeB = new Int32Array(3);

  /**
   * Root of the clearance on the edge, by a bracketed secant search (Illinois). Along an edge that ends in a
   * thin plate beyond its middle, or beside an edge of a solid, the clearance is far from linear.
   */
  private findWall(a: number, b: number, clearA: number, clearB: number): number {
    const { grid, nodeA, nodeB, spacing } = this;
    grid.nodeOfSlot(a, nodeA);
    grid.nodeOfSlot(b, nodeB);
    let low = 0;
    let high = 1;
    let fLow = clearA;
    let fHigh = clearB;
    let place = fLow / (fLow - fHigh);
    let side = 0;
    for (let round = 0; round < WALL_ROUNDS; round++) {
      const f = this.space.clearanceAt(
        grid.origin[0] + (nodeA[0] + place * (nodeB[0] - nodeA[0])) * spacing,
        grid.origin[1] + (nodeA[1] + place * (nodeB[1] - nodeA[1])) * spacing,
        grid.origin[2] + (nodeA[2] + place * (nodeB[2] - nodeA[2])) * spacing,
      );
      if (Math.abs(f) < ON_WALL * spacing) break;
      if (f > 0) {
        low = place;
        fLow = f;
        if (side === 1) fHigh *= 0.5;
        side = 1;
      } else {
        high = place;
        fHigh = f;
        if (side === -1) fLow *= 0.5;
        side = -1;
      }
      place = low + ((high - low) * fLow) / (fLow - fHigh);
    }
    return place;
  }

  /** By 3 slot + axis of a cell edge into a solid: the liquid's function at the wall. */
  private readonly wallValue = new Map<number, number>();

  private triangulateCell(
    cell: number,
    slotSign: Int8Array,
    vertices: VertexSet,
    triangles: TriangleList,
  ): void {
    const inside = this.readCell(cell, slotSign);
    if (inside === 0 || inside === ALL_INSIDE) return;
    this.grid.nodeOfSlot(cell, this.node);
    for (const loop of findLoops(inside, this.findJoined(inside))) {
      this.loop.length = 0;
      for (const edge of loop) {
        const [lo, hi] = EDGE_CORNERS[edge];
        const fromLo = ((inside >> lo) & 1) === 1;
        this.loop.push(this.findVertex(edge >> 2, lo, hi, fromLo, vertices));
      }
      triangles.addLoop(this.loop, vertices);
    }
  }

  private readonly cornerSlot = new Int32Array(8);
  private readonly node = new Int32Array(3);
  private readonly loop: number[] = [];

  /** Vertex on the edge from corner lo to corner hi of the cell at `node`, created on first use. */
  private findVertex(axis: number, lo: number, hi: number, fromLo: boolean, vertices: VertexSet): number {
    const slotLo = this.cornerSlot[lo];
    const known = vertices.ofEdge(slotLo, axis);
    if (known !== NONE) return known;
    const a = fromLo ? slotLo : this.cornerSlot[hi];
    const b = fromLo ? this.cornerSlot[hi] : slotLo;
    const evaluated = (this.state[a] & this.state[b] & 1) !== 0;
    // Where the solid ends the liquid along this edge, and where the liquid ends by itself.
    const atWall = this.wallPlace(a, b);
    const fa = this.value[a];
    const fb = atWall < 1 ? (this.wallValue.get(3 * slotLo + axis) ?? 0) : this.value[b];
    const free = evaluated && (atWall < 1 ? fb < 0 : fb <= 0);
    const t = free ? (fa / (fa - fb)) * atWall : atWall;
    const cornerA = fromLo ? lo : hi;
    const x = this.node[0] + (cornerA & 1);
    const y = this.node[1] + ((cornerA >> 1) & 1);
    const z = this.node[2] + (cornerA >> 2);
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
      (fromLo ? atWall : -atWall) * this.spacing,
      t / atWall,
      free,
    );
    if (free) vertices.setBracket(v, fa, fb);
    vertices.setEdge(slotLo, axis, v);
    return v;
  }

  /**
   * Moves free vertices along their edges onto the zero of the function: bracketed secant (Illinois) rounds.
   */
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
