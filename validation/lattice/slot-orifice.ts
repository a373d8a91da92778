/**
 * A slot with sharp edges in the thin side wall of a wide tank, w = 4, 8 and 16 cells: a plane jet leaves it,
 * contracted to pi / (pi + 2) = 0.611 of the slot (Kirchhoff 1869), at the speed of Bernoulli. The tank is
 * six slots long and empties as it goes: the head is read at every step, and its fall raises the discharge by
 * 2 % or so; the tank's finite size by less than 1 %. The slot lies 2 w above the floor, 4 w below the
 * surface; its plate is one cell thick, and the jet contracts clear of it.
 */
import { GRAVITY, type March, marchTo, startMarch } from '../../cases/lattice/march.ts';
import { findWetStretches, measureVolumeOn } from '../../cases/lattice/surface-measures.ts';
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { box } from '../../src/geometry/shapes.ts';
import { lattice } from '../../src/methods/lattice/lattice.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

/** m; nothing depends on it but the digits */
const SLOT = 0.1;
/**
 * In slots: the tank's length, the room beyond the plate, the slot's middle and the surface above the floor,
 * the ceiling.
 */
const PLACE = { tank: 6, room: 4, middle: 2.5, level: 6.5, ceiling: 7 };
/** Cells across: the flow is plane. */
const BREADTH = 2;
const DISCHARGE = Math.PI / (Math.PI + 2);
/** The issue's: share of 0.611 for each width in cells; share of Bernoulli's speed. */
const DISCHARGE_BOUNDS: readonly (readonly [number, number])[] = [
  [4, 0.2],
  [8, 0.12],
  [16, 0.08],
];
const BOUNDS = {
  core: 0.97,
  /** Steady: no window off their mean by more than this. */
  steady: 0.05,
};
/** In w / U: a jet from rest needs about 9 to be within 2 % of its speed; then three windows. */
const LOOKS = { begin: 9, window: 2, count: 3 };

interface Look {
  readonly time: number;
  /** m^3 beyond the plate, and in the tank */
  readonly out: number;
  readonly left: number;
}

interface Tank {
  readonly march: March;
  /** m: a cell, the breadth, the plate's far side */
  readonly cell: number;
  readonly breadth: number;
  readonly far: number;
}

function buildTank(cells: number, resources: Resources): Tank {
  const w = SLOT;
  const cell = w / cells;
  const near = PLACE.tank * w;
  const far = near + cell;
  const breadth = BREADTH * cell;
  const march = startMarch(
    {
      domain: { min: [0, 0, 0], max: [far + PLACE.room * w, breadth, PLACE.ceiling * w] },
      resolution: cell,
      liquid: box([-1, -1, -1], [near, 1, PLACE.level * w]),
      solids: [
        box([near, -1, -1], [far, 1, (PLACE.middle - 0.5) * w]),
        box([near, -1, (PLACE.middle + 0.5) * w], [far, 1, 2 * PLACE.ceiling * w]),
      ],
    },
    resources,
  );
  return { march, cell, breadth, far };
}

/** m above the slot's middle */
function measureHead({ breadth }: Tank, left: number): number {
  return left / (PLACE.tank * SLOT * breadth) - PLACE.middle * SLOT;
}

