/**
 * Slow forms that the background mesh is held to. Both work in whole numbers on the plain lists of leaves,
 * vertices and tets, and share no code with what is tested.
 */
import type { BackgroundMesh } from '../../src/mesh/background/mesh.ts';

/**
 * The level of every finest cell for the least balanced octree in which no cell has a leaf above its wanted
 * level: levels are lowered by blocks until nothing changes.
 */
export function balanceDensely(
  roots: readonly [number, number, number],
  maxLevel: number,
  wanted: (i: number, j: number, k: number) => number,
): Int8Array {
  const [nx, ny, nz] = roots.map((n) => n << maxLevel);
  const at = (i: number, j: number, k: number) => i + nx * (j + ny * k);
  const level = new Int8Array(nx * ny * nz).fill(maxLevel);
  const isInside = (i: number, j: number, k: number) =>
    i >= 0 && j >= 0 && k >= 0 && i < nx && j < ny && k < nz;
  for (let changed = true; changed; ) {
    changed = false;
    for (let k = 0; k < nz; k++)
      for (let j = 0; j < ny; j++)
        for (let i = 0; i < nx; i++) {
          const own = level[at(i, j, k)];
          let most = wanted(i, j, k);
          for (let d = 0; d < 27; d++) {
            const [x, y, z] = [i + (d % 3) - 1, j + (Math.floor(d / 3) % 3) - 1, k + Math.floor(d / 9) - 1];
            if (isInside(x, y, z)) most = Math.min(most, level[at(x, y, z)] + 1);
          }
          if (own <= most) continue;
          // One split: the block of the leaf's size around the cell becomes eight.
          changed = true;
          const low = [i, j, k].map((c) => (c >> own) << own);
          for (let z = 0; z < 1 << own; z++)
            for (let y = 0; y < 1 << own; y++)
              for (let x = 0; x < 1 << own; x++) level[at(low[0] + x, low[1] + y, low[2] + z)] = own - 1;
        }
  }
  return level;
}

/** Points along each half finest cell on which exact location is tested. */
export const FRACTION = 64;

/**
 * The tets that hold the points moved by (e, e^2, e^3) for all small e > 0, found by looking at all tets for
 * every point. Points in whole numbers: of half finest cells / FRACTION. A point on a high side of the box is
 * moved below it first. Throws if a point has no tet or a second one.
 */
export function locateExhaustively(mesh: BackgroundMesh, place: Int32Array): Int32Array {
  const found = new Int32Array(place.length / 3).fill(-1);
  const { roots, maxLevel } = mesh.octree;
  const sides = roots.map((n) => FRACTION * n * 2 ** (maxLevel + 1));
  for (let t = 0; t < mesh.tetCount; t++) {
    const [a, b, c, d] = [0, 1, 2, 3].map((i) => computePlane(mesh, t, i));
    const [ax, ay, az, a0] = a;
    const [bx, by, bz, b0] = b;
    const [cx, cy, cz, c0] = c;
    const [dx, dy, dz, d0] = d;
    for (let p = 0; p < found.length; p++) {
      const x = place[3 * p];
      const y = place[3 * p + 1];
      const z = place[3 * p + 2];
      const ha = ax * x + ay * y + az * z - a0;
      if (ha < 0) continue;
      const hb = bx * x + by * y + bz * z - b0;
      if (hb < 0) continue;
      const hc = cx * x + cy * y + cz * z - c0;
      if (hc < 0) continue;
      const hd = dx * x + dy * y + dz * z - d0;
      if (hd < 0) continue;
      const down = [x === sides[0] ? -1 : 0, y === sides[1] ? -1 : 0, z === sides[2] ? -1 : 0];
      if (ha === 0 && !isAbove(a, down)) continue;
      if (hb === 0 && !isAbove(b, down)) continue;
      if (hc === 0 && !isAbove(c, down)) continue;
      if (hd === 0 && !isAbove(d, down)) continue;
      if (found[p] !== -1) throw new Error(`tets ${found[p]} and ${t} both hold ${x}, ${y}, ${z}`);
      found[p] = t;
    }
  }
  const lost = found.indexOf(-1);
  if (lost !== -1) throw new Error(`no tet holds ${place.subarray(3 * lost, 3 * lost + 3).join()}`);
  return found;
}

/**
 * On which side of a plane through it a point comes to lie when it is moved: down first, then by e, e^2, e^3.
 */
function isAbove(plane: number[], down: number[]): boolean {
  const below = plane[0] * down[0] + plane[1] * down[1] + plane[2] * down[2];
  return (below || plane[0] || plane[1] || plane[2]) > 0;
}

/** Face i of a tet as a plane n, d in whole numbers: n x - d is positive on the side of vertex i. */
function computePlane({ tet, vertexPlace: x }: BackgroundMesh, t: number, i: number): number[] {
  const [a, b, c] = [0, 1, 2, 3].filter((n) => n !== i).map((n) => 3 * tet[4 * t + n]);
  const u = [0, 1, 2].map((n) => x[b + n] - x[a + n]);
  const v = [0, 1, 2].map((n) => x[c + n] - x[a + n]);
  const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const own = 3 * tet[4 * t + i];
  let d = 0;
  let height = 0;
  for (let n = 0; n < 3; n++) {
    d += normal[n] * x[a + n] * FRACTION;
    height += normal[n] * (x[own + n] - x[a + n]);
  }
  const sign = Math.sign(height);
  return [...normal.map((n) => sign * n), sign * d];
}
