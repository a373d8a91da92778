/**
 * Surface tension in the same equations, semi-implicit (Dziuk 1991; Bansch 2001): the force is the exact
 * gradient of the area, and the surface it acts on is where the liquid will be at the end of the step,
 *     f_a = -sigma sum of (d_a . d_c) / A (x_c + dt u_c),      d_a = dA/dx_a = n x (x_c - x_b) / 2.
 * At u = 0 this is -sigma dA/dx_a; the rest is a surface Laplacian, symmetric and positive, which takes away
 * the limit on the step that capillary waves set.
 *
 * Where the surface ends at a wall, the wall pulls on: its wetted area saves sigma cos(theta) per m^2, so
 * that f_a = sigma cos(theta) dA_wall/dx_a. On a flat wall that is nothing but at the contact line. Where
 * liquid wets readily its Laplacian is negative and would not hold steps back; with its absolute value the
 * line slows down in long steps, and rests where it should.
 */
import { NONE } from '../../core/types.ts';
import { CORNER, setEdges } from '../../math/triangle.ts';
import type { ViscousDomain } from './domain.ts';
import type { Equations } from './equations.ts';
import type { SurfaceTension } from './problem.ts';

/** Entry of the matrix at (i, j): columns ascend. */
export function findEntry(rowStart: Int32Array, column: Int32Array, i: number, j: number): number {
  let low = rowStart[i];
  let high = rowStart[i + 1] - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (column[middle] < j) low = middle + 1;
    else high = middle;
  }
  return column[low] === j ? low : NONE;
}

const edges = new Float64Array(CORNER);

/** Gradients of a triangle's area at its corners (3 x 3), 0 where it has none; returns the area. */
export function computeAreaGradients(
  position: Float64Array,
  corners: Int32Array,
  at: number,
  out: Float64Array,
): number {
  const [a, b, c] = [3 * corners[at], 3 * corners[at + 1], 3 * corners[at + 2]];
  setEdges(position, a, b, c, edges);
  const { 0: ux, 1: uy, 2: uz, 3: vx, 4: vy, 5: vz, 6: nx, 7: ny, 8: nz } = edges;
  const twice = Math.hypot(nx, ny, nz);
  if (!(twice > 0)) return 0;
  const half = 0.5 / twice;
  // n x (the edge opposite, counter-clockwise): of b it is c to a, of c a to b; the three add up to zero.
  out[3] = half * (ny * -vz - nz * -vy);
  out[4] = half * (nz * -vx - nx * -vz);
  out[5] = half * (nx * -vy - ny * -vx);
  out[6] = half * (ny * uz - nz * uy);
  out[7] = half * (nz * ux - nx * uz);
  out[8] = half * (nx * uy - ny * ux);
  for (let k = 0; k < 3; k++) out[k] = -out[3 + k] - out[6 + k];
  return 0.5 * twice;
}

/**
 * Adds force and stiffness of the surface. Sequential, in the order of the triangles: they are few beside the
 * tets.
 */
export function addTension(
  domain: ViscousDomain,
  { coefficient, triangle, wetted }: SurfaceTension,
  dt: number,
  equations: Equations,
): void {
  const ahead = Number.isFinite(dt) ? dt : 0;
  addArea(domain, triangle, coefficient, coefficient * ahead, equations);
  if (wetted) addArea(domain, wetted.triangle, -wetted.gain, Math.abs(wetted.gain) * ahead, equations);
}

/** Adds the force -`energy` dA/dx of an area (N/m), and `stiffness` (N s/m) times its Laplacian. */
function addArea(
  { mesh, vertexToRow, pattern: { rowStart, column } }: ViscousDomain,
  triangle: Int32Array,
  energy: number,
  stiffness: number,
  { velocity: { value }, right }: Equations,
): void {
  const gradient = new Float64Array(9);
  for (let n = 0; n < triangle.length; n += 3) {
    const area = computeAreaGradients(mesh.position, triangle, n, gradient);
    if (area === 0) continue;
    for (let a = 0; a < 3; a++) {
      const i = vertexToRow[triangle[n + a]];
      if (i === NONE) continue;
      for (let r = 0; r < 3; r++) right[3 * i + r] -= energy * gradient[3 * a + r];
      if (stiffness === 0) continue;
      for (let c = 0; c < 3; c++) {
        const j = vertexToRow[triangle[n + c]];
        const entry = j === NONE ? NONE : findEntry(rowStart, column, i, j);
        if (entry === NONE) continue;
        let dot = 0;
        for (let r = 0; r < 3; r++) dot += gradient[3 * a + r] * gradient[3 * c + r];
        const own = (stiffness * dot) / area;
        for (let r = 0; r < 3; r++) value[9 * entry + 4 * r] += own;
      }
    }
  }
}
