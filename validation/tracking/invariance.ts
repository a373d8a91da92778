/**
 * Row 10 of issue 4: the tracker has no length, place or direction of its own. Three flows with all kinds of
 * edits (spheres that grow together, four materials in the Enright field, cells under mean curvature flow)
 * are run as they are, scaled by powers of two, which must change no face and no digit, and scaled, shifted
 * and turned otherwise, which must change no volume.
 */
import { atLeast, atMost, equalTo } from '../../cases/shared/rows.ts';
import { findMeshIntersections } from '../../cases/tracking/intersection-referee.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';
import {
  buildMultiMesh,
  extractTriangles,
  type LabelledTriangles,
} from '../../src/tracking/multimaterial/build.ts';
import {
  computeStableStep,
  createCurvatureFlow,
  proposeByCurvature,
} from '../../src/tracking/multimaterial/flows/mean-curvature.ts';
import { createGrowth, proposeByNormals } from '../../src/tracking/multimaterial/flows/normal.ts';
import {
  createEnrightField,
  createFieldFlow,
  proposeAlong,
  type VelocityField,
} from '../../src/tracking/multimaterial/flows/velocity-field.ts';
import { measureRegions } from '../../src/tracking/multimaterial/measure.ts';
import { resolveOptions } from '../../src/tracking/multimaterial/options.ts';
import {
  buildCellBlock,
  buildQuarteredSphere,
  buildSpheres,
} from '../../src/tracking/multimaterial/shapes.ts';
import { trackStep } from '../../src/tracking/multimaterial/step.ts';
import { Tracker } from '../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../src/tracking/multimaterial/validate.ts';

/** x -> scale * turned x + shift */
interface Place {
  readonly scale: number;
  readonly shift: number;
  readonly isTurned: boolean;
}

/** Rows of a rotation with nothing special about it: by 1 rad about (1, 2, 3). */
const TURN = buildTurn(1, [1, 2, 3]);

interface InvarianceCase {
  readonly name: string;
  /** Mean edge, m */
  readonly edge: number;
  readonly start: LabelledTriangles;
  /** Steps through the flow as it is at that place. */
  readonly run: (tracker: Tracker, place: Place) => void;
}

function buildTurn(angle: number, axis: readonly [number, number, number]): number[] {
  const length = Math.hypot(...axis);
  const [x, y, z] = axis.map((a) => a / length);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const d = 1 - c;
  return [
    ...[c + x * x * d, x * y * d - z * s, x * z * d + y * s],
    ...[y * x * d + z * s, c + y * y * d, y * z * d - x * s],
    ...[z * x * d - y * s, z * y * d + x * s, c + z * z * d],
  ];
}

/** Turns a vector, or turns it back. */
function turn(place: Place, u: readonly number[], isBack = false): number[] {
  if (!place.isTurned) return [...u];
  return [0, 1, 2].map((k) => {
    const [a, b, c] = isBack ? [TURN[k], TURN[3 + k], TURN[6 + k]] : TURN.slice(3 * k, 3 * k + 3);
    return a * u[0] + b * u[1] + c * u[2];
  });
}

const grow: InvarianceCase = {
  name: 'growing spheres',
  edge: 0.3,
  start: buildSpheres([
    { levels: 2, centre: [-1.05, 0, 0] },
    { levels: 2, centre: [1.05, 0.02, 0.01], label: 2 },
  ]),
  run(tracker, { scale }) {
    const flow = { speed: createGrowth(scale), curves: 'outer' as const };
    for (let n = 0; n < 20; n++)
      trackStep(tracker, proposeByNormals(tracker, flow, 0.01), { strength: 'area', volume: 'none' });
  },
};

