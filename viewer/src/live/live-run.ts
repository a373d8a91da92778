/** A run in the page's own worker as a source of frames: they arrive, are kept, and play like any others. */
import { HandMotion } from '../../../src/geometry/hand-motion.ts';
import type { RunSource } from '../data/source.ts';
import type { FrameData, RunInfo, StatsRecord } from '../data/types.ts';
import { KeptFiles } from './kept-files.ts';
import type { LiveReply, LiveRequest, LiveScene } from './protocol.ts';
import type { SaveReply, SaveRequest } from './save.worker.ts';

/** Tetrahedra kept, bytes: about 30 frames of 200,000. */
const VOLUME_BUDGET = 500e6;

function measureVolume({ volume }: FrameData): number {
  if (!volume) return 0;
  const { position, tet, neighbour, centroid, fields } = volume;
  return [position, tet, neighbour, centroid, ...fields.map(({ values }) => values)].reduce(
    (sum, view) => sum + view.byteLength,
    0,
  );
}

/** Seconds over which the rate of steps is measured. */
const RATE_WINDOW = 2;

export interface LiveListener {
  started(run: LiveRun, threads: number, note: string): void;
  changed(): void;
  /** A step was made: the run's rate and records are new. */
  stepped(): void;
  /** The surface between frames. */
  preview(frame: FrameData, time: number): void;
  /** `message`: why it failed, or its balance in words; `isBad`: that is beyond a bound. */
  ended(status: 'done' | 'failed' | 'stopped', message: string, isBad: boolean): void;
}

export class LiveRun implements RunSource {
  info!: RunInfo;
  readonly stats: StatsRecord[] = [];
  readonly notes: readonly string[] = [];
  private readonly frames: FrameData[] = [];
  private readonly worker: Worker;
  /** The same paths as the worker's: they are sent over leg by leg. */
  readonly handles = new Map<number, HandMotion>();
  private active = true;
  private takesPokes = false;
  /** When the newest steps ended, in seconds of the worker's clock: the page's may be behind. */
  private ends: number[] = [];
  /** Clicks that changed the run. */
  pokeCount = 0;
  private volumeBytes = 0;
  private kept: KeptFiles | null = null;
  private outcome: { status: 'done' | 'failed' | 'stopped'; message: string } | null = null;

  constructor(
    scene: LiveScene,
    private readonly readFile: (path: string) => Promise<Uint8Array>,
    private readonly listener: LiveListener,
  ) {
    this.worker = createLiveWorker();
    this.worker.onmessage = (event: MessageEvent<LiveReply>) => this.receive(event.data);
    this.worker.onerror = (event) => this.end('failed', event.message || 'the worker could not start');
    const request: LiveRequest = { type: 'run', scene };
    this.worker.postMessage(request);
  }

  async load(frame: number): Promise<FrameData> {
    const found = this.frames[frame];
    if (!found) throw new Error(`frame ${frame} has not been computed yet`);
    return found;
  }

  readAsset(path: string): Promise<Uint8Array> {
    return this.readFile(path);
  }

  get volumeFrames(): number[] {
    return this.frames.filter(({ volume }) => volume !== null).map(({ index }) => index);
  }

  async refresh(): Promise<boolean> {
    return false;
  }

  get canPoke(): boolean {
    return this.active && this.takesPokes;
  }

  /** A click on the surface at a point, in metres. */
  poke(point: readonly [number, number, number]): void {
    const request: LiveRequest = { type: 'poke', point };
    this.worker.postMessage(request);
  }

  get canLead(): boolean {
    return this.active && this.handles.size > 0;
  }

  lead(solid: number, to: readonly [number, number, number]): void {
    const request: LiveRequest = { type: 'lead', solid, to };
    this.worker.postMessage(request);
  }

  /** Asks for the next preview, once the last is drawn. */
  askPreview(): void {
    const request: LiveRequest = { type: 'ready' };
    this.worker.postMessage(request);
  }

