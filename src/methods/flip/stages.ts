/**
 * The stages of a step, timed and with their memory: what step.ts calls in the paper's order. Arrays of the
 * next state live in one heap scope, what stages hand on in another that is freed at the end of the step.
 * Nothing of the old state is written before `accept`.
 */
import type { HeapScope } from '../../core/heap.ts';
import { type StageClock, timed } from '../../core/stages.ts';
import { NONE, type Seconds, type Vec3 } from '../../core/types.ts';
import { countWhitewater } from '../../particles/whitewater.ts';
import type { StepReport } from '../method.ts';
import { gatherAffineToNodes } from './affine.ts';
import { moveOutOfWalls, stopAtWalls } from './collisions.ts';
import { buildLedger } from './ledger.ts';
import { buildCloud, type Cloud, computeLevel, measureDepths } from './level.ts';
import {
  buildMesh,
  type FlipMesh,
  type Located,
  locateParticles,
  PARTICLE_GRAIN,
  setObstacles,
} from './mesh.ts';
import type { FlipModel } from './model.ts';
import { advectParticles, takeUpVelocity } from './motion.ts';
import { poseObstacles } from './obstacles.ts';
import { correctPositions, findAlone } from './positions.ts';
import { buildPressure, type PressureProblem, type Projection, project } from './pressure.ts';
import { buildWantedOctree, findWishes } from './remesh.ts';
import {
  allocateParticles,
  findNormals,
  type ParticleArrays,
  pickParticles,
  resampleParticles,
} from './resampling.ts';
import { measureDetail } from './sizing.ts';
import {
  createSeeds,
  drainParticles,
  emitPlanes,
  findNozzles,
  findTetSources,
  type TetSources,
} from './sources.ts';
import type { FlipState } from './state.ts';
import {
  fillUnknownTets,
  fitToNodes,
  gatherToTets,
  type NodeVelocity,
  type TetVelocity,
} from './transfer.ts';
import { computeViscousChange, isViscous, type ViscousChange } from './viscosity.ts';
import { findWallNodes, slideAlongWalls, type WallNodes } from './walls.ts';
import { advanceWhitewater } from './whitewater.ts';

/**
 * Layers of nodes that velocities are carried beyond what is known, besides the cells that liquid may cross.
 */
const LAYERS = 3;
/**
 * Particles with less than this share of what their cell's should have leave with the drain that emptied
 * them.
 */
const EMPTIED = 0.01;

export interface Stages {
  findSurface(): void;
  correctPositions(): void;
  needsMesh(): boolean;
  remesh(): void;
  resample(): void;
  gatherVelocity(): void;
  /** Viscosity, where it acts. */
  diffuse(): void;
  project(): void;
  takeUpVelocity(): void;
  advect(): void;
  /** Spray, foam and bubbles, where the scene has them. */
  whiten(): void;
  /** Replaces the state by the new one. */
  accept(): StepReport;
  /** Frees the step's memory; without `accept` before, the state is as it was. */
  end(): void;
}

export function beginStages(model: FlipModel, state: FlipState, clock: StageClock, dt: Seconds): Stages {
  const step = new Step(model, state, dt);
  return {
    findSurface: () => timed(clock, 'surface', () => step.findSurface()),
    correctPositions: () => timed(clock, 'positions', () => step.correctPositions()),
    needsMesh: () => state.meshAge >= model.options.remeshSteps,
    remesh: () => timed(clock, 'mesh', () => step.remesh()),
    resample: () => timed(clock, 'resample', () => step.resample()),
    gatherVelocity: () => timed(clock, 'transfer', () => step.gatherVelocity()),
    diffuse: () => timed(clock, 'viscosity', () => step.diffuse()),
    project: () => timed(clock, 'pressure', () => step.project()),
    takeUpVelocity: () => timed(clock, 'transfer', () => step.takeUpVelocity()),
    advect: () => timed(clock, 'advect', () => step.advect()),
    whiten: () => timed(clock, 'whitewater', () => step.whiten()),
    accept: () => timed(clock, 'ledger', () => step.accept()),
    end: () => step.end(),
  };
}

/** A step in the making. */
class Step {
  private readonly next: HeapScope;
  private readonly scratch: HeapScope;
  private readonly time: Seconds;
  /** s that forces act: velocities are half a step behind positions */
  private readonly kick: Seconds;
  private readonly now;
  private readonly later;
  private mesh: FlipMesh;
  private meshAge: number;
  private particles: ParticleArrays;
  private nozzle!: Int32Array;
  private cloud!: Cloud;
  private located!: Located;
  private level!: Float64Array;
  private sources!: TetSources;
  private tets!: TetVelocity;
  /** Before gravity and pressure */
  private nodes!: NodeVelocity;
  private projection!: Projection;
  private mean!: NodeVelocity;
  private splits = 0;
  private merges = 0;
  private emitted = createSeeds();
  private drained = { volume: 0, kinetic: 0, potential: 0 };
  private readonly isAffine: boolean;
  private accepted = false;

