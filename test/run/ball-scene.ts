/** The bouncing ball in a tetrahedron that comes from a file: the scene that tests of run folders start from. */
import { createHeap } from '../../src/core/heap.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { type LoadedScene, loadScene } from '../../src/scene/load.ts';
import { bouncingBall } from './bouncing-ball.js';

export const resources = { heap: createHeap({ maximumBytes: 2 ** 20 }), threads: createSingleThread() };

export const box = `v 0.2 0.2 0.2\nv 0.8 0.2 0.2\nv 0.2 0.8 0.2\nv 0.2 0.2 0.8\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`;

/** Six frames. `file` is where the scene says that the tetrahedron is. */
export function loadBall(file: string): Promise<LoadedScene> {
  const text = JSON.stringify({
    version: 1,
    method: 'ball',
    duration: 0.25,
    fps: 20,
    domain: { min: [0, 0, 0], max: [1, 1, 1] },
    resolution: 0.1,
    liquids: [{ shape: { type: 'mesh', file } }],
    output: { volume: 2 },
  });
  const readFile = async () => new TextEncoder().encode(box);
  return loadScene({ file: 'a.json', text }, { methods: [bouncingBall], readFile });
}
