/** Kernels of pairs of panels against their plain forms, bit by bit, and against the closed forms one by one. */
import { expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { computePairIntegrals } from '../../src/integrals/panels/pair-integrals.ts';
import { chooseRule, pairTables } from '../../src/integrals/panels/pair-tables.ts';
import { fillPanelRows, sumPanelPairs } from '../../src/integrals/panels/panel-pair-kernels.ts';
import { DOUBLE, PANEL, POTENTIALS } from '../../src/integrals/panels/panel-potentials.ts';
import { buildPanelSources } from '../../src/integrals/panels/panel-sources.ts';
import { buildSpheres } from '../../src/tracking/multimaterial/shapes.ts';
import { expectSameBits } from './same-bits.ts';

const threads = createSingleThread();
const sphere = buildSpheres([{ levels: 1 }]);
const scope = createHeap({ maximumBytes: 2 ** 24 }).scope('test');
const sources = buildPanelSources(sphere, 3, threads, scope);
const { panelCount, vertexCount, panel, triangle, position, softening } = sources;

function listAllPairs() {
  const near = new Int32Array(panelCount + 1 + panelCount * panelCount);
  for (let f = 0; f <= panelCount; f++) near[f] = panelCount + 1 + panelCount * f;
  const code = new Int32Array(panelCount * panelCount);
  for (let n = 0; n < code.length; n++) {
    near[panelCount + 1 + n] = n % panelCount;
    code[n] = chooseRule(panel, triangle, Math.floor(n / panelCount), n % panelCount);
  }
  return { near, code };
}

it('sums closed forms over the rules of near pairs', () => {
  const { near, code } = listAllPairs();
  const out = new Float64Array(4 * code.length);
  const { start: tableStart, table } = pairTables;
  const { values } = expectSameBits(sumPanelPairs, 0, panelCount, {
    near,
    code,
    panel,
    tableStart,
    table,
    out,
  });
  const exact = new Float64Array(POTENTIALS);
  let worst = 0;
  let largest = 0;
  for (let f = 0; f < panelCount; f++)
    for (let g = 0; g < panelCount; g++) {
      if (f === g) continue;
      computePairIntegrals(panel, triangle, f, g, 'double', exact);
      const area = 0.5 * panel[PANEL * f + DOUBLE];
      const at = 4 * (panelCount * f + g);
      // Neighbours of even faces have the same rules; parts of those that do not touch are chosen as a whole here.
      for (const [i, j] of [
        [0, 0],
        [5, 1],
        [6, 2],
        [7, 3],
      ]) {
        worst = Math.max(worst, Math.abs(area * values.out[at + j] - exact[i]));
        largest = Math.max(largest, Math.abs(exact[i]));
      }
    }
  expect(worst / largest).toBeLessThan(2e-5);
  expect(largest).toBeGreaterThan(0);
});

it('fills rows of both matrices by the far rule', () => {
  const stride = 4 * Math.ceil(panelCount / 4);
  const f32 = (length: number, value: (n: number) => number) =>
    Float32Array.from({ length }, (_, n) => value(n));
  const of = (n: number) => n % stride;
  const ids = new Int32Array(3 * stride);
  ids.set(triangle);
  const { values } = expectSameBits(fillPanelRows, 0, panelCount, {
    stride,
    vertexCount,
    softening: softening ** 2,
    main: 2 / 3,
    side: 1 / 6,
    position: f32(9 * stride, (n) => {
      const row = Math.floor(n / stride);
      return of(n) < panelCount ? position[3 * (3 * of(n) + Math.floor(row / 3)) + (row % 3)] : 0;
    }),
    normal: f32(3 * stride, (n) =>
      of(n) < panelCount ? panel[PANEL * of(n) + 9 + Math.floor(n / stride)] : 0,
    ),
    weight: f32(stride, (n) => (n < panelCount ? panel[PANEL * n + DOUBLE] / 6 : 0)),
    triangle: ids,
    single: new Float32Array(panelCount * stride),
    double: new Float32Array(panelCount * vertexCount),
  });
  // Opposite faces of the sphere, two apart: 1/r to the quadrature's few per cent.
  const areas = 0.25 * panel[DOUBLE] * panel[PANEL * (panelCount - 1) + DOUBLE];
  let least = Infinity;
  for (let g = 0; g < panelCount; g++) least = Math.min(least, values.single[g]);
  expect(least / areas).toBeGreaterThan(0.4);
  expect(least / areas).toBeLessThan(0.6);
});
