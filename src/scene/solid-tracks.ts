/**
 * The solids of a scene as surfaces with their motions, for exports: exact where the shape is simple, a
 * contour of its field where it is an intersection, a difference or a half-space. What has no end is cut off
 * a little outside the domain.
 */
import { InputError } from '../core/errors.ts';
import type { Box, Vec3 } from '../core/types.ts';
import type { Implicit } from '../geometry/implicit.ts';
import { box, computeRotation, intersection } from '../geometry/shapes.ts';
import type { SolidTrack } from '../io/frames.ts';
import { readTriMesh } from '../io/read-trimesh.ts';
import { contourShape } from '../mesh/contour-shape.ts';
import {
  joinMeshes,
  mapPoints,
  tessellateBox,
  tessellateCapsule,
  tessellateCylinder,
  tessellateEllipsoid,
  tessellateTorus,
} from '../mesh/tessellate.ts';
import type { TriMesh } from '../mesh/trimesh.ts';
import { buildMeshShape } from './mesh-file.ts';
import { buildMotion } from './motion.ts';
import { type ShapeSpec, solidPartsSchema, type TransformSpec } from './schema.ts';
import { buildShape } from './shapes.ts';

export interface SolidTracks {
  readonly tracks: readonly SolidTrack[];
  /** Solids that are left out, and why. */
  readonly notes: readonly string[];
}

/** Reads a mesh file by the name it has in the scene. */
type ReadFile = (file: string) => Promise<Uint8Array>;

/** How far beyond the domain endless shapes reach, in diagonals of it. */
const MARGIN = 0.02;

/** `document`: a scene with its defaults filled in, as `LoadedScene.document` and run.json have it. */
export async function buildSolidTracks(
  document: Record<string, unknown>,
  readFile: ReadFile,
): Promise<SolidTracks> {
  const parsed = solidPartsSchema.safeParse(document);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0];
    throw new InputError(`scene ${path.join('.')}`, message, 'give a scene with its defaults filled in');
  }
  const { solids, domain } = parsed.data;
  const tracks: SolidTrack[] = [];
  const notes: string[] = [];
  for (const [i, { name = `solid ${i + 1}`, shape, motion }] of solids.entries()) {
    try {
      const mesh = await buildSurface(shape, domain as Box, readFile);
      if (mesh.triangleCount === 0) throw new InputError(name, 'it is empty or too thin to be found', '');
      tracks.push({ name, mesh, ...(motion && { motion: buildMotion(motion) }) });
    } catch (error) {
      const reason = error instanceof InputError ? error.what : (error as Error).message;
      notes.push(`solid ${name} is left out: ${reason}`);
    }
  }
  return { tracks, notes };
}

async function buildSurface(spec: ShapeSpec, domain: Box, readFile: ReadFile): Promise<TriMesh> {
  switch (spec.type) {
    case 'union': {
      if (spec.shapes.some(isEndless)) return contourShape(limit(await buildField(spec, readFile), domain));
      const parts: TriMesh[] = [];
      for (const part of spec.shapes) parts.push(await buildSurface(part, domain, readFile));
      return place(joinMeshes(parts), spec.transform);
    }
    case 'mesh':
      return place(readTriMesh(await readFile(spec.file), spec.file), spec.transform);
    case 'intersection':
    case 'difference':
    case 'halfspace':
      return contourShape(limit(await buildField(spec, readFile), domain));
    case 'box':
      return place(tessellateBox(spec.min, spec.max), spec.transform);
    case 'sphere':
      return place(tessellateEllipsoid(spec.centre, [spec.radius, spec.radius, spec.radius]), spec.transform);
    case 'ellipsoid':
      return place(tessellateEllipsoid(spec.centre, spec.radii), spec.transform);
    case 'cylinder':
      return place(tessellateCylinder(spec.from, spec.to, spec.radius), spec.transform);
    case 'capsule':
      return place(tessellateCapsule(spec.from, spec.to, spec.radius), spec.transform);
    case 'torus':
      return place(tessellateTorus(spec.centre, spec.axis, spec.major, spec.minor), spec.transform);
  }
}

/**
 * Whether a part of it may have no end; then the whole is contoured where the domain is, after all
 * transforms.
 */
function isEndless(spec: ShapeSpec): boolean {
  if (spec.type === 'union' || spec.type === 'intersection') return spec.shapes.some(isEndless);
  if (spec.type === 'difference') return isEndless(spec.from);
  return spec.type === 'halfspace';
}

async function buildField(spec: ShapeSpec, readFile: ReadFile): Promise<Implicit> {
  const loadMesh = async (file: string) => buildMeshShape(await readFile(file), file);
  const field = await buildShape(spec, [], loadMesh, (_path, error) => {
    throw error;
  });
  return field!;
}

/** The shape itself where it has an end, else its part in and close around the domain. */
function limit(shape: Implicit, { min, max }: Box): Implicit {
  if ([...shape.bounds.min, ...shape.bounds.max].every(Number.isFinite)) return shape;
  const margin = MARGIN * Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const grow = (corner: Vec3, by: number): Vec3 => [corner[0] + by, corner[1] + by, corner[2] + by];
  return intersection(shape, box(grow(min, -margin), grow(max, margin)));
}

/** Scaled, turned and moved, in that order: as the fields of shapes are (shapes.ts). */
function place(mesh: TriMesh, transform: TransformSpec | undefined): TriMesh {
  if (!transform) return mesh;
  const { scale = 1, rotate, translate = [0, 0, 0] } = transform;
  const r = rotate
    ? computeRotation(rotate.axis, (rotate.degrees * Math.PI) / 180)
    : [1, 0, 0, 0, 1, 0, 0, 0, 1];
  return mapPoints(mesh, ([x, y, z]) => [
    scale * (r[0] * x + r[1] * y + r[2] * z) + translate[0],
    scale * (r[3] * x + r[4] * y + r[5] * z) + translate[1],
    scale * (r[6] * x + r[7] * y + r[8] * z) + translate[2],
  ]);
}
