/**
 * Row 5 of issue 4: a sphere under mean curvature flow keeps R^2 = R0^2 - 4 t ([da-2017] 10.2). Edge lengths
 * follow the curvature (23.1), so that the shrinking sphere is resolved as well in the end as in the
 * beginning; the same with fixed edge lengths is reported. Two radii are measured against the formula for the
 * sphere on which the vertices start: the mean distance of the vertices from the centre, and the radius of
 * the ball of equal volume, which is smaller by the share that flat faces cut off.
 */
import { atLeast, atMost, computeOrder, reportRow } from '../../cases/shared/rows.ts';
import { shrinkSphere } from '../../cases/tracking/shrinking-sphere.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

export const trackingCurvatureCases: RefereeCase[] = [
  {
    name: 'tracking/curvature-sphere',
    title: 'mean curvature flow of a sphere: R^2 = R0^2 - 4 t until R = 0.3 R0',
    async run({ note }) {
      const rows: RefereeRow[] = [];
      const reports = [1, 2, 3].map((levels) => {
        const report = shrinkSphere(levels, true);
        note(`${20 * 4 ** levels} faces: ${report.steps} steps, ${report.faces} faces in the end`);
        return report;
      });
      const [coarse, middle, fine] = reports;
      rows.push(atMost('radius of the vertices, 1,280 faces', 100 * fine.vertexRadius, 1, '%'));
      rows.push(atMost('radius by volume, 1,280 faces', 100 * fine.volumeRadius, 1, '%'));
      rows.push(
        atLeast(
          'order, 80 to 320 faces',
          computeOrder(2, coarse.volumeRadius, 1, middle.volumeRadius),
          1,
          '',
        ),
      );
      rows.push(
        atLeast(
          'order, 320 to 1,280 faces',
          computeOrder(2, middle.volumeRadius, 1, fine.volumeRadius),
          1,
          '',
        ),
      );
      const fixed = shrinkSphere(3, false);
      rows.push(
        reportRow(
          `radius by volume, fixed edge lengths, 1,280 faces that become ${fixed.faces}`,
          100 * fixed.volumeRadius,
          '%',
        ),
      );
      return rows;
    },
  },
];
