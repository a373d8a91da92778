/** The least that continues a run: surface, mesh, face velocities; and what follows from them, kept at hand. */
import type { HeapScope } from '../../core/heap.ts';
import type { Seconds } from '../../core/types.ts';
import type { StuffedMesh } from '../../mesh/lattice/lattice.ts';
import { createLocator, type LocatorData } from '../../mesh/locate.ts';
import type { TetTopology } from '../../mesh/tetmesh.ts';
import { buildTopology } from '../../mesh/topology.ts';
import { findPieces, type Pieces } from '../../tracking/contouring/pieces.ts';
import type { SignGrid } from '../../tracking/contouring/signs.ts';
import {
  measureSurface,
  type SurfaceIntegrals,
  type TrackedSurface,
} from '../../tracking/contouring/surface.ts';
import { buildSurfaceIndex, type SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { StateRecord } from '../method.ts';
import { buildExtension } from './extension.ts';
import { slideAlongWalls } from './extension-walls.ts';
import { buildFaceGeometry, type FaceGeometry } from './face-geometry.ts';
import type { Flow } from './flow.ts';
import { stickToWalls } from './mesh-stage.ts';
import type { LatticeModel } from './model.ts';
import type { Surroundings } from './surroundings.ts';
import { computeVertexMotion, type VertexMotion } from './vertex-velocity.ts';

export interface LatticeState {
  /** Owner of all arrays below; freed when the next state is accepted. */
  scope: HeapScope;
  /** s since the start: tells where moving solids are */
  time: Seconds;
  surface: TrackedSurface;
  /** Inside and outside of the surface, everywhere. */
  signs: SignGrid;
  mesh: StuffedMesh;
  /** (faceCount) m/s, along the face's area vector, `lead` after the state's time */
  faceVelocity: Float64Array;
  /** s by which velocities are ahead of the surface: half the last step ("leapfrog"), 0 at the start */
  lead: Seconds;
  /** (faceCount) m/s^2, rate of change of faceVelocity over the last step */
  faceAcceleration: Float64Array;
  /** (faceCount) INTERIOR, FREE or WALL */
  faceKind: Uint8Array;
  /** (faceCount) pressure potential p dt / rho of the last projection, m^2/s: the next solve starts from it */
  facePressure: Float64Array;
  /** Time step of the last projection, s */
  pressureStep: number;
  /** (pieces of the surface) what each should hold, m^3 (volume/stage.ts) */
  pieceTarget: Float64Array;
  /** (droplets x 7) place, velocity, volume: liquid below the resolution (volume/droplets.ts) */
  droplets: Float64Array;
  /** m^3/s that drains take until the next step */
  drainFlow: number;
  /** m^3 that drains have taken so far */
  drained: number;
  /** Follows from the above; never saved. */
  derived: Derived;
}

export interface Derived {
  readonly topology: TetTopology;
  readonly geometry: FaceGeometry;
  readonly surfaceIndex: SurfaceIndex;
  readonly integrals: SurfaceIntegrals;
  readonly pieces: Pieces;
  readonly motion: VertexMotion;
  readonly locator: LocatorData;
  /** Walls and solids at the state's time. */
  readonly surroundings: Surroundings;
}

/** A mesh with its connectivity and geometry. */
export interface MeshParts {
  readonly mesh: StuffedMesh;
  readonly topology: TetTopology;
  readonly geometry: FaceGeometry;
}

export function buildMeshParts(model: LatticeModel, mesh: StuffedMesh, scope: HeapScope): MeshParts {
  const topology = buildTopology(mesh, scope);
  return { mesh, topology, geometry: buildFaceGeometry(mesh, topology, model.threads, scope) };
}

export function buildDerived(
  model: LatticeModel,
  surroundings: Surroundings,
  surface: TrackedSurface,
  surfaceIndex: SurfaceIndex,
  { mesh, topology, geometry }: MeshParts,
  faceVelocity: Float64Array,
  faceAcceleration: Float64Array,
  faceKind: Uint8Array,
  scope: HeapScope,
): Derived {
  const scratch = model.heap.scope('lattice vertex motion');
  const motion = computeVertexMotion(
    { mesh, topology, geometry },
    faceVelocity,
    faceAcceleration,
    faceKind,
    model.threads,
    scope,
    scratch,
  );
  scratch.free();
  if (surroundings.hasStickyWalls) stickToWalls(surroundings, mesh, motion.velocity);
  return {
    topology,
    geometry,
    surfaceIndex,
    integrals: measureSurface(surface),
    pieces: findPieces(surface),
    motion,
    locator: createLocator(mesh, topology, scope).data,
    surroundings,
  };
}

/** Frees a state that is given up, with its surroundings where they are of its instant only. */
export function releaseState(state: LatticeState): void {
  state.derived.surroundings.scope?.free();
  state.scope.free();
}

/** The face velocities `ahead` of the state's time, m/s; the state's own array where they are. */
export function shiftFaceVelocity(state: LatticeState, ahead: Seconds, scope: HeapScope): Float64Array {
  return addRate(state.faceVelocity, state.faceAcceleration, findShift(state, ahead), scope);
}

/**
 * Seconds for which the rate of change carries on from the state's velocities to those `ahead` of its time. A rate is known to the noise
 * of a step over its length: after a very short step it says nothing of a long one, and is followed for two such steps at most.
 */
function findShift({ lead }: LatticeState, ahead: Seconds): Seconds {
  return lead > 0 ? Math.min(ahead - lead, 4 * lead) : ahead;
}

/** values + seconds rate; the values themselves where nothing is to be added. */
function addRate(values: Float64Array, rate: Float64Array, seconds: Seconds, scope: HeapScope): Float64Array {
  if (seconds === 0) return values;
  const out = scope.f64(Math.max(1, values.length));
  for (let n = 0; n < values.length; n++) out[n] = values[n] + seconds * rate[n];
  return out;
}

/** The velocity field `ahead` of the state's time, extended beyond the mesh. A step sees that of its own middle. */
export function buildFlow(model: LatticeModel, state: LatticeState, ahead: Seconds, scope: HeapScope): Flow {
  const { mesh, derived } = state;
  const { velocity, acceleration } = derived.motion;
  const vertexVelocity = addRate(velocity, acceleration, findShift(state, ahead), scope);
  const extension = buildExtension(
    mesh,
    mesh.vertexOnSurface,
    vertexVelocity,
    model.extension,
    model.extensionLayers,
    model.threads,
    scope,
  );
  slideAlongWalls(extension, derived.surroundings, model.domain);
  return {
    mesh,
    topology: derived.topology,
    geometry: derived.geometry,
    locator: derived.locator,
    faceVelocity: shiftFaceVelocity(state, ahead, scope),
    vertexVelocity,
    extension,
    domain: model.domain,
    ...(derived.surroundings.solids ? { solids: derived.surroundings.solids } : {}),
  };
}

export function saveState(state: LatticeState): StateRecord {
  const { surface, mesh } = state;
  const { index } = mesh;
  return {
    numbers: {
      vertexCount: mesh.vertexCount,
      tetCount: mesh.tetCount,
      surfaceVertexCount: surface.vertexCount,
      triangleCount: surface.triangleCount,
      time: state.time,
      lead: state.lead,
      drainFlow: state.drainFlow,
      drained: state.drained,
      pressureStep: state.pressureStep,
      indexOriginX: index.origin[0],
      indexOriginY: index.origin[1],
      indexOriginZ: index.origin[2],
      indexSize: index.size,
      indexBlocksX: index.blocks[0],
      indexBlocksY: index.blocks[1],
      indexBlocksZ: index.blocks[2],
    },
    arrays: {
      surfacePosition: surface.position,
      triangle: surface.triangle,
      wall: surface.wall,
      signPlace: state.signs.place,
      signDirectory: state.signs.directory,
      slotSign: state.signs.slotSign,
      blockSign: state.signs.blockSign,
      position: mesh.position,
      tet: mesh.tet,
      vertexOnSurface: mesh.vertexOnSurface,
      tetShape: mesh.tetShape,
      tetLevel: mesh.tetLevel,
      blockStart: index.blockStart,
      cellStart: index.cellStart,
      faceVelocity: state.faceVelocity,
      faceAcceleration: state.faceAcceleration,
      faceKind: state.faceKind,
      facePressure: state.facePressure,
      pieceTarget: state.pieceTarget,
      droplets: state.droplets,
    },
  };
}

export function restoreState(model: LatticeModel, record: StateRecord): LatticeState {
  const scope = model.heap.scope('lattice state');
  const { numbers } = record;
  const f64 = (name: string) => {
    const source = record.arrays[name] as Float64Array;
    const copy = scope.f64(source.length);
    copy.set(source);
    return copy;
  };
  const i32 = (name: string) => {
    const source = record.arrays[name] as Int32Array;
    const copy = scope.i32(source.length);
    copy.set(source);
    return copy;
  };
  const u8 = (name: string) => {
    const source = record.arrays[name] as Uint8Array;
    const copy = scope.u8(source.length);
    copy.set(source);
    return copy;
  };
  const surface: TrackedSurface = {
    vertexCount: numbers['surfaceVertexCount'],
    triangleCount: numbers['triangleCount'],
    position: f64('surfacePosition'),
    triangle: i32('triangle'),
    wall: u8('wall'),
  };
  const mesh: StuffedMesh = {
    vertexCount: numbers['vertexCount'],
    tetCount: numbers['tetCount'],
    position: f64('position'),
    tet: i32('tet'),
    vertexOnSurface: u8('vertexOnSurface'),
    tetShape: u8('tetShape'),
    tetLevel: u8('tetLevel'),
    index: {
      origin: [numbers['indexOriginX'], numbers['indexOriginY'], numbers['indexOriginZ']],
      size: numbers['indexSize'],
      blocks: [numbers['indexBlocksX'], numbers['indexBlocksY'], numbers['indexBlocksZ']],
      blockStart: i32('blockStart'),
      cellStart: i32('cellStart'),
    },
    report: {
      surfaceCells: 0,
      crossingEdges: 0,
      warpedVertices: 0,
      evaluations: 0,
      distanceSeconds: 0,
      stuffingSeconds: 0,
    },
  };
  const faceVelocity = f64('faceVelocity');
  const faceAcceleration = f64('faceAcceleration');
  const faceKind = u8('faceKind');
  const parts = buildMeshParts(model, mesh, scope);
  const index = buildSurfaceIndex(surface, model.contour.walls, scope);
  const { time, lead } = numbers as { time: Seconds; lead: Seconds };
  return {
    scope,
    time,
    surface,
    signs: {
      place: f64('signPlace'),
      directory: i32('signDirectory'),
      slotSign: u8('slotSign'),
      blockSign: u8('blockSign'),
    },
    mesh,
    faceVelocity,
    lead,
    faceAcceleration,
    faceKind,
    facePressure: f64('facePressure'),
    pressureStep: numbers['pressureStep'],
    pieceTarget: (record.arrays['pieceTarget'] as Float64Array).slice(),
    droplets: (record.arrays['droplets'] as Float64Array).slice(),
    drainFlow: numbers['drainFlow'],
    drained: numbers['drained'],
    derived: buildDerived(
      model,
      model.surroundingsAt(time, lead),
      surface,
      index,
      parts,
      faceVelocity,
      faceAcceleration,
      faceKind,
      scope,
    ),
  };
}