/** Mean speed in the middle of the jet, one slot beyond the plate, over Bernoulli's at its height. */
function measureCore(tank: Tank, left: number): number {
  const { march, breadth, far } = tank;
  // Off the planes of the grid, where a column would run along the surface's own edges.
  const at = far + SLOT + 0.137 * tank.cell;
  const level = measureHead(tank, left) + PLACE.middle * SLOT;
  // The jet is the highest thing there; what lies on the floor is below it.
  const jet = findWetStretches(march.state.surface, [[at, 0.517 * breadth]])[0].at(-1);
  if (!jet) return Number.NaN;
  const middle = 0.5 * (jet.from + jet.to);
  const { mesh, cellFields } = lattice.volume!(march.model, march.state);
  const velocity = cellFields['velocity'].values;
  let [sum, count] = [0, 0];
  for (let t = 0; t < mesh.tetCount; t++) {
    const centre = [0, 1, 2].map((a) =>
      [0, 1, 2, 3].reduce((total, i) => total + mesh.position[3 * mesh.tet[4 * t + i] + a] / 4, 0),
    );
    if (Math.abs(centre[0] - at) > 0.25 * SLOT) continue;
    if (Math.abs(centre[2] - middle) > 0.25 * (jet.to - jet.from)) continue;
    const speed = Math.hypot(velocity[3 * t], velocity[3 * t + 1], velocity[3 * t + 2]);
    sum += speed / Math.sqrt(2 * GRAVITY * (level - centre[2]));
    count++;
  }
  return sum / count;
}

function judgeSlot(
  context: RefereeContext,
  cells: number,
  bound: number,
  resources: Resources,
): RefereeRow[] {
  const tank = buildTank(cells, resources);
  const { march, breadth, far } = tank;
  const unit = SLOT / Math.sqrt(2 * GRAVITY * (PLACE.level - PLACE.middle) * SLOT);
  const volume = march.measure().volume!;
  const looks: Look[] = [];
  const cores: number[] = [];
  let drift = 0;
  for (let n = 0; n <= LOOKS.count; n++) {
    const until = (LOOKS.begin + n * LOOKS.window) * unit;
    marchTo(march, until, unit / 2);
    const out = measureVolumeOn(march.state.surface, [{ axis: 0, at: far, sign: 1 }]);
    const left = measureVolumeOn(march.state.surface, [{ axis: 0, at: PLACE.tank * SLOT, sign: -1 }]);
    looks.push({ time: march.time, out, left });
    cores.push(measureCore(tank, left));
    drift = Math.max(drift, Math.abs(march.measure().volume! / volume - 1));
    context.note(`${(march.time / unit).toFixed(1)} w/U, ${march.steps} steps`);
  }
  march.free();
  const compare = (a: Look, b: Look, change: number) => {
    const head = 0.5 * (measureHead(tank, a.left) + measureHead(tank, b.left));
    return change / (b.time - a.time) / (breadth * SLOT * Math.sqrt(2 * GRAVITY * head));
  };
  const gains = looks.slice(1).map((look, n) => compare(looks[n], look, look.out - looks[n].out));
  const losses = looks.slice(1).map((look, n) => compare(looks[n], look, looks[n].left - look.left));
  const mean = gains.reduce((sum, x) => sum + x, 0) / gains.length;
  const unsteady = Math.max(...gains.map((x) => Math.abs(x / mean - 1)));
  return [
    atMost('discharge off', Math.abs(mean / DISCHARGE - 1), bound, 'of 0.611', 0),
    reportRow('discharge', mean, '', Number(DISCHARGE.toPrecision(3))),
    reportRow('discharge by window', gains.map((x) => x.toFixed(3)).join(', '), ''),
    reportRow('the same by what the tank loses', losses.map((x) => x.toFixed(3)).join(', '), ''),
    atMost('unsteady: a window off their mean', unsteady, BOUNDS.steady, '', 0),
    atLeast(
      'jet core, one slot out, at its slowest',
      cores.reduce((a, b) => Math.min(a, b)),
      BOUNDS.core,
      'of Bernoulli',
      1,
    ),
    reportRow('volume off, at most', drift, '', 0),
    reportRow('steps', march.steps, ''),
  ];
}

export const slotCases: RefereeCase[] = DISCHARGE_BOUNDS.map(([cells, bound]) => ({
  name: `slot/${cells}-cells`,
  title: `discharge of a sharp slot ${cells} cells wide, against 0.611 and Bernoulli`,
  onRequest: true,
  run: async (context) => judgeSlot(context, cells, bound, await context.createResources()),
}));
