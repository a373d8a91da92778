/**
 * Air blown into bubbles: a point source in the region adds rate / (4 pi) d / |d|^3 to the velocity. Its potential is continuous across the films, so no
 * circulation comes with it. The volume the region is meant to gain is booked, so that the region gets exactly that (volumes.ts).
 */
import { NONE, type Seconds, type Vec3 } from '../../core/types.ts';
import type { MultiMesh } from '../../tracking/multimaterial/mesh.ts';
import type { FilmsOptions } from './options.ts';

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
  for (const { region, position, rate, start, end } of sources) {
    const on = Math.min(end ?? Infinity, time + dt) - Math.max(start, time);
    if (on <= 0) continue;
    const middle = computeMiddle(mesh, region);
    if (!middle) continue;
    found.push({ region, position: position ?? middle, rate: (rate * on) / dt });
  }
  return found;
}

/** Middle of a region's volume, or undefined where it has none. */
function computeMiddle(mesh: MultiMesh, region: number): Vec3 | undefined {
  const { position: p, face, label } = mesh;
  let volume = 0;
  const sum: [number, number, number] = [0, 0, 0];
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const sign = label[2 * f + 1] === region ? 1 : label[2 * f] === region ? -1 : 0;
    if (sign === 0) continue;
    const [a, b, c] = [3 * face[3 * f], 3 * face[3 * f + 1], 3 * face[3 * f + 2]];
    const tet =
      (sign / 6) *
      (p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
        p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
        p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]));
    volume += tet;
    for (let k = 0; k < 3; k++) sum[k] += (tet * (p[a + k] + p[b + k] + p[c + k])) / 4;
  }
  return volume > 0 ? [sum[0] / volume, sum[1] / volume, sum[2] / volume] : undefined;
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

/** Books what the regions are to gain as owed to them, on one half-face each, and adds it to the volumes they are meant to have. */
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
