/**
 * The books of a run: what every step did to volume and energy by cause (methods/ledger.ts), added up since
 * the start. What a method does not name is booked as `unexplained`, so the causes of a step always add up to
 * its change. The books are part of the snapshot: a resumed run goes on with the same numbers.
 *
 * Along the way they note what the balance (balance.ts) will say: the worst volume, the rises of the energy,
 * and the frames where bounds were passed.
 */
import type { Box, Vec3 } from '../core/types.ts';
import { type EnergyLedger, MEANT_VOLUME, type StepLedger } from '../methods/ledger.ts';
import type { Diagnostics } from '../methods/method.ts';
import { type Balance, buildBalance, EnergyRises, type Moment, VolumeKept } from './balance.ts';

/** By cause, m^3 or J. */
export type Causes = Record<string, number>;

/** The ledger of one step as stats.jsonl has it. */
export interface LedgerRecord {
  /** m^3: add up to the step's change of `volume`. The first record has `start`. */
  volume?: Causes;
  /** J: add up to the step's change of kinetic and surface energy, likewise. */
  energy?: Causes;
  /** All steps up to this one: add up to the volume, and to kinetic and surface energy. */
  total: { volume?: Causes; energy?: Causes };
  /** m^3: start and all causes that are meant. */
  volumeMeant?: number;
}

/** What the books need to know of the scene. */
export interface BookedScene {
  readonly gravity: Vec3;
  readonly domain: Box;
}

/** What the books compare from step to step. */
interface Figures {
  volume?: number | undefined;
  /** Kinetic and surface energy, J */
  motion?: number | undefined;
  potential?: number | undefined;
}

/** Named numbers: what a snapshot holds of the books. */
export type SavedBooks = Readonly<Record<string, number>>;

const FIGURES = ['volume', 'motion', 'potential'] as const;

export class Books {
  private readonly lowest: number;
  private last: Figures = {};
  private readonly volume: Causes = {};
  private readonly energy: Causes = {};
  /** What a poke did since the last step. */
  private poked: Figures = {};
  private readonly kept = new VolumeKept();
  private readonly rises = new EnergyRises();

  constructor({ gravity, domain }: BookedScene) {
    this.lowest = findLowestPotential(gravity, domain);
  }

  /** Begins with the state of a run, of which nothing was booked before. */
  open(diagnostics: Diagnostics, moment: Moment): LedgerRecord {
    const now = takeFigures(diagnostics);
    this.last = now;
    if (now.volume !== undefined) this.volume['start'] = now.volume;
    if (now.motion !== undefined) {
      this.energy['start'] = now.motion;
      const height = (now.potential ?? 0) - (diagnostics.mass ?? 0) * this.lowest;
      this.rises.given = now.motion + Math.max(0, height);
    }
    this.judge(now, moment);
    return this.write(this.volume, this.energy);
  }

  /** Books a step. */
  book(diagnostics: Diagnostics, ledger: StepLedger | undefined, moment: Moment): LedgerRecord {
    const now = takeFigures(diagnostics);
    const volume = this.bookVolume(now, ledger);
    const energy = this.bookEnergy(now, ledger, diagnostics);
    this.last = now;
    this.poked = {};
    addTo(this.volume, volume);
    addTo(this.energy, energy);
    this.judge(now, moment);
    return this.write(volume, energy);
  }

  /** A person touched the surface between two steps: what that did is meant, and belongs to the next step. */
  poke(before: Diagnostics, after: Diagnostics): void {
    const [then, now] = [takeFigures(before), takeFigures(after)];
    for (const name of FIGURES) {
      const [from, to, last] = [then[name], now[name], this.last[name]];
      if (from === undefined || to === undefined || last === undefined) continue;
      this.poked[name] = (this.poked[name] ?? 0) + to - from;
      this.last[name] = last + to - from;
    }
  }

  balance(): Balance {
    const meant = this.sumMeant();
    const { volume } = this.last;
    const { numerics = 0, unexplained = 0, work } = this.energy;
    return buildBalance({
      ...(volume === undefined || meant === undefined
        ? {}
        : { volume: { ...this.kept, now: volume, meant } }),
      ...(this.last.motion === undefined
        ? {}
        : { energy: { ...this.rises.upToNow(), change: numerics + unexplained, work } }),
    });
  }

