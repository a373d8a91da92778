/**
 * Touching a running surface: the nearest face is found, the method changes its state, and the run goes on
 * from there.
 */
import { describe, expect, test } from 'vitest';
import { NONE } from '../../src/core/types.ts';
import type { Poke } from '../../src/methods/method.ts';
import { findNearestFace } from '../../src/run/poke.ts';
import type { AnyMethod } from '../../src/run/registry.ts';
import { Run } from '../../src/run/runner.ts';
import type { Scene } from '../../src/scene/scene.ts';
import { buildBall, resources } from './ball-scene.ts';
import { bouncingBall } from './bouncing-ball.js';

const ball = buildBall();
const scene: Scene = {
  ...ball,
  duration: 0.2,
  gravity: [0, 0, 0],
  liquids: ball.liquids.map((liquid) => ({ ...liquid, velocity: [0, 0, 0] })),
};

function createRun(method: AnyMethod): Run {
  const output = { surface: true, volume: false as const, checkpoint: 1 };
  return new Run({ method, scene, output, resources, now: () => 0 });
}

describe('the nearest face', () => {
  const mesh = {
    vertexCount: 6,
    triangleCount: 2,
    position: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1),
    triangle: Int32Array.of(0, 1, 2, 3, 4, 5),
  };

  test('is found from either side, and from beyond its edges', () => {
    expect(findNearestFace(mesh, [0.2, 0.2, 0.3])).toBe(0);
    expect(findNearestFace(mesh, [0.2, 0.2, 0.8])).toBe(1);
    expect(findNearestFace(mesh, [5, 5, 0.51])).toBe(1);
    expect(findNearestFace({ ...mesh, triangleCount: 0 }, [0, 0, 0])).toBe(NONE);
  });
});

describe('a poke', () => {
  test('changes the run between two steps, and what would be saved', () => {
    const seen: Poke[] = [];
    const pokeable: AnyMethod = {
      ...bouncingBall,
      poke(_model, state, event) {
        seen.push(event);
        state.velocity[0] = 0.5;
      },
    };
    const run = createRun(pokeable);
    let last = 0;
    for (const event of run.events()) {
      if (event.type === 'step' && event.record.step === 3) {
        expect(run.poke([0.58, 0.52, 0.52])).toBe(true);
        expect(run.snapshot().record.arrays['velocity'][0]).toBe(0.5);
      }
      if (event.type === 'frame') last = event.surface?.mesh.position[0] ?? 0;
    }
    expect(seen).toHaveLength(1);
    expect(seen[0].point).toEqual([0.58, 0.52, 0.52]);
    // The octahedron's face towards +x, +y, +z.
    expect(seen[0].face).toBe(0);
    const still = [...createRun(bouncingBall).events()].flatMap((e) => (e.type === 'frame' ? [e] : []));
    expect(last - (still.at(-1)?.surface?.mesh.position[0] ?? 0)).toBeGreaterThan(0.05);
  });

  test('is refused by methods that take none', () => {
    const run = createRun(bouncingBall);
    for (const event of run.events()) if (event.type === 'step') expect(run.poke([0, 0, 0])).toBe(false);
  });
});
