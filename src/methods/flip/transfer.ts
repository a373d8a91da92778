/**
 * Velocities between particles and tets ([ando-2013] 6, lines 9, 10 and 12). All sums are gathered by what
 * they belong to, in a fixed order.
 *
 * To tets: means of the particles near the barycentre, weight v max(4 r^2 / d^2 - 1, 0). Ours: in cells
 * larger than its own a particle counts as one of the size they should hold, so that small particles in
 * coarse cells are seen (the paper's "stuck in mid air"); and the weight ends its rise at a third of the
 * radius, so that none takes over a tet because it lies in its middle.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { PressureElement } from '../../flow/nodal/element.ts';
import { computeTetFraction } from '../../flow/nodal/fractions.ts';
import { NeighbourQuery, neighboursRecord } from '../../particles/neighbours.ts';
import type { Cloud } from './level.ts';
import { type FlipMesh, meshRecord } from './mesh.ts';
import type { FlipModel } from './model.ts';
import { NodeFit } from './node-fit.ts';
import type { FlipState } from './state.ts';

const TET_GRAIN = 512;
const NODE_GRAIN = 2048;
/** Distances count as this many radii at least. */
const NEAREST = 1 / 3;
/** Farthest that a tet's corner lies from its barycentre, edges of its cell. */
const BARYCENTRE = 0.75;
/** Radius of the particles that a cell should hold, over its edge. */
export const RADIUS_OF_CELL = 0.25;

const gatherVelocity = defineTask(
  'flip/gather-velocity',
  {
    mesh: meshRecord,
    neighbours: neighboursRecord,
    position: 'f64',
    radius: 'f64',
    volume: 'f64',
    velocity: 'f64',
    level: 'f64',
    kind: 'u8',
    count: 'number',
    largest: 'number',
    outVelocity: 'f64',
    outKnown: 'u8',
  },
  (begin, end, values) => {
    const { mesh, neighbours, position, radius, volume, velocity, level, kind, count } = values;
    const { largest, outVelocity, outKnown } = values;
    const { node, tet, tetLevel, size } = mesh;
    const query = new NeighbourQuery(neighbours);
    for (let t = begin; t < end; t++) {
      const edge = size * 2 ** tetLevel[t];
      const least = RADIUS_OF_CELL * edge;
      let x = 0;
      let y = 0;
      let z = 0;
      let deepest = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < 4; i++) {
        const v = tet[4 * t + i];
        x += 0.25 * node[3 * v];
        y += 0.25 * node[3 * v + 1];
        z += 0.25 * node[3 * v + 2];
        deepest = Math.max(deepest, level[v]);
      }
      // In the air no ball is nearer than the surface, and a ball's particle is seen from its radius beyond it.
      if (deepest + BARYCENTRE * edge < -Math.max(largest, 2 * least)) continue;
      // Particles have moved a little since they were put into cells.
      query.ask(x, y, z, 2.2 * least, 2.2);
      let sum = 0;
      let ux = 0;
      let uy = 0;
      let uz = 0;
      for (let m = 0; m < query.count; m++) {
        const p = query.found[m];
        if (p >= count || kind[p] !== 0) continue;
        const r = Math.max(radius[p], least);
        const dx = x - position[3 * p];
        const dy = y - position[3 * p + 1];
        const dz = z - position[3 * p + 2];
        const square = dx * dx + dy * dy + dz * dz;
        if (square >= 4 * r * r) continue;
        const w = volume[p] * ((4 * r * r) / Math.max(square, NEAREST * NEAREST * r * r) - 1);
        sum += w;
        const o = 3 * p;
        ux += w * velocity[o];
        uy += w * velocity[o + 1];
        uz += w * velocity[o + 2];
      }
      if (sum === 0) continue;
      outKnown[t] = 1;
      outVelocity[3 * t] = ux / sum;
      outVelocity[3 * t + 1] = uy / sum;
      outVelocity[3 * t + 2] = uz / sum;
    }
  },
);

