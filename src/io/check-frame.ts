/** Whether a frame read from a file can be handed on: ids that are there, numbers that are numbers. Programs that read exports crash on what is not. Cost: linear. */
import { InputError } from '../core/errors.ts';
import { NONE } from '../core/types.ts';
import type { Field, SurfaceFrame, VolumeFrame } from '../mesh/fields.ts';

const REMEDY = 'resume the run from a checkpoint before that frame (--from), or run it anew';

/** Throws an InputError that names the first defect. */
export function validateSurfaceFrame({ mesh, vertexFields, faceFields }: SurfaceFrame, where: string): void {
  const { vertexCount, triangleCount, position, triangle } = mesh;
  validateNumbers('position of vertex', position, 3 * vertexCount, 3, where);
  validateIds('triangle', triangle, 3, vertexCount, where);
  validateFields(vertexFields, 'vertex', vertexCount, where);
  validateFields(faceFields, 'triangle', triangleCount, where);
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