  /** Steps per second of the last seconds; 0 before the second step. */
  get stepRate(): number {
    const { ends } = this;
    const span = (ends.at(-1) ?? 0) - (ends[0] ?? 0);
    return span > 0 ? (ends.length - 1) / span : 0;
  }

  stop(): void {
    this.end('stopped', '');
  }

  close(): void {
    this.stop();
  }

  /** It has ended, and left something to keep. */
  get canSave(): boolean {
    return this.outcome !== null && this.frames.length > 0;
  }

  /** The run as one file: its surfaces as GLB, or its whole run folder as ZIP. */
  async save(kind: 'glb' | 'zip'): Promise<{ blob: Blob; file: string }> {
    const { kept, outcome } = this;
    if (!kept || !outcome) throw new Error('the run has not ended yet');
    const files = kept.list(outcome.status, this.stats, outcome.message, this.handles);
    const request: SaveRequest = { kind, name: kept.name, fps: kept.fps, files };
    const worker = new Worker(new URL('./save.worker.ts', import.meta.url), { type: 'module' });
    try {
      const blob = await new Promise<Blob>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<SaveReply>) => {
          if ('blob' in data) resolve(data.blob);
          else reject(new Error(data.error));
        };
        worker.onerror = (event) => reject(new Error(event.message || 'the worker could not start'));
        worker.postMessage(request);
      });
      return { blob, file: `${kept.name}.${kind}` };
    } finally {
      worker.terminate();
    }
  }

  private receive(message: LiveReply): void {
    if (!this.active) return;
    switch (message.type) {
      case 'started':
        this.info = message.info;
        this.takesPokes = message.takesPokes;
        this.info.solids.forEach((solid, n) => {
          if ((solid as { handle?: boolean }).handle === true) this.handles.set(n, new HandMotion());
        });
        this.kept = new KeptFiles(message.folder);
        this.listener.started(this, message.threads, message.note);
        break;
      case 'step':
        this.stats.push(message.record);
        this.countStep(message.at / 1000);
        this.listener.stepped();
        break;
      case 'preview':
        this.listener.preview(message.frame, message.time);
        break;
      case 'poked':
        this.pokeCount++;
        break;
      case 'led':
        this.handles.get(message.solid)?.follow(message.leg);
        break;
      case 'frame':
        this.frames[message.frame.index] = message.frame;
        this.kept?.addFrame(message.saved);
        this.dropOldVolumes(message.frame);
        this.info = { ...this.info, frameCount: this.frames.length };
        this.listener.changed();
        break;
      case 'checkpoint':
        this.kept?.add(message.file);
        break;
      case 'done':
        this.end(
          'done',
          message.balance.map(({ text }) => text).join('; '),
          message.balance.some(({ bad }) => bad),
        );
        break;
      case 'failed':
        this.end('failed', message.message);
        break;
      case 'description':
        break;
    }
  }

  private countStep(now: number): void {
    this.ends.push(now);
    while (this.ends.length > 2 && this.ends[0] < now - RATE_WINDOW) this.ends.shift();
  }

  /** A long run would fill the page's memory with tetrahedra: the oldest go first, their surfaces stay. */
  private dropOldVolumes(newest: FrameData): void {
    this.volumeBytes += measureVolume(newest);
    for (let i = 0; i < newest.index && this.volumeBytes > VOLUME_BUDGET; i++) {
      this.volumeBytes -= measureVolume(this.frames[i]);
      this.frames[i] = { ...this.frames[i], volume: null };
    }
  }

  private end(status: 'done' | 'failed' | 'stopped', message: string, isBad = false): void {
    if (!this.active) return;
    this.active = false;
    this.outcome = { status, message };
    this.worker.terminate();
    if (this.info) this.info = { ...this.info, status, outOfBounds: isBad };
    this.listener.ended(status, message, isBad);
  }
}

export function createLiveWorker(): Worker {
  return new Worker(new URL('./live.worker.ts', import.meta.url), { type: 'module' });
}
