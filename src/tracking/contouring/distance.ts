/**
 * Signed distance to the free part of the tracked surface, "exact near the surface" ([chentanez-2007] 3.2).
 *
 * A query looks through rings of cells of the surface's index around the point and stops when no farther cell
 * can be closer. Most triangles are told apart by their spheres alone.
 *
 * Two additions to the plain distance, both needed because S_t is re-contoured every step and errors pile up:
 * - *Curvature.* A chord cuts inside a convex surface, so re-contouring the polyhedron shrinks it step by
 *   step. With the vertex normals the surface between the vertices is known to second order: at the foot
 *   point q with barycentric weights b, the smooth surface stands 1/2 sum b_i (v_i - q) . n_i above the
 *   triangle. This is exact for every quadratic height field, and continuous across edges.
 * - *Contact lines.* The free sheet ends where it meets a solid. A point nearest to that end is measured
 *   against the sheet's tangent plane, which continues the surface into the solid.
 * Cost: about half a microsecond a query within a cell or two.
 */
import { lengthened } from '../../core/doubled.ts';
import { NONE } from '../../core/types.ts';
import { setEdges } from '../../math/triangle.ts';
import { BLOCK_EDGE, BLOCK_SHIFT, BlockGrid } from './block-grid.ts';
import { SLACK, type SurfaceIndex } from './surface-index.ts';

const edges = new Float64Array(9);

/**
 * Cosines between a vertex normal and the face: below the first the vertex counts as a crease and gets no
 * curvature, from the second on the correction is applied in full; between the two it fades.
 */
const CREASE = { none: 0.9, full: 0.97 };
/** Largest curvature correction, in cells: a surface that needs more is not resolved. */
const MAX_SAGITTA = 0.2;
/**
 * How far, in cells, the sheet's end speaks for points that lie beside it rather than over it (height over
 * distance below CONTACT.slope). Farther out the sign would hang on the normal of one triangle, perhaps a
 * sliver, and a film of air would creep along the obstacle; the caller knows better there.
 */
const CONTACT = { reach: 1.5, slope: 0.9 };
/** Difference of distances, in cells, that is rounding: two triangles share the nearest edge or vertex. */
const TIE = 1e-12;
/**
 * Slope above the nearest triangle's plane below which a point is in it: beyond a sharp edge then, and
 * outside. Rounding has no say.
 */
const GRAZING = 1e-6;
/** Barycentric weight below which the foot point counts as lying on the opposite edge. */
const ON_EDGE = 1e-12;

/** A reusable query over a SurfaceIndex. One per thread and loop: it holds the scratch of the last answer. */
export class SurfaceDistance {
  /** Whether the last query found a triangle within reach. */
  found = false;
  /** Whether that triangle ends there on a wall, and the point lies beyond. */
  isBeyondRim = false;
  /** How far away the nearest triangle of the last query is, m. */
  distance = 0;
  /** Outward unit normal of the surface at the last foot point. */
  normalX = 0;
  normalY = 0;
  normalZ = 0;

  private readonly grid: BlockGrid;
  private readonly spacing: number;
  /** The point in units of cells. */
  private gridX = 0;
  private gridY = 0;
  private gridZ = 0;
  private bestSquared = 0;
  /**
   * No farther than this is the nearest triangle, m: by triangles considered and by centroids of those that
   * are not.
   */
  private reach = 0;
  /**
   * Entries of the ring in hand whose spheres come near enough, with their squared distances to the
   * centroids.
   */
  private candidate = new Int32Array(256);
  private candidateSquared = new Float64Array(256);
  private candidateCount = 0;
  private bestFacing = 0;
  private bestArea = 0;
  /** TIE in m. */
  private readonly tie: number;
  /** Cells by which triangles reach out of the cell they are sorted into. */
  private readonly stray: number;
  private bestTriangle = NONE;
  /** Foot point of the last query that found a triangle. */
  private lastX = Number.POSITIVE_INFINITY;
  private lastY = Number.POSITIVE_INFINITY;
  private lastZ = Number.POSITIVE_INFINITY;
  private footU = 0;
  private footV = 0;

