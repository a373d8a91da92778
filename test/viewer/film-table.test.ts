import { describe, expect, it } from 'vitest';
import {
  buildFilmTable,
  computeFresnel,
  computeReflectance,
  FILM_INDEX,
  MAX_THICKNESS,
  matchColor,
  TABLE_HEIGHT,
  TABLE_WIDTH,
} from '../../viewer/src/view/film-table.ts';

const NORMAL_REFLECTANCE = ((FILM_INDEX - 1) / (FILM_INDEX + 1)) ** 2;

describe('one wave on a film', () => {
  it('is lost on a film much thinner than itself, and where two paths differ by whole waves', () => {
    expect(computeReflectance(0, 1, 550)).toBe(0);
    expect(computeReflectance(550 / (2 * FILM_INDEX), 1, 550)).toBeLessThan(1e-12);
  });

  it('is brightest where they differ by half a wave: 4 r^2 / (1 + r^2)^2', () => {
    const quarter = 550 / (4 * FILM_INDEX);
    const r = NORMAL_REFLECTANCE;
    expect(computeReflectance(quarter, 1, 550)).toBeCloseTo((4 * r) / (1 + r) ** 2, 12);
  });

  it('meets two Fresnel faces on average, and shows none of one polarisation at Brewster’s angle', () => {
    const brewster = Math.cos(Math.atan(FILM_INDEX));
    expect(computeFresnel(brewster).along).toBeLessThan(1e-20);
    expect(computeFresnel(1).across).toBeCloseTo(NORMAL_REFLECTANCE, 12);
    // Over a whole turn of phase the mean of Airy's sum is 2 r^2 / (1 + r^2).
    const period = 550 / (2 * FILM_INDEX);
    let sum = 0;
    for (let i = 0; i < 400; i++) sum += computeReflectance((i / 400) * period, 1, 550);
    expect(sum / 400).toBeCloseTo((2 * NORMAL_REFLECTANCE) / (1 + NORMAL_REFLECTANCE), 9);
  });
});

describe('matching functions', () => {
  it('peak where the CIE says', () => {
    expect(matchColor(555)[1]).toBeGreaterThan(0.97);
    expect(matchColor(600)[0]).toBeGreaterThan(1.03);
    expect(matchColor(445)[2]).toBeGreaterThan(1.7);
    expect(Math.max(...matchColor(740))).toBeLessThan(0.01);
  });
});

describe('the table', () => {
  const table = buildFilmTable();
  const look = (thickness: number, cosine: number) => {
    const column = Math.round((thickness / MAX_THICKNESS) * (TABLE_WIDTH - 1));
    const row = Math.round(cosine * (TABLE_HEIGHT - 1));
    return [...table.subarray(4 * (row * TABLE_WIDTH + column), 4 * (row * TABLE_WIDTH + column) + 3)];
  };

  it('is black for black film, silver white at a quarter wave, then yellow, purple and blue: the order of Newton', () => {
    expect(Math.max(...look(0, 1))).toBeLessThan(1e-6);
    const silver = look(100, 1);
    expect(Math.min(...silver)).toBeGreaterThan(0.05);
    expect(Math.max(...silver) / Math.min(...silver)).toBeLessThan(1.4);
    const yellow = look(150, 1);
    expect(yellow[0]).toBeGreaterThan(2 * yellow[2]);
    expect(yellow[1]).toBeGreaterThan(2 * yellow[2]);
    const purple = look(185, 1);
    expect(purple[1]).toBeLessThan(0.5 * purple[0]);
    const blue = look(220, 1);
    expect(blue[2]).toBeGreaterThan(3 * Math.max(blue[0], 0));
  });

  it('is a mirror at the rim, and pale for thick films', () => {
    for (const c of look(400, 0)) expect(c).toBeGreaterThan(0.95);
    const thick = look(1590, 1);
    const thin = look(400, 1);
    const spread = (c: number[]) => Math.max(...c) - Math.min(...c);
    expect(spread(thick)).toBeLessThan(0.5 * spread(thin));
  });

  it('shifts to shorter waves when seen aslant: a film looks as a thinner one', () => {
    // Same phase: d cos(inside) is what counts.
    const { inside } = computeFresnel(40 / 63);
    const aslant = look(400, 40 / 63);
    const straight = look(400 * inside, 1);
    const hue = ([r, g, b]: number[]) => Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b);
    expect(Math.abs(hue(aslant) - hue(straight))).toBeLessThan(0.2);
    expect(Math.abs(hue(look(400, 1)) - hue(straight))).toBeGreaterThan(0.5);
  });
});
