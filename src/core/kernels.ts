/**
 * Hot loops in two forms. A subject declares its kernels beside its code: name, columns, and the loop over
 * [begin, end) in plain TypeScript. The compiled form is the export of that name in kernels/*.ts: begin, end,
 * then the columns in the order declared, views as byte offsets.
 *
 * A call goes to the compiled form where all views lie on one heap and the platform knows SIMD, else to the
 * plain one. Both give the same bits, so which one ran shows in the time alone. Modules are compiled once per
 * thread and memory. What the call itself adds is 50 to 300 ns.
 */
import { findMemory, registerBuffer } from './heap.ts';
import { sharedKernelsBase64, unsharedKernelsBase64 } from './kernels.generated.ts';
import { type Columns, listTypes, type Values } from './records.ts';

/** Of a loop: a sum or a count, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: most loops return nothing
export type Result = number | void;

/** A loop over [begin, end) and the values of its columns. */
export type Loop<C extends Columns, R extends Result = Result> = (
  begin: number,
  end: number,
  values: Values<C>,
) => R;

export interface Kernel<C extends Columns, R extends Result = Result> {
  (begin: number, end: number, values: Values<C>): R;
  readonly kernelName: string;
  readonly columns: C;
  /** The same loop in TypeScript, on any arrays. */
  readonly plain: Loop<C, R>;
}

type Compiled = (...args: number[]) => number;
type Exports = Readonly<Record<string, Compiled>>;

let moduleOfShared: WebAssembly.Module | null | undefined;
let moduleOfUnshared: WebAssembly.Module | null | undefined;

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
  if (!isShared && moduleOfUnshared === undefined) moduleOfUnshared = compile(unsharedKernelsBase64);
  const module = isShared ? moduleOfShared : moduleOfUnshared;
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

/**
 * What is compiled for the memory a view lies on, by name; null for a view off the heap, and without SIMD.
 */
const findExports = (view: ArrayBufferView) =>
  view.buffer === lastBuffer ? lastExports : lookUp(view.buffer);

/**
 * Whether views on this memory run compiled; false means the plain forms do the work, several times slower.
 */
export function isCompiled(memory: WebAssembly.Memory): boolean {
  return lookUp(registerBuffer(memory)) !== null;
}

/** Compiled kernels by name, and how many arguments each takes; undefined without SIMD. For tests. */
export function listCompiled(memory: WebAssembly.Memory): Map<string, number> | undefined {
  const exports = lookUp(registerBuffer(memory));
  if (!exports) return undefined;
  const functions = Object.entries(exports).filter(([, value]) => typeof value === 'function');
  return new Map(functions.map(([name, value]) => [name, value.length]));
}

const declared = new Map<string, Kernel<Columns>>();

/** Every kernel declared so far, by name. */
export const listKernels = (): ReadonlyMap<string, Kernel<Columns>> => declared;

export function defineKernel<const C extends Columns, R extends Result>(
  kernelName: string,
  columns: C,
  plain: Loop<C, R>,
): Kernel<C, R> {
  if (declared.has(kernelName)) throw new Error(`kernel ${kernelName}: declared twice; give it another name`);
  const call = createCall(kernelName, columns, plain as unknown as Loop<Columns>);
  const kernel = Object.assign(call as unknown as Loop<C, R>, { kernelName, columns, plain });
  declared.set(kernelName, kernel as unknown as Kernel<Columns>);
  return kernel;
}

function createCall(kernelName: string, columns: Columns, plain: Loop<Columns>): Loop<Columns> {
  const names = Object.keys(columns);
  const isNumber = listTypes(columns).map(([, type]) => type === 'number');
  const count = names.length;
  // Not an array of doubles: spreading one makes an object of every number.
  const places: number[] = new Array(count).fill(null);
  let known: Exports | null = null;
  let compiled: Compiled;
  return (begin, end, values) => {
    let exports: Exports | null = null;
    for (let i = 0; i < count; i++) {
      const value = values[names[i]];
      if (isNumber[i]) {
        places[i] = value as number;
        continue;
      }
      const found = findExports(value as ArrayBufferView);
      if (found === null || (exports !== null && found !== exports)) return plain(begin, end, values);
      exports = found;
      places[i] = (value as ArrayBufferView).byteOffset;
    }
    if (exports === null) return plain(begin, end, values);
    if (exports !== known) {
      known = exports;
      compiled = exports[kernelName];
    }
    // Written out, a call is three times as fast as with a spread list: it matters to short vectors.
    if (count === 2) return compiled(begin, end, places[0], places[1]);
    if (count === 3) return compiled(begin, end, places[0], places[1], places[2]);
    if (count === 5) return compiled(begin, end, places[0], places[1], places[2], places[3], places[4]);
    return compiled(begin, end, ...places);
  };
}
