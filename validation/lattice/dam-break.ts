/**
 * Dam break of Martin and Moyce (An experimental study of the collapse of liquid columns on a rigid
 * horizontal plane, Phil. Trans. R. Soc. A 244, 1952): column of square-rooted aspect n^2 = 2, a wide and 2a
 * high. The front Z = x/a against T = t sqrt(2g/a). The gate opens in a time that the experiment does not
 * subtract, so one offset of T in 0..0.25 is fitted. The tank is half a deep: its walls are smooth, so the
 * flow does not know.
 */
import { GRAVITY, startMarch } from '../../cases/lattice/march.ts';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import type { LiquidState } from '../../src/flow/liquid/state.ts';
import { box } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

/** Column width: 2.25 inches, m */
export const WIDTH = 0.05715;
export const DATA_T = [0.84, 1.19, 1.43, 1.63, 1.82, 1.97, 2.2, 2.32, 2.5, 2.64, 2.82, 2.96];
export const DATA_Z = [1.23, 1.44, 1.67, 1.89, 2.11, 2.33, 2.56, 2.78, 3.0, 3.22, 3.44, 3.67];
/** The acceptance table: within 10 % for T in [1, 2.5], one offset up to 0.25. */
const FIRST_T = 1;
const LAST_T = 2.5;
const MOST_OFFSET = 0.25;
const OFFSET_STEP = 0.0001;
const ERROR_BOUND = 0.1;
/** Backward steps of the front below this share of a lattice cell are the contour's, not the liquid's. */
const RETREAT_BOUND = 0.01;
/** Column widths per lattice cell at the two resolutions. */
const RESOLUTIONS = [8, 16];
/** No faster than 2 sqrt(gH) (Ritter 1892), H = 2a, in units of Z per T: 2 sqrt(2ga) / (a sqrt(2g/a)) = 2. */
const FRONT_SPEED_BOUND = 2;
/** Spacing in T over which the front's speed is taken. */
const SPEED_WINDOW = 0.2;
const TIME_UNIT = Math.sqrt(WIDTH / (2 * GRAVITY));

/** The front is read on the floor, as in the experiment: within this height, in lattice cells. */
const FLOOR = 1;

export interface Front {
  readonly t: number[];
  readonly z: number[];
}

/** Largest x on the floor, and anywhere, m */
function measureReach({ surface }: LiquidState, floor: number): { front: number; any: number } {
  const { position, vertexCount } = surface;
  let front = 0;
  let any = 0;
  for (let v = 0; v < vertexCount; v++) {
    any = Math.max(any, position[3 * v]);
    if (position[3 * v + 2] <= floor) front = Math.max(front, position[3 * v]);
  }
  return { front, any };
}

function runColumn(
  cellsPerWidth: number,
  resources: Resources,
): { front: Front; ahead: number; volumeDrift: number; tets: number } {
  const a = WIDTH;
  const march = startMarch(
    {
      domain: { min: [0, 0, 0], max: [4.5 * a, 0.5 * a, 2.5 * a] },
      resolution: a / cellsPerWidth,
      liquid: box([-a, -a, -a], [a, 2 * a, 2 * a]),
    },
    resources,
  );
  const { volume, tets } = march.measure() as { volume: number; tets: number };
  const front: Front = { t: [0], z: [1] };
  let ahead = 0;
  const floor = (FLOOR * a) / cellsPerWidth;
  let volumeDrift = 0;
  // Frames of 1/100 s, as the bundled scene has them.
  while (march.time / TIME_UNIT < LAST_T + SPEED_WINDOW) {
    march.step(march.stableStep(0.01));
    front.t.push(march.time / TIME_UNIT);
    const reach = measureReach(march.state, floor);
    front.z.push(reach.front / a);
    ahead = Math.max(ahead, (reach.any - reach.front) / a);
    volumeDrift = Math.max(volumeDrift, Math.abs(march.state.derived.integrals.volume / volume - 1));
  }
  march.free();
  return { front, ahead, volumeDrift, tets };
}