  private readonly cellStart: Int32Array;
  private readonly cellTriangle: Int32Array;
  private readonly sphere: Float64Array;
  private readonly position: Float64Array;
  private readonly triangle: Int32Array;
  private readonly normal: Float64Array;
  private readonly contact: Uint8Array;

  constructor(index: SurfaceIndex) {
    const { place, directory } = index;
    this.cellStart = index.cellStart;
    this.cellTriangle = index.cellTriangle;
    this.sphere = index.sphere;
    this.position = index.position;
    this.triangle = index.triangle;
    this.normal = index.normal;
    this.contact = index.contact;
    this.spacing = place[3];
    this.tie = TIE * place[3];
    this.stray = place[7];
    this.grid = BlockGrid.at(place, directory);
  }

  /**
   * Signed distance at (x, y, z), positive inside; `found` is false if no free triangle is within `rings`
   * cells.
   */
  signedDistance(x: number, y: number, z: number, rings: number): number {
    this.findNearest(x, y, z, rings);
    this.found = this.bestTriangle !== NONE;
    return this.found ? this.evaluate(x, y, z) : 0;
  }

  /**
   * Distance to the nearest free triangle, on whatever side of it; infinite if none is within `rings` cells.
   */
  freeDistance(x: number, y: number, z: number, rings: number): number {
    this.findNearest(x, y, z, rings);
    return this.bestTriangle === NONE ? Number.POSITIVE_INFINITY : Math.sqrt(this.bestSquared);
  }

  /** A vertex of the nearest triangle of the last query. */
  nearestVertex(): number {
    return this.triangle[3 * this.bestTriangle];
  }

  private findNearest(x: number, y: number, z: number, rings: number): void {
    const grid = this.grid;
    const h = this.spacing;
    const gx = (x - grid.origin[0]) / h;
    const gy = (y - grid.origin[1]) / h;
    const gz = (z - grid.origin[2]) / h;
    const ci = Math.floor(gx);
    const cj = Math.floor(gy);
    const ck = Math.floor(gz);
    // Distance from the point to the nearest side of its own cell: ring r is at least (r - 1) cells plus this
    // away.
    const margin = Math.min(gx - ci, ci + 1 - gx, gy - cj, cj + 1 - gy, gz - ck, ck + 1 - gz);
    this.bestSquared = Number.POSITIVE_INFINITY;
    this.reach = this.reachLastFoot(x, y, z, (rings - 1 - this.stray) * h);
    this.bestTriangle = NONE;
    this.gridX = gx;
    this.gridY = gy;
    this.gridZ = gz;
    for (let r = 0; r <= rings; r++) {
      if (r > 0) {
        const reach = Math.max(0, r - 1 + margin - this.stray) * h;
        if (this.bestSquared <= reach * reach) return;
      }
      if (r === 2 && this.bestTriangle === NONE && !this.hasBlockNear(ci, cj, ck, rings)) return;
      this.gatherRing(r, x, y, z);
      this.considerCandidates(x, y, z);
    }
  }

  /**
   * A distance within which the nearest triangle is, for the place where the last query ended is on one:
   * queries follow each other closely. The answer does not depend on it. Infinite from `most` on, where that
   * triangle may be out of the rings.
   */
  private reachLastFoot(x: number, y: number, z: number, most: number): number {
    const dx = x - this.lastX;
    const dy = y - this.lastY;
    const dz = z - this.lastZ;
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    return distance < most ? distance * (1 + SLACK) + 2 * this.tie : Number.POSITIVE_INFINITY;
  }

