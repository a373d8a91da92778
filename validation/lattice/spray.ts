/**
 * The spray of [chentanez-2007] figure 4, with and without thickening: two jets meet and spread into a sheet
 * that ends half a contouring cell thick. With thickening, as the scene is shipped, the volume must follow
 * what was emitted and the sheet stay whole at every step. What is lost with and without thickening is
 * compared with the volume correction off, since that would hide it.
 *
 * A hole in the sheet lets one look through it along the jets' axis: places that no triangle covers, with
 * liquid all around. Handles of the surface are reported as well (a closed surface of c pieces has c - (V - E
 * + F) / 2): one for each hole, but also for each arch where ligaments of the rim or folds of the sheet
 * touch.
 */
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import type { Box } from '../../src/core/types.ts';
import { lattice } from '../../src/methods/lattice/lattice.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import type { TrackedSurface } from '../../src/tracking/contouring/surface.ts';

/**
 * Share of what was emitted, and how much more is lost without: of the issue, as is that there be no holes.
 */
const VOLUME_BOUND = 0.05;
const LOSS_RATIO = 3;

function countHandles(surface: TrackedSurface): number {
  const { vertexCount, triangleCount, triangle } = surface;
  const parent = Int32Array.from({ length: vertexCount }, (_, v) => v);
  const find = (v: number): number => {
    let root = v;
    while (parent[root] !== root) root = parent[root];
    while (parent[v] !== root) [v, parent[v]] = [parent[v], root];
    return root;
  };
  let pieces = vertexCount;
  for (let n = 0; n < 3 * triangleCount; n += 3)
    for (let i = 0; i < 2; i++) {
      const a = find(triangle[n + i]);
      const b = find(triangle[n + i + 1]);
      if (a === b) continue;
      parent[b] = a;
      pieces--;
    }
  return pieces - (vertexCount - triangleCount / 2) / 2;
}

/** Rasters per contouring cell in which openings are looked for. */
const FINENESS = 2;

/** Groups of places in the plane across the axis (z) that no triangle covers and that liquid surrounds. */
function countOpenings(
  { position, triangle, triangleCount }: TrackedSurface,
  box: Box,
  size: number,
): number {
  const nx = Math.ceil((box.max[0] - box.min[0]) / size) + 2;
  const ny = Math.ceil((box.max[1] - box.min[1]) / size) + 2;
  const taken = new Uint8Array(nx * ny);
  for (let n = 0; n < triangleCount; n++) {
    const [a, b, c] = [0, 1, 2].map((i) => 3 * triangle[3 * n + i]);
    const x = [a, b, c].map((v) => (position[v] - box.min[0]) / size + 1);
    const y = [a, b, c].map((v) => (position[v + 1] - box.min[1]) / size + 1);
    for (let j = Math.ceil(Math.min(...y) - 0.5); j + 0.5 <= Math.max(...y); j++)
      for (let i = Math.ceil(Math.min(...x) - 0.5); i + 0.5 <= Math.max(...x); i++)
        if (isCovered(x, y, i + 0.5, j + 0.5)) taken[i + nx * j] = 1;
  }
  fillFrom(0, taken, nx);
  let openings = 0;
  for (let n = 0; n < taken.length; n++) {
    if (taken[n] === 1) continue;
    openings++;
    fillFrom(n, taken, nx);
  }
  return openings;
}

function isCovered(x: readonly number[], y: readonly number[], px: number, py: number): boolean {
  const side = (i: number, j: number) => (x[j] - x[i]) * (py - y[i]) - (y[j] - y[i]) * (px - x[i]);
  const sides = [side(0, 1), side(1, 2), side(2, 0)];
  return Math.min(...sides) >= 0 || Math.max(...sides) <= 0;
}

function fillFrom(start: number, taken: Uint8Array, width: number): void {
  const queue = [start];
  taken[start] = 1;
  for (const n of queue)
    for (const m of [n - 1, n + 1, n - width, n + width]) {
      if (m < 0 || m >= taken.length || taken[m] === 1) continue;
      taken[m] = 1;
      queue.push(m);
    }
}

async function runSpray(context: RefereeContext, resources: Resources, sets: readonly string[]) {
  const { scene } = await context.loadScene('lattice/spray', { sets });
  const model = lattice.build(scene, resources);
  const state = lattice.start(model);
  const work = lattice.createWork(model);
  let handles = 0;
  let openings = 0;
  let worst = 0;
  let most = 0;
  while (state.time < scene.duration - 1e-9) {
    // As the runner does: each frame in equal parts no longer than the stable step.
    const frameEnd = Math.ceil((state.time + 1e-9) * scene.fps) / scene.fps;
    const rest = Math.min(frameEnd, scene.duration) - state.time;
    const dt = rest / Math.ceil(rest / lattice.stableTimeStep(model, state));
    lattice.step(model, state, work, dt);
    const gained = state.derived.integrals.volume / state.pieceTarget.reduce((a, b) => a + b, 0) - 1;
    worst = Math.max(worst, Math.abs(gained));
    most = Math.max(most, -gained);
    handles = Math.max(handles, countHandles(state.surface));
    const size = model.contour.walls.spacing / FINENESS;
    openings = Math.max(openings, countOpenings(state.surface, scene.domain, size));
  }
  const change = state.derived.integrals.volume / state.pieceTarget.reduce((a, b) => a + b, 0) - 1;
  lattice.release!(state);
  return { change, worst, lost: most, handles, openings };
}

export const sprayCases: RefereeCase[] = [
  {
    name: 'lattice/spray',
    title: 'a sheet thinner than the grid, with and without thickening',
    async run(context) {
      const resources = await context.createResources();
      const uncorrected = 'lattice.volumeCorrection=false';
      const bare = ['lattice.thickening.mesh=false', 'lattice.thickening.surface=false'];
      context.note('with thickening');
      const thick = await runSpray(context, resources, [uncorrected]);
      context.note('without');
      const plain = await runSpray(context, resources, [uncorrected, ...bare]);
      context.note('as shipped: with thickening and the volume correction');
      const shipped = await runSpray(context, resources, []);
      const rows: RefereeRow[] = [
        atMost(
          'with thickening: volume off what was emitted, at any step',
          shipped.worst,
          VOLUME_BOUND,
          '',
          0,
        ),
        atMost('with thickening: holes in the sheet, at any step', shipped.openings, 0, '', 0),
        reportRow('with thickening: handles, at any step', shipped.handles, ''),
        atMost('the same, no correction: volume off at any step', thick.worst, VOLUME_BOUND, '', 0),
        reportRow('the same, no correction: volume gained at the end', thick.change, '', 0),
        reportRow('the same, no correction: volume lost, at any step', thick.lost, '', 0),
        reportRow('the same, no correction: holes in the sheet, at any step', thick.openings, ''),
        reportRow('the same, no correction: handles, at any step', thick.handles, ''),
        reportRow('without, no correction: volume gained at the end', plain.change, '', 0),
        reportRow('without, no correction: holes in the sheet, at any step', plain.openings, ''),
        reportRow('without, no correction: handles, at any step', plain.handles, ''),
        atLeast('no correction: volume lost without / with', plain.lost / thick.lost, LOSS_RATIO, 'x'),
        reportRow(
          'no correction: volume off at the end, without / with',
          Math.abs(plain.change / thick.change),
          'x',
        ),
      ];
      return rows;
    },
  },
];
