/**
 * The element matrix of linear stress on a tetrahedron with linear displacements or velocities: for all u, v
 *     u^T K v = integral of 2 mu e(u) : e(v) + lambda div u div v,     e(u) = (grad u + grad u^T) / 2.
 * With g_a the gradient of vertex a's hat function and V the volume, the block of vertices a and c is
 *     K_ac = V (mu ((g_a . g_c) I + g_c g_a^T) + lambda g_a g_c^T).
 * Elasticity takes Lame's parameters in Pa; viscosity the dynamic one, lambda = 0 or -2 mu / 3.
 */

/**
 * Corner coordinates p (4 x 3); K into out[at..], (12 x 12) row by row: displacement r of vertex a is row 3 a
 * + r. Returns the volume.
 */
export function computeStrainMatrix(
  p: Float64Array,
  mu: number,
  lambda: number,
  at: number,
  out: Float64Array,
): number {
  const e = (k: number, c: number) => p[3 * k + c] - p[c];
  const [ax, ay, az] = [e(1, 0), e(1, 1), e(1, 2)];
  const [bx, by, bz] = [e(2, 0), e(2, 1), e(2, 2)];
  const [cx, cy, cz] = [e(3, 0), e(3, 1), e(3, 2)];
  // Cross products of edges are the gradients times six volumes.
  const g = [
    [0, 0, 0],
    [by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx],
    [cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax],
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx],
  ];
  const six = ax * g[1][0] + ay * g[1][1] + az * g[1][2];
  for (let k = 0; k < 3; k++) {
    for (let a = 1; a < 4; a++) g[a][k] /= six;
    g[0][k] = -(g[1][k] + g[2][k] + g[3][k]);
  }
  const volume = Math.abs(six) / 6;
  for (let a = 0; a < 4; a++)
    for (let c = 0; c < 4; c++) {
      const dot = g[a][0] * g[c][0] + g[a][1] * g[c][1] + g[a][2] * g[c][2];
      for (let r = 0; r < 3; r++)
        for (let s = 0; s < 3; s++)
          out[at + (3 * a + r) * 12 + 3 * c + s] =
            volume * (mu * ((r === s ? dot : 0) + g[c][r] * g[a][s]) + lambda * g[a][r] * g[c][s]);
    }
  return volume;
}
