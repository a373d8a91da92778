/**
 * Viscosity that depends on the flow: mu(gamma), gamma = sqrt(2 e : e) the shear rate in 1/s, e the symmetric
 * part of the velocity gradient. Yield stresses are regularised (Papanastasiou 1987): tau_y (1 - exp(-m
 * gamma)) / gamma, finite at rest.
 */

/** mu */
interface Newtonian {
  readonly type: 'newtonian';
  readonly viscosity: number;
}

/** infinite + (zero - infinite) (1 + (time gamma)^2)^((index - 1) / 2) */
interface Carreau {
  readonly type: 'carreau';
  readonly zero: number;
  readonly infinite: number;
  readonly time: number;
  readonly index: number;
}

/** consistency gamma^(index - 1), between `least` and `most` */
interface PowerLaw {
  readonly type: 'power-law';
  readonly consistency: number;
  readonly index: number;
  readonly least: number;
  readonly most: number;
}

/** viscosity + yieldStress (1 - exp(-gamma regularisation)) / gamma; regularisation in s */
interface Bingham {
  readonly type: 'bingham';
  readonly viscosity: number;
  readonly yieldStress: number;
  readonly regularisation: number;
}

/** (consistency gamma^index + yieldStress) (1 - exp(-gamma regularisation)) / gamma */
interface HerschelBulkley {
  readonly type: 'herschel-bulkley';
  readonly consistency: number;
  readonly index: number;
  readonly yieldStress: number;
  readonly regularisation: number;
}

/** A law as plain data; all numbers in SI. */
export type RheologyLaw = Newtonian | Carreau | PowerLaw | Bingham | HerschelBulkley;

export interface Rheology {
  readonly laws: readonly RheologyLaw[];
  /** (tetCount) number of the tet's law; absent: all the first */
  readonly tetLaw?: Uint8Array;
  /** (tetCount) a factor on the law's viscosity, for a field in space; absent: 1 */
  readonly factor?: Float64Array;
  /** Picard rounds at most; default 20. */
  readonly rounds?: number;
  /** Rounds end where the nonlinear residual is below this; default 1e-3. */
  readonly tolerance?: number;
}

/** Below this shear rate times the law's own time the closed forms are 0/0: their limits hold. */
const AT_REST = 1e-9;

/** (1 - exp(-x)) / x */
const relax = (x: number): number => (x > AT_REST ? -Math.expm1(-x) / x : 1);

/** Dynamic viscosity at a shear rate, Pa s. */
export function computeViscosity(law: RheologyLaw, rate: number): number {
  switch (law.type) {
    case 'newtonian':
      return law.viscosity;
    case 'carreau':
      return law.infinite + (law.zero - law.infinite) * (1 + (law.time * rate) ** 2) ** ((law.index - 1) / 2);
    case 'power-law':
      return Math.min(law.most, Math.max(law.least, law.consistency * rate ** (law.index - 1)));
    case 'bingham':
      return law.viscosity + law.yieldStress * law.regularisation * relax(law.regularisation * rate);
    case 'herschel-bulkley': {
      const m = law.regularisation;
      // Where gamma -> 0 and the index is below 1, gamma^index (1 - exp(-m gamma)) / gamma goes to 0.
      return (law.consistency * rate ** law.index + law.yieldStress) * m * relax(m * rate);
    }
  }
}
