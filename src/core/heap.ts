/**
 * The one heap: typed-array views into a single WebAssembly.Memory shared by all threads and kernels.
 * A kernel receives `view.byteOffset`; nothing is copied. Views stay valid while the memory grows.
 */
export interface Heap {
  readonly memory: WebAssembly.Memory;
  /** False in a page without cross-origin isolation: one thread, fixed size. */
  readonly shared: boolean;
  /** A new arena. Everything allocated through it is freed together by `free()`. */
  scope(name: string): HeapScope;
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
