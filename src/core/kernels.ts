/**
 * The hot loops over [begin, end), by name. Views on a heap go to the WebAssembly kernel of that heap's memory
 * (kernels/*.ts, compiled once per thread and memory); any other array, or a platform without SIMD, goes to the
 * TypeScript twin. Both give the same bits, so which one ran shows in the time alone.
 */
import type { BlockKernels } from './block-kernel-types.ts';
import { findMemory, registerBuffer } from './heap.ts';
import { twins } from './kernel-twins.ts';
import { plainKernelsBase64, sharedKernelsBase64 } from './kernels.generated.ts';
import type { SumKernels } from './sum-kernel-types.ts';

export interface Kernels extends SumKernels, BlockKernels {
  fill(begin: number, end: number, value: number, x: Float64Array): void;
  copy(begin: number, end: number, x: Float64Array, out: Float64Array): void;
  /** x *= a */
  scale(begin: number, end: number, a: number, x: Float64Array): void;
  /** y += a x */
  axpy(begin: number, end: number, a: number, x: Float64Array, y: Float64Array): void;
  /** y = x + a y */
  xpay(begin: number, end: number, x: Float64Array, a: number, y: Float64Array): void;
  /** out = a x + b y */
  axpby(
    begin: number,
    end: number,
    a: number,
    x: Float64Array,
    b: number,
    y: Float64Array,
    out: Float64Array,
  ): void;
  /** out = x y, entry by entry */
  multiply(begin: number, end: number, x: Float64Array, y: Float64Array, out: Float64Array): void;
  /** out = x y, entry by entry; returns x . out */
  multiplyDot(begin: number, end: number, x: Float64Array, y: Float64Array, out: Float64Array): number;
  dot(begin: number, end: number, x: Float64Array, y: Float64Array): number;
  maxAbs(begin: number, end: number, x: Float64Array): number;
  /** x += a p, r -= a q; returns r . r */
  descend(
    begin: number,
    end: number,
    a: number,
    p: Float64Array,
    q: Float64Array,
    x: Float64Array,
    r: Float64Array,
  ): number;
  /** y = A x for the rows [begin, end) */
  spmv(
    begin: number,
    end: number,
    rowStart: Int32Array,
    column: Int32Array,
    value: Float64Array,
    x: Float64Array,
    y: Float64Array,
  ): void;
  /** y = A x; returns x . y over these rows */
  spmvDot(
    begin: number,
    end: number,
    rowStart: Int32Array,
    column: Int32Array,
    value: Float64Array,
    x: Float64Array,
    y: Float64Array,
  ): number;
  /** r = b - A x; returns r . r over these rows */
  spmvResidual(
    begin: number,
    end: number,
    rowStart: Int32Array,
    column: Int32Array,
    value: Float64Array,
    x: Float64Array,
    b: Float64Array,
    r: Float64Array,
  ): number;
  /** w = L^-1 r with unit lower rows; number k of w is unknown order[k] of r */
  solveLower(
    begin: number,
    end: number,
    rowStart: Int32Array,
    column: Int32Array,
    value: Float64Array,
    order: Int32Array,
    r: Float64Array,
    w: Float64Array,
  ): void;
  /** w = L^-T (w / D) with unit upper rows, and z the same in r's numbering; returns r . z */
  solveUpper(
    begin: number,
    end: number,
    rowStart: Int32Array,
    column: Int32Array,
    value: Float64Array,
    order: Int32Array,
    inversePivot: Float64Array,
    r: Float64Array,
    w: Float64Array,
    z: Float64Array,
  ): number;
  /** x = (L + D)^-1 w; the sweeps below, in single precision, take a matrix as strict triangles and inverse diagonal */
  relaxFromZero(
    begin: number,
    end: number,
    lowerStart: Int32Array,
    lowerColumn: Int32Array,
    lowerValue: Float32Array,
    inverse: Float32Array,
    w: Float32Array,
    x: Float32Array,
  ): void;
  /** x = D^-1 (w - L x - U x) in place, rows ascending */
  relaxForward(begin: number, end: number, ...split: [...SplitViews, w: Float32Array, x: Float32Array]): void;
  /** x = D^-1 (w - L x - U x) in place, rows descending */
  relaxBackward(
    begin: number,
    end: number,
    ...split: [...SplitViews, w: Float32Array, x: Float32Array]
  ): void;
  /** out = -U x */
  residualUpper(
    begin: number,
    end: number,
    upperStart: Int32Array,
    upperColumn: Int32Array,
    upperValue: Float32Array,
    x: Float32Array,
    out: Float32Array,
  ): void;
  /** out = w - (L + D + U) x */
  residualSplit(
    begin: number,
    end: number,
    ...split: [...SplitViews, w: Float32Array, x: Float32Array, out: Float32Array]
  ): void;
  /** out = scale times the sum of x over each row's columns */
  gatherSum(
    begin: number,
    end: number,
    start: Int32Array,
    column: Int32Array,
    scale: number,
    x: Float32Array,
    out: Float32Array,
  ): void;
  /** x += scale times the sum of the row's three coarse values */
  addThree(
    begin: number,
    end: number,
    column: Int32Array,
    scale: number,
    coarse: Float32Array,
    x: Float32Array,
  ): void;
  /** y = A x in single precision */
  spmvSingle(
    begin: number,
    end: number,
    rowStart: Int32Array,
    column: Int32Array,
    value: Float32Array,
    x: Float32Array,
    y: Float32Array,
  ): void;
  /** y += A x in single precision */
  spmvSingleAdd(
    begin: number,
    end: number,
    rowStart: Int32Array,
    column: Int32Array,
    value: Float32Array,
    x: Float32Array,
    y: Float32Array,
  ): void;
  /** w = r in single precision */
  demote(begin: number, end: number, r: Float64Array, w: Float32Array): void;
  /** z = x in double precision; returns r . z */
  promoteDot(begin: number, end: number, x: Float32Array, r: Float64Array, z: Float64Array): number;
  /** Pairs of primitives whose boxes meet, of the faces in the buckets [begin, end): see kernels/box-pairs.ts. Returns how many there are. */
  findBoxPairs(
    begin: number,
    end: number,
    start: Int32Array,
    list: Int32Array,
    faceBox: Int32Array,
    vertexBox: Int32Array,
    face: Int32Array,
    owned: Uint8Array,
    out: Int32Array,
    outBegin: number,
    capacity: number,
  ): number;
  /** Keeps of `count` such pairs from records[begin] on those that are not surely apart: see kernels/apart.ts. Returns how many. */
  dropApart(
    count: number,
    records: Int32Array,
    begin: number,
    x0: Float64Array,
    x1: Float64Array,
    near0: number,
    near1: number,
  ): number;
  /** Adds the moments of the listed faces around p: see kernels/moments.ts */
  addMoments(
    count: number,
    face: Int32Array,
    share: Float64Array,
    record: Float64Array,
    px: number,
    py: number,
    pz: number,
    scale: number,
    softening: number,
    batch: Float64Array,
    sums: Float64Array,
  ): void;
}

