/**
 * The scene's solids, drawn from the scene file's own shapes. Simple shapes become their exact geometry; meshes are read;
 * intersections and differences become a contour of the library's implicit field (contour-shape.ts). Solids that move
 * are built at rest and carried along by `poseSolids`.
 */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  type Color,
  CylinderGeometry,
  DoubleSide,
  Group,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import type { RigidMotion } from '../../../src/geometry/rigid-motion.ts';
import { readTriMesh } from '../../../src/io/read-trimesh.ts';
import { buildMeshShape } from '../../../src/scene/mesh-file.ts';
import { buildMotion } from '../../../src/scene/motion.ts';
import type { MotionSpec, ShapeSpec, TransformSpec } from '../../../src/scene/schema.ts';
import { buildShape as buildField } from '../../../src/scene/shapes.ts';
import type { Vec3 } from '../data/types.ts';
import { contourShape } from './contour-shape.ts';

export interface SolidsResult {
  readonly group: Group;
  /** Solids that could not be drawn, and why. */
  readonly notes: readonly string[];
}

/** Reads a file that came with the scene. */
type ReadFile = (path: string) => Promise<Uint8Array>;

type Domain = { readonly min: Vec3; readonly max: Vec3 };

/** Stone for solids; `opacity` below 1 makes glass, for liquids that have not begun to flow. */
export function createShapeMaterial(color: Color, opacity = 1): MeshStandardMaterial {
  const transparent = opacity < 1;
  return new MeshStandardMaterial({
    color,
    roughness: 0.65,
    metalness: 0,
    side: DoubleSide,
    transparent,
    opacity,
  });
}

/** Everything in the list that has a shape: solids, or liquids before the start. */
export async function buildSolids(
  solids: readonly unknown[],
  domain: Domain,
  material: MeshStandardMaterial,
  readFile: ReadFile,
): Promise<SolidsResult> {
  const group = new Group();
  const notes: string[] = [];
  for (const [i, solid] of solids.entries()) {
    const { name, shape, motion } = solid as { name?: string; shape?: ShapeSpec; motion?: MotionSpec };
    try {
      if (!shape) throw new Error('it has no shape');
      const object = await buildObject(shape, domain, material, readFile);
      group.add(carry(object, motion));
    } catch (error) {
      notes.push(`solid ${name ?? i + 1} is not drawn: ${(error as Error).message}`);
    }
  }
  poseSolids(group, 0);
  return { group, notes };
}

/** The object itself, or what carries it along a motion. */
export function carry<T extends Object3D>(object: T, motion: MotionSpec | undefined): T | Group {
  return motion ? new MovingSolid(buildMotion(motion)).add(object) : object;
}

/** What is in it stands where the motion has carried it. */
class MovingSolid extends Group {
  constructor(readonly motion: RigidMotion) {
    super();
    this.matrixAutoUpdate = false;
  }

  moveTo(time: number): void {
    const { rotation: r, translation: t } = this.motion.poseAt(time);
    this.matrix.set(r[0], r[1], r[2], t[0], r[3], r[4], r[5], t[1], r[6], r[7], r[8], t[2], 0, 0, 0, 1);
    this.matrixWorldNeedsUpdate = true;
  }
}

/** Moves everything that moves to where it is at a time; false where nothing does. */
export function poseSolids(group: Group, time: number): boolean {
  const moving = group.children.filter((child) => child instanceof MovingSolid);
  for (const solid of moving) solid.moveTo(time);
  return moving.length > 0;
}

