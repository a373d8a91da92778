/**
 * How volumes depend on one point. When faces are cones to a point x, the volume each region gains is affine
 * in x: constant + gradient . x. This gives the place for a vertex that keeps every region's volume, and the
 * directions in which a vertex may slide without changing any.
 */
import { NONE } from '../../core/types.ts';
import { SymmetricEigen, sumOuterProducts } from '../../math/symmetric-eigen.ts';
import { setVolumeGradient } from '../../math/triangle.ts';
import { faceOf, type MultiMesh } from './mesh.ts';

const sums = new Float64Array(6);

type Faces = Pick<MultiMesh, 'position' | 'face' | 'label'>;
type Stars = Faces & Pick<MultiMesh, 'vertexCorner' | 'cornerNextAtVertex'>;

/**
 * Eigenvalues below this share of the largest are directions in which volumes hardly depend on the point: it
 * is not sent there.
 */
const WEAK = 1e-2;
/**
 * For sliding, any direction along which a gradient has more than rounding counts: its share of the largest
 * gradient, squared.
 */
const ROUNDING = 1e-24;

export class StarVolume {
  /** Regions about the point; the arrays below have room for more. */
  private count = 0;
  private region = new Int32Array(16);
  /** (regions x 3) m^2 */
  private gradient = new Float64Array(3 * 16);
  /** Volume gained with the point at the origin chosen by `begin`, m^3 */
  private constant = new Float64Array(16);
  private readonly origin = new Float64Array(3);
  private readonly eigen = new SymmetricEigen();
  private readonly normal = new Float64Array(3);

  begin(x: number, y: number, z: number): void {
    this.count = 0;
    this.origin[0] = x;
    this.origin[1] = y;
    this.origin[2] = z;
  }

  /** Adds the tetrahedron from a face to the point; leaves out the constant where only sliding matters. */
  addFace(mesh: Faces, f: number): void {
    const { position: p, face, label } = mesh;
    const { origin, normal } = this;
    const a = 3 * face[3 * f];
    setVolumeGradient(p, face, f, normal);
    const { 0: x, 1: y, 2: z } = normal;
    const volume = x * (origin[0] - p[a]) + y * (origin[1] - p[a + 1]) + z * (origin[2] - p[a + 2]);
    this.add(label[2 * f + 1], x, y, z, volume);
    this.add(label[2 * f], -x, -y, -z, -volume);
  }

  /** Adds all faces of a vertex. */
  addVertex(mesh: Stars, v: number): void {
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c])
      this.addFace(mesh, faceOf(c));
  }

  /** Shortest step from the origin that undoes every gain, in the directions that matter. */
  computeNeutralStep(out: Float64Array): void {
    if (this.count === 2) {
      this.computePlainStep(out);
      return;
    }
    this.solveEigen();
    const { eigen, count, gradient, constant } = this;
    let rx = 0;
    let ry = 0;
    let rz = 0;
    for (let n = 0; n < count; n++) {
      rx -= gradient[3 * n] * constant[n];
      ry -= gradient[3 * n + 1] * constant[n];
      rz -= gradient[3 * n + 2] * constant[n];
    }
    out.fill(0, 0, 3);
    const { value, vector: q } = eigen;
    for (let i = 0; i < 3; i++) {
      if (!(value[i] > WEAK * value[0])) break;
      const s = (q[3 * i] * rx + q[3 * i + 1] * ry + q[3 * i + 2] * rz) / value[i];
      for (let k = 0; k < 3; k++) out[k] += s * q[3 * i + k];
    }
  }

  /** Largest change of a region's volume, m^3, with the point a step away from the origin. */
  measureGain(x: number, y: number, z: number): number {
    const { count, gradient: g, constant } = this;
    let most = 0;
    for (let n = 0; n < count; n++)
      most = Math.max(most, Math.abs(constant[n] + g[3 * n] * x + g[3 * n + 1] * y + g[3 * n + 2] * z));
    return most;
  }

  /**
   * Removes from a step whatever changes a volume to first order, which is to all orders for a single vertex.
   */
  projectSlide(step: Float64Array): void {
    if (this.count === 2) {
      this.projectPlain(step);
      return;
    }
    this.solveEigen();
    const { value, vector: q } = this.eigen;
    for (let i = 0; i < 3; i++) {
      // Small eigenvalues are lost in the rounding of the large ones; the gradients themselves still tell.
      if (!(this.measureAlong(q[3 * i], q[3 * i + 1], q[3 * i + 2]) > ROUNDING * value[0])) break;
      const s = q[3 * i] * step[0] + q[3 * i + 1] * step[1] + q[3 * i + 2] * step[2];
      for (let k = 0; k < 3; k++) step[k] -= s * q[3 * i + k];
    }
  }

  /** Between two regions, most of any surface, what one gains the other loses, and there is one gradient. */
  private computePlainStep(out: Float64Array): void {
    const { gradient: g } = this;
    const size = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    const s = size > 0 ? -this.constant[0] / size : 0;
    for (let k = 0; k < 3; k++) out[k] = s * g[k];
  }

  private projectPlain(step: Float64Array): void {
    const { gradient: g } = this;
    const size = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    const s = size > 0 ? (g[0] * step[0] + g[1] * step[1] + g[2] * step[2]) / size : 0;
    for (let k = 0; k < 3; k++) step[k] -= s * g[k];
  }

  /** Sum of the squares of the gradients' parts along a unit vector, m^4. */
  private measureAlong(x: number, y: number, z: number): number {
    const { gradient: g, count } = this;
    let sum = 0;
    for (let n = 0; n < 3 * count; n += 3) sum += (g[n] * x + g[n + 1] * y + g[n + 2] * z) ** 2;
    return sum;
  }

  private solveEigen(): void {
    sumOuterProducts(this.gradient, 0, this.count, sums);
    const { 0: xx, 1: xy, 2: xz, 3: yy, 4: yz, 5: zz } = sums;
    this.eigen.solve(xx, xy, xz, yy, yz, zz);
  }

  private add(label: number, x: number, y: number, z: number, volume: number): void {
    const { region, gradient, constant } = this;
    let n = 0;
    while (n < this.count && region[n] !== label) n++;
    if (n === this.count) {
      if (n === region.length) {
        this.grow();
        this.add(label, x, y, z, volume);
        return;
      }
      this.count++;
      region[n] = label;
      gradient.fill(0, 3 * n, 3 * n + 3);
      constant[n] = 0;
    }
    gradient[3 * n] += x;
    gradient[3 * n + 1] += y;
    gradient[3 * n + 2] += z;
    constant[n] += volume;
  }

  private grow(): void {
    const room = 2 * this.region.length;
    const { region, gradient, constant } = this;
    this.region = new Int32Array(room);
    this.region.set(region);
    this.gradient = new Float64Array(3 * room);
    this.gradient.set(gradient);
    this.constant = new Float64Array(room);
    this.constant.set(constant);
  }
}
