/**
 * Volume as a property of the method. Each piece of liquid has a target: what it should hold. A step books
 * what sources bring and take and what droplets give back, hands the targets on to the pieces of the new
 * contour, and shifts each to its own. Targets and droplets always add up to the start plus what was emitted
 * less what was drained.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Seconds, type Vec3 } from '../../core/types.ts';
import type { Implicit } from '../../geometry/implicit.ts';
import type { Contour } from '../../tracking/contouring/contour.ts';
import { findPieces, type Pieces } from '../../tracking/contouring/pieces.ts';
import type { TrackedSurface } from '../../tracking/contouring/surface.ts';
import { poseNozzle } from '../boundary/nozzles.ts';
import type { Surroundings } from '../boundary/surroundings.ts';
import type { LiquidModel } from '../liquid/model.ts';
import type { LiquidState } from '../liquid/state.ts';
import { advectPoints } from '../velocity/advect-points.ts';
import type { MeshVelocity } from '../velocity/mesh-velocity.ts';
import { absorbDroplets, moveDroplets } from './droplets.ts';
import { shiftToTargets } from './shift.ts';
import { findShiftWeights } from './shift-weights.ts';
import { findOrigins, inheritTargets } from './targets.ts';

/** Part of a piece that may be missing until the next step, without a droplet for it. */
const LEAST_OWED = 1e-4;

/** The pieces of the new surface with what they should hold. */
export interface PieceBooks {
  readonly pieces: Pieces;
  /** (pieces) m^3: what they should hold, and what they hold after the shift */
  readonly target: Float64Array;
  readonly volume: Float64Array;
  /** (pieces x 3) m/s, mean over the step */
  readonly velocity: Float64Array;
  /** (droplets x DROPLET_SIZE) */
  readonly droplets: Float64Array;
  readonly dt: Seconds;
  /** m^3 that emitters have brought and drains have taken in the step */
  readonly emitted: number;
  readonly drained: number;
  /** Volume of the contour before the shift, m^3. */
  readonly contoured: number;
  /** m^3 that the shifts have added, in sum and in absolute value */
  readonly shifted: number;
  readonly repaired: number;
  /** Largest shift, in contouring cells. */
  readonly largestShift: number;
}

export function keepVolumes(
  model: LiquidModel,
  surroundings: Surroundings,
  state: LiquidState,
  flow: MeshVelocity,
  dt: Seconds,
  contour: Contour,
  scratch: HeapScope,
): PieceBooks {
  const owed = state.pieceTarget.slice();
  const { emitted, drained } = bookSources(model, state, dt, owed);
  const waiting = absorbDroplets(state, owed);
  const { surface } = contour;
  const pieces = findPieces(surface);
  const { from, velocity } = findOrigins(model, state, flow, dt, surface, pieces, scratch);
  // One piece before and after: nothing to ask.
  if (owed.length === 1 && pieces.count === 1) from[0].add(0);
  const { target, lost } = inheritTargets(pieces, owed, from);
  const moved = moveDroplets(model, surroundings, waiting, dt);
  const droplets = joinDroplets(moved, dropLost(model, state, flow, dt, lost, scratch));
  const { clearanceAt } = surroundings;
  const { spacing } = model.contour.walls;
  const move = { from: state.surface, to: surface, start: state.time, dt };
  let contoured = 0;
  for (const v of pieces.volume) contoured += v;
  const shift = model.options.volumeCorrection
    ? shiftToTargets(
        surface,
        pieces,
        { target, weight: findShiftWeights(model, flow, move, { pieces, target }, scratch) },
        clearanceAt,
        spacing,
        scratch,
      )
    : { added: new Float64Array(pieces.count), largest: 0 };
  const volume = pieces.volume.map((v, p) => v + shift.added[p]);
  const carried =
    model.options.volumeCorrection && !model.clings
      ? dropOwed(model.gravity, dt, surface, pieces, volume, velocity, target)
      : new Float64Array(0);
  let shifted = 0;
  let repaired = 0;
  for (const added of shift.added) {
    shifted += added;
    repaired += Math.abs(added);
  }
  return {
    pieces,
    target,
    volume,
    velocity,
    droplets: joinDroplets(droplets, carried),
    dt,
    emitted,
    drained,
    contoured,
    shifted,
    repaired,
    largestShift: shift.largest,
  };
}

