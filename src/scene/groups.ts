/** Dimensionless numbers: which forces matter for a liquid of a scene. */
import type { Liquid, Scene } from './scene.ts';

export interface DimensionlessGroups {
  readonly material: string;
  /** What the length scale is, in words. */
  readonly scale: string;
  readonly length: number;
  readonly speed: number;
  readonly Re?: number;
  readonly We?: number;
  readonly Bo?: number;
  readonly Fr?: number;
  readonly Oh?: number;
}

/**
 * Length: the liquid's extent along gravity inside the domain (its largest extent without gravity).
 * Speed: the greater of its initial speed and sqrt(gL), what it reaches by falling half its length.
 * A number whose divisor is 0 (no viscosity, no tension, no gravity) is left out.
 */
export function computeGroups(scene: Pick<Scene, 'gravity' | 'domain'>, liquid: Liquid): DimensionlessGroups {
  const g = Math.hypot(...scene.gravity);
  const { bounds } = liquid.shape;
  const extent = [0, 1, 2].map(
    (i) => Math.min(bounds.max[i], scene.domain.max[i]) - Math.max(bounds.min[i], scene.domain.min[i]),
  );
  const alongGravity = scene.gravity.reduce((sum, x, i) => sum + (Math.abs(x) / (g || 1)) * extent[i], 0);
  const length = g > 0 ? alongGravity : Math.max(...extent);
  const speed = Math.max(Math.hypot(...liquid.velocity), Math.sqrt(g * length));
  const { density, viscosity, surfaceTension } = liquid.material;
  return {
    material: liquid.material.name,
    scale: g > 0 ? "the liquid's height along gravity" : "the liquid's largest extent",
    length,
    speed,
    ...(viscosity > 0 && { Re: (density * speed * length) / viscosity }),
    ...(surfaceTension > 0 && { We: (density * speed * speed * length) / surfaceTension }),
    ...(surfaceTension > 0 && { Bo: (density * g * length * length) / surfaceTension }),
    ...(g > 0 && { Fr: speed / Math.sqrt(g * length) }),
    ...(surfaceTension > 0 && { Oh: viscosity / Math.sqrt(density * surfaceTension * length) }),
  };
}