  /**
   * Whether any block within `rings` cells of a cell is stored: most places far from the surface end here.
   */
  private hasBlockNear(i: number, j: number, k: number, rings: number): boolean {
    const { blocksX, blocksY, blocksZ, directory } = this.grid;
    const hiI = Math.min(blocksX - 1, (i + rings) >> BLOCK_SHIFT);
    const hiJ = Math.min(blocksY - 1, (j + rings) >> BLOCK_SHIFT);
    const hiK = Math.min(blocksZ - 1, (k + rings) >> BLOCK_SHIFT);
    for (let bk = Math.max(0, (k - rings) >> BLOCK_SHIFT); bk <= hiK; bk++)
      for (let bj = Math.max(0, (j - rings) >> BLOCK_SHIFT); bj <= hiJ; bj++)
        for (let bi = Math.max(0, (i - rings) >> BLOCK_SHIFT); bi <= hiI; bi++)
          if (directory[(bk * blocksY + bj) * blocksX + bi] !== NONE) return true;
    return false;
  }

  /**
   * Gathers the triangles of ring r of cells around the point's cell, leaving out rows and triangles that are
   * too far away.
   */
  private gatherRing(r: number, x: number, y: number, z: number): void {
    const { grid, gridX: gx, gridY: gy, gridZ: gz, stray } = this;
    const ci = Math.floor(gx);
    const cj = Math.floor(gy);
    const ck = Math.floor(gz);
    const inverse = 1 / this.spacing;
    this.candidateCount = 0;
    const loI = Math.max(0, ci - r);
    const hiI = Math.min(grid.nodesX - 1, ci + r);
    const loJ = Math.max(0, cj - r);
    const hiJ = Math.min(grid.nodesY - 1, cj + r);
    const loK = Math.max(0, ck - r);
    const hiK = Math.min(grid.nodesZ - 1, ck + r);
    for (let k = loK; k <= hiK; k++) {
      const edgeK = k === ck - r || k === ck + r;
      const dz = k > ck ? k - gz : k < ck ? gz - k - 1 : 0;
      if (dz - stray > this.reach * inverse) continue;
      for (let j = loJ; j <= hiJ; j++) {
        const dy = j > cj ? j - gy : j < cj ? gy - j - 1 : 0;
        const near = this.reach * inverse;
        if (Math.max(0, dy - stray) ** 2 + Math.max(0, dz - stray) ** 2 > near * near) continue;
        if (edgeK || j === cj - r || j === cj + r || r === 0) {
          this.gatherRow(loI, hiI, j, k, x, y, z);
        } else {
          // Inside the shell only the row's two ends belong to the ring.
          if (ci - r >= 0 && gx - (ci - r) - 1 - stray <= near) this.gatherRow(ci - r, ci - r, j, k, x, y, z);
          if (ci + r === hiI && ci + r - gx - stray <= near) this.gatherRow(ci + r, ci + r, j, k, x, y, z);
        }
      }
    }
  }

  /**
   * The cells i0..i1 of a row: within a block their slots, and so the entries of their triangles, follow each
   * other.
   */
  private gatherRow(i0: number, i1: number, j: number, k: number, x: number, y: number, z: number): void {
    for (let i = i0; i <= i1; ) {
      const next = Math.min(i1, i | (BLOCK_EDGE - 1)) + 1;
      const slot = this.grid.findSlot(i, j, k);
      if (slot !== NONE) {
        const first = this.cellStart[slot];
        const last = this.cellStart[slot + next - i];
        if (first < last) this.gather(first, last, x, y, z);
      }
      i = next;
    }
  }

  /** Keeps the entries whose spheres come within reach; centroids, being points of triangles, shorten it. */
  private gather(first: number, last: number, x: number, y: number, z: number): void {
    const { sphere } = this;
    for (let n = first; n < last; n++) {
      const dx = sphere[4 * n] - x;
      const dy = sphere[4 * n + 1] - y;
      const dz = sphere[4 * n + 2] - z;
      const squared = dx * dx + dy * dy + dz * dz;
      const most = this.reach + sphere[4 * n + 3];
      if (squared > most * most) continue;
      if (squared < this.reach * this.reach) this.reach = Math.sqrt(squared) * (1 + SLACK);
      if (this.candidateCount === this.candidate.length) this.growCandidates();
      this.candidate[this.candidateCount] = n;
      this.candidateSquared[this.candidateCount++] = squared;
    }
  }

