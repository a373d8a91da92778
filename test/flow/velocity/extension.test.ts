/** Velocity beyond the liquid: what carries on exactly, how far it reaches, and what it never exceeds. */
import { describe, expect, it } from 'vitest';
import { NONE, type Vec3 } from '../../../src/core/types.ts';
import { buildExtension, type VelocityExtension } from '../../../src/flow/velocity/extension.ts';
import { sphere } from '../../../src/geometry/shapes.ts';
import { BlockGrid } from '../../../src/tracking/contouring/block-grid.ts';
import { heap, startScene, threads } from '../../methods/lattice/scenes.ts';

const CELL = 0.1;
const LAYERS = 4;
const CENTRE: Vec3 = [0.8, 0.81, 0.79];
const RADIUS = 0.33;
const ball = startScene({
  domain: [
    [0, 0, 0],
    [1.6, 1.6, 1.6],
  ],
  resolution: CELL,
  liquids: [sphere(CENTRE, RADIUS)],
});

function extend(field: (x: number, y: number, z: number) => Vec3, layers = LAYERS): VelocityExtension {
  const { mesh } = ball.state;
  const velocity = heap.scope('test').f64(3 * mesh.vertexCount);
  for (let v = 0; v < mesh.vertexCount; v++) {
    const u = field(mesh.position[3 * v], mesh.position[3 * v + 1], mesh.position[3 * v + 2]);
    velocity.set(u, 3 * v);
  }
  const { extension } = ball.model;
  return buildExtension(mesh, mesh.vertexOnSurface, velocity, extension, layers, threads, heap.scope('test'));
}

/** Calls `visit` with every corner of the grid, its slot (or NONE) and its place. */
function forEachCorner(
  { place, directory }: VelocityExtension,
  visit: (slot: number, x: number, y: number, z: number) => void,
): void {
  const [ox, oy, oz, h, nx, ny, nz] = place;
  const grid = new BlockGrid([ox, oy, oz], h, nx, ny, nz, directory);
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++) visit(grid.findSlot(i, j, k), ox + i * h, oy + j * h, oz + k * h);
}

const outside = (x: number, y: number, z: number) =>
  Math.hypot(x - CENTRE[0], y - CENTRE[1], z - CENTRE[2]) - RADIUS;

describe('velocity extension', () => {
  it('carries a constant on', () => {
    const extension = extend(() => [1.25, -2, 0.5]);
    let known = 0;
    forEachCorner(extension, (slot) => {
      if (slot === NONE || extension.known[slot] === 0) return;
      known++;
      const u = Array.from(extension.velocity.subarray(3 * slot, 3 * slot + 3));
      for (const [a, value] of [1.25, -2, 0.5].entries()) expect(u[a]).toBeCloseTo(value, 12);
    });
    expect(known).toBeGreaterThan(1000);
  });

  it('reaches its layers and not much farther', () => {
    const extension = extend(() => [1, 0, 0]);
    forEachCorner(extension, (slot, x, y, z) => {
      const distance = Math.abs(outside(x, y, z)) / CELL;
      const isKnown = slot !== NONE && extension.known[slot] === 1;
      // A layer is a step along a cell's edge, side or space diagonal; the first lies within a cell of the
      // boundary.
      if (distance <= LAYERS - 1) expect(isKnown).toBe(true);
      if (distance > (LAYERS + 1) * Math.sqrt(3)) expect(isKnown).toBe(false);
    });
  });

  it('stays near a linear field, and within its values on the boundary', () => {
    const extension = extend((x, y, z) => [x - 0.8, 2 * (y - 0.8), 0.5 * (x + z - 1.6)]);
    let compared = 0;
    forEachCorner(extension, (slot, x, y, z) => {
      if (slot === NONE || extension.known[slot] === 0) return;
      const u = extension.velocity.subarray(3 * slot, 3 * slot + 3);
      // Means of boundary values: the boundary lies within the ball's radius and a cell of its centre.
      expect(Math.abs(u[0])).toBeLessThanOrEqual(RADIUS + 0.01);
      expect(Math.abs(u[1])).toBeLessThanOrEqual(2 * (RADIUS + 0.01) + 1e-12);
      const distance = outside(x, y, z);
      if (distance < 0) return;
      compared++;
      // Constant along the way out: the gradient times the distance, and a cell for the layers' own width.
      expect(Math.abs(u[0] - (x - 0.8))).toBeLessThanOrEqual(distance + CELL);
      expect(Math.abs(u[1] - 2 * (y - 0.8))).toBeLessThanOrEqual(2 * (distance + CELL));
    });
    expect(compared).toBeGreaterThan(500);
  });

  it('gives a layer the same values whatever follows it', () => {
    const field = (x: number, y: number, z: number): Vec3 => [y * z, x - z, x * y];
    const few = extend(field, 2);
    const many = extend(field, LAYERS);
    const ofMany: number[] = [];
    forEachCorner(many, (slot) => ofMany.push(slot));
    let corner = 0;
    let compared = 0;
    forEachCorner(few, (slot) => {
      const other = ofMany[corner++];
      if (slot === NONE || few.known[slot] === 0) return;
      for (let a = 0; a < 3; a++) expect(many.velocity[3 * other + a]).toBe(few.velocity[3 * slot + a]);
      compared++;
    });
    expect(compared).toBeGreaterThan(500);
  });
});
