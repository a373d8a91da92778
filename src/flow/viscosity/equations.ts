/**
 * The equations of a viscous step on linear tetrahedra, gathered row by row: deterministic, no locks, no
 * element matrices kept.
 *
 * Viscosity, [batty-houston-2011] eqs. (5) to (8): with g_a the gradient of corner a's hat, V the tet's
 * volume, f its liquid fraction and s_a its shares (problem.ts), the force of corner c on corner a is minus
 * K_ac u_c,
 *     K_ac = f V mu ((g_a . g_c) I + g_c g_a^T),      mass M_a = sum of rho V s_a.
 * Eq. (7) is this: face normals times areas over three are -V g. f weighs the stiffness as well as the mass:
 * with the mass alone a free ball slows its torsion by a third too fast (validation/viscous).
 *
 * Pressure: corner c's pushes corner a with -G_ac p_c, G_ac = -V s_c g_a, and G^T u = 0 is what the volume
 * asks, or what drains take. Equal orders are not stable alone, so each tet has a bubble of velocity b = 256
 * l1 l2 l3 l4 (MINI, Arnold, Brezzi and Fortin 1984), which is eliminated here. Its equation, with B = f int
 * b, c_a = s_a int b, and D = f (rho/dt int b^2 + mu 4/3 int |grad b|^2),
 *     D beta = B (rho a - grad p) - (rho/dt) sum of c_a (u_a expected - u_a before),
 * (its strain softened, SOFTENED) sees the tet's own imbalance alone: a pool whose pressure is linear stays
 * still, and what falls freely falls. The inertia in it is that of the expected velocity: what the liquid
 * would have if it went on changing as before. With the unknown velocity itself the bubbles take up to 0.59
 * of the mass, because linear velocities have no viscous force inside a tet, and what viscosity slows down
 * looks like an imbalance: a free ball's torsion at nu dt / h^2 = 0.03 decayed 32 % too fast.
 *
 * Unknowns are velocities in units of m/s and pressures in Pa / pressureScale, so that both kinds of
 * equations are of one size.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { BlockCsrMatrix } from '../../linalg/block/block-csr.ts';
import type { ViscousDomain } from './domain.ts';
import type { ViscousProblem } from './problem.ts';
import { TetShape } from './tet-shape.ts';

export interface Equations {
  /** 3 x 3: inertia and stress */
  readonly velocity: BlockCsrMatrix;
  /** (entries x 7) at (i, j): G_ij (u_i by p_j), G_ji (p_i by u_j), C_ij; empty where not coupled */
  readonly coupling: Float64Array;
  /** (4 rows) velocities, then pressures */
  readonly right: Float64Array;
}

const ROW_GRAIN = 512;
/**
 * Of b = 256 l1 l2 l3 l4, over the volume: integrals of b and b^2, and of |grad b|^2 over the sum of |g_a|^2.
 */
const BUBBLE = (256 * 6) / 5040;
const BUBBLE_SQUARE = (256 * 256 * 6 * 16) / 39916800;
const BUBBLE_STRAIN = (256 * 256 * 6 * 4) / 362880;
/** Full stress of a bubble, on average over directions, over its Laplacian. */
const FULL_STRESS = 4 / 3;

/**
 * The bubble's strain counts less by this factor. In a cube of 12 cells with two point forces outside, the
 * pressure's error and the iterations to 1e-8 are 31 % and 100 with the stiffness as it is, 13 and 63 at 4,
 * 10 and 57 at 16, 13 and 75 at 32; the velocity's error is 0.074, 0.078, 0.10, 0.14 %.
 */
const SOFTENED = 10;

/** Shares of a tet that is all liquid. */
const QUARTER = 0.25;

