/**
 * The balance of a run: how much of the volume that should be there is, and whether the energy rose where
 * nothing gave any. Bounds stand here and in docs/formats.md.
 *
 * Volume: what is off, over what should be there; where the scene drains or pops nearly all of it, over a
 * twentieth of the most that there should have been, and where its flows change volumes by design, over all
 * of that most. Energy: the change that neither walls nor sources account for ("numerics" of the ledger), as
 * means over tenths of a second, so that the jolt of an impact within a step does not count. Rises from one
 * mean to the next are added up; falls are dissipation and free. All over what the run was given: the energy
 * at the start, its height counted from the domain's lowest corner, and what walls and sources brought.
 */
import type { Seconds } from '../core/types.ts';

/** Volume may be off by so much of what should be there. */
export const VOLUME_BOUND = 0.01;
/** Energy may rise by so much of what was given from one tenth of a second to the next, and in sum. */
export const ENERGY_RISE_BOUND = 0.005;
export const ENERGY_SUM_BOUND = 0.02;
/** s over which the energy is averaged */
export const ENERGY_WINDOW: Seconds = 0.1;

/**
 * Shares of the largest volume meant so far: errors are measured against `small` at least; below `none`
 * nothing is left.
 */
const SHARE = { small: 0.05, none: 1e-6 };

/** When a step ended, and the frame it leads to. */
export interface Moment {
  readonly frame: number;
  readonly time: Seconds;
  readonly dt: Seconds;
}

/** What run.json says of volume. */
export interface VolumeBalance {
  /** m^3, now and what should be there */
  readonly now: number;
  readonly meant: number;
  /** 1: all that should be there. */
  readonly kept: number;
  /** Where it was worst. */
  readonly worst: { readonly kept: number; readonly frame: number };
  /** First frame beyond the bound. */
  readonly beyondFrom?: number;
  /** Frame since which nothing is left. */
  readonly emptyFrom?: number;
}

/** What run.json says of energy; shares of `given`. */
export interface EnergyBalance {
  /** J */
  readonly given: number;
  /** Sum of all rises, and the largest of them with its frame. */
  readonly rise: number;
  readonly largestRise: number;
  readonly frame: number;
  /** Gain (or loss, by dissipation) in all that nothing accounts for. */
  readonly change: number;
  /** Change in steps with work from outside that the method cannot measure: not judged. */
  readonly work?: number;
  readonly beyondFrom?: number;
}

export interface Balance {
  readonly volume?: VolumeBalance;
  readonly energy?: EnergyBalance;
  /** Nothing is beyond its bound. */
  readonly within: boolean;
}

/** Follows the volume from step to step. Plain numbers: the books save them by name. */
export class VolumeKept {
  /** m^3, the most that should have been there so far */
  most = 0;
  /** m^3 that errors are measured against now */
  scale = 0;
  worst = 1;
  worstFrame = 0;
  beyondFrom: number | undefined;
  emptyFrom: number | undefined;

  /**
   * `growth`: what flows of the scene changed by design, m^3: an error made while there was much then stays
   * when there is little.
   */
  judge(volume: number, meant: number, growth: number, frame: number): void {
    this.most = Math.max(this.most, meant);
    this.scale =
      Math.abs(growth) > SHARE.none * this.most ? this.most : Math.max(meant, SHARE.small * this.most);
    if (this.most === 0) return;
    const kept = 1 + (volume - meant) / this.scale;
    if (Math.abs(kept - 1) > Math.abs(this.worst - 1)) {
      this.worst = kept;
      this.worstFrame = frame;
    }
    if (Math.abs(kept - 1) > VOLUME_BOUND) this.beyondFrom ??= frame;
    if (volume > SHARE.none * this.most) this.emptyFrom = undefined;
    else this.emptyFrom ??= frame;
  }
}

/** Follows the energy, likewise. */
export class EnergyRises {
  /** J, start and what walls and sources brought */
  given = 0;
  /** The window that is being filled: its number, its integral (J s) and how much of it there is (s). */
  window = 0;
  integral = 0;
  seconds = 0;
  /** Mean of the window before, J; undefined in the first. */
  mean: number | undefined;
  /** J */
  sum = 0;
  largest = 0;
  frame = 0;
  lastFrame = 0;
  beyondFrom: number | undefined;

  /** `change`: J that nothing accounts for since the start. */
  judge(change: number, { frame, time, dt }: Moment): void {
    // By the step's middle: one that ends with the window belongs to it.
    const number = Math.floor((time - 0.5 * dt) / ENERGY_WINDOW);
    if (number !== this.window) this.close(this.lastFrame);
    this.window = number;
    this.lastFrame = frame;
    this.integral += change * dt;
    this.seconds += dt;
  }

