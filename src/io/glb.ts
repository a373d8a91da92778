/**
 * Binary glTF (.glb). glTF cannot animate a mesh whose vertices and triangles change: morph targets share one
 * topology. So a sequence becomes one node per frame and an animation that scales each node from 0 to 1 in
 * its turn (STEP interpolation); viewers skip nodes of zero scale. One frame makes a plain mesh without
 * animation.
 *
 * A frame is shown from half-way to it until half-way to the next. Meanwhile its one morph target, `velocity`
 * (the way a vertex goes in one frame), carries its vertices along: at any time, with any frame rate, motion
 * is continuous but for the change of meshes, and a renderer that blurs motion finds it. Blender reads no
 * other velocity from glTF.
 *
 * Vertex fields become application attributes (`_VELOCITY`, `_AGE`, ...; float32, as glTF has no 32-bit
 * integers there); face fields have no place in the format and are left out. Normals are angle-weighted.
 * Units: metres, seconds. Solids are nodes of their own; those that move have their poses in the same
 * animation. Particles are points below their frame's node, with `_RADIUS`. Where a frame is several
 * surfaces, each is a primitive with a material of its name.
 */
import type { Seconds } from '../core/types.ts';
import { buildCornerNormals } from '../geometry/corner-normals.ts';
import { buildVertexNormals } from '../geometry/pseudo-normals.ts';
import type { Field, ParticleFrame, SurfaceFrame } from '../mesh/fields.ts';
import {
  checkFrames,
  computeQuaternion,
  listPartFaces,
  listPoses,
  type SolidTrack,
  type TimedFrame,
} from './frames.ts';
import { type AccessorType, type Entry, GlbFile, type Id } from './glb-file.ts';
import { computeTurn, type UpAxis } from './up-axis.ts';

export interface GlbOptions {
  /** Seconds the last frame is shown; default as long as the one before, or 1/24 s. */
  readonly lastFrame?: number;
  /** Frames per second, kept as `extras.fps` of the scene: glTF itself counts in seconds. */
  readonly fps?: number;
  /** What stands or moves beside the liquid. */
  readonly solids?: readonly SolidTrack[];
  /** Which axis of the frames is up; default z. In the file it is y, as glTF has it. */
  readonly up?: UpAxis;
}

/** Linear colours: a light sea blue that reads as water without transmission, and stone. */
const WATER_COLOUR = [0.3, 0.55, 0.7, 1];
const WATER_ROUGHNESS = 0.08;
const STONE_COLOUR = [0.45, 0.43, 0.4, 1];
const STONE_ROUGHNESS = 0.65;
/** glTF's number for primitives that are points. */
const MODE_POINTS = 0;

export async function writeGlb(
  frames: readonly TimedFrame[],
  options: GlbOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  checkFrames('glb', frames);
  const { fps, solids = [], up = 'z' } = options;
  const file = new GlbFile();
  const animation = frames.length > 1 ? new Animation(file) : undefined;
  const children: Id[] = [];

  const water = addMaterial(file, 'liquid', WATER_COLOUR, WATER_ROUGHNESS);
  const materials = new Map<string, Id>();
  const findMaterial = (name: string): Id => {
    const known = materials.get(name) ?? addMaterial(file, name, WATER_COLOUR, WATER_ROUGHNESS);
    materials.set(name, known);
    return known;
  };
  const turns = listTurns(frames, options);
  frames.forEach(({ frame, particles }, i) => {
    const name = `frame ${i}`;
    const mesh = buildMesh(
      file,
      name,
      frame,
      turns[i].step,
      listPrimitives(file, frame, water, findMaterial),
    );
    const points =
      particles && buildPoints(file, `particles ${i}`, particles, turns[i].step, () => findMaterial('spray'));
    const below = points && file.add('nodes', { name: `particles ${i}`, mesh: file.add('meshes', points) });
    // Before the animation starts, and in readers that ignore it, the first frame is shown.
    const node = file.add('nodes', {
      name,
      ...(mesh && { mesh: file.add('meshes', mesh) }),
      ...(below !== undefined && { children: [below] }),
      ...(i > 0 && { scale: [0, 0, 0] }),
    });
    children.push(node);
    if (!animation) return;
    animateFrame(animation, node, turns[i], mesh?.['weights'] !== undefined);
    if (below !== undefined && points?.['weights'] !== undefined) animateWeights(animation, below, turns[i]);
  });
  const stone = solids.length > 0 ? addMaterial(file, 'solid', STONE_COLOUR, STONE_ROUGHNESS) : 0;
  for (const solid of solids) {
    const mesh = file.add('meshes', buildSolidMesh(file, solid, stone));
    const poses = solid.motion ? listPoses(solid.motion, frames) : [];
    const node = file.add('nodes', {
      name: solid.name,
      mesh,
      ...(poses.length > 0 && { rotation: poses[0].rotation, translation: poses[0].translation }),
    });
    children.push(node);
    if (poses.length > 0 && animation) {
      const times = poses.map(({ time }) => time - frames[0].time);
      animation.add(
        node,
        'rotation',
        'LINEAR',
        times,
        poses.flatMap((pose) => pose.rotation),
      );
      animation.add(
        node,
        'translation',
        'LINEAR',
        times,
        poses.flatMap((pose) => pose.translation),
      );
    }
  }
  animation?.finish('frames');
  // glTF is y up, our scenes mostly z: one turned parent keeps the positions themselves as simulated.
  const rotation = computeQuaternion(computeTurn(up, 'y'));
  const upright = file.add('nodes', { name: `${up} up`, rotation, children });
  const extras = fps === undefined ? {} : { extras: { fps, frames: frames.length } };
  return file.write({ name: 'liquid', nodes: [upright], ...extras });
}

