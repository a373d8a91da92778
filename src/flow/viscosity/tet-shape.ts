/** Geometry of one tet: gradients of its hats and its volume. */
export class TetShape {
  /** (4 x 3) gradients of the corners' hats, 1/m */
  readonly g = new Float64Array(12);
  /** m^3 */
  volume = 0;

  set(position: Float64Array, tet: Int32Array, t: number): void {
    const { g } = this;
    const a = 3 * tet[4 * t];
    const b = 3 * tet[4 * t + 1];
    const c = 3 * tet[4 * t + 2];
    const d = 3 * tet[4 * t + 3];
    const [ox, oy, oz] = [position[a], position[a + 1], position[a + 2]];
    const ux = position[b] - ox;
    const uy = position[b + 1] - oy;
    const uz = position[b + 2] - oz;
    const vx = position[c] - ox;
    const vy = position[c + 1] - oy;
    const vz = position[c + 2] - oz;
    const wx = position[d] - ox;
    const wy = position[d + 1] - oy;
    const wz = position[d + 2] - oz;
    const cx = vy * wz - vz * wy;
    const cy = vz * wx - vx * wz;
    const cz = vx * wy - vy * wx;
    const six = ux * cx + uy * cy + uz * cz;
    const inverse = 1 / six;
    this.volume = Math.abs(six) / 6;
    g[3] = cx * inverse;
    g[4] = cy * inverse;
    g[5] = cz * inverse;
    g[6] = (wy * uz - wz * uy) * inverse;
    g[7] = (wz * ux - wx * uz) * inverse;
    g[8] = (wx * uy - wy * ux) * inverse;
    g[9] = (uy * vz - uz * vy) * inverse;
    g[10] = (uz * vx - ux * vz) * inverse;
    g[11] = (ux * vy - uy * vx) * inverse;
    for (let k = 0; k < 3; k++) g[k] = -(g[3 + k] + g[6 + k] + g[9 + k]);
  }
}
