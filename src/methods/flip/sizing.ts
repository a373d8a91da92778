/**
 * The sizing function ([ando-2013] 4): how large cells may be,
 *     S(x) = max(d(x), V(x, min(kappa_liquid(x), kappa_solid(x), e(x))))      (15)
 * with d the depth below the surface, V the view, kappa the curvatures of liquid and solids, e the strain.
 * The paper's S is a length without a name; here it is the edge of cells, and particles have a quarter of it
 * as radius. kappa_solid is printed with its kernel as a factor, by which solids far away would ask for the
 * finest cells: here the kernel divides. Sizes given by hand bound all others.
 */
import { defineTask } from '../../core/threads/task.ts';
import type { Metres, Vec3 } from '../../core/types.ts';
import { PressureElement } from '../../flow/nodal/element.ts';
import { sizeInFields } from '../../mesh/octree/grown-sizing.ts';
import type { Liquid, Scene } from '../../scene/scene.ts';
import { depthInFrustum, type Frustum } from './camera.ts';
import { type FlipMesh, meshRecord } from './mesh.ts';
import type { FlipModel } from './model.ts';
import type { Obstacles } from './obstacles.ts';
import type { FlipOptions } from './options.ts';

const NODE_GRAIN = 2048;

/** What sizes depend on. */
export type SizingModel = Pick<FlipModel, 'options' | 'finest' | 'coarsestSurface' | 'box' | 'domain'>;

/** Where the octree of a scene lies, and how large its cells may be. */
export function layCells(
  { domain, resolution }: Pick<Scene, 'domain' | 'resolution'>,
  { levels, sizing }: FlipOptions,
): Pick<FlipModel, 'box' | 'finest' | 'coarsestSurface'> {
  const size = resolution * 2 ** levels;
  const roots = [0, 1, 2].map((a) =>
    Math.max(1, Math.ceil((domain.max[a] - domain.min[a]) / size - 1e-6)),
  ) as [number, number, number];
  return {
    box: { origin: domain.min, size: resolution, roots, maxLevel: levels },
    finest: resolution,
    coarsestSurface: resolution * 2 ** Math.min(levels, sizing.surfaceLevels),
  };
}

/** Eq. (15) for liquids as the scene has them, at a depth that is known. */
export function sizeOfShapes(
  model: SizingModel,
  obstacles: Obstacles,
  frustum: Frustum | undefined,
  liquids: readonly Liquid[],
  depth: Metres,
  at: Vec3,
  reach: Metres,
): Metres {
  const { liquidCurvature } = model.options.sizing;
  const { finest, coarsestSurface } = model;
  const [x, y, z] = at;
  let detail = sizeForSolid(model, obstacles, x, y, z);
  if (liquidCurvature !== false && coarsestSurface > finest) {
    const level = (u: number, v: number, w: number) => depthInLiquids(liquids, u, v, w);
    detail = Math.min(detail, liquidCurvature / measureCurvature(level, x, y, z, finest));
  }
  return combineSizes(model, frustum, detail, depth - reach, at, reach);
}

/** Depth below the surface of the liquids as the scene has them. */
export function depthInLiquids(liquids: readonly Liquid[], x: number, y: number, z: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const { shape } of liquids) most = Math.max(most, shape.value(x, y, z));
  return most;
}

/** Size wanted at a point for its depth and the finest that curvature and strain want there. */
export function combineSizes(
  { options, finest, coarsestSurface, box }: SizingModel,
  frustum: Frustum | undefined,
  detail: Metres,
  depth: Metres,
  at: Vec3,
  reach: Metres,
): Metres {
  const { depth: perDepth, fields } = options.sizing;
  const [x, y, z] = at;
  const isSeen = frustum === undefined || depthInFrustum(frustum, x, y, z) > -reach;
  const atSurface = isSeen ? Math.min(detail, coarsestSurface) : coarsestSurface;
  let size = Math.max(perDepth === false ? 0 : perDepth * Math.max(0, depth), atSurface);
  size = Math.min(size, sizeInFields(fields, at, reach));
  return Math.min(finest * 2 ** box.maxLevel, Math.max(finest, size));
}

/** Size that a solid's curvature wants at a distance from it. */
export function sizeForSolid(
  model: SizingModel,
  obstacles: Obstacles,
  x: number,
  y: number,
  z: number,
): Metres {
  const { solidCurvature } = model.options.sizing;
  const reach = model.coarsestSurface;
  if (solidCurvature === false || !obstacles.hasSolids || reach <= model.finest) return reach;
  const away = Math.abs(obstacles.solidClearanceAt(x, y, z));
  if (away >= reach) return reach;
  const kernel = (1 - (away / reach) ** 2) ** 3;
  const curvature = measureCurvature(obstacles.solidClearanceAt, x, y, z, model.finest);
  return Math.min(reach, solidCurvature / (curvature * kernel));
}

