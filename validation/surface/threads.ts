/**
 * Rayleigh and Plateau's instability of threads (issue 23, row 6). Units: density, tension, radius of the
 * thread 1. A wave of wave number q grows from rest as cosh(s t), s^2 = q (1 - q^2) I1(q) / I0(q).
 */
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { buildLiquid, march } from '../../cases/surface/march.ts';
import { buildThread, measureWave } from '../../cases/surface/thread.ts';
import { surface } from '../../src/methods/surface/surface.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

const DIVISIONS = 16;
const AMPLITUDE = 0.03;
/** Until the ends of the thread, which draw back, are felt in its middle. */
const UNTIL = 3.4;

/** Modified Bessel functions by their series. */
function computeBessel(order: 0 | 1, x: number): number {
  let term = order === 0 ? 1 : x / 2;
  let sum = term;
  for (let k = 1; k < 30; k++) {
    term *= (x / 2) ** 2 / (k * (k + order));
    sum += term;
  }
  return sum;
}

/** Square of the rate of growth. */
const computeRate2 = (q: number) => (q * (1 - q * q) * computeBessel(1, q)) / computeBessel(0, q);

async function run({ createResources, note }: RefereeContext, q: number, waves: number) {
  const { model, state } = buildLiquid(await createResources(), {
    surface: buildThread({ waves, q, amplitude: AMPLITUDE, divisions: DIVISIONS }),
    resolution: (2 * Math.PI) / DIVISIONS,
  });
  const first = surface.measure(model, state);
  const begin = measureWave(state, q);
  const grown: [number, number][] = [];
  let volume = 0;
  march(model, state, UNTIL, () => {
    grown.push([state.time, measureWave(state, q) / begin]);
    volume = Math.max(volume, Math.abs(surface.measure(model, state).volume! / first.volume! - 1));
    if (grown.length % 10 === 0)
      note(`q = ${q}, t = ${state.time.toFixed(2)}: ${grown[grown.length - 1][1].toFixed(3)}`);
  });
  return { grown, volume, vertices: first.vertices! };
}

export const surfaceThreadCases: RefereeCase[] = [
  {
    name: 'surface/thread-growth',
    title: 'growth of the fastest wave on a thread, 16 edges round',
    onRequest: true,
    async run(context): Promise<RefereeRow[]> {
      const q = 0.697;
      const { grown, volume, vertices } = await run(context, q, 4);
      const [time, factor] = grown[grown.length - 1];
      const rate = Math.acosh(factor) / time;
      const truth = Math.sqrt(computeRate2(q));
      return [
        atMost('rate of growth off the formula', 100 * Math.abs(rate / truth - 1), 3, '%', 0),
        reportRow('rate of growth', rate, '', truth),
        reportRow('grown by a factor of', factor, '', Math.cosh(truth * time)),
        atMost('volume', volume, 1e-4, '', 0),
        reportRow('vertices', vertices, ''),
      ];
    },
  },
  {
    name: 'surface/thread-stable',
    title: 'a wave shorter than the thread is round does not grow',
    onRequest: true,
    async run(context): Promise<RefereeRow[]> {
      const { grown } = await run(context, 1.15, 6);
      return [
        atMost(
          'largest amplitude over the first',
          Math.max(...grown.map(([, a]) => Math.abs(a))),
          1.02,
          '',
          1,
        ),
      ];
    },
  },
];
