/**
 * USD as text (.usda): one animated mesh, `/run/liquid`, whose points, topology and attributes are time
 * samples, so that vertices may come and go between frames. Velocity becomes the `velocities` of
 * UsdGeomPointBased (motion blur), every other field a primvar of its name: `vertex` interpolation for vertex
 * fields, `uniform` for face fields. Metres; time codes are seconds x fps. Solids are meshes below
 * `/run/solids`; those that move have their poses as time samples. Particles are `/run/particles`, points
 * with `widths` of twice their radius. Where the mesh is several surfaces, each is a subset of its faces.
 */
import { buildCornerNormals } from '../geometry/corner-normals.ts';
import type { Field } from '../mesh/fields.ts';
import { concatBytes, showFloat } from './bytes.ts';
import { checkFrames, listPartFaces, listPoses, type SolidTrack, type TimedFrame } from './frames.ts';

export interface UsdaOptions {
  /** Frames per second; default 24. */
  readonly fps?: number;
  /** Which axis of the frames is up; default Y. */
  readonly upAxis?: 'Y' | 'Z';
  /** What stands or moves beside the liquid. */
  readonly solids?: readonly SolidTrack[];
}

/** How a sampled attribute is declared and written for one frame. */
interface Attribute {
  readonly declaration: string;
  readonly metadata: string;
  /** Undefined where the frame has no such field. */
  write(timed: TimedFrame): string | undefined;
}

export function writeUsda(frames: readonly TimedFrame[], options: UsdaOptions = {}): Uint8Array<ArrayBuffer> {
  checkFrames('usda', frames);
  const fps = options.fps ?? 24;
  const codes = frames.map(({ time }) => toTimeCode(time, fps));
  const encoder = new TextEncoder();
  const parts = [
    encoder.encode(
      [
        '#usda 1.0',
        '(',
        '    defaultPrim = "run"',
        `    startTimeCode = ${codes[0]}`,
        `    endTimeCode = ${codes.at(-1)}`,
        `    timeCodesPerSecond = ${fps}`,
        `    framesPerSecond = ${fps}`,
        '    metersPerUnit = 1',
        `    upAxis = "${options.upAxis ?? 'Y'}"`,
        ')',
        '',
        'def Xform "run"',
        '{',
        '    def Mesh "liquid"',
        '    {',
        '        uniform token subdivisionScheme = "none"',
        '        uniform token orientation = "rightHanded"',
        '',
      ].join('\n'),
    ),
  ];
  const add = (attributes: readonly Attribute[]) => {
    for (const attribute of attributes)
      for (const text of writeSamples(attribute, frames, codes)) parts.push(encoder.encode(text));
  };
  add([...GEOMETRY, ...listFieldAttributes(frames)]);
  const taken = new Set<string>();
  for (const name of listPartNames(frames)) {
    const primName = chooseName(name, taken);
    taken.add(primName);
    parts.push(encoder.encode(openSubset(primName)));
    add([{ declaration: '    int[] indices', metadata: '', write: (timed) => writePartFaces(timed, name) }]);
    parts.push(encoder.encode('        }\n'));
  }
  parts.push(encoder.encode('    }\n'));
  if (frames.some(({ particles }) => particles)) {
    parts.push(encoder.encode('    def Points "particles"\n    {\n'));
    add([...POINTS, ...listParticleAttributes(frames)]);
    parts.push(encoder.encode('    }\n'));
  }
  if (options.solids?.length) parts.push(encoder.encode(writeSolids(options.solids, frames, fps)));
  parts.push(encoder.encode('}\n'));
  return concatBytes(parts);
}

/**
 * An attribute with its time samples, in pieces: one text of all frames may be longer than a string can be.
 */
function* writeSamples(
  { declaration, metadata, write }: Attribute,
  frames: readonly TimedFrame[],
  codes: readonly number[],
): Generator<string> {
  if (metadata) {
    // Metadata hangs on a default value, empty here since every time has a sample: simple readers know no
    // bare declaration.
    yield `        ${declaration} = [] (\n            ${metadata}\n        )\n`;
  }
  yield `        ${declaration}.timeSamples = {\n`;
  for (const [i, timed] of frames.entries()) {
    const text = write(timed);
    if (text !== undefined) yield `            ${codes[i]}: ${text},\n`;
  }
  yield '        }\n';
}