function addMaterial(file: GlbFile, name: string, baseColorFactor: number[], roughnessFactor: number): Id {
  return file.add('materials', {
    name,
    doubleSided: true,
    pbrMetallicRoughness: { baseColorFactor, metallicFactor: 0, roughnessFactor },
  });
}

/** When a frame is on, seconds from the first one. */
interface FrameTurn {
  readonly from: Seconds;
  readonly at: Seconds;
  readonly to: Seconds;
  readonly isLast: boolean;
  /** Time that the morph target's displacement stands for; 0 where nothing is animated. */
  readonly step: Seconds;
}

function listTurns(frames: readonly TimedFrame[], options: GlbOptions): FrameTurn[] {
  const times = frames.map(({ time }) => time - frames[0].time);
  const n = times.length;
  const end = times[n - 1] + (options.lastFrame ?? times[n - 1] - (times[n - 2] ?? 0));
  return times.map((at, i) => ({
    from: i === 0 ? 0 : (times[i - 1] + at) / 2,
    at,
    // The last frame stays to the end, so that the animation lasts as long as the run.
    to: i === n - 1 ? end : (at + times[i + 1]) / 2,
    isLast: i === n - 1,
    step: n === 1 ? 0 : times[n - 1] / (n - 1),
  }));
}

/** Keys of a frame's scale, 1 in its turn, and of the share of its displacement, 0 at its own time. */
function animateFrame(animation: Animation, node: Id, turn: FrameTurn, isMoving: boolean): void {
  const { from, to, isLast } = turn;
  const scales: [time: number, scale: number][] = [
    [from, 1],
    [to, isLast ? 1 : 0],
  ];
  if (from > 0) scales.unshift([0, 0]);
  animation.add(
    node,
    'scale',
    'STEP',
    scales.map(([time]) => time),
    scales.flatMap(([, scale]) => [scale, scale, scale]),
  );
  if (isMoving) animateWeights(animation, node, turn);
}

function animateWeights(animation: Animation, node: Id, { from, at, to, step }: FrameTurn): void {
  animation.add(node, 'weights', 'LINEAR', [from, to], [(from - at) / step, (to - at) / step]);
}

/** Channels of one animation, each with its keys. */
class Animation {
  private readonly samplers: Entry[] = [];
  private readonly channels: Entry[] = [];

  constructor(private readonly file: GlbFile) {}

  add(
    node: Id,
    path: 'scale' | 'weights' | 'rotation' | 'translation',
    interpolation: 'STEP' | 'LINEAR',
    times: readonly number[],
    values: readonly number[],
  ): void {
    const type: AccessorType = path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3';
    const input = this.file.addKeys('SCALAR', Float32Array.from(times), true);
    const output = this.file.addKeys(type, Float32Array.from(values));
    const sampler = this.samplers.push({ input, output, interpolation }) - 1;
    this.channels.push({ sampler, target: { node, path } });
  }

  finish(name: string): void {
    this.file.add('animations', { name, channels: this.channels, samplers: this.samplers });
  }
}

/** Undefined for a frame without liquid: glTF knows no empty meshes. */
function buildMesh(
  file: GlbFile,
  name: string,
  frame: SurfaceFrame,
  step: Seconds,
  primitives: readonly Entry[],
): Entry | undefined {
  const { mesh, vertexFields } = frame;
  if (mesh.triangleCount === 0) return undefined;
  const attributes: Record<string, Id> = {
    POSITION: file.addVertices('VEC3', toFloat32(mesh.position, 3 * mesh.vertexCount), true),
    NORMAL: file.addVertices('VEC3', computeUnitNormals(frame)),
    ...addFields(file, vertexFields, mesh.vertexCount),
  };
  return carryAlong(
    file,
    { name, primitives: primitives.map((primitive) => ({ attributes, ...primitive })) },
    vertexFields['velocity'],
    mesh.vertexCount,
    step,
  );
}

