/** Fetching and decoding in workers, so that the picture never waits for a file. */
import type { FileRef } from './source.ts';
import type { FrameData } from './types.ts';

export interface DecodeRequest {
  readonly id: number;
  readonly frame: number;
  readonly surface: FileRef;
  readonly volume: FileRef | null;
  readonly particles: FileRef | null;
}

export type DecodeReply = { readonly id: number } & (
  | { readonly frame: FrameData }
  | { readonly error: string }
);

interface Waiting {
  resolve(frame: FrameData): void;
  reject(error: Error): void;
}

export class Decoder {
  private readonly workers: Worker[] = [];
  private readonly waiting = new Map<number, Waiting>();
  private next = 0;

  constructor(count: number) {
    for (let i = 0; i < count; i++) {
      const worker = new Worker(new URL('./decode.worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = (event: MessageEvent<DecodeReply>) => this.receive(event.data);
      worker.onerror = (event) =>
        this.failAll(`the decoding worker stopped: ${event.message || 'it could not start'}`);
      this.workers.push(worker);
    }
  }

  decode(frame: number, files: Pick<DecodeRequest, 'surface' | 'volume' | 'particles'>): Promise<FrameData> {
    const id = this.next++;
    const request: DecodeRequest = { id, frame, ...files };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.workers[id % this.workers.length].postMessage(request);
    });
  }

  private receive(reply: DecodeReply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (!waiting) return;
    if ('error' in reply) waiting.reject(new Error(reply.error));
    else waiting.resolve(reply.frame);
  }

  private failAll(message: string): void {
    for (const waiting of this.waiting.values()) waiting.reject(new Error(message));
    this.waiting.clear();
  }
}

/**
 * Buffers of a frame, to be moved and not copied between threads. Shared memory cannot be moved and is left
 * out.
 */
export function listBuffers(frame: FrameData): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const add = (view: ArrayBufferView) => {
    if (view.buffer instanceof ArrayBuffer) buffers.add(view.buffer);
  };
  const { surface, volume, particles } = frame;
  for (const view of [surface.position, surface.normal, surface.triangle]) add(view);
  for (const field of surface.fields) add(field.values);
  for (const view of Object.values(surface.regions ?? {})) if (ArrayBuffer.isView(view)) add(view);
  if (volume) {
    for (const view of [volume.position, volume.tet, volume.neighbour, volume.centroid]) add(view);
    for (const field of volume.fields) add(field.values);
  }
  if (particles) {
    for (const view of [particles.position, particles.radius]) add(view);
    for (const field of particles.fields) add(field.values);
  }
  return [...buffers];
}
