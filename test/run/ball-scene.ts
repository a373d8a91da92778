/**
 * Scenes of the bouncing ball: as the method takes them, and loaded, in a tetrahedron that comes from a file.
 */
import { createHeap } from '../../src/core/heap.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { sphere } from '../../src/geometry/shapes.ts';
import { type LoadedScene, loadScene } from '../../src/scene/load.ts';
import type { Scene } from '../../src/scene/scene.ts';
import { bouncingBall } from './bouncing-ball.js';

export const resources = { heap: createHeap({ maximumBytes: 2 ** 20 }), threads: createSingleThread() };

export const box = `v 0.2 0.2 0.2\nv 0.8 0.2 0.2\nv 0.2 0.8 0.2\nv 0.2 0.2 0.8\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`;

/** A ball on its way through a unit box, as the method takes it. */
export function buildBall(options: Record<string, unknown> = {}): Scene {
  const water = { name: 'water', density: 1000, viscosity: 0, surfaceTension: 0 };
  return {
    name: 'test',
    method: 'ball',
    duration: 0.5,
    fps: 30,
    gravity: [0, 0, -9.81],
    domain: { min: [0, 0, 0], max: [1, 1, 1] },
    wall: 'slip',
    resolution: 0.1,
    liquids: [{ shape: sphere([0.5, 0.5, 0.5], 0.2), material: water, velocity: [0.1, 0, 0] }],
    solids: [],
    emitters: [],
    drains: [],
    options: bouncingBall.options.parse(options),
    seed: 0,
  };
}

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
