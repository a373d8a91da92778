/** How fast what moves by itself will be, for estimates: solids and the liquid in nozzles. */
import type { MetresPerSecond, Seconds } from '../../core/types.ts';
import { measureMotion } from '../../geometry/motions.ts';
import { measureShadow } from '../../geometry/shapes.ts';
import type { Emitter, Scene } from '../../scene/scene.ts';

/** Looks at flows and motions over a run. */
export const LOOKS = 200;
/** Rays along a side of a nozzle's shadow. */
const RAYS = 24;

/** Of any point of a solid at any time of the run. */
export function measureSolidSpeed({ solids, domain }: Scene, until: Seconds): MetresPerSecond {
  let most = 0;
  for (const { shape, motion } of solids)
    if (motion && [...shape.bounds.min, ...shape.bounds.max].every(Number.isFinite))
      most = Math.max(most, measureMotion(motion, shape.bounds, until, LOOKS, domain).topSpeed);
  return most;
}

export interface Nozzle {
  /** Cross-section of what leaves it, m^2; 0 where none of it is in the domain. */
  readonly section: number;
  speedAt(time: Seconds): MetresPerSecond;
  /** At any time of the run, as far as it is looked at. */
  topSpeed(until: Seconds): MetresPerSecond;
}

export function measureNozzle({ shape, direction, flowAt }: Emitter, { domain }: Scene): Nozzle {
  const section = measureShadow(shape, direction, domain, RAYS);
  const speedAt = (time: Seconds) => (section > 0 ? flowAt(time) / section : 0);
  return {
    section,
    speedAt,
    topSpeed(until) {
      let most = 0;
      for (let n = 0; n < LOOKS; n++) most = Math.max(most, speedAt(((n + 0.5) / LOOKS) * until));
      return most;
    },
  };
}
