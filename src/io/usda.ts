/**
 * USD as text (.usda): one animated mesh, `/liquid`, whose points, topology and attributes are time samples, so that vertices may come
 * and go between frames. Velocity becomes the `velocities` of UsdGeomPointBased (motion blur), every other field a primvar
 * of its name: `vertex` interpolation for vertex fields, `uniform` for face fields. Metres; time codes are seconds x fps.
 */
import type { Field } from '../mesh/fields.ts';
import { concatBytes } from './bytes.ts';
import { checkFrames, type TimedFrame } from './frames.ts';

export interface UsdaOptions {
  /** Frames per second; default 24. */
  readonly fps?: number;
  /** Default Y. */
  readonly upAxis?: 'Y' | 'Z';
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
        '    defaultPrim = "liquid"',
        `    startTimeCode = ${codes[0]}`,
        `    endTimeCode = ${codes.at(-1)}`,
        `    timeCodesPerSecond = ${fps}`,
        `    framesPerSecond = ${fps}`,
        '    metersPerUnit = 1',
        `    upAxis = "${options.upAxis ?? 'Y'}"`,
        ')',
        '',
        'def Mesh "liquid"',
        '{',
        '    uniform token subdivisionScheme = "none"',
        '    uniform token orientation = "rightHanded"',
        '',
      ].join('\n'),
    ),
  ];
  for (const attribute of [...GEOMETRY, ...listFieldAttributes(frames)]) {
    if (attribute.metadata) {
      // Metadata hangs on a default value, empty here since every time has a sample: simple readers know no bare declaration.
      const declared = `    ${attribute.declaration} = [] (\n        ${attribute.metadata}\n    )\n`;
      parts.push(encoder.encode(declared));
    }
    parts.push(encoder.encode(`    ${attribute.declaration}.timeSamples = {\n`));
    frames.forEach((timed, i) => {
      const text = attribute.write(timed);
      if (text !== undefined) parts.push(encoder.encode(`        ${codes[i]}: ${text},\n`));
    });
    parts.push(encoder.encode('    }\n'));
  }
  parts.push(encoder.encode('}\n'));
  return concatBytes(parts);
}

/** Rounded to a millionth of a frame, so that 3 * (1/30) s is frame 3. */
function toTimeCode(time: number, fps: number): number {
  return Math.round(time * fps * 1e6) / 1e6;
}

const GEOMETRY: Attribute[] = [
  {
    declaration: 'float3[] extent',
    metadata: '',
    write: ({ frame }) => {
      const { position, vertexCount } = frame.mesh;
      const min = [Infinity, Infinity, Infinity];
      const max = [-Infinity, -Infinity, -Infinity];
      for (let i = 0; i < 3 * vertexCount; i++) {
        min[i % 3] = Math.min(min[i % 3], position[i]);
        max[i % 3] = Math.max(max[i % 3], position[i]);
      }
      return vertexCount === 0 ? '[]' : writeVectors(Float64Array.of(...min, ...max), 2);
    },
  },
  {
    declaration: 'point3f[] points',
    metadata: '',
    write: ({ frame }) => writeVectors(frame.mesh.position, frame.mesh.vertexCount),
  },
  {
    declaration: 'int[] faceVertexCounts',
    metadata: '',
    write: ({ frame }) => `[${'3, '.repeat(frame.mesh.triangleCount).slice(0, -2)}]`,
  },
  {
    declaration: 'int[] faceVertexIndices',
    metadata: '',
    write: ({ frame }) => `[${frame.mesh.triangle.subarray(0, 3 * frame.mesh.triangleCount).join(', ')}]`,
  },
];

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

function toUsdType(field: Field): string {
  const isInt = field.values instanceof Int32Array;
  return `${isInt ? 'int' : 'float'}${field.components === 3 ? '3' : ''}[]`;
}

function writeField(field: Field, count: number): string {
  if (field.components === 3) return writeVectors(field.values, count);
  const { values } = field;
  const words: string[] = [];
  for (let i = 0; i < count; i++) words.push(toFloat(values[i]));
  return `[${words.join(', ')}]`;
}

function writeVectors(values: Field['values'], count: number): string {
  const words: string[] = [];
  for (let i = 0; i < 3 * count; i += 3) {
    words.push(`(${toFloat(values[i])}, ${toFloat(values[i + 1])}, ${toFloat(values[i + 2])})`);
  }
  return `[${words.join(', ')}]`;
}

/** Nine digits: what a float32 needs to read back the same. */
function toFloat(x: number): string {
  if (Number.isInteger(x)) return String(x);
  return String(Number(Math.fround(x).toPrecision(9)));
}
