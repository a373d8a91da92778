/**
 * Row 4 of issue 4: Zalesak's notched sphere, of one and of two materials, turned once about an axis outside
 * it ([da-2017] 10.1). Volumes and the corners of the notch must come back; with the volume given back, and,
 * as a report, without.
 */
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { turnNotchedSphere } from '../../cases/tracking/notched-sphere.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

const EDGE = 0.02;
const STEPS = 100;

export const trackingZalesakCases: RefereeCase[] = ([1, 2] as const).map((materials) => ({
  name: materials === 1 ? 'tracking/zalesak' : 'tracking/zalesak-two-materials',
  method: 'tracking',
  title: `a notched sphere of ${materials === 1 ? 'one material' : 'two materials'} turned once by the tracker`,
  async run() {
    const rows: RefereeRow[] = [];
    const report = turnNotchedSphere(materials, EDGE, STEPS, 'all');
    rows.push(atMost('volume of a region', 100 * report.volume, 0.05, '%'));
    rows.push(atMost('corners of the notch', report.corner, 0.2, 'edges'));
    rows.push(reportRow('corners after half a turn', report.halfway, 'edges'));
    rows.push(atMost('intersections, every tenth step', report.intersections, 0, ''));
    const free = turnNotchedSphere(materials, EDGE, STEPS, 'none');
    rows.push(reportRow('volume of a region, nothing given back', 100 * free.volume, '%'));
    rows.push(reportRow('corners, nothing given back', free.corner, 'edges'));
    return rows;
  },
}));
