/**
 * A ball of thick liquid sinks into a pool of its own: what gravity gives is turned to heat, 2 mu e : e
 * summed over liquid and time. The walls stand still and do no work, so the energy that is lost must be the
 * heat; the rest is the method's.
 */
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { DENSITY, startMarch } from '../../cases/viscous/setup.ts';
import { box, sphere } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

/** m */
const RADIUS = 0.05;
const ROOM = 0.2;
const DEPTH = 0.06;
const GRAVITY = 9.81;
/** Cells of radius. */
const CELLS = [3, 6];
/** m^2/s: from creeping to barely so */
const VISCOSITIES = [0.5, 0.05];
/** g R t / nu, by when most of the ball is gone. */
const END = 12;
const STEPS = 30;
const BOUND = 5;
/** Of what the whole ball could lose, that must have been lost. */
const MOVED = 0.5;

function sink(viscosity: number, cells: number, resources: Resources) {
  const march = startMarch(
    {
      domain: [
        [0, 0, 0],
        [ROOM, ROOM, 0.18],
      ],
      resolution: RADIUS / cells,
      gravity: [0, 0, -GRAVITY],
      viscosity: viscosity * DENSITY,
      liquids: [
        { shape: box([-1, -1, -1], [1, 1, DEPTH]) },
        { shape: sphere([ROOM / 2, ROOM / 2, DEPTH + 0.8 * RADIUS], RADIUS) },
      ],
    },
    resources,
  );
  const energy = () => {
    const { kineticEnergy, potentialEnergy } = march.measure();
    return kineticEnergy + potentialEnergy;
  };
  const start = energy();
  const { volume } = march.measure();
  // What would be lost if all of it lay flat.
  const most = start - (DENSITY * GRAVITY * volume ** 2) / (2 * ROOM ** 2);
  const end = (END * viscosity) / (GRAVITY * RADIUS);
  let heat = 0;
  let largest = 0;
  for (let n = 1; n <= STEPS; n++) {
    const { ledger, solver } = march.step(end / STEPS);
    if (!solver['viscosity'].converged) throw new Error(`step ${n}: not solved`);
    heat -= ledger!.energy!.viscosity!;
    largest = Math.max(largest, Math.abs(march.measure().volume / volume - 1));
  }
  const lost = start - energy();
  march.free();
  return { lost, heat, share: lost / most, largest };
}

export const sinkingCases: RefereeCase[] = [
  {
    name: 'viscous/sinking-blob',
    title: 'A ball sinks into a pool of its own liquid: the energy lost is the heat',
    async run(context) {
      const resources = await context.createResources();
      const rows: RefereeRow[] = [];
      for (const viscosity of VISCOSITIES)
        for (const cells of CELLS) {
          const { lost, heat, share, largest } = sink(viscosity, cells, resources);
          const name = `nu ${viscosity} m^2/s, ${cells} cells of radius`;
          context.note(name);
          rows.push(
            atLeast(`${name}: lost of what could be`, share, MOVED, ''),
            atMost(`${name}: heat off the energy lost`, 100 * Math.abs(heat / lost - 1), BOUND, '%'),
            reportRow(`${name}: heat`, heat, 'J', lost),
            atMost(`${name}: volume off`, 100 * largest, 1, '%'),
          );
        }
      return rows;
    },
  },
];
