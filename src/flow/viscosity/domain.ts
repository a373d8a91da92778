/**
 * The liquid part of a mesh as a system of equations sees it: which tets count, which vertices have unknowns,
 * and which entries their matrix has. Built once per mesh; Picard rounds reuse it.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { type Assembly, buildPattern, type Pattern } from '../../linalg/csr-build.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import { HELD, type NodeConditions } from './problem.ts';

/** A tet with less liquid than this part of it is air: its forces are below what any solve resolves. */
export const LEAST_LIQUID = 1e-6;

export interface ViscousDomain {
  readonly mesh: TetMesh;
  /** Tets with liquid, of which some corner can move, ascending. */
  readonly activeTet: Int32Array;
  /** (active x 4) row of each corner */
  readonly elementRow: Int32Array;
  /** (vertexCount) row of each vertex, or NONE */
  readonly vertexToRow: Int32Array;
  /** (rows) vertex of each row, ascending */
  readonly rowToVertex: Int32Array;
  readonly pattern: Pattern;
  readonly assembly: Assembly;
}

function listActive(mesh: TetMesh, liquid: Float64Array, nodes: NodeConditions | undefined): Int32Array {
  const { tet, tetCount } = mesh;
  const list = new Int32Array(tetCount);
  let count = 0;
  for (let t = 0; t < tetCount; t++) {
    const o = 4 * t;
    if (liquid.length > 0) {
      const fraction = liquid[o] + liquid[o + 1] + liquid[o + 2] + liquid[o + 3];
      if (!(fraction > LEAST_LIQUID)) continue;
    }
    if (nodes) {
      const { constraint: c } = nodes;
      if (c[tet[o]] === HELD && c[tet[o + 1]] === HELD && c[tet[o + 2]] === HELD && c[tet[o + 3]] === HELD)
        continue;
    }
    list[count++] = t;
  }
  return list.subarray(0, count);
}

export function buildDomain(
  threads: Threads,
  scope: HeapScope,
  mesh: TetMesh,
  liquid: Float64Array,
  nodes: NodeConditions | undefined,
): ViscousDomain {
  const { tet, vertexCount } = mesh;
  const list = listActive(mesh, liquid, nodes);
  const activeTet = scope.i32(list.length);
  activeTet.set(list);
  const vertexToRow = scope.i32(vertexCount).fill(NONE);
  for (const t of list) for (let i = 0; i < 4; i++) vertexToRow[tet[4 * t + i]] = 0;
  let rowCount = 0;
  for (let v = 0; v < vertexCount; v++) if (vertexToRow[v] !== NONE) vertexToRow[v] = rowCount++;
  const rowToVertex = scope.i32(rowCount);
  for (let v = 0; v < vertexCount; v++) if (vertexToRow[v] !== NONE) rowToVertex[vertexToRow[v]] = v;
  const elementRow = scope.i32(4 * list.length);
  for (let e = 0; e < list.length; e++)
    for (let i = 0; i < 4; i++) elementRow[4 * e + i] = vertexToRow[tet[4 * list[e] + i]];
  const { pattern, assembly } = buildPattern(threads, scope, rowCount, elementRow, 4);
  return { mesh, activeTet, elementRow, vertexToRow, rowToVertex, pattern, assembly };
}
