/** Starts whose surfaces meet, or that lie in each other without saying so, are refused. */
import { describe, expect, test } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { tracking } from '../../../src/methods/tracking/tracking.ts';
import { loadScene } from '../../../src/scene/load.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };

async function build(...start: unknown[]): Promise<string> {
  const text = JSON.stringify({
    version: 1,
    method: 'tracking',
    duration: 1,
    domain: { min: [-2, -2, -2], max: [2, 2, 2] },
    resolution: 0.2,
    tracking: { start, flows: [{ type: 'normal', speed: 0.1 }], timeStep: 0.1 },
  });
  const readFile = () => Promise.reject(new Error('no files here'));
  const { scene } = await loadScene({ file: 'a.jsonc', text }, { methods: [tracking], readFile });
  try {
    tracking.build(scene, resources);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}

const sphere = (x: number, radius = 0.5, label = 1) => ({ type: 'sphere', centre: [x, 0, 0], radius, label });

describe('starts', () => {
  test('at one place', async () => {
    expect(await build(sphere(0), sphere(0))).toMatch(
      /^tracking\.start\[0\] and tracking\.start\[1\]: overlap: their surfaces meet at .*; move them apart/,
    );
  });
  test('through each other', async () => {
    expect(await build(sphere(0), sphere(1.5), sphere(0.7))).toMatch(
      /^tracking\.start\[0\] and tracking\.start\[2\]: overlap/,
    );
  });
  test('one in the other', async () => {
    expect(await build(sphere(0, 1), sphere(0, 0.4, 2))).toMatch(
      /^tracking\.start\[1\]: region 0 is around it, but it lies in region 1 of tracking\.start\[0\]; move it out/,
    );
  });
  test('side by side are fine', async () => {
    expect(await build(sphere(-1), sphere(1, 0.5, 2))).toBe('accepted');
  });
});
