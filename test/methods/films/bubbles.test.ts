/** Bubbles that meet, vanish and shift: what the tracker's edits leave of volumes, films and energy. */
import { describe, expect, it } from 'vitest';
import type { Run, StepRecord } from '../../../src/run/runner.ts';
import { createRun, energyOf, load, measureDrift, measureNow, runChecked, takeFilms } from './run-scene.ts';

/** Change of a bubble's volume at the end of any step: issue 5, row 4. */
const VOLUME = 5e-4;
/**
 * The same while the last of a neighbour is drawn from a crumb that has no room left to give: 1.5e-3 for five
 * steps at the end of a row.
 */
const LAST_DROPS = 0.003;

/** Films by the labels of their sides, as `0-1`. */
function listFilms(run: Run): string[] {
  const { label } = takeFilms(run);
  const found = new Set<string>();
  for (let h = 0; h < label.length; h += 2)
    found.add(`${Math.min(label[h], label[h + 1])}-${Math.max(label[h], label[h + 1])}`);
  return [...found].sort();
}

const countEvents = (records: readonly StepRecord[], name: string) =>
  records.reduce((sum, { events }) => sum + (events[name] ?? 0), 0);

/** An undamped scene of these films; edges of 6 mm. */
const loadFree = (start: unknown[], sets: readonly string[]) =>
  load('double-bubble', [
    'resolution=0.006',
    'fps=500',
    'films.damping=0',
    `films.start=${JSON.stringify(start)}`,
    ...sets,
  ]);

describe('two free bubbles', () => {
  it('swung into each other share a film from then on, with their volumes and without a gain of energy', async () => {
    // Flat ones that swing to long ones; 2.6 mm apart at first.
    const flat = (x: number, label: number) => ({
      type: 'bubble',
      centre: [x, 0, 0],
      radius: 0.02,
      stretch: [0.75, 1.155, 1.155],
      label,
    });
    const run = createRun(
      await loadFree([flat(-0.0163, 1), flat(0.0163, 2)], ['duration=0.04', 'films.integrator="leapfrog"']),
    );
    const start = measureNow(run);
    expect(listFilms(run)).toEqual(['0-1', '0-2']);
    let met = Number.NaN;
    const records = runChecked(run, ({ time }) => {
      if (Number.isNaN(met) && listFilms(run).includes('1-2')) met = time;
    });
    expect(met).toBeGreaterThan(0.002);
    expect(met).toBeLessThan(0.03);
    expect(listFilms(run)).toEqual(['0-1', '0-2', '1-2']);
    for (const record of records) {
      expect(measureDrift(start, record)).toBeLessThan(VOLUME);
      expect(energyOf(record)).toBeLessThan(1.03 * energyOf(records[0]));
    }
  });
});

describe('a bubble that is drained', () => {
  it.each([
    [3, 'at the end of a row', ['0-1', '0-2', '1-2']],
    [2, 'amid a row', ['0-1', '0-3', '1-3']],
  ])('%i, %s, vanishes; the others close up and keep their volumes', async (region, _, films) => {
    const row = { type: 'boxes', min: [-0.03, -0.01, -0.01], max: [0.03, 0.01, 0.01], count: [3, 1, 1] };
    // 8 cm^3 in 15 ms.
    const source = { region, rate: -8e-6 / 0.015 };
    const run = createRun(
      await loadFree([row], ['duration=0.025', 'films.drag=50', `films.sources=${JSON.stringify([source])}`]),
    );
    const start = measureNow(run);
    const others = { regions: start.regions.filter(({ label }) => label !== region) };
    const records = runChecked(run);
    const gone = records.findIndex(({ regions }) => regions!.every(({ label }) => label !== region));
    expect(records[gone].time).toBeGreaterThan(0.014);
    expect(records[gone].time).toBeLessThan(0.017);
    records.forEach(({ regions }, n) => {
      const left = { regions: regions!.filter(({ label }) => label !== region) };
      expect(measureDrift(others, left)).toBeLessThan(n < gone && n > gone - 10 ? LAST_DROPS : VOLUME);
      expect(n < gone || left.regions.length === regions!.length).toBe(true);
    });
    expect(listFilms(run)).toEqual(films);
  });
});

describe("the thesis' own remeshing", () => {
  it('without flips and smoothing runs a cluster as well', async () => {
    const cells = { type: 'voronoi', min: [-0.02, -0.02, -0.02], max: [0.02, 0.02, 0.02], cells: 5 };
    const run = createRun(
      await loadFree([cells], ['duration=0.02', 'films.flips=false', 'films.smoothing=false']),
    );
    const start = measureNow(run);
    const records = runChecked(run);
    for (const edit of ['flip', 'smooth']) expect(countEvents(records, edit)).toBe(0);
    for (const edit of ['split', 'collapse']) expect(countEvents(records, edit)).toBeGreaterThan(100);
    for (const record of records) {
      expect(measureDrift(start, record)).toBeLessThan(VOLUME);
      expect(energyOf(record)).toBeLessThan(1.02 * energyOf(records[0]));
    }
    expect(records.at(-1)!.surfaceArea!).toBeLessThan(0.96 * records[0].surfaceArea!);
  });
});

describe('a busy cluster', () => {
  it('rarely has to guess a circulation or to stop a vertex', async () => {
    const records = runChecked(
      createRun(await load('cluster', ['films.drag=0', 'films.damping=0', 'duration=0.1'])),
    );
    const shifts = countEvents(records, 'separate') + countEvents(records, 'contact');
    expect(shifts).toBeGreaterThan(5);
    for (const oddity of ['circulationsGuessed', 'stopped'])
      expect(countEvents(records, oddity) / records.length).toBeLessThan(0.05);
  });
});
