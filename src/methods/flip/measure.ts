/** Frames and figures. Velocities are those of the state's time, half a step on from the particles' own. */
import type { Metres, Vec3 } from '../../core/types.ts';
import { Momenta } from '../../math/momenta.ts';
import type { ParticleFrame, SurfaceFrame, VolumeFrame } from '../../mesh/fields.ts';
import { radiusOfVolume, volumeOfRadius } from '../../particles/particles.ts';
import { joinParticles, showWhitewater } from '../../particles/whitewater.ts';
import { buildSkinSurface } from '../../tracking/skinning/surface.ts';
import type { Diagnostics } from '../method.ts';
import type { FlipModel } from './model.ts';
import { poseObstacles } from './obstacles.ts';
import type { FlipState } from './state.ts';
import { RADIUS_OF_CELL } from './transfer.ts';

/** Velocity of particle p along axis a at the state's time. */
const velocityNow = ({ velocity, rate, lastStep }: FlipState, n: number): number =>
  velocity[n] + 0.5 * lastStep * rate[n];

/**
 * Twice the kinetic energy over the mass of a particle at the state's time. Gravity's half step is in it, so
 * that free fall is exact. The pressure's is not: it does no work on the whole of a liquid, and where a
 * particle was just stopped half a step more of it would be a bounce.
 */
function measureEnergy({ velocity, rate, lastStep }: FlipState, o: number, gravity: Vec3, g: number): number {
  let square = 0;
  let work = 0;
  let pull = 0;
  for (let a = 0; a < 3; a++) {
    square += velocity[o + a] ** 2;
    work += velocity[o + a] * gravity[a];
    pull += rate[o + a] ** 2;
  }
  return square + lastStep * work + 0.25 * lastStep * lastStep * Math.min(pull, g * g);
}

export function measure({ density, gravity }: FlipModel, state: FlipState): Diagnostics {
  const { position, volume } = state;
  const g = Math.hypot(...gravity);
  let held = 0;
  let energy = 0;
  const centre: [number, number, number] = [0, 0, 0];
  const sums = new Momenta();
  const { momentum: p, angularMomentum: l } = sums;
  for (let n = 0; n < volume.length; n++) {
    const v = volume[n];
    const o = 3 * n;
    const x = position[o];
    const y = position[o + 1];
    const z = position[o + 2];
    held += v;
    sums.add(v, x, y, z, velocityNow(state, o), velocityNow(state, o + 1), velocityNow(state, o + 2));
    energy += v * measureEnergy(state, o, gravity, g);
    centre[0] += v * x;
    centre[1] += v * y;
    centre[2] += v * z;
  }
  const potential = -density * (gravity[0] * centre[0] + gravity[1] * centre[1] + gravity[2] * centre[2]);
  for (let a = 0; a < 3; a++) {
    p[a] *= density;
    l[a] *= density;
    if (held > 0) centre[a] /= held;
  }
  return {
    tets: state.mesh.background.tetCount,
    particles: volume.length,
    volume: held,
    mass: density * held,
    kineticEnergy: 0.5 * density * energy,
    potentialEnergy: potential,
    momentum: p,
    angularMomentum: l,
    centreOfMass: centre,
    maxSpeed: Math.sqrt(sums.fastestSquared),
  };
}

/** The particles of the liquid, and whitewater behind them. */
export function buildParticleFrame({ finest, options }: FlipModel, state: FlipState): ParticleFrame {
  const liquid = buildLiquidFrame(finest, state);
  return options.whitewater ? joinParticles(liquid, showWhitewater(state.whitewater)) : liquid;
}

function buildLiquidFrame(finest: Metres, state: FlipState): ParticleFrame {
  const { position, volume, depth, kind } = state;
  const count = volume.length;
  const velocity = new Float32Array(3 * count);
  const radius = new Float32Array(count);
  const level = new Float32Array(count);
  for (let p = 0; p < count; p++) {
    for (let a = 0; a < 3; a++) velocity[3 * p + a] = velocityNow(state, 3 * p + a);
    radius[p] = radiusOfVolume(volume[p]);
    level[p] = Math.log2((4 * radius[p]) / finest);
  }
  return {
    count,
    position: position.slice(),
    fields: {
      velocity: { components: 3, unit: 'm/s', values: velocity },
      radius: { components: 1, unit: 'm', values: radius },
      level: { components: 1, unit: '1', values: level },
      kind: { components: 1, unit: '1', values: Int32Array.from(kind) },
      depth: { components: 1, unit: 'm', values: Float32Array.from(depth) },
    },
  };
}

/** The tets that hold liquid, with their level and what walls leave of them. */
export function buildVolumeFrame(_: FlipModel, { mesh }: FlipState): VolumeFrame {
  const { background, open } = mesh;
  const { vertexCount, tetCount, position, tet, tetLevel } = background;
  return {
    mesh: { vertexCount, tetCount, position: position.slice(), tet: tet.slice() },
    vertexFields: {},
    cellFields: {
      level: { components: 1, unit: '1', values: Int32Array.from(tetLevel) },
      open: { components: 1, unit: '1', values: Float32Array.from(open) },
    },
  };
}

/**
 * The skin of all particles, ballistic ones too ([ando-2013] 5): a mesh of its own, fine where the particles
 * are small.
 */
export function buildSurfaceFrame(model: FlipModel, state: FlipState): SurfaceFrame {
  const { position, volume } = state;
  const scope = model.heap.scope('flip frame');
  try {
    const radius = scope.f64(volume.length);
    const velocity = scope.f64(position.length);
    for (let p = 0; p < volume.length; p++) radius[p] = radiusOfVolume(volume[p]);
    for (let n = 0; n < velocity.length; n++) velocity[n] = velocityNow(state, n);
    const balls = { position, radius };
    const { clearanceAt } = poseObstacles(model, state.time, 0);
    const reach = 0.5 * RADIUS_OF_CELL * model.finest;
    const holding = {
      volumeOf: volumeOfRadius,
      // A surface that lies on a wall stays there.
      freedomAt: (x: number, y: number, z: number) => Math.min(1, Math.max(0, clearanceAt(x, y, z) / reach)),
    };
    const wish = { balls, velocity, detail: model.options.skinDetail, holding, clearanceAt };
    const skin = buildSkinSurface(wish, model);
    return {
      mesh: skin.mesh,
      vertexFields: { velocity: { components: 3, unit: 'm/s', values: Float32Array.from(skin.velocity) } },
      faceFields: {},
    };
  } finally {
    scope.free();
  }
}
