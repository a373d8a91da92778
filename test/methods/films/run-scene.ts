/** Running bundled scenes of the films method in tests. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import { films } from '../../../src/methods/films/films.ts';
import { Run, type StepRecord } from '../../../src/run/runner.ts';
import type { Snapshot } from '../../../src/run/snapshot.ts';
import { type LoadedScene, loadScene } from '../../../src/scene/load.ts';
import { buildMultiMesh } from '../../../src/tracking/multimaterial/build.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';
import { findMeshIntersections } from '../../../validation/intersection-referee.ts';

export const heap = createHeap();

export async function load(
  name: string,
  sets: readonly string[] = [],
  setting = 'small',
): Promise<LoadedScene> {
  const file = fileURLToPath(new URL(`../../../scenes/films/${name}.jsonc`, import.meta.url));
  return loadScene({ file, text: readFileSync(file, 'utf8') }, { methods: [films], readFile, sets, setting });
}

export function createRun(
  { scene, output }: LoadedScene,
  threads: Threads = createSingleThread(),
  from?: Snapshot,
): Run {
  return new Run({ method: films, scene, output, resources: { heap, threads }, from });
}

/** Runs to the end; the last mesh is free of intersections, and all figures on the way are finite. */
export function runChecked(run: Run, onStep: (record: StepRecord) => void = () => {}): StepRecord[] {
  const records: StepRecord[] = [];
  for (const event of run.events()) {
    if (event.type !== 'step') continue;
    records.push(event.record);
    expect(Number.isFinite(event.record.kineticEnergy! + event.record.surfaceEnergy!)).toBe(true);
    onStep(event.record);
  }
  const { position, triangle, label } = run.snapshot().record.arrays as {
    position: Float64Array;
    triangle: Int32Array;
    label: Int32Array;
  };
  expect(findMeshIntersections(position, triangle).count).toBe(0);
  validateMesh(buildMultiMesh({ position, triangle, label }));
  return records;
}

export const energyOf = (record: StepRecord) => record.kineticEnergy! + record.surfaceEnergy!;

/** Largest change of a region's volume between two records, of regions in both. */
export function measureDrift(first: StepRecord, last: StepRecord): number {
  const before = new Map(first.regions!.map(({ label, volume }) => [label, volume]));
  return Math.max(
    ...last.regions!.map(({ label, volume }) => Math.abs(volume / (before.get(label) ?? volume) - 1)),
  );
}
