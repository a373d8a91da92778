import { Color, SRGBColorSpace } from 'three';
import { expect, test } from 'vitest';
import { encodeParticles } from '../../src/io/frame-files.ts';
import { joinSurfaces } from '../../src/mesh/join-surfaces.ts';
import type { Decoder } from '../../viewer/src/data/decoder.ts';
import { listBuffers } from '../../viewer/src/data/decoder.ts';
import { DroppedFolder, FolderRun } from '../../viewer/src/data/folder-run.ts';
import { prepareParticles, prepareSurface, toFields } from '../../viewer/src/data/prepare.ts';
import { findColorMap } from '../../viewer/src/view/colormap.ts';
import { computePyramid, parseCamera } from '../../viewer/src/view/frustum.ts';
import { computeTint, pickParticles, tintKinds } from '../../viewer/src/view/particles.ts';
import { cubeMesh, tetrahedronMesh } from '../geometry/meshes.ts';
import { makeFrame } from '../io/fixtures.ts';

const spray = {
  count: 2,
  position: Float64Array.of(0, 1, 2, 3, 4, 5),
  fields: {
    velocity: { components: 3 as const, unit: 'm/s', values: new Float32Array(6) },
    radius: { components: 1 as const, unit: 'm', values: Float32Array.of(0.5, 0.25) },
  },
};

test('particles of a frame are asked for where the run keeps them and has them', async () => {
  const files = new Map<string, File>();
  const add = (path: string, part: BlobPart) => files.set(path, new File([part], path));
  const run = { status: 'done', totals: { frames: 5 }, scene: { output: { particles: 2 } } };
  add('run.json', JSON.stringify(run));
  for (let n = 0; n < 5; n++) add(`surface/00000${n}.ply`, 'x');
  for (const n of [0, 1, 2]) add(`particles/00000${n}.ply`, encodeParticles(spray));
  const asked: (string | null)[] = [];
  const decoder = {
    decode: async (_: number, { particles }: { particles: File | null }) =>
      asked.push(particles?.name ?? null),
  } as unknown as Decoder;
  const source = await FolderRun.open(new DroppedFolder(files, 'x'), decoder);
  for (let n = 0; n < 5; n++) await source.load(n, false);
  expect(asked).toEqual(['particles/000000.ply', null, 'particles/000002.ply', null, null]);
});

test('prepared for the card, and moved between threads', () => {
  const particles = prepareParticles(spray);
  expect([...particles.position]).toEqual([0, 1, 2, 3, 4, 5]);
  expect([...particles.radius]).toEqual([0.5, 0.25]);
  const surface = prepareSurface({ position: [], triangle: [], fields: [] });
  const buffers = listBuffers({ index: 0, surface, volume: null, particles });
  for (const { buffer } of [particles.position, particles.radius]) expect(buffers).toContain(buffer);
});

test('several surfaces are regions with names', () => {
  const { mesh, vertexFields, faceFields, parts } = joinSurfaces([
    { name: 'liquid', frame: { ...makeFrame(cubeMesh()), faceFields: {} } },
    { name: 'bubble', frame: { ...makeFrame(tetrahedronMesh()), faceFields: {} } },
  ]);
  const { regions } = prepareSurface({
    position: mesh.position,
    triangle: mesh.triangle,
    fields: toFields(vertexFields, faceFields),
    parts,
  });
  expect([...regions!.labels]).toEqual([0, 1, 2]);
  expect(regions!.names).toEqual({ 1: 'liquid', 2: 'bubble' });
  expect([...regions!.back].filter((label) => label === 2)).toHaveLength(4);
});

test('colours by a field: the ends of the map at the ends of the range, and beyond them', () => {
  const map = findColorMap('lagoon');
  const tint = computeTint(map, Float32Array.of(-5, 0, 1, 9, Number.NaN), [0, 1]);
  const colors = [0, 1, 2, 3].map((i) => [...tint.slice(3 * i, 3 * i + 3)]);
  expect(colors[0]).toEqual(colors[1]);
  expect(colors[3]).toEqual(colors[2]);
  const expected = new Color().setRGB(
    map.bytes[0] / 255,
    map.bytes[1] / 255,
    map.bytes[2] / 255,
    SRGBColorSpace,
  );
  expect(colors[1]).toEqual(expected.toArray().map(Math.fround));
  expect(colors[1]).not.toEqual(colors[2]);
});

test('kinds have colours of their own, and some of the particles can be taken out', () => {
  const kinds = Float32Array.of(0, 1, 2, 3, 1);
  const tint = tintKinds(kinds);
  const at = (n: number) => Array.from(tint.subarray(3 * n, 3 * n + 3));
  expect(at(1)).toEqual([1, 1, 1]);
  expect(at(4)).toEqual(at(1));
  expect(new Set([0, 1, 2, 3].map((n) => String(at(n)))).size).toBe(4);
  const few = pickParticles(prepareParticles(spray), (n) => n === 1);
  expect([...few.position]).toEqual([3, 4, 5]);
  expect([...few.radius]).toEqual([0.25]);
  expect(few.fields.map(({ name, values }) => [name, values.length])).toEqual([
    ['velocity', 3],
    ['radius', 1],
  ]);
});

test('the camera of the scene: a pyramid that follows its poses', () => {
  const spec = parseCamera({
    poses: [
      { time: 0, position: [0, -2, 0], target: [0, 0, 0] },
      { time: 2, position: [4, -2, 0], target: [4, 0, 0] },
    ],
    fieldOfView: 90,
    aspect: 2,
  })!;
  const rounded = (time: number) =>
    Array.from(computePyramid(spec, time, 1), (x) => Math.round(1e4 * x) / 1e4 + 0);
  expect(rounded(0).slice(0, 15)).toEqual([0, -2, 0, -2, -1, -1, 2, -1, -1, 2, -1, 1, -2, -1, 1]);
  expect(rounded(1).slice(0, 3)).toEqual([2, -2, 0]);
  expect(rounded(9).slice(0, 3)).toEqual([4, -2, 0]);
  expect(parseCamera(undefined)).toBeNull();
  expect(parseCamera({ poses: [] })).toBeNull();
});
