/**
 * Frames and figures of the viscous method: those of a liquid, with viscosity, shear rate and pressure, and
 * with surface energy.
 */
import { defineTask } from '../../core/threads/task.ts';
import {
  buildSurfaceFrame as buildLiquidSurface,
  buildVolumeFrame as buildLiquidVolume,
  measureLiquid,
} from '../../flow/liquid/measure.ts';
import { buildMeshVelocity } from '../../flow/liquid/state.ts';
import { VelocitySampler, velocityRecord, velocityValues } from '../../flow/velocity/mesh-velocity.ts';
import type { Field, SurfaceFrame, VolumeFrame } from '../../mesh/fields.ts';
import type { Diagnostics } from '../method.ts';
import type { ViscousModel } from './model.ts';
import type { ViscousState } from './state.ts';

const GRAIN = 1024;
/** Viscosity, shear rate and stress at a vertex. */
const VALUES = 3;

const sampleTask = defineTask(
  'viscous/sample-fields',
  { flow: velocityRecord, value: 'f64', point: 'f64', out: 'f64' },
  (begin, end, { flow: values, value, point, out }) => {
    const flow = new VelocitySampler(values);
    for (let n = begin; n < end; n++) {
      flow.smooth(point[3 * n], point[3 * n + 1], point[3 * n + 2]);
      flow.blendCorners(value, VALUES, out, VALUES * n);
    }
  },
);

/** The surface with velocity, viscosity, shear rate and shear stress. */
export function buildSurfaceFrame(model: ViscousModel, state: ViscousState): SurfaceFrame {
  const frame = buildLiquidSurface(model, state);
  const scratch = model.heap.scope('viscous frame');
  try {
    const { surface, mesh } = state;
    const value = scratch.f64(VALUES * mesh.vertexCount);
    averageAtVertices(state, value);
    const out = scratch.f64(VALUES * surface.vertexCount);
    const flow = velocityValues(buildMeshVelocity(model, state, 0, scratch));
    model.threads.run(sampleTask, surface.vertexCount, GRAIN, { flow, value, point: surface.position, out });
    const column = (k: number, unit: string): Field => {
      const values = new Float32Array(frame.mesh.vertexCount);
      for (let v = 0; v < surface.vertexCount; v++) values[v] = out[VALUES * v + k];
      return { components: 1, unit, values };
    };
    return {
      ...frame,
      vertexFields: {
        ...frame.vertexFields,
        viscosity: column(0, 'Pa s'),
        shearRate: column(1, '1/s'),
        shearStress: column(2, 'Pa'),
      },
    };
  } finally {
    scratch.free();
  }
}

/** Means over the tets around each vertex, by volume. */
function averageAtVertices(
  { mesh, derived, tetViscosity, tetShearRate }: ViscousState,
  out: Float64Array,
): void {
  const { tet, tetCount, vertexCount } = mesh;
  const { volume } = derived.geometry;
  const weight = new Float64Array(vertexCount);
  for (let t = 0; t < tetCount; t++)
    for (let n = 4 * t; n < 4 * t + 4; n++) {
      const v = tet[n];
      weight[v] += volume[t];
      out[VALUES * v] += volume[t] * tetViscosity[t];
      out[VALUES * v + 1] += volume[t] * tetShearRate[t];
      out[VALUES * v + 2] += volume[t] * tetViscosity[t] * tetShearRate[t];
    }
  for (let v = 0; v < vertexCount; v++)
    if (weight[v] > 0) for (let k = VALUES * v; k < VALUES * v + VALUES; k++) out[k] /= weight[v];
}

/** The tets with velocity, pressure, shape and level, and with viscosity and shear rate. */
export function buildVolumeFrame(model: ViscousModel, state: ViscousState): VolumeFrame {
  const frame = buildLiquidVolume(model, state);
  const field = (unit: string, values: Float64Array): Field => ({
    components: 1,
    unit,
    values: Float32Array.from(values),
  });
  return {
    ...frame,
    vertexFields: { ...frame.vertexFields, pressure: field('Pa', state.vertexPressure) },
    cellFields: {
      ...frame.cellFields,
      viscosity: field('Pa s', state.tetViscosity),
      shearRate: field('1/s', state.tetShearRate),
    },
  };
}

export function measureViscous(model: ViscousModel, state: ViscousState): Diagnostics {
  const figures = measureLiquid(model, state);
  if (model.surfaceTension === 0) return figures;
  const { area, freeArea } = state.derived.integrals;
  return { ...figures, surfaceEnergy: model.surfaceTension * freeArea - model.wetting * (area - freeArea) };
}
