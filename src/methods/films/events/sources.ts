/**
 * Air blown into bubbles: a point source in the region adds rate / (4 pi) d / |d|^3 to the velocity. Its
 * potential is continuous across the films, so no circulation comes with it. The volume the region is meant
 * to gain is booked, so that the region gets exactly that (tracking/multimaterial/conservation/volumes.ts).
 */
import { NONE, type Seconds, type Vec3 } from '../../../core/types.ts';
import { measureRegions } from '../../../tracking/multimaterial/measure.ts';
import type { MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import type { FilmsOptions } from '../options.ts';

type Source = FilmsOptions['sources'][number];

export interface ActiveSource {
  readonly region: number;
  readonly position: Vec3;
  /** m^3/s over the step */
  readonly rate: number;
}

/** Sources at work between two times, at their mean rate; a source whose region is gone has stopped. */
export function findSources(
  mesh: MultiMesh,
  sources: readonly Source[],
  time: Seconds,
  dt: Seconds,
): ActiveSource[] {
  const found: ActiveSource[] = [];
  if (sources.length === 0) return found;
  const regions = new Map(measureRegions(mesh).map((measure) => [measure.label, measure]));
  for (const { region, position, rate, start, end } of sources) {
    const on = Math.min(end ?? Infinity, time + dt) - Math.max(start, time);
    if (on <= 0) continue;
    const measure = regions.get(region);
    if (!measure || !(measure.volume > 0)) continue;
    found.push({ region, position: position ?? measure.middle, rate: (rate * on) / dt });
  }
  return found;
}

export function addSourceVelocity(
  sources: readonly ActiveSource[],
  position: Float64Array,
  velocity: Float64Array,
): void {
  for (const { position: s, rate } of sources) {
    for (let v = 0; v < position.length; v += 3) {
      const x = position[v] - s[0];
      const y = position[v + 1] - s[1];
      const z = position[v + 2] - s[2];
      const r2 = x * x + y * y + z * z;
      if (r2 === 0) continue;
      const w = rate / (4 * Math.PI * r2 * Math.sqrt(r2));
      velocity[v] += w * x;
      velocity[v + 1] += w * y;
      velocity[v + 2] += w * z;
    }
  }
}

/**
 * Books what the regions are to gain as owed to them, on one half-face each, and adds it to the volumes they
 * are meant to have.
 */
export function bookSources(
  mesh: MultiMesh,
  sources: readonly ActiveSource[],
  dt: Seconds,
  meant: Map<number, number>,
): void {
  for (const { region, rate } of sources) {
    let inside = NONE;
    for (let h = 0; h < 2 * mesh.faceFill && inside === NONE; h++)
      if (mesh.isFace(h >> 1) && mesh.label[h] === region) inside = h;
    if (inside === NONE) continue;
    mesh.setDebt(inside, mesh.debt[inside] - rate * dt);
    const volume = meant.get(region);
    if (volume !== undefined) meant.set(region, volume + rate * dt);
  }
}
