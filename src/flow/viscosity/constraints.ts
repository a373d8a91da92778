/**
 * What walls and moving solids give ([batty-houston-2011] eq. (4)): of a vertex's velocity all of it (no
 * slip), the component along a normal (free slip), or all but one direction (along an edge between two such
 * walls). With P the projection on what is free and w the part given, u = P u' + w: rows become P A P u' = P
 * (b - A w), and the equation u' = 0 stands where P takes everything. The matrix stays symmetric and positive
 * definite. Free surfaces need nothing: no force is no traction, eq. (3).
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { ViscousDomain } from './domain.ts';
import type { Equations } from './equations.ts';
import { FREE, HELD, type NodeConditions, PLANE } from './problem.ts';

export interface Constraints {
  /** (rows) FREE, PLANE, LINE or HELD */
  readonly constraint: Uint8Array;
  /** (rows x 9) P, symmetric; read where the constraint is not FREE */
  readonly free: Float64Array;
  /** (rows x 3) w, m/s */
  readonly given: Float64Array;
}

const GRAIN = 2048;

export function buildConstraints(
  scope: HeapScope,
  { rowToVertex }: ViscousDomain,
  nodes: NodeConditions | undefined,
): Constraints | undefined {
  if (!nodes) return undefined;
  const rows = rowToVertex.length;
  const constraint = scope.u8(rows);
  const free = scope.f64(9 * rows);
  const given = scope.f64(3 * rows);
  for (let i = 0; i < rows; i++) {
    const v = rowToVertex[i];
    const kind = nodes.constraint[v];
    constraint[i] = kind;
    if (kind === FREE) continue;
    for (let r = 0; r < 3; r++) {
      for (let s = 0; s < 3; s++) {
        const along = nodes.direction[3 * v + r] * nodes.direction[3 * v + s];
        free[9 * i + 3 * r + s] = kind === HELD ? 0 : kind === PLANE ? (r === s ? 1 : 0) - along : along;
      }
    }
    for (let r = 0; r < 3; r++) {
      let kept = 0;
      for (let s = 0; s < 3; s++) kept += free[9 * i + 3 * r + s] * nodes.velocity[3 * v + s];
      given[3 * i + r] = nodes.velocity[3 * v + r] - kept;
    }
  }
  return { constraint, free, given };
}

/** vector = P vector, both at an offset. */
function project(free: Float64Array, at: number, vector: Float64Array, o: number): void {
  const x = vector[o];
  const y = vector[o + 1];
  const z = vector[o + 2];
  for (let r = 0; r < 3; r++)
    vector[o + r] = free[at + 3 * r] * x + free[at + 3 * r + 1] * y + free[at + 3 * r + 2] * z;
}

/** The columns of a block times P_i from the left, its rows times P_j from the right. */
function projectBlock(
  free: Float64Array,
  left: number,
  right: number,
  block: Float64Array,
  o: number,
  row: Float64Array,
): void {
  if (left >= 0) for (let s = 0; s < 3; s++) project(free, left, block, o + 3 * s);
  if (right < 0) return;
  for (let r = 0; r < 3; r++) {
    for (let s = 0; s < 3; s++) row[s] = block[o + 3 * s + r];
    project(free, right, row, 0);
    for (let s = 0; s < 3; s++) block[o + 3 * s + r] = row[s];
  }
}

const constrainTask = defineTask(
  'flow/constrain-viscous-rows',
  {
    ...{ rowStart: 'i32', column: 'i32', diagonal: 'i32', constraint: 'u8', free: 'f64', given: 'f64' },
    ...{ rowCount: 'number', value: 'f64', coupling: 'f64', right: 'f64' },
  },
  (begin, end, values) => {
    const { rowStart, column, diagonal, constraint, free, given, rowCount } = values;
    const { value, coupling, right } = values;
    const isCoupled = coupling.length > 0;
    const row = new Float64Array(3);
    for (let i = begin; i < end; i++) {
      const isFree = constraint[i] === FREE;
      const d = 9 * diagonal[i];
      const scale = (value[d] + value[d + 4] + value[d + 8]) / 3;
      for (let entry = rowStart[i]; entry < rowStart[i + 1]; entry++) {
        const j = column[entry];
        const isOtherFree = constraint[j] === FREE;
        if (isFree && isOtherFree) continue;
        const o = 9 * entry;
        const c = 7 * entry;
        if (!isOtherFree) {
          for (let s = 0; s < 3; s++) {
            const w = given[3 * j + s];
            for (let r = 0; r < 3; r++) right[3 * i + r] -= value[o + 3 * s + r] * w;
            if (isCoupled) right[3 * rowCount + i] -= coupling[c + 3 + s] * w;
          }
          if (isCoupled) project(free, 9 * j, coupling, c + 3);
        }
        if (!isFree && isCoupled) project(free, 9 * i, coupling, c);
        projectBlock(free, isFree ? -1 : 9 * i, isOtherFree ? -1 : 9 * j, value, o, row);
      }
      if (isFree) continue;
      project(free, 9 * i, right, 3 * i);
      for (let r = 0; r < 3; r++)
        for (let s = 0; s < 3; s++)
          value[d + 3 * s + r] += scale * ((r === s ? 1 : 0) - free[9 * i + 3 * r + s]);
    }
  },
);

/** Puts what is given into the equations. */
export function constrainEquations(
  threads: Threads,
  { pattern }: ViscousDomain,
  constraints: Constraints,
  { velocity, coupling, right }: Equations,
): void {
  const { rowCount, rowStart, column, diagonal } = pattern;
  const rows = { rowStart, column, diagonal, rowCount, ...constraints };
  threads.run(constrainTask, rowCount, GRAIN, { ...rows, value: velocity.value, coupling, right });
}
