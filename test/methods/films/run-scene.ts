/** Running bundled scenes of the films method in tests. */
import { expect } from 'vitest';
import { findMeshIntersections } from '../../../cases/tracking/intersection-referee.ts';
import { films } from '../../../src/methods/films/films.ts';
import type { Run, StepRecord } from '../../../src/run/runner.ts';
import { buildMultiMesh } from '../../../src/tracking/multimaterial/build.ts';
import { measureRegions, type RegionMeasure } from '../../../src/tracking/multimaterial/measure.ts';
import { findShells } from '../../../src/tracking/multimaterial/return-volume.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';
import { openScenes } from '../bundled-scenes.ts';

export const { heap, load, createRun } = openScenes(films);

/** A run of a bundled scene with edits, not yet started. */
export const createScene = async (name: string, sets: readonly string[] = []): Promise<Run> =>
  createRun(await load(name, sets));

/** Runs to the end; the last mesh is free of intersections, and all figures on the way are finite. */
export function runChecked(run: Run, onStep: (record: StepRecord) => void = () => {}): StepRecord[] {
  const records: StepRecord[] = [];
  for (const event of run.events()) {
    if (event.type !== 'step') continue;
    records.push(event.record);
    expect(Number.isFinite(event.record.kineticEnergy! + event.record.surfaceEnergy!)).toBe(true);
    onStep(event.record);
  }
  const { position, triangle, label } = takeFilms(run);
  expect(findMeshIntersections(position, triangle).count).toBe(0);
  validateMesh(buildMultiMesh({ position, triangle, label }));
  return records;
}

export const energyOf = (record: StepRecord) => record.kineticEnergy! + record.surfaceEnergy!;

/** The films at this moment, those of openings among them. */
export function takeFilms(run: Run): { position: Float64Array; triangle: Int32Array; label: Int32Array } {
  return run.snapshot().record.arrays as ReturnType<typeof takeFilms>;
}

/** The regions at this moment: at time 0 they are what the records of steps are held to. */
export function measureNow(run: Run): { regions: RegionMeasure[] } {
  return { regions: measureRegions(buildMultiMesh(takeFilms(run))).filter(({ label }) => label !== 0) };
}

/** Least and greatest z of the films that pass, by the labels of their two sides in rising order. */
export function measureReach(run: Run, passes: (low: number, high: number) => boolean) {
  const { position, triangle, label } = takeFilms(run);
  let [least, most] = [Infinity, -Infinity];
  for (let c = 0; c < triangle.length; c++) {
    const f = Math.floor(c / 3);
    const [a, b] = [label[2 * f], label[2 * f + 1]];
    if (!passes(Math.min(a, b), Math.max(a, b))) continue;
    const z = position[3 * triangle[c] + 2];
    least = Math.min(least, z);
    most = Math.max(most, z);
  }
  return { least, most };
}

/**
 * Volumes of the pieces of a region that share no film with another, m^3. A piece within another counts as
 * less than nothing.
 */
export function measureClosedPieces(run: Run, region: number, other: number): number[] {
  const mesh = buildMultiMesh(takeFilms(run));
  const { shell } = findShells(mesh);
  const volumes = new Map<number, number>();
  const open = new Set<number>();
  const p = mesh.position;
  for (let h = 0; h < 2 * mesh.faceFill; h++) {
    if (mesh.label[h] !== region) continue;
    if (mesh.label[h ^ 1] === other) open.add(shell[h]);
    const [a, b, c] = [0, 1, 2].map((i) => 3 * mesh.face[3 * (h >> 1) + i]);
    const tet =
      p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
      p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
    volumes.set(shell[h], (volumes.get(shell[h]) ?? 0) + ((h & 1) === 1 ? tet : -tet) / 6);
  }
  return [...volumes].filter(([piece]) => !open.has(piece)).map(([, volume]) => volume);
}

/**
 * Largest change of a region's volume between two records; infinite where one has a region that the other has
 * not.
 */
export function measureDrift(first: Pick<StepRecord, 'regions'>, last: Pick<StepRecord, 'regions'>): number {
  const before = new Map(first.regions!.map(({ label, volume }) => [label, volume]));
  const after = last.regions!;
  if (after.length !== before.size || !after.every(({ label }) => before.has(label))) return Infinity;
  return Math.max(...after.map(({ label, volume }) => Math.abs(volume / before.get(label)! - 1)));
}
