/**
 * The one place where referees read what a step had to repair and what was put in from outside. Runs that
 * keep books say it themselves: `events.volumeShift` (contouring cells, the largest shift of the step),
 * `ledger.volume.correction` (m^3 that the shift added), `ledger.energy.walls` and `ledger.energy.sources` (J
 * put in during the step). Where there are no books yet it is derived.
 */
import type { StepRecord } from '../../src/run/runner.ts';
import type { Scene } from '../../src/scene/scene.ts';

interface Ledger {
  readonly volume?: Record<string, number>;
  readonly energy?: Record<string, number>;
}

type BookedRecord = StepRecord & { readonly ledger?: Ledger };

function readLedger(record: StepRecord): Ledger {
  return (record as BookedRecord).ledger ?? {};
}

export interface Repair {
  /** m^3 that shifting the surface added or took in the step, as a size */
  readonly volume: number;
  /** Contouring cells, the largest of the step */
  readonly shift: number;
  /** False where it had to be guessed from the volumes. */
  readonly isBooked: boolean;
}

/**
 * Contouring cells per lattice cell, and the largest shift a step of a run without books makes, in contouring
 * cells.
 */
const DEFAULT_REFINEMENT = 2;
const UNBOOKED_MOST_SHIFT = 0.02;

/**
 * What the step from `before` to `record` had to repair; `wanted` is the volume there should have been before
 * it.
 */
export function readRepair(record: StepRecord, before: StepRecord, wanted: number, scene: Scene): Repair {
  const correction = readLedger(record).volume?.['correction'];
  const shift = record.events['volumeShift'];
  if (correction !== undefined && shift !== undefined)
    return { volume: Math.abs(correction), shift: Math.abs(shift), isBooked: true };
  // Without books: the shift that would make up for what is missing, over the free area, capped as the method
  // caps it.
  const area = before.surfaceArea ?? 0;
  const spacing = scene.resolution / readRefinement(scene);
  const asked = area > 0 ? Math.abs(wanted - before.volume!) / area / spacing : 0;
  const guess = Math.min(UNBOOKED_MOST_SHIFT, asked);
  return { volume: guess * spacing * area, shift: guess, isBooked: false };
}

export function readRefinement({ options }: Scene): number {
  const { surfaceRefinement } = (options ?? {}) as { surfaceRefinement?: number };
  return surfaceRefinement ?? DEFAULT_REFINEMENT;
}

/** J put into the liquid from outside during a step; undefined where the run does not say. */
export interface GivenEnergy {
  readonly walls: number | undefined;
  readonly sources: number | undefined;
}

export function readGivenEnergy(record: StepRecord): GivenEnergy {
  const { energy } = readLedger(record);
  return { walls: energy?.['walls'], sources: energy?.['sources'] };
}

/**
 * J that an emitter's liquid brings between two times, as it leaves the middle of its nozzle: motion and
 * height, not pressure.
 */
export function estimateSourceEnergy(
  scene: Scene,
  sections: readonly number[],
  from: number,
  to: number,
): number {
  let sum = 0;
  scene.emitters.forEach(({ shape, material, flowAt, emittedUntil }, n) => {
    const speed = flowAt(0.5 * (from + to)) / sections[n];
    const height = 0.5 * (shape.bounds.min[2] + shape.bounds.max[2]);
    const volume = emittedUntil(to) - emittedUntil(from);
    sum += material.density * volume * (0.5 * speed * speed - scene.gravity[2] * height);
  });
  return sum;
}
