/**
 * The skin as a triangle mesh for frames ([ando-2013] 5): marching tets on a graded mesh of its own that is
 * fine where the skin lies and the particles are small, and light smoothing. Its cells lie on multiples of a
 * power of two metres, so that they do not move from frame to frame.
 */
import { RunError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import { type BackgroundMesh, buildBackground } from '../../mesh/background/mesh.ts';
import { MOST_CELLS, type OctreeBox } from '../../mesh/octree/octree.ts';
import { buildOctree, type Seeds } from '../../mesh/octree/sizing.ts';
import type { TriMesh } from '../../mesh/trimesh.ts';
import { type Bodies, findBodies, measureBodies } from './bodies.ts';
import { PAIR, PLANE, type Skin } from './elements.ts';
import { computeLevel } from './level.ts';
import { type Balls, type OrderedBalls, orderBalls } from './order.ts';
import { type Machine, skinOrdered } from './skin.ts';
import { buildRing, holdVolumes, relax, smoothSurface } from './smooth.ts';
import { findValues } from './value.ts';

export interface SurfaceWish {
  readonly balls: Balls;
  /** (balls x 3) m/s */
  readonly velocity: Float64Array;
  /** Edge of the cells at the skin, radii of the balls there, about: 2 by default, 1 for a final skin. */
  readonly detail?: number;
  /** Rounds of smoothing, 2 by default. */
  readonly smoothing?: number;
  /** Distance to walls, positive in the open: air does not come into the liquid from behind them. */
  readonly clearanceAt?: (x: number, y: number, z: number) => number;
  /** What bodies of liquid hold; without it they hold what hulls make of their balls. */
  readonly holding?: {
    /** m^3 that a ball stands for */
    readonly volumeOf: (radius: number) => number;
    /** How freely a vertex of the surface may move, 0 to 1: not at all at walls */
    readonly freedomAt: (x: number, y: number, z: number) => number;
  };
}

export interface SkinSurface {
  readonly mesh: TriMesh;
  /** (vertexCount x 3) m/s */
  readonly velocity: Float64Array;
}

const DETAIL = 2;
const SMOOTHING = 2;
/** Balls with fewer elements than this are single ones and threads, which need finer cells to be seen. */
const THIN = 6;
/** A place is on the skin if a step of this many radii from it leads out. */
const STEP = 0.02;
/** Farthest that a surface moves for its volume, radii of its balls. */
const FARTHEST = 1;
const VOLUME_STEPS = 4;
/** Of a box around the balls, largest radii. */
const BORDER = 4;

export function buildSkinSurface(wish: SurfaceWish, machine: Machine): SkinSurface {
  const scope = machine.heap.scope('surface of the skin');
  try {
    const ordered = orderBalls(wish.balls, scope);
    const skin = skinOrdered(ordered, machine, scope);
    if (skin.elements === 0) return { mesh: emptyMesh(), velocity: new Float64Array(0) };
    const seeds = seedSkin(skin, wish.detail ?? DETAIL, machine, scope);
    const mesh = buildBackground(buildOctree(layBox(ordered, seeds), { seeds }), scope);
    const { surface, between, isInside } = computeLevel(
      mesh,
      { ordered, skin },
      false,
      machine,
      scope,
      wish.clearanceAt,
    );
    const ring = buildRing(surface);
    const velocity = mixVelocity(surface, ordered, skin, wish.velocity, machine, scope);
    const rounds = wish.smoothing ?? SMOOTHING;
    for (let n = 0; n < rounds; n++) relax(velocity, 3, ring, 0.5);
    smoothSurface(surface, ring, rounds);
    if (wish.holding) fitVolumes(surface, between, mesh, findBodies(mesh, isInside), ordered, wish.holding);
    return { mesh: surface, velocity };
  } finally {
    scope.free();
  }
}

/**
 * Surfaces of a body hold together what its balls stand for: hulls are too thick in films a ball thin, and
 * balls too small alone.
 */
function fitVolumes(
  surface: TriMesh,
  between: Int32Array,
  mesh: BackgroundMesh,
  bodies: Bodies,
  ordered: OrderedBalls,
  { volumeOf, freedomAt }: NonNullable<SurfaceWish['holding']>,
): void {
  const { vertexCount, position } = surface;
  const { volume, radius } = measureBodies(mesh, bodies, ordered, volumeOf);
  const piece = new Int32Array(vertexCount);
  const freedom = new Float64Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    piece[v] = bodies.nodeToBody[between[2 * v + 1]];
    freedom[v] = freedomAt(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
  }
  const farthest = radius.map((r) => FARTHEST * r);
  holdVolumes(surface, { piece, volume, farthest, freedom }, VOLUME_STEPS);
}

const emptyMesh = (): TriMesh => ({
  vertexCount: 0,
  triangleCount: 0,
  position: new Float64Array(0),
  triangle: new Int32Array(0),
});

/**
 * Places on the skin, with the size that cells should have there: where planes touch balls, and along the
 * axes of balls, as far as they can be seen.
 */
function seedSkin(skin: Skin, detail: number, machine: Machine, scope: HeapScope): Seeds {
  const { ball, owner, partner, shape, elements } = skin;
  const elementsOf = new Int32Array(ball.length / 4);
  let most = 0;
  for (let e = 0; e < elements; e++) {
    elementsOf[owner[e] >> 2]++;
    most += (owner[e] & 3) === PLANE ? 3 : (owner[e] & 3) === PAIR ? 0 : 6;
  }
  const point = scope.f64(3 * most);
  const radius = new Float64Array(most);
  const size = new Float64Array(most);
  let count = 0;
  const add = (a: number, x: number, y: number, z: number, wanted: number) => {
    const reach = ball[4 * a + 3] * (1 + STEP);
    point[3 * count] = ball[4 * a] + reach * x;
    point[3 * count + 1] = ball[4 * a + 1] + reach * y;
    point[3 * count + 2] = ball[4 * a + 2] + reach * z;
    radius[count] = ball[4 * a + 3];
    size[count++] = wanted;
  };
  for (let e = 0; e < elements; e++) {
    const a = owner[e] >> 2;
    const kind = owner[e] & 3;
    if (kind === PAIR) continue;
    const wanted = detail * ball[4 * a + 3] * (elementsOf[a] < THIN ? 0.5 : 1);
    if (kind === PLANE)
      for (const b of [a, partner[2 * e], partner[2 * e + 1] >> 1])
        add(b, shape[12 * e], shape[12 * e + 1], shape[12 * e + 2], wanted);
    else
      for (let k = 0; k < 6; k++)
        add(a, k < 2 ? 2 * k - 1 : 0, k >> 1 === 1 ? 2 * k - 5 : 0, k > 3 ? 2 * k - 9 : 0, wanted);
  }
  return keepSeen(skin, { position: point, size, count }, radius, machine, scope);
}

function keepSeen(skin: Skin, seeds: Seeds, radius: Float64Array, machine: Machine, scope: HeapScope): Seeds {
  const { count } = seeds;
  const bound = scope.f64(count);
  for (let n = 0; n < count; n++) bound[n] = -2 * STEP * radius[n];
  const value = scope.f64(count);
  const point = seeds.position as Float64Array;
  findValues(skin, { point, bound, value, element: scope.i32(count) }, machine.threads, scope, false);
  const position = new Float64Array(3 * count);
  const size = new Float64Array(count);
  let kept = 0;
  for (let n = 0; n < count; n++) {
    if (value[n] > -0.5 * STEP * radius[n]) continue;
    for (let k = 0; k < 3; k++) position[3 * kept + k] = point[3 * n + k];
    size[kept++] = seeds.size[n];
  }
  return { count: kept, position: position.subarray(0, 3 * kept), size: size.subarray(0, kept) };
}

/** A box of cubes around the balls, whose finest cells are no larger than the least size wanted. */
function layBox({ ball }: OrderedBalls, seeds: Seeds): OctreeBox {
  let widest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let p = 3; p < ball.length; p += 4) widest = Math.max(widest, ball[p]);
  for (let n = 0; n < seeds.count; n++) least = Math.min(least, seeds.size[n]);
  if (seeds.count === 0) least = widest;
  const size = 2 ** Math.floor(Math.log2(least));
  // Coarsest cells of some four of the largest radii.
  const maxLevel = Math.max(1, Math.ceil(Math.log2((4 * widest) / size)));
  const root = size * 2 ** maxLevel;
  const origin: [number, number, number] = [0, 0, 0];
  const roots: [number, number, number] = [1, 1, 1];
  for (let k = 0; k < 3; k++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let p = k; p < ball.length; p += 4) {
      low = Math.min(low, ball[p]);
      high = Math.max(high, ball[p]);
    }
    const first = Math.floor((low - BORDER * widest) / root);
    origin[k] = first * root;
    roots[k] = Math.ceil((high + BORDER * widest) / root) - first;
    if (roots[k] * 2 ** maxLevel > MOST_CELLS)
      throw new RunError(
        'skin',
        `its particles lie ${(high - low).toPrecision(3)} m apart and the finest cells have ${size.toPrecision(3)} m`,
        'remove particles that have left the scene, or ask for less detail',
      );
  }
  return { origin, size, roots, maxLevel };
}

