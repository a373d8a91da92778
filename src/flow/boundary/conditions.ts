/** What bounds the liquid: kind, depth and lift of the mesh's boundary faces ([chentanez-2007] 3.3.1). */
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Seconds } from '../../core/types.ts';
import { computeClearanceNormal } from '../../geometry/sharp-edges.ts';
import { ON_LIQUID, ON_VESSEL } from '../../mesh/lattice/lattice.ts';
import { SurfaceDistance } from '../../tracking/contouring/distance.ts';
import type { SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { LiquidModel } from '../liquid/model.ts';
import { AREA } from '../mesh/face-geometry.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';
import { findMeshPieces } from '../mesh/mesh-pieces.ts';
import { SAME_WALL } from '../mesh/stuff-liquid.ts';
import { type Conditions, FREE, WALL } from '../pressure/pressure.ts';
import { createConditions } from './sources.ts';
import type { Surroundings } from './surroundings.ts';

/** Rings of contouring cells searched for the surface over a face. */
const SEARCH_RINGS = 4;
/** Cosine between a free face's normal and the surface's below which the face sees no surface and is closed. */
const FACING = 0.02;
/** Newmark's beta that leaves no error of second order in a wave's frequency. */
const EXACT_BETA = 1 / 12;
/**
 * Square of the fastest gravity wave on the lattice, in g/h: power iteration found 3.2 to 6.5 with pressures at the faces' middles, and at 6
 * nothing grows at ten depths, level or tilted, with those of vertices. Up to sqrt(h/g), the longest step, beta then is EXACT_BETA.
 */
const FASTEST_WAVE = 6;
/** How far below a face the surface may count, in lifts: the sum of both must stay positive. */
const LEAST_DEPTH = 0.8;
/** Cosine between a face's normal and the way to a wall from which the wall is ahead of the face. */
const TOWARDS = 0.3;
/** Lattice cells over which the way to a wall is differenced. */
const DIFFERENCE = 1e-3;

/**
 * Boundary faces with all vertices on an obstacle are walls and move as it does, the others are open to the air (3.3.1). An
 * open face also gets its lift in a step of dt (pressure.ts) and its depth: how far along its normal the liquid's surface lies, where the tet
 * boundary does not follow that.
 *
 * The depth has two parts. One is the mean over the face's vertices of theirs: exact under a flat surface. The other is the bulge of the surface over
 * the face, smoothed over the faces around its vertices: what makes curved surfaces accurate to second order. As it is, the bulge would push for
 * ever on pairs of faces whose flow moves no vertex and so never levels them: currents under the surface of a still pool then grow by
 * as much in every step. Smoothed, patterns that add up to nothing around every vertex are gone. (In formulas: pressures p = g B eta of heights
 * at vertices and vertices moved by D^-1 B^T A u are each other's transpose, and all their modes are waves.)
 */
export function classifyFaces(
  model: LiquidModel,
  surroundings: Surroundings,
  parts: MeshParts,
  index: SurfaceIndex,
  scope: HeapScope,
  dt: Seconds = 0,
): Conditions {
  const { mesh, topology, geometry } = parts;
  const { faceCount, faceToTet, faceVertex } = topology;
  const conditions = createConditions(faceCount, mesh.tetCount, scope);
  const { kind, depth, lift: liftOf, wallVelocity, gap } = conditions;
  const letsGo = model.options.walls === 'unilateral';
  const { faceForm, form } = geometry;
  const g = model.gravity;
  const h = model.lattice.size;
  const reach = (model.options.cfl + 1) * h;
  const newmark = chooseBeta(Math.hypot(...g), h, dt) * dt * dt;
  const { position, vertexOnSurface } = mesh;
  const surface = new SurfaceDistance(index);
  const velocity = new Float64Array(3);
  const vertexDistance = new VertexDistances(position, surface);
  const bulges = new Bulges(mesh.vertexCount, parts);
  for (let f = 0; f < faceCount; f++) {
    if (faceToTet[2 * f + 1] !== NONE) continue;
    const a = faceVertex[3 * f];
    const b = faceVertex[3 * f + 1];
    const c = faceVertex[3 * f + 2];
    const x = (position[3 * a] + position[3 * b] + position[3 * c]) / 3;
    const y = (position[3 * a + 1] + position[3 * b + 1] + position[3 * c + 1]) / 3;
    const z = (position[3 * a + 2] + position[3 * b + 2] + position[3 * c + 2]) / 3;
    const on = vertexOnSurface[a] & vertexOnSurface[b] & vertexOnSurface[c];
    // A free face in a corner of the vessel has its vertices on several walls; a wall face between contact lines lies on one.
    const isWall =
      on === ON_VESSEL ||
      (on !== 0 && on !== ON_LIQUID && surroundings.meshClearanceAt(x, y, z) < SAME_WALL * h);
    const area = form[faceForm[f] + AREA];
    const nx = form[faceForm[f]] / area;
    const ny = form[faceForm[f] + 1] / area;
    const nz = form[faceForm[f] + 2] / area;
    if (isWall) {
      kind[f] = WALL;
      if (letsGo) gap[f] = 0;
      if (surroundings.topSpeed === 0) continue;
      surroundings.velocityAt(surroundings.findSolid(x, y, z), x, y, z, velocity);
      wallVelocity[f] = velocity[0] * nx + velocity[1] * ny + velocity[2] * nz;
      continue;
    }
    kind[f] = FREE;
    const distance = surface.signedDistance(x, y, z, SEARCH_RINGS);
    const { found, normalX, normalY, normalZ } = surface;
    const facing = found ? normalX * nx + normalY * ny + normalZ * nz : 0;
    let ahead = 0;
    if (found && facing >= FACING) {
      liftOf[f] = Math.max(0, -newmark * facing * (g[0] * normalX + g[1] * normalY + g[2] * normalZ));
      ahead = distance / facing;
      const mean = vertexDistance.mean(a, b, c, distance);
      bulges.add(f, mean, distance - mean, facing);
    } else if (found && distance > 0) kind[f] = WALL;
    else liftOf[f] = Math.max(0, -newmark * (g[0] * nx + g[1] * ny + g[2] * nz));
    if (kind[f] === FREE) {
      const clearance = surroundings.clearanceAt(x, y, z);
      if (clearance < reach) {
        const away = computeClearanceNormal(surroundings.clearanceAt, [x, y, z], DIFFERENCE * h);
        const towards = -(away[0] * nx + away[1] * ny + away[2] * nz);
        if (towards > TOWARDS) {
          gap[f] = Math.max(0, clearance / towards - ahead);
          surroundings.velocityAt(surroundings.findSolid(x, y, z), x, y, z, velocity);
          wallVelocity[f] = velocity[0] * nx + velocity[1] * ny + velocity[2] * nz;
        }
      }
    }
  }
  bulges.finish(depth);
  if (dt > 0) clearFallingPieces(parts, conditions);
  for (let f = 0; f < faceCount; f++)
    if (kind[f] === FREE) depth[f] = Math.max(depth[f], -LEAST_DEPTH * liftOf[f]);
  return conditions;
}

/** How far the surface bulges over free faces, smoothed over those around each vertex. */
class Bulges {
  private readonly faces: number[] = [];
  /** Per listed face: mean distance of its vertices, and cosine between face and surface. */
  private readonly figures: number[] = [];
  private readonly sum: Float64Array;
  private readonly area: Float64Array;

  constructor(
    vertexCount: number,
    private readonly parts: MeshParts,
  ) {
    this.sum = new Float64Array(vertexCount);
    this.area = new Float64Array(vertexCount);
  }

  add(f: number, mean: number, bulge: number, facing: number): void {
    const { topology, geometry } = this.parts;
    this.faces.push(f);
    this.figures.push(mean, facing);
    const own = geometry.form[geometry.faceForm[f] + AREA];
    for (let n = 3 * f; n < 3 * f + 3; n++) {
      this.sum[topology.faceVertex[n]] += own * bulge;
      this.area[topology.faceVertex[n]] += own;
    }
  }

  /** Writes the depths of the listed faces, m along their normals. */
  finish(outDepth: Float64Array): void {
    const { faceVertex } = this.parts.topology;
    this.faces.forEach((f, n) => {
      let bulge = 0;
      for (let i = 3 * f; i < 3 * f + 3; i++) bulge += this.sum[faceVertex[i]] / this.area[faceVertex[i]] / 3;
      outDepth[f] = (this.figures[2 * n] + bulge) / this.figures[2 * n + 1];
    });
  }
}

/** Signed distances of vertices from the liquid's surface, each found once. */
class VertexDistances {
  private readonly known: Float64Array;

  constructor(
    private readonly position: Float64Array,
    private readonly surface: SurfaceDistance,
  ) {
    this.known = new Float64Array(position.length / 3).fill(Number.NaN);
  }

  /** Over a face's vertices, m; those far from all surface count as `otherwise`. */
  mean(a: number, b: number, c: number, otherwise: number): number {
    return (this.find(a, otherwise) + this.find(b, otherwise) + this.find(c, otherwise)) / 3;
  }

  private find(v: number, otherwise: number): number {
    const { known, position, surface } = this;
    if (Number.isNaN(known[v])) {
      const distance = surface.signedDistance(
        position[3 * v],
        position[3 * v + 1],
        position[3 * v + 2],
        SEARCH_RINGS,
      );
      if (!surface.found) return otherwise;
      known[v] = distance;
    }
    return known[v];
  }
}

/** A piece that no wall holds up falls freely: gravity drives no waves on it. */
function clearFallingPieces({ mesh, topology }: MeshParts, { kind, lift }: Conditions): void {
  const { count, tetPiece } = findMeshPieces(mesh, topology);
  const held = new Uint8Array(count);
  for (let f = 0; f < kind.length; f++) if (kind[f] === WALL) held[tetPiece[topology.faceToTet[2 * f]]] = 1;
  for (let f = 0; f < kind.length; f++)
    if (kind[f] === FREE && held[tetPiece[topology.faceToTet[2 * f]]] === 0) lift[f] = 0;
}

/** The least Newmark beta from EXACT_BETA up with which no wave of the lattice grows: beta >= 1/4 - 1 / (omega dt)^2. */
function chooseBeta(gravity: number, h: number, dt: Seconds): number {
  if (dt === 0 || gravity === 0) return EXACT_BETA;
  return Math.max(EXACT_BETA, 0.25 - h / (FASTEST_WAVE * gravity * dt * dt));
}