/**
 * What a piece lacks after the largest shift, as a droplet on its surface: the piece meets it in the next
 * step and has it back. A shift alone would let a drop of a cell's radius lose a tenth of itself in the step
 * in which it lands.
 */
function dropOwed(
  gravity: Vec3,
  dt: Seconds,
  surface: TrackedSurface,
  pieces: Pieces,
  volume: Float64Array,
  velocity: Float64Array,
  outTarget: Float64Array,
): Float64Array {
  const out: number[] = [];
  for (let p = 0; p < pieces.count; p++) {
    const owed = outTarget[p] - volume[p];
    if (!(owed > LEAST_OWED * outTarget[p])) continue;
    const v = pieces.vertexPiece.indexOf(p);
    for (let a = 0; a < 3; a++) out.push(surface.position[3 * v + a]);
    // The mean over the step is the velocity of its middle.
    for (let a = 0; a < 3; a++) out.push(velocity[3 * p + a] + 0.5 * dt * gravity[a]);
    out.push(owed);
    outTarget[p] -= owed;
  }
  return Float64Array.from(out);
}

export function joinDroplets(a: Float64Array, b: Float64Array): Float64Array {
  if (b.length === 0) return a;
  const out = new Float64Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

/** Books what the sources bring and take on the pieces at them. */
function bookSources(
  model: LiquidModel,
  state: LiquidState,
  dt: Seconds,
  outOwed: Float64Array,
): { emitted: number; drained: number } {
  let emitted = 0;
  for (const emitter of model.emitters) {
    const volume = emitter.emittedUntil(state.time + dt) - emitter.emittedUntil(state.time);
    emitted += volume;
    outOwed[findPieceAt(state, poseNozzle(emitter, state.time).shape)] += volume;
  }
  const drained = state.drainFlow * dt;
  if (drained > 0) outOwed[findPieceAt(state, model.drains[0].shape)] -= drained;
  return { emitted, drained };
}

/** The piece with the vertex nearest to a shape. */
function findPieceAt({ surface, derived }: LiquidState, shape: Implicit): number {
  const { count, vertexPiece } = derived.pieces;
  if (count <= 1) return 0;
  const { position } = surface;
  let nearest = Number.NEGATIVE_INFINITY;
  let piece = 0;
  for (let v = 0; v < surface.vertexCount; v++) {
    if (vertexPiece[v] === NONE) continue;
    const value = shape.value(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
    if (value <= nearest) continue;
    nearest = value;
    piece = vertexPiece[v];
  }
  return piece;
}

/** Droplets in the place of old pieces that the new contour misses. */
function dropLost(
  model: LiquidModel,
  state: LiquidState,
  flow: MeshVelocity,
  dt: Seconds,
  lost: ReadonlyMap<number, number>,
  scratch: HeapScope,
): Float64Array {
  if (lost.size === 0) return new Float64Array(0);
  const { vertexPiece } = state.derived.pieces;
  const { position, vertexCount } = state.surface;
  const middle = new Map<number, number[]>();
  for (let v = 0; v < vertexCount; v++) {
    if (!lost.has(vertexPiece[v])) continue;
    const sum = middle.get(vertexPiece[v]) ?? [0, 0, 0, 0];
    for (let a = 0; a < 3; a++) sum[a] += position[3 * v + a];
    sum[3]++;
    middle.set(vertexPiece[v], sum);
  }
  const from = scratch.f64(3 * lost.size);
  const to = scratch.f64(3 * lost.size);
  const out: number[] = [];
  let n = 0;
  for (const piece of lost.keys()) {
    const [x, y, z, count] = middle.get(piece)!;
    from.set([x / count, y / count, z / count], n);
    n += 3;
  }
  advectPoints(model, flow, dt, from, lost.size, to);
  n = 0;
  for (const volume of lost.values()) {
    if (volume > 0) {
      for (let a = 0; a < 3; a++) out.push(to[n + a]);
      for (let a = 0; a < 3; a++) out.push((to[n + a] - from[n + a]) / dt + 0.5 * dt * model.gravity[a]);
      out.push(volume);
    }
    n += 3;
  }
  return Float64Array.from(out);
}