async function buildObject(
  spec: ShapeSpec,
  domain: Domain,
  material: MeshStandardMaterial,
  readFile: ReadFile,
): Promise<Object3D> {
  const group = new Group();
  if (spec.type === 'union') {
    for (const child of spec.shapes) group.add(await buildObject(child, domain, material, readFile));
    applyTransform(group, spec.transform);
    return group;
  }
  if (spec.type === 'mesh') {
    group.add(addShadows(new Mesh(await readGeometry(spec.file, readFile), material)));
    applyTransform(group, spec.transform);
    return group;
  }
  if (spec.type === 'intersection' || spec.type === 'difference') {
    const loadMesh = async (file: string) => buildMeshShape(await readFile(file), file);
    const field = await buildField(spec, [], loadMesh, (_path, error) => {
      throw error;
    });
    if (!field) throw new Error('its shape cannot be built');
    return addShadows(new Mesh(contourShape(field, domain), material));
  }
  const mesh = addShadows(new Mesh(buildGeometry(spec as Primitive, domain), material));
  place(mesh, spec as Primitive);
  group.add(mesh);
  applyTransform(group, spec.transform);
  return group;
}

async function readGeometry(file: string, readFile: ReadFile): Promise<BufferGeometry> {
  const mesh = readTriMesh(await readFile(file), file);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(mesh.position), 3));
  geometry.setIndex(new BufferAttribute(Uint32Array.from(mesh.triangle), 1));
  geometry.computeVertexNormals();
  return geometry;
}

function addShadows<T extends Mesh>(mesh: T): T {
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

type Primitive = Exclude<ShapeSpec, { type: 'union' | 'intersection' | 'difference' | 'mesh' }>;

function buildGeometry(spec: Primitive, domain: Domain): BufferGeometry {
  switch (spec.type) {
    case 'box':
      return new BoxGeometry(spec.max[0] - spec.min[0], spec.max[1] - spec.min[1], spec.max[2] - spec.min[2]);
    case 'sphere':
      return new SphereGeometry(spec.radius, 64, 32);
    case 'ellipsoid':
      return new SphereGeometry(1, 64, 32).scale(...spec.radii);
    case 'cylinder':
      return new CylinderGeometry(spec.radius, spec.radius, distance(spec.from, spec.to), 64);
    case 'capsule':
      return new CapsuleGeometry(spec.radius, distance(spec.from, spec.to), 16, 48);
    case 'torus':
      return new TorusGeometry(spec.major, spec.minor, 32, 96);
    case 'halfspace': {
      const size = distance(domain.min, domain.max);
      return new PlaneGeometry(size, size);
    }
  }
}

/** Moves the geometry, which three.js builds about the origin, to where the scene puts the shape. */
function place(mesh: Mesh, spec: Primitive): void {
  switch (spec.type) {
    case 'box':
      mesh.position.set(...middle(spec.min, spec.max));
      break;
    case 'sphere':
    case 'ellipsoid':
      mesh.position.set(...spec.centre);
      break;
    case 'cylinder':
    case 'capsule':
      mesh.position.set(...middle(spec.from, spec.to));
      mesh.quaternion.copy(turn([0, 1, 0], subtract(spec.to, spec.from)));
      break;
    case 'torus':
      mesh.position.set(...spec.centre);
      mesh.quaternion.copy(turn([0, 0, 1], spec.axis ?? [0, 0, 1]));
      break;
    case 'halfspace':
      mesh.position.set(...spec.point);
      mesh.quaternion.copy(turn([0, 0, 1], spec.normal));
      break;
  }
}

function applyTransform(object: Object3D, transform: TransformSpec | undefined): void {
  if (!transform) return;
  const matrix = new Matrix4();
  if (transform.scale) matrix.makeScale(transform.scale, transform.scale, transform.scale);
  if (transform.rotate) {
    const axis = new Vector3(...transform.rotate.axis).normalize();
    matrix.premultiply(new Matrix4().makeRotationAxis(axis, (transform.rotate.degrees * Math.PI) / 180));
  }
  if (transform.translate) matrix.premultiply(new Matrix4().makeTranslation(...transform.translate));
  object.applyMatrix4(matrix);
}

type Point = [number, number, number];
const distance = (a: Vec3, b: Vec3): number => Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
const middle = (a: Vec3, b: Vec3): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
const subtract = (a: Vec3, b: Vec3): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const turn = (from: Vec3, to: Vec3): Quaternion =>
  new Quaternion().setFromUnitVectors(new Vector3(...from).normalize(), new Vector3(...to).normalize());
