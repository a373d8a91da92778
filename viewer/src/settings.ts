/**
 * How the picture should look: one plain object, changed through one function, read by viewer and panel
 * alike.
 */
import type { Component } from './view/paint.ts';
import type { ThemeName } from './view/theme.ts';

export type Mode = 'water' | 'surface' | 'wireframe' | 'cut' | 'materials' | 'film' | 'particles';
export const MODES: readonly Mode[] = [
  'water',
  'surface',
  'wireframe',
  'cut',
  'materials',
  'film',
  'particles',
];

/**
 * A plane takes half of a labelled surface or of films away: not at all; regions filled at the plane; or seen
 * into.
 */
export type Slice = 'off' | 'solid' | 'hollow';

export interface Settings {
  mode: Mode;
  shading: 'smooth' | 'flat';
  /** Name of a field, or '' for plain. */
  color: string;
  component: Component;
  map: string;
  /** Null follows each frame's own smallest and largest value. */
  range: readonly [number, number] | null;
  cutAxis: 0 | 1 | 2;
  /** 0..1 across the domain */
  cutPosition: number;
  cutFlip: boolean;
  cutShrink: number;
  ghost: boolean;
  slice: Slice;
  /** Takes away the faces that touch the outside, label 0. */
  hideOuter: boolean;
  /** Labels of regions that are switched off. */
  hiddenRegions: readonly number[];
  /** Curves where sheets meet, and their junctions. */
  curves: boolean;
  /** nm, of films that carry no field `thickness`: in the middle of the height */
  thickness: number;
  /** 0..1: how much thicker films are at the bottom, and thinner at the top */
  thicknessSpread: number;
  floor: boolean;
  box: boolean;
  solids: boolean;
  particles: boolean;
  /** Lines of what the scene's camera sees. */
  frustum: boolean;
  quality: 'fast' | 'high';
  theme: ThemeName;
}

export const DEFAULT_SETTINGS: Readonly<Settings> = {
  mode: 'water',
  shading: 'smooth',
  color: '',
  component: 'magnitude',
  map: 'lagoon',
  range: null,
  cutAxis: 1,
  cutPosition: 0.5,
  cutFlip: false,
  cutShrink: 0,
  ghost: true,
  slice: 'off',
  hideOuter: false,
  hiddenRegions: [],
  curves: true,
  thickness: 420,
  thicknessSpread: 0.6,
  floor: true,
  box: true,
  solids: true,
  particles: true,
  frustum: false,
  quality: 'fast',
  theme: 'dark',
};

export type SettingsListener = (settings: Readonly<Settings>, changed: ReadonlySet<keyof Settings>) => void;

export class SettingsStore {
  private readonly listeners: SettingsListener[] = [];
  private current: Settings;

  constructor(initial: Partial<Settings>) {
    this.current = { ...DEFAULT_SETTINGS, ...initial };
  }

  get value(): Readonly<Settings> {
    return this.current;
  }

  set(change: Partial<Settings>): void {
    const changed = new Set<keyof Settings>();
    for (const key of Object.keys(change) as (keyof Settings)[]) {
      if (this.current[key] !== change[key]) changed.add(key);
    }
    if (changed.size === 0) return;
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener(this.current, changed);
  }

  onChange(listener: SettingsListener): void {
    this.listeners.push(listener);
  }
}
