/**
 * Seeds in a grid with about two in each cell, handed out by rising distance. Cost: linear to build; a query
 * looks only as far as it is asked to.
 */

type Point = readonly [number, number, number];

const SEEDS_PER_CELL = 2;

export class SeedGrid {
  private readonly cells: number[][] = [];
  private readonly count: number[];
  private readonly size: number;

  constructor(
    private readonly seeds: readonly Point[],
    private readonly min: Point,
    max: Point,
  ) {
    const side = max.map((x, k) => x - min[k]);
    this.size = Math.cbrt((side[0] * side[1] * side[2] * SEEDS_PER_CELL) / seeds.length);
    this.count = side.map((l) => Math.max(1, Math.ceil(l / this.size)));
    for (let n = 0; n < this.count[0] * this.count[1] * this.count[2]; n++) this.cells.push([]);
    seeds.forEach((seed, n) => {
      const [i, j, k] = this.place(seed);
      this.cells[(i * this.count[1] + j) * this.count[2] + k].push(n);
    });
  }

  /** Calls back with all other seeds by rising distance, ties by number, until told to stop by `false`. */
  forEachByDistance(n: number, visit: (other: number, distance: number) => boolean): void {
    const from = this.seeds[n];
    const home = this.place(from);
    const rings = Math.max(...this.count);
    let waiting: { other: number; distance: number }[] = [];
    for (let ring = 0; ring <= rings; ring++) {
      for (const other of this.listRing(home, ring)) {
        if (other === n) continue;
        const distance = Math.hypot(...this.seeds[other].map((x, k) => x - from[k]));
        waiting.push({ other, distance });
      }
      waiting.sort((a, b) => a.distance - b.distance || a.other - b.other);
      // What lies in rings to come is at least this far away.
      const sure = ring === rings ? Infinity : ring * this.size;
      let done = 0;
      while (done < waiting.length && waiting[done].distance <= sure) {
        if (!visit(waiting[done].other, waiting[done].distance)) return;
        done++;
      }
      waiting = waiting.slice(done);
    }
  }

  private place(x: Point): number[] {
    return x.map((y, k) => Math.min(this.count[k] - 1, Math.floor((y - this.min[k]) / this.size)));
  }

  /** Seeds in the cells whose largest offset from `home` is `ring`. */
  private listRing(home: readonly number[], ring: number): number[] {
    const { count, cells } = this;
    const found: number[] = [];
    const low = home.map((h) => Math.max(0, h - ring));
    const high = home.map((h, k) => Math.min(count[k] - 1, h + ring));
    for (let i = low[0]; i <= high[0]; i++) {
      for (let j = low[1]; j <= high[1]; j++) {
        const isShell = Math.abs(i - home[0]) === ring || Math.abs(j - home[1]) === ring;
        for (let k = low[2]; k <= high[2]; k++) {
          if (isShell || Math.abs(k - home[2]) === ring)
            found.push(...cells[(i * count[1] + j) * count[2] + k]);
        }
      }
    }
    return found;
  }
}
