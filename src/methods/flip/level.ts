/**
 * The level set of the liquid at the nodes: the skin of its particles ([ando-2013] 5, lines 2 and 3),
 * continued into walls and solids.
 *
 * Particles end a radius from a wall, and so would their skin; pressure must not see a surface there. So
 * particles near walls have mirror images behind them, and the skin is that of both: at a wall that liquid
 * covers there is no surface, and the distance inside is that to the air. Nodes deeper in solids than the
 * images reach take the value of their own mirror image in the open.
 */
import type { HeapScope } from '../../core/heap.ts';
import { buildNeighbours, type Neighbours } from '../../particles/neighbours.ts';
import { radiusOfVolume } from '../../particles/particles.ts';
import { computeLevel as computeSkinAtNodes } from '../../tracking/skinning/level.ts';
import { orderBalls } from '../../tracking/skinning/order.ts';
import { evaluateSkin, skinOrdered } from '../../tracking/skinning/skin.ts';
import { type Band, extendFromBand, findBand } from './band.ts';
import { type FlipMesh, interpolateTask, type Located, locateParticles, PARTICLE_GRAIN } from './mesh.ts';
import type { FlipModel } from './model.ts';
import type { Obstacles } from './obstacles.ts';
import { BALLISTIC, type FlipState } from './state.ts';

/** Particles nearer to a wall than this, radii, have an image behind it. */
const MIRRORED = 3;

/** Nodes nearer to the surface than this, finest cells, lie on it: no tets that hold a hair of liquid. */
const ON_SURFACE = 2e-3;

/** Particles of the liquid and their images behind walls, and who is near. */
export interface Cloud {
  /** The particles come first, in their order; then images. */
  readonly position: Float64Array;
  readonly radius: Float64Array;
  readonly neighbours: Neighbours;
  /** Particles without images */
  readonly count: number;
}

/** Of all particles, also of those that fly freely: these have no images. */
export function buildCloud(
  model: FlipModel,
  { position, volume, kind }: Pick<FlipState, 'position' | 'volume' | 'kind'>,
  obstacles: Obstacles,
  scope: HeapScope,
): Cloud {
  const count = volume.length;
  const images: number[] = [];
  const { min, max } = model.domain;
  const radius = new Float64Array(count);
  for (let p = 0; p < count; p++) {
    const r = radiusOfVolume(volume[p]);
    radius[p] = r;
    if (kind[p] === BALLISTIC) continue;
    addImages(obstacles, position, p, r, min, max, images);
  }
  const total = count + images.length / 4;
  const allPosition = scope.f64(3 * total);
  allPosition.set(position);
  const allRadius = scope.f64(total);
  allRadius.set(radius);
  for (let n = 0; n < total - count; n++) {
    for (let a = 0; a < 3; a++) allPosition[3 * (count + n) + a] = images[4 * n + a];
    allRadius[count + n] = images[4 * n + 3];
  }
  const neighbours = buildNeighbours(allPosition, allRadius, scope.u8(0), scope);
  return { position: allPosition, radius: allRadius, neighbours, count };
}

/**
 * Images in the walls of the domain, one for each and for each corner of them; and one in the nearest solid.
 */
function addImages(
  obstacles: Obstacles,
  position: Float64Array,
  p: number,
  r: number,
  min: readonly number[],
  max: readonly number[],
  out: number[],
): void {
  const reach = MIRRORED * r;
  const x = position[3 * p];
  const y = position[3 * p + 1];
  const z = position[3 * p + 2];
  const at = [x, y, z];
  const mirrored = [x, y, z];
  let near = 0;
  for (let a = 0; a < 3; a++) {
    if (at[a] - min[a] < reach) {
      mirrored[a] = 2 * min[a] - at[a];
      near |= 1 << a;
    } else if (max[a] - at[a] < reach) {
      mirrored[a] = 2 * max[a] - at[a];
      near |= 1 << a;
    }
  }
  for (let n = 1; n < 8; n++)
    if ((n & near) === n)
      out.push(n & 1 ? mirrored[0] : x, n & 2 ? mirrored[1] : y, n & 4 ? mirrored[2] : z, r);
  if (!obstacles.hasSolids) return;
  const away = obstacles.solidClearanceAt(x, y, z);
  if (away >= reach) return;
  const normal = [0, 0, 0];
  findNormal(obstacles.solidClearanceAt, x, y, z, 0.01 * r, normal);
  const far = 2 * Math.max(away, 0.1 * r);
  out.push(x - far * normal[0], y - far * normal[1], z - far * normal[2], r);
}

/** Unit gradient of a function by differences over h. */
export function findNormal(
  valueAt: (x: number, y: number, z: number) => number,
  x: number,
  y: number,
  z: number,
  h: number,
  out: number[] | Float64Array,
): void {
  out[0] = valueAt(x + h, y, z) - valueAt(x - h, y, z);
  out[1] = valueAt(x, y + h, z) - valueAt(x, y - h, z);
  out[2] = valueAt(x, y, z + h) - valueAt(x, y, z - h);
  const length = Math.hypot(out[0], out[1], out[2]) || 1;
  for (let a = 0; a < 3; a++) out[a] /= length;
}

