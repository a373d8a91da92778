/** The least that continues a run: the particles, and the octree of the mesh while it lasts. */
import type { HeapScope } from '../../core/heap.ts';
import {
  copyToHeap,
  defineRecord,
  pickPrefixed,
  prefixNames,
  readRecord,
  type SavedRecord,
  saveRecord,
} from '../../core/records.ts';
import type { Seconds } from '../../core/types.ts';
import { restoreOctree } from '../../mesh/octree/restore.ts';
import { type Whitewater, whitewaterRecord } from '../../particles/whitewater.ts';
import { buildMesh, type FlipMesh } from './mesh.ts';
import type { FlipModel } from './model.ts';
import { poseObstacles } from './obstacles.ts';

/** Kinds of particles. */
export const LIQUID = 0;
export const BALLISTIC = 1;

export const flipRecord = defineRecord('flip', {
  time: { type: 'number', unit: 's', meaning: 'since the start' },
  lastStep: { type: 'number', unit: 's', meaning: 'length of the last step' },
  meshAge: { type: 'number', meaning: 'steps since the mesh was made' },
  position: { type: 'f64', per: 'particle', stride: 3, unit: 'm', meaning: 'centre' },
  velocity: { type: 'f64', per: 'particle', stride: 3, unit: 'm/s', meaning: 'of the liquid it stands for' },
  rate: {
    type: 'f64',
    per: 'particle',
    stride: 3,
    unit: 'm/s^2',
    meaning: 'acceleration in the last step, half a step of which the velocity is behind',
  },
  volume: { type: 'f64', per: 'particle', unit: 'm^3', meaning: 'of that liquid' },
  depth: { type: 'f64', per: 'particle', unit: 'm', meaning: 'below the surface, of the last step' },
  size: { type: 'f64', per: 'particle', unit: 'm', meaning: 'edge of cells wanted there, of the last mesh' },
  kind: { type: 'u8', per: 'particle', meaning: '0 in the liquid, 1 ballistic' },
  affine: {
    type: 'f64',
    stride: 9,
    unit: '1/s',
    meaning: 'gradient of velocity, row by row (apic); else empty',
  },
  child: { type: 'i32', per: 'node of the octree', meaning: 'its first child, or -1 - leaf' },
  potential: { type: 'f64', per: 'vertex', unit: 'm^2/s', meaning: 'pressure potential of the last solve' },
  ...prefixNames('whitewater', whitewaterRecord.columns),
});

export interface FlipState {
  /** Owner of the particles' arrays; replaced in every step. */
  scope: HeapScope;
  time: Seconds;
  lastStep: Seconds;
  meshAge: number;
  position: Float64Array;
  velocity: Float64Array;
  rate: Float64Array;
  volume: Float64Array;
  depth: Float64Array;
  size: Float64Array;
  kind: Uint8Array;
  affine: Float64Array;
  potential: Float64Array;
  /** Not on the heap; replaced in every step. */
  whitewater: Whitewater;
  /** Follows from its octree. */
  mesh: FlipMesh;
}

export const countOf = ({ volume }: Pick<FlipState, 'volume'>): number => volume.length;

export function saveFlip(state: FlipState): SavedRecord {
  const whitewater = prefixNames('whitewater', state.whitewater);
  return saveRecord(flipRecord, { ...state, ...whitewater, child: state.mesh.octree.child });
}

export function restoreFlip(model: FlipModel, saved: SavedRecord): FlipState {
  const scope = model.heap.scope('flip state');
  const meshScope = model.heap.scope('flip mesh');
  try {
    const whole = readRecord(flipRecord, saved);
    const values = copyToHeap(flipRecord, whole, scope);
    const { child, ...rest } = values;
    const whitewater = structuredClone(pickPrefixed('whitewater', whitewaterRecord, whole));
    const octree = restoreOctree(model.box, child, meshScope);
    const obstacles = poseObstacles(model, values.time, 0);
    const mesh = buildMesh(model, octree, obstacles, meshScope);
    return { ...rest, whitewater, scope, mesh };
  } catch (error) {
    scope.free();
    meshScope.free();
    throw error;
  }
}

export function releaseFlip(state: FlipState): void {
  state.scope.free();
  state.mesh.scope.free();
}

/** What a checkpoint holds of a state, and how it comes back. */
export const flipStore = { record: flipRecord, save: saveFlip, restore: restoreFlip, release: releaseFlip };