const gatherTask = defineTask(
  'flow/gather-viscous-rows',
  {
    ...{ position: 'f64', tet: 'i32', activeTet: 'i32' },
    ...{ slotStart: 'i32', rowToSlot: 'i32', elementToEntry: 'i32', rowStart: 'i32' },
    ...{ liquid: 'f64', viscosity: 'f64', density: 'f64', before: 'f64', expected: 'f64', force: 'f64' },
    source: 'f64',
    rowToVertex: 'i32',
    ...{ ax: 'number', ay: 'number', az: 'number', perTime: 'number', pressureScale: 'number' },
    ...{ isCoupled: 'number', isLaplacian: 'number', rowCount: 'number' },
    ...{ outValue: 'f64', outCoupling: 'f64', outRight: 'f64' },
  },
  (begin, end, values) => {
    const { position, tet, activeTet, slotStart, rowToSlot, elementToEntry, rowStart, rowToVertex } = values;
    const { liquid, viscosity, density, before, expected, force, source } = values;
    const { ax, ay, az, perTime, pressureScale, rowCount } = values;
    const { outValue: value, outCoupling: coupling, outRight: right } = values;
    const isCoupled = values.isCoupled === 1;
    const isLaplacian = values.isLaplacian === 1;
    const hasShares = liquid.length > 0;
    const shape = new TetShape();
    const { g } = shape;
    const share = new Float64Array(4).fill(QUARTER);
    value.fill(0, 9 * rowStart[begin], 9 * rowStart[end]);
    if (isCoupled) coupling.fill(0, 7 * rowStart[begin], 7 * rowStart[end]);
    for (let i = begin; i < end; i++) {
      let bx = 0;
      let by = 0;
      let bz = 0;
      let bp = 0;
      const vertex = 3 * rowToVertex[i];
      let mass = 0;
      for (let s = slotStart[i]; s < slotStart[i + 1]; s++) {
        const slot = rowToSlot[s];
        const a = slot & 3;
        const t = activeTet[slot >> 2];
        shape.set(position, tet, t);
        const whole = shape.volume;
        let fraction = 1;
        if (hasShares) {
          for (let k = 0; k < 4; k++) share[k] = liquid[4 * t + k];
          fraction = share[0] + share[1] + share[2] + share[3];
        }
        const rho = density[t];
        const mu = viscosity[t];
        const gx = g[3 * a];
        const gy = g[3 * a + 1];
        const gz = g[3 * a + 2];
        const stress = fraction * whole * mu;
        const own = rho * whole * share[a];
        mass += own;

        // The bubble: 1 / D, B, and what it gives to the volume's equation.
        let compliance = 0;
        let bubble = 0;
        if (isCoupled) {
          let square = 0;
          for (let k = 0; k < 12; k++) square += g[k] * g[k];
          bubble = fraction * BUBBLE * whole;
          compliance =
            1 /
            (fraction *
              whole *
              (rho * perTime * BUBBLE_SQUARE + (mu * FULL_STRESS * BUBBLE_STRAIN * square) / SOFTENED));
          let fx = rho * ax * bubble;
          let fy = rho * ay * bubble;
          let fz = rho * az * bubble;
          for (let k = 0; k < 4; k++) {
            const v = 3 * tet[4 * t + k];
            const weight = rho * perTime * BUBBLE * whole * share[k];
            fx += weight * (before[v] - expected[v]);
            fy += weight * (before[v + 1] - expected[v + 1]);
            fz += weight * (before[v + 2] - expected[v + 2]);
          }
          bp -= pressureScale * bubble * compliance * (gx * fx + gy * fy + gz * fz);
          if (source.length > 0) bp -= pressureScale * whole * share[a] * source[t];
        }

        for (let c = 0; c < 4; c++) {
          const entry = elementToEntry[4 * slot + c];
          const hx = g[3 * c];
          const hy = g[3 * c + 1];
          const hz = g[3 * c + 2];
          const dot = gx * hx + gy * hy + gz * hz;
          let o = 9 * entry;
          const diagonal = stress * dot;
          // Number (r, s) of a block at 3 s + r: f V mu (dot I + g_c g_a^T).
          if (isLaplacian) {
            value[o] += diagonal;
            value[o + 4] += diagonal;
            value[o + 8] += diagonal;
          } else {
            const sx = stress * gx;
            const sy = stress * gy;
            const sz = stress * gz;
            value[o] += diagonal + sx * hx;
            value[o + 1] += sx * hy;
            value[o + 2] += sx * hz;
            value[o + 3] += sy * hx;
            value[o + 4] += diagonal + sy * hy;
            value[o + 5] += sy * hz;
            value[o + 6] += sz * hx;
            value[o + 7] += sz * hy;
            value[o + 8] += diagonal + sz * hz;
          }
          if (!isCoupled) continue;
          o = 7 * entry;
          // G_ac = -V s_c g_a, and the same with a and c exchanged.
          const push = -whole * share[c] * pressureScale;
          coupling[o] += push * gx;
          coupling[o + 1] += push * gy;
          coupling[o + 2] += push * gz;
          const pushBack = -whole * share[a] * pressureScale;
          coupling[o + 3] += pushBack * hx;
          coupling[o + 4] += pushBack * hy;
          coupling[o + 5] += pushBack * hz;
          coupling[o + 6] -= bubble * bubble * compliance * dot * pressureScale * pressureScale;
        }
        // Lumped inertia on the diagonal, eq. (8).
        const diagonal = 9 * elementToEntry[4 * slot + a];
        value[diagonal] += own * perTime;
        value[diagonal + 4] += own * perTime;
        value[diagonal + 8] += own * perTime;
      }
      bx += mass * (perTime * before[vertex] + ax);
      by += mass * (perTime * before[vertex + 1] + ay);
      bz += mass * (perTime * before[vertex + 2] + az);
      if (force.length > 0) {
        bx += force[vertex];
        by += force[vertex + 1];
        bz += force[vertex + 2];
      }
      right[3 * i] = bx;
      right[3 * i + 1] = by;
      right[3 * i + 2] = bz;
      if (isCoupled) right[3 * rowCount + i] = bp;
    }
  },
);

