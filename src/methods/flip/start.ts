/**
 * The particles and the mesh that a run starts from: eight particles in each cell, what a cell holds only in
 * part gathered in one.
 */
import { InputError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import type { Vec3 } from '../../core/types.ts';
import type { Octree } from '../../mesh/octree/octree.ts';
import { buildOctree, type Sizing } from '../../mesh/octree/sizing.ts';
import { radiusOfVolume } from '../../particles/particles.ts';
import { createWhitewater } from '../../particles/whitewater.ts';
import { buildFrustum } from './camera.ts';
import { findNormal } from './level.ts';
import { buildMesh } from './mesh.ts';
import type { FlipModel } from './model.ts';
import { type Obstacles, poseObstacles } from './obstacles.ts';
import { depthInLiquids, sizeOfShapes } from './sizing.ts';
import { createSeeds, fillNozzles, type Seeds } from './sources.ts';
import type { FlipState } from './state.ts';

/** Samples along each edge of a part of a cell that the surface or a wall passes. */
const SAMPLES = 6;
/**
 * Parts that hold less than this share of their cell's part are left to their neighbours: the rest grows by
 * as much.
 */
const LEAST_SHARE = 0.02;

const ROOT3 = Math.sqrt(3);

export function start(model: FlipModel): FlipState {
  const scope = model.heap.scope('flip state');
  const meshScope = model.heap.scope('flip mesh');
  try {
    const obstacles = poseObstacles(model, 0, 0);
    const octree = buildOctree(model.box, { sizing: sizeStart(model, obstacles) }, meshScope);
    const seeds = seed(model, octree, obstacles);
    fillNozzles(model, seeds);
    if (seeds.volume.length === 0 && model.emitters.length === 0)
      throw new InputError(
        'liquids',
        'no liquid is left inside the domain',
        'move or enlarge the liquids, or use a finer resolution',
      );
    const mesh = buildMesh(model, octree, obstacles, meshScope);
    return {
      ...copySeeds(model, seeds, scope),
      scope,
      time: 0,
      lastStep: 0,
      // The sizes are those of the shapes as given: particles say better.
      meshAge: model.options.remeshSteps,
      potential: scope.f64(mesh.background.vertexCount),
      whitewater: createWhitewater(model.seed),
      mesh,
    };
  } catch (error) {
    scope.free();
    meshScope.free();
    throw error;
  }
}

function copySeeds(model: FlipModel, { position, velocity, volume }: Seeds, scope: HeapScope) {
  const count = volume.length;
  const copy = (from: number[]) => {
    const out = scope.f64(from.length);
    out.set(from);
    return out;
  };
  const depth = scope.f64(count);
  for (let p = 0; p < count; p++)
    depth[p] = Math.max(
      radiusOfVolume(volume[p]),
      liquidAt(model, position[3 * p], position[3 * p + 1], position[3 * p + 2]),
    );
  return {
    position: copy(position),
    velocity: copy(velocity),
    rate: scope.f64(3 * count),
    volume: copy(volume),
    depth,
    size: scope.f64(count),
    kind: scope.u8(count),
    affine: scope.f64(model.options.transfer === 'apic' ? 9 * count : 0),
  };
}

const liquidAt = ({ liquids }: FlipModel, x: number, y: number, z: number): number =>
  depthInLiquids(liquids, x, y, z);

function velocityAt({ liquids }: FlipModel, x: number, y: number, z: number): Vec3 {
  let deepest = Number.NEGATIVE_INFINITY;
  let velocity: Vec3 = [0, 0, 0];
  for (const liquid of liquids) {
    const depth = liquid.shape.value(x, y, z);
    if (depth <= deepest) continue;
    deepest = depth;
    velocity = liquid.velocity;
  }
  return velocity;
}

/** Eq. (15) for the shapes of the scene. */
function sizeStart(model: FlipModel, obstacles: Obstacles): Sizing {
  const { options, finest, liquids } = model;
  const frustum = options.camera && buildFrustum(options.camera, 0);
  return {
    leastIn(cube, count, outSize) {
      for (let n = 0; n < count; n++) {
        const [x, y, z, half] = cube.subarray(4 * n, 4 * n + 4);
        const reach = ROOT3 * half;
        const depth = liquidAt(model, x, y, z);
        const isNozzle = model.emitters.some((e) => e.shape.value(x, y, z) > -reach);
        if (depth < -reach - finest && !isNozzle) {
          outSize[n] = Number.POSITIVE_INFINITY;
          continue;
        }
        outSize[n] = isNozzle
          ? finest
          : sizeOfShapes(model, obstacles, frustum, liquids, depth, [x, y, z], reach);
      }
    },
  };
}

/**
 * Particles in the leaves; volumes are scaled so that together they are those of the shapes' part in the
 * open.
 */
function seed(model: FlipModel, octree: Octree, obstacles: Obstacles): Seeds {
  const { leafCount, leafCorner, leafLevel, size, origin } = octree;
  const out = createSeeds();
  for (let leaf = 0; leaf < leafCount; leaf++) {
    const edge = size * 2 ** leafLevel[leaf];
    for (let part = 0; part < 8; part++) {
      const centre = [0, 1, 2].map(
        (a) => origin[a] + size * leafCorner[3 * leaf + a] + edge * (0.25 + 0.5 * ((part >> a) & 1)),
      );
      seedPart(model, obstacles, centre, 0.25 * edge, out);
    }
  }
  return out;
}

const insideAt = (model: FlipModel, obstacles: Obstacles, x: number, y: number, z: number): number =>
  Math.min(liquidAt(model, x, y, z), obstacles.clearanceAt(x, y, z));

/** One particle in the middle of what liquid there is in a cube; no nearer to the surface than its radius. */
function seedPart(
  model: FlipModel,
  obstacles: Obstacles,
  centre: readonly number[],
  half: number,
  out: Seeds,
): void {
  const [x, y, z] = centre;
  const value = insideAt(model, obstacles, x, y, z);
  if (value < -ROOT3 * half) return;
  if (model.emitters.some((e) => e.shape.value(x, y, z) > 0)) return;
  if (value >= ROOT3 * half) {
    out.position.push(x, y, z);
    out.velocity.push(...velocityAt(model, x, y, z));
    out.volume.push(8 * half ** 3);
    return;
  }
  let inside = 0;
  const sum = [0, 0, 0];
  const step = (2 * half) / SAMPLES;
  for (let k = 0; k < SAMPLES; k++)
    for (let j = 0; j < SAMPLES; j++)
      for (let i = 0; i < SAMPLES; i++) {
        const at = [i, j, k].map((n, a) => centre[a] - half + (n + 0.5) * step);
        if (insideAt(model, obstacles, at[0], at[1], at[2]) <= 0) continue;
        inside++;
        for (let a = 0; a < 3; a++) sum[a] += at[a];
      }
  const share = inside / SAMPLES ** 3;
  if (share < LEAST_SHARE) return;
  const at = sum.map((s) => s / inside);
  if (share < 1) toDepth((u, v, w) => insideAt(model, obstacles, u, v, w), Math.cbrt(share) * half, at);
  out.position.push(at[0], at[1], at[2]);
  out.velocity.push(...velocityAt(model, at[0], at[1], at[2]));
  out.volume.push(8 * share * half ** 3);
}

/** Moves a point that is nearer to the surface than a depth down to it. */
function toDepth(valueAt: (x: number, y: number, z: number) => number, depth: number, at: number[]): void {
  const value = valueAt(at[0], at[1], at[2]);
  if (value >= depth) return;
  const normal = [0, 0, 0];
  findNormal(valueAt, at[0], at[1], at[2], 0.05 * depth, normal);
  for (let a = 0; a < 3; a++) at[a] += (depth - value) * normal[a];
}
