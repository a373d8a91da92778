/**
 * Velocity vectors at mesh vertices from the face-normal velocities: what paths are traced through ([chentanez-2007] 3.1,
 * "velocity vectors at the primal mesh vertices").
 *
 * Deviation: the paper averages cell vectors with generalised barycentric weights, which is first order at the free
 * surface, where the dual cell is cut open, and carries the cell vectors' error (a shear flow's cell vectors alternate
 * by O(h) between neighbouring tets). We fit v + G (x - x_v) to the normal velocities of all faces around the vertex by least
 * squares: second order up to the boundary. The acceleration of the last step is fitted along: see flow.ts.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import type { TetMesh, TetTopology } from '../../mesh/tetmesh.ts';
import type { FaceGeometry } from './face-geometry.ts';
import { computeCellVelocity, FREE } from './pressure.ts';

/** Unknowns of the fit: value and gradient of each of the three components. */
const N = 12;
/** Weight of the wish for no gradient, relative to the mean diagonal: decides only what the faces leave open. */
const GRADIENT_PENALTY = 1e-3;
const VELOCITY_PENALTY = 1e-9;
/** Tets around a vertex from which they are data enough; an inner lattice vertex has 24. */
const FULL_RING = 18;
/** Softening of the inverse-square weight, in squared mean edges. */
const NEARNESS = 0.25;
const GRAIN = 256;
/** Rounds of flux matching. */
const FLUX_ROUNDS = 3;
/** Length of the summed area vectors, relative to the area, below which the faces around a vertex have no common normal. */
const LEAST_AGREEMENT = 0.8;

/** Tets around each vertex as a CSR pair. */
export function buildVertexToTet(mesh: TetMesh, scope: HeapScope): { start: Int32Array; tet: Int32Array } {
  const start = scope.i32(mesh.vertexCount + 1);
  const around = scope.i32(4 * mesh.tetCount);
  const { tet } = mesh;
  for (let n = 0; n < 4 * mesh.tetCount; n++) start[tet[n] + 1]++;
  for (let v = 0; v < mesh.vertexCount; v++) start[v + 1] += start[v];
  const fill = start.slice(0, mesh.vertexCount);
  for (let n = 0; n < 4 * mesh.tetCount; n++) around[fill[tet[n]]++] = n >> 2;
  return { start, tet: around };
}

/**
 * The tets a vertex is fitted to: those around it, and where they are few (at the surface, in thin sheets) those
 * around their vertices too. With the first ring alone such vertices have hardly more data than unknowns, and the tip of
 * a spreading sheet grows lumps of the lattice's size.
 */
class TetRing {
  tet = new Int32Array(512);
  count = 0;

  gather(around: Int32Array, first: number, last: number, tet: Int32Array, start: Int32Array): void {
    this.count = 0;
    if (last - first >= FULL_RING) {
      for (let n = first; n < last; n++) this.add(around[n]);
      return;
    }
    for (let n = first; n < last; n++) {
      for (let i = 0; i < 4; i++) {
        const w = tet[4 * around[n] + i];
        for (let m = start[w]; m < start[w + 1]; m++) this.add(around[m]);
      }
    }
    const found = this.tet.subarray(0, this.count).sort();
    let kept = 0;
    for (let n = 0; n < found.length; n++) if (n === 0 || found[n] !== found[n - 1]) found[kept++] = found[n];
    this.count = kept;
  }

  private add(t: number): void {
    if (this.count === this.tet.length) {
      const wider = new Int32Array(2 * this.count);
      wider.set(this.tet);
      this.tet = wider;
    }
    this.tet[this.count++] = t;
  }
}

