/** Double integrals over pairs of triangles against adaptive quadrature of the closed inner form. */
import { describe, expect, it } from 'vitest';
import { computePairIntegrals } from '../../../src/integrals/panels/pair-integrals.ts';
import {
  computePanelPotentials,
  PANEL,
  POTENTIALS,
  setPanel,
} from '../../../src/integrals/panels/panel-potentials.ts';
import { integrateAdaptively, type Point } from './adaptive.ts';

interface Pair {
  readonly position: readonly number[];
  readonly triangle: readonly number[];
}

const share = (position: number[], triangle: number[]): Pair => ({ position, triangle });
const base = [0, 0, 0, 1, 0.1, 0, 0.4, 0.9, 0.1];

const pairs: [string, Pair][] = [
  ['same', share(base, [0, 1, 2, 0, 1, 2])],
  ['flat across an edge', share([...base, 0.6, -0.8, 0], [0, 1, 2, 1, 0, 3])],
  ['bent across an edge', share([...base, 0.6, -0.5, 0.6], [0, 1, 2, 1, 0, 3])],
  ['folded across an edge', share([...base, 0.5, 0.6, 0.5], [0, 1, 2, 1, 0, 3])],
  ['another edge', share([...base, 1.2, 1.1, 0.3], [0, 1, 2, 2, 1, 3])],
  ['a corner', share([...base, -0.9, 0.2, 0.1, -0.5, -0.7, 0.3], [0, 1, 2, 0, 3, 4])],
  ['the last corner', share([...base, 0.9, 1.5, 0.2, -0.1, 1.6, 0], [0, 1, 2, 2, 3, 4])],
  ['next but one', share([...base, 1.4, 1, 0.2, 1.9, 0.2, 0.3, 2.2, 1.2, 0.1], [0, 1, 2, 3, 4, 5])],
  ['close above', share([...base, 0.1, 0.1, 0.3, 1.2, 0.2, 0.3, 0.5, 1, 0.35], [0, 1, 2, 3, 4, 5])],
  ['very close above', share([...base, 0.1, 0.1, 0.05, 1.2, 0.2, 0.06, 0.5, 1, 0.17], [0, 1, 2, 3, 4, 5])],
];

function integrate({ position, triangle }: Pair): { found: Float64Array; truth: number[] } {
  const panel = new Float64Array(2 * PANEL);
  for (let t = 0; t < 2; t++) setPanel(position, triangle, t, panel, PANEL * t);
  const found = new Float64Array(POTENTIALS);
  computePairIntegrals(panel, triangle, 0, 1, 'single', found);
  const inner = new Float64Array(POTENTIALS);
  const corner = (i: number): Point => [panel[3 * i], panel[3 * i + 1], panel[3 * i + 2]];
  const truth = integrateAdaptively(
    [corner(0), corner(1), corner(2)],
    POTENTIALS,
    ([x, y, z]) => {
      computePanelPotentials(panel, PANEL, x, y, z, inner);
      return Array.from(inner);
    },
    1e-8,
    12,
  );
  return { found, truth };
}

describe('double integrals over pairs', () => {
  it.each(pairs)('%s', (_, pair) => {
    const { found, truth } = integrate(pair);
    for (let n = 0; n < POTENTIALS; n++) {
      // In units of the constant density's integral; that of the double layer is small where faces lie in one
      // plane.
      const scale = n < 4 ? truth[0] : Math.max(Math.abs(truth[4]), 0.1 * truth[0]);
      expect(Math.abs(found[n] - truth[n])).toBeLessThan(4e-4 * scale);
    }
  });

  it.each(pairs)('of a constant density alone are the same: %s', (_, { position, triangle }) => {
    const panel = new Float64Array(2 * PANEL);
    for (let t = 0; t < 2; t++) setPanel(position, triangle, t, panel, PANEL * t);
    const [all, constant] = [new Float64Array(POTENTIALS), new Float64Array(POTENTIALS)];
    computePairIntegrals(panel, triangle, 0, 1, 'double', all);
    computePairIntegrals(panel, triangle, 0, 1, 'constant', constant);
    expect([constant[0], constant[4]]).toEqual([all[0], all[4]]);
  });

  it('of a triangle without area are 0', () => {
    const { found } = integrate(share([...base, 2, 0.2, 0], [0, 1, 2, 0, 1, 3]));
    expect(Array.from(found)).toEqual(new Array(POTENTIALS).fill(0));
  });
});
