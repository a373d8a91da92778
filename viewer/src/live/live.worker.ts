/** A run inside the page: the same library as the command line, in a worker of its own with a team of threads. */
import { createHeap } from '../../../src/core/heap.ts';
import { createThreads } from '../../../src/core/threads/browser.ts';
import type { SurfaceFrame, VolumeFrame } from '../../../src/methods/method.ts';
import { describeBalance } from '../../../src/run/balance.ts';
import { listNotes } from '../../../src/run/notes.ts';
import { findMethod, methods } from '../../../src/run/registry.ts';
import { countFrames, Run } from '../../../src/run/runner.ts';
import { loadScene, readSceneHeader } from '../../../src/scene/load.ts';
import { listBuffers } from '../data/decoder.ts';
import { prepareSurface, prepareVolume, toFields } from '../data/prepare.ts';
import type { FrameData, StatsRecord } from '../data/types.ts';
import { readBundledAsset } from './bundled.ts';
import { listOptions } from './options.ts';
import type { LiveReply, LiveRequest, LiveScene } from './protocol.ts';

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
  const { scene, title, document } = await load(request);
  const method = findMethod(scene.method)!;
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
      wires: (document['films'] as { wires?: unknown[] } | undefined)?.wires ?? [],
      gravity: scene.gravity,
    },
    threads: threads.count,
    note: heap.shared
      ? ''
      : 'One thread: this page is not cross-origin isolated. `meniscus view` serves it with all cores.',
    takesPokes: method.poke !== undefined,
  });
  // The page keeps every frame itself, so nothing is saved for resuming but the last.
  const output = { surface: true, volume: 1, checkpoint: Number.MAX_SAFE_INTEGER };
  const simulation = new Run({ method, scene, output, resources: { heap, threads } });
  for (const event of simulation.events()) {
    if (event.type === 'step') {
      reply({ type: 'step', record: event.record as unknown as StatsRecord, at: performance.now() });
      await listen();
      for (const point of pokes.splice(0))
        if (simulation.poke(point)) reply({ type: 'poked', step: event.record.step });
      previews.send(simulation, event.record);
    } else if (event.type === 'frame' && event.surface) {
      const frame = prepareFrame(event.frame, event.surface, event.volume);
      reply({ type: 'frame', frame }, listBuffers(frame));
    }
  }
  await threads.close();
  reply({ type: 'done', balance: describeBalance(simulation.balance()) });
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
    const frame = prepareFrame(index, simulation.surface(), undefined);
    reply({ type: 'preview', frame, time }, listBuffers(frame));
    this.wanted = false;
    const end = performance.now();
    this.next = end + Math.max(PREVIEW_INTERVAL, (end - start) / PREVIEW_SHARE);
  }
}

const previews = new Previews();

/** Clicks that came while a step was computed. */
const pokes: (readonly [number, number, number])[] = [];

/** Lets the messages in that are waiting. A timer would wait four milliseconds; a message of one's own comes right after them. */
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

function prepareFrame(index: number, surface: SurfaceFrame, volume: VolumeFrame | undefined): FrameData {
  return {
    index,
    surface: prepareSurface({
      position: surface.mesh.position,
      triangle: surface.mesh.triangle,
      fields: toFields(surface.vertexFields, surface.faceFields),
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
