/**
 * Layer potentials of a surface of triangles as linear operators, for surface-only liquids ([da-2017] 22.2,
 * 23.3). An operator takes a density on the surface to its potential at targets, and its transpose back:
 *
 *   far    all pairs of points of a quadrature rule and targets, by the direct sum or the multipole method (kernel-sum.ts)
 *   near   panels closer than `near` reaches: closed forms less what the far sum takes for them (near-values.ts), a sparse matrix
 *   self   as near; the double layer of the own face is 0, the mean of both sides
 *
 * The transpose is that of the very matrix: far sums with targets and sources exchanged, the transposed near
 * matrix. Where the double layer of the density 1 is known (targets.unitSum), the row of a target is
 * corrected at its own vertex, face or corners of its face, so that far sums cannot spoil it. Cost: that of
 * the far sum and about 25 near panels a target at the default distance; near values about 0.3 us each.
 */
import { InputError } from '../../core/errors.ts';
import { buildInScope, type HeapScope } from '../../core/heap.ts';
import type { F64View } from '../../core/types.ts';
import type { RulePoints } from '../../math/triangle-rules.ts';
import type { PreparedSum, SumResources } from '../direct-sum.ts';
import { createKernelSum, type KernelSumOptions } from '../kernel-sum.ts';
import type { SumKernel } from '../sum-kernels.ts';
import { findNearPanels, type Rows } from './near-list.ts';
import {
  buildPanelMatrix,
  buildVertexMatrix,
  findEntry,
  multiplyNear,
  type NearMatrix,
  transposeNear,
} from './near-matrix.ts';
import { collocationTask, type Layer, layerCodes, slotTask, TARGET } from './near-values.ts';
import {
  buildPanelSources,
  computeStrengths,
  type Density,
  gatherStrengths,
  type PanelSources,
} from './panel-sources.ts';
import type { PanelSurface, PanelTargets } from './surface-points.ts';

export interface LayerOptions extends Pick<KernelSumOptions, 'tolerance' | 'method' | 'precision'> {
  readonly layer: Layer;
  readonly density: Density;
  /**
   * Panels count as near within this many reaches (middle to farthest corner) of their middle; default 4, of
   * pairs of faces 3. At points Infinity takes closed forms for all pairs: exact up to rounding, at a cost of
   * targets times panels in time and memory.
   */
  readonly near?: number;
  /** Points of the far rule on a panel; default 3. */
  readonly points?: RulePoints;
}

export interface LayerOperator {
  readonly rowCount: number;
  readonly columnCount: number;
  /** out (rowCount) = A density (columnCount) */
  apply(density: F64View, out: Float64Array): void;
  /** out (columnCount) = A^T value (rowCount) */
  applyTransposed(value: F64View, out: Float64Array): void;
  /** Gives the heap memory back. */
  free(): void;
}

/** Near distance at which the far rule of three points is as good as the sums' default tolerance. */
const DEFAULT_NEAR = 4;
const GRAIN = 64;

/** The kernel of the far sum, and of its transpose. */
const forward: Record<Layer, SumKernel> = { single: 'potential', double: 'doubleLayer', adjoint: 'gradient' };
const backward: Record<Layer, SumKernel> = {
  single: 'potential',
  double: 'gradient',
  adjoint: 'doubleLayer',
};

export function createLayerOperator(
  resources: SumResources,
  surface: PanelSurface,
  targets: PanelTargets,
  options: LayerOptions,
): LayerOperator {
  if (options.layer === 'adjoint' && !targets.normal)
    throw new InputError(
      'panels',
      'an adjoint double layer at targets without normals',
      'pass their normals',
    );
  return buildInScope(resources.heap, 'layer operator', (scope) =>
    createInScope(resources, surface, targets, options, scope),
  );
}

function createInScope(
  resources: SumResources,
  surface: PanelSurface,
  targets: PanelTargets,
  options: LayerOptions,
  scope: HeapScope,
): LayerOperator {
  const { threads } = resources;
  const { layer, density, points = 3, near = DEFAULT_NEAR } = options;
  const isDense = near === Infinity;
  const sources = buildPanelSources(surface, points, threads, scope);
  const matrix = buildNearValues(resources, sources, targets, { ...options, points, near }, scope);
  const far = isDense ? undefined : createFarPart(resources, sources, targets, options);
  const free = () => {
    far?.free();
    scope.free();
  };
  const operator = createOperator(resources, matrix, far, scope, free);
  if (layer === 'double' && targets.unitSum && !isDense)
    correctRows(operator, matrix, sources, targets, density);
  return operator;
}

