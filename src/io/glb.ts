/**
 * Binary glTF (.glb). glTF cannot animate a mesh whose vertices and triangles change: morph targets share one topology. So
 * a sequence becomes one node per frame and an animation that scales each node from 0 to 1 in its turn (STEP interpolation);
 * viewers skip nodes of zero scale. One frame makes a plain mesh without animation.
 *
 * A frame is shown from half-way to it until half-way to the next. Meanwhile its one morph target, `velocity` (the way a vertex goes
 * in one frame), carries its vertices along: at any time, with any frame rate, motion is continuous but for the change of meshes, and a
 * renderer that blurs motion finds it. Blender reads no other velocity from glTF.
 *
 * Vertex fields become application attributes (`_VELOCITY`, `_AGE`, ...; float32, as glTF has no 32-bit integers there);
 * face fields have no place in the format and are left out. Normals are angle-weighted. Units: metres, seconds.
 * Solids are nodes of their own; those that move have their poses in the same animation.
 */
import {
  type Accessor,
  type Animation,
  type Buffer,
  Document,
  type Material,
  type Mesh,
  type Node,
  VertexLayout,
  WebIO,
} from '@gltf-transform/core';
import type { Seconds } from '../core/types.ts';
import { buildCornerNormals } from '../geometry/corner-normals.ts';
import { buildVertexNormals } from '../geometry/pseudo-normals.ts';
import type { SurfaceFrame } from '../mesh/fields.ts';
import { checkFrames, computeQuaternion, listPoses, type SolidTrack, type TimedFrame } from './frames.ts';
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
const WATER_COLOUR: Colour = [0.3, 0.55, 0.7, 1];
const WATER_ROUGHNESS = 0.08;
const STONE_COLOUR: Colour = [0.45, 0.43, 0.4, 1];
const STONE_ROUGHNESS = 0.65;
type Colour = [number, number, number, number];

export async function writeGlb(
  frames: readonly TimedFrame[],
  options: GlbOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  checkFrames('glb', frames);
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene('liquid');
  if (options.fps !== undefined) scene.setExtras({ fps: options.fps, frames: frames.length });
  document.getRoot().setDefaultScene(scene);
  document.getRoot().getAsset().generator = 'meniscus';
  const water = createMaterial(document, 'liquid', WATER_COLOUR, WATER_ROUGHNESS);

  // glTF is y up, our scenes mostly z: one turned parent keeps the positions themselves as simulated.
  const up = options.up ?? 'z';
  const upright = document
    .createNode(`${up} up`)
    .setRotation([...computeQuaternion(computeTurn(up, 'y'))] as [number, number, number, number]);
  scene.addChild(upright);
  const animation = frames.length > 1 ? document.createAnimation('frames') : undefined;
  const turns = listTurns(frames, options);
  frames.forEach(({ frame }, i) => {
    const name = `frame ${i}`;
    const mesh = createMesh(document, buffer, name, frame, turns[i].step);
    for (const primitive of mesh.listPrimitives()) primitive.setMaterial(water);
    const node = document.createNode(name).setMesh(mesh);
    // Before the animation starts, and in readers that ignore it, the first frame is shown.
    if (i > 0) node.setScale([0, 0, 0]);
    upright.addChild(node);
    if (animation) animateFrame(document, buffer, animation, node, turns[i]);
  });
  const stone =
    (options.solids ?? []).length > 0
      ? createMaterial(document, 'solid', STONE_COLOUR, STONE_ROUGHNESS)
      : undefined;
  for (const solid of options.solids ?? []) {
    const node = document.createNode(solid.name).setMesh(createSolidMesh(document, buffer, solid, stone!));
    upright.addChild(node);
    if (solid.motion) animateSolid(document, buffer, animation, node, solid, frames);
  }
  const bytes = await new WebIO().setVertexLayout(VertexLayout.SEPARATE).writeBinary(document);
  return bytes as Uint8Array<ArrayBuffer>;
}

