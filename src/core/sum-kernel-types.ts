/** Signatures of the kernels of src/integrals: direct sums over point sources (kernels/point-sums.ts) and multipole expansions. */

/** Pairs of triangles near each other: see kernels/near-faces.ts */
export interface NearKernels {
  findNearFaces(
    begin: number,
    end: number,
    first: number,
    limit: number,
    stride: number,
    frame: Float64Array,
    cellStart: Int32Array,
    ball: Float32Array,
    corner: Int32Array,
    start: Int32Array,
    touch: Int32Array,
    stop: Int32Array,
    list: Int32Array,
    needed: Int32Array,
  ): void;
  computeNearValues(
    begin: number,
    end: number,
    start: Int32Array,
    touch: Int32Array,
    list: Int32Array,
    record: Float32Array,
    value: Float32Array,
    softening: number,
  ): void;
  computeTouchingValues(
    begin: number,
    end: number,
    touch: Int32Array,
    stop: Int32Array,
    list: Int32Array,
    triangle: Float64Array,
    point: Float64Array,
    value: Float32Array,
    scratch: Float64Array,
    softening: number,
  ): void;
  mirrorTouchingValues(
    begin: number,
    end: number,
    touch: Int32Array,
    stop: Int32Array,
    list: Int32Array,
    value: Float32Array,
  ): void;
  addNearSums(
    begin: number,
    end: number,
    factor: number,
    start: Int32Array,
    stop: Int32Array,
    list: Int32Array,
    value: Float32Array,
    self: Float64Array,
    strength: Float64Array,
    sorted: Int32Array,
    out: Float64Array,
  ): void;
}

export interface SumKernels extends NearKernels {
  /** out += sums over point sources for the targets [begin, end): see kernels/point-sums.ts */
  sumCharges(...views: PointSumViews): void;
  sumChargeGradients(...views: PointSumViews): void;
  sumVortices(...views: PointSumViews): void;
  sumDipoles(...views: PointSumViews): void;
  sumVectorCharges(...views: PointSumViews): void;
  /** Expansions of the multipole method: see kernels/expansions.ts */
  gatherMoments(
    cell: number,
    first: number,
    end: number,
    components: number,
    dipole: number,
    order: number,
    centre: Float64Array,
    source: Float64Array,
    steps: Int32Array,
    recur: Int32Array,
    constants: Float64Array,
    moment: Float64Array,
    scratch: Float64Array,
  ): void;
  shiftMoments(...views: ShiftViews): void;
  translateMoments(
    target: number,
    begin: number,
    end: number,
    components: number,
    order: number,
    firstRow: number,
    softening: number,
    far: Int32Array,
    centre: Float64Array,
    sums: Int32Array,
    recur: Int32Array,
    constants: Float64Array,
    moment: Float64Array,
    local: Float64Array,
    scratch: Float64Array,
  ): void;
  shiftLocal(...views: ShiftViews): void;
  evaluateLocal(
    cell: number,
    begin: number,
    end: number,
    kind: number,
    order: number,
    stride: number,
    centre: Float64Array,
    target: Float64Array,
    steps: Int32Array,
    sums: Int32Array,
    constants: Float64Array,
    local: Float64Array,
    out: Float64Array,
    scratch: Float64Array,
  ): void;
  /** As translateMoments, in single precision: see kernels/expansions-single.ts */
  translateMomentsSingle(
    target: number,
    begin: number,
    end: number,
    components: number,
    order: number,
    firstRow: number,
    softening: number,
    far: Int32Array,
    centre: Float64Array,
    unit: Float64Array,
    sums: Int32Array,
    recur: Int32Array,
    constants: Float64Array,
    moment: Float32Array,
    local: Float64Array,
    scratch: Float32Array,
  ): void;
  /** As sumVortices, in single precision. */
  sumVorticesSingle(
    begin: number,
    end: number,
    rangeBegin: number,
    rangeEnd: number,
    range: Int32Array,
    source: Float32Array,
    stride: number,
    target: Float64Array,
    centre: Float64Array,
    softening: number,
    out: Float64Array,
  ): void;
  /** As sumVectorCharges, in single precision. */
  sumVectorChargesSingle(
    begin: number,
    end: number,
    rangeBegin: number,
    rangeEnd: number,
    range: Int32Array,
    source: Float32Array,
    stride: number,
    target: Float64Array,
    centre: Float64Array,
    softening: number,
    out: Float64Array,
  ): void;
}

/** A cell, its children [first, first + count), and the expansions of all cells. */
export type ShiftViews = [
  cell: number,
  first: number,
  count: number,
  components: number,
  order: number,
  centre: Float64Array,
  steps: Int32Array,
  sums: Int32Array,
  constants: Float64Array,
  expansion: Float64Array,
  scratch: Float64Array,
];
/** Targets, ranges of source blocks, sources, targets in columns of `stride`, delta^2, sums in columns. */
export type PointSumViews = [
  begin: number,
  end: number,
  rangeBegin: number,
  rangeEnd: number,
  range: Int32Array,
  source: Float64Array,
  stride: number,
  target: Float64Array,
  softening: number,
  out: Float64Array,
];
