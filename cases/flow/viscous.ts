/** Meshes and problems for tests and referees of viscous flow (src/flow/viscosity). */
import type { HeapScope } from '../../src/core/heap.ts';
import type { Threads } from '../../src/core/threads/task.ts';
import { NONE, type Vec3 } from '../../src/core/types.ts';
import { computeLiquidShares } from '../../src/flow/viscosity/liquid-shares.ts';
import {
  HELD,
  LINE,
  type NodeConditions,
  PLANE,
  type ViscousProblem,
} from '../../src/flow/viscosity/problem.ts';
import { TetShape } from '../../src/flow/viscosity/tet-shape.ts';
import { sphere } from '../../src/geometry/shapes.ts';
import { buildBackground } from '../../src/mesh/background/mesh.ts';
import type { StuffingField } from '../../src/mesh/lattice/lattice.ts';
import { meshShape } from '../../src/mesh/lattice/mesh-shape.ts';
import { stuff } from '../../src/mesh/lattice/stuff.ts';
import { buildOctree, createSizing } from '../../src/mesh/octree/sizing.ts';
import type { TetMesh } from '../../src/mesh/tetmesh.ts';
import { buildTopology } from '../../src/mesh/topology.ts';

export interface LiquidMesh {
  readonly mesh: TetMesh;
  /** (tetCount x 4) shares, where the mesh does not follow the liquid */
  readonly liquid?: Float64Array;
}

type Field = (x: number, y: number, z: number) => number;

/** A box of uniform background tets, cells of edge h; all of it is liquid. */
export function buildBlock(scope: HeapScope, origin: Vec3, cells: Vec3, h: number): LiquidMesh {
  const box = { origin, size: h, roots: cells, maxLevel: 0 };
  return {
    mesh: buildBackground(
      buildOctree(box, { sizing: { leastIn: (_, n, out) => void out.fill(h, 0, n) } }, scope),
      scope,
    ),
  };
}

/**
 * Liquid where the field is positive, on the background lattice: cells of h near the surface and coarser ones
 * inside.
 */
