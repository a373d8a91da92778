/**
 * What a viscous solve is given and gives back (README.md). All arrays a task reads are views on the heap.
 */
import type { Heap } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { Seconds, Vec3 } from '../../core/types.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import type { CutSurfaceTension } from './cut-tension.ts';
import type { Rheology } from './rheology.ts';

export interface Machine {
  readonly heap: Heap;
  readonly threads: Threads;
}

/** How many components of a vertex's velocity are given. */
export const FREE = 0;
/** Free slip: the component along `direction`, the wall's normal. */
export const PLANE = 1;
/** All but the component along `direction`, which two walls have in common. */
export const LINE = 2;
/** No slip. */
export const HELD = 3;

export interface NodeConditions {
  /** (vertexCount) FREE, PLANE, LINE or HELD */
  readonly constraint: Uint8Array;
  /** (vertexCount x 3) unit vectors; read where the constraint is PLANE or LINE */
  readonly direction: Float64Array;
  /** (vertexCount x 3) of walls and solids, m/s; read where something is given */
  readonly velocity: Float64Array;
}

/** The liquid's surface between vertices of the mesh. */
export interface SurfaceTension {
  /** N/m */
  readonly coefficient: number;
  /** (3 per triangle) vertices, counter-clockwise seen from outside */
  readonly triangle: Int32Array;
  readonly wetted?: WettedWall;
}

/** Wall under liquid: each m^2 of it saves the energy sigma cos(contact angle), [young-1805]. */
export interface WettedWall {
  /** (3 per triangle) vertices */
  readonly triangle: Int32Array;
  /** N/m: sigma cos(contact angle) */
  readonly gain: number;
}

/** What slides along walls is held back by them (friction.ts). */
export interface WallFriction {
  /** (vertexCount) kg/s; 0 where there is none */
  readonly coefficient: Float64Array;
  /** (vertexCount x 3) of the walls, m/s */
  readonly velocity: Float64Array;
}

export interface ViscousProblem {
  readonly mesh: TetMesh;
  /**
   * (tetCount x 4) of each corner the integral of its hat over the liquid, over the tet's volume: 1/4 where
   * full
   */
  readonly liquid?: Float64Array;
  /** (tetCount) dynamic viscosity, Pa s; overwritten where a rheology is given */
  readonly viscosity: Float64Array;
  /** (tetCount) kg/m^3 */
  readonly density: Float64Array;
  readonly nodes?: NodeConditions;
  /** (vertexCount x 3) before the step, m/s */
  readonly velocity: Float64Array;
  /**
   * (vertexCount x 3) what it would be after the step if it went on changing as before, m/s; absent:
   * `velocity`. Read where coupled.
   */
  readonly expected?: Float64Array;
  /** Per mass: gravity. m/s^2 */
  readonly acceleration?: Vec3;
  /** (vertexCount x 3) N */
  readonly force?: Float64Array;
  readonly tension?: SurfaceTension | CutSurfaceTension;
  readonly friction?: WallFriction;
  /** (tetCount) 1/s: divergence, negative in drains. Read where coupled. */
  readonly source?: Float64Array;
  /** Infinity: steady creeping flow, without inertia */
  readonly dt: Seconds;
}

export interface ViscousOptions {
  /** Velocity and pressure together; otherwise viscosity alone, eq. (8). Default true. */
  readonly coupled?: boolean;
  /** The Laplacian is for comparison only: it resists rotation. Default 'stress'. */
  readonly model?: 'stress' | 'laplacian';
  /** Bound on ||b - Ax|| / ||b||; default 1e-8. */
  readonly tolerance?: number;
  /** Default 500. */
  readonly maxIterations?: number;
  /** Where the search starts: (vertexCount x 3) m/s, (vertexCount) Pa */
  readonly guess?: { readonly velocity?: Float64Array; readonly pressure?: Float64Array };
  readonly rheology?: Rheology;
  /** Where coupled: GMRES takes half the iterations, MINRES a fifth of the vectors. Default 'gmres'. */
  readonly solver?: 'gmres' | 'minres';
}

/** One linear solve: one Picard round where viscosity depends on the flow. */
export interface ViscousRound {
  readonly iterations: number;
  /** ||b - Ax|| / ||b||, recomputed */
  readonly residual: number;
  /**
   * Of ||b - A(mu(u)) u|| / ||b|| with this round's own viscosity: the nonlinear residual. 0 for Newtonian
   * liquids.
   */
  readonly change: number;
}

export interface ViscousReport {
  readonly converged: boolean;
  /** Of all rounds. */
  readonly iterations: number;
  /** ||b - Ax|| / ||b|| of the last linear solve, recomputed */
  readonly residual: number;
  readonly breakdown?: string;
  /** Vertices with unknowns. */
  readonly rows: number;
  readonly rounds: readonly ViscousRound[];
}

export interface ViscousFlow {
  /** (vertexCount x 3) m/s */
  readonly velocity: Float64Array;
  /** (vertexCount) Pa; 0 where not coupled */
  readonly pressure: Float64Array;
  /** (vertexCount) 1 where the system had a row */
  readonly isLiquid: Uint8Array;
  readonly report: ViscousReport;
}
