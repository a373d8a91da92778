/**
 * Dam break of Martin and Moyce 1952, n^2 = 2: the data and the gate are those of the lattice's referee
 * (validation/lattice/dam-break.ts).
 */
import { FlipMarch, GRAVITY } from '../../cases/flip/setup.ts';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { box } from '../../src/geometry/shapes.ts';
import { radiusOfVolume } from '../../src/particles/particles.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import { DATA_T, DATA_Z, type Front, fitOffset, interpolate, WIDTH } from '../lattice/dam-break.ts';

const LAST_T = 2.5;
const RESOLUTIONS = [8];
const TIME_UNIT = Math.sqrt(WIDTH / (2 * GRAVITY));

async function judge({ createResources, note }: RefereeContext): Promise<RefereeRow[]> {
  const rows: RefereeRow[] = [];
  const a = WIDTH;
  const resources = await createResources();
  for (const n of RESOLUTIONS) {
    note(`a/h = ${n}`);
    const march = new FlipMarch(
      {
        domain: { min: [0, 0, 0], max: [4.5 * a, 0.5 * a, 2.5 * a] },
        resolution: a / n,
        liquid: box([-a, -a, -a], [a, 2 * a, 2 * a]),
      },
      resources,
    );
    const front: Front = { t: [0], z: [1] };
    const total = march.measure().potentialEnergy;
    let rise = 0;
    let lowest = total;
    while (march.state.time / TIME_UNIT < LAST_T + 0.1) {
      march.step(march.stableStep(0.01));
      const { position, volume, kind, time } = march.state;
      let reach = 0;
      // The skin ends a radius beyond the foremost particle on the floor.
      for (let p = 0; p < volume.length; p++)
        if (kind[p] === 0 && position[3 * p + 2] < a / n)
          reach = Math.max(reach, position[3 * p] + radiusOfVolume(volume[p]));
      front.t.push(time / TIME_UNIT);
      front.z.push(reach / a);
      const now = march.measure();
      const energy = now.kineticEnergy + now.potentialEnergy;
      rise = Math.max(rise, (energy - lowest) / total);
      lowest = Math.min(lowest, energy);
    }
    march.free();
    const { offset, error } = fitOffset(front);
    rows.push(
      atMost(`a/${n}: front off the data, T in [1, 2.5]`, error, 0.1, 'of Z', 0),
      reportRow(`a/${n}: fitted offset of T`, offset, '', '0 to 0.25'),
      reportRow(`a/${n}: energy rises by at most`, 100 * rise, '%', 0),
    );
    for (let i = 0; i < DATA_T.length; i++)
      if (DATA_T[i] >= 1 && DATA_T[i] <= LAST_T)
        rows.push(
          reportRow(`a/${n}: Z at T = ${DATA_T[i]}`, interpolate(front, DATA_T[i] - offset), 'a', DATA_Z[i]),
        );
  }
  return rows;
}

export const flipDamBreakCases: RefereeCase[] = [
  {
    name: 'flip/dam-break',
    title: 'front of a collapsing column against Martin and Moyce 1952, n^2 = 2',
    run: judge,
  },
];
