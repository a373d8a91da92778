/**
 * Twelve everyday scenes on dry ground, with 20, 30 and 40 cells across the tank, through the runner: the
 * volume against what should be there (the start's contour, and what came since) at every step; the mass by
 * quadrant where the start is symmetric; and whether anything hangs on a wall. `validate volume` runs all 36;
 * `validate volume/ball` one scene; `validate volume-20` all scenes at one resolution.
 */
import { EVERYDAY_SCENES, type Everyday } from '../../cases/lattice/everyday.ts';
import { HangWatch, LONGEST_HANG } from '../../cases/lattice/hanging.ts';
import { measureQuadrants } from '../../cases/lattice/surface-measures.ts';
import { atLeast, atMost, equalTo, reportRow } from '../../cases/shared/rows.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import type { Course } from './scene-course.ts';
import { driveScene } from './scene-course.ts';
import { readRepair } from './step-ledger.ts';

/** Per cent of what should be there: at any step, at the end; of a quadrant's share. The issue's. */
const VOLUME_BOUND = 1;
const END_BOUND = 0.5;
const QUADRANT_BOUND = 2;
/** m: every scene's liquid goes much farther than this; one that is left as it is does not. */
const LEAST_WAY = 0.05;
const RESOLUTIONS = [20, 30, 40];
/** Up to here one thread is as fast as two. */
const SMALL = 20;

/** Largest difference between quadrants that mirror each other, as a share of a quarter of the volume. */
function measureAsymmetry([a, b, c, d]: readonly number[], mirrors: Everyday['mirrors']): number {
  const quarter = (a + b + c + d) / 4;
  if (quarter <= 0) return 0; // nothing left to compare; the volume falls short
  const groups =
    mirrors === 'xy'
      ? [[a, b, c, d]]
      : [
          [a, c],
          [b, d],
        ];
  let most = 0;
  for (const group of groups) {
    const mean = group.reduce((sum, x) => sum + x, 0) / group.length;
    for (const x of group) most = Math.max(most, Math.abs(x - mean) / quarter);
  }
  return most;
}

async function judge(context: RefereeContext, everyday: Everyday, cells: number): Promise<RefereeRow[]> {
  const { name, mirrors, sets } = everyday;
  context.note(`${cells} cells`);
  const cell = 1 / cells;
  const loaded = await context.loadScene(`everyday/${name}`, {
    sets: [`resolution=${cell}`, ...(sets?.(cell) ?? [])],
  });
  const watch = new HangWatch(loaded.scene);
  let asymmetry = 0;
  const course = await driveScene(context, loaded, {
    ...(cells <= SMALL && { threads: 1 }),
    onFrame(time, mesh) {
      watch.look(time, mesh);
      if (mirrors !== '')
        asymmetry = Math.max(asymmetry, measureAsymmetry(measureQuadrants(mesh, 0.5, 0.5), mirrors));
    },
  });
  const what = (text: string) => `${cells} cells: ${text}`;
  const { records } = course;
  const kept = records.map(({ volume }, n) => (100 * volume!) / course.wanted[n]);
  const worst = kept.reduce((at, x, n) => (Math.abs(x - 100) > Math.abs(kept[at] - 100) ? n : at), 0);
  return [
    equalTo(what('ran to its end'), course.fault || 'yes', 'yes'),
    atLeast(what('least volume'), Math.min(...kept), 100 - VOLUME_BOUND, '%', 100),
    atMost(what('most volume'), Math.max(...kept), 100 + VOLUME_BOUND, '%', 100),
    reportRow(what('the worst of these was at'), records[worst].time, 's'),
    reportRow(what('volume at the end'), kept.at(-1)!, '%', 100),
    atMost(what('volume off at the end'), Math.abs(kept.at(-1)! - 100), END_BOUND, '%', 0),
    ...(mirrors === ''
      ? []
      : [atMost(what('mass by quadrant, off its mirror image'), 100 * asymmetry, QUADRANT_BOUND, '%', 0)]),
    atMost(
      what(`longest hang on a wall${watch.where && `, ${watch.where}`}`),
      watch.longest,
      LONGEST_HANG,
      's',
      0,
    ),
    atLeast(what('way of the centre of mass'), measureWay(course), LEAST_WAY, 'm'),
    reportRow(what('repaired, in sum'), 100 * measureRepair(course).sum, '%'),
    reportRow(what('steps'), records.length - 1, ''),
  ];
}

/** Farthest that the centre of mass was from where it began, m */
function measureWay({ records }: Course): number {
  const from = records[0].centreOfMass!;
  let most = 0;
  for (const { centreOfMass, volume } of records) {
    // Of what is hardly there the centre says nothing.
    if (volume! < 0.1 * records[0].volume!) continue;
    most = Math.max(most, Math.hypot(...centreOfMass!.map((x, a) => x - from[a])));
  }
  return most;
}

/**
 * What had to be repaired, summed over the steps as a share of the volume there should be; and the largest
 * shift, contouring cells.
 */
export function measureRepair({ records, wanted, scene }: Course): {
  sum: number;
  shift: number;
  isBooked: boolean;
} {
  let sum = 0;
  let shift = 0;
  let isBooked = true;
  for (let n = 1; n < records.length; n++) {
    const repair = readRepair(records[n], records[n - 1], wanted[n - 1], scene);
    sum += repair.volume / wanted[n];
    shift = Math.max(shift, repair.shift);
    isBooked &&= repair.isBooked;
  }
  return { sum, shift, isBooked };
}

export const everydayVolumeCases: RefereeCase[] = [
  ...EVERYDAY_SCENES.map(
    (everyday): RefereeCase => ({
      name: `volume/${everyday.name}`,
      title: `${everyday.title}: volume, symmetry, walls; 20, 30 and 40 cells`,
      onRequest: true,
      async run(context) {
        const rows: RefereeRow[] = [];
        for (const cells of RESOLUTIONS) rows.push(...(await judge(context, everyday, cells)));
        return rows;
      },
    }),
  ),
  ...RESOLUTIONS.flatMap((cells) =>
    EVERYDAY_SCENES.map(
      (everyday): RefereeCase => ({
        name: `volume-${cells}/${everyday.name}`,
        method: `volume-${cells}`,
        title: `${everyday.title}: volume, symmetry, walls; ${cells} cells`,
        onRequest: true,
        run: (context) => judge(context, everyday, cells),
      }),
    ),
  ),
];
