/**
 * Damping of circulation: diffusion along the films ([da-2017] chapter 17) and uniform decay.
 *
 * Diffusion goes down the Dirichlet energy E = 1/2 sum_f |grad Gamma_f|^2 a_f by potentials, each by the area
 * of its region's faces at the vertex; on a single film that is dGamma/dt = nu laplacian(Gamma). It can only
 * lose energy, on junctions too. Cost: linear.
 */
import type { Threads } from '../../../core/threads/task.ts';
import type { Seconds } from '../../../core/types.ts';
import { CORNER, COT_B, COT_C, setCorner } from '../../../math/triangle.ts';
import type { Sheet } from '../circulation/sheet.ts';
import { defineSheetTask } from './sheet-task.ts';

/** rate = -dE/d(potential) / mass, 1/s times m^2/s per unit of nu: add dt nu rate to the potentials. */
export const computeDiffusion = defineSheetTask(
  'films/diffuse-circulation',
  'vertexCount',
  { potential: 'f64', rate: 'f64' },
  (begin, end, { sheet, potential, rate }) => {
    const { position: p, corner, cornerFront: front, cornerBack: back } = sheet;
    const { cornerStart, vertexCorner, entryStart } = sheet;
    const area = new Float64Array(256);
    const seen = new Float64Array(CORNER);
    for (let v = begin; v < end; v++) {
      const first = entryStart[v];
      rate.fill(0, first, entryStart[v + 1]);
      area.fill(0, 0, entryStart[v + 1] - first);
      for (let n = cornerStart[v]; n < cornerStart[v + 1]; n++) {
        const c = vertexCorner[n];
        const f = c - (c % 3);
        const i = f + ((c - f + 1) % 3);
        const j = f + ((c - f + 2) % 3);
        const a = 3 * v;
        const b = 3 * corner[i];
        const d = 3 * corner[j];
        const double = setCorner(p, a, b, d, seen);
        if (double === 0) continue;
        const here = potential[front[c]] - potential[back[c]];
        const atB = potential[front[i]] - potential[back[i]];
        const atD = potential[front[j]] - potential[back[j]];
        const slope = 0.5 * (seen[COT_C] * (here - atB) + seen[COT_B] * (here - atD));
        rate[front[c]] -= slope;
        rate[back[c]] += slope;
        area[front[c] - first] += double / 6;
        area[back[c] - first] += double / 6;
      }
      // Both sides of a film give way, each by half.
      for (let n = first; n < entryStart[v + 1]; n++)
        if (area[n - first] > 0) rate[n] *= 0.5 / area[n - first];
    }
  },
);

/** potential += dt nu rate, then times exp(-dt drag). */
export function addDamping(
  sheet: Sheet,
  damping: number,
  drag: number,
  dt: Seconds,
  threads: Threads,
  scratch: Float64Array,
  potential: Float64Array,
): void {
  if (damping > 0) {
    computeDiffusion(threads, { sheet, potential, rate: scratch });
    for (let n = 0; n < potential.length; n++) potential[n] += dt * damping * scratch[n];
  }
  if (drag > 0) {
    const keep = Math.exp(-dt * drag);
    for (let n = 0; n < potential.length; n++) potential[n] *= keep;
  }
}
