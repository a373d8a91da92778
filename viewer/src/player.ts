/**
 * Which frame is shown. Plays at the run's own rate times a speed, skips frames rather than fall behind, and
 * waits where a frame has not arrived. The newest request wins: a scrub never queues behind the frames it
 * passed.
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

  /**
   * Resolves when the frame is drawn, or when a later request has taken its place. Where tetrahedra are
   * wanted, only frames that have some are gone to: the nearest, or in the direction `way` the next.
   */
  async seek(index: number, again = false, way: -1 | 0 | 1 = 0): Promise<void> {
    const store = this.store;
    if (!store || this.frameCount === 0) return;
    const inside = Math.max(0, Math.min(this.frameCount - 1, Math.round(index)));
    const target = this.findStop(inside, way);
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
    void this.seek(this.index + by, false, by < 0 ? -1 : 1);
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
      const stop = this.findStop(target, -1);
      if (stop !== this.index) void this.seek(stop);
    }
    if (this.playing) requestAnimationFrame((next) => this.tick(next));
  }

  /** The frame to show for one that was asked for. */
  private findStop(index: number, way: -1 | 0 | 1): number {
    const stops = this.withVolume ? (this.store?.source.volumeFrames ?? []) : [];
    if (stops.length === 0) return index;
    const next = stops.find((frame) => frame >= index) ?? stops[stops.length - 1];
    const last = stops.findLast((frame) => frame <= index) ?? stops[0];
    if (way !== 0) return way > 0 ? next : last;
    return next - index < index - last ? next : last;
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