/** Points with their radii, which no glTF reader draws by itself; undefined for a frame without any. */
function buildPoints(
  file: GlbFile,
  name: string,
  { count, position, fields }: ParticleFrame,
  step: Seconds,
  findMaterial: () => Id,
): Entry | undefined {
  if (count === 0) return undefined;
  const attributes = {
    POSITION: file.addVertices('VEC3', toFloat32(position, 3 * count), true),
    ...addFields(file, fields, count),
  };
  const primitive = { mode: MODE_POINTS, attributes, material: findMaterial() };
  return carryAlong(file, { name, primitives: [primitive] }, fields['velocity'], count, step);
}

/**
 * What the primitives of a frame consist of but for their vertices: one, or one of each surface that has
 * faces.
 */
function listPrimitives(
  file: GlbFile,
  frame: SurfaceFrame,
  water: Id,
  findMaterial: (name: string) => Id,
): Entry[] {
  const { triangle, triangleCount } = frame.mesh;
  if (triangleCount === 0) return [];
  const parts = listPartFaces(frame).filter(({ face }) => face.length > 0);
  if (parts.length === 0)
    return [
      { indices: file.addIndices(new Uint32Array(triangle.subarray(0, 3 * triangleCount))), material: water },
    ];
  return parts.map(({ name, face }) => {
    const corner = new Uint32Array(3 * face.length);
    face.forEach((t, n) => {
      corner.set(triangle.subarray(3 * t, 3 * t + 3), 3 * n);
    });
    return { indices: file.addIndices(corner), material: findMaterial(name) };
  });
}

/** Vertex fields as application attributes. */
function addFields(file: GlbFile, fields: Record<string, Field>, count: number): Record<string, Id> {
  const attributes: Record<string, Id> = {};
  for (const [fieldName, field] of Object.entries(fields)) {
    const values = toFloat32(field.values, field.components * count);
    const semantic = `_${fieldName.toUpperCase().replace(/\W/g, '_')}`;
    attributes[semantic] = file.addVertices(field.components === 3 ? 'VEC3' : 'SCALAR', values);
  }
  return attributes;
}

/** A mesh with the morph target of its velocity, where it has one and is animated. */
function carryAlong(
  file: GlbFile,
  mesh: { readonly name: string; readonly primitives: readonly Entry[] },
  velocity: Field | undefined,
  count: number,
  step: Seconds,
): Entry {
  if (step === 0 || velocity?.components !== 3) return mesh;
  const way = toFloat32(velocity.values, 3 * count).map((v) => v * step);
  const targets = [{ POSITION: file.addVertices('VEC3', way, true) }];
  return {
    name: mesh.name,
    primitives: mesh.primitives.map((primitive) => ({ ...primitive, targets })),
    weights: [0],
    extras: { targetNames: ['velocity'] },
  };
}

/** Vertices are split where the surface has sharp edges: glTF keeps normals with vertices. */
function buildSolidMesh(file: GlbFile, { name, mesh }: SolidTrack, material: Id): Entry {
  const corner = buildCornerNormals(mesh);
  const known = new Map<string, number>();
  const position: number[] = [];
  const normal: number[] = [];
  const indices = Uint32Array.from({ length: 3 * mesh.triangleCount }, (_, c) => {
    const v = mesh.triangle[c];
    const n = Array.from(corner.subarray(3 * c, 3 * c + 3));
    // A triangle without area has no normal; glTF wants a unit vector all the same.
    if (Math.hypot(...n) === 0) n[1] = 1;
    const key = `${v} ${n.map((x) => Math.round(x * 1e4)).join(' ')}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, known.size);
    position.push(...mesh.position.subarray(3 * v, 3 * v + 3));
    normal.push(...n);
    return known.size - 1;
  });
  const attributes = {
    POSITION: file.addVertices('VEC3', Float32Array.from(position), true),
    NORMAL: file.addVertices('VEC3', Float32Array.from(normal)),
  };
  return { name, primitives: [{ attributes, indices: file.addIndices(indices), material }] };
}

function toFloat32(values: Float32Array | Float64Array | Int32Array, length: number): Float32Array {
  return new Float32Array(values.subarray(0, length));
}

function computeUnitNormals({ mesh }: SurfaceFrame): Float32Array {
  const sum = buildVertexNormals(mesh);
  const out = new Float32Array(3 * mesh.vertexCount);
  for (let v = 0; v < 3 * mesh.vertexCount; v += 3) {
    const length = Math.hypot(sum[v], sum[v + 1], sum[v + 2]);
    // An unused vertex has no normal; glTF wants a unit vector all the same.
    if (length === 0) out[v + 1] = 1;
    else for (let k = 0; k < 3; k++) out[v + k] = sum[v + k] / length;
  }
  return out;
}