const fitTask = defineTask(
  'lattice.vertexVelocity',
  (
    begin: number,
    end: number,
    position: Float64Array,
    tet: Int32Array,
    tetToFace: Int32Array,
    faceToTet: Int32Array,
    faceVertex: Int32Array,
    areaVector: Float64Array,
    area: Float64Array,
    faceVelocity: Float64Array,
    faceAcceleration: Float64Array,
    cellVelocity: Float64Array,
    cellAcceleration: Float64Array,
    start: Int32Array,
    around: Int32Array,
    outVelocity: Float64Array,
    outAcceleration: Float64Array,
  ) => {
    const matrix = new Float64Array(N * N);
    const sums = new Float64Array(60);
    const right = new Float64Array(N);
    const second = new Float64Array(N);
    const ring = new TetRing();
    for (let v = begin; v < end; v++) {
      const first = start[v];
      const last = start[v + 1];
      if (first === last) continue;
      sums.fill(0);
      right.fill(0);
      second.fill(0);
      const px = position[3 * v];
      const py = position[3 * v + 1];
      const pz = position[3 * v + 2];
      // Offsets are measured in units of the mean edge, so that all unknowns have one scale.
      let scale = 0;
      for (let n = first; n < last; n++) {
        const t = around[n];
        const w = 3 * tet[4 * t + (tet[4 * t] === v ? 1 : 0)];
        scale += Math.hypot(position[w] - px, position[w + 1] - py, position[w + 2] - pz);
      }
      const inverse = (last - first) / scale;
      ring.gather(around, first, last, tet, start);
      for (let n = 0; n < ring.count; n++) {
        const t = ring.tet[n];
        for (let i = 0; i < 4; i++) {
          const f = tetToFace[4 * t + i];
          const a = 3 * faceVertex[3 * f];
          const b = 3 * faceVertex[3 * f + 1];
          const c = 3 * faceVertex[3 * f + 2];
          const nx = areaVector[3 * f] / area[f];
          const ny = areaVector[3 * f + 1] / area[f];
          const nz = areaVector[3 * f + 2] / area[f];
          const dx = ((position[a] + position[b] + position[c]) / 3 - px) * inverse;
          const dy = ((position[a + 1] + position[b + 1] + position[c + 1]) / 3 - py) * inverse;
          const dz = ((position[a + 2] + position[b + 2] + position[c + 2]) / 3 - pz) * inverse;
          // Near faces count more; a face between two tets of the ring is seen twice, half each time.
          const weight = (faceToTet[2 * f + 1] === NONE ? 1 : 0.5) / (NEARNESS + dx * dx + dy * dy + dz * dz);
          addMoments(sums, 0, weight * nx * nx, dx, dy, dz);
          addMoments(sums, 10, weight * nx * ny, dx, dy, dz);
          addMoments(sums, 20, weight * nx * nz, dx, dy, dz);
          addMoments(sums, 30, weight * ny * ny, dx, dy, dz);
          addMoments(sums, 40, weight * ny * nz, dx, dy, dz);
          addMoments(sums, 50, weight * nz * nz, dx, dy, dz);
          addRight(right, weight * faceVelocity[f], nx, ny, nz, dx, dy, dz);
          addRight(second, weight * faceAcceleration[f], nx, ny, nz, dx, dy, dz);
        }
      }
      expand(sums, matrix);
      const mean = (sums[0] + sums[30] + sums[50]) / 3;
      for (let r = 0; r < N; r++)
        matrix[(N + 1) * r] += ((r & 3) === 0 ? VELOCITY_PENALTY : GRADIENT_PENALTY) * mean;
      factorCholesky(matrix);
      solveCholesky(matrix, right);
      solveCholesky(matrix, second);
      limit(right, cellVelocity, ring, outVelocity, v);
      limit(second, cellAcceleration, ring, outAcceleration, v);
    }
  },
);

/** Adds weight times the ten second moments of (1, dx, dy, dz). */
function addMoments(sums: Float64Array, o: number, weight: number, dx: number, dy: number, dz: number): void {
  const wx = weight * dx;
  const wy = weight * dy;
  const wz = weight * dz;
  sums[o] += weight;
  sums[o + 1] += wx;
  sums[o + 2] += wx * dx;
  sums[o + 3] += wy;
  sums[o + 4] += wy * dx;
  sums[o + 5] += wy * dy;
  sums[o + 6] += wz;
  sums[o + 7] += wz * dx;
  sums[o + 8] += wz * dy;
  sums[o + 9] += wz * dz;
}