/** Sum of the principal curvatures of a distance function's level sets, 1/m. */
export function measureCurvature(
  valueAt: (x: number, y: number, z: number) => number,
  x: number,
  y: number,
  z: number,
  h: Metres,
): number {
  const sum =
    valueAt(x + h, y, z) +
    valueAt(x - h, y, z) +
    valueAt(x, y + h, z) +
    valueAt(x, y - h, z) +
    valueAt(x, y, z + h) +
    valueAt(x, y, z - h) -
    6 * valueAt(x, y, z);
  return Math.abs(sum) / (h * h);
}

/** Unit gradients of the level set at nodes: means over their tets, by volume. */
const computeNormals = defineTask(
  'flip/compute-normals',
  { mesh: meshRecord, level: 'f64', out: 'f64' },
  (begin, end, { mesh, level, out }) => {
    const { node, tet, corner, cornerStart } = mesh;
    const element = new PressureElement();
    const { gradient: g } = element;
    for (let v = begin; v < end; v++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let c = cornerStart[v]; c < cornerStart[v + 1]; c++) {
        const t = corner[c] >> 2;
        element.setGradients(node, tet, t);
        for (let i = 0; i < 4; i++) {
          const phi = level[tet[4 * t + i]] * element.volume;
          x += g[3 * i] * phi;
          y += g[3 * i + 1] * phi;
          z += g[3 * i + 2] * phi;
        }
      }
      const length = Math.sqrt(x * x + y * y + z * z);
      const scale = length > 0 ? 1 / length : 0;
      out[3 * v] = x * scale;
      out[3 * v + 1] = y * scale;
      out[3 * v + 2] = z * scale;
    }
  },
);

/**
 * At each node the finest that curvature of the liquid and strain want, m: means of curvature and strain over
 * its tets.
 */
const computeDetail = defineTask(
  'flip/compute-detail',
  {
    mesh: meshRecord,
    normal: 'f64',
    velocity: 'f64',
    perCurvature: 'number',
    perStrain: 'number',
    coarsest: 'number',
    out: 'f64',
  },
  (begin, end, { mesh, normal, velocity, perCurvature, perStrain, coarsest, out }) => {
    const { node, tet, corner, cornerStart } = mesh;
    const element = new PressureElement();
    const { gradient: g } = element;
    const d = new Float64Array(9);
    for (let v = begin; v < end; v++) {
      let volume = 0;
      let curvature = 0;
      let strain = 0;
      for (let c = cornerStart[v]; c < cornerStart[v + 1]; c++) {
        const t = corner[c] >> 2;
        element.setGradients(node, tet, t);
        volume += element.volume;
        let divergence = 0;
        d.fill(0);
        for (let i = 0; i < 4; i++) {
          const o = 3 * tet[4 * t + i];
          for (let a = 0; a < 3; a++) {
            divergence += g[3 * i + a] * normal[o + a];
            for (let b = 0; b < 3; b++) d[3 * a + b] += g[3 * i + b] * velocity[o + a];
          }
        }
        curvature += element.volume * divergence;
        let square = 0;
        for (let a = 0; a < 3; a++)
          for (let b = 0; b < 3; b++) square += (0.5 * (d[3 * a + b] + d[3 * b + a])) ** 2;
        strain += element.volume * Math.sqrt(square);
      }
      let size = coarsest;
      if (perCurvature > 0) size = Math.min(size, (perCurvature * volume) / Math.abs(curvature));
      if (perStrain > 0) size = Math.min(size, (perStrain * volume) / strain);
      out[v] = size;
    }
  },
);

/** Edge of cells wanted at the nodes for their curvature and strain, m. */
export function measureDetail(
  model: FlipModel,
  mesh: FlipMesh,
  obstacles: Obstacles,
  level: Float64Array,
  nodeVelocity: Float64Array,
  scratch: { f64(length: number): Float64Array },
): Float64Array {
  const { threads, options, coarsestSurface, gravity, extent } = model;
  const { background, values } = mesh;
  const { vertexCount, position } = background;
  const out = scratch.f64(vertexCount).fill(coarsestSurface);
  if (coarsestSurface <= model.finest) return out;
  const normal = scratch.f64(3 * vertexCount);
  threads.run(computeNormals, vertexCount, NODE_GRAIN, { mesh: values, level, out: normal });
  const { liquidCurvature, strain } = options.sizing;
  const g = Math.hypot(...gravity);
  threads.run(computeDetail, vertexCount, NODE_GRAIN, {
    mesh: values,
    normal,
    velocity: nodeVelocity,
    perCurvature: liquidCurvature === false ? 0 : liquidCurvature,
    perStrain: strain === false ? 0 : strain * Math.sqrt(g * extent),
    coarsest: coarsestSurface,
    out,
  });
  if (obstacles.hasSolids)
    for (let v = 0; v < vertexCount; v++)
      out[v] = Math.min(
        out[v],
        sizeForSolid(model, obstacles, position[3 * v], position[3 * v + 1], position[3 * v + 2]),
      );
  return out;
}
