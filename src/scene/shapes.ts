import { InputError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Box, Metres } from '../core/types.ts';
import type { Implicit } from '../geometry/implicit.ts';
import {
  box,
  capsule,
  cylinder,
  difference,
  ellipsoid,
  halfSpace,
  intersection,
  rotate,
  scale,
  sphere,
  torus,
  translate,
  union,
} from '../geometry/shapes.ts';
import type { Path } from './document.ts';
import type { ShapeSpec, TransformSpec } from './schema.ts';

/**
 * Reads a mesh file into its distance field; throws InputError when it is missing or not a closed surface.
 */
export type MeshLoader = (file: string) => Promise<Implicit>;

/** Told of everything wrong with a shape: its path in the scene, and the error. */
export type ReportProblem = (path: Path, error: InputError) => void;

/** Builds the field of a shape. Returns undefined after reporting what is wrong with it. */
export async function buildShape(
  spec: ShapeSpec,
  path: Path,
  loadMesh: MeshLoader,
  report: ReportProblem,
): Promise<Implicit | undefined> {
  const parts = async (specs: readonly ShapeSpec[], key: string) => {
    const built: (Implicit | undefined)[] = [];
    for (let i = 0; i < specs.length; i++)
      built.push(await buildShape(specs[i], [...path, key, i], loadMesh, report));
    return built.every((s) => s !== undefined) ? (built as Implicit[]) : undefined;
  };
  try {
    switch (spec.type) {
      case 'mesh':
        return move(await loadMesh(spec.file), spec.transform);
      case 'union':
      case 'intersection': {
        const shapes = await parts(spec.shapes, 'shapes');
        if (!shapes) return undefined;
        return move(spec.type === 'union' ? union(...shapes) : intersection(...shapes), spec.transform);
      }
      case 'difference': {
        const from = await buildShape(spec.from, [...path, 'from'], loadMesh, report);
        const minus = await parts(spec.minus, 'minus');
        return from && minus && move(difference(from, ...minus), spec.transform);
      }
      default:
        return move(buildPrimitive(spec), spec.transform);
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    report(spec.type === 'mesh' ? [...path, 'file'] : path, error);
    return undefined;
  }
}

/**
 * The parts of a union, nested ones included, each where the union's transforms put it; of another shape,
 * itself; none after reporting a problem.
 */
export async function buildParts(
  spec: ShapeSpec,
  path: Path,
  loadMesh: MeshLoader,
  report: ReportProblem,
): Promise<Implicit[]> {
  if (spec.type !== 'union') {
    const shape = await buildShape(spec, path, loadMesh, report);
    return shape ? [shape] : [];
  }
  const parts: Implicit[][] = [];
  for (let i = 0; i < spec.shapes.length; i++)
    parts.push(await buildParts(spec.shapes[i], [...path, 'shapes', i], loadMesh, report));
  if (parts.some((p) => p.length === 0)) return [];
  return parts.flat().map((part) => move(part, spec.transform));
}

type Primitive = Exclude<ShapeSpec, { type: 'mesh' | 'union' | 'intersection' | 'difference' }>;

function buildPrimitive(spec: Primitive): Implicit {
  switch (spec.type) {
    case 'box':
      return box(spec.min, spec.max);
    case 'sphere':
      return sphere(spec.centre, spec.radius);
    case 'ellipsoid':
      return ellipsoid(spec.centre, spec.radii);
    case 'cylinder':
      return cylinder(spec.from, spec.to, spec.radius);
    case 'capsule':
      return capsule(spec.from, spec.to, spec.radius);
    case 'torus':
      return torus(spec.centre, spec.axis, spec.major, spec.minor);
    case 'halfspace':
      return halfSpace(spec.point, spec.normal);
  }
}

function move(shape: Implicit, transform: TransformSpec | undefined): Implicit {
  let moved = shape;
  if (transform?.scale !== undefined) moved = scale(moved, transform.scale);
  if (transform?.rotate)
    moved = rotate(moved, transform.rotate.axis, (transform.rotate.degrees * Math.PI) / 180);
  if (transform?.translate) moved = translate(moved, transform.translate);
  return moved;
}

/**
 * Whether the field is positive anywhere in the box, searched down to cells of `size`. The field is
 * 1-Lipschitz, so a cell whose centre is further outside than its half diagonal holds nothing: nothing is
 * missed that is thicker than a cell. Cost: the cells along the boundary, up to a limit, beyond which the
 * answer is yes.
 */
export function hasRoom(field: Implicit, { min, max }: Box, size: Metres): boolean {
  const low = min.map((x, i) => Math.max(x, field.bounds.min[i]));
  const high = max.map((x, i) => Math.min(x, field.bounds.max[i]));
  if (low.some((x, i) => !(x < high[i]))) return false;
  const queue = [[low, high]];
  for (let looked = 0; queue.length > 0; looked++) {
    if (looked >= LIMITS.roomCells) return true;
    const [lo, hi] = queue.pop()!;
    const centre = lo.map((x, i) => (x + hi[i]) / 2);
    const value = field.value(centre[0], centre[1], centre[2]);
    if (value > 0) return true;
    const extent = lo.map((x, i) => hi[i] - x);
    if (value < -0.5 * Math.hypot(...extent)) continue;
    const longest = extent.indexOf(Math.max(...extent));
    if (extent[longest] <= size) continue;
    const cut = (corner: number[]) => corner.map((x, i) => (i === longest ? centre[i] : x));
    queue.push([cut(lo), hi], [lo, cut(hi)]);
  }
  return false;
}

/** Every mesh file a shape names, with its path; `rename` may give it another name in a copy of the scene. */
export function renameMeshFiles<T>(value: T, rename: (file: string) => string): T {
  if (Array.isArray(value)) return value.map((v) => renameMeshFiles(v, rename)) as T;
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, v]) => [key, renameMeshFiles(v, rename)]),
  ) as Record<string, unknown>;
  if (copy['type'] === 'mesh' && typeof copy['file'] === 'string') copy['file'] = rename(copy['file']);
  return copy as T;
}
