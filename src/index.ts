/**
 * meniscus as a library, for pages and for Node alike: read a scene, run it, mesh shapes, read and write
 * meshes.
 *
 * ```ts
 * const loaded = await loadScene({ file: 'a.jsonc', text }, { methods, readFile });
 * const run = new Run({ method: getMethod(loaded.scene.method), ...loaded, resources });
 * for (const event of run.events()) if (event.type === 'frame') draw(event.surface);
 * ```
 * Disk, threads of Node and the run folder: `meniscus/node`. The worker that threads in a page are made of:
 * `meniscus/worker`.
 */
export { InputError, MeniscusError, RunError } from './core/errors.ts';
export { createHeap, type Heap, type HeapScope } from './core/heap.ts';
export { createThreads as createBrowserThreads } from './core/threads/browser.ts';
export { createSingleThread } from './core/threads/single.ts';
export type { Threads } from './core/threads/task.ts';
export type { Box, Metres, Seconds, Vec3 } from './core/types.ts';

export type { Implicit } from './geometry/implicit.ts';
export { validateClosedMesh } from './geometry/mesh-defects.ts';
export { meshImplicit } from './geometry/mesh-distance.ts';
export * from './geometry/shapes.ts';
export type { SolidTrack, TimedFrame } from './io/frames.ts';
export { type GlbOptions, writeGlb } from './io/glb.ts';
export { readObj, writeObj } from './io/obj.ts';
export { readPly, readPlyPoints, writePly, writePlyPoints } from './io/ply.ts';
export { readTriMesh } from './io/read-trimesh.ts';
export { findUpAxis, type UpAxis } from './io/up-axis.ts';
export { type UsdaOptions, writeUsda } from './io/usda.ts';
export { readVtu, writePointsVtu, writePvd, writeSurfaceVtu, writeVtu } from './io/vtu.ts';
export type { Field, ParticleFrame, SurfaceFrame, SurfacePart, VolumeFrame } from './mesh/fields.ts';
export { joinSurfaces, type NamedSurface } from './mesh/join-surfaces.ts';
export { type MeshShapeOptions, meshShape, type ShapeMesh } from './mesh/lattice/mesh-shape.ts';
export type { TetMesh } from './mesh/tetmesh.ts';
export type { TriMesh } from './mesh/trimesh.ts';
export type {
  Diagnostics,
  Estimate,
  Method,
  Resources,
  StateRecord,
  StepLedger,
  StepReport,
} from './methods/method.ts';
export type { Presentation } from './methods/presentation.ts';
export { type Balance, type BalanceLine, describeBalance } from './run/balance.ts';
export type { LedgerRecord } from './run/books.ts';
export { type Budget, estimateRun, type Machine, planRun } from './run/budget.ts';
export { listNotes } from './run/notes.ts';
export { findMethod, getMethod, methods, registerMethod } from './run/registry.ts';
export { countFrames, Run, type RunEvent, type RunOptions, type StepRecord } from './run/runner.ts';
export { decodeSnapshot, encodeSnapshot, type Snapshot } from './run/snapshot.ts';
export { buildJsonSchema } from './scene/json-schema.ts';
export {
  type LoadedScene,
  type LoadOptions,
  loadScene,
  type OutputOptions,
  readSceneHeader,
} from './scene/load.ts';
export { materialPresets } from './scene/materials.ts';
export type { Ignored, MethodInfo, SceneFeature, ScenePart } from './scene/method-info.ts';
export { type Problem, SceneError } from './scene/problems.ts';
export type { Liquid, Material, Scene, Solid } from './scene/scene.ts';
export { buildSolidTracks, type SolidTracks } from './scene/solid-tracks.ts';
