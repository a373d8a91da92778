/**
 * Does liquid hang on a wall? Nothing holds a film on a smooth wall above the pool: its upper rim is thrown
 * up and falls. In T seconds a thrown body covers at least g T^2 / 8, however it was thrown (half the time
 * up, half down). A rim that stays within half of that hangs; the watch tells the longest time that any did.
 * On the ceiling, all liquid that is not a column standing on the ground hangs. The walls are those of the
 * domain. What may be fed is not judged, since a fed rim can stand: while a nozzle runs, around nozzles (they
 * are kept full), and lower than what stands on a ledge or a step and may run down from there.
 */
import type { Seconds } from '../../src/core/types.ts';
import { moveToPose } from '../../src/geometry/shapes.ts';
import type { TriMesh } from '../../src/mesh/trimesh.ts';
import type { Scene } from '../../src/scene/scene.ts';
import { findWetStretches, type Stretch } from './surface-measures.ts';

/** s: the bound */
export const LONGEST_HANG = 0.3;
/** Share of the least way of a thrown body within which a rim counts as hanging. */
const STILL_SHARE = 0.5;
/**
 * In cells: between columns, off the wall, to where the pool's level is read, above the pool; least height of
 * a scrap; and what keeps columns off the planes of the grid.
 */
const CELLS = { spacing: 0.5, near: 0.1, inner: 2, above: 1.5, scrap: 0.25, aside: 0.0137 };

interface Place {
  readonly near: readonly [number, number];
  /** The same place two cells off the wall; none under the ceiling. */
  readonly inner?: readonly [number, number];
  /** When and how high its rim was, as far back as it stayed within the bound. */
  rim: { time: Seconds; height: number }[];
}

export class HangWatch {
  /** s */
  longest = 0;
  /** Where and when the longest hang ended. */
  where = '';
  readonly #scene: Scene;
  readonly #places: Place[];
  readonly #reach: number;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#places = [...listWallPlaces(scene), ...listCeilingPlaces(scene)];
    this.#reach = (STILL_SHARE * Math.hypot(...scene.gravity) * LONGEST_HANG ** 2) / 8;
  }

  /**
   * Looks at the surface of a frame. While a nozzle runs a rim may be fed and stand: then nothing is judged.
   */
  look(time: Seconds, mesh: TriMesh): void {
    const isFed = this.#scene.emitters.some(({ flowAt }) => flowAt(time) > 0);
    if (isFed) {
      for (const place of this.#places) place.rim = [];
      return;
    }
    const near = findWetStretches(
      mesh,
      this.#places.map((p) => p.near),
    );
    const inner = findWetStretches(
      mesh,
      this.#places.flatMap((p) => (p.inner ? [p.inner] : [])),
    );
    const raised = this.#findRaised(near, time);
    // Places on walls come first, so that their numbers are those of the inner columns.
    this.#places.forEach((place, n) => {
      const height = place.inner
        ? this.#findRim(place, near[n], Math.max(raised, this.#findPool(place.inner, inner[n], time)))
        : this.#findCeiling(place, near[n], time);
      this.#follow(place, height, time);
    });
  }

  /** Height of the upper rim of what is on the wall above the pool. */
  #findRim(place: Place, near: readonly Stretch[], pool: number): number | undefined {
    const { resolution } = this.#scene;
    const high = near.filter(({ from, to }) => to - Math.max(from, pool) > CELLS.scrap * resolution);
    const rim = high.at(-1)?.to;
    if (rim === undefined || rim < pool + CELLS.above * resolution) return undefined;
    return this.#isNozzle(place.near, rim) ? undefined : rim;
  }

  /** The ceiling's height where liquid touches it and does not stand on the ground. */
  #findCeiling(place: Place, near: readonly Stretch[], time: Seconds): number | undefined {
    const { domain, resolution } = this.#scene;
    const top = near.at(-1);
    if (top === undefined || top.to < domain.max[2] - CELLS.near * resolution) return undefined;
    if (this.#isGround(place.near, top.from, time) || this.#isNozzle(place.near, top.to)) return undefined;
    return domain.max[2];
  }

  /** The highest level of what stands on ground above the floor, or the floor. */
  #findRaised(wet: readonly (readonly Stretch[])[], time: Seconds): number {
    const { domain, resolution } = this.#scene;
    let most = domain.min[2];
    this.#places.forEach((place, n) => {
      for (const { from, to } of wet[n])
        if (from > domain.min[2] + resolution && to > most && this.#isGround(place.near, from, time))
          most = to;
    });
    return most;
  }

  /** The level of what stands on the ground, or the ground. */
  #findPool(at: readonly [number, number], stretches: readonly Stretch[], time: Seconds): number {
    const standing = stretches.filter(({ from }) => this.#isGround(at, from, time));
    return standing.at(-1)?.to ?? this.#scene.domain.min[2];
  }

  /** Whether a solid or the floor is close below. */
  #isGround([x, y]: readonly [number, number], z: number, time: Seconds): boolean {
    const { domain, resolution, solids } = this.#scene;
    const below = z - CELLS.scrap * resolution;
    if (below <= domain.min[2]) return true;
    return solids.some(({ shape, motion }) =>
      motion ? moveToPose(shape, motion.poseAt(time)).value(x, y, below) > 0 : shape.value(x, y, below) > 0,
    );
  }

  #isNozzle([x, y]: readonly [number, number], z: number): boolean {
    const { emitters, resolution } = this.#scene;
    return emitters.some(({ shape }) => shape.value(x, y, z) > -2 * resolution);
  }

  #follow(place: Place, height: number | undefined, time: Seconds): void {
    if (height === undefined) {
      place.rim = [];
      return;
    }
    place.rim.push({ time, height });
    while (
      Math.max(...place.rim.map((r) => r.height)) - Math.min(...place.rim.map((r) => r.height)) >
      this.#reach
    )
      place.rim.shift();
    const lasted = time - place.rim[0].time;
    if (lasted <= this.longest) return;
    this.longest = lasted;
    const [x, y] = place.near;
    this.where = `(${x.toFixed(2)}, ${y.toFixed(2)}, ${height.toFixed(2)}) m at ${time.toFixed(2)} s`;
  }
}

function* listAlong(from: number, to: number, step: number): Generator<number> {
  for (let x = from + (0.5 + CELLS.aside) * step; x < to; x += step) yield x;
}

function listWallPlaces({ domain, resolution: h }: Scene): Place[] {
  const places: Place[] = [];
  for (const axis of [0, 1])
    for (const side of [-1, 1]) {
      const wall = side < 0 ? domain.min[axis] : domain.max[axis];
      const across = 1 - axis;
      for (const along of listAlong(domain.min[across], domain.max[across], CELLS.spacing * h)) {
        const at = (off: number): [number, number] => {
          const x = wall - side * (off + CELLS.aside) * h;
          return axis === 0 ? [x, along] : [along, x];
        };
        places.push({ near: at(CELLS.near), inner: at(CELLS.inner), rim: [] });
      }
    }
  return places;
}

function listCeilingPlaces({ domain, resolution: h }: Scene): Place[] {
  const places: Place[] = [];
  for (const x of listAlong(domain.min[0], domain.max[0], CELLS.spacing * h))
    for (const y of listAlong(domain.min[1], domain.max[1], CELLS.spacing * h))
      places.push({ near: [x, y], rim: [] });
  return places;
}