/** A matrix for sweeps: strict triangles in compressed rows and the inverse of the diagonal. */
export type SplitViews = [
  lowerStart: Int32Array,
  lowerColumn: Int32Array,
  lowerValue: Float32Array,
  upperStart: Int32Array,
  upperColumn: Int32Array,
  upperValue: Float32Array,
  inverse: Float32Array,
];

/** The compiled exports: every view is a byte offset. */
type Exports = Record<keyof Kernels, (...args: number[]) => number>;

let moduleOfShared: WebAssembly.Module | null | undefined;
let moduleOfPlain: WebAssembly.Module | null | undefined;

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** null where the platform does not know the instructions used. */
function compile(base64: string): WebAssembly.Module | null {
  const bytes = decodeBase64(base64);
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
}

function instantiate(memory: WebAssembly.Memory): Exports | null {
  const isShared = typeof SharedArrayBuffer !== 'undefined' && memory.buffer instanceof SharedArrayBuffer;
  if (isShared && moduleOfShared === undefined) moduleOfShared = compile(sharedKernelsBase64);
  if (!isShared && moduleOfPlain === undefined) moduleOfPlain = compile(plainKernelsBase64);
  const module = isShared ? moduleOfShared : moduleOfPlain;
  return module
    ? (new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports)
    : null;
}

const memoryToExports = new WeakMap<WebAssembly.Memory, Exports | null>();
let lastBuffer: ArrayBufferLike | null = null;
let lastExports: Exports | null = null;

function lookUp(buffer: ArrayBufferLike): Exports | null {
  const memory = findMemory(buffer);
  if (!memory) return null;
  let exports = memoryToExports.get(memory);
  if (exports === undefined) {
    exports = instantiate(memory);
    memoryToExports.set(memory, exports);
  }
  lastBuffer = buffer;
  lastExports = exports;
  return exports;
}

