/** Frames and conservation figures of a liquid on a stuffed mesh. */
import { defineTask } from '../../core/threads/task.ts';
import { Momenta } from '../../math/momenta.ts';
import type { SurfaceFrame, VolumeFrame } from '../../mesh/fields.ts';
import { measureQuality } from '../../mesh/quality.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import type { Embedding } from '../mesh/embedded.ts';
import { computeCellVelocity } from '../pressure/pressure.ts';
import { VelocitySampler, velocityRecord, velocityValues } from '../velocity/mesh-velocity.ts';
import { DROPLET_CORNERS, DROPLET_FACES, DROPLET_SIZE, writeDroplets } from '../volume/droplets.ts';
import type { LiquidModel } from './model.ts';
import { buildMeshVelocity, type LiquidState, shiftFaceVelocity, shiftVertexVelocity } from './state.ts';

const GRAIN = 1024;

const sampleVelocity = defineTask(
  'flow/sample-velocity',
  { flow: velocityRecord, point: 'f64', out: 'f64' },
  (begin, end, { flow: values, point, out }) => {
    const flow = new VelocitySampler(values);
    for (let n = begin; n < end; n++) {
      flow.smooth(point[3 * n], point[3 * n + 1], point[3 * n + 2]);
      out[3 * n] = flow.x;
      out[3 * n + 1] = flow.y;
      out[3 * n + 2] = flow.z;
    }
  },
);

/**
 * The liquid's surface with its velocity, free and wall triangles told apart; droplets as small icosahedra.
 */
export function buildSurfaceFrame(model: LiquidModel, state: LiquidState): SurfaceFrame {
  const scratch = model.heap.scope('flow frame');
  try {
    const { surface } = state;
    const velocity = scratch.f64(Math.max(1, 3 * surface.vertexCount));
    const flow = velocityValues(buildMeshVelocity(model, state, 0, scratch));
    const values = { flow, point: surface.position, out: velocity };
    model.threads.run(sampleVelocity, surface.vertexCount, GRAIN, values);
    const { droplets } = state;
    const count = droplets.length / DROPLET_SIZE;
    const vertexCount = surface.vertexCount + count * DROPLET_CORNERS;
    const triangleCount = surface.triangleCount + count * DROPLET_FACES;
    const position = new Float64Array(3 * vertexCount);
    position.set(surface.position.subarray(0, 3 * surface.vertexCount));
    const vectors = new Float32Array(3 * vertexCount);
    vectors.set(velocity.subarray(0, 3 * surface.vertexCount));
    const triangle = new Int32Array(3 * triangleCount);
    triangle.set(surface.triangle);
    const wall = new Int32Array(triangleCount);
    wall.set(surface.wall);
    writeDroplets(droplets, surface.vertexCount, position, vectors, triangle);
    return {
      mesh: { vertexCount, triangleCount, position, triangle },
      vertexFields: { velocity: { components: 3, unit: 'm/s', values: vectors } },
      faceFields: { wall: { components: 1, unit: '1', values: wall } },
    };
  } finally {
    scratch.free();
  }
}

/** The tets with velocity, pressure, shape and level. */
export function buildVolumeFrame(model: LiquidModel, state: LiquidState): VolumeFrame {
  const scratch = model.heap.scope('flow frame');
  try {
    const { mesh, derived, facePressure, pressureStep } = state;
    const cellVelocity = scratch.f64(3 * mesh.tetCount);
    computeCellVelocity(
      mesh,
      derived.topology,
      derived.geometry,
      shiftFaceVelocity(state, 0, scratch),
      model.threads,
      cellVelocity,
    );
    const pressure = new Float32Array(mesh.tetCount);
    const scale = pressureStep > 0 ? model.density / pressureStep / 4 : 0;
    for (let n = 0; n < 4 * mesh.tetCount; n++)
      pressure[n >> 2] += scale * facePressure[derived.topology.tetToFace[n]];
    return {
      mesh: {
        vertexCount: mesh.vertexCount,
        tetCount: mesh.tetCount,
        position: mesh.position.slice(),
        tet: mesh.tet.slice(),
      },
      vertexFields: {
        velocity: {
          components: 3,
          unit: 'm/s',
          values: Float32Array.from(buildMeshVelocity(model, state, 0, scratch).vertexVelocity),
        },
      },
      cellFields: {
        velocity: { components: 3, unit: 'm/s', values: Float32Array.from(cellVelocity) },
        pressure: { components: 1, unit: 'Pa', values: pressure },
        shape: { components: 1, unit: '1', values: Int32Array.from(mesh.tetShape) },
        level: { components: 1, unit: '1', values: Int32Array.from(mesh.tetLevel) },
      },
    };
  } finally {
    scratch.free();
  }
}

