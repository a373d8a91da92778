/**
 * The ledger: what each step did to volume and energy, by cause. A method measures the causes itself
 * (StepReport.ledger); the runner adds what they leave over under a name of its own, so that nothing stays
 * unbooked in silence (run/books.ts).
 *
 * Volume, m^3, of what the diagnostics call `volume`:
 *     volume before + all causes = volume after.
 * Energy, J, of motion and surface: kinetic + surface energy, as far as the method has them:
 *     kinetic + surface before + all causes = kinetic + surface after.
 * There gravity is a cause like the others: its work is the potential energy that the liquid loses, apart
 * from what sources bring or take along. So `numerics` is also the change of the *total* energy, potential
 * included, that walls and sources do not account for.
 */

/**
 * Causes that are meant: start, sources and events of the scene, flows that change volumes by design. What
 * should be there is their sum.
 */
export const MEANT_VOLUME = ['start', 'emitted', 'drained', 'popped', 'enclosed', 'growth'] as const;

/** Causes of the method's own making: each is an error, or mends one. */
export const UNMEANT_VOLUME = ['transport', 'contouring', 'remeshing', 'dropped', 'correction'] as const;

export type MeantVolume = (typeof MEANT_VOLUME)[number];
export type VolumeCause = MeantVolume | (typeof UNMEANT_VOLUME)[number];

/** m^3 by cause; losses are negative. `start` is the runner's to book. */
export type VolumeLedger = Partial<Record<Exclude<VolumeCause, 'start'>, number>>;

/**
 * J by cause; losses are negative. Gravity and the rest are the runner's to book: they follow from the
 * diagnostics.
 */
export interface EnergyLedger {
  /** Work of moving walls, solids and wires on the liquid. */
  readonly walls?: number;
  /** Kinetic energy that sources bring and drains take, with the work of their pressure. */
  readonly sources?: number;
  /**
   * Potential energy that sources bring and drains take: no part of the sum, but the work of gravity is
   * without it.
   */
  readonly sourcePotential?: number;
  /** What viscosity turns to heat: negative. */
  readonly viscosity?: number;
  /** Surface energy of films that burst. */
  readonly popped?: number;
  /**
   * What the rest is. numerics: dissipation or gain by the method, damping that the scene asks for among it.
   * work: also work from outside that the method cannot measure in this step, as that of a wire that moves.
   */
  readonly rest: 'numerics' | 'work';
}

/** What a step did, by cause. */
export interface StepLedger {
  readonly volume: VolumeLedger;
  /** Absent where the method has no energy. */
  readonly energy?: EnergyLedger;
}
