/**
 * The shapes of a scene as closed triangle surfaces at rest, in metres: simple shapes as their own geometry,
 * meshes as they are in their files, intersections and differences as a contour of the library's implicit
 * field (contour-shape.ts). A union is its parts.
 */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import { readTriMesh } from '../../../src/io/read-trimesh.ts';
import { buildMeshShape } from '../../../src/scene/mesh-file.ts';
import type { ShapeSpec, TransformSpec } from '../../../src/scene/schema.ts';
import { buildShape as buildField } from '../../../src/scene/shapes.ts';
import type { Vec3 } from '../data/types.ts';
import { contourShape } from './contour-shape.ts';

export type Domain = { readonly min: Vec3; readonly max: Vec3 };

/** Reads a file that came with the scene. */
export type ReadFile = (path: string) => Promise<Uint8Array>;

export interface PartOptions {
  readonly domain: Domain;
  readonly readFile: ReadFile;
  /** Triangles that a surface should have at most; files have what they have. */
  readonly triangles: number;
  /**
   * The part of the scene in which contours are looked for: all that a moving shape may bring into the
   * domain.
   */
  readonly reach: Domain;
}

/** Triangles of a sphere in full detail. */
const SPHERE = { triangles: 4096, leastSegments: 8 };
const CONTOUR = {
  /** Cells of a contour along its longest side: 64^3 samples take a few tenths of a second. */
  cells: 64,
  leastCells: 8,
  /** Triangles of a contour for each cell of a side: those of a box. */
  triangles: 12,
};

/** How many surfaces a shape comes to, counted no further than `most`. */
export function countParts(spec: ShapeSpec, most: number): number {
  if (spec.type !== 'union') return 1;
  let count = 0;
  for (const child of spec.shapes) {
    if (count >= most) break;
    count += countParts(child, most - count);
  }
  return count;
}

/** Each with positions, normals and an index. */
export async function buildParts(
  spec: ShapeSpec,
  options: PartOptions,
  outer = new Matrix4(),
): Promise<BufferGeometry[]> {
  const { domain, readFile, triangles } = options;
  const matrix = outer.clone().multiply(buildTransform(spec.transform));
  switch (spec.type) {
    case 'union': {
      const parts: BufferGeometry[] = [];
      for (const child of spec.shapes) parts.push(...(await buildParts(child, options, matrix)));
      return parts;
    }
    case 'mesh':
      return [(await readGeometry(spec.file, readFile)).applyMatrix4(matrix)];
    case 'intersection':
    case 'difference':
      // The field has the shape's own transform in it already.
      return [(await contour(spec, options)).applyMatrix4(outer)];
    case 'halfspace':
      return [buildHalfspace(spec, matrix, domain)];
    default:
      return [
        buildSimple(spec, Math.min(1, Math.sqrt(triangles / SPHERE.triangles))).applyMatrix4(matrix),
      ].map(keepNormals);
  }
}

async function contour(
  spec: ShapeSpec,
  { readFile, triangles, reach }: PartOptions,
): Promise<BufferGeometry> {
  const loadMesh = async (file: string) => buildMeshShape(await readFile(file), file);
  const field = await buildField(spec, [], loadMesh, (_path, error) => {
    throw error;
  });
  if (!field) throw new Error('its shape cannot be built');
  const affordable = Math.round(Math.sqrt(triangles / CONTOUR.triangles));
  return contourShape(field, reach, Math.min(CONTOUR.cells, Math.max(CONTOUR.leastCells, affordable)));
}

async function readGeometry(file: string, readFile: ReadFile): Promise<BufferGeometry> {
  const mesh = readTriMesh(await readFile(file), file);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(mesh.position), 3));
  geometry.setIndex(new BufferAttribute(Uint32Array.from(mesh.triangle), 1));
  geometry.computeVertexNormals();
  return geometry;
}

/**
 * A block under the plane, thick and wide enough to reach past the domain; its rest is cut off with all that
 * is outside.
 */
function buildHalfspace(
  spec: Extract<ShapeSpec, { type: 'halfspace' }>,
  matrix: Matrix4,
  domain: Domain,
): BufferGeometry {
  const normal = new Vector3(...spec.normal).transformDirection(matrix);
  const point = new Vector3(...spec.point).applyMatrix4(matrix);
  const centre = new Vector3(...middle(domain.min, domain.max));
  const height = centre.clone().sub(point).dot(normal);
  const size = 3 * distance(domain.min, domain.max);
  const depth = size + Math.abs(height);
  const top = centre.addScaledVector(normal, -height);
  return keepNormals(
    new BoxGeometry(size, size, depth)
      .translate(0, 0, -depth / 2)
      .applyQuaternion(turn([0, 0, 1], normal.toArray()))
      .translate(top.x, top.y, top.z),
  );
}

type Simple = Exclude<ShapeSpec, { type: 'union' | 'intersection' | 'difference' | 'mesh' | 'halfspace' }>;

/**
 * three.js builds about the origin; moved here to where the scene puts the shape. `detail`: 0..1 of all
 * segments.
 */
function buildSimple(spec: Simple, detail: number): BufferGeometry {
  const segments = (full: number) => Math.max(SPHERE.leastSegments, Math.round(full * detail));
  const half = (full: number) => Math.max(SPHERE.leastSegments / 2, Math.round(full * detail));
  switch (spec.type) {
    case 'box': {
      const size = subtract(spec.max, spec.min);
      return new BoxGeometry(...size).translate(...middle(spec.min, spec.max));
    }
    case 'sphere':
      return new SphereGeometry(spec.radius, segments(64), half(32)).translate(...spec.centre);
    case 'ellipsoid':
      return new SphereGeometry(1, segments(64), half(32)).scale(...spec.radii).translate(...spec.centre);
    case 'cylinder':
    case 'capsule': {
      const length = distance(spec.from, spec.to);
      const upright =
        spec.type === 'cylinder'
          ? new CylinderGeometry(spec.radius, spec.radius, length, segments(64))
          : new CapsuleGeometry(spec.radius, length, half(16), segments(48));
      return upright
        .applyQuaternion(turn([0, 1, 0], subtract(spec.to, spec.from)))
        .translate(...middle(spec.from, spec.to));
    }
    case 'torus':
      return new TorusGeometry(spec.major, spec.minor, segments(32), segments(96))
        .applyQuaternion(turn([0, 0, 1], spec.axis ?? [0, 0, 1]))
        .translate(...spec.centre);
  }
}

/** Nothing else is drawn, and geometries that are joined must carry the same. */
function keepNormals(geometry: BufferGeometry): BufferGeometry {
  geometry.deleteAttribute('uv');
  geometry.clearGroups();
  return geometry;
}

function buildTransform(transform: TransformSpec | undefined): Matrix4 {
  const matrix = new Matrix4();
  if (transform?.scale) matrix.makeScale(transform.scale, transform.scale, transform.scale);
  if (transform?.rotate) {
    const axis = new Vector3(...transform.rotate.axis).normalize();
    matrix.premultiply(new Matrix4().makeRotationAxis(axis, (transform.rotate.degrees * Math.PI) / 180));
  }
  if (transform?.translate) matrix.premultiply(new Matrix4().makeTranslation(...transform.translate));
  return matrix;
}

type Point = [number, number, number];
const distance = (a: Vec3, b: Vec3): number => Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
const middle = (a: Vec3, b: Vec3): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
const subtract = (a: Vec3, b: Vec3): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const turn = (from: Vec3, to: Vec3): Quaternion =>
  new Quaternion().setFromUnitVectors(new Vector3(...from).normalize(), new Vector3(...to).normalize());