/** (vertexCount) the level set, positive in the liquid, m. */
export function computeLevel(
  model: FlipModel,
  mesh: FlipMesh,
  cloud: Cloud,
  obstacles: Obstacles,
  { kind, volume }: { readonly kind: Uint8Array; readonly volume: Float64Array },
  scope: HeapScope,
): Float64Array {
  const level = scope.f64(mesh.background.vertexCount);
  const scratch = model.heap.scope('flip balls');
  try {
    const located = locateParticles(model, mesh, cloud.position.subarray(0, 3 * cloud.count), scratch);
    const counted = new Float64Array(volume.length);
    for (let p = 0; p < volume.length; p++) counted[p] = kind[p] === BALLISTIC ? 0 : volume[p];
    const band = findBand(mesh, located, counted, scratch);
    const phi = measureSkin(model, band.mesh, pickBalls(cloud, kind, scratch), scratch);
    extendFromBand(mesh, band, phi, level);
    extendIntoSolids(model, mesh, obstacles, level, scratch);
    const least = ON_SURFACE * model.finest;
    for (let v = 0; v < level.length; v++) if (Math.abs(level[v]) < least) level[v] = 0;
    return level;
  } finally {
    scratch.free();
  }
}

/**
 * The skin's level set at the nodes of the band, with exact distances at nodes in the air that tets join to
 * the liquid: ghosts need them.
 */
function measureSkin(
  model: FlipModel,
  mesh: Band['mesh'],
  balls: { readonly position: Float64Array; readonly radius: Float64Array },
  scratch: HeapScope,
): Float64Array {
  const ordered = orderBalls(balls, scratch);
  const skin = skinOrdered(ordered, model, scratch);
  const { phi } = computeSkinAtNodes(mesh, { ordered, skin }, true, model, scratch);
  const { tet, tetCount, vertexCount, position } = mesh;
  const isCut = new Uint8Array(vertexCount);
  for (let t = 0; t < tetCount; t++) {
    let wet = false;
    for (let i = 4 * t; i < 4 * t + 4; i++) if (phi[tet[i]] > 0) wet = true;
    if (wet) for (let i = 4 * t; i < 4 * t + 4; i++) if (phi[tet[i]] <= 0) isCut[tet[i]] = 1;
  }
  const nodes: number[] = [];
  for (let v = 0; v < vertexCount; v++) if (isCut[v] === 1) nodes.push(v);
  const point = scratch.f64(3 * nodes.length);
  const value = scratch.f64(nodes.length);
  nodes.forEach((v, n) => {
    for (let a = 0; a < 3; a++) point[3 * n + a] = position[3 * v + a];
  });
  evaluateSkin(skin, point, value, model);
  nodes.forEach((v, n) => {
    phi[v] = Math.min(0, Math.max(phi[v], value[n]));
  });
  return phi;
}

/** Particles and images but for ballistic ones: what the skin is drawn around. */
function pickBalls(cloud: Cloud, kind: Uint8Array, scope: HeapScope) {
  const { position, radius, count } = cloud;
  let kept = radius.length;
  for (let p = 0; p < count; p++) if (kind[p] === BALLISTIC) kept--;
  const balls = { position: scope.f64(3 * kept), radius: scope.f64(kept) };
  for (let p = 0, n = 0; p < radius.length; p++) {
    if (p < count && kind[p] === BALLISTIC) continue;
    for (let a = 0; a < 3; a++) balls.position[3 * n + a] = position[3 * p + a];
    balls.radius[n++] = radius[p];
  }
  return balls;
}

/** Nodes in solids have at least the value of their mirror images in the open. */
function extendIntoSolids(
  model: FlipModel,
  mesh: FlipMesh,
  obstacles: Obstacles,
  level: Float64Array,
  scratch: HeapScope,
): void {
  const { clearance, background } = mesh;
  let sunken = 0;
  for (let v = 0; v < clearance.length; v++) if (clearance[v] < 0) sunken++;
  if (sunken === 0) return;
  const node = new Int32Array(sunken);
  const point = scratch.f64(3 * sunken);
  const { min, max } = model.domain;
  const normal = [0, 0, 0];
  for (let v = 0, n = 0; v < clearance.length; v++) {
    if (clearance[v] >= 0) continue;
    for (let a = 0; a < 3; a++) {
      const x = background.position[3 * v + a];
      point[3 * n + a] = x < min[a] ? 2 * min[a] - x : x > max[a] ? 2 * max[a] - x : x;
    }
    if (obstacles.hasSolids) {
      const [x, y, z] = [point[3 * n], point[3 * n + 1], point[3 * n + 2]];
      const away = obstacles.solidClearanceAt(x, y, z);
      if (away < 0) {
        findNormal(obstacles.solidClearanceAt, x, y, z, 1e-3 * model.finest, normal);
        for (let a = 0; a < 3; a++) point[3 * n + a] -= 2 * away * normal[a];
      }
    }
    node[n++] = v;
  }
  const { tet, barycentric } = locateParticles(model, mesh, point, scratch);
  const value = new Float64Array(sunken).fill(Number.NEGATIVE_INFINITY);
  for (let n = 0; n < sunken; n++) {
    if (tet[n] < 0) continue;
    value[n] = 0;
    for (let i = 0; i < 4; i++) value[n] += barycentric[4 * n + i] * level[background.tet[4 * tet[n] + i]];
  }
  for (let n = 0; n < sunken; n++) level[node[n]] = Math.max(level[node[n]], value[n]);
}

/** Depth of particles below the surface: the level set at their places. */
export function measureDepths(
  { threads }: FlipModel,
  mesh: FlipMesh,
  located: Located,
  level: Float64Array,
  out: Float64Array,
): void {
  const { tet, barycentric } = located;
  threads.run(interpolateTask, out.length, PARTICLE_GRAIN, {
    mesh: mesh.values,
    tet,
    barycentric,
    value: level,
    outside: -1,
    out,
  });
}