/** Adds u n_i (1, dx, dy, dz) to the four entries of each component i. */
function addRight(
  right: Float64Array,
  u: number,
  nx: number,
  ny: number,
  nz: number,
  dx: number,
  dy: number,
  dz: number,
): void {
  const ux = u * nx;
  const uy = u * ny;
  const uz = u * nz;
  right[0] += ux;
  right[1] += ux * dx;
  right[2] += ux * dy;
  right[3] += ux * dz;
  right[4] += uy;
  right[5] += uy * dx;
  right[6] += uy * dy;
  right[7] += uy * dz;
  right[8] += uz;
  right[9] += uz * dx;
  right[10] += uz * dy;
  right[11] += uz * dz;
}

/** The normal matrix from its sums: a row of the fit is n_i d_a, so the matrix is made of six symmetric 4 x 4 blocks. */
function expand(sums: Float64Array, matrix: Float64Array): void {
  let block = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = i; j < 3; j++, block++) {
      let entry = 10 * block;
      for (let a = 0; a < 4; a++) {
        for (let b = 0; b <= a; b++, entry++) {
          matrix[N * (4 * j + a) + 4 * i + b] = sums[entry];
          matrix[N * (4 * j + b) + 4 * i + a] = sums[entry];
        }
      }
    }
  }
}

/**
 * Writes the fitted vector, but no farther from the mean of the cells around than they are themselves: a vertex at the
 * edge of a thin sheet has too few faces for a trustworthy gradient, and its error would feed on itself.
 */
function limit(fitted: Float64Array, cell: Float64Array, ring: TetRing, out: Float64Array, v: number): void {
  const inverse = 1 / ring.count;
  let mx = 0;
  let my = 0;
  let mz = 0;
  for (let n = 0; n < ring.count; n++) {
    const t = 3 * ring.tet[n];
    mx += cell[t] * inverse;
    my += cell[t + 1] * inverse;
    mz += cell[t + 2] * inverse;
  }
  let spread = 0;
  for (let n = 0; n < ring.count; n++) {
    const t = 3 * ring.tet[n];
    spread = Math.max(spread, (cell[t] - mx) ** 2 + (cell[t + 1] - my) ** 2 + (cell[t + 2] - mz) ** 2);
  }
  const dx = fitted[0] - mx;
  const dy = fitted[4] - my;
  const dz = fitted[8] - mz;
  const squared = dx * dx + dy * dy + dz * dz;
  const share = squared > spread ? Math.sqrt(spread / squared) : 1;
  out[3 * v] = mx + share * dx;
  out[3 * v + 1] = my + share * dy;
  out[3 * v + 2] = mz + share * dz;
}

/** Factors the N x N matrix in place, lower triangle. */
function factorCholesky(matrix: Float64Array): void {
  for (let r = 0; r < N; r++) {
    for (let s = 0; s <= r; s++) {
      let sum = matrix[N * r + s];
      for (let k = 0; k < s; k++) sum -= matrix[N * r + k] * matrix[N * s + k];
      matrix[N * r + s] = r === s ? Math.sqrt(Math.max(sum, Number.MIN_VALUE)) : sum / matrix[(N + 1) * s];
    }
  }
}

/** Solves in place with the factor. */
function solveCholesky(factor: Float64Array, right: Float64Array): void {
  for (let r = 0; r < N; r++) {
    let sum = right[r];
    for (let k = 0; k < r; k++) sum -= factor[N * r + k] * right[k];
    right[r] = sum / factor[(N + 1) * r];
  }
  for (let r = N - 1; r >= 0; r--) {
    let sum = right[r];
    for (let k = r + 1; k < N; k++) sum -= factor[N * k + r] * right[k];
    right[r] = sum / factor[(N + 1) * r];
  }
}

