/** Solids too thin for the surface's cells: a check of scenes for all methods on them. */
import { InputError } from '../../core/errors.ts';
import type { Box, Metres, Vec3 } from '../../core/types.ts';
import { measureThickness } from '../../geometry/shapes.ts';
import type { Scene } from '../../scene/scene.ts';

/** How exactly thickness is told, relative to the least there may be. */
const SLACK = 0.2;
/** Cells that a plate may take to be measured: the larger it is, the less exactly. */
const PLATE_CELLS = 2e5;

/**
 * Refuses solids that the surface's cells step over: liquid would be on their other side without having
 * passed them (surroundings.ts). `least`: the edge of those cells, m; `cell`: what messages call one.
 */
export function checkThickness(scene: Scene, least: Metres, cell = 'a cell of the surface'): void {
  const refinement = scene.resolution / least;
  for (const { name, shape, motion } of scene.solids) {
    if (![...shape.bounds.min, ...shape.bounds.max].every(Number.isFinite)) continue;
    // What stands outside the domain is as thick as one likes; where moving solids come from there, they are
    // measured whole.
    const within = motion ? shape.bounds : grow(scene.domain, 2 * least);
    const extent = within.max.map(
      (x, k) => Math.min(x, shape.bounds.max[k]) - Math.max(within.min[k], shape.bounds.min[k]),
    );
    const area = extent[0] * extent[1] + extent[1] * extent[2] + extent[2] * extent[0];
    const tolerance = Math.max(SLACK * least, Math.sqrt(Math.max(0, area) / PLATE_CELLS));
    const thickness = measureThickness(shape, within, tolerance, least, least) + tolerance;
    if (thickness >= least) continue;
    throw new InputError(
      `solid "${name}"`,
      `it is at most ${round(thickness)} m thick, less than ${cell}, ${round(least)} m: liquid would get through`,
      `make it ${round(least)} m thick at least, or the resolution ${round(thickness * refinement)} m or finer`,
    );
  }
}

const grow = ({ min, max }: Box, by: Metres): Box => ({
  min: min.map((x) => x - by) as unknown as Vec3,
  max: max.map((x) => x + by) as unknown as Vec3,
});

const round = (x: number): number => Number(x.toPrecision(2));