/** Velocity of tets and which of them have particles near. */
export interface TetVelocity {
  /** (tetCount x 3) m/s */
  readonly velocity: Float64Array;
  readonly known: Uint8Array;
}

export function gatherToTets(
  { threads }: FlipModel,
  mesh: FlipMesh,
  { position, volume, velocity, kind }: Pick<FlipState, 'position' | 'volume' | 'velocity' | 'kind'>,
  cloud: Cloud,
  level: Float64Array,
  scope: HeapScope,
): TetVelocity {
  const { tetCount } = mesh.background;
  const { radius, neighbours, count } = cloud;
  const outVelocity = scope.f64(3 * tetCount);
  const outKnown = scope.u8(tetCount);
  let largest = 0;
  for (let p = 0; p < count; p++) largest = Math.max(largest, radius[p]);
  threads.run(gatherVelocity, tetCount, TET_GRAIN, {
    mesh: mesh.values,
    neighbours,
    position,
    radius,
    volume,
    velocity,
    level,
    kind,
    count,
    largest,
    outVelocity,
    outKnown,
  });
  return { velocity: outVelocity, known: outKnown };
}

/**
 * Tets count by the liquid they hold, and by this share of what else is open: those with hardly any say
 * nothing.
 */
const LEAST_SHARE = 1e-3;

/**
 * The velocity at each node: of the linear function that fits the known tets around it best, by the liquid
 * they hold. A mean would be that at their middle, and at the surface and at walls the middle lies inside:
 * what spins would lose its spin there. `known` of nodes: 1 where there is one.
 */
const fitNodes = defineTask(
  'flip/fit-nodes',
  {
    mesh: meshRecord,
    open: 'f64',
    level: 'f64',
    known: 'u8',
    velocity: 'f64',
    outVelocity: 'f64',
    outKnown: 'u8',
  },
  (begin, end, { mesh, open, level, known, velocity, outVelocity, outKnown }) => {
    const { node, tet, corner, cornerStart } = mesh;
    const element = new PressureElement();
    const fit = new NodeFit();
    const middle = new Float64Array(3);
    for (let v = begin; v < end; v++) {
      fit.begin();
      for (let c = cornerStart[v]; c < cornerStart[v + 1]; c++) {
        const t = corner[c] >> 2;
        if (known[t] === 0 || open[t] === 0) continue;
        element.setGradients(node, tet, t);
        const o = 4 * t;
        const share = computeTetFraction(
          level[tet[o]],
          level[tet[o + 1]],
          level[tet[o + 2]],
          level[tet[o + 3]],
        );
        const w = element.volume * open[t] * (LEAST_SHARE + share);
        for (let a = 0; a < 3; a++) {
          const sum = node[3 * tet[o] + a] + node[3 * tet[o + 1] + a] + node[3 * tet[o + 2] + a];
          middle[a] = 0.25 * (sum + node[3 * tet[o + 3] + a]) - node[3 * v + a];
        }
        fit.add(w, middle, velocity, 3 * t);
      }
      outKnown[v] = fit.finish(outVelocity, 3 * v) ? 1 : 0;
    }
  },
);

/**
 * One layer outward: nodes not known take the mean of the known nodes of their tets. Reads one copy, writes
 * the other.
 */
