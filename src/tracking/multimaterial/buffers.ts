/**
 * Scratch arrays that live as long as a tracker and grow with its mesh, on the shared heap where there are
 * threads to read them. What they hold means nothing between two uses.
 */
import type { Heap, HeapScope } from '../../core/heap.ts';
import { createSingleThread } from '../../core/threads/single.ts';
import type { Threads } from '../../core/threads/task.ts';

/** What a run lends to the tracker (methods/method.ts). */
export interface TrackerResources {
  readonly heap: Heap;
  readonly threads: Threads;
}

/** Room beyond what is asked for, so that a growing mesh seldom asks again. */
const SPARE = 1.25;

type Kind = 'f64' | 'i32' | 'u8';
interface Held {
  readonly view: Float64Array | Int32Array | Uint8Array;
  readonly scope: HeapScope | undefined;
}

export class Buffers {
  readonly threads: Threads;
  /** Pairs of boxes that a chunk of buckets has room for (collision.ts): grows when one has more. */
  pairCapacity = 1024;
  private readonly heap: Heap | undefined;
  private readonly held = new Map<string, Held>();

  constructor(resources?: TrackerResources) {
    this.threads = resources?.threads ?? createSingleThread();
    this.heap = resources?.heap;
  }

  /**
   * At least `length` entries under a name; the same array until it must grow, and then without its content.
   */
  f64(name: string, length: number): Float64Array {
    return this.get(name, 'f64', length) as Float64Array;
  }
  i32(name: string, length: number): Int32Array {
    return this.get(name, 'i32', length) as Int32Array;
  }
  u8(name: string, length: number): Uint8Array {
    return this.get(name, 'u8', length) as Uint8Array;
  }

  /** Copies of the first `length` entries, where threads see them. */
  copyF64(name: string, from: Float64Array, length: number): Float64Array {
    const to = this.f64(name, length);
    to.set(from.length === length ? from : from.subarray(0, length));
    return to;
  }
  copyI32(name: string, from: Int32Array, length: number): Int32Array {
    const to = this.i32(name, length);
    to.set(from.length === length ? from : from.subarray(0, length));
    return to;
  }

  /** Gives all back to the heap. */
  free(): void {
    for (const { scope } of this.held.values()) scope?.free();
    this.held.clear();
  }

  private get(name: string, kind: Kind, length: number): Held['view'] {
    const old = this.held.get(name);
    if (old && old.view.length >= length) return old.view;
    old?.scope?.free();
    const room = Math.ceil(SPARE * length);
    const scope = this.heap?.scope(`tracker ${name}`);
    const view = scope
      ? scope[kind](room)
      : kind === 'f64'
        ? new Float64Array(room)
        : kind === 'i32'
          ? new Int32Array(room)
          : new Uint8Array(room);
    this.held.set(name, { view, scope });
    return view;
  }
}
