/**
 * Which frame is shown. Plays at the run's own rate times a speed, skips frames rather than fall behind, and waits
 * where a frame has not arrived. The newest request wins: a scrub never queues behind the frames it passed.
 */
import type { FrameStore } from './data/frame-store.ts';
import type { FrameData } from './data/types.ts';

/** Frames fetched ahead of the one shown. */
const PREFETCH = 6;

export interface PlayerEvents {
  /** A frame is here and should be drawn. */
  frame(frame: FrameData): void;
  /** Position, playing or loading changed. */
  change(): void;
  failed(error: Error, index: number): void;
}

export class Player {
  playing = false;
  loop = true;
  speed = 1;
  /** The frame asked for; `shown` follows when it has arrived. */
  index = 0;
  shown = -1;
  withVolume = false;
  private store: FrameStore | null = null;
  private clock = 0;
  private last = 0;
  private request = 0;

  constructor(private readonly events: PlayerEvents) {}

  get frameCount(): number {
    return this.store?.source.info.frameCount ?? 0;
  }

  get loading(): boolean {
    return this.store !== null && this.shown !== this.index;
  }

  setStore(store: FrameStore): void {
    this.store = store;
    this.playing = false;
    this.index = 0;
    this.shown = -1;
    this.events.change();
  }

  setWithVolume(withVolume: boolean): void {
    if (this.withVolume === withVolume) return;
    this.withVolume = withVolume;
    if (this.store && this.frameCount > 0) void this.seek(this.index, true);
  }

  /** Resolves when the frame is drawn, or when a later request has taken its place. */
  async seek(index: number, again = false): Promise<void> {
    const store = this.store;
    if (!store || this.frameCount === 0) return;
    const target = Math.max(0, Math.min(this.frameCount - 1, Math.round(index)));
    if (target === this.shown && target === this.index && !again) return;
    this.index = target;
    const request = ++this.request;
    this.events.change();
    try {
      const frame = await store.get(target, this.withVolume);
      if (request !== this.request || store !== this.store) return;
      this.shown = target;
      this.events.frame(frame);
    } catch (error) {
      if (request !== this.request || store !== this.store) return;
      this.playing = false;
      this.events.failed(error as Error, target);
    }
    this.events.change();
    store.prefetch(this.listAhead(target), this.withVolume);
  }

  step(by: number): void {
    this.pause();
    void this.seek(this.index + by);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.playing || this.frameCount < 2) return;
    if (this.index >= this.frameCount - 1) void this.seek(0);
    this.playing = true;
    this.clock = this.index;
    this.last = performance.now();
    this.events.change();
    requestAnimationFrame((now) => this.tick(now));
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.events.change();
  }

  private tick(now: number): void {
    if (!this.playing || !this.store) return;
    const elapsed = Math.max(0, now - this.last) / 1000;
    this.last = now;
    // While a frame is on its way time stands still, so that nothing is lost to a slow disk.
    if (!this.loading) {
      this.clock += elapsed * this.speed * this.store.source.info.fps;
      let target = Math.floor(this.clock);
      if (target > this.frameCount - 1) {
        if (this.loop) {
          target = 0;
          this.clock = 0;
        } else {
          target = this.frameCount - 1;
          this.pause();
        }
      }
      if (target !== this.index) void this.seek(target);
    }
    if (this.playing) requestAnimationFrame((next) => this.tick(next));
  }

  private listAhead(from: number): number[] {
    const ahead: number[] = [];
    for (let i = 1; i <= PREFETCH; i++) {
      const index = from + i;
      if (index < this.frameCount) ahead.push(index);
      else if (this.loop && this.playing) ahead.push(index % this.frameCount);
    }
    return ahead;
  }
}
