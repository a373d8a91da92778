/**
 * The air in a bubble cannot leave it: at the end of a step every compartment has the volume it began with,
 * and what sources gave it, times its share where the scene kneads its foam.
 *
 * The air's own fluxes keep volumes but for the flatness of faces in a finite step; remeshing, T1 and stopped
 * collisions take more. Both are given back by the least displacement that does it (the tracker's
 * least-motion.ts), and Newton's method since volumes are cubic. The motion of a step is corrected before it
 * is made safe from collisions; what comes after it is settled at the end of the step, in rounds that are
 * safe as well.
 *
 * Two accounts are kept. Debts on half-faces (compartments.ts) follow pieces of bubbles through all edits;
 * but where an edit removes the last face of a piece, the tracker books nothing. The volume that each region
 * is meant to have, by label, catches that.
 *
 * Not in the thesis, which corrects no volumes. The displacement is a constant pressure's per compartment; it
 * changes no circulation. Cost: linear, times a few iterations.
 */
import { type AdvanceReport, advanceVertices } from '../advance.ts';
import { computeLeastMotion } from '../least-motion.ts';
import type { Tracker } from '../tracker.ts';
import {
  type Compartments,
  CRUMB,
  computeDebts,
  computeVolumes,
  findCompartments,
  spreadDebts,
} from './compartments.ts';

/** How far the end of a step settles what edits took. */
export interface Settling {
  /** Excess left to the next motion, as a share of the compartment's volume. */
  readonly tolerance: number;
  /** Rounds at most; what then is left is settled in the next step. */
  readonly rounds: number;
}
const SETTLING: Settling = { tolerance: 1e-4, rounds: 4 };
/** Excess that Newton's method leaves, likewise. */
const NEWTON = { miss: 1e-7, most: 4 };
/** Longest displacement in a round, in L: more is settled in part. */
const LONGEST = 0.1;
/**
 * Most that a compartment gives or takes at once, as a share of its volume. The last of a bubble that is
 * drained would ask for motions without bound, for which those that keep its neighbours' volumes would be cut
 * short.
 */
const LARGEST_SHARE = 0.5;
/** Residual of the multipliers, as a share: Newton's next round takes the rest. */
const SOLVED = 1e-4;

type IsGhost = ((f: number) => boolean) | undefined;

/** What a region's volume is to be, as a share of its own. */
export type VolumeShare = (region: number) => number;

const WHOLE: VolumeShare = () => 1;

/**
 * Moves the vertices to `proposed` (vertexFill x 3), corrected so that the books are settled, safe from
 * collisions. `knead`: regions are to have this share of their `meant` volumes afterwards. `crumb`: as
 * compartments.ts has it.
 */
export function moveKeepingVolumes(
  tracker: Tracker,
  isGhost: IsGhost,
  proposed: Float64Array,
  knead?: { readonly meant: ReadonlyMap<number, number>; readonly share: VolumeShare },
  crumb = CRUMB,
): AdvanceReport {
  const compartments = findCompartments(tracker, isGhost, crumb);
  const debt = computeDebts(tracker.mesh, compartments);
  if (knead) bookShares(tracker, compartments, debt, knead.meant, knead.share);
  return settle(tracker, compartments, debt, proposed);
}

/** Volume of each piece, and of each region, by label, once its debts are settled. */
function measureSettled({ mesh }: Tracker, { of, count, label }: Compartments, debt: Float64Array) {
  const volume = computeVolumes(mesh, of, count, mesh.position);
  const settled = new Map<number, number>();
  label.forEach((region, c) => {
    settled.set(region, (settled.get(region) ?? 0) + volume[c] - debt[c]);
  });
  return { volume, settled };
}

/** All pieces of a region are to grow alike. */
function bookShares(
  tracker: Tracker,
  compartments: Compartments,
  debt: Float64Array,
  meant: ReadonlyMap<number, number>,
  share: VolumeShare,
): void {
  const { count, label } = compartments;
  const { volume, settled } = measureSettled(tracker, compartments, debt);
  for (let c = 0; c < count; c++) {
    const own = meant.get(label[c]);
    if (own !== undefined) debt[c] -= volume[c] * ((own * share(label[c])) / settled.get(label[c])! - 1);
  }
}

