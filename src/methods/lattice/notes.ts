/**
 * What the lattice method leaves out of a scene. It solves the Euler equations ([chentanez-2007] eq. (1)),
 * without surface tension, and without viscosity unless asked for it: it says so where a scene would show
 * either, by the dimensionless numbers of its liquids at their size.
 */
import { computeGroups } from '../../scene/groups.ts';
import type { Ignored } from '../../scene/method-info.ts';
import type { Liquid, Material, Scene } from '../../scene/scene.ts';
import { latticeOptions } from './options.ts';

/** Pa s: a viscosity that shows at any size, about fifty times water's. */
const THICK = 0.05;
/** Reynolds number below which viscosity shows in any liquid. */
const LOW_REYNOLDS = 1000;
/**
 * Bond number (Weber number without gravity) below which tension shapes the liquid as a whole: ten capillary
 * lengths.
 */
const LOW_BOND = 100;

export const ignores: readonly Ignored[] = [
  { parts: ['materials.viscosity'], notes: (scene) => ofEveryMaterial(scene, noteViscosity) },
  { parts: ['materials.surfaceTension'], notes: (scene) => ofEveryMaterial(scene, noteTension) },
];

/** Notes on the first liquid of each material, emitted ones too. */
function ofEveryMaterial(scene: Scene, note: (scene: Scene, liquid: Liquid) => string[]): string[] {
  const notes: string[] = [];
  const seen = new Set<Material>();
  const emitted = scene.emitters.map(({ shape, material }) => ({ shape, material, velocity: REST }));
  for (const liquid of [...scene.liquids, ...emitted]) {
    if (seen.has(liquid.material)) continue;
    seen.add(liquid.material);
    notes.push(...note(scene, liquid));
  }
  return notes;
}

const REST = [0, 0, 0] as const;

function noteViscosity(scene: Scene, liquid: Liquid): string[] {
  const { name, viscosity } = liquid.material;
  if (latticeOptions.parse(scene.options).viscosity)
    return viscosity > 0 ? [] : [`lattice.viscosity is on, but ${name} has none: it flows as if inviscid`];
  // Without a speed to go by (at rest, no gravity) there is no number.
  const Re = computeGroups(scene, liquid).Re || Infinity;
  if (viscosity <= THICK && Re > LOW_REYNOLDS) return [];
  const number = Re < Infinity ? ` (Reynolds number about ${round(Re)})` : '';
  return [
    `the lattice method is inviscid: ${name} with ${viscosity} Pa s${number} flows as if it had no viscosity, unless lattice.viscosity is on`,
  ];
}

function noteTension(scene: Scene, liquid: Liquid): string[] {
  const { name, density, surfaceTension } = liquid.material;
  if (surfaceTension === 0) return [];
  const { Bo, We, length } = computeGroups(scene, liquid);
  const g = Math.hypot(...scene.gravity);
  const [number, value] = g > 0 ? ['Bond', Bo!] : ['Weber', We!];
  const capillary = g > 0 ? Math.sqrt(surfaceTension / (density * g)) : Infinity;
  if (value < LOW_BOND) {
    const size = `${name} of ${round(1000 * length)} mm (${number} number about ${round(value)})`;
    return [`the lattice method has no surface tension: ${size} would be shaped by it`];
  }
  if (g === 0 || scene.resolution >= capillary) return [];
  const scale = `${round(1000 * capillary)} mm`;
  return [
    `the lattice method has no surface tension: drops, rims and ripples of ${name} below some ${scale}, which cells of ${round(1000 * scene.resolution)} mm show, would be shaped by it`,
  ];
}

const round = (x: number) => Number(x.toPrecision(2));
