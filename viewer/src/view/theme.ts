import { Color } from 'three';
import type { CurveLook } from './curves.ts';

/** Colours of the drawn scene for the dark and the light page; the page's own colours are in style.css. */
export interface SceneTheme {
  readonly backdropLow: Color;
  readonly backdropHigh: Color;
  readonly floor: Color;
  readonly grid: Color;
  readonly box: Color;
  readonly solid: Color;
  readonly skyZenith: Color;
  readonly skyHorizon: Color;
  readonly skyGround: Color;
  readonly water: Color;
  readonly matte: Color;
  readonly edge: Color;
  readonly ghost: Color;
  /** Particles. */
  readonly spray: Color;
  readonly shadow: number;
  /** Curves where materials meet. */
  readonly curve: CurveLook;
  /** Curves where films meet: the thin channels of liquid there (Plateau borders). */
  readonly border: CurveLook;
  /** What borders throw into all directions, on average, near the outside of a foam. */
  readonly glow: Color;
  /**
   * Linear light above which the look Film bends towards white: above the backdrop, which must stay as it is.
   */
  readonly knee: number;
}

export type ThemeName = 'dark' | 'light';

/** Widths in pixels. */
const CURVE: CurveLook = { color: new Color('#0b1420'), alpha: 0.95, width: 2.2, junctionWidth: 6 };
const BORDER = { width: 1.4, junctionWidth: 2.4 };

export const SCENE_THEMES: Record<ThemeName, SceneTheme> = {
  dark: {
    backdropLow: new Color('#141b27'),
    backdropHigh: new Color('#26344a'),
    floor: new Color('#1d2735'),
    grid: new Color('#41526a'),
    box: new Color('#7f93ad'),
    solid: new Color('#b9a48c'),
    skyZenith: new Color('#9fc4ea'),
    skyHorizon: new Color('#5f7c9d'),
    skyGround: new Color('#1a2433'),
    water: new Color('#2aa9e0'),
    matte: new Color('#59a9d8'),
    edge: new Color('#0b1420'),
    ghost: new Color('#8fc7ee'),
    spray: new Color('#dceefb'),
    shadow: 0.45,
    curve: CURVE,
    border: { ...BORDER, color: new Color('#eaf4ff'), alpha: 0.55 },
    glow: new Color(0.16, 0.19, 0.24),
    knee: 0.6,
  },
  light: {
    backdropLow: new Color('#e9eef4'),
    backdropHigh: new Color('#d3deea'),
    floor: new Color('#e3e9f0'),
    grid: new Color('#b4c2d1'),
    box: new Color('#6b7f96'),
    solid: new Color('#c9b294'),
    skyZenith: new Color('#d7e9fa'),
    skyHorizon: new Color('#b9cfe4'),
    skyGround: new Color('#7f93a8'),
    water: new Color('#1f8fca'),
    matte: new Color('#5aaadb'),
    edge: new Color('#12202f'),
    ghost: new Color('#2c7fb8'),
    spray: new Color('#ffffff'),
    shadow: 0.28,
    curve: CURVE,
    border: { ...BORDER, color: new Color('#4a6078'), alpha: 0.6 },
    glow: new Color(0.72, 0.77, 0.83),
    knee: 0.86,
  },
};
