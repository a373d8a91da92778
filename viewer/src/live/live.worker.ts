/**
 * A run inside the page: the same library as the command line, in a worker of its own with a team of threads.
 */
import { createHeap } from '../../../src/core/heap.ts';
import { createThreads } from '../../../src/core/threads/browser.ts';
import { encodeParticles, encodeSurface, encodeVolume } from '../../../src/io/frame-files.ts';
import type { ParticleFrame, SurfaceFrame, VolumeFrame } from '../../../src/methods/method.ts';
import { findAt, findList } from '../../../src/methods/presentation.ts';
import { describeBalance } from '../../../src/run/balance.ts';
import { planRun } from '../../../src/run/budget.ts';
import {
  assetFile,
  checkpointFile,
  type FrameKind,
  frameFile,
  nameAssets,
} from '../../../src/run/folder-files.ts';
import { attachHandles } from '../../../src/run/handles.ts';
import { listNotes } from '../../../src/run/notes.ts';
import { describePresentation, findMethod, methods } from '../../../src/run/registry.ts';
import { countFrames, Run, type RunEvent } from '../../../src/run/runner.ts';
import { encodeSnapshot } from '../../../src/run/snapshot.ts';
import { type LoadedScene, loadScene, readSceneHeader } from '../../../src/scene/load.ts';
import { listBuffers } from '../data/decoder.ts';
import { prepareParticles, prepareSurface, prepareVolume, toFields } from '../data/prepare.ts';
import type { FrameData, StatsRecord } from '../data/types.ts';
import { readBundledAsset } from './bundled.ts';
import { listOptions } from './options.ts';
import { describePage } from './page-machine.ts';
import type { FolderStart, LiveReply, LiveRequest, LiveScene, SavedFile } from './protocol.ts';

declare const __VERSION__: string;
const version = __VERSION__;

const reply = (message: LiveReply, transfer: Transferable[] = []) => self.postMessage(message, { transfer });

const load = ({ file, text, setting, sets }: LiveScene) =>
  loadScene({ file, text }, { methods, readFile: readBundledAsset, sets, setting });

async function describe(scene: LiveScene): Promise<void> {
  const header = readSceneHeader({ file: scene.file, text: scene.text });
  const loaded = await load(scene);
  const method = findMethod(loaded.scene.method)!;
  reply({
    type: 'description',
    description: {
      title: loaded.title,
      takes: header.takes,
      notes: listNotes(loaded),
      settings: header.settings,
      document: loaded.document,
      options: listOptions(method.name, method.options, loaded.scene.options),
    },
  });
}

async function run(request: LiveScene): Promise<void> {
  const loaded = await load(request);
  const { scene, title, document } = loaded;
  const method = findMethod(scene.method)!;
  const { presentation = {} } = method;
  planRun(method, scene, countFrames(scene), describePage());
  const heap = createHeap();
  const threads = await createThreads({
    heap,
    createWorker: () => new Worker(new URL('../../../src/worker.ts', import.meta.url), { type: 'module' }),
  });
  reply({
    type: 'started',
    info: {
      name: title,
      method: scene.method,
      status: 'running',
      outOfBounds: false,
      frameCount: 0,
      framesPlanned: countFrames(scene) + 1,
      fps: scene.fps,
      domain: scene.domain,
      solids: (document['solids'] ?? []) as unknown[],
      presentation,
      wires: findList(document, presentation.wires),
      camera: findAt(document, presentation.camera),
      gravity: scene.gravity,
      particlesEvery: loaded.output.particles || 0,
    },
    threads: threads.count,
    note: heap.shared
      ? ''
      : 'One thread: this page is not cross-origin isolated. `meniscus view` serves it with all cores.',
    takesPokes: method.poke !== undefined,
    folder: startFolder(loaded, threads.count),
  });
  const { volume: every, particles = false } = loaded.output;
  // The page keeps every frame itself, so nothing is saved for resuming but the last.
  const output = { surface: true, volume: 1, particles, checkpoint: Number.MAX_SAFE_INTEGER };
  const led = attachHandles(scene);
  const simulation = new Run({ method, scene: led.scene, output, resources: { heap, threads } });
  for (const event of simulation.events()) {
    if (event.type === 'step') {
      reply({ type: 'step', record: event.record as unknown as StatsRecord, at: performance.now() });
      await listen();
      for (const point of pokes.splice(0))
        if (simulation.poke(point)) reply({ type: 'poked', step: event.record.step });
      for (const [solid, to] of leads) {
        const leg = led.handles.get(solid)?.lead(to, simulation.time, 1 / scene.fps);
        if (leg) reply({ type: 'led', solid, leg });
      }
      leads.clear();
      previews.send(simulation, event.record);
    } else if (event.type === 'frame' && event.surface) {
      const { frame: index, surface, volume, particles } = event;
      const frame = prepareFrame({ index, surface, volume, particles });
      const files = encodeFrame(event, every !== false && index % every === 0);
      const saved = { files, balance: simulation.balance(), peakHeapBytes: heap.peakBytes };
      reply({ type: 'frame', frame, saved }, [
        ...listBuffers(frame),
        ...files.map(({ bytes }) => bytes.buffer),
      ]);
    } else if (event.type === 'checkpoint' && event.frame > 0) {
      const snapshot = simulation.snapshot();
      const bytes = encodeSnapshot(snapshot);
      reply({ type: 'checkpoint', file: { path: checkpointFile(snapshot), bytes } }, [bytes.buffer]);
    }
  }
  await threads.close();
  reply({ type: 'done', balance: describeBalance(simulation.balance()) });
}

