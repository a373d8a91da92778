/**
 * First sloshing mode of a tank of length L and depth H: omega^2 = g k tanh(kH), k = pi/L. A cosine of small
 * amplitude is let go at rest; the centre of mass then swings along the tank with the amplitude of that mode
 * (higher odd modes count 1/m^2). The frequency is read off its zero crossings, the damping off its peaks.
 * The truth is inviscid: all damping is the method's.
 */
import { GRAVITY, startMarch } from '../../cases/lattice/march.ts';
import { judgeEach } from '../../cases/shared/judge-each.ts';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

const LENGTH = 1;
const DEPTH = 0.517;
const BREADTH = 0.25;
/** ka = 0.09: the frequency of a finite wave differs by (ka)^2 / 8 or so, a tenth of a percent */
const AMPLITUDE = 0.03;
const WAVE_NUMBER = Math.PI / LENGTH;
const OMEGA = Math.sqrt(GRAVITY * WAVE_NUMBER * Math.tanh(WAVE_NUMBER * DEPTH));
const PERIOD = (2 * Math.PI) / OMEGA;
const PERIODS = 2;
const STEPS_PER_PERIOD = 60;
const RESOLUTIONS = [12, 24];
/** Share of omega: what the project asks of its sloshing tanks. */
const FREQUENCY_BOUND = 0.03;
/** Per period; a scheme of first order in time loses about pi/2 omega dt, 16 %. */
const DAMPING_BOUND = 0.05;

/**
 * Liquid below z = H + A cos(kx); the slope kA is small, so dividing by sqrt(1 + (kA)^2) keeps it
 * 1-Lipschitz.
 */
function buildWave(): Implicit {
  const steepness = Math.sqrt(1 + (WAVE_NUMBER * AMPLITUDE) ** 2);
  return {
    bounds: { min: [-1, -1, -1], max: [2, 2, DEPTH + AMPLITUDE] },
    value: (x, _, z) => (DEPTH + AMPLITUDE * Math.cos(WAVE_NUMBER * x) - z) / steepness,
  };
}

function runTank(cells: number, resources: Resources): RefereeRow[] {
  const march = startMarch(
    {
      domain: { min: [0, 0, 0], max: [LENGTH, BREADTH, 0.8] },
      resolution: LENGTH / cells,
      liquid: buildWave(),
    },
    resources,
  );
  const centre = LENGTH / 2;
  const swing = [march.measure().centreOfMass![0] - centre];
  const volume = march.measure().volume!;
  const dt = PERIOD / STEPS_PER_PERIOD;
  while (march.steps < (PERIODS + 0.05) * STEPS_PER_PERIOD) {
    march.step(dt);
    swing.push(march.measure().centreOfMass![0] - centre);
  }
  const drift = march.measure().volume! / volume - 1;
  march.free();
  const crossings = findCrossings(swing, dt);
  // Crossings are half a period apart; the first lies a quarter after the start.
  const halves = crossings.length - 1;
  const frequency = (Math.PI * halves) / (crossings[halves] - crossings[0]);
  const first = Math.abs(swing[0]);
  const last = findPeak(swing, crossings[halves - 1] / dt, crossings[halves] / dt);
  const periodsToLast = halves / 2;
  const name = `L/h = ${cells}`;
  return [
    atMost(`${name}: frequency off`, Math.abs(frequency / OMEGA - 1), FREQUENCY_BOUND, 'of omega', 0),
    reportRow(`${name}: omega over ${halves / 2} periods`, frequency, '1/s', Number(OMEGA.toPrecision(5))),
    reportRow(`${name}: first crossing`, crossings[0] / PERIOD, 'periods', 0.25),
    atMost(
      `${name}: amplitude lost per period`,
      1 - (last / first) ** (1 / periodsToLast),
      DAMPING_BOUND,
      '',
      0,
    ),
    reportRow(`${name}: volume drift`, drift, '', 0),
  ];
}

/** Times at which the series changes sign, by interpolation. */
function findCrossings(series: number[], dt: number): number[] {
  const times: number[] = [];
  for (let i = 1; i < series.length; i++)
    if (series[i - 1] * series[i] < 0) times.push(dt * (i - 1 + series[i - 1] / (series[i - 1] - series[i])));
  return times;
}

function findPeak(series: number[], from: number, to: number): number {
  let most = 0;
  for (let i = Math.ceil(from); i <= to; i++) most = Math.max(most, Math.abs(series[i]));
  return most;
}

export const sloshingCases: RefereeCase[] = [
  {
    name: 'lattice/sloshing',
    title: 'first sloshing mode of a tank: omega^2 = g k tanh(kH)',
    run: judgeEach(RESOLUTIONS, (cells) => `L/h = ${cells}`, runTank),
  },
];
