/**
 * Running bundled scenes of the tracking method in tests, with every mesh on the way before an independent
 * referee.
 */
import { expect } from 'vitest';
import { findMeshIntersections } from '../../../cases/tracking/intersection-referee.ts';
import { tracking } from '../../../src/methods/tracking/tracking.ts';
import type { Run, StepRecord } from '../../../src/run/runner.ts';
import type { Snapshot } from '../../../src/run/snapshot.ts';
import { buildMultiMesh } from '../../../src/tracking/multimaterial/build.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';
import { openScenes } from '../bundled-scenes.ts';

export const { heap, load, createRun } = openScenes(tracking);

/** Labels on the two sides of each face of a snapshot, and what else a test may want of it. */
export function readMesh({ record }: Snapshot): {
  position: Float64Array;
  triangle: Int32Array;
  label: Int32Array;
} {
  const { position, triangle, label } = record.arrays;
  return {
    position: position as Float64Array,
    triangle: triangle as Int32Array,
    label: label as Int32Array,
  };
}

/** No intersections, no flat faces, no label violations. */
export function referee(snapshot: Snapshot): void {
  const mesh = readMesh(snapshot);
  const { count, flat } = findMeshIntersections(mesh.position, mesh.triangle);
  expect([count, flat.length]).toEqual([0, 0]);
  validateMesh(buildMultiMesh(mesh));
}

/** Area between two regions, m^2. */
export function measureBetween(snapshot: Snapshot, a: number, b: number): number {
  const { position: p, triangle, label } = readMesh(snapshot);
  let area = 0;
  for (let f = 0; 2 * f < label.length; f++) {
    const [front, back] = [label[2 * f], label[2 * f + 1]];
    if (!((front === a && back === b) || (front === b && back === a))) continue;
    const [i, j, k] = [3 * triangle[3 * f], 3 * triangle[3 * f + 1], 3 * triangle[3 * f + 2]];
    const u = [p[j] - p[i], p[j + 1] - p[i + 1], p[j + 2] - p[i + 2]];
    const w = [p[k] - p[i], p[k + 1] - p[i + 1], p[k + 2] - p[i + 2]];
    area += Math.hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]) / 2;
  }
  return area;
}

/** Runs to the end of a frame with the referee after every step. */
export function runChecked(
  run: Run,
  frames: number | undefined,
  onStep: (record: StepRecord, snapshot: Snapshot) => void = () => {},
): StepRecord[] {
  const records: StepRecord[] = [];
  for (const event of run.events(frames)) {
    if (event.type !== 'step') continue;
    referee(run.snapshot());
    onStep(event.record, run.snapshot());
    records.push(event.record);
  }
  return records;
}

/** The number of events of a kind over all steps. */
export const countEvents = (records: readonly StepRecord[], name: string): number =>
  records.reduce((sum, { events }) => sum + (events[name] ?? 0), 0);
