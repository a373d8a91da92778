/**
 * What every step of a liquid on stuffed tetrahedra does alike, timed and with its memory. Results that
 * become the next state live in one heap scope (`next`), what stages hand on in another that is freed at the
 * end of the step (`scratch`), the old flow in a third that its last reader may free, the rest with its
 * stage.
 */
import { type Heap, type HeapScope, withScope } from '../../core/heap.ts';
import { type StageClock, timed } from '../../core/stages.ts';
import type { Seconds } from '../../core/types.ts';
import type { Contour } from '../../tracking/contouring/contour.ts';
import { buildSurfaceIndex, type SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { Surroundings } from '../boundary/surroundings.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';
import type { Mesher } from '../mesh/mesher.ts';
import type { MeshVelocity } from '../velocity/mesh-velocity.ts';
import { keepVolumes, type PieceBooks } from '../volume/keep-volumes.ts';
import { measureTransport, type Transport } from './ledger.ts';
import type { LiquidModel } from './model.ts';
import { buildMeshVelocity, type LiquidState } from './state.ts';

/** A surface with the volumes it should have, ready for distance queries. */
export interface KeptSurface {
  readonly index: SurfaceIndex;
  readonly books: PieceBooks;
}

export class LiquidStep {
  readonly next: HeapScope;
  readonly scratch: HeapScope;
  readonly flowScope: HeapScope;
  /** At the end of the step. */
  readonly time: Seconds;
  readonly lead: Seconds;
  readonly surroundings: Surroundings;
  private accepted = false;

  /** `name`: of the method, for its scopes. */
  constructor(
    readonly name: string,
    private readonly model: LiquidModel,
    private readonly state: LiquidState,
    private readonly clock: StageClock,
    private readonly dt: Seconds,
  ) {
    this.next = model.heap.scope(`${name} state`);
    this.scratch = model.heap.scope(`${name} step`);
    this.flowScope = model.heap.scope(`${name} flow`);
    this.time = state.time + dt;
    this.lead = dt / 2;
    this.surroundings = model.surroundingsAt(this.time, this.lead);
  }

  get heap(): Heap {
    return this.model.heap;
  }

  /**
   * Runs a stage with memory of its own: the largest stage alone, not the sum of all, decides what a step
   * needs.
   */
  within<T>(what: string, stage: (scratch: HeapScope) => T): T {
    return withScope(this.heap, `${this.name} ${what}`, stage);
  }

  extendVelocity(): MeshVelocity {
    const { model, state, lead, flowScope } = this;
    return timed(this.clock, 'extend', () => buildMeshVelocity(model, state, lead, flowScope));
  }

  measureTransport(flow: MeshVelocity): Transport {
    const { model, state, dt } = this;
    return timed(this.clock, 'ledger', () =>
      this.within('ledger', (own) => measureTransport(model, state, flow, dt, own)),
    );
  }

  /** Shifts the contour's vertices. */
  keepVolumes(flow: MeshVelocity, contour: Contour): KeptSurface {
    const { model, surroundings, state, dt } = this;
    return timed(this.clock, 'surface', () => {
      const books = this.within('volumes', (own) =>
        keepVolumes(model, surroundings, state, flow, dt, contour, own),
      );
      return { books, index: buildSurfaceIndex(contour.surface, model.contour.walls, this.next) };
    });
  }

  mesh(contour: Contour, index: SurfaceIndex, mesher: Mesher): MeshParts {
    const { surroundings, next } = this;
    return timed(this.clock, 'mesh', () =>
      this.within('meshing', (own) => mesher({ surroundings, contour, index }, next, own)),
    );
  }

  /** The new state is taken: its memory stays. */
  accept(): void {
    this.accepted = true;
  }

  /** Frees the step's memory; without `accept` before, the state is as it was. */
  end(): void {
    this.scratch.free();
    this.flowScope.free();
    if (this.accepted) return;
    this.next.free();
    this.surroundings.scope?.free();
  }
}
