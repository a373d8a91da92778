/**
 * The one heap: typed-array views into a single WebAssembly.Memory shared by all threads and kernels.
 * A kernel receives `view.byteOffset`; nothing is copied. Views stay valid while the memory grows.
 *
 * A shared memory grows in place: its buffer object is replaced by a longer one over the same bytes, and
 * views on the shorter one stay good. A memory that is not shared would detach its views, so that one has its
 * full size from the start (the system commits pages on first touch). Blocks come from block-list.ts; only
 * the owning thread allocates.
 */
import { type Block, createBlockList } from './block-list.ts';
import { RunError } from './errors.ts';
import { LIMITS } from './limits.ts';

export interface Heap {
  readonly memory: WebAssembly.Memory;
  /** False in a page without cross-origin isolation: one thread, fixed size. */
  readonly shared: boolean;
  /** A new arena. Everything allocated through it is freed together by `free()`. */
  scope(name: string): HeapScope;
  /** Whether a view lies on this heap, and may so be handed to another thread. */
  owns(view: ArrayBufferView): boolean;
  readonly bytesInUse: number;
  readonly peakBytes: number;
}

/** Arena of zero-filled views, freed together: one per run, per accepted state, per step. */
export interface HeapScope {
  f64(length: number): Float64Array;
  f32(length: number): Float32Array;
  i32(length: number): Int32Array;
  u8(length: number): Uint8Array;
  readonly bytes: number;
  free(): void;
}

/**
 * Builds something in a scope of its own, which it is to free; where the heap is full what was taken so far
 * goes back at once.
 */
export function buildInScope<T>(heap: Heap, name: string, build: (scope: HeapScope) => T): T {
  const scope = heap.scope(name);
  try {
    return build(scope);
  } catch (error) {
    scope.free();
    throw error;
  }
}

/** Runs something with memory of its own, which is free afterwards, also when it throws. */
export function withScope<T>(heap: Heap, name: string, run: (scope: HeapScope) => T): T {
  const scope = heap.scope(name);
  try {
    return run(scope);
  } finally {
    scope.free();
  }
}

export interface HeapOptions {
  /** Upper bound of the memory in bytes; default 4 GiB shared, 1 GiB otherwise. */
  readonly maximumBytes?: number;
  /** Default: shared wherever the platform allows it. */
  readonly shared?: boolean;
}

const PAGE_BYTES = 65536;
const MAXIMUM_PAGES = LIMITS.heapBytes / PAGE_BYTES;
/** Page 0 belongs to the kernels' static data (tools/build.js). */
const RESERVED_BYTES = PAGE_BYTES;
const FIRST_PAGES = 256;
/** Growth by a quarter keeps the number of buffer objects small. */
const GROWTH = 1.25;
const UNSHARED_BYTES = 2 ** 30;

/**
 * Whether a shared memory may be made and sent to workers: always in Node, in a page only when cross-origin
 * isolated.
 */
export function isSharedMemoryAllowed(): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && globalThis.crossOriginIsolated !== false;
}

/** Every buffer object seen of a heap's memory, so that a view of any age tells which memory it lies on. */
const bufferToMemory = new WeakMap<ArrayBufferLike, WebAssembly.Memory>();

/**
 * The memory's present buffer, known from now on to be its. All views are made on it: when any thread grows
 * the memory, the engine may put a new buffer object in every other thread at any time.
 */
export function registerBuffer(memory: WebAssembly.Memory): ArrayBuffer {
  const { buffer } = memory;
  if (!bufferToMemory.has(buffer)) bufferToMemory.set(buffer, memory);
  return buffer;
}

/** The memory a buffer belongs to, or undefined for an ordinary one. */
export function findMemory(buffer: ArrayBufferLike): WebAssembly.Memory | undefined {
  return bufferToMemory.get(buffer);
}

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

