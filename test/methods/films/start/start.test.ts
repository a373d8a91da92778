/** Starts: a jittered block of boxes is the block with its corners shifted, by the scene's seed alone. */
import { describe, expect, it } from 'vitest';
import { buildFilms } from '../../../../cases/films/march.ts';
import { createHeap } from '../../../../src/core/heap.ts';
import { createSingleThread } from '../../../../src/core/threads/single.ts';
import { measureRegions } from '../../../../src/tracking/multimaterial/measure.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };
const JITTER = 0.1;

const build = (jitter: number) =>
  buildFilms(resources, 0.25, {
    start: [{ type: 'boxes', min: [-1, -1, -1], max: [1, 1, 1], count: [2, 2, 4], jitter }],
  }).state.tracker.mesh;

describe('a jittered block', () => {
  it('has the triangles of the regular one, moved by no more than the jitter', () => {
    const regular = build(0);
    const jittered = build(JITTER);
    expect(jittered.face).toEqual(regular.face);
    expect(jittered.label).toEqual(regular.label);
    let most = 0;
    for (let n = 0; n < 3 * regular.vertexFill; n++) {
      const box = n % 3 === 2 ? 0.5 : 1;
      most = Math.max(most, Math.abs(jittered.position[n] - regular.position[n]) / box);
    }
    expect(most).toBeLessThanOrEqual(JITTER);
    expect(most).toBeGreaterThan(0.9 * JITTER);
  });

  it('has boxes of different sizes, all of them there', () => {
    const volumes = measureRegions(build(JITTER)).filter(({ label }) => label > 0);
    expect(volumes).toHaveLength(16);
    const sizes = volumes.map(({ volume }) => volume);
    expect(Math.min(...sizes)).toBeGreaterThan(0.3);
    expect(Math.max(...sizes)).toBeGreaterThan(1.05 * Math.min(...sizes));
  });

  it('is the same each time', () => {
    expect(build(JITTER).position).toEqual(build(JITTER).position);
  });
});
