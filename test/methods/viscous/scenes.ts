/** Small scenes for the tests of the viscous method, and what is needed to run them. */
import { emptyRoom } from '../../../cases/shared/scene.ts';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import type { Vec3 } from '../../../src/core/types.ts';
import type { Implicit } from '../../../src/geometry/implicit.ts';
import { box } from '../../../src/geometry/shapes.ts';
import type { Diagnostics, StepReport } from '../../../src/methods/method.ts';
import type { ViscousModel } from '../../../src/methods/viscous/model.ts';
import type { ViscousState } from '../../../src/methods/viscous/state.ts';
import { viscous } from '../../../src/methods/viscous/viscous.ts';
import type { Material, Scene } from '../../../src/scene/scene.ts';

export const heap = createHeap();
export const threads = createSingleThread();

export const DENSITY = 1000;

export interface SceneParts {
  readonly domain: readonly [Vec3, Vec3];
  readonly resolution: number;
  readonly gravity?: Vec3;
  readonly viscosity?: number;
  readonly liquids: readonly { shape: Implicit; velocity?: Vec3; viscosity?: number }[];
  readonly solids?: Scene['solids'];
  readonly nozzle?: { shape: Implicit; direction: Vec3; flow: number };
  readonly options?: Record<string, unknown>;
  readonly surfaceTension?: number;
}

export function composeScene(parts: SceneParts): Scene {
  const materials = new Map<number, Material>();
  const materialOf = (viscosity: number): Material => {
    const known = materials.get(viscosity);
    if (known) return known;
    const surfaceTension = parts.surfaceTension ?? 0;
    const material = { name: `${viscosity} Pa s`, density: DENSITY, viscosity, surfaceTension };
    materials.set(viscosity, material);
    return material;
  };
  const own = parts.viscosity ?? 1;
  const { nozzle } = parts;
  return {
    ...emptyRoom('viscous', { min: parts.domain[0], max: parts.domain[1] }, parts.resolution),
    wall: 'no-slip',
    gravity: parts.gravity ?? [0, 0, 0],
    liquids: parts.liquids.map(({ shape, velocity = [0, 0, 0], viscosity = own }) => ({
      shape,
      velocity,
      material: materialOf(viscosity),
    })),
    solids: parts.solids ?? [],
    emitters: nozzle
      ? [
          {
            name: 'nozzle',
            shape: nozzle.shape,
            direction: nozzle.direction,
            material: materialOf(own),
            flowAt: () => nozzle.flow,
            emittedUntil: (time) => nozzle.flow * time,
            shutFrom: Number.POSITIVE_INFINITY,
          },
        ]
      : [],
    options: parts.options ?? {},
  };
}

export interface Started {
  readonly model: ViscousModel;
  readonly state: ViscousState;
  step(dt: number): StepReport;
  measure(): Required<Diagnostics>;
}

export function startScene(parts: SceneParts, team: Threads = threads): Started {
  const model = viscous.build(composeScene(parts), { heap, threads: team });
  const state = viscous.start(model);
  const work = viscous.createWork(model);
  return {
    model,
    state,
    step: (dt) => viscous.step(model, state, work, dt),
    measure: () => viscous.measure(model, state) as Required<Diagnostics>,
  };
}

export const g = 9.81;

/** A column on a floor, thick enough to creep. */
export const column = (viscosity: number): SceneParts => ({
  domain: [
    [0, 0, 0],
    [0.4, 0.4, 0.3],
  ],
  resolution: 0.025,
  gravity: [0, 0, -g],
  viscosity,
  liquids: [{ shape: box([0.13, 0.13, -1], [0.27, 0.27, 0.21]) }],
});
