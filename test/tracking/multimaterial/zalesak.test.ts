import { describe, expect, it } from 'vitest';
import { turnNotchedSphere } from '../../../cases/tracking/notched-sphere.ts';

describe('notched sphere in rotation', () => {
  for (const materials of [1, 2] as const) {
    it(`of ${materials === 1 ? 'one material' : 'two materials'} keeps its volumes and corners`, () => {
      const report = turnNotchedSphere(materials, 0.03, 40, 'all');
      expect(report.halfway).toBeGreaterThan(5);
      expect(report.volume).toBeLessThan(5e-4);
      expect(report.corner).toBeLessThan(0.2);
      expect(report.intersections).toBe(0);
    });
  }
});
