/**
 * The everyday scenes by the flip method: the volume in the skin against what the particles hold, and the
 * energy; the front of a dam break.
 *
 * The particles' volume is exact, and says nothing of what is seen. So the volume on trial is that of the
 * surface of frames; beside it stands the particles' own.
 */
import { EVERYDAY_SCENES, type Everyday } from '../../cases/lattice/everyday.ts';
import { atMost, equalTo, reportRow } from '../../cases/shared/rows.ts';
import { measureVolume } from '../../src/mesh/trimesh-measure.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import type { StepRecord } from '../../src/run/runner.ts';
import { driveScene } from '../lattice/scene-course.ts';

const VOLUME_BOUND = 1;
const CELLS = 20;

async function judge(context: RefereeContext, { name, sets }: Everyday): Promise<RefereeRow[]> {
  const cell = 1 / CELLS;
  const loaded = await context.loadScene(`everyday/${name}`, {
    sets: [`resolution=${cell}`, 'method="flip"', ...(sets?.(cell) ?? [])],
  });
  const skin: { time: number; volume: number }[] = [];
  const course = await driveScene(context, loaded, {
    onFrame: (time, mesh) => skin.push({ time, volume: measureVolume(mesh) }),
  });
  const { records, wanted, fault } = course;
  const held = records.map(({ volume }, n) => Math.abs(volume! / wanted[n] - 1));
  const shares = skin.map(({ time, volume }) => {
    const n = records.findIndex((r) => r.time > time - 1e-9);
    return (100 * volume) / (records[n]?.volume ?? Number.NaN);
  });
  return [
    equalTo('ran to its end', fault || 'yes', 'yes'),
    atMost('particles: volume off at any step', 100 * Math.max(...held), VOLUME_BOUND, '%', 0),
    atMost(
      'skin: volume off in any frame',
      Math.max(...shares.map((s) => Math.abs(s - 100))),
      VOLUME_BOUND,
      '%',
      0,
    ),
    reportRow('skin: least volume in a frame', Math.min(...shares), '%', 100),
    reportRow('skin: most volume in a frame', Math.max(...shares), '%', 100),
    reportRow('energy rises by at most, of the start', 100 * measureRise(records), '%', 0),
  ];
}

/**
 * How far the energy climbs above what it was before, over that of the start. Scenes without sources or
 * moving solids alone: others gain by them.
 */
function measureRise(records: readonly StepRecord[]): number {
  const energies = records.map((r) => r.kineticEnergy! + r.potentialEnergy!);
  let lowest = energies[0];
  let rise = 0;
  for (const energy of energies) {
    rise = Math.max(rise, energy - lowest);
    lowest = Math.min(lowest, energy);
  }
  return rise / Math.abs(energies[0]);
}

export const flipSceneCases: RefereeCase[] = EVERYDAY_SCENES.map((everyday) => ({
  name: `flip-volume/${everyday.name}`,
  title: `${everyday.title}: volume of particles and of the skin, 20 cells`,
  onRequest: true,
  run: (context) => judge(context, everyday),
}));