/** Vectors at the vertices. */
export interface VertexMotion {
  /** (vertexCount x 3) m/s */
  readonly velocity: Float64Array;
  /** (vertexCount x 3) m/s^2 */
  readonly acceleration: Float64Array;
}

export function computeVertexMotion(
  mesh: TetMesh,
  topology: TetTopology,
  geometry: FaceGeometry,
  faceVelocity: Float64Array,
  faceAcceleration: Float64Array,
  faceKind: Uint8Array,
  threads: Threads,
  scope: HeapScope,
): VertexMotion {
  const { start, tet: around } = buildVertexToTet(mesh, scope);
  const velocity = scope.f64(3 * mesh.vertexCount);
  const acceleration = scope.f64(3 * mesh.vertexCount);
  const cellVelocity = scope.f64(Math.max(1, 3 * mesh.tetCount));
  const cellAcceleration = scope.f64(Math.max(1, 3 * mesh.tetCount));
  computeCellVelocity(mesh, topology, geometry, faceVelocity, threads, cellVelocity);
  computeCellVelocity(mesh, topology, geometry, faceAcceleration, threads, cellAcceleration);
  threads.run(
    fitTask,
    mesh.vertexCount,
    GRAIN,
    mesh.position,
    mesh.tet,
    topology.tetToFace,
    topology.faceToTet,
    topology.faceVertex,
    geometry.areaVector,
    geometry.area,
    faceVelocity,
    faceAcceleration,
    cellVelocity,
    cellAcceleration,
    start,
    around,
    velocity,
    acceleration,
  );
  matchFreeFluxes(mesh, topology, geometry, faceKind, faceVelocity, velocity);
  matchFreeFluxes(mesh, topology, geometry, faceKind, faceAcceleration, acceleration);
  return { velocity, acceleration };
}

/**
 * Shifts the vectors of free-surface vertices along the surface's normal until the flux they carry through the free faces is
 * the stored one. The stored fluxes of a divergence-free field add up to nothing; those of fitted vectors do not quite, and the
 * surface that follows them would gain or lose volume (about 1 % over a dam break).
 */
function matchFreeFluxes(
  mesh: TetMesh,
  topology: TetTopology,
  geometry: FaceGeometry,
  faceKind: Uint8Array,
  faceValue: Float64Array,
  vector: Float64Array,
): void {
  const { faceCount, faceVertex } = topology;
  const { areaVector, area } = geometry;
  const normal = new Float64Array(3 * mesh.vertexCount);
  const around = new Float64Array(mesh.vertexCount);
  const missing = new Float64Array(mesh.vertexCount);
  for (let f = 0; f < faceCount; f++) {
    if (faceKind[f] !== FREE) continue;
    for (let i = 0; i < 3; i++) {
      const v = faceVertex[3 * f + i];
      around[v] += area[f];
      for (let a = 0; a < 3; a++) normal[3 * v + a] += areaVector[3 * f + a];
    }
  }
  for (let round = 0; round < FLUX_ROUNDS; round++) {
    missing.fill(0);
    for (let f = 0; f < faceCount; f++) {
      if (faceKind[f] !== FREE) continue;
      let flux = 0;
      for (let i = 0; i < 3; i++) {
        const v = 3 * faceVertex[3 * f + i];
        for (let a = 0; a < 3; a++) flux += vector[v + a] * areaVector[3 * f + a];
      }
      const lack = area[f] * faceValue[f] - flux / 3;
      for (let i = 0; i < 3; i++) missing[faceVertex[3 * f + i]] += lack;
    }
    for (let v = 0; v < mesh.vertexCount; v++) {
      if (around[v] === 0) continue;
      const length = Math.hypot(normal[3 * v], normal[3 * v + 1], normal[3 * v + 2]);
      if (length < LEAST_AGREEMENT * around[v]) continue;
      const shift = missing[v] / (around[v] * length);
      for (let a = 0; a < 3; a++) vector[3 * v + a] += shift * normal[3 * v + a];
    }
  }
}