/** What `meniscus run` writes before the first step; a page has no process and no machine to name. */
function startFolder(loaded: LoadedScene, threads: number): FolderStart {
  const { scene, title, assets } = loaded;
  return {
    info: {
      format: 1,
      name: scene.name,
      title,
      method: scene.method,
      version,
      threads,
      seed: scene.seed,
      process: { pid: 1, host: 'a page' },
      fps: scene.fps,
      lastFrame: countFrames(scene),
      notes: listNotes(loaded),
      ...describePresentation(scene.method),
      scene: nameAssets(loaded),
    },
    assets: [...assets].map(([file, bytes]) => ({
      path: assetFile(file, assets),
      bytes: Uint8Array.from(bytes),
    })),
  };
}

/**
 * The files of a frame; `isVolumeKept`: the page always has tetrahedra to cut, of which a folder may keep
 * none.
 */
function encodeFrame(
  { frame, surface, volume, particles }: RunEvent & { type: 'frame' },
  isVolumeKept: boolean,
): SavedFile[] {
  const files: SavedFile[] = [];
  const add = (kind: FrameKind, bytes: Uint8Array<ArrayBuffer>) =>
    files.push({ path: frameFile(kind, frame), bytes });
  if (surface) add('surface', encodeSurface(surface));
  if (particles) add('particles', encodeParticles(particles));
  if (volume && isVolumeKept) add('volume', encodeVolume(volume));
  return files;
}

/** Shares of the time that previews may take, and the shortest time between two, milliseconds. */
const PREVIEW_SHARE = 0.1;
const PREVIEW_INTERVAL = 40;

/** The surface after a step, as often as the page can draw it and it costs the run little. */
class Previews {
  /** The page waits for one. */
  wanted = true;
  private next = 0;

  send(simulation: Run, { time, frame: index }: { time: number; frame: number }): void {
    const start = performance.now();
    if (!this.wanted || start < this.next) return;
    const frame = prepareFrame({ index, surface: simulation.surface() });
    reply({ type: 'preview', frame, time }, listBuffers(frame));
    this.wanted = false;
    const end = performance.now();
    this.next = end + Math.max(PREVIEW_INTERVAL, (end - start) / PREVIEW_SHARE);
  }
}

const previews = new Previews();

/** Clicks that came while a step was computed. */
const pokes: (readonly [number, number, number])[] = [];

/** Where solids are wanted by now, by their numbers in the scene: the last word counts. */
const leads = new Map<number, readonly [number, number, number]>();

/**
 * Lets the messages in that are waiting. A timer would wait four milliseconds; a message of one's own comes
 * right after them.
 */
function listen(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

interface RawFrame {
  readonly index: number;
  readonly surface: SurfaceFrame;
  readonly volume?: VolumeFrame | undefined;
  readonly particles?: ParticleFrame | undefined;
}

function prepareFrame({ index, surface, volume, particles }: RawFrame): FrameData {
  return {
    index,
    particles: particles ? prepareParticles(particles) : null,
    surface: prepareSurface({
      position: surface.mesh.position,
      triangle: surface.mesh.triangle,
      fields: toFields(surface.vertexFields, surface.faceFields),
      parts: surface.parts,
    }),
    volume: volume
      ? prepareVolume({
          position: volume.mesh.position,
          tet: volume.mesh.tet,
          fields: toFields(volume.vertexFields, volume.cellFields),
        })
      : null,
  };
}

self.onmessage = async (event: MessageEvent<LiveRequest>) => {
  const request = event.data;
  if (request.type === 'poke') {
    pokes.push(request.point);
    return;
  }
  if (request.type === 'lead') {
    leads.set(request.solid, request.to);
    return;
  }
  if (request.type === 'ready') {
    previews.wanted = true;
    return;
  }
  try {
    await (request.type === 'describe' ? describe(request.scene) : run(request.scene));
  } catch (error) {
    reply({ type: 'failed', message: (error as Error).message });
  }
};