const exportsOf = (view: ArrayBufferView) => (view.buffer === lastBuffer ? lastExports : lookUp(view.buffer));

/** The exports that can reach all the views, or null: an array off the heap, or no SIMD. */
function exportsOf2(a: ArrayBufferView, b: ArrayBufferView): Exports | null {
  const exports = exportsOf(a);
  return exports === exportsOf(b) ? exports : null;
}

function exportsOf3(a: ArrayBufferView, b: ArrayBufferView, c: ArrayBufferView): Exports | null {
  const exports = exportsOf2(a, b);
  return exports === exportsOf(c) ? exports : null;
}

function exportsOfAll(views: readonly ArrayBufferView[]): Exports | null {
  const exports = exportsOf(views[0]);
  for (let i = 1; i < views.length; i++) if (exportsOf(views[i]) !== exports) return null;
  return exports;
}

const offsetOf = (view: ArrayBufferView) => view.byteOffset;

/** Whether views on this memory run in WebAssembly; false means the TypeScript twins do the work, several times slower. */
export function isCompiled(memory: WebAssembly.Memory): boolean {
  return lookUp(registerBuffer(memory)) !== null;
}

export const kernels: Kernels = {
  fill(begin, end, value, x) {
    const wasm = exportsOf(x);
    if (wasm) wasm.fill(begin, end, value, x.byteOffset);
    else twins.fill(begin, end, value, x);
  },

  copy(begin, end, x, out) {
    const wasm = exportsOf2(x, out);
    if (wasm) wasm.copy(begin, end, x.byteOffset, out.byteOffset);
    else twins.copy(begin, end, x, out);
  },

  scale(begin, end, a, x) {
    const wasm = exportsOf(x);
    if (wasm) wasm.scale(begin, end, a, x.byteOffset);
    else twins.scale(begin, end, a, x);
  },

  axpy(begin, end, a, x, y) {
    const wasm = exportsOf2(x, y);
    if (wasm) wasm.axpy(begin, end, a, x.byteOffset, y.byteOffset);
    else twins.axpy(begin, end, a, x, y);
  },

  xpay(begin, end, x, a, y) {
    const wasm = exportsOf2(x, y);
    if (wasm) wasm.xpay(begin, end, x.byteOffset, a, y.byteOffset);
    else twins.xpay(begin, end, x, a, y);
  },

  axpby(begin, end, a, x, b, y, out) {
    const wasm = exportsOf3(x, y, out);
    if (wasm) wasm.axpby(begin, end, a, x.byteOffset, b, y.byteOffset, out.byteOffset);
    else twins.axpby(begin, end, a, x, b, y, out);
  },

  multiply(begin, end, x, y, out) {
    const wasm = exportsOf3(x, y, out);
    if (wasm) wasm.multiply(begin, end, x.byteOffset, y.byteOffset, out.byteOffset);
    else twins.multiply(begin, end, x, y, out);
  },

  dot(begin, end, x, y) {
    const wasm = exportsOf2(x, y);
    return wasm ? wasm.dot(begin, end, x.byteOffset, y.byteOffset) : twins.dot(begin, end, x, y);
  },

  maxAbs(begin, end, x) {
    const wasm = exportsOf(x);
    return wasm ? wasm.maxAbs(begin, end, x.byteOffset) : twins.maxAbs(begin, end, x);
  },

  descend(begin, end, a, p, q, x, r) {
    const wasm = exportsOf3(p, q, x);
    return wasm && wasm === exportsOf(r)
      ? wasm.descend(begin, end, a, p.byteOffset, q.byteOffset, x.byteOffset, r.byteOffset)
      : twins.descend(begin, end, a, p, q, x, r);
  },

  multiplyDot(begin, end, x, y, out) {
    const wasm = exportsOf3(x, y, out);
    return wasm
      ? wasm.multiplyDot(begin, end, x.byteOffset, y.byteOffset, out.byteOffset)
      : twins.multiplyDot(begin, end, x, y, out);
  },

  spmv(begin, end, rowStart, column, value, x, y) {
    const wasm = exportsOf3(rowStart, column, value);
    if (!wasm || wasm !== exportsOf2(x, y)) return twins.spmv(begin, end, rowStart, column, value, x, y);
    const [rows, columns, values] = [rowStart.byteOffset, column.byteOffset, value.byteOffset];
    wasm.spmv(begin, end, rows, columns, values, x.byteOffset, y.byteOffset);
  },

  spmvDot(begin, end, rowStart, column, value, x, y) {
    const wasm = exportsOf3(rowStart, column, value);
    if (!wasm || wasm !== exportsOf2(x, y)) return twins.spmvDot(begin, end, rowStart, column, value, x, y);
    const [rows, columns, values] = [rowStart.byteOffset, column.byteOffset, value.byteOffset];
    return wasm.spmvDot(begin, end, rows, columns, values, x.byteOffset, y.byteOffset);
  },

  spmvResidual(begin, end, rowStart, column, value, x, b, r) {
    const wasm = exportsOf3(rowStart, column, value);
    if (!wasm || wasm !== exportsOf3(x, b, r))
      return twins.spmvResidual(begin, end, rowStart, column, value, x, b, r);
    const [rows, columns, values] = [rowStart.byteOffset, column.byteOffset, value.byteOffset];
    return wasm.spmvResidual(begin, end, rows, columns, values, x.byteOffset, b.byteOffset, r.byteOffset);
  },

  solveLower(begin, end, rowStart, column, value, order, r, w) {
    const wasm = exportsOf3(rowStart, column, value);
    if (!wasm || wasm !== exportsOf3(order, r, w))
      return twins.solveLower(begin, end, rowStart, column, value, order, r, w);
    const [rows, columns, values] = [rowStart.byteOffset, column.byteOffset, value.byteOffset];
    wasm.solveLower(begin, end, rows, columns, values, order.byteOffset, r.byteOffset, w.byteOffset);
  },

  solveUpper(begin, end, rowStart, column, value, order, inversePivot, r, w, z) {
    const wasm = exportsOf3(rowStart, column, value);
    if (!wasm || wasm !== exportsOf3(order, inversePivot, r) || wasm !== exportsOf2(w, z))
      return twins.solveUpper(begin, end, rowStart, column, value, order, inversePivot, r, w, z);
    const [rows, columns, values] = [rowStart.byteOffset, column.byteOffset, value.byteOffset];
    const vectors = [order.byteOffset, inversePivot.byteOffset, r.byteOffset, w.byteOffset, z.byteOffset];
    return wasm.solveUpper(begin, end, rows, columns, values, ...vectors);
  },

  relaxFromZero(begin, end, ...views) {
    const wasm = exportsOfAll(views);
    if (wasm) wasm.relaxFromZero(begin, end, ...views.map(offsetOf));
    else twins.relaxFromZero(begin, end, ...views);
  },

  relaxForward(begin, end, ...views) {
    const wasm = exportsOfAll(views);
    if (wasm) wasm.relaxForward(begin, end, ...views.map(offsetOf));
    else twins.relaxForward(begin, end, ...views);
  },

  relaxBackward(begin, end, ...views) {
    const wasm = exportsOfAll(views);
    if (wasm) wasm.relaxBackward(begin, end, ...views.map(offsetOf));
    else twins.relaxBackward(begin, end, ...views);
  },

  residualUpper(begin, end, ...views) {
    const wasm = exportsOfAll(views);
    if (wasm) wasm.residualUpper(begin, end, ...views.map(offsetOf));
    else twins.residualUpper(begin, end, ...views);
  },

  residualSplit(begin, end, ...views) {
    const wasm = exportsOfAll(views);
    if (wasm) wasm.residualSplit(begin, end, ...views.map(offsetOf));
    else twins.residualSplit(begin, end, ...views);
  },

  gatherSum(begin, end, start, column, scale, x, out) {
    const wasm = exportsOf2(start, column);
    if (!wasm || wasm !== exportsOf2(x, out))
      return twins.gatherSum(begin, end, start, column, scale, x, out);
    wasm.gatherSum(begin, end, start.byteOffset, column.byteOffset, scale, x.byteOffset, out.byteOffset);
  },

  addThree(begin, end, column, scale, coarse, x) {
    const wasm = exportsOf3(column, coarse, x);
    if (wasm) wasm.addThree(begin, end, column.byteOffset, scale, coarse.byteOffset, x.byteOffset);
    else twins.addThree(begin, end, column, scale, coarse, x);
  },

  spmvSingle(begin, end, ...views) {
    const wasm = exportsOfAll(views);
    if (wasm) wasm.spmvSingle(begin, end, ...views.map(offsetOf));
    else twins.spmvSingle(begin, end, ...views);
  },

  spmvSingleAdd(begin, end, ...views) {
    const wasm = exportsOfAll(views);
    if (wasm) wasm.spmvSingleAdd(begin, end, ...views.map(offsetOf));
    else twins.spmvSingleAdd(begin, end, ...views);
  },

  demote(begin, end, r, w) {
    const wasm = exportsOf2(r, w);
    if (wasm) wasm.demote(begin, end, r.byteOffset, w.byteOffset);
    else twins.demote(begin, end, r, w);
  },

  promoteDot(begin, end, x, r, z) {
    const wasm = exportsOf3(x, r, z);
    return wasm
      ? wasm.promoteDot(begin, end, x.byteOffset, r.byteOffset, z.byteOffset)
      : twins.promoteDot(begin, end, x, r, z);
  },

  findBoxPairs(begin, end, start, list, faceBox, vertexBox, face, owned, out, outBegin, capacity) {
    const views = [start, list, faceBox, vertexBox, face, owned, out];
    const wasm = exportsOfAll(views);
    if (!wasm)
      return twins.findBoxPairs(
        begin,
        end,
        start,
        list,
        faceBox,
        vertexBox,
        face,
        owned,
        out,
        outBegin,
        capacity,
      );
    const places = views.map(offsetOf);
    places[6] += 4 * outBegin;
    return wasm.findBoxPairs(begin, end, ...places, capacity);
  },

  dropApart(count, records, begin, x0, x1, near0, near1) {
    const wasm = exportsOf3(records, x0, x1);
    return wasm
      ? wasm.dropApart(count, records.byteOffset + 4 * begin, x0.byteOffset, x1.byteOffset, near0, near1)
      : twins.dropApart(count, records, begin, x0, x1, near0, near1);
  },

  addMoments(count, face, share, record, px, py, pz, scale, softening, batch, sums) {
    const wasm = exportsOf3(face, share, record);
    if (!wasm || wasm !== exportsOf2(batch, sums))
      return twins.addMoments(count, face, share, record, px, py, pz, scale, softening, batch, sums);
    const [faces, shares, records] = [face.byteOffset, share.byteOffset, record.byteOffset];
    const places = [px, py, pz, scale, softening, batch.byteOffset, sums.byteOffset] as const;
    wasm.addMoments(count, faces, shares, records, ...places);
  },

  sumCharges: forward('sumCharges'),
  sumChargeGradients: forward('sumChargeGradients'),
  sumVortices: forward('sumVortices'),
  sumDipoles: forward('sumDipoles'),
  sumVectorCharges: forward('sumVectorCharges'),
  gatherMoments: forward('gatherMoments'),
  shiftMoments: forward('shiftMoments'),
  translateMoments: forward('translateMoments'),
  shiftLocal: forward('shiftLocal'),
  evaluateLocal: forward('evaluateLocal'),
  translateMomentsSingle: forward('translateMomentsSingle'),
  sumVorticesSingle: forward('sumVorticesSingle'),
  sumVectorChargesSingle: forward('sumVectorChargesSingle'),
  findNearFaces: forward('findNearFaces'),
  computeNearValues: forward('computeNearValues'),
  computeTouchingValues: forward('computeTouchingValues'),
  mirrorTouchingValues: forward('mirrorTouchingValues'),
  addNearSums: forward('addNearSums'),

  blockProduct: forward('blockProduct'),
  blockSweepDown: forward('blockSweepDown'),
  blockFinishResidual: forward('blockFinishResidual'),
  blockSweepUp: forward('blockSweepUp'),
  tallRestrict: forward('tallRestrict'),
  tallProlong: forward('tallProlong'),
  tallProduct: forward('tallProduct'),
  tallGalerkin: forward('tallGalerkin'),
};

/** For kernels that work for microseconds per call: views become offsets one by one. */
function forward<N extends keyof SumKernels | keyof BlockKernels>(name: N): Kernels[N] {
  const call = (...args: (number | ArrayBufferView)[]) => {
    const views = args.filter((arg) => typeof arg !== 'number');
    const wasm = exportsOfAll(views);
    if (!wasm) (twins[name] as (...args: unknown[]) => void)(...args);
    else wasm[name](...args.map((arg) => (typeof arg === 'number' ? arg : arg.byteOffset)));
  };
  return call as Kernels[N];
}