const extendNodes = defineTask(
  'flip/extend-nodes',
  { mesh: meshRecord, velocity: 'f64', known: 'u8', outVelocity: 'f64', outKnown: 'u8' },
  (begin, end, { mesh, velocity, known, outVelocity, outKnown }) => {
    const { tet, corner, cornerStart } = mesh;
    for (let v = begin; v < end; v++) {
      const o = 3 * v;
      if (known[v] === 1) {
        outKnown[v] = 1;
        for (let a = 0; a < 3; a++) outVelocity[o + a] = velocity[o + a];
        continue;
      }
      let sum = 0;
      let x = 0;
      let y = 0;
      let z = 0;
      for (let c = cornerStart[v]; c < cornerStart[v + 1]; c++) {
        const first = corner[c] & ~3;
        for (let i = 0; i < 4; i++) {
          const w = tet[first + i];
          if (known[w] === 0) continue;
          sum++;
          x += velocity[3 * w];
          y += velocity[3 * w + 1];
          z += velocity[3 * w + 2];
        }
      }
      outKnown[v] = sum > 0 ? 1 : 0;
      const scale = sum > 0 ? 1 / sum : 0;
      outVelocity[o] = x * scale;
      outVelocity[o + 1] = y * scale;
      outVelocity[o + 2] = z * scale;
    }
  },
);

/** Tets not known take the mean of their known nodes. */
const fillTets = defineTask(
  'flip/fill-tets',
  { mesh: meshRecord, nodeVelocity: 'f64', nodeKnown: 'u8', known: 'u8', velocity: 'f64' },
  (begin, end, { mesh, nodeVelocity, nodeKnown, known, velocity }) => {
    const { tet } = mesh;
    for (let t = begin; t < end; t++) {
      if (known[t] === 1) continue;
      let sum = 0;
      let x = 0;
      let y = 0;
      let z = 0;
      for (let i = 0; i < 4; i++) {
        const v = tet[4 * t + i];
        if (nodeKnown[v] === 0) continue;
        sum++;
        x += nodeVelocity[3 * v];
        y += nodeVelocity[3 * v + 1];
        z += nodeVelocity[3 * v + 2];
      }
      const scale = sum > 0 ? 1 / sum : 0;
      velocity[3 * t] = x * scale;
      velocity[3 * t + 1] = y * scale;
      velocity[3 * t + 2] = z * scale;
    }
  },
);

/** Velocities at nodes, and where they are known. */
export interface NodeVelocity {
  /** (vertexCount x 3) m/s */
  readonly velocity: Float64Array;
  readonly known: Uint8Array;
}

/** Velocities at nodes, carried on by a number of layers beyond the known tets (line 10). */
export function fitToNodes(
  { threads }: FlipModel,
  mesh: FlipMesh,
  { velocity, known }: TetVelocity,
  level: Float64Array,
  layers: number,
  scope: HeapScope,
): NodeVelocity {
  const { vertexCount } = mesh.background;
  const { values, open } = mesh;
  const outVelocity = scope.f64(3 * vertexCount);
  const outKnown = scope.u8(vertexCount);
  threads.run(fitNodes, vertexCount, NODE_GRAIN, {
    mesh: values,
    open,
    level,
    known,
    velocity,
    outVelocity,
    outKnown,
  });
  return extendOutward(threads, mesh, { velocity: outVelocity, known: outKnown }, layers, scope);
}

/** The velocity, carried on by a number of layers; the arrays given are written over. */
export function extendOutward(
  threads: Threads,
  { values, background: { vertexCount } }: FlipMesh,
  velocity: NodeVelocity,
  layers: number,
  scope: HeapScope,
): NodeVelocity {
  if (layers === 0) return velocity;
  let from = velocity;
  let to = { velocity: scope.f64(3 * vertexCount), known: scope.u8(vertexCount) };
  for (let layer = 0; layer < layers; layer++) {
    threads.run(extendNodes, vertexCount, NODE_GRAIN, {
      mesh: values,
      velocity: from.velocity,
      known: from.known,
      outVelocity: to.velocity,
      outKnown: to.known,
    });
    [from, to] = [to, from];
  }
  return from;
}

export function fillUnknownTets(
  { threads }: FlipModel,
  mesh: FlipMesh,
  nodes: NodeVelocity,
  { velocity, known }: TetVelocity,
): void {
  threads.run(fillTets, mesh.background.tetCount, NODE_GRAIN, {
    mesh: mesh.values,
    nodeVelocity: nodes.velocity,
    nodeKnown: nodes.known,
    known,
    velocity,
  });
}