  constructor(
    private readonly model: FlipModel,
    private readonly state: FlipState,
    private readonly dt: Seconds,
  ) {
    const { heap } = model;
    this.next = heap.scope('flip state');
    this.scratch = heap.scope('flip step');
    this.isAffine = model.options.transfer === 'apic';
    this.time = state.time + dt;
    this.kick = 0.5 * (state.lastStep + dt);
    this.now = poseObstacles(model, state.time, dt / 2);
    this.later = poseObstacles(model, this.time, dt / 2);
    this.mesh = state.mesh;
    this.meshAge = state.meshAge;
    this.particles = copyParticles(state, this.scratch);
  }

  findSurface(): void {
    const { model, particles, scratch, now } = this;
    if (model.moves) setObstacles(model, this.mesh, now);
    const count = particles.volume.length;
    this.nozzle = scratch.i32(count).fill(NONE);
    findNozzles(model, particles.position, this.nozzle);
    this.cloud = buildCloud(model, particles, now, scratch);
    if (model.options.ballistic) {
      const { neighbours, position, radius } = this.cloud;
      const values = { neighbours, position, radius, count, outKind: particles.kind };
      model.threads.run(findAlone, count, PARTICLE_GRAIN, values);
    }
    this.level = computeLevel(model, this.mesh, this.cloud, now, particles, scratch);
    this.located = locateParticles(model, this.mesh, particles.position, scratch);
    measureDepths(model, this.mesh, this.located, this.level, particles.depth);
  }

  correctPositions(): void {
    const { model, particles, cloud, located, level, scratch } = this;
    const out = scratch.f64(particles.position.length);
    correctPositions(model, this.mesh, cloud, located, level, particles.depth, this.findFree(), out);
    particles.position.set(out);
    this.relocate();
  }

  /** Particles that no pressure acts on. */
  private findFree(): Uint8Array {
    const { particles, nozzle, scratch } = this;
    const free = scratch.u8(nozzle.length);
    for (let p = 0; p < free.length; p++) free[p] = particles.kind[p] !== 0 || nozzle[p] !== NONE ? 1 : 0;
    return free;
  }

  private relocate(): void {
    this.located = locateParticles(this.model, this.mesh, this.particles.position, this.scratch);
  }

  remesh(): void {
    const { model, state, particles, cloud, level, scratch, now } = this;
    // What the old mesh says of curvature and strain, read at the particles.
    const tets = gatherToTets(model, this.mesh, particles, cloud, level, scratch);
    const nodes = fitToNodes(model, this.mesh, tets, level, LAYERS, scratch);
    const detail = measureDetail(model, this.mesh, now, level, nodes.velocity, scratch);
    const atParticles = scratch.f64(particles.depth.length);
    measureDepths(model, this.mesh, this.located, detail, atParticles);
    for (let p = 0; p < atParticles.length; p++)
      if (this.located.tet[p] === NONE) atParticles[p] = model.finest;
    findWishes(model, state, particles, atParticles, particles.size);
    const scope = model.heap.scope('flip mesh');
    try {
      const octree = buildWantedOctree(model, Math.max(state.lastStep, this.dt), particles, scope);
      this.mesh = buildMesh(model, octree, now, scope);
      this.meshAge = 0;
    } catch (error) {
      scope.free();
      throw error;
    }
  }

  resample(): void {
    const { model, particles, scratch, located, level, state } = this;
    const normal = scratch.f64(particles.position.length);
    // Of the old mesh, in which the level set is known.
    findNormals(state.mesh, located, level, particles.depth, particles.volume, normal);
    const held = this.findFree();
    const result = resampleParticles(model, this.mesh, particles, normal, held, scratch, scratch);
    this.particles = result.particles;
    this.splits = result.splits;
    this.merges = result.merges;
    const { now } = this;
    this.nozzle = scratch.i32(this.particles.volume.length).fill(NONE);
    findNozzles(model, this.particles.position, this.nozzle);
    this.cloud = buildCloud(model, this.particles, now, scratch);
    this.level = computeLevel(model, this.mesh, this.cloud, now, this.particles, scratch);
    this.relocate();
    measureDepths(model, this.mesh, this.located, this.level, this.particles.depth);
  }

