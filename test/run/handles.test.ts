import { describe, expect, it } from 'vitest';
import { attachHandles } from '../../src/run/handles.ts';
import { methods } from '../../src/run/registry.ts';
import { loadScene } from '../../src/scene/load.ts';

const load = (solid: Record<string, unknown>, method = 'viscous') =>
  loadScene(
    {
      file: 'spoon.jsonc',
      text: JSON.stringify({
        version: 1,
        method,
        duration: 1,
        fps: 25,
        domain: { min: [0, 0, 0], max: [1, 1, 1] },
        resolution: 0.05,
        liquids: [{ shape: { type: 'box', min: [0, 0, 0], max: [1, 1, 0.3] } }],
        solids: [
          { shape: { type: 'sphere', centre: [0.2, 0.2, 0.1], radius: 0.1 } },
          {
            shape: {
              type: 'union',
              shapes: [
                { type: 'sphere', centre: [0.5, 0.5, 0.5], radius: 0.1 },
                { type: 'capsule', from: [0.5, 0.5, 0.5], to: [0.5, 0.5, 2], radius: 0.06 },
              ],
            },
            ...solid,
          },
        ],
      }),
    },
    { methods, readFile: () => Promise.reject(new Error('no files')) },
  );

describe('handles', () => {
  it('lead all parts of their solid, and nothing else', async () => {
    const { scene } = await load({ handle: true });
    expect(scene.solids.every(({ motion }) => motion === undefined)).toBe(true);
    const led = attachHandles(scene);
    expect([...led.handles.keys()]).toEqual([1]);
    const hand = led.handles.get(1)!;
    expect(led.scene.solids.map(({ motion }) => motion)).toEqual([undefined, hand, hand]);
    // Two cells a frame: 2.5 m/s. The ball stays two cells clear of the walls; the stick leaves by the top
    // already.
    const leg = hand.lead([-3, 0.1, 7], 0, 0.04);
    expect(leg.end[0]).toBeCloseTo(-0.3, 12);
    expect(leg.end[1]).toBeCloseTo(0.1, 12);
    expect(leg.end[2]).toBeCloseTo(1, 12);
    expect(leg.until).toBeCloseTo(Math.hypot(0.3, 0.1, 1) / 2.5, 12);
    expect(hand.lead([0, 0, -3], 9, 0.04).end[2]).toBeCloseTo(-0.3, 12);
  });

  it('leave scenes without any as they are', async () => {
    const { scene } = await load({});
    const led = attachHandles(scene);
    expect(led.handles.size).toBe(0);
    expect(led.scene).toEqual(scene);
  });

  it('are refused on what moves by itself, and by methods without moving solids', async () => {
    await expect(load({ handle: true, motion: { translate: { velocity: [1, 0, 0] } } })).rejects.toThrow(
      /handle/,
    );
    await expect(load({ handle: true }, 'tracking')).rejects.toThrow();
  });
});
