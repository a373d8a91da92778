/**
 * Liquids on walls against formulas: drops that sit, a wave in a tank, a drop that rebounds. Units: density,
 * tension, size 1.
 */
import { atLeast, atMost } from '../../cases/shared/rows.ts';
import { march } from '../../cases/surface/march.ts';
import { buildOnWalls, measureLine } from '../../cases/surface/on-walls.ts';
import { box, sphere } from '../../src/geometry/shapes.ts';
import type { SurfaceState } from '../../src/methods/surface/state.ts';
import { surface } from '../../src/methods/surface/surface.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

const RADIANS = Math.PI / 180;

/** Volume of a cap over the cube of the radius of its base. */
function capVolume(angle: number): number {
  const cosine = Math.cos(angle * RADIANS);
  return (Math.PI * (2 + cosine) * (1 - cosine) ** 2) / (3 * Math.sin(angle * RADIANS) ** 3);
}

/** How far off its rest a drop is put down, degrees. */
const OFF = 8;
const EDGE = 0.25;
const SETTLED = 6;

/** A cap of the ball of radius 1, put down at an angle that is not its own. */
async function runSessile({ createResources, note }: RefereeContext, angle: number): Promise<RefereeRow[]> {
  const start = angle > 90 ? angle - OFF : angle + OFF;
  const { model, state } = buildOnWalls(await createResources(), {
    shape: sphere([0, 0, -Math.cos(start * RADIANS)], 1),
    resolution: EDGE,
    contactAngle: angle,
    options: { damping: 0.1 },
  });
  const before = measureCap(state);
  const steps = march(model, state, SETTLED);
  const { radius, height } = measureCap(state);
  const { volume } = surface.measure(model, state);
  const truth = Math.cbrt(volume! / capVolume(angle));
  note(`${steps} steps, ${state.tracker.mesh.vertexCount} vertices, radius of the base ${radius}`);
  const found = (2 * Math.atan2(height, radius)) / RADIANS;
  return [
    atMost(`${angle} degrees: base`, 100 * Math.abs(radius / truth - 1), 1, '%', 0),
    atMost(`${angle} degrees: angle`, Math.abs(found - angle), 2, 'degrees', 0),
    // A drop that stays as it was put down has moved by nothing.
    atLeast(`${angle} degrees: the line moved by`, 100 * Math.abs(radius / before.radius - 1), 2, '%'),
  ];
}

function measureCap(state: SurfaceState): { radius: number; height: number } {
  const { mesh } = state.tracker;
  let height = 0;
  for (let v = 0; v < mesh.vertexFill; v++) height = Math.max(height, mesh.position[3 * v + 2]);
  return { radius: measureLine(state).radius, height };
}

/** Half a wave along a tank, 1 x 0.5 and 0.5 deep, with gravity 1 and a tension that counts. */
async function runTank({ createResources, note }: RefereeContext): Promise<RefereeRow[]> {
  const [depth, tension, amplitude] = [0.5, 0.02, 0.01];
  const { model, state } = buildOnWalls(await createResources(), {
    shape: box([-0.5, -0.5, 0], [0.5, 0.5, depth]),
    half: 0.5,
    resolution: 0.1,
    tension,
    gravity: [0, 0, -1],
  });
  march(model, state, 1);
  const still = state.maxSpeed / Math.sqrt(depth);
  // Raised by a cosine at rest, it swings.
  const { mesh } = state.tracker;
  for (let v = 0; v < mesh.vertexFill; v++) {
    const z = mesh.position[3 * v + 2];
    mesh.position[3 * v + 2] +=
      amplitude * Math.sin(Math.PI * mesh.position[3 * v]) * Math.max(0, Math.min(1, z / depth));
  }
  state.tracker.rebuildGrid();
  const heights: number[] = [];
  const times: number[] = [];
  const k = Math.PI;
  const omega = Math.sqrt((k + tension * k ** 3) * Math.tanh(k * depth));
  const begin = state.time;
  march(model, state, begin + (2.2 * Math.PI) / omega, () => {
    const { centreOfMass } = surface.measure(model, state);
    times.push(state.time - begin);
    heights.push(centreOfMass![0]);
  });
  const crossings: number[] = [];
  for (let n = 1; n < times.length; n++)
    if (heights[n - 1] * heights[n] < 0)
      crossings.push(
        times[n - 1] + ((times[n] - times[n - 1]) * heights[n - 1]) / (heights[n - 1] - heights[n]),
      );
  const found = Math.PI / (crossings[1] - crossings[0]);
  note(`${mesh.vertexCount} vertices, frequency ${found}, formula ${omega}`);
  return [
    atMost('frequency', 100 * Math.abs(found / omega - 1), 2, '%', 100),
    atMost('speed at rest over sqrt(g H)', still, 1e-6, ''),
  ];
}

/** A drop at We 4 by its diameter onto a floor of 160 degrees. */
async function runRebound({ createResources, note }: RefereeContext): Promise<RefereeRow[]> {
  const { model, state } = buildOnWalls(await createResources(), {
    shape: sphere([0, 0, 1.02], 1),
    velocity: [0, 0, -Math.sqrt(2)],
    height: 8,
    resolution: 0.2,
    contactAngle: 160,
    options: { damping: 0.005 },
  });
  let [touched, left, widest] = [0, 0, 0];
  march(model, state, 4, () => {
    const { count, radius } = measureLine(state);
    if (count === 0) return;
    touched ||= state.time;
    left = state.time;
    widest = Math.max(widest, radius);
  });
  note(`touched at ${touched}, left at ${left}; the line went out to ${widest}`);
  const time = left - touched;
  return [
    atMost('contact time off 2.6 sqrt(rho R^3 / sigma)', 100 * Math.abs(time / 2.6 - 1), 12, '%', 100),
    atLeast('momentum upward', surface.measure(model, state).momentum![2], 0.5, '', -5.7),
  ];
}

export const surfaceWallCases: RefereeCase[] = [
  ...[60, 90, 120, 150].map((angle) => ({
    name: `surface/sessile-${angle}`,
    title: `a drop at rest at ${angle} degrees`,
    run: (context: RefereeContext) => runSessile(context, angle),
  })),
  {
    name: 'surface/tank',
    title: 'a wave in a tank at 90 degrees, and rest',
    run: runTank,
  },
  {
    name: 'surface/rebound',
    title: 'contact time of a drop that rebounds at 160 degrees',
    run: runRebound,
  },
];