export function interpolate({ t, z }: Front, at: number): number {
  if (at <= 0) return z[0];
  let i = 1;
  while (i < t.length - 1 && t[i] < at) i++;
  return z[i - 1] + ((z[i] - z[i - 1]) * (at - t[i - 1])) / (t[i] - t[i - 1]);
}

/** The offset with the least largest relative error over the data within the gate. */
export function fitOffset(front: Front): { offset: number; error: number } {
  let best = { offset: 0, error: Number.POSITIVE_INFINITY };
  for (let offset = 0; offset <= MOST_OFFSET + 1e-9; offset += OFFSET_STEP) {
    let error = 0;
    for (let i = 0; i < DATA_T.length; i++)
      if (DATA_T[i] >= FIRST_T && DATA_T[i] <= LAST_T)
        error = Math.max(error, Math.abs(interpolate(front, DATA_T[i] - offset) / DATA_Z[i] - 1));
    if (error < best.error) best = { offset, error };
  }
  return best;
}

/** Largest step backwards (Z), when that was (T), and largest speed (Z per T) of the front. */
function measureFront({ t, z }: Front): { retreat: number; retreatAt: number; speed: number } {
  let retreat = 0;
  let retreatAt = Number.NaN;
  for (let i = 1; i < z.length; i++) {
    if (z[i - 1] - z[i] <= retreat) continue;
    retreat = z[i - 1] - z[i];
    retreatAt = t[i];
  }
  let speed = 0;
  for (let at = SPEED_WINDOW; at <= t[t.length - 1]; at += SPEED_WINDOW / 4)
    speed = Math.max(
      speed,
      (interpolate({ t, z }, at) - interpolate({ t, z }, at - SPEED_WINDOW)) / SPEED_WINDOW,
    );
  return { retreat, retreatAt, speed };
}

async function judgeColumns({ createResources, note }: RefereeContext): Promise<RefereeRow[]> {
  const resources = await createResources();
  const rows: RefereeRow[] = [];
  const errors: number[] = [];
  for (const n of RESOLUTIONS) {
    note(`a/h = ${n}`);
    const { front, ahead, volumeDrift, tets } = runColumn(n, resources);
    const { offset, error } = fitOffset(front);
    const { retreat, retreatAt, speed } = measureFront(front);
    errors.push(error);
    rows.push(
      reportRow(`a/${n}: tets at the start`, tets, ''),
      atMost(`a/${n}: front off the data, T in [1, 2.5]`, error, ERROR_BOUND, 'of Z', 0),
      reportRow(`a/${n}: fitted offset of T`, offset, '', `0 to ${MOST_OFFSET}`),
    );
    for (let i = 0; i < DATA_T.length; i++)
      if (DATA_T[i] >= FIRST_T && DATA_T[i] <= LAST_T)
        rows.push(
          reportRow(`a/${n}: Z at T = ${DATA_T[i]}`, interpolate(front, DATA_T[i] - offset), 'a', DATA_Z[i]),
        );
    rows.push(
      atMost(`a/${n}: front retreats in a step`, retreat * n, RETREAT_BOUND, 'h', 0),
      ...(retreat > 0 ? [reportRow(`a/${n}: at T =`, retreatAt, '')] : []),
      atMost(`a/${n}: speed of the front`, speed, FRONT_SPEED_BOUND, 'a per T', '2 sqrt(gH)'),
      reportRow(`a/${n}: liquid above the floor ahead of the front`, ahead * n, 'h', 0),
      reportRow(`a/${n}: volume drift`, volumeDrift, '', 0),
    );
  }
  const [coarse, fine] = errors;
  rows.push(atMost('the finer against the coarser, largest error', fine / coarse, 1, 'x'));
  return rows;
}

export const damBreakCases: RefereeCase[] = [
  {
    name: 'lattice/dam-break',
    title: 'front of a collapsing column against Martin and Moyce 1952, n^2 = 2',
    run: judgeColumns,
  },
];