  /**
   * Rises up to now: the window that is being filled counts as soon as it is half full, or where it is the
   * only one.
   */
  upToNow(): EnergyRises {
    const copy = Object.assign(new EnergyRises(), this);
    if (this.mean === undefined || this.seconds > 0.5 * ENERGY_WINDOW) copy.close(this.lastFrame);
    return copy;
  }

  private close(frame: number): void {
    if (this.seconds === 0) return;
    const mean = this.integral / this.seconds;
    const rise = Math.max(0, mean - (this.mean ?? 0));
    this.sum += rise;
    if (rise > this.largest) {
      this.largest = rise;
      this.frame = frame;
    }
    const isBeyond = rise > ENERGY_RISE_BOUND * this.given || this.sum > ENERGY_SUM_BOUND * this.given;
    if (isBeyond) this.beyondFrom ??= frame;
    this.mean = mean;
    this.integral = 0;
    this.seconds = 0;
  }
}

/** The figures that a balance is made of. */
export interface BalanceFigures {
  readonly volume?: Omit<VolumeKept, 'judge'> & { readonly now: number; readonly meant: number };
  readonly energy?: Omit<EnergyRises, 'judge' | 'upToNow'> & {
    readonly change: number;
    readonly work?: number | undefined;
  };
}

export function buildBalance({ volume, energy }: BalanceFigures): Balance {
  const kept = volume && volume.most > 0 ? volume : undefined;
  const moved = energy && energy.given > 0 ? energy : undefined;
  return {
    ...(kept && {
      volume: {
        now: kept.now,
        meant: kept.meant,
        kept: 1 + (kept.now - kept.meant) / kept.scale,
        worst: { kept: kept.worst, frame: kept.worstFrame },
        ...(kept.beyondFrom !== undefined && { beyondFrom: kept.beyondFrom }),
        ...(kept.emptyFrom !== undefined && { emptyFrom: kept.emptyFrom }),
      },
    }),
    ...(moved && {
      energy: {
        given: moved.given,
        rise: moved.sum / moved.given,
        largestRise: moved.largest / moved.given,
        frame: moved.frame,
        change: moved.change / moved.given,
        ...(moved.work !== undefined && { work: moved.work / moved.given }),
        ...(moved.beyondFrom !== undefined && { beyondFrom: moved.beyondFrom }),
      },
    }),
    within: kept?.beyondFrom === undefined && moved?.beyondFrom === undefined,
  };
}

/** A sentence of the summary; `bad`: beyond a bound. */
export interface BalanceLine {
  readonly text: string;
  readonly bad: boolean;
}

/** The balance in words: one line when all is well, and one for each bound that was passed. */
export function describeBalance({ volume, energy }: Balance): BalanceLine[] {
  const lines: BalanceLine[] = [];
  const good: string[] = [];
  if (volume) {
    const kept = `volume kept ${percent(volume.kept)}`;
    const worst = `${percent(volume.worst.kept)} in frame ${volume.worst.frame}`;
    if (volume.beyondFrom === undefined) good.push(kept);
    else {
      const bound = percent(VOLUME_BOUND);
      const text = `${kept} of what should be there: off by more than ${bound} from frame ${volume.beyondFrom} on, at worst ${worst}`;
      lines.push({ text, bad: true });
    }
    if (volume.emptyFrom !== undefined) lines.push(describeEmpty(volume, volume.emptyFrom));
  }
  if (energy) {
    const within = `energy within ${percent(energy.rise)}`;
    const lost = energy.change < 0 ? `, ${percent(-energy.change)} dissipated` : '';
    const work =
      energy.work === undefined ? '' : ` (and work from outside, ${percent(energy.work)}, unmeasured)`;
    if (energy.beyondFrom === undefined) good.push(`${within}${lost}${work}`);
    else {
      const bounds = `${percent(ENERGY_RISE_BOUND)} in a tenth of a second, ${percent(ENERGY_SUM_BOUND)} in sum`;
      const most = `at most ${percent(energy.largestRise)} in frame ${energy.frame}`;
      const text = `energy rose by ${percent(energy.rise)} in sum, ${most}: beyond the bounds (${bounds}) from frame ${energy.beyondFrom} on`;
      lines.push({ text, bad: true });
    }
  }
  if (good.length > 0) lines.unshift({ text: good.join(', '), bad: false });
  return lines;
}

function describeEmpty(volume: VolumeBalance, frame: number): BalanceLine {
  const bad = volume.beyondFrom !== undefined;
  const why = bad ? 'though it should be there' : 'as the scene asks';
  return { text: `nothing is left from frame ${frame} on, ${why}`, bad };
}

/** Enough figures to tell 99.6 % from all of it. */
function percent(share: number): string {
  const value = 100 * share;
  if (value > 0 && value < 0.01) return '< 0.01 %';
  return `${Number(value.toFixed(Math.abs(value) < 10 ? 2 : 1))} %`;
}
