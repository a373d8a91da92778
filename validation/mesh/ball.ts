/**
 * The mesher on a ball: its volume converges as h^2, and its dihedral angles keep to the guarantee of Labelle
 * and Shewchuk 2007.
 */
import { atLeast, atMost, computeOrder, reportRow } from '../../cases/shared/rows.ts';
import { sphere } from '../../src/geometry/shapes.ts';
import { meshShape } from '../../src/mesh/lattice/mesh-shape.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

/** Cells across the ball for about 10 thousand, 100 thousand and 1 million tets. */
const ACROSS = { uniform: [11, 25, 54], graded: [11, 29, 82] };
/** Degrees */
const LEAST_ANGLE = 10.7;
const MOST_ANGLE = 164.8;
const ORDER_BOUND = 1.9;

function runBalls(interior: 'uniform' | 'graded'): RefereeRow[] {
  const rows: RefereeRow[] = [];
  const exact = (4 / 3) * Math.PI;
  const levels = ACROSS[interior].map((across) => {
    const size = 2 / across;
    const { mesh, quality } = meshShape(sphere([0.1 * size, 0.2 * size, 0.3 * size], 1), { size, interior });
    const error = Math.abs(quality.volume / exact - 1);
    const name = `${interior}, ${mesh.tetCount} tets`;
    rows.push(
      reportRow(`${name}: volume error`, error, '', 0),
      atLeast(`${name}: least dihedral angle`, quality.minDihedral, LEAST_ANGLE, 'degrees'),
      atMost(`${name}: largest dihedral angle`, quality.maxDihedral, MOST_ANGLE, 'degrees'),
    );
    return { size, error };
  });
  const [a, b, c] = levels;
  rows.push(
    atLeast(
      `${interior}: order, 10k to 100k`,
      computeOrder(a.size, a.error, b.size, b.error),
      ORDER_BOUND,
      '',
      2,
    ),
    atLeast(
      `${interior}: order, 100k to 1M`,
      computeOrder(b.size, b.error, c.size, c.error),
      ORDER_BOUND,
      '',
      2,
    ),
  );
  return rows;
}

export const ballCases: RefereeCase[] = [
  {
    name: 'mesh/ball',
    title: 'stuffing of a ball: volume error as h^2, dihedral angles',
    run: async () => [...runBalls('uniform'), ...runBalls('graded')],
  },
];
