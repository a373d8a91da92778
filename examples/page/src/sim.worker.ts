/** The simulation, in a worker of its own so that the page stays free, with a thread per core. */
import {
  countFrames,
  createBrowserThreads,
  createHeap,
  getMethod,
  loadScene,
  methods,
  Run,
  type SurfaceFrame,
} from 'meniscus';
import type { Message } from './messages.ts';

const text = `{
  "version": 1, "method": "lattice", "duration": 1, "fps": 30, "resolution": 0.06,
  "domain": { "min": [0, 0, 0], "max": [1, 1, 1] },
  "liquids": [
    { "shape": { "type": "box", "min": [-1, -1, -1], "max": [2, 2, 0.25] }, "material": "water" },
    { "shape": { "type": "sphere", "centre": [0.5, 0.5, 0.65], "radius": 0.15 }, "velocity": [0, 0, -1] }
  ]
}`;

const send = (message: Message, transfer: Transferable[] = []) => postMessage(message, { transfer });

function sendSurface({ mesh }: SurfaceFrame, frame: number, time: number): void {
  const position = Float32Array.from(mesh.position);
  const triangle = Uint32Array.from(mesh.triangle);
  send({ type: 'surface', position, triangle, frame, time }, [position.buffer, triangle.buffer]);
}

async function simulate(): Promise<void> {
  const readFile = async (file: string) => new Uint8Array(await (await fetch(file)).arrayBuffer());
  const { scene, output } = await loadScene({ file: 'drop.jsonc', text }, { methods, readFile });
  const heap = createHeap();
  const threads = await createBrowserThreads({
    heap,
    // Bundlers find the worker by these very words.
    createWorker: () => new Worker(new URL('meniscus/worker', import.meta.url), { type: 'module' }),
  });
  send({ type: 'started', threads: threads.count, frames: countFrames(scene), note: threads.reason ?? '' });
  const run = new Run({ method: getMethod(scene.method), scene, output, resources: { heap, threads } });
  for (const event of run.events()) {
    if (event.type === 'frame' && event.surface) sendSurface(event.surface, event.frame, event.time);
  }
  await threads.close();
  send({ type: 'done' });
}

simulate().catch((error: Error) => send({ type: 'failed', message: error.message }));
