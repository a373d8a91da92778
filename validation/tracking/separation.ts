/**
 * Row 2 of issue 4: a thousand random irregular vertices of three to eight regions, separated until all are
 * regular ([da-2017] chapter 6). Every separation is measured from outside: what it does to the volume of
 * each region, whether the mesh stays valid and free of intersections.
 */
import { atLeast, atMost } from '../../cases/shared/rows.ts';
import { createTally, maxChange, separateRandomVertex } from '../../cases/tracking/separation.ts';
import type { RefereeCase } from '../../src/run/referee.ts';

const CONFIGURATIONS = 1000;
const [FEWEST, MOST] = [3, 8];

export const trackingSeparationCases: RefereeCase[] = [
  {
    name: 'tracking/separation',
    title: `${CONFIGURATIONS} random irregular vertices of ${FEWEST} to ${MOST} regions are resolved`,
    async run() {
      const tally = createTally();
      for (let n = 0; n < CONFIGURATIONS; n++)
        separateRandomVertex(n, FEWEST + (n % (MOST - FEWEST + 1)), tally);
      return [
        atLeast('irregular vertices at the start', tally.irregular, CONFIGURATIONS / 2, ''),
        atMost('irregular vertices left', tally.left, 0, ''),
        atLeast('separations', tally.separations, CONFIGURATIONS / 2, ''),
        atMost('greatest change of a volume by one separation', tally.change, maxChange, 'm^3'),
        atMost('volume changed and not booked', tally.unbooked, 1e-12, 'm^3'),
        atMost('intersections', tally.intersections, 0, ''),
      ];
    },
  },
];