export function buildEmbedded(
  threads: Threads,
  scope: HeapScope,
  field: Field,
  { half, h, levels, centre = [0, 0, 0] }: { half: number; h: number; levels: number; centre?: Vec3 },
): LiquidMesh {
  const roots = Math.ceil((2 * half) / h / 2 ** levels);
  const edge = roots * h * 2 ** levels;
  // Off the middle, so that the lattice has no symmetry with the liquid.
  const origin = [0, 1, 2].map((k) => centre[k] - edge / 2 + h * [0.13, 0.29, 0.41][k]) as unknown as Vec3;
  const size = (x: number, y: number, z: number) => h + Math.max(0, Math.abs(field(x, y, z)) - h) / 2;
  const octree = buildOctree(
    { origin, size: h, roots: [roots, roots, roots], maxLevel: levels },
    { sizing: createSizing(size, 0.5) },
    scope,
  );
  const mesh = buildBackground(octree, scope);
  const level = scope.f64(mesh.vertexCount);
  const { position } = mesh;
  for (let v = 0; v < mesh.vertexCount; v++)
    level[v] = field(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
  const liquid = scope.f64(4 * mesh.tetCount);
  computeLiquidShares(threads, mesh, level, 'exact', liquid);
  return { mesh, liquid };
}

/** A stuffed ball about the origin, h at its surface. */
export function buildStuffedBall(scope: HeapScope, radius: number, h: number, levels = 0): LiquidMesh {
  const shape = sphere([0, 0, 0], radius);
  const { mesh } = meshShape(
    shape,
    { size: h, interior: levels === 0 ? 'uniform' : 'graded', maxLevel: levels },
    { scope },
  );
  return { mesh };
}

/** The stuffed mesh of a field within a cube about the origin. */
export function buildStuffed(
  scope: HeapScope,
  field: StuffingField,
  { half, h, levels = 0 }: { half: Vec3; h: number; levels?: number },
): LiquidMesh {
  const cells = half.map((a) => Math.ceil((2 * a) / h)) as unknown as Vec3;
  const origin = cells.map((n) => (-n * h) / 2) as unknown as Vec3;
  return { mesh: stuff(field, { origin, size: h, cells }, { maxLevel: levels, scope }) };
}

/** What walls give at a point. */
export type WallsAt = (
  x: number,
  y: number,
  z: number,
) => { readonly velocity?: readonly number[]; readonly normals?: readonly (readonly number[])[] } | undefined;

const cross = (a: readonly number[], b: readonly number[]) =>
  [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);

/** Held where `wallsAt` says something; only the components along one normal, or two, where it gives them. */
export function buildNodes(scope: HeapScope, mesh: TetMesh, wallsAt: WallsAt): NodeConditions {
  const { vertexCount, position } = mesh;
  const constraint = scope.u8(vertexCount);
  const direction = scope.f64(3 * vertexCount);
  const velocity = scope.f64(3 * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    const walls = wallsAt(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
    if (!walls) continue;
    const { normals = [] } = walls;
    constraint[v] = normals.length === 1 ? PLANE : normals.length === 2 ? LINE : HELD;
    if (normals.length === 1) direction.set(normals[0], 3 * v);
    if (normals.length === 2) direction.set(cross(normals[0], normals[1]), 3 * v);
    if (walls.velocity) velocity.set(walls.velocity, 3 * v);
  }
  return { constraint, direction, velocity };
}

/** Slip walls on the sides of a box that `sides` names; undefined away from them. */
export function findSides(
  place: readonly number[],
  low: readonly number[],
  high: readonly number[],
  axes: readonly number[],
): number[][] {
  const near = 1e-9 * (high[0] - low[0]);
  return axes
    .filter((k) => place[k] < low[k] + near || place[k] > high[k] - near)
    .map((k) => [0, 1, 2].map((r) => (r === k ? 1 : 0)));
}

/** A problem with one liquid, at rest unless told otherwise. */
export function buildProblem(
  scope: HeapScope,
  { mesh, liquid }: LiquidMesh,
  { mu, rho = 1, dt }: { mu: number; rho?: number; dt: number },
  velocityAt?: (x: number, y: number, z: number) => readonly number[],
): ViscousProblem {
  const velocity = scope.f64(3 * mesh.vertexCount);
  if (velocityAt)
    for (let v = 0; v < mesh.vertexCount; v++) {
      const [x, y, z] = mesh.position.subarray(3 * v, 3 * v + 3);
      velocity.set(velocityAt(x, y, z), 3 * v);
    }
  return {
    mesh,
    ...(liquid && { liquid }),
    viscosity: scope.f64(mesh.tetCount).fill(mu),
    density: scope.f64(mesh.tetCount).fill(rho),
    velocity,
    dt,
  };
}

/** Liquid between z = 0 and z = length, inside `field` of x and y alone: ends flat, stuffed along both. */
export function buildStuffedColumn(
  scope: HeapScope,
  field: (x: number, y: number) => number,
  { half, length, h }: { half: number; length: number; h: number },
): LiquidMesh {
  const across = 2 * Math.ceil(half / h + 1);
  const along = Math.ceil(length / h) + 2;
  const origin = [-0.5 * across * h, -0.5 * across * h, 0.5 * (length - along * h)] as const;
  const vessel = {
    planes: 3,
    value: (_x: number, _y: number, z: number) => Math.min(z, length - z),
    walls: (_x: number, _y: number, z: number) =>
      (Math.abs(z) < 1e-6 * h ? 1 : 0) | (Math.abs(z - length) < 1e-6 * h ? 2 : 0),
  };
  const liquid: StuffingField = { value: (x, y) => field(x, y) };
  const lattice = { origin, size: h, cells: [across, across, along] as const };
  return { mesh: stuff(liquid, lattice, { maxLevel: 0, vessel, scope }) };
}

/** Faces of the mesh that only one tet has, counter-clockwise seen from outside: (n x 3) vertices. */
export function listSurface(scope: HeapScope, mesh: TetMesh): Int32Array {
  const { faceToTet, faceVertex, faceCount } = buildTopology(mesh);
  const list: number[] = [];
  for (let f = 0; f < faceCount; f++)
    if (faceToTet[2 * f + 1] === NONE)
      list.push(faceVertex[3 * f], faceVertex[3 * f + 1], faceVertex[3 * f + 2]);
  const out = scope.i32(list.length);
  out.set(list);
  return out;
}

/** Volume of each tet, m^3. */
export function computeVolumes({ position, tet, tetCount }: TetMesh): Float64Array {
  const shape = new TetShape();
  const volume = new Float64Array(tetCount);
  for (let t = 0; t < tetCount; t++) {
    shape.set(position, tet, t);
    volume[t] = shape.volume;
  }
  return volume;
}

/** (3 x 3) gradient of the velocity in tet t: number (r, s) is d u_r / d x_s. */
export function computeGradient({ position, tet }: TetMesh, velocity: Float64Array, t: number): Float64Array {
  const shape = new TetShape();
  shape.set(position, tet, t);
  const out = new Float64Array(9);
  for (let a = 0; a < 4; a++)
    for (let r = 0; r < 3; r++)
      for (let s = 0; s < 3; s++) out[3 * r + s] += velocity[3 * tet[4 * t + a] + r] * shape.g[3 * a + s];
  return out;
}
