/** Scenes that the schema lets pass and the lattice cannot hold. */
import { InputError } from '../../core/errors.ts';
import { measureThickness } from '../../geometry/shapes.ts';
import type { Scene } from '../../scene/scene.ts';
import { latticeOptions } from './options.ts';

/** Cells looked at per solid: beyond it, its thickness is told less exactly. */
const MOST_CELLS = 1e6;
/** How exactly thickness is told, relative to the least there may be. */
const SLACK = 0.1;

/** Refuses solids that the surface's cells step over: liquid would be on their other side without having passed them (surroundings.ts). */
export function checkScene(scene: Scene): void {
  const { surfaceRefinement } = latticeOptions.parse(scene.options);
  const least = scene.resolution / surfaceRefinement;
  for (const { name, shape } of scene.solids) {
    const { min, max } = shape.bounds;
    const extent = max.map((x, a) => x - min[a]);
    if (!extent.every(Number.isFinite)) continue;
    const area = extent[0] * extent[1] + extent[1] * extent[2] + extent[2] * extent[0];
    const tolerance = Math.max(SLACK * least, Math.sqrt(area / MOST_CELLS));
    const thickness = measureThickness(shape, shape.bounds, tolerance, least) + tolerance;
    if (thickness >= least) continue;
    throw new InputError(
      `solid "${name}"`,
      `it is at most ${round(thickness)} m thick, less than a cell of the surface, ${round(least)} m: liquid would get through`,
      `make it ${round(least)} m thick at least, or the resolution ${round(thickness * surfaceRefinement)} m or finer`,
    );
  }
}

const round = (x: number): number => Number(x.toPrecision(2));