/** Names of the surfaces that any frame consists of. */
function listPartNames(frames: readonly TimedFrame[]): string[] {
  return [...new Set(frames.flatMap(({ frame }) => (frame.parts ?? []).map(({ name }) => name)))];
}

function openSubset(primName: string): string {
  return [
    `        def GeomSubset "${primName}"`,
    '        {',
    '            uniform token elementType = "face"',
    '            uniform token familyName = "parts"',
    '',
  ].join('\n');
}

function writePartFaces({ frame }: TimedFrame, name: string): string {
  const part = listPartFaces(frame).find((p) => p.name === name);
  return `[${part?.face.join(', ') ?? ''}]`;
}

function writeSolids(solids: readonly SolidTrack[], frames: readonly TimedFrame[], fps: number): string {
  const names = new Set<string>();
  const meshes = solids.map((solid) => {
    const name = chooseName(solid.name, names);
    names.add(name);
    return writeSolid(solid, name, frames, fps);
  });
  return ['    def Xform "solids"', '    {', ...meshes, '    }', ''].join('\n');
}

function writeSolid(
  { name, mesh, motion }: SolidTrack,
  primName: string,
  frames: readonly TimedFrame[],
  fps: number,
): string {
  const lines = [
    `def Mesh "${primName}" (`,
    `    displayName = ${JSON.stringify(name.replace(/\p{Cc}/gu, ' '))}`,
    ')',
    '{',
    '    uniform token subdivisionScheme = "none"',
    '    uniform token orientation = "rightHanded"',
    `    float3[] extent = ${writeExtent(mesh.position, mesh.vertexCount)}`,
    `    point3f[] points = ${writeVectors(mesh.position, mesh.vertexCount)}`,
    `    int[] faceVertexCounts = ${writeCounts(mesh.triangleCount)}`,
    `    int[] faceVertexIndices = [${mesh.triangle.subarray(0, 3 * mesh.triangleCount).join(', ')}]`,
    `    normal3f[] normals = ${writeVectors(buildCornerNormals(mesh), 3 * mesh.triangleCount)} (`,
    '        interpolation = "faceVarying"',
    '    )',
  ];
  if (motion) {
    const poses = listPoses(motion, frames).map(({ time, rotation: [x, y, z, w], translation }) => ({
      code: toTimeCode(time, fps),
      orient: `(${[w, x, y, z].map(showFloat).join(', ')})`,
      translate: `(${translation.join(', ')})`,
    }));
    lines.push(
      '    double3 xformOp:translate.timeSamples = {',
      ...poses.map(({ code, translate }) => `        ${code}: ${translate},`),
      '    }',
      '    quatf xformOp:orient.timeSamples = {',
      ...poses.map(({ code, orient }) => `        ${code}: ${orient},`),
      '    }',
      '    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]',
    );
  }
  return [...lines, '}'].map((line) => `        ${line}`).join('\n');
}

/** An identifier of USD that is not taken yet. */
function chooseName(name: string, taken: ReadonlySet<string>): string {
  const base = name.replace(/\W/g, '_').replace(/^(?=\d|$)/, '_');
  let chosen = base;
  for (let i = 2; taken.has(chosen); i++) chosen = `${base}_${i}`;
  return chosen;
}

/** Rounded to a millionth of a frame, so that 3 * (1/30) s is frame 3. */
function toTimeCode(time: number, fps: number): number {
  return Math.round(time * fps * 1e6) / 1e6;
}

const GEOMETRY: Attribute[] = [
  {
    declaration: 'float3[] extent',
    metadata: '',
    write: ({ frame }) => writeExtent(frame.mesh.position, frame.mesh.vertexCount),
  },
  {
    declaration: 'point3f[] points',
    metadata: '',
    write: ({ frame }) => writeVectors(frame.mesh.position, frame.mesh.vertexCount),
  },
  {
    declaration: 'int[] faceVertexCounts',
    metadata: '',
    write: ({ frame }) => writeCounts(frame.mesh.triangleCount),
  },
  {
    declaration: 'int[] faceVertexIndices',
    metadata: '',
    write: ({ frame }) => `[${frame.mesh.triangle.subarray(0, 3 * frame.mesh.triangleCount).join(', ')}]`,
  },
];

