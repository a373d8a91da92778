/**
 * The mesh of some steps ([ando-2013] 4): the graded body-centred tets of an octree, which tets lie around
 * each node, and what walls and solids leave of each tet. It follows from the octree alone, and from the
 * solids where they are.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineRecord, type ValuesOf } from '../../core/records.ts';
import { defineTask } from '../../core/threads/task.ts';
import { computeTetFraction } from '../../flow/nodal/fractions.ts';
import { type BackgroundIndex, locatePoints } from '../../mesh/background/locate.ts';
import { type BackgroundMesh, buildBackground } from '../../mesh/background/mesh.ts';
import type { Octree } from '../../mesh/octree/octree.ts';
import type { FlipModel } from './model.ts';
import type { Obstacles } from './obstacles.ts';

/** What tasks read of a mesh. */
export const meshRecord = defineRecord('flip mesh', {
  originX: 'number',
  originY: 'number',
  originZ: 'number',
  size: 'number',
  rootsX: 'number',
  rootsY: 'number',
  rootsZ: 'number',
  maxLevel: 'number',
  child: 'i32',
  faceCode: 'u8',
  faceTet: 'i32',
  /** (vertices x 3) m */
  node: 'f64',
  tet: 'i32',
  tetLevel: 'u8',
  /** (vertices + 1), and 4 tet + corner for every tet at a node */
  cornerStart: 'i32',
  corner: 'i32',
});
export type MeshValues = ValuesOf<typeof meshRecord>;

export interface FlipMesh {
  readonly scope: HeapScope;
  readonly octree: Octree;
  readonly background: BackgroundMesh;
  readonly values: MeshValues;
  /** (vertexCount) distance to walls and solids, m */
  readonly clearance: Float64Array;
  /** (tetCount) share that no solid fills */
  readonly open: Float64Array;
}

export function indexOf(mesh: MeshValues): BackgroundIndex {
  const { originX, originY, originZ, size, rootsX, rootsY, rootsZ, maxLevel, child, faceCode, faceTet } =
    mesh;
  const octree = {
    origin: [originX, originY, originZ] as const,
    size,
    roots: [rootsX, rootsY, rootsZ] as const,
    maxLevel,
    child,
  };
  return { octree, faceCode, faceTet };
}

export function buildMesh(
  model: FlipModel,
  octree: Octree,
  obstacles: Obstacles,
  scope: HeapScope,
): FlipMesh {
  const background = buildBackground(octree, scope);
  const { position, tet, tetLevel, faceCode, faceTet, vertexCount, tetCount } = background;
  const cornerStart = scope.i32(vertexCount + 1);
  const corner = scope.i32(4 * tetCount);
  for (let c = 0; c < 4 * tetCount; c++) cornerStart[tet[c] + 1]++;
  for (let v = 0; v < vertexCount; v++) cornerStart[v + 1] += cornerStart[v];
  const next = cornerStart.slice(0, vertexCount);
  for (let c = 0; c < 4 * tetCount; c++) corner[next[tet[c]]++] = c;
  const { origin, roots, size, maxLevel, child } = octree;
  const values: MeshValues = {
    originX: origin[0],
    originY: origin[1],
    originZ: origin[2],
    size,
    rootsX: roots[0],
    rootsY: roots[1],
    rootsZ: roots[2],
    maxLevel,
    child,
    faceCode,
    faceTet,
    node: position,
    tet,
    tetLevel,
    cornerStart,
    corner,
  };
  const mesh = {
    scope,
    octree,
    background,
    values,
    clearance: scope.f64(vertexCount),
    open: scope.f64(tetCount),
  };
  setObstacles(model, mesh, obstacles);
  return mesh;
}

/** Clearances at nodes nearer than this to a wall, in finest cells, count as on it. */
const ON_WALL = 1e-7;

/** Where the obstacles are now: `clearance` and `open` of the mesh. */
export function setObstacles(model: FlipModel, mesh: FlipMesh, obstacles: Obstacles): void {
  const { clearance, open, background } = mesh;
  const { position, tet, tetCount, vertexCount } = background;
  const least = ON_WALL * model.finest;
  for (let v = 0; v < vertexCount; v++) {
    const value = obstacles.clearanceAt(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
    clearance[v] = Math.abs(value) < least ? 0 : value;
  }
  for (let t = 0; t < tetCount; t++)
    open[t] = computeTetFraction(
      clearance[tet[4 * t]],
      clearance[tet[4 * t + 1]],
      clearance[tet[4 * t + 2]],
      clearance[tet[4 * t + 3]],
    );
}

/** Where particles lie: their tets and barycentric coordinates. */
export interface Located {
  readonly tet: Int32Array;
  readonly barycentric: Float64Array;
}

export const locateTask = defineTask(
  'flip/locate-particles',
  { mesh: meshRecord, position: 'f64', outTet: 'i32', outBarycentric: 'f64' },
  (begin, end, { mesh, position, outTet, outBarycentric }) => {
    locatePoints(indexOf(mesh), begin, end, position, outTet, outBarycentric);
  },
);

export const PARTICLE_GRAIN = 2048;

export function locateParticles(
  { threads }: FlipModel,
  { values }: FlipMesh,
  position: Float64Array,
  scope: HeapScope,
): Located {
  const count = position.length / 3;
  const outTet = scope.i32(count);
  const outBarycentric = scope.f64(4 * count);
  threads.run(locateTask, count, PARTICLE_GRAIN, { mesh: values, position, outTet, outBarycentric });
  return { tet: outTet, barycentric: outBarycentric };
}

/** Values at nodes, read at particles; `outside` where there is no tet. */
export const interpolateTask = defineTask(
  'flip/interpolate-nodes',
  { mesh: meshRecord, tet: 'i32', barycentric: 'f64', value: 'f64', outside: 'number', out: 'f64' },
  (begin, end, { mesh, tet, barycentric, value, outside, out }) => {
    const corner = mesh.tet;
    for (let p = begin; p < end; p++) {
      const t = 4 * tet[p];
      if (t < 0) {
        out[p] = outside;
        continue;
      }
      const b = 4 * p;
      out[p] =
        barycentric[b] * value[corner[t]] +
        barycentric[b + 1] * value[corner[t + 1]] +
        barycentric[b + 2] * value[corner[t + 2]] +
        barycentric[b + 3] * value[corner[t + 3]];
    }
  },
);