/** Velocities at the vertices: of the mixture of balls that the skin has there. */
function mixVelocity(
  { position, vertexCount }: TriMesh,
  { source }: OrderedBalls,
  skin: Skin,
  velocity: Float64Array,
  { threads }: Machine,
  scope: HeapScope,
): Float64Array {
  const { ball, owner, partner, shape } = skin;
  const point = scope.f64(3 * vertexCount);
  point.set(position);
  const element = scope.i32(vertexCount);
  const bound = scope.f64(vertexCount).fill(Number.NEGATIVE_INFINITY);
  findValues(skin, { point, bound, value: scope.f64(vertexCount), element }, threads, scope, false);
  const out = new Float64Array(3 * vertexCount);
  const add = (v: number, a: number, weight: number) => {
    for (let k = 0; k < 3; k++) out[3 * v + k] += weight * velocity[3 * source[a] + k];
  };
  for (let v = 0; v < vertexCount; v++) {
    const e = element[v];
    const a = owner[e] >> 2;
    const x = point[3 * v] - ball[4 * a];
    const y = point[3 * v + 1] - ball[4 * a + 1];
    const z = point[3 * v + 2] - ball[4 * a + 2];
    const f = 12 * e;
    if ((owner[e] & 3) === PLANE) {
      const s = shape[f + 4] * x + shape[f + 5] * y + shape[f + 6] * z;
      const t = shape[f + 8] * x + shape[f + 9] * y + shape[f + 10] * z;
      add(v, a, 1 - s - t);
      add(v, partner[2 * e], s);
      add(v, partner[2 * e + 1] >> 1, t);
    } else if ((owner[e] & 3) === PAIR) {
      const along = shape[f] * x + shape[f + 1] * y + shape[f + 2] * z;
      const away = Math.sqrt(Math.max(0, x * x + y * y + z * z - along * along));
      const t = Math.min(1, Math.max(0, (along + (away * shape[f + 4]) / shape[f + 5]) / shape[f + 3]));
      add(v, a, 1 - t);
      add(v, partner[2 * e], t);
    } else add(v, a, 1);
  }
  return out;
}