const swirl: InvarianceCase = {
  name: 'four materials in the Enright field',
  edge: 0.03,
  start: buildQuarteredSphere({ levels: 3, radius: 0.15, centre: [0.35, 0.35, 0.35] }),
  run(tracker, place) {
    const enright = createEnrightField(1);
    const field: VelocityField = (x, y, z, t, out) => {
      const at = turn(
        place,
        [x, y, z].map((c) => (c - place.shift) / place.scale),
        true,
      );
      enright(at[0], at[1], at[2], t, out);
      turn(place, [...out.subarray(0, 3)]).forEach((c, k) => {
        out[k] = place.scale * c;
      });
    };
    for (let n = 0; n < 50; n++) {
      tracker.flow = createFieldFlow(tracker, field, 0.02 * n);
      trackStep(tracker, proposeAlong(tracker, field, 0.02 * n, 0.02), {
        strength: 'velocity',
        volume: 'all',
      });
    }
  },
};

const cells: InvarianceCase = {
  name: 'cells under mean curvature flow',
  edge: 0.12,
  start: buildCellBlock(2, 2),
  run(tracker, { scale }) {
    tracker.flow = createCurvatureFlow(tracker);
    for (let n = 0; n < 15; n++) {
      const dt = Math.min(5e-5 * scale ** 2, computeStableStep(tracker));
      trackStep(tracker, proposeByCurvature(tracker, dt), { strength: 'area', volume: 'none' });
    }
  },
};

function runAt(flow: InvarianceCase, place: Place) {
  const { scale, shift } = place;
  const position = new Float64Array(flow.start.position.length);
  for (let v = 0; v < position.length; v += 3) {
    const x = turn(
      place,
      [0, 1, 2].map((k) => flow.start.position[v + k]),
    );
    for (let k = 0; k < 3; k++) position[v + k] = scale * x[k] + shift;
  }
  const options = resolveOptions({ minEdge: 0.5 * scale * flow.edge, maxEdge: 1.5 * scale * flow.edge });
  const tracker = new Tracker(buildMultiMesh({ ...flow.start, position }), options);
  flow.run(tracker, place);
  validateMesh(tracker.mesh);
  const end = extractTriangles(tracker.mesh);
  const { events } = tracker;
  return {
    ...end,
    volumes: measureRegions(tracker.mesh).map((region) => region.volume / scale ** 3),
    intersections: findMeshIntersections(end.position, end.triangle).count,
    topology: (events['snap'] ?? 0) + (events['separate'] ?? 0),
  };
}

const asIs: Place = { scale: 1, shift: 0, isTurned: false };

function compareCase(flow: InvarianceCase): RefereeRow[] {
  const plain = runAt(flow, asIs);
  const rows = [
    atLeast('snaps and separations', plain.topology, 3, ''),
    atMost('intersections', plain.intersections, 0, ''),
  ];
  for (const power of [10, -10]) {
    const scale = 2 ** power;
    const end = runAt(flow, { ...asIs, scale });
    const isSame =
      end.triangle.join() === plain.triangle.join() &&
      end.label.join() === plain.label.join() &&
      end.position.every((x, n) => x === scale * plain.position[n]);
    rows.push(equalTo(`scaled by 2^${power}: faces and positions`, isSame ? 'same' : 'differ', 'same'));
  }
  const places: [string, Place][] = [
    ['scaled by 1e3', { ...asIs, scale: 1e3 }],
    ['scaled by 1e-3', { ...asIs, scale: 1e-3 }],
    ['shifted by 1e4 edges', { ...asIs, shift: 1e4 * flow.edge }],
    ['turned', { ...asIs, isTurned: true }],
  ];
  for (const [name, place] of places) {
    const end = runAt(flow, place);
    const off = end.volumes.map((volume, n) => Math.abs(volume / plain.volumes[n] - 1));
    rows.push(atMost(`${name}: volume of a region`, 100 * Math.max(...off), 0.1, '%'));
    rows.push(atMost(`${name}: intersections`, end.intersections, 0, ''));
  }
  return rows;
}

export const trackingInvarianceCases: RefereeCase[] = [grow, swirl, cells].map((flow) => ({
  name: `tracking/invariance-${flow.name.replaceAll(' ', '-')}`,
  method: 'tracking',
  title: `${flow.name}: scaled, shifted and turned`,
  async run() {
    return compareCase(flow);
  },
}));
