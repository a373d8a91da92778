import { setTetGradients } from '../../math/triangle.ts';

/** Geometry of one tet: gradients of its hats and its volume. */
export class TetShape {
  /** (4 x 3) gradients of the corners' hats, 1/m */
  readonly g = new Float64Array(12);
  /** m^3 */
  volume = 0;

  set(position: Float64Array, tet: Int32Array, t: number): void {
    const { g } = this;
    this.volume = Math.abs(setTetGradients(position, tet, t, g, 3)) / 6;
    for (let k = 0; k < 3; k++) g[k] = -(g[3 + k] + g[6 + k] + g[9 + k]);
  }
}