/** What the far sums add to a product and to a transposed one. */
export interface FarPart {
  apply(density: F64View, out: Float64Array): void;
  applyTransposed(value: F64View, out: Float64Array): void;
  free(): void;
}

/**
 * Sums over all points of the rule at all targets; the transposed sum is made ready when it is first asked
 * for.
 */
function createFarPart(
  resources: SumResources,
  sources: PanelSources,
  targets: PanelTargets,
  options: LayerOptions,
): FarPart {
  const { layer, density } = options;
  const accuracy = pickAccuracy(options);
  const { softening } = sources;
  const sourceCount = sources.position.length / 3;
  const rowCount = targets.position.length / 3;
  const isDouble = layer === 'double';
  const isAdjoint = layer === 'adjoint';
  const strength = new Float64Array(isDouble ? 3 * sourceCount : sourceCount);
  const atTarget = new Float64Array(isAdjoint ? 3 * rowCount : rowCount);
  const sum = createKernelSum(resources, { ...accuracy, kernel: forward[layer] });
  const back = createKernelSum(resources, { ...accuracy, kernel: backward[layer] });
  const prepared = sum.prepare(sources.position, targets.position, softening);
  let preparedBack: PreparedSum | undefined;
  return {
    apply(values, out) {
      computeStrengths(sources, density, values, isDouble, strength);
      prepared.apply(strength, atTarget);
      for (let r = 0; r < rowCount; r++) out[r] = isAdjoint ? dotNormal(targets, atTarget, r) : atTarget[r];
    },
    applyTransposed(values, out) {
      preparedBack ??= back.prepare(targets.position, sources.position, softening);
      for (let r = 0; r < rowCount; r++)
        if (isAdjoint) for (let k = 3 * r; k < 3 * r + 3; k++) atTarget[k] = values[r] * targets.normal![k];
        else atTarget[r] = values[r];
      preparedBack.apply(atTarget, strength);
      gatherStrengths(sources, density, strength, isDouble, out);
    },
    free() {
      prepared.free();
      preparedBack?.free();
    },
  };
}

/** What the far sums are told of an operator's options. */
export function pickAccuracy({
  tolerance,
  method,
  precision,
}: LayerOptions): Omit<KernelSumOptions, 'kernel'> {
  return {
    ...(tolerance !== undefined && { tolerance }),
    ...(method && { method }),
    ...(precision && { precision }),
  };
}

function dotNormal({ normal }: PanelTargets, vector: F64View, r: number): number {
  return (
    vector[3 * r] * normal![3 * r] +
    vector[3 * r + 1] * normal![3 * r + 1] +
    vector[3 * r + 2] * normal![3 * r + 2]
  );
}

/** The near matrix of collocation at the targets. */
function buildNearValues(
  { heap, threads }: SumResources,
  sources: PanelSources,
  targets: PanelTargets,
  { layer, density, near, points }: LayerOptions & { near: number; points: RulePoints },
  scope: HeapScope,
): NearMatrix {
  const scratch = heap.scope('near panels');
  try {
    const rowCount = targets.position.length / 3;
    const position = scratch.f64(3 * rowCount);
    position.set(targets.position as ArrayLike<number>);
    const target = scratch.f64(TARGET * rowCount);
    for (let r = 0; r < rowCount; r++)
      for (let k = 0; k < 3; k++) {
        target[TARGET * r + k] = position[3 * r + k];
        target[TARGET * r + 3 + k] = targets.normal?.[3 * r + k] ?? 0;
      }
    const isDense = near === Infinity;
    const rows = isDense
      ? listAll(rowCount, sources.panelCount, scope)
      : findNearPanels(position, growBalls(sources, near, scratch), threads, scope, scratch);
    const { matrix, slot } = buildPattern(threads, sources, rows, rowCount, density, scope, scratch);
    const rule = scratch.f64(4);
    rule.set([layerCodes[layer], density === 'linear' ? 3 : 1, isDense ? 0 : points, sources.softening ** 2]);
    const { panel } = sources;
    threads.run(collocationTask, rowCount, GRAIN, rule, target, panel, rows, slot, matrix.value);
    return matrix;
  } finally {
    scratch.free();
  }
}

