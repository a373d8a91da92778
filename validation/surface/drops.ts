/**
 * Drops against formulas: translation, fall, frequencies and decay of modes, Laplace's pressure, rest. Units:
 * density, tension, radius 1.
 */

import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { buildDrop, createDrop, measureRadius, swing, throwDrop } from '../../cases/surface/drop.ts';
import { march } from '../../cases/surface/march.ts';
import { measureLiquid } from '../../src/methods/surface/conservation/figures.ts';
import { surface } from '../../src/methods/surface/surface.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

/**
 * % that frequencies may be off, by levels of the icosahedron (162, 642, 2,562 vertices) and mode from n = 2
 * on.
 */
const FREQUENCY_BOUND: Readonly<Record<number, readonly number[]>> = {
  2: [2],
  3: [1, 1.5, 2, 2.5],
  4: [0.5, 0.5],
};
/** Amplitude after a period. */
const KEPT: Readonly<Record<number, number>> = { 2: 0.995, 3: 0.998, 4: 0.999 };

async function runModes({ createResources, note }: RefereeContext, levels: number): Promise<RefereeRow[]> {
  const rows: RefereeRow[] = [];
  for (const [i, bound] of FREQUENCY_BOUND[levels].entries()) {
    const n = 2 + i;
    const run = swing(await createResources(), levels, n);
    const name = `n = ${n}, ${run.vertices} vertices`;
    note(
      `${name}: ${run.secondsPerStep.toFixed(3)} s per step, energy within ${run.energy.toExponential(1)} of the wave's`,
    );
    rows.push(
      atMost(`${name}: frequency error`, 100 * Math.abs(run.error), bound, '%', 0),
      // A drop that stays as it is does not decay either: it must have been on the other side in between.
      atMost(`${name}: amplitude half a period after`, run.turn, -0.9, '', -1),
      atLeast(`${name}: amplitude kept`, run.peak, KEPT[levels], '', 1),
    );
  }
  return rows;
}

export const surfaceDropCases: RefereeCase[] = [
  {
    name: 'surface/modes-162',
    title: 'frequency and amplitude of mode 2, 162 vertices',
    run: (context) => runModes(context, 2),
  },
  {
    name: 'surface/modes-642',
    title: 'frequencies and amplitudes of modes 2 to 5, 642 vertices',
    run: (context) => runModes(context, 3),
  },
  {
    name: 'surface/modes-2562',
    title: 'frequencies and amplitudes of modes 2 and 3, 2,562 vertices',
    onRequest: true,
    run: (context) => runModes(context, 4),
  },
  {
    name: 'surface/fall',
    title: 'a drop that travels and falls keeps its shape',
    async run({ createResources }) {
      const { fall, worst } = throwDrop(await createResources(), buildDrop(2), 2, 1);
      return [
        atMost('place of every vertex off the parabola', worst, 1e-9, 'R', 0),
        atLeast('way gone', Math.hypot(...fall), 3, 'R'),
      ];
    },
  },
  {
    name: 'surface/laplace',
    title: 'pressure in a drop at rest, 642 vertices; what is left of its motion',
    async run({ createResources }) {
      const { model, state } = createDrop(await createResources(), 3, { options: { damping: 0.1 } });
      const speeds: number[] = [];
      march(model, state, 6, () => speeds.push(state.maxSpeed));
      const { curvature } = measureLiquid(model, state, true);
      const radius = measureRadius(model, state);
      const mean = curvature.reduce((sum, x) => sum + x, 0) / curvature.length;
      const apart = curvature.reduce((worst, x) => Math.max(worst, Math.abs(x / mean - 1)), 0);
      return [
        atMost('pressure error', 100 * Math.abs((mean * radius) / 2 - 1), 0.5, '%', 2),
        atMost('worst vertex off the mean', 100 * apart, 0.01, '%', 0),
        atLeast('fastest vertex on the way', Math.max(...speeds), 1e-5, ''),
        atMost('fastest vertex at the end', speeds[speeds.length - 1], 1e-6, '', 0),
      ];
    },
  },
  {
    name: 'surface/viscosity',
    title: 'decay of modes 2 and 3 by weak viscosity, 642 vertices',
    async run({ createResources }) {
      const rows: RefereeRow[] = [];
      for (const n of [2, 3]) {
        const nu = 0.01;
        const free = swing(await createResources(), 3, n);
        const run = swing(await createResources(), 3, n, { viscosity: nu });
        const period = (2 * Math.PI) / Math.sqrt(n * (n - 1) * (n + 2));
        const truth = (n - 1) * (2 * n + 1) * nu;
        const rate = -Math.log(run.peak / free.peak) / period;
        rows.push(
          atMost(
            `n = ${n}: decay off (n - 1)(2 n + 1) nu / R^2`,
            100 * Math.abs(rate / truth - 1),
            5,
            '%',
            0,
          ),
          reportRow(`n = ${n}: decay`, rate, '', truth),
        );
      }
      return rows;
    },
  },
  {
    name: 'surface/energy',
    title: 'energy of a drop with mode 2 of a tenth of its radius, five periods, 162 vertices',
    async run({ createResources }) {
      const { model, state } = createDrop(await createResources(), 2, { n: 2, amplitude: 0.1 });
      const first = surface.measure(model, state);
      const wave = first.surfaceEnergy! - 4 * Math.PI * measureRadius(model, state) ** 2;
      const energy: number[] = [];
      let edits = 0;
      march(model, state, (5 * 2 * Math.PI) / Math.sqrt(8), (report) => {
        const now = surface.measure(model, state, report);
        energy.push(now.kineticEnergy! + now.surfaceEnergy!);
        for (const name of ['split', 'collapse', 'flip']) edits += report.events[name] ?? 0;
      });
      const last = surface.measure(model, state);
      return [
        atMost(
          'change of energy',
          (100 * (Math.max(...energy) - Math.min(...energy))) / energy[0],
          1,
          '%',
          0,
        ),
        reportRow(
          'the same over the energy of the wave',
          (100 * (energy[0] - energy[energy.length - 1])) / wave,
          '%',
        ),
        reportRow('edits', edits, ''),
        atMost('momentum', Math.hypot(...last.momentum!), 1e-6, '', 0),
        atMost('volume', Math.abs(last.volume! / first.volume! - 1), 1e-4, '', 0),
      ];
    },
  },
];
