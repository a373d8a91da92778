/**
 * The l = 2 torsional mode of a free viscous ball of radius 1: u along longitude is j2(k r) sin cos of
 * latitude, with k R = 2.501133. It has no pressure and decays with 6.25566 nu / R^2.
 */
const TORSION_K = 2.501133;
export const TORSION_RATE = 6.25566;

export function torsionAt(x: number, y: number, z: number): readonly number[] {
  const r = Math.hypot(x, y, z);
  if (r < 1e-9) return [0, 0, 0];
  const s = TORSION_K * r;
  const j2 = s < 1e-2 ? (s * s) / 15 : (3 / s ** 3 - 1 / s) * Math.sin(s) - (3 * Math.cos(s)) / (s * s);
  const f = (j2 * z) / (r * r);
  return [-y * f, x * f, 0];
}