/** Volume, centre and potential energy come from the tracked surface; motion from the tets. */
export function measureLiquid(model: LiquidModel, state: LiquidState) {
  const scratch = model.heap.scope('flow figures');
  try {
    const { mesh, surface, derived } = state;
    const { integrals, geometry, topology, embedding } = derived;
    const cellVelocity = scratch.f64(Math.max(1, 3 * mesh.tetCount));
    if (embedding) averageInLiquid(mesh, embedding, shiftVertexVelocity(state, 0, scratch), cellVelocity);
    else if (mesh.tetCount > 0)
      computeCellVelocity(
        mesh,
        topology,
        geometry,
        shiftFaceVelocity(state, 0, scratch),
        model.threads,
        cellVelocity,
      );
    const sums = new Momenta();
    const { momentum: p, angularMomentum: l } = sums;
    for (let t = 0; t < mesh.tetCount; t++) {
      const mass = model.density * geometry.volume[t] * (embedding?.fraction[t] ?? 1);
      const ux = cellVelocity[3 * t];
      const uy = cellVelocity[3 * t + 1];
      const uz = cellVelocity[3 * t + 2];
      let x = 0;
      let y = 0;
      let z = 0;
      for (let i = 0; i < 4; i++) {
        const v = 3 * mesh.tet[4 * t + i];
        const part = embedding ? embedding.share[4 * t + i] / embedding.fraction[t] : 0.25;
        x += part * mesh.position[v];
        y += part * mesh.position[v + 1];
        z += part * mesh.position[v + 2];
      }
      sums.add(mass, x, y, z, ux, uy, uz);
    }
    let { twiceEnergy } = sums;
    const { volume, centre } = addDroplets(model, state, p, l);
    for (let d = 0; d < state.droplets.length; d += DROPLET_SIZE) {
      const [, , , ux, uy, uz, held] = state.droplets.subarray(d, d + DROPLET_SIZE);
      twiceEnergy += model.density * held * (ux * ux + uy * uy + uz * uz);
    }
    const [cx, cy, cz] = centre;
    const [gx, gy, gz] = model.gravity;
    const quality = measureQuality(mesh);
    return {
      vertices: surface.vertexCount,
      triangles: surface.triangleCount,
      tets: mesh.tetCount,
      volume,
      mass: model.density * volume,
      particles: state.droplets.length / DROPLET_SIZE,
      surfaceArea: integrals.freeArea,
      kineticEnergy: 0.5 * twiceEnergy,
      potentialEnergy: -model.density * volume * (gx * cx + gy * cy + gz * cz),
      momentum: p,
      angularMomentum: l,
      centreOfMass: centre,
      maxSpeed: Math.sqrt(sums.fastestSquared),
      minDihedral: quality.minDihedral,
      maxDihedral: quality.maxDihedral,
    };
  } finally {
    scratch.free();
  }
}

/** Mean velocity of what is liquid in each tet, from its corners. */
function averageInLiquid(
  { tet, tetCount }: TetMesh,
  { share, fraction }: Embedding,
  velocity: Float64Array,
  out: Float64Array,
): void {
  for (let t = 0; t < tetCount; t++)
    for (let n = 4 * t; n < 4 * t + 4; n++)
      for (let a = 0; a < 3; a++) out[3 * t + a] += (share[n] / fraction[t]) * velocity[3 * tet[n] + a];
}

/** Volume and centre of surface and droplets together; their momenta are added to those given. */
function addDroplets(
  { density }: LiquidModel,
  { droplets, derived }: LiquidState,
  outMomentum: [number, number, number],
  outAngular: [number, number, number],
): { volume: number; centre: [number, number, number] } {
  let { volume } = derived.integrals;
  const moment = derived.integrals.centroid.map((c) => c * volume);
  for (let d = 0; d < droplets.length; d += DROPLET_SIZE) {
    const [x, y, z, ux, uy, uz, held] = droplets.subarray(d, d + DROPLET_SIZE);
    volume += held;
    const place = [x, y, z];
    const velocity = [ux, uy, uz];
    for (let a = 0; a < 3; a++) {
      const b = (a + 1) % 3;
      const c = (a + 2) % 3;
      moment[a] += held * place[a];
      outMomentum[a] += density * held * velocity[a];
      outAngular[a] += density * held * (place[b] * velocity[c] - place[c] * velocity[b]);
    }
  }
  const inverse = volume === 0 ? 0 : 1 / volume;
  return { volume, centre: [moment[0] * inverse, moment[1] * inverse, moment[2] * inverse] };
}

/** Fastest vertex of the mesh, m/s. */
export function measureMaxSpeed(state: LiquidState): number {
  const u = state.derived.rates.velocity;
  let fastest = 0;
  for (let n = 0; n < u.length; n += 3) {
    fastest = Math.max(fastest, u[n] * u[n] + u[n + 1] * u[n + 1] + u[n + 2] * u[n + 2]);
  }
  return Math.sqrt(fastest);
}