export function createHeap(options: HeapOptions = {}): Heap {
  const shared = options.shared ?? isSharedMemoryAllowed();
  const maximumBytes = options.maximumBytes ?? (shared ? MAXIMUM_PAGES * PAGE_BYTES : UNSHARED_BYTES);
  const maximum = Math.min(MAXIMUM_PAGES, Math.ceil(maximumBytes / PAGE_BYTES) + RESERVED_BYTES / PAGE_BYTES);
  const initial = shared ? Math.min(FIRST_PAGES, maximum) : maximum;
  const memory = createMemory({ initial, maximum, shared });

  const blocks = createBlockList(RESERVED_BYTES, initial * PAGE_BYTES);
  let peakBytes = 0;
  let highWater = RESERVED_BYTES;

  const exhausted = (bytes: number, scopeName: string) =>
    new RunError(
      'heap',
      `asked for ${megabytes(bytes)} in scope "${scopeName}" with ${megabytes(blocks.bytesInUse)} of ` +
        `${megabytes(maximum * PAGE_BYTES)} in use`,
      'use a coarser resolution, or raise the heap limit if it is below 4 GiB',
    );

  function allocate(bytes: number, scopeName: string): Block {
    let block = blocks.take(bytes);
    if (!block && shared) {
      const pages = memory.buffer.byteLength / PAGE_BYTES;
      const needed = Math.ceil(blocks.missingBytes(bytes) / PAGE_BYTES);
      if (pages + needed > maximum) throw exhausted(bytes, scopeName);
      const wanted = Math.min(maximum - pages, Math.max(needed, Math.ceil(pages * (GROWTH - 1))));
      try {
        memory.grow(wanted);
      } catch {
        throw exhausted(bytes, scopeName); // the system refused before our own bound
      }
      blocks.extend(memory.buffer.byteLength);
      block = blocks.take(bytes);
    }
    if (!block) throw exhausted(bytes, scopeName);
    // Bytes above the high-water mark were never handed out and are zero already.
    const end = block.offset + block.size;
    const usedBytes = Math.min(end, highWater) - block.offset;
    if (usedBytes > 0) new Float64Array(memory.buffer, block.offset, usedBytes / 8).fill(0);
    highWater = Math.max(highWater, end);
    peakBytes = Math.max(peakBytes, blocks.bytesInUse);
    return block;
  }

  return {
    memory,
    shared,
    scope: (name) => createScope(name, memory, allocate, blocks.give),
    owns: (view) => bufferToMemory.get(view.buffer) === memory,
    get bytesInUse() {
      return blocks.bytesInUse;
    },
    get peakBytes() {
      return peakBytes;
    },
  };
}

function createMemory(descriptor: WebAssembly.MemoryDescriptor): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory(descriptor);
  } catch (cause) {
    const size = megabytes((descriptor.shared ? descriptor.maximum! : descriptor.initial) * PAGE_BYTES);
    throw new RunError('heap', `the system refused to reserve ${size}`, 'set a smaller heap limit', {
      cause,
    });
  }
}

function createScope(
  name: string,
  memory: WebAssembly.Memory,
  allocate: (bytes: number, scopeName: string) => Block,
  give: (block: Block) => void,
): HeapScope {
  let owned: Block[] = [];
  let bytes = 0;
  let freed = false;

  function take(length: number, elementBytes: number): number {
    if (freed) throw new RunError('heap', `scope "${name}" used after free()`, 'allocate from a live scope');
    if (!Number.isInteger(length) || length < 0)
      throw new RunError('heap', `array length ${length} in scope "${name}"`, 'pass a whole number >= 0');
    const block = allocate(length * elementBytes, name);
    owned.push(block);
    bytes += block.size;
    return block.offset;
  }

  /** The buffer is read after take(): growth replaces it. */
  const allocateBy =
    <A>(View: new (buffer: ArrayBufferLike, offset: number, length: number) => A, elementBytes: number) =>
    (length: number): A => {
      const offset = take(length, elementBytes);
      return new View(registerBuffer(memory), offset, length);
    };
  return {
    f64: allocateBy(Float64Array, 8),
    f32: allocateBy(Float32Array, 4),
    i32: allocateBy(Int32Array, 4),
    u8: allocateBy(Uint8Array, 1),
    get bytes() {
      return bytes;
    },
    free() {
      for (const block of owned) give(block);
      owned = [];
      bytes = 0;
      freed = true;
    },
  };
}
