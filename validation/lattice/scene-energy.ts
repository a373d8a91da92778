/**
 * Total energy of every bundled scene of the lattice method and of every everyday scene, through the runner
 * as it is shipped: averaged over a tenth of a second it never rises, but for what nozzles and moving walls
 * put in. Heights count from the domain's floor. A run that keeps books says what was put in; without books
 * the nozzles' share is estimated and scenes with moving walls are only reported.
 */
import { EVERYDAY_NAMES } from '../../cases/lattice/everyday.ts';
import { atLeast, atMost, equalTo, reportRow } from '../../cases/shared/rows.ts';
import { measureShadow } from '../../src/geometry/shapes.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import { type Course, driveScene } from './scene-course.ts';
import { estimateSourceEnergy, readGivenEnergy } from './step-ledger.ts';

/** s over which energy is averaged; shares of the start's energy: of one rise, and of all. The issue's. */
const WINDOW = 0.1;
const RISE_BOUND = 0.005;
const SUM_BOUND = 0.02;
/**
 * Of the energy: all scenes but the one that lies still turn more of it over, or lose it where liquid lands.
 */
const LEAST_CHANGE = 1e-3;

const BUNDLED: readonly string[] = [
  'basin',
  'chutes',
  'dam-break',
  'drop-into-pool',
  'falling-blob',
  'hemisphere',
  'martin-moyce',
  'plunge',
  'spray',
  'statue',
  'still-pool',
  'stirred-tank',
];

interface Account {
  /** J: of the liquid less all that was put in, at each record */
  readonly own: number[];
  /** J put in by nozzles, by walls, in all */
  readonly sources: number;
  readonly walls: number;
  readonly isBooked: boolean;
}

function keepAccount({ scene, records }: Course): Account {
  const sections = scene.emitters.map(({ shape, direction }) =>
    measureShadow(shape, direction, scene.domain),
  );
  const floor = -scene.gravity[2] * scene.domain.min[2];
  const density = [...scene.liquids, ...scene.emitters][0].material.density;
  let sources = 0;
  let walls = 0;
  let isBooked = true;
  const own = records.map((record, n) => {
    if (n > 0) {
      const given = readGivenEnergy(record);
      isBooked &&= given.walls !== undefined && given.sources !== undefined;
      sources += given.sources ?? estimateSourceEnergy(scene, sections, records[n - 1].time, record.time);
      walls += given.walls ?? 0;
    }
    const { kineticEnergy, potentialEnergy, volume } = record;
    return kineticEnergy! + potentialEnergy! - floor * density * volume! - sources - walls;
  });
  return { own, sources, walls, isBooked };
}

interface Mean {
  /** s, the end of its window */
  readonly until: number;
  /** J */
  readonly energy: number;
}

/** Means over windows of time, each step counting for its length. */
function averageEnergy({ records }: Course, energy: readonly number[]): Mean[] {
  const means: Mean[] = [];
  let [sum, time] = [0, 0];
  for (let n = 1; n < records.length; n++) {
    sum += 0.5 * (energy[n] + energy[n - 1]) * records[n].dt;
    time += records[n].dt;
    if (time < WINDOW - 1e-9) continue;
    means.push({ until: records[n].time, energy: sum / time });
    [sum, time] = [0, 0];
  }
  return means;
}

async function judgeScene(context: RefereeContext, name: string): Promise<RefereeRow[]> {
  const course = await driveScene(context, await context.loadScene(name));
  const { scene, records } = course;
  const { own, sources, walls, isBooked } = keepAccount(course);
  const means = averageEnergy(course, own);
  const rises = means.slice(1).map((mean, n) => Math.max(0, mean.energy - means[n].energy));
  const scale = own[0] + Math.max(0, sources);
  const most = Math.max(...rises) / scale;
  const sum = rises.reduce((total, rise) => total + rise, 0) / scale;
  const worst = rises.indexOf(Math.max(...rises));
  const kinetic = records.map(({ kineticEnergy }) => kineticEnergy!);
  const change = (Math.max(...kinetic) - Math.min(...kinetic)) / scale;
  const isJudged = isBooked || scene.solids.every(({ motion }) => motion === undefined);
  const bounded = (what: string, value: number, bound: number) =>
    isJudged ? atMost(what, value, bound, 'of the start', 0) : reportRow(what, value, 'of the start', 0);
  const hasSources = scene.emitters.length > 0 || scene.drains.length > 0;
  const unbooked = isBooked
    ? []
    : [
        ...(hasSources ? [reportRow('no books: sources', 'estimated from the flows', '')] : []),
        ...(isJudged ? [] : [reportRow('no books: moving walls', 'not judged', '')]),
      ];
  return [
    equalTo('ran to its end', course.fault || 'yes', 'yes'),
    bounded('largest rise of the mean over 0.1 s', most, RISE_BOUND),
    reportRow('it ended at', means[worst + 1].until, 's'),
    bounded('rises, in sum', sum, SUM_BOUND),
    ...(name.endsWith('/still-pool')
      ? []
      : [atLeast('kinetic energy, largest less least', change, LEAST_CHANGE, 'of the start')]),
    reportRow('energy at the end', own.at(-1)! / scale, 'of the start'),
    ...(hasSources ? [reportRow('put in by nozzles', sources, 'J')] : []),
    ...(scene.solids.some(({ motion }) => motion) ? [reportRow('put in by walls', walls, 'J')] : []),
    ...unbooked,
  ];
}

export const sceneEnergyCases: RefereeCase[] = [
  ...BUNDLED.map((name) => `lattice/${name}`),
  ...EVERYDAY_NAMES.map((name) => `everyday/${name}`),
].map((name) => ({
  name: `scene-energy/${name.split('/')[1]}`,
  method: 'scene-energy',
  title: `${name}: total energy, averaged over 0.1 s, never rises`,
  onRequest: true,
  run: (context) => judgeScene(context, name),
}));