function createMaterial(document: Document, name: string, colour: Colour, roughness: number): Material {
  return document
    .createMaterial(name)
    .setBaseColorFactor(colour)
    .setMetallicFactor(0)
    .setRoughnessFactor(roughness)
    .setDoubleSided(true);
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
function animateFrame(
  document: Document,
  buffer: Buffer,
  animation: Animation,
  node: Node,
  { from, at, to, isLast, step }: FrameTurn,
): void {
  const scales: [time: number, scale: number][] = [
    [from, 1],
    [to, isLast ? 1 : 0],
  ];
  if (from > 0) scales.unshift([0, 0]);
  addChannel(document, buffer, animation, node, {
    path: 'scale',
    times: scales.map(([time]) => time),
    values: scales.flatMap(([, scale]) => [scale, scale, scale]),
    interpolation: 'STEP',
  });
  const [primitive] = node.getMesh()!.listPrimitives();
  if (!primitive || primitive.listTargets().length === 0) return;
  const times = [from, to];
  addChannel(document, buffer, animation, node, {
    path: 'weights',
    times,
    values: times.map((time) => (time - at) / step),
    interpolation: 'LINEAR',
  });
}

function animateSolid(
  document: Document,
  buffer: Buffer,
  animation: Animation | undefined,
  node: Node,
  { motion }: SolidTrack,
  frames: readonly TimedFrame[],
): void {
  const poses = listPoses(motion!, frames);
  const { rotation, translation } = poses[0];
  node.setRotation([...rotation]).setTranslation([...translation]);
  if (!animation) return;
  const times = poses.map(({ time }) => time - frames[0].time);
  addChannel(document, buffer, animation, node, {
    path: 'rotation',
    times,
    values: poses.flatMap((pose) => pose.rotation),
    interpolation: 'LINEAR',
  });
  addChannel(document, buffer, animation, node, {
    path: 'translation',
    times,
    values: poses.flatMap((pose) => pose.translation),
    interpolation: 'LINEAR',
  });
}

interface Channel {
  readonly path: 'scale' | 'weights' | 'rotation' | 'translation';
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly interpolation: 'STEP' | 'LINEAR';
}

function addChannel(
  document: Document,
  buffer: Buffer,
  animation: Animation,
  node: Node,
  { path, times, values, interpolation }: Channel,
): void {
  const type = path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3';
  const input = document
    .createAccessor(`${node.getName()} ${path} times`, buffer)
    .setType('SCALAR')
    .setArray(Float32Array.from(times));
  const output = document
    .createAccessor(`${node.getName()} ${path}`, buffer)
    .setType(type)
    .setArray(Float32Array.from(values));
  const sampler = document
    .createAnimationSampler()
    .setInput(input)
    .setOutput(output)
    .setInterpolation(interpolation);
  animation.addSampler(sampler);
  animation.addChannel(
    document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler),
  );
}

function createMesh(
  document: Document,
  buffer: Buffer,
  name: string,
  frame: SurfaceFrame,
  step: Seconds,
): Mesh {
  const { mesh, vertexFields } = frame;
  const result = document.createMesh(name);
  // glTF forbids empty accessors: a frame without liquid is a mesh without primitives.
  if (mesh.triangleCount === 0) return result;
  const accessor = createAccessors(document, buffer, name);
  const primitive = document
    .createPrimitive()
    .setIndices(
      accessor('indices', 'SCALAR', new Uint32Array(mesh.triangle.subarray(0, 3 * mesh.triangleCount))),
    )
    .setAttribute('POSITION', accessor('positions', 'VEC3', toFloat32(mesh.position, 3 * mesh.vertexCount)))
    .setAttribute('NORMAL', accessor('normals', 'VEC3', computeUnitNormals(frame)));
  for (const [fieldName, field] of Object.entries(vertexFields)) {
    const semantic = `_${fieldName.toUpperCase().replace(/\W/g, '_')}`;
    const type = field.components === 3 ? 'VEC3' : 'SCALAR';
    const values = toFloat32(field.values, field.components * mesh.vertexCount);
    primitive.setAttribute(semantic, accessor(fieldName, type, values));
  }
  const { velocity } = vertexFields;
  if (step > 0 && velocity?.components === 3) {
    const way = toFloat32(velocity.values, 3 * mesh.vertexCount).map((v) => v * step);
    const target = document
      .createPrimitiveTarget('velocity')
      .setAttribute('POSITION', accessor('way', 'VEC3', way));
    primitive.addTarget(target);
    result.setWeights([0]).setExtras({ targetNames: ['velocity'] });
  }
  return result.addPrimitive(primitive);
}

/** Vertices are split where the surface has sharp edges: glTF keeps normals with vertices. */
function createSolidMesh(
  document: Document,
  buffer: Buffer,
  { name, mesh }: SolidTrack,
  material: Material,
): Mesh {
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
  const accessor = createAccessors(document, buffer, name);
  const primitive = document
    .createPrimitive()
    .setIndices(accessor('indices', 'SCALAR', indices))
    .setAttribute('POSITION', accessor('positions', 'VEC3', Float32Array.from(position)))
    .setAttribute('NORMAL', accessor('normals', 'VEC3', Float32Array.from(normal)))
    .setMaterial(material);
  return document.createMesh(name).addPrimitive(primitive);
}

function createAccessors(document: Document, buffer: Buffer, name: string) {
  return (part: string, type: 'SCALAR' | 'VEC3', array: Float32Array | Uint32Array): Accessor =>
    document
      .createAccessor(`${name} ${part}`, buffer)
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>);
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
