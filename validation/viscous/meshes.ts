/**
 * The viscous method on its two meshes: a column that collapses, graded against uniform, and against the
 * other mesh.
 */

import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { emptyRoom } from '../../cases/shared/scene.ts';
import { box } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import { viscous } from '../../src/methods/viscous/viscous.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';
import type { Scene } from '../../src/scene/scene.ts';

const H = 0.01;
const WIDTH = 0.2;
const HEIGHT = 0.24;
const VISCOSITY = 100;
const STEPS = 10;
const DT = 0.02;
const ROOM = { min: [0, 0, 0], max: [0.4, 0.4, 0.3] } as const;

/** Most that heights may differ, and least by which a graded mesh has fewer tets. */
const SAME_HEIGHT = 2;
const FEWER = 5;

function composeColumn(options: Record<string, unknown>): Scene {
  const low = (ROOM.max[0] - WIDTH) / 2;
  const material = { name: 'thick', density: 1000, viscosity: VISCOSITY, surfaceTension: 0 };
  return {
    ...emptyRoom('viscous', ROOM, H),
    wall: 'no-slip',
    gravity: [0, 0, -9.81],
    liquids: [
      { shape: box([low, low, -1], [low + WIDTH, low + WIDTH, HEIGHT]), velocity: [0, 0, 0], material },
    ],
    options,
  };
}

/** Height of the surface's top after the run, m, and mean number of tets. */
function collapse(options: Record<string, unknown>, resources: Resources): { top: number; tets: number } {
  const model = viscous.build(composeColumn(options), resources);
  const state = viscous.start(model);
  const work = viscous.createWork(model);
  let tets = 0;
  for (let n = 0; n < STEPS; n++) {
    viscous.step(model, state, work, DT);
    tets += state.mesh.tetCount / STEPS;
  }
  const { surface } = state;
  let top = 0;
  for (let v = 0; v < surface.vertexCount; v++) top = Math.max(top, surface.position[3 * v + 2]);
  viscous.release?.(state);
  return { top, tets };
}

const gradedColumn: RefereeCase = {
  name: 'viscous/graded-column',
  title: 'A column of 100 Pa s, 20 cells wide, collapses for 0.2 s: graded and uniform, stuffed and embedded',
  async run(context) {
    const resources = await context.createResources();
    const rows: RefereeRow[] = [];
    const run = (name: string, options: Record<string, unknown>) => {
      context.note(name);
      const result = collapse(options, resources);
      rows.push(
        reportRow(`${name}: height`, 1000 * result.top, 'mm'),
        reportRow(`${name}: tets`, Math.round(result.tets), ''),
      );
      return result;
    };
    const uniform = run('stuffed, uniform', { interiorLevels: 0 });
    const graded = run('stuffed, graded', { interiorLevels: 3 });
    const embedded = run('embedded, uniform', { mesh: 'embedded', interiorLevels: 0 });
    const coarse = run('embedded, graded, finest at the foot', {
      mesh: 'embedded',
      interiorLevels: 3,
      sizing: {
        surfaceLevels: 2,
        growth: 1,
        fields: [{ min: [0, 0, 0], max: [0.4, 0.4, H], size: H, slope: 1 }],
      },
    });
    const differ = (a: typeof uniform, b: typeof uniform) => 100 * Math.abs(a.top / b.top - 1);
    rows.push(
      atMost('stuffed: graded against uniform, height', differ(graded, uniform), SAME_HEIGHT, '%'),
      reportRow('stuffed: times fewer tets', uniform.tets / graded.tets, ''),
      atMost('embedded: graded against uniform, height', differ(coarse, embedded), SAME_HEIGHT, '%'),
      atLeast('embedded: times fewer tets', embedded.tets / coarse.tets, FEWER, ''),
      atMost('embedded against stuffed, height', differ(embedded, uniform), SAME_HEIGHT, '%'),
    );
    return rows;
  },
};

export const meshes: RefereeCase[] = [gradedColumn];
