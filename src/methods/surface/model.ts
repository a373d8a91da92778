import type { Metres, Vec3 } from '../../core/types.ts';
import type { Material, Scene } from '../../scene/scene.ts';
import type { LabelledTriangles } from '../../tracking/multimaterial/build.ts';
import { resolveOptions, type TrackerOptions } from '../../tracking/multimaterial/options.ts';
import { type SizingOptions, sizingDefaults } from '../../tracking/multimaterial/sizing.ts';
import type { Resources } from '../method.ts';
import { checkScene, findMaterial } from './check.ts';
import type { LiquidConstants } from './liquid/integrate.ts';
import { type SurfaceOptions, surfaceOptions } from './options.ts';
import { buildStart } from './start/start.ts';
import type { Nozzle } from './walls/nozzles.ts';
import { buildWalls } from './walls/scene-walls.ts';
import { SIDES, type SolidWall } from './walls/solids.ts';

export interface SurfaceModel extends Resources, Pick<Scene, 'resolution' | 'domain' | 'gravity'> {
  readonly options: SurfaceOptions;
  readonly bounds: TrackerOptions;
  /** Target edge lengths that vary; undefined: the same everywhere. */
  readonly sizing: SizingOptions | undefined;
  readonly constants: LiquidConstants;
  /** m^3: smaller drops fly as they are. */
  readonly moteVolume: number;
  /** What liquid may touch, nozzles last. */
  readonly walls: readonly SolidWall[];
  readonly nozzles: readonly Nozzle[];
  /** Sides of the domain that are no walls, by number. */
  readonly openSides: readonly number[];
  /** The surface at time 0, the velocity of each of its vertices (x 3), m/s, and which walls each is on. */
  readonly startSurface: LabelledTriangles;
  readonly startVelocity: Float64Array;
  readonly startWalls: Int32Array;
}

export function buildModel(scene: Scene, resources: Resources): SurfaceModel {
  checkScene(scene);
  const options = surfaceOptions.parse(scene.options);
  const { resolution, gravity, domain } = scene;
  const walls = buildWalls(scene, options);
  const start = buildStart(scene, walls);
  return {
    ...resources,
    options,
    resolution,
    domain,
    gravity,
    bounds: computeBounds(options, resolution),
    sizing: computeSizingOptions(findMaterial(scene), options, resolution),
    constants: computeConstants(findMaterial(scene), options, gravity),
    moteVolume: options.mote * resolution ** 3,
    startSurface: start.surface,
    startVelocity: start.velocity,
    startWalls: start.onWalls,
    walls: [...walls, ...start.nozzles.map(({ plane }) => plane)],
    nozzles: start.nozzles.map(({ nozzle }) => nozzle),
    openSides: options.open.map((side) => SIDES.indexOf(side)),
  };
}

/**
 * What snapping and pinching may change of a volume, in distances of merging: half of one over a star of six
 * even faces takes 0.43, uneven stars take twice that. It is given back. The tracker's own bound leaves half
 * of the vertices of two bodies that meet unjoined, and thin slits of air between them, through which next to
 * anything flows.
 */
const TOPOLOGY_CHANGE = 1;

export function computeBounds(options: SurfaceOptions, resolution: Metres): TrackerOptions {
  return resolveOptions({
    minEdge: options.shortest * resolution,
    maxEdge: options.longest * resolution,
    separation: options.separation,
    mergeProximity: options.contact,
    maxTopologyChange: TOPOLOGY_CHANGE * options.contact,
    flips: options.flips,
    smoothing: options.smoothing,
  });
}

/**
 * Share of the capillary pressure over an edge, sigma / h, that the velocity the edge does not resolve may
 * have.
 */
const UNRESOLVED = 0.05;

/** 23.1: shorter edges where the surface bends and where the velocity does. */
export function computeSizingOptions(
  { density, surfaceTension }: Material,
  { sizing }: SurfaceOptions,
  resolution: Metres,
): SizingOptions | undefined {
  if (!sizing) return undefined;
  const velocityBend = Math.sqrt((UNRESOLVED * surfaceTension) / (density * resolution));
  return { ...sizingDefaults, ...sizing, velocityBend, creases: true };
}

export function computeConstants(
  { density, viscosity, surfaceTension }: Material,
  options: SurfaceOptions,
  gravity: Vec3,
): LiquidConstants {
  return {
    density,
    tension: surfaceTension,
    viscosity: (options.viscous ? viscosity / density : 0) + options.damping,
    gravity,
    accuracy: { residual: options.accuracy, sums: options.accuracy },
  };
}