  gatherVelocity(): void {
    const { model, mesh, particles, cloud, level, scratch, time, dt, located } = this;
    this.sources = findTetSources(model, mesh, particles, time - dt / 2, scratch);
    if (this.isAffine) {
      const { tetCount } = mesh.background;
      const layers = LAYERS + Math.ceil(model.options.cfl);
      this.nodes = gatherAffineToNodes(model, mesh, particles, located, this.findFree(), layers, scratch);
      this.tets = { velocity: scratch.f64(3 * tetCount), known: scratch.u8(tetCount) };
    } else {
      this.tets = gatherToTets(model, mesh, particles, cloud, level, scratch);
      this.nodes = fitToNodes(model, mesh, this.tets, level, LAYERS, scratch);
    }
    fillUnknownTets(model, mesh, this.nodes, this.tets);
  }

  /** Once the step's mesh is there. */
  private findWalls(): WallNodes {
    this.walls ??= findWallNodes(this.model, this.mesh, this.now);
    return this.walls;
  }
  private walls: WallNodes | undefined;

  diffuse(): void {
    const { model, mesh, level, nodes, tets, sources, kick, scratch } = this;
    if (!isViscous(model, kick)) return;
    this.preparePressure();
    const { velocity } = tets;
    const tasks = { velocity, nodes, level, sources, kick, former: this.former, walls: this.findWalls() };
    this.viscous = computeViscousChange(model, mesh, this.pressure, tasks, scratch);
    addTo(velocity, this.viscous.tet);
    addTo(nodes.velocity, this.viscous.node);
    this.former = scratch.f64(mesh.background.vertexCount);
  }

  private preparePressure(): void {
    const { model, mesh, level, sources, now, state } = this;
    this.own = model.heap.scope('flip pressure');
    this.former = this.meshAge === 0 ? this.own.f64(mesh.background.vertexCount) : state.potential;
    this.pressure = buildPressure(model, mesh, now, { level, sources }, this.own);
  }
  private viscous: ViscousChange | undefined;
  private own: HeapScope | undefined;
  private pressure!: PressureProblem;
  /** Potential over time that the pressure's solve starts from */
  private former!: Float64Array;

  project(): void {
    if (!this.viscous) this.preparePressure();
    const { model, mesh, particles, next, scratch, level, sources, kick, dt, former, viscous } = this;
    this.projection = project(
      model,
      mesh,
      this.pressure,
      {
        velocity: this.tets.velocity,
        level,
        sources,
        kick,
        dt,
        position: particles.position,
        volume: particles.volume,
        kind: this.findFree(),
        former,
      },
      scratch,
      this.own!,
    );
    const { potential } = viscous ?? this.projection;
    this.potential = next.f64(potential.length);
    for (let v = 0; v < potential.length; v++) this.potential[v] = potential[v] / kick;
  }
  private potential!: Float64Array;

  takeUpVelocity(): void {
    const { model, mesh, particles, located, scratch, kick, dt, now, nozzle, sources } = this;
    const { wet, change } = this.projection;
    const { tetCount } = mesh.background;
    for (let t = 0; t < tetCount; t++) if (sources.nozzle[t] !== NONE) wet[t] = 0;
    const after = scratch.f64(3 * tetCount);
    const { gravity } = model;
    for (let n = 0; n < 3 * tetCount; n++)
      after[n] = this.tets.velocity[n] + kick * gravity[n % 3] + change[n];
    const layers = LAYERS + Math.ceil(model.options.cfl);
    const changes = fitToNodes(model, mesh, { velocity: change, known: wet }, this.level, 0, scratch);
    changes.known.fill(1);
    this.mean = this.isAffine
      ? addToKnown(this.nodes, kick, gravity, changes.velocity)
      : fitToNodes(model, mesh, { velocity: after, known: wet }, this.level, layers, scratch);
    slideAlongWalls(this.findWalls(), this.mean.velocity, true);
    const everywhere = { velocity: after, known: wet };
    fillUnknownTets(model, mesh, this.mean, everywhere);
    if (this.viscous) {
      addTo(change, this.viscous.tet);
      addTo(changes.velocity, this.viscous.node);
    }
    this.field = { node: this.mean.velocity, nodeKnown: this.mean.known, tet: after };
    takeUpVelocity(model, {
      mesh: mesh.values,
      tet: located.tet,
      barycentric: located.barycentric,
      wet,
      free: this.findFree(),
      volume: particles.volume,
      change: { node: changes.velocity, nodeKnown: changes.known, tet: change },
      mean: this.field,
      viscosity: this.viscous ? 0 : model.viscosity,
      kick,
      dt,
      velocity: particles.velocity,
      rate: particles.rate,
      affine: particles.affine,
    });
    stopAtWalls(model, now, particles, kick);
    for (let p = 0; p < nozzle.length; p++) {
      if (nozzle[p] === NONE) continue;
      const { direction } = model.emitters[nozzle[p]];
      for (let a = 0; a < 3; a++) {
        particles.velocity[3 * p + a] = sources.speed[nozzle[p]] * direction[a];
        particles.rate[3 * p + a] = 0;
      }
    }
  }
  private field!: { node: Float64Array; nodeKnown: Uint8Array; tet: Float64Array };

