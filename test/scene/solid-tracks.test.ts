import { describe, expect, it } from 'vitest';
import { writeObj } from '../../src/io/obj.ts';
import type { TriMesh } from '../../src/mesh/trimesh.ts';
import { measureVolume } from '../../src/mesh/trimesh-measure.ts';
import { buildSolidTracks } from '../../src/scene/solid-tracks.ts';
import { cubeMesh } from '../geometry/meshes.ts';

const domain = { min: [0, 0, 0], max: [1, 1, 1] };
const readFile = async (file: string) => {
  if (file !== 'cube.obj') throw new Error(`no ${file}`);
  return writeObj(cubeMesh());
};
const build = (...solids: unknown[]) => buildSolidTracks({ domain, solids }, readFile);

function measureBounds({ position }: TriMesh): number[] {
  const along = (k: number) => Array.from(position).filter((_, i) => i % 3 === k);
  return [0, 1, 2].flatMap((k) => [Math.min(...along(k)), Math.max(...along(k))]);
}

describe('solids as surfaces', () => {
  it('shapes stand where their transforms put them, parts of a union together', async () => {
    const transform = { scale: 2, rotate: { axis: [0, 0, 1], degrees: 90 }, translate: [1, 0, 0] };
    const { tracks, notes } = await build({
      name: 'two',
      shape: {
        type: 'union',
        transform,
        shapes: [
          { type: 'box', min: [0, 0, 0], max: [0.2, 0.1, 0.3] },
          { type: 'mesh', file: 'cube.obj', transform: { scale: 0.1, translate: [0, 0, 1] } },
        ],
      },
    });
    expect(notes).toEqual([]);
    expect(tracks.map(({ name, motion }) => [name, motion])).toEqual([['two', undefined]]);
    // x goes to y, y to -x, doubled.
    const expected = [0.8, 1, 0, 0.4, 0, 2.2];
    measureBounds(tracks[0].mesh).forEach((x, i) => {
      expect(x).toBeCloseTo(expected[i], 12);
    });
    expect(measureVolume(tracks[0].mesh)).toBeCloseTo(8 * (0.006 + 0.001), 12);
  });

  it('moving ones have their motion, nameless ones a number', async () => {
    const rotate = { axis: [0, 0, 1], pivot: [0, 0, 0], revolutionsPerSecond: 0.25, ramp: 0 };
    const { tracks } = await build({
      shape: { type: 'sphere', centre: [0.5, 0, 0], radius: 0.1 },
      motion: { rotate },
    });
    expect(tracks[0].name).toBe('solid 1');
    const { rotation } = tracks[0].motion!.poseAt(1);
    expect(rotation[3]).toBeCloseTo(1, 12);
  });

  it('endless ones are cut off close around the domain, also inside unions', async () => {
    const ground = { type: 'halfspace', point: [0, 0, 0], normal: [0, 0, 1] };
    const { tracks } = await build(
      { shape: ground },
      { shape: { type: 'union', shapes: [ground], transform: { translate: [0, 0, 0.5] } } },
      {
        shape: {
          type: 'difference',
          from: ground,
          minus: [{ type: 'sphere', centre: [0.5, 0.5, 0], radius: 0.3 }],
        },
      },
    );
    const margin = 0.02 * Math.sqrt(3);
    const width = 1 + 2 * margin;
    expect(measureVolume(tracks[0].mesh) / (margin * width * width)).toBeCloseTo(1, 2);
    expect(measureVolume(tracks[1].mesh) / ((0.5 + margin) * width * width)).toBeCloseTo(1, 2);
    expect(measureVolume(tracks[2].mesh)).toBeLessThan(margin * width * width);
    for (const { mesh } of tracks) expect(Math.min(...measureBounds(mesh))).toBeGreaterThan(-margin - 1e-3);
  });

  it('what cannot be built is named, and the others are there', async () => {
    const { tracks, notes } = await build(
      { name: 'lost', shape: { type: 'mesh', file: 'gone.obj' } },
      { name: 'kept', shape: { type: 'box', min: [0, 0, 0], max: [1, 1, 1] } },
    );
    expect(tracks.map(({ name }) => name)).toEqual(['kept']);
    expect(notes).toEqual(['solid lost is left out: no gone.obj']);
  });

  it('a document that is no scene is refused by its place', async () => {
    await expect(build({ shape: { type: 'blob' } })).rejects.toThrow(/^scene solids\.0\.shape/);
  });
});
