/**
 * Waves keep their energy: sloshing in the tank of `lattice/sloshing`, 12 cells long (24 cells a wave) and 3
 * broad, without anything that puts energy in. Swept over what must not matter: the time step from
 * dt/sqrt(h/g) = 0.1 to the largest the method takes, ten depths a tenth of a cell apart, two amplitudes, two
 * modes; ten periods each. And through the runner, which chooses its own steps, in tanks of 5 cm and of 10 m.
 * By scaling, the size of a tank and the frames a second act through dt/sqrt(h/g) alone.
 *
 * Energy is counted above that of the flat pool of the same volume. The truth is inviscid: omega^2 = g k
 * tanh(kH), no loss.
 */
import { buildScene, GRAVITY, type LatticeSetup, startMarch } from '../../cases/lattice/march.ts';
import { measureWave, type Wave } from '../../cases/lattice/surface-measures.ts';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import type { Diagnostics, Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import { driveScene } from './scene-course.ts';

/** Of the tank, in cells. */
const LENGTH = 12;
const BREADTH = 3;
const HEIGHT = 10;
/** In cells. */
const DEPTHS = [5.5, 5.6, 5.7, 5.8, 5.9, 6, 6.1, 6.2, 6.3, 6.4];
const SECOND_MODE_DEPTHS = [5.5, 5.8, 6.2];
const RUNNER_DEPTH = 6.2;
const SMALL_WAVE = 0.04;
const LARGE_WAVE = 0.4;
const PERIODS = 10;
const RUNNER_PERIODS = 20;
/** dt / sqrt(h/g): how many values, and the first. */
const STEP_COUNT = 5;
const LEAST_STEP = 0.1;
/**
 * The bounds: share of the start's energy; of omega; of the amplitude, a period; the largest damping
 * over the least.
 */
const ENERGY_BOUND = new Map([
  [SMALL_WAVE, 1.01],
  [LARGE_WAVE, 1.03],
]);
const BOUND = { frequency: 0.02, damping: 0.02, spread: 2 };
/** A period: losses below this cannot be told from one another in ten periods, and count as this. */
const LEAST_DAMPING = 0.001;
/** A wave with this much of its energy is lost: no need to go on. */
const BLOWN_UP = 10;

/** One wave of the sweep. */
interface Slosh {
  readonly mode: 1 | 2;
  /** In cells. */
  readonly depth: number;
  readonly amplitude: number;
  /** m */
  readonly cell: number;
}

interface Course {
  readonly time: number[];
  /** m */
  readonly wave: number[];
  /** Above the flat pool, J */
  readonly energy: number[];
  fault: string;
}

interface Figures {
  readonly mostEnergy: number;
  /** The largest mean over a period, after the first, as a share of the first. */
  readonly mostMean: number;
  readonly frequencyOff: number;
  readonly damping: number;
  readonly fault: string;
}

function describeSlosh({ mode, depth, amplitude, cell }: Slosh) {
  const length = LENGTH * cell;
  const waveNumber = (mode * Math.PI) / length;
  const level = depth * cell;
  const omega = Math.sqrt(GRAVITY * waveNumber * Math.tanh(waveNumber * level));
  const wave: Wave = { waveNumber, level, area: length * BREADTH * cell };
  return { wave, omega, period: (2 * Math.PI) / omega, amplitude: amplitude * cell };
}

function buildTank(slosh: Slosh): LatticeSetup {
  const { wave, amplitude } = describeSlosh(slosh);
  const { waveNumber, level } = wave;
  const steepness = Math.sqrt(1 + (waveNumber * amplitude) ** 2);
  const { cell } = slosh;
  const far = LENGTH * cell;
  const liquid: Implicit = {
    bounds: { min: [-far, -far, -far], max: [2 * far, far, level + amplitude] },
    value: (x, _, z) => (level + amplitude * Math.cos(waveNumber * x) - z) / steepness,
  };
  return {
    domain: { min: [0, 0, 0], max: [LENGTH * cell, BREADTH * cell, HEIGHT * cell] },
    resolution: cell,
    liquid,
  };
}

/** J above the flat pool of the same volume; the density follows from the energy's own. */
function measureEnergy(
  { kineticEnergy, potentialEnergy, volume, centreOfMass }: Diagnostics,
  area: number,
): number {
  const weight = potentialEnergy! / centreOfMass![2];
  return kineticEnergy! + potentialEnergy! - (weight * volume!) / (2 * area);
}

function runSlosh(slosh: Slosh, step: number, resources: Resources): Figures {
  const { wave, period } = describeSlosh(slosh);
  const course: Course = { time: [], wave: [], energy: [], fault: '' };
  const march = startMarch(buildTank(slosh), resources);
  const look = () => {
    course.time.push(march.time);
    course.wave.push(measureWave(march.state.surface, wave));
    course.energy.push(measureEnergy(march.measure(), wave.area));
  };
  look();
  const dt = step * Math.sqrt(slosh.cell / GRAVITY);
  try {
    while (march.time < PERIODS * period) {
      march.step(dt);
      look();
      if (!(course.energy.at(-1)! < BLOWN_UP * course.energy[0])) {
        course.fault = `energy x ${BLOWN_UP} after ${(march.time / period).toFixed(1)} periods`;
        break;
      }
    }
  } catch (error) {
    course.fault = error instanceof Error ? error.message : String(error);
  }
  march.free();
  return judgeCourse(course, slosh);
}

function judgeCourse({ time, wave, energy, fault }: Course, slosh: Slosh): Figures {
  const { omega, period } = describeSlosh(slosh);
  const crossings: number[] = [];
  for (let i = 1; i < wave.length; i++)
    if (wave[i - 1] * wave[i] < 0)
      crossings.push(time[i - 1] + ((time[i] - time[i - 1]) * wave[i - 1]) / (wave[i - 1] - wave[i]));
  const halves = crossings.length - 1;
  const frequency =
    fault || halves < 1 ? Number.NaN : (Math.PI * halves) / (crossings[halves] - crossings[0]);
  // Two periods at either end, far enough apart to see a loss of a tenth of a percent.
  const span = 2 * period;
  const last = time.at(-1)! - span;
  const first = fitAmplitude(time, wave, frequency, [0, span]);
  const damping = 1 - (fitAmplitude(time, wave, frequency, [last, last + span]) / first) ** (period / last);
  const means: number[] = [];
  for (let t = 0; t + period <= time.at(-1)! + 1e-9; t += period) {
    const within = energy.filter((_, i) => time[i] >= t && time[i] < t + period);
    means.push(within.reduce((sum, e) => sum + e, 0) / within.length);
  }
  return {
    mostEnergy: Math.max(...energy) / energy[0],
    mostMean: Math.max(...means) / means[0],
    frequencyOff: frequency / omega - 1,
    damping,
    fault,
  };
}

/**
 * Amplitude of C cos(wt) + S sin(wt) fitted to a stretch of a series: steps too long to meet the peaks do not
 * matter.
 */
function fitAmplitude(
  time: readonly number[],
  series: readonly number[],
  omega: number,
  [from, to]: readonly [number, number],
): number {
  let [cc, cs, ss, cy, sy] = [0, 0, 0, 0, 0];
  for (let i = 0; i < time.length; i++) {
    if (time[i] < from || time[i] > to) continue;
    const c = Math.cos(omega * time[i]);
    const s = Math.sin(omega * time[i]);
    cc += c * c;
    cs += c * s;
    ss += s * s;
    cy += c * series[i];
    sy += s * series[i];
  }
  const determinant = cc * ss - cs * cs;
  return Math.hypot((cy * ss - sy * cs) / determinant, (sy * cc - cy * cs) / determinant);
}

function describeFigures(name: string, figures: Figures, { mode, amplitude }: Slosh): RefereeRow[] {
  const { mostEnergy, mostMean, frequencyOff, damping, fault } = figures;
  return [
    atMost(`${name}: most energy`, mostEnergy, ENERGY_BOUND.get(amplitude)!, 'of the start', 1),
    reportRow(`${name}: most energy, mean over a period`, mostMean, 'of the first period', 1),
    atMost(`${name}: frequency off`, Math.abs(frequencyOff), BOUND.frequency, 'of omega', 0),
    // The bound is for 24 cells a wave; the second mode has 12.
    mode === 1
      ? atMost(`${name}: amplitude lost a period`, damping, BOUND.damping, '', 0)
      : reportRow(`${name}: amplitude lost a period`, damping, '', 0),
    ...(fault ? [reportRow(`${name}: stopped`, fault, '')] : []),
  ];
}

/** dt/sqrt(h/g) from the least to the largest the method takes from rest, evenly in the logarithm. */
function listSteps(slosh: Slosh, resources: Resources): number[] {
  const march = startMarch(buildTank(slosh), resources);
  const largest = march.stableStep(Number.POSITIVE_INFINITY) / Math.sqrt(slosh.cell / GRAVITY);
  march.free();
  return Array.from(
    { length: STEP_COUNT },
    (_, n) => LEAST_STEP * (largest / LEAST_STEP) ** (n / (STEP_COUNT - 1)),
  );
}

/** What was measured in this process: the case of the spread takes it from here, and runs what is missing. */
const measured = new Map<string, Promise<{ slosh: Slosh; step: number; figures: Figures }[]>>();

function sweep(context: RefereeContext, mode: 1 | 2, depth: number) {
  const key = `${mode} ${depth}`;
  const known = measured.get(key);
  if (known) return known;
  const run = async () => {
    const resources = await context.createResources(1);
    const list: { slosh: Slosh; step: number; figures: Figures }[] = [];
    for (const amplitude of [SMALL_WAVE, LARGE_WAVE]) {
      const slosh: Slosh = { mode, depth, amplitude, cell: 1 / LENGTH };
      for (const step of listSteps(slosh, resources)) {
        context.note(`mode ${mode}, depth ${depth}, amplitude ${amplitude}, dt ${step.toFixed(2)} sqrt(h/g)`);
        list.push({ slosh, step, figures: runSlosh(slosh, step, resources) });
      }
    }
    return list;
  };
  const promise = run();
  measured.set(key, promise);
  return promise;
}

async function judgeDepth(context: RefereeContext, mode: 1 | 2, depth: number): Promise<RefereeRow[]> {
  const list = await sweep(context, mode, depth);
  const rows = list.flatMap(({ slosh, step, figures }) =>
    describeFigures(`A ${slosh.amplitude} h, r ${step.toFixed(2)}`, figures, slosh),
  );
  const dampings = list.map(({ figures }) => figures.damping);
  return [...rows, reportRow('largest damping over the least, at this depth', measureSpread(dampings), 'x')];
}

function measureSpread(dampings: readonly number[]): number {
  const counted = dampings.map((d) => Math.max(d, LEAST_DAMPING));
  return Math.max(...counted) / Math.min(...counted);
}

async function judgeSpread(context: RefereeContext): Promise<RefereeRow[]> {
  const all = [];
  for (const depth of DEPTHS) all.push(...(await sweep(context, 1, depth)));
  const rows: RefereeRow[] = [];
  for (const amplitude of [SMALL_WAVE, LARGE_WAVE]) {
    const list = all.filter(({ slosh }) => slosh.amplitude === amplitude);
    const dampings = list.map(({ figures }) => figures.damping);
    const where = (damping: number) => {
      const at = list.find(({ figures }) => figures.damping === damping);
      return at ? `, depth ${at.slosh.depth}, r ${at.step.toFixed(2)}` : '';
    };
    const [least, most] = [Math.min(...dampings), Math.max(...dampings)];
    const name = `A ${amplitude} h`;
    rows.push(
      reportRow(`${name}: least lost a period${where(least)}`, least, ''),
      reportRow(`${name}: most lost a period${where(most)}`, most, ''),
      atMost(`${name}: largest damping over the least`, measureSpread(dampings), BOUND.spread, 'x', 1),
    );
  }
  return rows;
}

interface RunnerTank {
  readonly name: string;
  /** m */
  readonly length: number;
  readonly fps: number;
}

const RUNNER_TANKS: readonly RunnerTank[] = [
  { name: '5-cm-tank', length: 0.05, fps: 30 },
  { name: '10-m-tank', length: 10, fps: 10 },
];

/** The runner chooses the steps, with the method's own options. */
async function judgeRunner(context: RefereeContext, { length, fps }: RunnerTank): Promise<RefereeRow[]> {
  const rows: RefereeRow[] = [];
  for (const amplitude of [SMALL_WAVE, LARGE_WAVE]) {
    const slosh: Slosh = { mode: 1, depth: RUNNER_DEPTH, amplitude, cell: length / LENGTH };
    context.note(`amplitude ${amplitude} h`);
    const { wave, period } = describeSlosh(slosh);
    const scene = { ...buildScene(buildTank(slosh)), duration: RUNNER_PERIODS * period, fps };
    const output = { surface: true, volume: false, checkpoint: 1 } as const;
    const height: number[] = [];
    const at: number[] = [];
    let first = Number.NaN;
    const course = await driveScene(
      context,
      { scene, title: '', output, document: {}, assets: new Map() },
      {
        threads: 1,
        onFrame(time, mesh) {
          at.push(time);
          height.push(measureWave(mesh, wave));
        },
        isOver(record) {
          const energy = measureEnergy(record, wave.area);
          if (Number.isNaN(first)) first = energy;
          return !(energy < BLOWN_UP * first);
        },
      },
    );
    const { records } = course;
    const energy = records.map((record) => measureEnergy(record, wave.area));
    const isWhole = records.at(-1)!.time >= scene.duration - 1 / fps;
    const fault = course.fault || (isWhole ? '' : `energy x ${BLOWN_UP} at ${records.at(-1)!.time} s`);
    // Heights come with the frames, energies with the steps.
    const figures = judgeCourse({ time: at, wave: height, energy: [energy[0]], fault }, slosh);
    const name = `A ${amplitude} h`;
    rows.push(
      ...describeFigures(name, { ...figures, mostEnergy: Math.max(...energy) / energy[0] }, slosh).filter(
        ({ what }) => !what.includes('mean over'),
      ),
      reportRow(
        `${name}: largest dt`,
        Math.max(...records.map(({ dt }) => dt)) / Math.sqrt(slosh.cell / GRAVITY),
        'sqrt(h/g)',
      ),
    );
  }
  return rows;
}

function defineDepthCase(mode: 1 | 2, prefix: string, ordinal: string, depth: number): RefereeCase {
  const cells = depth.toFixed(1);
  return {
    name: `energy/${prefix}-${cells}`,
    title: `${ordinal} sloshing mode, ${cells} cells deep: five time steps, two amplitudes, 10 periods`,
    onRequest: true,
    run: (context) => judgeDepth(context, mode, depth),
  };
}

export const waveEnergyCases: RefereeCase[] = [
  ...DEPTHS.map((depth) => defineDepthCase(1, 'depth', 'first', depth)),
  ...SECOND_MODE_DEPTHS.map((depth) => defineDepthCase(2, 'second-mode', 'second', depth)),
  ...RUNNER_TANKS.map(
    (tank): RefereeCase => ({
      name: `energy/${tank.name}`,
      title: `sloshing through the runner, ${tank.length} m long, ${tank.fps} frames a second, 20 periods`,
      onRequest: true,
      run: (context) => judgeRunner(context, tank),
    }),
  ),
  {
    name: 'energy/spread',
    title:
      'damping of the first mode over all steps and depths: a factor of two at most (runs what was not run before)',
    onRequest: true,
    run: judgeSpread,
  },
];
