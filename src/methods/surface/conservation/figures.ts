/**
 * Figures of all liquid as it stands between two steps: volumes, momentum, energy of position, velocities for
 * frames. Cost: linear.
 */
import { computeTriple } from '../../../math/triangle.ts';
import type { Body } from '../liquid/body.ts';
import { forEachBody, type Gradients } from '../liquid/gradients.ts';
import { measureMoments, measureVolume, type Triple } from '../liquid/moments.ts';
import { findSwirl } from '../liquid/swirl.ts';
import type { SurfaceModel } from '../model.ts';
import type { SurfaceState } from '../state.ts';
import { measureVelocity } from '../thesis/moments.ts';

export interface LiquidFigures {
  /** (bodies) m^3 */
  readonly volumes: number[];
  /** kg m/s; kg m^2/s about the origin */
  readonly momentum: Triple;
  readonly angularMomentum: Triple;
  readonly centreOfMass: Triple;
  /** J, of gravity */
  readonly potentialEnergy: number;
  /** J, of the mean flow of each body alone: all there is before the first step */
  readonly meanEnergy: number;
  /** (vertices x 3) m/s and (vertices) 1/m, where they are wanted */
  readonly velocity: Float32Array;
  readonly curvature: Float32Array;
}

export function measureLiquid(model: SurfaceModel, state: SurfaceState, wantsFields: boolean): LiquidFigures {
  const { values, tracker } = state;
  const { mesh } = tracker;
  const { density } = model.constants;
  const fill = wantsFields ? mesh.vertexFill : 0;
  const velocity = new Float32Array(3 * fill);
  const curvature = new Float32Array(fill);
  const momentum: Triple = [0, 0, 0];
  const angularMomentum: Triple = [0, 0, 0];
  const moment: Triple = [0, 0, 0];
  const volumes: number[] = [];
  let meanEnergy = 0;
  const isThesis = model.options.step === 'thesis';
  forEachBody(model, mesh, ({ body, gradients, cavities }) => {
    const potential = Float64Array.from(body.vertexId, (id) => values.potential.data[id]);
    const { volume } = measureVolume(body, gradients);
    const { impulse, turn } = measureOwn(model, state, { body, gradients, potential }, cavities);
    const first = measureMoment(body);
    volumes.push(volume);
    for (let k = 0; k < 3; k++) {
      momentum[k] += density * impulse[k];
      angularMomentum[k] += density * turn[k];
      moment[k] += first[k];
      meanEnergy += (0.5 * density * impulse[k] ** 2) / volume;
    }
    if (!wantsFields) return;
    body.vertexId.forEach((id, v) => {
      curvature[id] = gradients.curvature[v];
      for (let k = 0; k < 3; k++)
        velocity[3 * id + k] = values.velocity.data[3 * id + k] + (isThesis ? 0 : impulse[k] / volume);
    });
  });
  const whole = volumes.reduce((sum, volume) => sum + volume, 0);
  const centreOfMass = moment.map((m) => m / whole) as Triple;
  const potentialEnergy = -density * moment.reduce((sum, m, k) => sum + m * model.gravity[k], 0);
  return {
    volumes,
    momentum,
    angularMomentum,
    centreOfMass,
    potentialEnergy,
    meanEnergy,
    velocity,
    curvature,
  };
}

/** Impulse and angular impulse about the origin, by the potential or, in the thesis' step, by velocities. */
function measureOwn(
  model: SurfaceModel,
  { values }: SurfaceState,
  { body, gradients, potential }: { body: Body; gradients: Gradients; potential: Float64Array },
  cavities: number,
): { impulse: Triple; turn: Triple } {
  if (model.options.step === 'thesis') {
    const { data } = values.velocity;
    return measureVelocity(
      body,
      Float64Array.from(body.position, (_, n) => data[3 * body.vertexId[(n / 3) | 0] + (n % 3)]),
    );
  }
  const swirl = findSwirl(body, 1 + cavities, values.circulation.data[body.vertexId[0]], potential);
  return measureMoments(body, gradients, potential, [0, 0, 0], swirl);
}

/** Integral of the place over the body, m^4: tetrahedra about its first vertex. */
function measureMoment({ position: p, triangle }: Body): Triple {
  const sum: Triple = [0, 0, 0];
  const [x, y, z] = [p[0], p[1], p[2]];
  for (let c = 0; c < triangle.length; c += 3) {
    const [i, j, k] = [3 * triangle[c], 3 * triangle[c + 1], 3 * triangle[c + 2]];
    const volume = computeTriple(p, i, j, k, x, y, z) / 6;
    for (let n = 0; n < 3; n++) sum[n] += (volume * (p[i + n] + p[j + n] + p[k + n] + p[n])) / 4;
  }
  return sum;
}