  save(): SavedBooks {
    const saved: Record<string, number> = {};
    const add = (prefix: string, values: object) => {
      for (const [name, value] of Object.entries(values))
        if (typeof value === 'number') saved[`${prefix}.${name}`] = value;
    };
    add('last', this.last);
    add('volume', this.volume);
    add('energy', this.energy);
    add('poked', this.poked);
    add('kept', this.kept);
    add('rises', this.rises);
    return saved;
  }

  restore(saved: SavedBooks): void {
    const parts: Record<string, object> = {
      last: this.last,
      volume: this.volume,
      energy: this.energy,
      poked: this.poked,
      kept: this.kept,
      rises: this.rises,
    };
    for (const [key, value] of Object.entries(saved)) {
      const dot = key.indexOf('.');
      const part = parts[key.slice(0, dot)];
      if (part) Object.assign(part, { [key.slice(dot + 1)]: value });
    }
  }

  private bookVolume(now: Figures, ledger: StepLedger | undefined): Causes {
    if (now.volume === undefined || this.last.volume === undefined) return {};
    const causes: Causes = { ...ledger?.volume };
    const { volume: poked } = this.poked;
    const change = now.volume - this.last.volume;
    const unexplained = change - sum(causes);
    // What a person popped happened before the step, whose causes know nothing of it.
    if (poked) causes['popped'] = (causes['popped'] ?? 0) + poked;
    return { ...causes, unexplained };
  }

  private bookEnergy(now: Figures, ledger: StepLedger | undefined, { mass, volume }: Diagnostics): Causes {
    if (now.motion === undefined || this.last.motion === undefined) return {};
    const energy: Partial<EnergyLedger> = ledger?.energy ?? {};
    const { rest = 'unexplained', sourcePotential = 0, ...named } = energy;
    const causes: Causes = {};
    if (now.potential !== undefined && this.last.potential !== undefined)
      causes['gravity'] = this.last.potential - now.potential + sourcePotential;
    Object.assign(causes, named);
    const { emitted = 0, drained = 0 } = ledger?.volume ?? {};
    const density = mass !== undefined && volume ? mass / volume : 0;
    const height = sourcePotential - density * (emitted + drained) * this.lowest;
    const brought = (named.walls ?? 0) + (named.sources ?? 0) + height;
    this.rises.given += Math.max(0, brought);
    const left = now.motion - this.last.motion - sum(causes);
    const { motion: poked } = this.poked;
    if (poked) causes['popped'] = (causes['popped'] ?? 0) + poked;
    return { ...causes, [rest]: left };
  }

  private judge(now: Figures, moment: Moment): void {
    const meant = this.sumMeant();
    if (now.volume !== undefined && meant !== undefined)
      this.kept.judge(now.volume, meant, this.volume['growth'] ?? 0, moment.frame);
    const { numerics = 0, unexplained = 0 } = this.energy;
    if (now.motion !== undefined) this.rises.judge(numerics + unexplained, moment);
  }

  private sumMeant(): number | undefined {
    if (this.volume['start'] === undefined) return undefined;
    return MEANT_VOLUME.reduce((total, cause) => total + (this.volume[cause] ?? 0), 0);
  }

  private write(volume: Causes, energy: Causes): LedgerRecord {
    const hasVolume = this.volume['start'] !== undefined;
    const hasEnergy = this.energy['start'] !== undefined;
    return {
      ...(hasVolume && { volume: { ...volume } }),
      ...(hasEnergy && { energy: { ...energy } }),
      total: {
        ...(hasVolume && { volume: { ...this.volume } }),
        ...(hasEnergy && { energy: { ...this.energy } }),
      },
      ...(hasVolume && { volumeMeant: this.sumMeant()! }),
    };
  }
}

function takeFigures({ volume, kineticEnergy, surfaceEnergy, potentialEnergy }: Diagnostics): Figures {
  const motion =
    kineticEnergy === undefined && surfaceEnergy === undefined
      ? undefined
      : (kineticEnergy ?? 0) + (surfaceEnergy ?? 0);
  return { volume, motion, potential: potentialEnergy };
}

const sum = (causes: Causes): number => Object.values(causes).reduce((total, value) => total + value, 0);

function addTo(outTotal: Causes, causes: Causes): void {
  for (const [cause, value] of Object.entries(causes)) outTotal[cause] = (outTotal[cause] ?? 0) + value;
}

/** Potential of gravity at the domain's lowest corner, J/kg. */
function findLowestPotential(gravity: Vec3, { min, max }: Box): number {
  return gravity.reduce((total, g, k) => total + Math.min(-g * min[k], -g * max[k]), 0);
}