  private growCandidates(): void {
    this.candidate = lengthened(this.candidate, 2 * this.candidateCount);
    this.candidateSquared = lengthened(this.candidateSquared, 2 * this.candidateCount);
  }

  private considerCandidates(x: number, y: number, z: number): void {
    for (let c = 0; c < this.candidateCount; c++) {
      const n = this.candidate[c];
      const most = this.reach + this.sphere[4 * n + 3];
      if (this.candidateSquared[c] <= most * most) this.consider(this.cellTriangle[n], x, y, z);
    }
  }

  /**
   * Keeps triangle f if it is nearer, or equally near (shared edge or vertex) and faces the point more, or
   * that equally too and is larger. All three are the same for its mirror image.
   */
  private consider(f: number, x: number, y: number, z: number): void {
    const p = this.position;
    const a = 3 * this.triangle[3 * f];
    const b = 3 * this.triangle[3 * f + 1];
    const c = 3 * this.triangle[3 * f + 2];
    const ax = p[a];
    const ay = p[a + 1];
    const az = p[a + 2];
    const ux = p[b] - ax;
    const uy = p[b + 1] - ay;
    const uz = p[b + 2] - az;
    const vx = p[c] - ax;
    const vy = p[c + 1] - ay;
    const vz = p[c + 2] - az;
    const wx = x - ax;
    const wy = y - ay;
    const wz = z - az;
    const uu = ux * ux + uy * uy + uz * uz;
    const uv = ux * vx + uy * vy + uz * vz;
    const vv = vx * vx + vy * vy + vz * vz;
    const uw = ux * wx + uy * wy + uz * wz;
    const vw = vx * wx + vy * wy + vz * wz;
    // Weights of the nearest point a + s u + t v, by the regions of the triangle's plane. (In place: a call
    // would put its arguments, and there are many, on the heap.)
    const det = uu * vv - uv * uv;
    let s = vv * uw - uv * vw;
    let t = uu * vw - uv * uw;
    if (s >= 0 && t >= 0 && s + t <= det && det > 0) {
      s /= det;
      t /= det;
    } else {
      // Outside: the nearest of the three edges. A degenerate triangle ends here as well.
      const alongU = uu > 0 ? Math.min(1, Math.max(0, uw / uu)) : 0;
      const alongV = vv > 0 ? Math.min(1, Math.max(0, vw / vv)) : 0;
      const ee = uu - 2 * uv + vv;
      const alongE = ee > 0 ? Math.min(1, Math.max(0, (uu - uv - uw + vw) / ee)) : 0;
      const distU = alongU * (alongU * uu - 2 * uw);
      const distV = alongV * (alongV * vv - 2 * vw);
      const es = 1 - alongE;
      const distE = es * es * uu + 2 * es * alongE * uv + alongE * alongE * vv - 2 * (es * uw + alongE * vw);
      const isU = distU <= distV && distU <= distE;
      const isV = !isU && distV <= distE;
      s = isU ? alongU : isV ? 0 : es;
      t = isU ? 0 : isV ? alongV : alongE;
    }
    const rx = wx - s * ux - t * vx;
    const ry = wy - s * uy - t * vy;
    const rz = wz - s * uz - t * vz;
    const squared = rx * rx + ry * ry + rz * rz;
    const { tie } = this;
    const nearest = Math.sqrt(this.bestSquared);
    if (squared > (nearest + tie) * (nearest + tie)) return;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const n2 = nx * nx + ny * ny + nz * nz;
    const dot = rx * nx + ry * ny + rz * nz;
    const facing = n2 > 0 ? (dot * dot) / n2 : 0;
    const isNearer = this.bestTriangle === NONE || Math.sqrt(squared) < nearest - tie;
    const rounding = 2 * tie * nearest + tie * tie;
    const faces = facing - this.bestFacing;
    if (isNearer || faces > rounding || (faces >= -rounding && n2 > this.bestArea)) {
      this.bestSquared = Math.min(squared, this.bestSquared);
      this.reach = Math.min(this.reach, Math.sqrt(this.bestSquared) * (1 + SLACK));
      this.bestFacing = facing;
      this.bestArea = n2;
      this.bestTriangle = f;
      this.footU = s;
      this.footV = t;
    }
  }

