/**
 * What `meniscus render`, tests and scripts use: pictures and films of exact frames, and a promise of
 * readiness.
 */
import type { Output, VideoCodec } from 'mediabunny';
import type { App } from './app.ts';
import type { RunInfo } from './data/types.ts';
import type { Settings } from './settings.ts';
import { parseView } from './view/camera.ts';

export interface RenderOptions {
  readonly width: number;
  readonly height: number;
  /** iso, front, side, top or "azimuth,elevation" */
  readonly view?: string;
  /** Nearer than the view that fits the domain, by this factor. */
  readonly zoom?: number;
  readonly settings?: Partial<Settings>;
  /** Which half of a cut goes, as seen from the view: sets `cutFlip`. */
  readonly cutAway?: 'near' | 'far';
}

export interface MovieReport {
  readonly codec: VideoCodec;
  readonly container: 'mp4' | 'webm';
}

export interface MeniscusHook {
  /** Resolves when the run named in the address has drawn its first frame; rejects with what went wrong. */
  readonly ready: Promise<void>;
  readonly app: App;
  info(): RunInfo | null;
  /** Size, view and look for the frames that follow. */
  configure(options: RenderOptions): void;
  /** Draws a frame; a PNG as base64. */
  renderFrame(frame: number): Promise<string>;
  startMovie(fps: number): Promise<MovieReport>;
  addMovieFrame(frame: number): Promise<void>;
  /** The finished file as base64. */
  finishMovie(): Promise<string>;
}

declare global {
  interface Window {
    meniscus?: MeniscusHook;
  }
}

/** Bits per pixel and second at which moving water shows no blocks. */
const BITS_PER_PIXEL = 0.25;

export function installHook(app: App, ready: Promise<void>): void {
  let movie: MovieWriter | null = null;
  const draw = async (frame: number): Promise<void> => {
    await app.player.seek(frame);
    if (app.player.shown !== frame) throw new Error(`frame ${frame} did not load`);
  };
  window.meniscus = {
    ready,
    app,
    info: () => app.source?.info ?? null,
    configure({ width, height, view, zoom = 1, settings, cutAway }) {
      if (settings) app.settings.set(settings);
      app.viewer.backdrop.resize(width, height, app.supersampling);
      if (view) app.fit(parseView(view));
      const { camera, controls } = app.viewer.backdrop;
      camera.position.sub(controls.target).divideScalar(zoom).add(controls.target);
      if (!cutAway) return;
      const near = app.viewer.openSlice(app.settings.value.slice).cutFlip;
      app.settings.set({ cutFlip: cutAway === 'near' ? near : !near });
    },
    async renderFrame(frame) {
      await draw(frame);
      return toBase64(new Uint8Array(await (await app.takePicture()).arrayBuffer()));
    },
    async startMovie(fps) {
      movie = await MovieWriter.start(app.composePicture(), fps);
      return movie.report;
    },
    async addMovieFrame(frame) {
      if (!movie) throw new Error('addMovieFrame: no movie was started; call startMovie first');
      await draw(frame);
      app.composePicture(movie.canvas);
      await movie.add();
    },
    async finishMovie() {
      if (!movie) throw new Error('finishMovie: no movie was started; call startMovie first');
      const bytes = await movie.finish();
      movie = null;
      return toBase64(bytes);
    },
  };
}

class MovieWriter {
  private frames = 0;

  private constructor(
    readonly report: MovieReport,
    readonly canvas: HTMLCanvasElement,
    private readonly output: Output,
    private readonly addFrame: (time: number, duration: number) => Promise<void>,
    private readonly readBytes: () => Uint8Array,
    private readonly fps: number,
  ) {}

  /** H.264 in MP4 where the browser can encode it, else VP9 or AV1 in WebM. */
  static async start(canvas: HTMLCanvasElement, fps: number): Promise<MovieWriter> {
    const { BufferTarget, CanvasSource, canEncodeVideo, Mp4OutputFormat, Output, WebMOutputFormat } =
      await import('mediabunny');
    const { width, height } = canvas;
    const bitrate = Math.round(BITS_PER_PIXEL * width * height * fps);
    for (const codec of ['avc', 'vp9', 'av1'] as const) {
      if (!(await canEncodeVideo(codec, { width, height, bitrate }))) continue;
      const container = codec === 'avc' ? 'mp4' : 'webm';
      const target = new BufferTarget();
      const output = new Output({
        format: container === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat(),
        target,
      });
      const source = new CanvasSource(canvas, { codec, bitrate, keyFrameInterval: 1 });
      output.addVideoTrack(source, { frameRate: fps });
      await output.start();
      const read = () => new Uint8Array(target.buffer ?? new ArrayBuffer(0));
      return new MovieWriter(
        { codec, container },
        canvas,
        output,
        (time, duration) => source.add(time, duration),
        read,
        fps,
      );
    }
    throw new Error(`this browser encodes neither H.264, VP9 nor AV1 at ${width}x${height}`);
  }

  async add(): Promise<void> {
    await this.addFrame(this.frames / this.fps, 1 / this.fps);
    this.frames++;
  }

  async finish(): Promise<Uint8Array> {
    await this.output.finalize();
    return this.readBytes();
  }
}

function toBase64(bytes: Uint8Array): string {
  // In pieces: an argument list has a limit.
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 0x8000)
    parts.push(String.fromCharCode(...bytes.subarray(i, i + 0x8000)));
  return btoa(parts.join(''));
}