  advect(): void {
    const { model, mesh, particles, located, scratch, dt, later, time, sources } = this;
    const { wet, shift } = this.projection;
    const { field } = this;
    if (shift.length > 0) {
      const shifts = fitToNodes(model, mesh, { velocity: shift, known: wet }, this.level, 1, scratch);
      slideAlongWalls(this.findWalls(), shifts.velocity, false);
      for (let n = 0; n < field.node.length; n++) field.node[n] += shifts.velocity[n] / dt;
      for (let n = 0; n < shift.length; n++) field.tet[n] += shift[n] / dt;
    }
    advectParticles(model, {
      mesh: mesh.values,
      field,
      tet: located.tet,
      barycentric: located.barycentric,
      wet,
      free: this.findFree(),
      velocity: particles.velocity,
      dt,
      position: particles.position,
    });
    const { volume, position, velocity } = particles;
    moveOutOfWalls(model, later, particles);
    this.drained = drainParticles(model, position, velocity, sources.drainFlow, dt, volume);
    emitPlanes(model, time - dt, time, this.emitted);
  }

  whiten(): void {
    const { model, state, mesh, level, mean, particles, later, dt, scratch } = this;
    this.whitened = advanceWhitewater(
      model,
      state.whitewater,
      particles,
      { mesh, level, nodes: mean },
      later,
      dt,
      scratch,
    );
  }
  private whitened!: ReturnType<typeof advanceWhitewater>;

  accept(): StepReport {
    const { model, state, next, dt, time, projection, emitted, drained, mesh, whitened } = this;
    const kept = this.dropEmptied();
    const particles = appendSeeds(kept, emitted, next);
    const ledger = buildLedger(model, projection.work, emitted, drained);
    state.scope.free();
    if (mesh !== state.mesh) state.mesh.scope.free();
    Object.assign(state, particles, {
      scope: next,
      mesh,
      meshAge: this.meshAge + 1,
      time,
      lastStep: dt,
      potential: this.potential,
      whitewater: whitened.whitewater,
    });
    this.accepted = true;
    const { report } = projection;
    return {
      dt,
      solver: { pressure: report, ...(this.viscous && { viscosity: this.viscous.report }) },
      events: {
        splits: this.splits,
        merges: this.merges,
        ballistic: particles.kind.reduce((n, k) => n + k, 0),
        ...(model.options.whitewater && {
          whitewater: countWhitewater(whitened.whitewater),
          whitewaterRefused: whitened.report.refused,
        }),
      },
      ledger,
    };
  }

  /** Without particles that drains have emptied. */
  private dropEmptied(): ParticleArrays {
    const { model, particles, scratch, drained, mesh, located } = this;
    if (drained.volume === 0) return particles;
    const order: number[] = [];
    const { volume } = particles;
    for (let p = 0; p < volume.length; p++) {
      const t = located.tet[p];
      const edge = model.finest * (t === NONE ? 1 : 2 ** mesh.values.tetLevel[t]);
      if (volume[p] > EMPTIED * (0.5 * edge) ** 3) order.push(p);
      else drained.volume += volume[p];
    }
    return pickParticles(particles, Int32Array.from(order), scratch);
  }

  end(): void {
    this.own?.free();
    this.scratch.free();
    if (this.accepted) return;
    this.next.free();
    if (this.mesh !== this.state.mesh) this.mesh.scope.free();
  }
}

/** In place: velocities of nodes after gravity and pressure. */
function addToKnown(nodes: NodeVelocity, kick: Seconds, gravity: Vec3, change: Float64Array): NodeVelocity {
  for (let n = 0; n < change.length; n++) nodes.velocity[n] += kick * gravity[n % 3] + change[n];
  return nodes;
}

function addTo(out: Float64Array, values: Float64Array): void {
  for (let n = 0; n < out.length; n++) out[n] += values[n];
}

function copyParticles(state: FlipState, scope: HeapScope): ParticleArrays {
  const out = allocateParticles(state.volume.length, state.affine.length > 0, scope);
  for (const name of Object.keys(out) as (keyof ParticleArrays)[]) out[name].set(state[name]);
  return out;
}

/** The particles on the heap of the next state, with new ones behind them. */
function appendSeeds(
  particles: ParticleArrays,
  { position, velocity, volume }: ReturnType<typeof createSeeds>,
  scope: HeapScope,
): ParticleArrays {
  const count = particles.volume.length;
  const out = allocateParticles(count + volume.length, particles.affine.length > 0, scope);
  for (const name of Object.keys(out) as (keyof ParticleArrays)[]) out[name].set(particles[name]);
  out.position.set(position, 3 * count);
  out.velocity.set(velocity, 3 * count);
  out.volume.set(volume, count);
  return out;
}