/** Room for the equations of a domain. */
export function allocateEquations(
  scope: HeapScope,
  { pattern }: ViscousDomain,
  isCoupled: boolean,
): Equations {
  const entries = pattern.column.length;
  return {
    velocity: { ...pattern, blockSize: 3, value: scope.f64(9 * entries) },
    coupling: scope.f64(isCoupled ? 7 * entries : 0),
    right: scope.f64((isCoupled ? 4 : 3) * pattern.rowCount),
  };
}

/**
 * The equations without what is given at vertices (constraints.ts) and without surface tension (tension.ts).
 */
export function gatherEquations(
  threads: Threads,
  domain: ViscousDomain,
  problem: ViscousProblem & { readonly liquid: Float64Array; readonly force: Float64Array },
  { pressureScale, isLaplacian }: { readonly pressureScale: number; readonly isLaplacian: boolean },
  out: Equations,
): void {
  const { mesh, activeTet, rowToVertex, assembly, pattern } = domain;
  const { liquid, viscosity, density, velocity: before, force, acceleration = [0, 0, 0], dt } = problem;
  const { expected = before, source = force.subarray(0, 0) } = problem;
  const [ax, ay, az] = acceleration;
  threads.run(gatherTask, pattern.rowCount, ROW_GRAIN, {
    ...{ position: mesh.position, tet: mesh.tet, activeTet, rowToVertex, rowStart: pattern.rowStart },
    ...{ slotStart: assembly.slotStart, rowToSlot: assembly.rowToSlot },
    ...{
      elementToEntry: assembly.elementToEntry,
      liquid,
      viscosity,
      density,
      before,
      expected,
      force,
      source,
    },
    ...{ ax, ay, az, perTime: 1 / dt, pressureScale, rowCount: pattern.rowCount },
    ...{ isCoupled: out.coupling.length > 0 ? 1 : 0, isLaplacian: isLaplacian ? 1 : 0 },
    ...{ outValue: out.velocity.value, outCoupling: out.coupling, outRight: out.right },
  });
}
