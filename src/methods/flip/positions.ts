/**
 * Particles pushed apart ([ando-2013] 3, line 4, after Ando et al. 2012): each moves away from those that are
 * nearer than the sum of their radii. Near the surface it moves along it only, and those of the outermost
 * layer are pulled to where they touch it, so that gaps close. All move at once, from where they were: the
 * order decides nothing.
 */
import { defineTask } from '../../core/threads/task.ts';
import { PressureElement } from '../../flow/nodal/element.ts';
import { NeighbourQuery, neighboursRecord } from '../../particles/neighbours.ts';
import type { Cloud } from './level.ts';
import { type FlipMesh, type Located, meshRecord, PARTICLE_GRAIN } from './mesh.ts';
import type { FlipModel } from './model.ts';

/** Depths in radii: down to where particles keep to the surface, and of the outermost layer. */
const DEPTH = { near: 6, outermost: 2 };
/** Farthest that a particle moves, radii. */
const FARTHEST = 0.2;
/** Neighbours within so many radii make a particle part of the liquid. */
const ALONE = 6;

const pushApart = defineTask(
  'flip/push-apart',
  {
    mesh: meshRecord,
    neighbours: neighboursRecord,
    position: 'f64',
    radius: 'f64',
    tet: 'i32',
    level: 'f64',
    depth: 'f64',
    fixed: 'u8',
    push: 'number',
    pull: 'number',
    out: 'f64',
  },
  (begin, end, values) => {
    const { mesh, neighbours, position, radius, tet, level, depth, fixed, push, pull, out } = values;
    const query = new NeighbourQuery(neighbours);
    const element = new PressureElement();
    const { gradient: g } = element;
    for (let p = begin; p < end; p++) {
      const o = 3 * p;
      let x = 0;
      let y = 0;
      let z = 0;
      if (fixed[p] === 0) {
        const r = radius[p];
        query.ask(position[o], position[o + 1], position[o + 2], r, 1);
        for (let m = 0; m < query.count; m++) {
          const q = query.found[m];
          if (q === p) continue;
          const reach = r + radius[q];
          const dx = position[o] - position[3 * q];
          const dy = position[o + 1] - position[3 * q + 1];
          const dz = position[o + 2] - position[3 * q + 2];
          const square = dx * dx + dy * dy + dz * dz;
          if (square >= reach * reach || square === 0) continue;
          // The lighter gives way.
          const share = radius[q] ** 3 / (r ** 3 + radius[q] ** 3);
          const w = (push * share * (1 - square / (reach * reach)) * reach) / Math.sqrt(square);
          x += w * dx;
          y += w * dy;
          z += w * dz;
        }
        const length = Math.sqrt(x * x + y * y + z * z);
        if (length > FARTHEST * r) {
          const scale = (FARTHEST * r) / length;
          x *= scale;
          y *= scale;
          z *= scale;
        }
        const t = tet[p];
        if (t >= 0 && depth[p] < DEPTH.near * r) {
          element.setGradients(mesh.node, mesh.tet, t);
          let nx = 0;
          let ny = 0;
          let nz = 0;
          for (let i = 0; i < 4; i++) {
            const phi = level[mesh.tet[4 * t + i]];
            nx += g[3 * i] * phi;
            ny += g[3 * i + 1] * phi;
            nz += g[3 * i + 2] * phi;
          }
          const inverse = 1 / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
          nx *= inverse;
          ny *= inverse;
          nz *= inverse;
          // n points into the liquid.
          let along = -(x * nx + y * ny + z * nz);
          if (depth[p] < DEPTH.outermost * r) along += pull * (r - depth[p]);
          x += along * nx;
          y += along * ny;
          z += along * nz;
        }
      }
      out[o] = position[o] + x;
      out[o + 1] = position[o + 1] + y;
      out[o + 2] = position[o + 2] + z;
    }
  },
);

/** New positions of the particles into out. `fixed`: those that stay. */
export function correctPositions(
  { threads, options }: FlipModel,
  mesh: FlipMesh,
  cloud: Cloud,
  { tet }: Located,
  level: Float64Array,
  depth: Float64Array,
  fixed: Uint8Array,
  out: Float64Array,
): void {
  const { position, radius, neighbours, count } = cloud;
  threads.run(pushApart, count, PARTICLE_GRAIN, {
    mesh: mesh.values,
    neighbours,
    position,
    radius,
    tet,
    level,
    depth,
    fixed,
    push: options.positionCorrection,
    pull: options.surfacePull,
    out,
  });
}

/** Whether each particle is alone: no other within six of its radii. `neighbours` must have all particles. */
export const findAlone = defineTask(
  'flip/find-alone',
  { neighbours: neighboursRecord, position: 'f64', radius: 'f64', count: 'number', outKind: 'u8' },
  (begin, end, { neighbours, position, radius, count, outKind }) => {
    const query = new NeighbourQuery(neighbours);
    for (let p = begin; p < end; p++) {
      const reach = ALONE * radius[p];
      query.ask(position[3 * p], position[3 * p + 1], position[3 * p + 2], reach, 0);
      let isAlone = 1;
      for (let m = 0; m < query.count && isAlone === 1; m++) {
        const q = query.found[m];
        if (q === p || q >= count) continue;
        const dx = position[3 * q] - position[3 * p];
        const dy = position[3 * q + 1] - position[3 * p + 1];
        const dz = position[3 * q + 2] - position[3 * p + 2];
        if (dx * dx + dy * dy + dz * dz < reach * reach) isAlone = 0;
      }
      outKind[p] = isAlone;
    }
  },
);
