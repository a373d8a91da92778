/**
 * The tracked surface where the liquid leaves a wall: its wall triangles there become free, so that the flow
 * carries them off and air comes in between. A triangle goes with the wall face of the mesh that is nearest
 * to it.
 */
import type { TrackedSurface } from '../../tracking/contouring/surface.ts';
import type { LiquidModel } from '../liquid/model.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';
import { WALL } from '../pressure/pressure.ts';

/** faceKind: as contact.ts leaves it. Changes surface.wall; returns how many triangles became free. */
export function freeOpenedTriangles(
  { lattice }: LiquidModel,
  { mesh, topology }: MeshParts,
  faceKind: Uint8Array,
  opened: Int32Array,
  outSurface: TrackedSurface,
): number {
  if (opened.length === 0) return 0;
  const { faceVertex } = topology;
  const { origin, size } = lattice;
  const [nx, ny] = lattice.cells;
  const cellOf = (x: number, y: number, z: number): number =>
    Math.floor((x - origin[0]) / size) +
    1 +
    (nx + 2) * (Math.floor((y - origin[1]) / size) + 1 + (ny + 2) * (Math.floor((z - origin[2]) / size) + 1));
  const steps: number[] = [];
  for (let k = -1; k <= 1; k++)
    for (let j = -1; j <= 1; j++) for (let i = -1; i <= 1; i++) steps.push(i + (nx + 2) * (j + (ny + 2) * k));
  const isOpened = new Set(opened);
  // Only cells around opened faces can matter.
  const near = new Set<number>();
  const middle = (position: Float64Array, a: number, b: number, c: number): [number, number, number] => [
    (position[3 * a] + position[3 * b] + position[3 * c]) / 3,
    (position[3 * a + 1] + position[3 * b + 1] + position[3 * c + 1]) / 3,
    (position[3 * a + 2] + position[3 * b + 2] + position[3 * c + 2]) / 3,
  ];
  const middleOfFace = (f: number) =>
    middle(mesh.position, faceVertex[3 * f], faceVertex[3 * f + 1], faceVertex[3 * f + 2]);
  for (const f of opened) {
    const cell = cellOf(...middleOfFace(f));
    for (const step of steps) near.add(cell + step);
  }
  const faces = new Map<number, number[]>();
  for (let f = 0; f < faceKind.length; f++) {
    if (faceKind[f] !== WALL && !isOpened.has(f)) continue;
    const cell = cellOf(...middleOfFace(f));
    if (!near.has(cell)) continue;
    const list = faces.get(cell);
    if (list) list.push(f);
    else faces.set(cell, [f]);
  }
  const { position, triangle, wall } = outSurface;
  let freed = 0;
  for (let t = 0; t < outSurface.triangleCount; t++) {
    if (wall[t] === 0) continue;
    const [x, y, z] = middle(position, triangle[3 * t], triangle[3 * t + 1], triangle[3 * t + 2]);
    const cell = cellOf(x, y, z);
    if (!near.has(cell)) continue;
    let best = Number.POSITIVE_INFINITY;
    let open = false;
    for (const step of steps)
      for (const f of faces.get(cell + step) ?? []) {
        const [fx, fy, fz] = middleOfFace(f);
        const distance = (fx - x) ** 2 + (fy - y) ** 2 + (fz - z) ** 2;
        if (distance >= best) continue;
        best = distance;
        open = isOpened.has(f);
      }
    if (!open) continue;
    wall[t] = 0;
    freed++;
  }
  return freed;
}