  /** Signed distance from the best triangle found, with curvature and contact-line extension. */
  private evaluate(x: number, y: number, z: number): number {
    const p = this.position;
    const n = this.normal;
    const f = this.bestTriangle;
    const va = this.triangle[3 * f];
    const vb = this.triangle[3 * f + 1];
    const vc = this.triangle[3 * f + 2];
    const a = 3 * va;
    const b = 3 * vb;
    const c = 3 * vc;
    const wb = this.footU;
    const wc = this.footV;
    const wa = 1 - wb - wc;
    setEdges(p, a, b, c, edges);
    const { 0: ux, 1: uy, 2: uz, 3: vx, 4: vy, 5: vz } = edges;
    let { 6: nx, 7: ny, 8: nz } = edges;
    const length = Math.hypot(nx, ny, nz) || 1;
    nx /= length;
    ny /= length;
    nz /= length;
    this.normalX = nx;
    this.normalY = ny;
    this.normalZ = nz;
    const qx = p[a] + wb * ux + wc * vx;
    const qy = p[a + 1] + wb * uy + wc * vy;
    const qz = p[a + 2] + wb * uz + wc * vz;
    this.lastX = qx;
    this.lastY = qy;
    this.lastZ = qz;
    const height = (x - qx) * nx + (y - qy) * ny + (z - qz) * nz;
    const distance = Math.sqrt(this.bestSquared);
    this.distance = distance;

    // Smooth surface above the foot point, faded out where the vertices see a crease.
    const ca = n[a] * nx + n[a + 1] * ny + n[a + 2] * nz;
    const cb = n[b] * nx + n[b + 1] * ny + n[b + 2] * nz;
    const cc = n[c] * nx + n[c + 1] * ny + n[c + 2] * nz;
    const smoothness = (Math.min(ca, cb, cc) - CREASE.none) / (CREASE.full - CREASE.none);
    let sagitta = 0;
    if (smoothness > 0) {
      sagitta =
        0.5 *
        Math.min(1, smoothness) *
        (wa * ((p[a] - qx) * n[a] + (p[a + 1] - qy) * n[a + 1] + (p[a + 2] - qz) * n[a + 2]) +
          wb * ((p[b] - qx) * n[b] + (p[b + 1] - qy) * n[b + 1] + (p[b + 2] - qz) * n[b + 2]) +
          wc * ((p[c] - qx) * n[c] + (p[c + 1] - qy) * n[c + 1] + (p[c + 2] - qz) * n[c + 2]));
      const most = MAX_SAGITTA * this.spacing;
      sagitta = Math.max(-most, Math.min(most, sagitta));
    }

    this.isBeyondRim = this.isBeyondContact(va, vb, vc, wa, wb, wc);
    if (this.isBeyondRim) {
      const oblique = Math.abs(height) < CONTACT.slope * distance;
      if (oblique && distance > CONTACT.reach * this.spacing) this.found = false;
      return sagitta - height;
    }
    return sagitta + (height > -GRAZING * distance ? -distance : distance);
  }

  /** Whether the foot point lies on an edge or vertex where the free sheet ends at a solid. */
  private isBeyondContact(va: number, vb: number, vc: number, wa: number, wb: number, wc: number): boolean {
    const offA = wa <= ON_EDGE;
    const offB = wb <= ON_EDGE;
    const offC = wc <= ON_EDGE;
    if (!offA && !offB && !offC) return false;
    const k = this.contact;
    return (offA || k[va] === 1) && (offB || k[vb] === 1) && (offC || k[vc] === 1);
  }
}
