/**
 * Whether a frame read from a file can be handed on: ids that are there, numbers that are numbers. Programs
 * that read exports crash on what is not. Cost: linear.
 */
import { InputError } from '../core/errors.ts';
import { NONE } from '../core/types.ts';
import type { Field, ParticleFrame, SurfaceFrame, SurfacePart, VolumeFrame } from '../mesh/fields.ts';

const REMEDY = 'resume the run from a checkpoint before that frame (--from), or run it anew';

/** Throws an InputError that names the first defect. */
export function validateSurfaceFrame(
  { mesh, vertexFields, faceFields, parts }: SurfaceFrame,
  where: string,
): void {
  const { vertexCount, triangleCount, position, triangle } = mesh;
  validateNumbers('position of vertex', position, 3 * vertexCount, 3, where);
  validateIds('triangle', triangle, 3, vertexCount, where);
  validateFields(vertexFields, 'vertex', vertexCount, where);
  validateFields(faceFields, 'triangle', triangleCount, where);
  if (parts) validateParts(faceFields['part'], parts, where);
}

/** Every face belongs to a surface that has a name. */
function validateParts(field: Field | undefined, parts: readonly SurfacePart[], where: string): void {
  if (field?.components !== 1)
    throw new InputError(where, `${parts.length} surfaces are named, and faces have no field part`, REMEDY);
  const known = new Set(parts.map(({ label }) => label));
  if (known.size < parts.length)
    throw new InputError(where, `${parts.length} surfaces are named by ${known.size} labels`, REMEDY);
  const stray = field.values.findIndex((label) => !known.has(label));
  if (stray >= 0)
    throw new InputError(
      where,
      `triangle ${stray} is of part ${field.values[stray]}, which has no name`,
      REMEDY,
    );
}

/** Particles must have a velocity, and a radius that is one. */
export function validateParticleFrame({ count, position, fields }: ParticleFrame, where: string): void {
  validateNumbers('position of particle', position, 3 * count, 3, where);
  validateFields(fields, 'particle', count, where);
  for (const [name, components] of [
    ['velocity', 3],
    ['radius', 1],
  ] as const)
    if (fields[name]?.components !== components)
      throw new InputError(where, `the particles have no ${name}`, REMEDY);
  const bad = fields['radius'].values.findIndex((r) => !(r >= 0));
  if (bad >= 0)
    throw new InputError(where, `the radius of particle ${bad} is ${fields['radius'].values[bad]} m`, REMEDY);
}

export function validateVolumeFrame({ mesh, vertexFields, cellFields }: VolumeFrame, where: string): void {
  const { vertexCount, tetCount, position, tet } = mesh;
  validateNumbers('position of vertex', position, 3 * vertexCount, 3, where);
  validateIds('tetrahedron', tet, 4, vertexCount, where);
  validateFields(vertexFields, 'vertex', vertexCount, where);
  validateFields(cellFields, 'tetrahedron', tetCount, where);
}

/** Corners of elements must be vertices. */
export function validateIds(
  kind: string,
  corner: ArrayLike<number>,
  perElement: number,
  vertexCount: number,
  where: string,
): void {
  for (let c = 0; c < corner.length; c++) {
    if (corner[c] >= 0 && corner[c] < vertexCount) continue;
    throw new InputError(
      where,
      `${kind} ${Math.floor(c / perElement)} has the corner ${corner[c]}, and there are ${vertexCount} vertices`,
      REMEDY,
    );
  }
}

function validateFields(
  fields: Readonly<Record<string, Field>>,
  kind: string,
  count: number,
  where: string,
): void {
  for (const [name, { components, values }] of Object.entries(fields))
    validateNumbers(`${name} of ${kind}`, values, components * count, components, where);
}

function validateNumbers(
  what: string,
  values: ArrayLike<number>,
  length: number,
  perElement: number,
  where: string,
): void {
  if (values.length !== length)
    throw new InputError(where, `${values.length} numbers for the ${what}, expected ${length}`, REMEDY);
  const at = findNonFinite(values);
  if (at === NONE) return;
  throw new InputError(where, `the ${what} ${Math.floor(at / perElement)} is ${values[at]}`, REMEDY);
}

function findNonFinite(values: ArrayLike<number>): number {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return i;
  return NONE;
}
