/**
 * A tracked surface: the mesh with all that its edits need. One per surface; not shared between threads while
 * editing.
 *
 *   const tracker = new Tracker(buildMultiMesh(source), resolveOptions({ minEdge, maxEdge }), policy, { heap, threads });
 *
 * Without resources everything runs on the caller, with the same results to the last bit.
 */
import type { Metres } from '../../core/types.ts';
import { Buffers, type TrackerResources } from './buffers.ts';
import { compact, type Remap } from './build.ts';
import type { EndingNear } from './collision.ts';
import { Edit, type Refusal } from './edit.ts';
import { FaceGrid } from './face-grid.ts';
import { Features } from './features.ts';
import { Marks } from './marks.ts';
import type { MultiMesh } from './mesh.ts';
import { type AngleCosines, computeAngleCosines, type TrackerOptions } from './options.ts';
import type { VertexPolicy, VertexValues } from './policy.ts';
import type { SeparationCues } from './separation-cues.ts';
import type { VertexWalls } from './walls.ts';

/** Cell of the grid in units of the longest edge wanted: a face then lies in about four cells. */
const CELL = 1;

/** Edits done, and refused by reason: `flip`, `flip refused: collision`, ... */
export type EventCounts = Record<string, number>;

export class Tracker {
  readonly mesh: MultiMesh;
  /** L: mean of the edge bounds, the unit of all relative bounds. */
  readonly length: Metres;
  /** Boxes of all faces. */
  readonly grid: FaceGrid;
  /** Scratch for stages that run on all threads. */
  readonly buffers: Buffers;
  readonly edit: Edit;
  readonly cosines: AngleCosines;
  /**
   * Edits refused because something is in the way. Other refusals have their reasons in the stars of the
   * vertices at hand.
   */
  collisions = 0;
  readonly features: Features;
  /** Scratch marks by vertex and by face. */
  readonly marks = new Marks();
  readonly faceMarks = new Marks();
  /** What the client knows of the motion; decides topology (chapter 6). */
  flow: SeparationCues | undefined;
  /** Whether the flow keeps volumes, so that the mesh need only follow it (step.ts). */
  keepsVolume = false;
  /**
   * Edge bounds by vertex in units of the general ones, where they vary (sizing.ts); undefined: 1 everywhere.
   */
  sizing: VertexValues | undefined;
  /** Where vertices slide on walls (walls.ts); undefined: nowhere. */
  walls: VertexWalls | undefined;
  /** What the last motion left nearer than the reach of merging (advance.ts), for mergeSurfaces. */
  endingNear: EndingNear | undefined;
  readonly events: EventCounts = {};
  private readonly refusalNames = new Map<string, Map<string, string>>();

  constructor(
    mesh: MultiMesh,
    readonly options: TrackerOptions,
    readonly policy: VertexPolicy = {},
    resources?: TrackerResources,
  ) {
    this.mesh = mesh;
    this.buffers = new Buffers(resources);
    this.length = (options.minEdge + options.maxEdge) / 2;
    this.grid = new FaceGrid(mesh, this.buffers, CELL * options.maxEdge);
    this.edit = new Edit(mesh, this);
    this.cosines = computeAngleCosines(options);
    this.features = new Features(mesh, this.cosines.feature, this.cosines.fold);
    this.rebuildGrid();
  }

  /**
   * Packs the mesh in place (build.ts): after it, a run goes on as one resumed from `extractTriangles` would.
   * The client's attributes follow the remap.
   */
  compact(): Remap {
    const remap = compact(this.mesh);
    this.endingNear = undefined;
    this.sizing?.follow(remap.vertex);
    this.walls?.follow(remap.vertex);
    this.grid.follow(remap.face);
    return remap;
  }

  /** Gives its scratch back to the heap: a tracker made with resources is done with. */
  free(): void {
    this.buffers.free();
  }

  /** After vertices moved by any means but an edit. */
  rebuildGrid(): void {
    this.endingNear = undefined;
    this.grid.refresh();
  }

  /** Bounds of the edge between two vertices: the stricter of its ends' ([da-2017] 23.1). */
  maxEdgeAt(v: number, w: number): Metres {
    return this.options.maxEdge * this.sizingAt(v, w);
  }
  minEdgeAt(v: number, w: number): Metres {
    return this.options.minEdge * this.sizingAt(v, w);
  }
  /** L at a vertex, where it varies: the unit of distances of merging and parting there. */
  lengthAt(v: number): Metres {
    return this.length * this.sizingAt(v, v);
  }
  private sizingAt(v: number, w: number): number {
    return this.sizing ? Math.min(this.sizing.data[v], this.sizing.data[w]) : 1;
  }

  /** Edits done since the last call, by name, and all that were refused as one number. */
  takeEvents(): Record<string, number> {
    const taken: Record<string, number> = {};
    let refused = 0;
    for (const [name, count] of Object.entries(this.events)) {
      if (name.includes('refused')) refused += count;
      else taken[name.replaceAll(' ', '-')] = count;
      delete this.events[name];
    }
    return { ...taken, refused };
  }

  /** Counts an edit by name; returns whether it was done. */
  count(name: string, refusal: Refusal | string | undefined): boolean {
    if (refusal === 'collision') this.collisions++;
    const key = refusal === undefined ? name : this.nameRefusal(name, refusal);
    this.events[key] = (this.events[key] ?? 0) + 1;
    return refusal === undefined;
  }

  /** Made once each: edits are counted by the million. */
  private nameRefusal(name: string, refusal: string): string {
    const known = this.refusalNames.get(name) ?? new Map<string, string>();
    this.refusalNames.set(name, known);
    const key = known.get(refusal) ?? `${name} refused: ${refusal}`;
    known.set(refusal, key);
    return key;
  }
}
