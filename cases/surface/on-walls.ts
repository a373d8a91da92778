/** Drops and pools on walls, made as scenes make them: for tests and referees of the surface method. */
import type { Vec3 } from '../../src/core/types.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { SurfaceModel } from '../../src/methods/surface/model.ts';
import type { ContactAngleSpec } from '../../src/methods/surface/options.ts';
import { surfaceOptions } from '../../src/methods/surface/options.ts';
import type { SurfaceState } from '../../src/methods/surface/state.ts';
import { surface } from '../../src/methods/surface/surface.ts';
import type { Emitter, Scene, Solid } from '../../src/scene/scene.ts';

export interface WallSetup {
  readonly shape?: Implicit;
  readonly velocity?: Vec3;
  readonly solids?: readonly Solid[];
  readonly emitters?: readonly Emitter[];
  readonly resolution: number;
  /** Half the size of the domain across; its floor is z = 0. */
  readonly half?: number;
  readonly height?: number;
  readonly gravity?: Vec3;
  readonly density?: number;
  readonly tension?: number;
  readonly viscosity?: number;
  readonly contactAngle?: ContactAngleSpec;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Defaults: unit density and tension, no viscosity, no gravity. */
export function buildOnWalls(
  resources: Resources,
  setup: WallSetup,
): { model: SurfaceModel; state: SurfaceState; scene: Scene } {
  const { half = 4, height = 4, density = 1, tension = 1, viscosity = 0 } = setup;
  const material = { name: 'liquid', density, viscosity, surfaceTension: tension };
  const scene: Scene = {
    name: 'case',
    method: 'surface',
    duration: 1,
    fps: 30,
    gravity: setup.gravity ?? [0, 0, 0],
    domain: { min: [-half, -half, 0], max: [half, half, height] },
    wall: 'slip',
    resolution: setup.resolution,
    liquids: setup.shape ? [{ shape: setup.shape, material, velocity: setup.velocity ?? [0, 0, 0] }] : [],
    solids: setup.solids ?? [],
    emitters: (setup.emitters ?? []).map((emitter) => ({ ...emitter, material })),
    drains: [],
    options: surfaceOptions.parse({ contactAngle: setup.contactAngle ?? 90, ...setup.options }),
    seed: 0,
  };
  const model = surface.build(scene, resources);
  return { model, state: surface.start(model), scene };
}

/** The contact line about the z axis: mean radius, how far that varies, m, its middle and its vertices. */
export function measureLine({ tracker: { mesh }, walls }: SurfaceState) {
  const radii: number[] = [];
  const centre = [0, 0];
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v) || !walls?.isLine(v)) continue;
    radii.push(Math.hypot(mesh.position[3 * v], mesh.position[3 * v + 1]));
    for (let k = 0; k < 2; k++) centre[k] += mesh.position[3 * v + k];
  }
  const count = radii.length;
  const radius = radii.reduce((sum, r) => sum + r, 0) / Math.max(1, count);
  const spread = radii.reduce((most, r) => Math.max(most, Math.abs(r - radius)), 0);
  return { radius, spread, centre: centre.map((c) => c / Math.max(1, count)), count };
}
