/**
 * Bubbles below the resolution. A front that rolls over a floor encloses air in single cells. There is no air
 * in the method that could keep them open, no tet resolves them, and in thick liquid they would stay for
 * ever: they are filled, and the piece around them keeps its volume by its target.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import type { Contour } from '../../tracking/contouring/contour.ts';
import { labelParts, triangleVolume } from '../../tracking/contouring/pieces.ts';
import { floodNodes, type SignField } from '../../tracking/contouring/signs.ts';
import type { TrackedSurface } from '../../tracking/contouring/surface.ts';

/** Volume of air that is filled, in contouring cells: one of the mesh. */
const MOST_CELLS = 8;

/** The contour without its smallest bubbles; the signs in them change in place. */
export function fillBubbles(contour: Contour, scope: HeapScope): Contour & { readonly filled: number } {
  const { surface, signs } = contour;
  const { vertexCount, triangleCount, triangle } = surface;
  const root = labelParts(surface);
  const volume = new Float64Array(vertexCount);
  for (let f = 0; f < triangleCount; f++) volume[root[triangle[3 * f]]] += triangleVolume(surface, f);
  const most = MOST_CELLS * signs.grid.spacing ** 3;
  const goes = new Uint8Array(vertexCount);
  let filled = 0;
  for (let v = 0; v < vertexCount; v++) {
    if (volume[root[v]] >= 0 || volume[root[v]] < -most) continue;
    goes[v] = 1;
    if (root[v] === v) filled++;
    fillAround(signs, surface.position, v);
  }
  return filled === 0
    ? { ...contour, filled }
    : { ...contour, surface: keepRest(surface, goes, scope), filled };
}

/**
 * Turns the air nodes at the ends of a bubble vertex's cell edge into liquid, and those that hang together
 * with them.
 */
function fillAround({ grid, slotSign }: SignField, position: Float64Array, v: number): void {
  floodNodes(grid, position, [v], (slot) => {
    if (slotSign[slot] !== -1) return false;
    slotSign[slot] = 1;
    return true;
  });
}

/** The part of a surface whose vertices are not marked. */
function keepRest(surface: TrackedSurface, goes: Uint8Array, scope: HeapScope): TrackedSurface {
  const newId = new Int32Array(surface.vertexCount).fill(NONE);
  let vertexCount = 0;
  for (let v = 0; v < surface.vertexCount; v++) if (goes[v] === 0) newId[v] = vertexCount++;
  const position = scope.f64(3 * vertexCount);
  for (let v = 0; v < surface.vertexCount; v++)
    if (newId[v] !== NONE) position.set(surface.position.subarray(3 * v, 3 * v + 3), 3 * newId[v]);
  let triangleCount = 0;
  for (let f = 0; f < surface.triangleCount; f++)
    if (newId[surface.triangle[3 * f]] !== NONE) triangleCount++;
  const triangle = scope.i32(3 * triangleCount);
  const wall = scope.u8(triangleCount);
  for (let f = 0, n = 0; f < surface.triangleCount; f++) {
    if (newId[surface.triangle[3 * f]] === NONE) continue;
    for (let i = 0; i < 3; i++) triangle[3 * n + i] = newId[surface.triangle[3 * f + i]];
    wall[n++] = surface.wall[f];
  }
  return { vertexCount, triangleCount, position, triangle, wall };
}