/** The volume of each closed region, by label: what it is meant to have from then on. */
export function measureMeant(tracker: Tracker, isGhost: IsGhost): Map<number, number> {
  const meant = new Map<number, number>();
  const compartments = findCompartments(tracker, isGhost);
  audit(tracker, compartments, computeDebts(tracker.mesh, compartments), meant, WHOLE);
  return meant;
}

/**
 * Settles what edits took since the motion. `meant`: own volume of each region, by label; regions new to it
 * begin with what they have. `share`: the part of it that they are to have at this moment. Returns the number
 * of rounds.
 */
export function keepVolumes(
  tracker: Tracker,
  isGhost: IsGhost,
  meant: Map<number, number>,
  share = WHOLE,
  crumb = CRUMB,
  { tolerance, rounds } = SETTLING,
): number {
  const { mesh } = tracker;
  const compartments = findCompartments(tracker, isGhost, crumb);
  const debt = computeDebts(mesh, compartments);
  const isLost = audit(tracker, compartments, debt, meant, share);
  for (let round = 0; ; round++) {
    const volume = computeVolumes(mesh, compartments.of, compartments.count, mesh.position);
    const isSettled = debt.every((d, c) => Math.abs(d) <= tolerance * volume[c]);
    if (isSettled || round === rounds) {
      if (round === 0 && isLost) spreadDebts(mesh, compartments, debt);
      return round;
    }
    settle(tracker, compartments, debt, mesh.position.slice(0, 3 * mesh.vertexFill));
  }
}

/**
 * Adds to the debts of each region's largest piece what the books do not know of; true where there was such.
 */
function audit(
  tracker: Tracker,
  compartments: Compartments,
  debt: Float64Array,
  meant: Map<number, number>,
  share: VolumeShare,
): boolean {
  const { count, label, isMain } = compartments;
  const { settled } = measureSettled(tracker, compartments, debt);
  const closed = new Set<number>();
  let isLost = false;
  for (let c = 0; c < count; c++) {
    if (!isMain[c]) continue;
    closed.add(label[c]);
    const own = meant.get(label[c]);
    if (own === undefined) meant.set(label[c], settled.get(label[c])! / share(label[c]));
    else {
      const wanted = own * share(label[c]);
      const lost = settled.get(label[c])! - wanted;
      debt[c] += lost;
      if (Math.abs(lost) > NEWTON.miss * wanted) isLost = true;
    }
  }
  for (const region of [...meant.keys()]) if (!closed.has(region)) meant.delete(region);
  return isLost;
}

/**
 * Goes to `proposed` with all debts settled as far as may be; `debt` becomes what is left, on the half-faces
 * too.
 */
function settle(
  tracker: Tracker,
  compartments: Compartments,
  debt: Float64Array,
  proposed: Float64Array,
): AdvanceReport {
  const { mesh } = tracker;
  const { of, count } = compartments;
  const before = computeVolumes(mesh, of, count, mesh.position);
  correct(tracker, compartments, before, debt, proposed);
  const report = advanceVertices(tracker, proposed);
  const after = computeVolumes(mesh, of, count, mesh.position);
  for (let c = 0; c < count; c++) debt[c] += after[c] - before[c];
  spreadDebts(mesh, compartments, debt);
  return report;
}

/** Newton's method on the volumes at `proposed`, which are to be `before` less `debt`. */
function correct(
  tracker: Tracker,
  { of, count }: Compartments,
  before: Float64Array,
  debt: Float64Array,
  proposed: Float64Array,
): void {
  const { mesh } = tracker;
  let room = LONGEST * tracker.length;
  for (let n = 0; n < NEWTON.most; n++) {
    const excess = computeVolumes(mesh, of, count, proposed);
    let worst = 0;
    for (let c = 0; c < count; c++) {
      const most = LARGEST_SHARE * Math.abs(before[c]);
      excess[c] = Math.max(-most, Math.min(most, excess[c] + debt[c] - before[c]));
      worst = Math.max(worst, Math.abs(excess[c]) / Math.abs(before[c]));
    }
    if (worst <= NEWTON.miss) return;
    const step = new Float64Array(3 * mesh.vertexFill);
    const longest = computeLeastMotion(tracker, of, proposed, excess, SOLVED, step);
    const share = longest > room ? room / longest : 1;
    for (let i = 0; i < step.length; i++) proposed[i] += share * step[i];
    tracker.walls?.holdAllProposed(proposed);
    if (share < 1) return;
    room -= longest;
  }
}
