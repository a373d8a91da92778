/**
 * What must stay over whole scenes: volumes of all bubbles and the momentum of a free cluster. On request:
 * whole scenes take minutes.
 */
import type { LabelledMesh } from '../../cases/films/least-area.ts';
import { measureVolumes } from '../../cases/films/relax-films.ts';
import { atMost, equalTo, reportRow } from '../../cases/shared/rows.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

/**
 * Largest change of any bubble's volume over a whole scene, %: issue 5, row 4 (the thesis: 2.2, 2.4, 0.05).
 */
const VOLUME_BOUNDS = { cube: 0.5, 'double-bubble': 0.5, cluster: 0.05 };
/** kg/m^3, the scenes' */
const AIR_DENSITY = 1.2;
/** % of scale */
const DRIFT_BOUND = 1;

async function runScene(context: RefereeContext, name: keyof typeof VOLUME_BOUNDS): Promise<RefereeRow[]> {
  const loaded = await context.loadScene(`films/${name}`);
  const run = context.createRun(loaded, await context.createResources());
  const before = measureVolumes(run.snapshot().record.arrays as unknown as LabelledMesh);
  const wanted = [...before.keys()].join(' ');
  // Steps at whose end a bubble was missing, or there was one more: their volumes would not be compared.
  let strange = 0;
  let worst = 0;
  let [impulse, angular, liveliest, volume] = [0, 0, 0, 0];
  const returned = { most: 0, sum: [0, 0, 0] };
  for (const event of run.events()) {
    if (event.type !== 'step') continue;
    const { regions, momentum, angularMomentum, returnedMomentum, step } = event.record;
    const found = regions!.map(({ label }) => label).sort((a, b) => a - b);
    if (found.join(' ') !== wanted) strange++;
    for (const { label, volume } of regions!)
      worst = Math.max(worst, 100 * Math.abs(volume / (before.get(label) ?? Number.NaN) - 1));
    volume = event.record.volume!;
    impulse = Math.max(impulse, Math.hypot(...momentum!));
    angular = Math.max(angular, Math.hypot(...angularMomentum!));
    returned.most = Math.max(returned.most, Math.hypot(...returnedMomentum!));
    returned.sum = returned.sum.map((p, k) => p + returnedMomentum![k]);
    liveliest = Math.max(liveliest, event.record.kineticEnergy!);
    if (step % 200 === 0) context.note(`${name}: ${event.record.time.toFixed(3)} s`);
  }
  // Scale: all the air of the bubbles going one way with the greatest kinetic energy seen; single vertices
  // are far quicker for moments.
  const scale = Math.sqrt(2 * AIR_DENSITY * volume * liveliest);
  return [
    equalTo(`${name}: steps with other bubbles than ${wanted}`, String(strange), '0'),
    atMost(`${name}: largest change of a volume`, worst, VOLUME_BOUNDS[name], '%', 0),
    atMost(
      `${name}: momentum over sqrt(2 mass greatest kinetic energy)`,
      (100 * impulse) / scale,
      DRIFT_BOUND,
      '%',
      0,
    ),
    // Before every step the air is given back what edits took of its momentum: without that, the sum would be
    // the drift.
    reportRow(`${name}: of it given back in a step, at most`, (100 * returned.most) / scale, '%'),
    reportRow(`${name}: of it given back in all`, (100 * Math.hypot(...returned.sum)) / scale, '%'),
    reportRow(
      `${name}: angular momentum over the same times the radius`,
      (100 * angular) / (scale * Math.cbrt((3 * volume) / (4 * Math.PI))),
      '%',
    ),
  ];
}

export const filmsSceneCases: RefereeCase[] = [
  ...(Object.keys(VOLUME_BOUNDS) as (keyof typeof VOLUME_BOUNDS)[]).map((name) => ({
    name: `films/scene-${name}`,
    title: `volumes and momentum over the whole of the scene ${name}`,
    onRequest: true,
    run: (context: RefereeContext) => runScene(context, name),
  })),
];