/** The matrix that near panels have entries in, and where each of their columns stands in it. */
export function buildPattern(
  threads: SumResources['threads'],
  { panelCount, vertexCount, triangle }: PanelSources,
  rows: Rows,
  rowCount: number,
  density: Density,
  scope: HeapScope,
  scratch: HeapScope,
): { matrix: NearMatrix; slot: Int32Array } {
  if (density === 'constant')
    return { matrix: buildPanelMatrix(rows, rowCount, panelCount, scope), slot: rows };
  const matrix = buildVertexMatrix(rows, rowCount, vertexCount, triangle, scope);
  const slot = scratch.i32(3 * (rows.length - rows[0]));
  threads.run(slotTask, rowCount, GRAIN, rows, triangle, matrix.rowStart, matrix.column, slot);
  return { matrix, slot };
}

/** Balls of `near` reaches around the middles. */
export function growBalls(
  { ball }: Pick<PanelSources, 'ball'>,
  near: number,
  scope: HeapScope,
): Float64Array {
  const grown = scope.f64(ball.length);
  for (let n = 0; n < ball.length; n++) grown[n] = n % 4 === 3 ? near * ball[n] : ball[n];
  return grown;
}

function listAll(rowCount: number, panelCount: number, scope: HeapScope): Rows {
  const rows = scope.i32(rowCount + 1 + rowCount * panelCount);
  for (let r = 0; r <= rowCount; r++) rows[r] = rowCount + 1 + r * panelCount;
  for (let n = 0; n < rowCount * panelCount; n++) rows[rowCount + 1 + n] = n % panelCount;
  return rows;
}

/** Far part and near matrix as one operator. */
export function createOperator(
  { threads }: SumResources,
  matrix: NearMatrix,
  far: FarPart | undefined,
  scope: HeapScope,
  free: () => void,
): LayerOperator {
  const { rowCount, columnCount } = matrix;
  const inRows = scope.f64(rowCount);
  const inColumns = scope.f64(columnCount);
  let transposed: NearMatrix | undefined;
  const requireLength = (values: F64View, length: number, what: string) => {
    if (values.length !== length)
      throw new InputError('layer operator', `${values.length} entries of ${what}`, `pass ${length}`);
  };
  return {
    rowCount,
    columnCount,
    apply(density, out) {
      requireLength(density, columnCount, 'the density');
      requireLength(out, rowCount, 'the potential');
      inColumns.set(density as ArrayLike<number>);
      multiplyNear(threads, matrix, inColumns, inRows);
      if (far) far.apply(density, out);
      else out.fill(0);
      for (let r = 0; r < rowCount; r++) out[r] += inRows[r];
    },
    applyTransposed(value, out) {
      requireLength(value, rowCount, 'the values');
      requireLength(out, columnCount, 'the density');
      transposed ??= transposeNear(matrix, scope);
      inRows.set(value as ArrayLike<number>);
      multiplyNear(threads, transposed, inRows, inColumns);
      if (far) far.applyTransposed(value, out);
      else out.fill(0);
      for (let c = 0; c < columnCount; c++) out[c] += inColumns[c];
    },
    free,
  };
}

/** Changes each row at its own place on the surface, so that the density 1 gives what is known of it. */
function correctRows(
  operator: LayerOperator,
  { rowStart, column, value }: NearMatrix,
  { triangle }: PanelSources,
  { on, unitSum }: PanelTargets,
  density: Density,
): void {
  const own = (r: number): readonly number[] => {
    if (density === 'linear')
      return on === 'vertices' ? [r] : [triangle[3 * r], triangle[3 * r + 1], triangle[3 * r + 2]];
    if (on === 'faces') return [r];
    throw new InputError(
      'panels',
      `a known double layer at ${on} with a constant density`,
      'leave unitSum out, or take the middles of faces',
    );
  };
  const sum = new Float64Array(operator.rowCount);
  operator.apply(new Float64Array(operator.columnCount).fill(1), sum);
  for (let r = 0; r < operator.rowCount; r++) {
    const columns = own(r);
    const miss = (unitSum![r] - sum[r]) / columns.length;
    for (const c of columns) value[findEntry(column, rowStart[r], rowStart[r + 1], c)] += miss;
  }
}
