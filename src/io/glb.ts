/**
 * Binary glTF (.glb). glTF cannot animate a mesh whose vertices and triangles change: morph targets share one topology. So
 * a sequence becomes one node per frame and an animation that scales each node from 0 to 1 in its turn (STEP interpolation);
 * viewers skip nodes of zero scale. One frame makes a plain mesh without animation.
 *
 * Vertex fields become application attributes (`_VELOCITY`, `_AGE`, ...; float32, as glTF has no 32-bit integers there);
 * face fields have no place in the format and are left out. Normals are angle-weighted. Units: metres, seconds.
 */
import { type Accessor, type Buffer, Document, type Mesh, VertexLayout, WebIO } from '@gltf-transform/core';
import { buildVertexNormals } from '../geometry/pseudo-normals.ts';
import type { SurfaceFrame } from '../mesh/fields.ts';
import { checkFrames, type TimedFrame } from './frames.ts';

export interface GlbOptions {
  /** Seconds the last frame is shown; default as long as the one before, or 1/24 s. */
  readonly lastFrame?: number;
}

/** Linear colour of the liquid: a light sea blue that reads as water without transmission. */
const WATER_COLOUR: [number, number, number, number] = [0.3, 0.55, 0.7, 1];
const WATER_ROUGHNESS = 0.08;

export async function writeGlb(
  frames: readonly TimedFrame[],
  options: GlbOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  checkFrames('glb', frames);
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene('liquid');
  document.getRoot().setDefaultScene(scene);
  document.getRoot().getAsset().generator = 'meniscus';
  const material = document
    .createMaterial('liquid')
    .setBaseColorFactor(WATER_COLOUR)
    .setMetallicFactor(0)
    .setRoughnessFactor(WATER_ROUGHNESS)
    .setDoubleSided(true);

  // glTF is y up, our scenes are z up: one turned parent keeps the positions themselves as simulated.
  const upright = document.createNode('z up').setRotation([-Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
  scene.addChild(upright);
  const nodes = frames.map(({ frame }, i) => {
    const name = `frame ${i}`;
    const mesh = createMesh(document, buffer, name, frame);
    for (const primitive of mesh.listPrimitives()) primitive.setMaterial(material);
    const node = document.createNode(name).setMesh(mesh);
    // Before the animation starts, and in readers that ignore it, the first frame is shown.
    if (i > 0) node.setScale([0, 0, 0]);
    upright.addChild(node);
    return node;
  });
  if (frames.length > 1) {
    const animation = document.createAnimation('frames');
    const times = computeTimes(frames, options);
    nodes.forEach((node, i) => {
      const { input, output } = createVisibility(document, buffer, times, i);
      const sampler = document
        .createAnimationSampler()
        .setInput(input)
        .setOutput(output)
        .setInterpolation('STEP');
      animation.addSampler(sampler);
      animation.addChannel(
        document.createAnimationChannel().setTargetNode(node).setTargetPath('scale').setSampler(sampler),
      );
    });
  }
  const bytes = await new WebIO().setVertexLayout(VertexLayout.SEPARATE).writeBinary(document);
  return bytes as Uint8Array<ArrayBuffer>;
}

/** Start of each frame from the first, s, and the end of the last. */
function computeTimes(frames: readonly TimedFrame[], options: GlbOptions): number[] {
  const times = frames.map(({ time }) => time - frames[0].time);
  const last = times[times.length - 1];
  times.push(last + (options.lastFrame ?? last - times[times.length - 2]));
  return times;
}

/** Keys of node i's scale: 0, then 1 from its own time until the next frame's. */
function createVisibility(document: Document, buffer: Buffer, times: readonly number[], i: number) {
  const keys: [time: number, scale: number][] = [];
  if (i > 0) keys.push([0, 0]);
  keys.push([times[i], 1]);
  const isLast = i === times.length - 2;
  // The last frame stays to the end, so that the animation lasts as long as the run.
  keys.push([times[i + 1], isLast ? 1 : 0]);
  const input = document
    .createAccessor(`times ${i}`, buffer)
    .setType('SCALAR')
    .setArray(Float32Array.from(keys, ([time]) => time));
  const output = document
    .createAccessor(`scales ${i}`, buffer)
    .setType('VEC3')
    .setArray(Float32Array.from(keys.flatMap(([, scale]) => [scale, scale, scale])));
  return { input, output };
}

function createMesh(document: Document, buffer: Buffer, name: string, frame: SurfaceFrame): Mesh {
  const { mesh, vertexFields } = frame;
  const result = document.createMesh(name);
  // glTF forbids empty accessors: a frame without liquid is a mesh without primitives.
  if (mesh.triangleCount === 0) return result;
  const accessor = (part: string, type: 'SCALAR' | 'VEC3', array: Float32Array | Uint32Array): Accessor =>
    document
      .createAccessor(`${name} ${part}`, buffer)
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>);
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
  return result.addPrimitive(primitive);
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