/** Where particles are; frames that kept none have no sample. */
const POINTS: Attribute[] = [
  {
    declaration: 'float3[] extent',
    metadata: '',
    write: ({ particles }) => particles && writeExtent(particles.position, particles.count),
  },
  {
    declaration: 'point3f[] points',
    metadata: '',
    write: ({ particles }) => particles && writeVectors(particles.position, particles.count),
  },
  {
    declaration: 'float[] widths',
    metadata: 'interpolation = "vertex"',
    write: ({ particles }) => {
      const radius = particles?.fields['radius'];
      return radius && writeField({ ...radius, values: radius.values.map((r) => 2 * r) }, particles.count);
    },
  },
];

function listParticleAttributes(frames: readonly TimedFrame[]): Attribute[] {
  const names = new Set(frames.flatMap(({ particles }) => Object.keys(particles?.fields ?? {})));
  names.delete('radius');
  return [...names].map((name) => {
    const field = frames.map(({ particles }) => particles?.fields[name]).find((f) => f !== undefined)!;
    const isVelocity = name === 'velocity' && field.components === 3;
    return {
      declaration: isVelocity
        ? 'vector3f[] velocities'
        : `${toUsdType(field)} primvars:${name.replace(/\W/g, '_').replace(/^(?=\d)/, '_')}`,
      metadata: isVelocity ? '' : 'interpolation = "vertex"',
      write: ({ particles }) => {
        const values = particles?.fields[name];
        return values && writeField(values, particles.count);
      },
    };
  });
}

/** Attributes for every field that any frame has. */
function listFieldAttributes(frames: readonly TimedFrame[]): Attribute[] {
  const attributes: Attribute[] = [];
  for (const kind of ['vertexFields', 'faceFields'] as const) {
    const names = new Set(frames.flatMap(({ frame }) => Object.keys(frame[kind])));
    for (const name of names) {
      const field = frames.map(({ frame }) => frame[kind][name]).find((f) => f !== undefined)!;
      const isVelocity = kind === 'vertexFields' && name === 'velocity' && field.components === 3;
      const interpolation = `interpolation = "${kind === 'vertexFields' ? 'vertex' : 'uniform'}"`;
      attributes.push({
        declaration: isVelocity
          ? 'vector3f[] velocities'
          : `${toUsdType(field)} primvars:${name.replace(/\W/g, '_').replace(/^(?=\d)/, '_')}`,
        metadata: isVelocity ? '' : interpolation,
        write: ({ frame }) => {
          const values = frame[kind][name];
          const count = kind === 'vertexFields' ? frame.mesh.vertexCount : frame.mesh.triangleCount;
          return values && writeField(values, count);
        },
      });
    }
  }
  return attributes;
}

function writeExtent(position: Float64Array, vertexCount: number): string {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < 3 * vertexCount; i++) {
    min[i % 3] = Math.min(min[i % 3], position[i]);
    max[i % 3] = Math.max(max[i % 3], position[i]);
  }
  return vertexCount === 0 ? '[]' : writeVectors(Float64Array.of(...min, ...max), 2);
}

function writeCounts(triangleCount: number): string {
  return `[${'3, '.repeat(triangleCount).slice(0, -2)}]`;
}

function toUsdType(field: Field): string {
  const isInt = field.values instanceof Int32Array;
  return `${isInt ? 'int' : 'float'}${field.components === 3 ? '3' : ''}[]`;
}

function writeField(field: Field, count: number): string {
  if (field.components === 3) return writeVectors(field.values, count);
  const { values } = field;
  const words: string[] = [];
  for (let i = 0; i < count; i++) words.push(showFloat(values[i]));
  return `[${words.join(', ')}]`;
}

function writeVectors(values: Field['values'], count: number): string {
  const words: string[] = [];
  for (let i = 0; i < 3 * count; i += 3) {
    words.push(`(${showFloat(values[i])}, ${showFloat(values[i + 1])}, ${showFloat(values[i + 2])})`);
  }
  return `[${words.join(', ')}]`;
}
