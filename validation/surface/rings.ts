/**
 * Rings with circulation: what the thesis leaves out ([da-2017] 22.2, chapter 25). Units: density, tension,
 * major radius 1.
 */
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { buildLiquid, march } from '../../cases/surface/march.ts';
import { buildRing, measureCirculation } from '../../cases/surface/ring.ts';
import { surface } from '../../src/methods/surface/surface.ts';
import type { RefereeCase } from '../../src/run/referee.ts';

const CIRCULATION = 4;
/** Then the hole is two edges wide. */
const UNTIL = 0.4;

export const surfaceRingCases: RefereeCase[] = [
  {
    name: 'surface/ring',
    title: 'a ring with circulation while tension draws it together',
    async run({ createResources, note }) {
      const { model, state } = buildLiquid(await createResources(), {
        surface: buildRing(1, 0.3, 10),
        resolution: 0.2,
        options: { circulation: CIRCULATION },
      });
      const first = surface.measure(model, state);
      const energy: number[] = [];
      const turn: number[] = [];
      const around: number[] = [];
      let worstVolume = 0;
      let closed = 0;
      march(model, state, UNTIL, (report) => {
        const now = surface.measure(model, state, report);
        energy.push(now.kineticEnergy! + now.surfaceEnergy!);
        turn.push(now.angularMomentum![2]);
        worstVolume = Math.max(worstVolume, Math.abs(now.volume! / first.volume! - 1));
        closed += report.events['closedHoles'] ?? 0;
        if (closed === 0) around.push(measureCirculation(state));
        note(`t = ${state.time.toFixed(3)}: circulation ${around[around.length - 1].toFixed(4)}`);
      });
      const off = (values: number[], of: number) => Math.max(...values.map((x) => Math.abs(x / of - 1)));
      return [
        atMost('angular momentum off its first', 100 * off(turn, first.angularMomentum![2]), 2, '%', 0),
        atMost('volume', worstVolume, 1e-4, '', 0),
        reportRow(
          'circulation of the velocities at vertices, largest change',
          100 * off(around, around[0]),
          '%',
        ),
        atLeast('circulation of the velocities', Math.min(...around), 0.95 * CIRCULATION, 'm^2/s'),
        reportRow('energy at the end over the start', energy[energy.length - 1] / energy[0], ''),
        atMost('holes that closed', closed, 0, '', 0),
      ];
    },
  },
];
