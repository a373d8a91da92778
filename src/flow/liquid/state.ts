/**
 * The least that continues a run: surface, mesh, face velocities; and what follows from them, kept at hand.
 */
import type { HeapScope } from '../../core/heap.ts';
import {
  copyToHeap,
  defineRecord,
  omitColumns,
  readRecord,
  type SavedRecord,
  saveRecord,
} from '../../core/records.ts';
import type { Seconds } from '../../core/types.ts';
import type { StuffedMesh } from '../../mesh/lattice/lattice.ts';
import { createLocator, type LocatorData } from '../../mesh/locate.ts';
import type { TetTopology } from '../../mesh/tetmesh.ts';
import { findPieces, type Pieces } from '../../tracking/contouring/pieces.ts';
import type { SignGrid } from '../../tracking/contouring/signs.ts';
import {
  measureSurface,
  type SurfaceIntegrals,
  type TrackedSurface,
} from '../../tracking/contouring/surface.ts';
import { buildSurfaceIndex, type SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import { stickToWalls } from '../boundary/sticky-walls.ts';
import type { Surroundings } from '../boundary/surroundings.ts';
import type { Embedding } from '../mesh/embedded.ts';
import type { FaceGeometry } from '../mesh/face-geometry.ts';
import { buildMeshParts, type MeshParts } from '../mesh/mesh-parts.ts';
import { buildExtension } from '../velocity/extension.ts';
import { slideAlongWalls } from '../velocity/extension-walls.ts';
import type { MeshVelocity } from '../velocity/mesh-velocity.ts';
import { computeVertexRates, type VertexRates } from '../velocity/vertex-velocity.ts';
import type { LiquidModel } from './model.ts';

export interface LiquidState {
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
  /**
   * (faceCount) pressure potential p dt / rho of the last projection, m^2/s: the next solve starts from it
   */
  facePressure: Float64Array;
  /** Time step of the last projection, s */
  pressureStep: number;
  /** (pieces of the surface) what each should hold, m^3 (volume/keep-volumes.ts) */
  pieceTarget: Float64Array;
  /** (droplets x 7) place, velocity, volume: liquid below the resolution (volume/droplets.ts) */
  droplets: Float64Array;
  /** m^3/s that drains take until the next step */
  drainFlow: number;
  /** Follows from the above; never saved. */
  derived: Derived;
}

export interface Derived {
  readonly topology: TetTopology;
  readonly geometry: FaceGeometry;
  /** Of a mesh that does not follow the liquid. */
  readonly embedding?: Embedding;
  readonly surfaceIndex: SurfaceIndex;
  readonly integrals: SurfaceIntegrals;
  readonly pieces: Pieces;
  readonly rates: VertexRates;
  readonly locator: LocatorData;
  /** Walls and solids at the state's time. */
  readonly surroundings: Surroundings;
}

/** What the rest of a state follows from. */
export interface StateParts {
  readonly surface: TrackedSurface;
  readonly index: SurfaceIndex;
  readonly parts: MeshParts;
  readonly faces: Pick<LiquidState, 'faceVelocity' | 'faceAcceleration' | 'faceKind'>;
}

export function buildDerived(
  model: LiquidModel,
  surroundings: Surroundings,
  { surface, index, parts, faces }: StateParts,
  scope: HeapScope,
): Derived {
  const { mesh, topology, geometry } = parts;
  const { faceVelocity, faceAcceleration, faceKind } = faces;
  const scratch = model.heap.scope('vertex rates');
  const rates = computeVertexRates(
    parts,
    faceVelocity,
    faceAcceleration,
    faceKind,
    model.threads,
    scope,
    scratch,
  );
  scratch.free();
  if (surroundings.hasStickyWalls) stickToWalls(surroundings, mesh, rates.velocity);
  return {
    topology,
    geometry,
    surfaceIndex: index,
    integrals: measureSurface(surface),
    pieces: findPieces(surface),
    rates,
    locator: createLocator(mesh, topology, scope).data,
    surroundings,
  };
}

/** Frees a state that is given up, with its surroundings where they are of its instant only. */
export function releaseLiquid(state: LiquidState): void {
  state.derived.surroundings.scope?.free();
  state.scope.free();
}

/** The face velocities `ahead` of the state's time, m/s; the state's own array where they are. */
export function shiftFaceVelocity(state: LiquidState, ahead: Seconds, scope: HeapScope): Float64Array {
  return addRate(state.faceVelocity, state.faceAcceleration, findShift(state, ahead), scope);
}

/** The same for the velocities at vertices. */
export function shiftVertexVelocity(state: LiquidState, ahead: Seconds, scope: HeapScope): Float64Array {
  const { velocity, acceleration } = state.derived.rates;
  return addRate(velocity, acceleration, findShift(state, ahead), scope);
}

/**
 * Seconds for which the rate of change carries on from the state's velocities to those `ahead` of its time. A
 * rate is known to the noise of a step over its length: after a very short step it says nothing of a long
 * one, and is followed for two such steps at most.
 */
function findShift({ lead }: LiquidState, ahead: Seconds): Seconds {
  return lead > 0 ? Math.min(ahead - lead, 4 * lead) : ahead;
}

/** values + seconds rate; the values themselves where nothing is to be added. */
function addRate(values: Float64Array, rate: Float64Array, seconds: Seconds, scope: HeapScope): Float64Array {
  if (seconds === 0) return values;
  const out = scope.f64(Math.max(1, values.length));
  for (let n = 0; n < values.length; n++) out[n] = values[n] + seconds * rate[n];
  return out;
}

/**
 * The velocity field `ahead` of the state's time, extended beyond the mesh. A step sees that of its own
 * middle.
 */
export function buildMeshVelocity(
  model: LiquidModel,
  state: LiquidState,
  ahead: Seconds,
  scope: HeapScope,
): MeshVelocity {
  const { mesh, derived } = state;
  const vertexVelocity = shiftVertexVelocity(state, ahead, scope);
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

/** What a checkpoint holds. */
export const liquidRecord = defineRecord('liquid', {
  vertexCount: { type: 'number', meaning: 'of the tet mesh' },
  tetCount: { type: 'number', meaning: 'tetrahedra' },
  surfaceVertexCount: { type: 'number', meaning: 'of the surface' },
  triangleCount: { type: 'number', meaning: 'of the surface' },
  time: { type: 'number', unit: 's', meaning: 'since the start' },
  lead: { type: 'number', unit: 's', meaning: 'by which velocities are ahead of the surface' },
  drainFlow: { type: 'number', unit: 'm^3/s', meaning: 'that drains take until the next step' },
  pressureStep: { type: 'number', unit: 's', meaning: 'time step of the last projection' },
  indexOriginX: { type: 'number', unit: 'm', meaning: 'where the lattice begins' },
  indexOriginY: { type: 'number', unit: 'm', meaning: '' },
  indexOriginZ: { type: 'number', unit: 'm', meaning: '' },
  indexSize: { type: 'number', unit: 'm', meaning: 'edge of its cells' },
  indexBlocksX: { type: 'number', meaning: 'blocks of 2 x 2 x 2 cells along each axis' },
  indexBlocksY: { type: 'number', meaning: '' },
  indexBlocksZ: { type: 'number', meaning: '' },
  surfacePosition: {
    type: 'f64',
    per: 'surface vertex',
    stride: 3,
    unit: 'm',
    meaning: 'vertices of the surface',
  },
  triangle: { type: 'i32', per: 'triangle', stride: 3, meaning: 'corners' },
  wall: { type: 'u8', per: 'triangle', meaning: '1 against a solid or a wall, 0 against air' },
  signPlace: {
    type: 'f64',
    stride: 7,
    meaning: 'where the grid of signs lies (tracking/contouring/signs.ts)',
  },
  signDirectory: { type: 'i32', per: 'block place', meaning: 'which blocks are stored' },
  slotSign: { type: 'u8', meaning: 'inside or outside, by slot of the blocks stored' },
  blockSign: { type: 'u8', per: 'block place', meaning: 'inside or outside, of blocks not stored' },
  position: { type: 'f64', per: 'vertex', stride: 3, unit: 'm', meaning: 'vertices of the tet mesh' },
  tet: { type: 'i32', per: 'tet', stride: 4, meaning: 'corners' },
  vertexOnSurface: { type: 'u8', per: 'vertex', meaning: 'bits: on the free surface, on the vessel' },
  tetShape: { type: 'u8', per: 'tet', meaning: 'as in frames' },
  tetLevel: { type: 'u8', per: 'tet', meaning: 'octree level, 0 the finest' },
  tileStart: { type: 'i32', meaning: 'which tiles of blocks are stored (mesh/lattice/block-tiles.ts)' },
  blockStart: { type: 'i32', meaning: 'tets by block of the stored tiles (mesh/lattice/lattice.ts)' },
  cellStart: { type: 'i32', meaning: 'tets by cell' },
  faceVelocity: {
    type: 'f64',
    per: 'face',
    unit: 'm/s',
    meaning: 'along the area vector, `lead` after the time',
  },
  faceAcceleration: {
    type: 'f64',
    per: 'face',
    unit: 'm/s^2',
    meaning: 'its rate of change over the last step',
  },
  faceKind: { type: 'u8', per: 'face', meaning: 'interior, free, wall or fixed' },
  facePressure: { type: 'f64', per: 'face', unit: 'm^2/s', meaning: 'p dt / rho of the last projection' },
  pieceTarget: {
    type: 'f64',
    per: 'piece',
    unit: 'm^3',
    meaning: 'what each piece of the surface should hold',
  },
  droplets: {
    type: 'f64',
    per: 'droplet',
    stride: 7,
    unit: 'm, m/s, m^3',
    meaning: 'place, velocity, volume',
  },
});

/** Pieces and droplets are few, and no task reads them: they stay off the heap. */
const heapRecord = defineRecord('liquid', omitColumns(liquidRecord.columns, 'pieceTarget', 'droplets'));

export function saveLiquid(state: LiquidState): SavedRecord {
  const { surface, signs, mesh } = state;
  const { index } = mesh;
  return saveRecord(liquidRecord, {
    ...{ vertexCount: mesh.vertexCount, tetCount: mesh.tetCount },
    ...{ surfaceVertexCount: surface.vertexCount, triangleCount: surface.triangleCount },
    time: state.time,
    lead: state.lead,
    drainFlow: state.drainFlow,
    pressureStep: state.pressureStep,
    ...{ indexOriginX: index.origin[0], indexOriginY: index.origin[1], indexOriginZ: index.origin[2] },
    indexSize: index.size,
    ...{ indexBlocksX: index.blocks[0], indexBlocksY: index.blocks[1], indexBlocksZ: index.blocks[2] },
    ...{ surfacePosition: surface.position, triangle: surface.triangle, wall: surface.wall },
    ...{ signPlace: signs.place, signDirectory: signs.directory },
    ...{ slotSign: signs.slotSign, blockSign: signs.blockSign },
    ...{ position: mesh.position, tet: mesh.tet, vertexOnSurface: mesh.vertexOnSurface },
    ...{ tetShape: mesh.tetShape, tetLevel: mesh.tetLevel },
    ...{ tileStart: index.tileStart, blockStart: index.blockStart, cellStart: index.cellStart },
    faceVelocity: state.faceVelocity,
    faceAcceleration: state.faceAcceleration,
    faceKind: state.faceKind,
    facePressure: state.facePressure,
    pieceTarget: state.pieceTarget,
    droplets: state.droplets,
  });
}

export function restoreLiquid(model: LiquidModel, record: SavedRecord): LiquidState {
  const scope = model.heap.scope('liquid state');
  const read = readRecord(liquidRecord, record);
  const saved = copyToHeap(heapRecord, read, scope);
  const { time, lead, faceVelocity, faceAcceleration, faceKind, facePressure } = saved;
  const { position, tet, vertexOnSurface, tetShape, tetLevel, tileStart, blockStart, cellStart } = saved;
  const surface: TrackedSurface = {
    vertexCount: saved.surfaceVertexCount,
    triangleCount: saved.triangleCount,
    position: saved.surfacePosition,
    triangle: saved.triangle,
    wall: saved.wall,
  };
  const mesh: StuffedMesh = {
    vertexCount: saved.vertexCount,
    tetCount: saved.tetCount,
    ...{ position, tet, vertexOnSurface, tetShape, tetLevel },
    index: {
      origin: [saved.indexOriginX, saved.indexOriginY, saved.indexOriginZ],
      size: saved.indexSize,
      blocks: [saved.indexBlocksX, saved.indexBlocksY, saved.indexBlocksZ],
      tileStart,
      blockStart,
      cellStart,
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
  const parts = buildMeshParts(model, mesh, scope);
  const index = buildSurfaceIndex(surface, model.contour.walls, scope);
  const { signPlace, signDirectory, slotSign, blockSign } = saved;
  const faces = { faceVelocity, faceAcceleration, faceKind };
  return {
    scope,
    time,
    surface,
    signs: { place: signPlace, directory: signDirectory, slotSign, blockSign },
    mesh,
    ...faces,
    lead,
    facePressure,
    pressureStep: saved.pressureStep,
    pieceTarget: read.pieceTarget.slice(),
    droplets: read.droplets.slice(),
    drainFlow: saved.drainFlow,
    derived: buildDerived(model, model.surroundingsAt(time, lead), { surface, index, parts, faces }, scope),
  };
}

/** What a checkpoint holds of a state, and how it comes back. */
export const liquidStore = {
  record: liquidRecord,
  save: saveLiquid,
  restore: restoreLiquid,
  release: releaseLiquid,
};
