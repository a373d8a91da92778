/**
 * Bounds and switches of the tracker with the defaults of [da-2017] 9.6. Lengths are given as edge bounds;
 * every other bound is relative to L, the mean of the two, so that a scene scaled as a whole behaves the
 * same.
 */
import { InputError } from '../../core/errors.ts';
import type { Metres } from '../../core/types.ts';

export interface TrackerOptions {
  /** Shorter edges are collapsed, longer ones split (9.3). */
  readonly minEdge: Metres;
  readonly maxEdge: Metres;
  /** Greatest change of a region's volume by one edit, in L^3 */
  readonly maxVolumeChange: number;
  /**
   * Greatest change of a region's volume by one separation or snap, in L^3. Parting regions cuts off their
   * tips: half the distance of separation over a star of six equilateral faces takes 0.05 * 2.6 / 3 = 0.043.
   * The bound of other edits would leave a hundredth of the distance, and needles that improvement undoes.
   */
  readonly maxTopologyChange: number;
  /** Least area of a face an edit may create, in L^2 */
  readonly minArea: number;
  /** Range of the angles an edit may create, degrees */
  readonly minAngle: number;
  readonly maxAngle: number;
  /** Edges opposite a larger angle are split whatever their length, degrees */
  readonly splitAngle: number;
  /** Faces with angles outside this range are mended by all means (9.5), degrees */
  readonly poorMinAngle: number;
  readonly poorMaxAngle: number;
  /** Edges bent by more are features (9.1), degrees */
  readonly featureAngle: number;
  /**
   * Vertices of faces with a smaller angle are smoothed, degrees; 60: all vertices, as in the thesis (9.4)
   */
  readonly smoothAngle: number;
  /** Edges bent by more are folds that smoothing opens (9.4), degrees */
  readonly foldAngle: number;
  /** Distance between the two vertices a separation makes, in L (chapter 6) */
  readonly separation: number;
  /**
   * By area: may regions that meet in a point come to share a face (face-opening.ts), and edges of four faces
   * part where only both ends together lose area (candidates.ts)?
   */
  readonly contacts: boolean;
  /** Surfaces closer than this push each other apart, in L (5.2) */
  readonly proximity: number;
  /** Surfaces closer than this merge, in L (chapter 8); must exceed `proximity` */
  readonly mergeProximity: number;
  /**
   * Near surfaces merge if their motion brings them into contact within so many steps; Infinity: if they
   * close at all (merge.ts)
   */
  readonly mergeHorizon: number;
  /** Passes of split, collapse, flip and smooth in one improvement. */
  readonly passes: number;
  /** May edits change topology: T1, T2, merging and collapses across thin parts? */
  readonly topology: boolean;
  /** Place new vertices by modified butterfly subdivision, or halfway. */
  readonly butterfly: boolean;
  readonly flips: boolean;
  readonly smoothing: boolean;
}

export const trackerDefaults = {
  maxVolumeChange: 1e-3,
  maxTopologyChange: 0.04,
  minArea: 0.02,
  minAngle: 3,
  maxAngle: 177,
  splitAngle: 160,
  poorMinAngle: 2,
  poorMaxAngle: 178,
  featureAngle: 30,
  smoothAngle: 25,
  foldAngle: 165,
  separation: 0.1,
  contacts: false,
  proximity: 1e-4,
  mergeProximity: 0.02,
  mergeHorizon: 2,
  passes: 1,
  topology: true,
  butterfly: true,
  flips: true,
  smoothing: true,
} as const;

/** Options by name, the rest by default; refuses what cannot work. */
export function resolveOptions(
  given: Partial<TrackerOptions> & Pick<TrackerOptions, 'minEdge' | 'maxEdge'>,
): TrackerOptions {
  const options: TrackerOptions = { ...trackerDefaults, ...given };
  if (!(options.minEdge > 0) || !(options.maxEdge >= 1.5 * options.minEdge)) {
    throw new InputError(
      'tracker options',
      `edge bounds ${options.minEdge} and ${options.maxEdge}`,
      'give maxEdge at least 1.5 times minEdge, or every split makes edges to collapse',
    );
  }
  if (!(options.mergeProximity > options.proximity)) {
    throw new InputError(
      'tracker options',
      `mergeProximity ${options.mergeProximity} is not above proximity ${options.proximity}`,
      'raise it: surfaces kept farther apart than they merge never merge',
    );
  }
  return options;
}

/** Cosines of the angles at which something is to be done. */
export interface AngleCosines {
  readonly split: number;
  readonly feature: number;
  readonly fold: number;
  readonly smooth: number;
  /** Of the largest and of the smallest angle of a face that is fit. */
  readonly poorLeast: number;
  readonly poorMost: number;
}

export function computeAngleCosines(options: TrackerOptions): AngleCosines {
  const cosine = (degrees: number) => Math.cos((degrees * Math.PI) / 180);
  return {
    split: cosine(options.splitAngle),
    feature: cosine(options.featureAngle),
    fold: cosine(options.foldAngle),
    smooth: cosine(options.smoothAngle),
    poorLeast: cosine(options.poorMaxAngle),
    poorMost: cosine(options.poorMinAngle),
  };
}
