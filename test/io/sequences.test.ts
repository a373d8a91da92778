import { WebIO } from '@gltf-transform/core';
import type { BufferGeometry, Mesh, Object3D } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
import { describe, expect, it } from 'vitest';
import type { TimedFrame } from '../../src/io/frames.ts';
import { writeGlb } from '../../src/io/glb.ts';
import { writeUsda } from '../../src/io/usda.ts';
import { bunnyMesh, cubeMesh, tetrahedronMesh, toMesh } from '../geometry/meshes.ts';
import { makeFrame, maxDifference } from './fixtures.ts';

/** Frames whose vertices and triangles change in number. */
const frames: TimedFrame[] = [cubeMesh(), tetrahedronMesh(), bunnyMesh()].map((mesh, i) => ({
  time: 0.5 + i / 24,
  frame: makeFrame(mesh),
}));

function listGeometries(root: Object3D): BufferGeometry[] {
  const found: BufferGeometry[] = [];
  root.traverse((object) => {
    if ((object as Mesh).isMesh) found.push((object as Mesh).geometry);
  });
  return found;
}

/** Time samples of one attribute as lists of numbers: a parser of the little of usda that the file uses. */
function parseSamples(usda: string, attribute: string): Map<number, number[]> {
  const start = usda.indexOf(`${attribute}.timeSamples = {`);
  expect(start, attribute).toBeGreaterThan(0);
  const body = usda.slice(usda.indexOf('{', start) + 1, usda.indexOf('}', start));
  const samples = new Map<number, number[]>();
  for (const line of body.trim().split('\n')) {
    const [code, list] = line.trim().replace(/,$/, '').split(': ');
    samples.set(Number(code), (list.match(/-?[\d.]+(e[+-]?\d+)?/g) ?? []).map(Number));
  }
  return samples;
}

describe('USDA', () => {
  const usda = new TextDecoder().decode(writeUsda(frames, { fps: 24 }));

  it('has a header with times and units', () => {
    expect(usda.startsWith('#usda 1.0\n(')).toBe(true);
    for (const line of [
      'startTimeCode = 12',
      'endTimeCode = 14',
      'timeCodesPerSecond = 24',
      'metersPerUnit = 1',
    ]) {
      expect(usda).toContain(line);
    }
    expect(usda.split('{').length).toBe(usda.split('}').length);
    expect(usda.split('[').length).toBe(usda.split(']').length);
  });

  it('holds every frame: points, topology, velocities, primvars', () => {
    const points = parseSamples(usda, 'point3f[] points');
    const counts = parseSamples(usda, 'int[] faceVertexCounts');
    const indices = parseSamples(usda, 'int[] faceVertexIndices');
    const velocities = parseSamples(usda, 'vector3f[] velocities');
    const age = parseSamples(usda, 'float[] primvars:age');
    const region = parseSamples(usda, 'int[] primvars:region');
    expect([...points.keys()]).toEqual([12, 13, 14]);
    frames.forEach(({ frame }, i) => {
      const { mesh, vertexFields, faceFields } = frame;
      expect(maxDifference(points.get(12 + i)!.map(Math.fround), mesh.position.map(Math.fround))).toBe(0);
      expect(counts.get(12 + i)).toEqual(Array(mesh.triangleCount).fill(3));
      expect(indices.get(12 + i)).toEqual([...mesh.triangle]);
      expect(maxDifference(velocities.get(12 + i)!, vertexFields['velocity'].values)).toBeLessThan(1e-7);
      expect(maxDifference(age.get(12 + i)!, vertexFields['age'].values)).toBe(0);
      expect(maxDifference(region.get(12 + i)!, faceFields['region'].values)).toBe(0);
    });
    expect(usda).toMatch(/float\[\] primvars:age = \[\] \(\n\s+interpolation = "vertex"/);
    expect(usda).toMatch(/int\[\] primvars:region = \[\] \(\n\s+interpolation = "uniform"/);
    const extent = parseSamples(usda, 'float3[] extent');
    expect(extent.get(12)).toEqual([0, 0, 0, 1, 1, 1]);
  });
});

it('USDA of one frame is what three.js reads', () => {
  const { mesh } = frames[2].frame;
  const group = new USDLoader().parse(new TextDecoder().decode(writeUsda([frames[2]])));
  const [geometry] = listGeometries(group);
  const corners = [...mesh.triangle].flatMap((v) => [...mesh.position.subarray(3 * v, 3 * v + 3)]);
  expect(maxDifference(geometry.getAttribute('position').array, corners)).toBeLessThan(1e-6);
});

describe('GLB', () => {
  it('is what three.js reads', async () => {
    const bytes = await writeGlb(frames);
    const { buffer, byteOffset, byteLength } = bytes;
    const gltf = await new GLTFLoader().parseAsync(buffer.slice(byteOffset, byteOffset + byteLength), '');
    const geometries = listGeometries(gltf.scene);
    frames.forEach(({ frame }, i) => {
      const { position, triangle } = frame.mesh;
      expect(maxDifference(geometries[i].getAttribute('position').array, position.map(Math.fround))).toBe(0);
      expect(maxDifference(geometries[i].getIndex()!.array, triangle)).toBe(0);
      expect(geometries[i].getAttribute('_velocity').count).toBe(frame.mesh.vertexCount);
    });
    expect(gltf.animations[0].duration).toBeCloseTo(3 / 24, 6);
  });

  it('one frame is a plain mesh with its attributes', async () => {
    const document = await new WebIO().readBinary(await writeGlb([frames[2]]));
    const { mesh, vertexFields } = frames[2].frame;
    const [primitive] = document.getRoot().listMeshes()[0].listPrimitives();
    expect(
      maxDifference(primitive.getAttribute('POSITION')!.getArray()!, mesh.position.map(Math.fround)),
    ).toBe(0);
    expect(maxDifference(primitive.getIndices()!.getArray()!, mesh.triangle)).toBe(0);
    const velocity = primitive.getAttribute('_VELOCITY')!;
    expect(velocity.getType()).toBe('VEC3');
    expect(maxDifference(velocity.getArray()!, vertexFields['velocity'].values)).toBeLessThan(1e-7);
    expect(primitive.getAttribute('_AGE')!.getType()).toBe('SCALAR');
    const normal = primitive.getAttribute('NORMAL')!.getArray()!;
    for (let v = 0; v < normal.length; v += 3) {
      expect(Math.hypot(normal[v], normal[v + 1], normal[v + 2])).toBeCloseTo(1, 5);
    }
    expect(document.getRoot().listAnimations().length).toBe(0);
  });

  it('several frames take turns: exactly one has scale 1 at any time', async () => {
    const document = await new WebIO().readBinary(await writeGlb(frames));
    const root = document.getRoot();
    const [upright] = root.listScenes()[0].listChildren();
    expect(upright.getRotation()[0]).toBeCloseTo(-Math.SQRT1_2, 6); // z up to glTF's y up
    expect(upright.listChildren().map((n) => n.getScale()[0])).toEqual([1, 0, 0]);
    const channels = root
      .listAnimations()[0]
      .listChannels()
      .filter((channel) => channel.getTargetPath() === 'scale');
    expect(channels.length).toBe(3);
    for (let k = 0; k < 30; k++) {
      const time = (k + 0.5) / 24 / 10;
      const shown = channels.map((channel) => {
        const sampler = channel.getSampler()!;
        expect(sampler.getInterpolation()).toBe('STEP');
        const keys = sampler.getInput()!.getArray()!;
        const at = Math.max(
          0,
          keys.findLastIndex((t: number) => t <= time),
        );
        return sampler.getOutput()!.getArray()![3 * at];
      });
      // A frame has its turn from half-way to it to half-way to the next; the last stays to the end.
      const nearest = Math.min(2, Math.floor((k + 5) / 10));
      expect(shown).toEqual([0, 1, 2].map((i) => (nearest === i ? 1 : 0)));
    }
    const counts = upright
      .listChildren()
      .map((n) => n.getMesh()!.listPrimitives()[0].getAttribute('POSITION')!.getCount());
    expect(counts).toEqual(frames.map(({ frame }) => frame.mesh.vertexCount));
  });

  it('carries each frame along its velocity while it is shown', async () => {
    const document = await new WebIO().readBinary(await writeGlb(frames));
    const root = document.getRoot();
    const channels = root
      .listAnimations()[0]
      .listChannels()
      .filter((channel) => channel.getTargetPath() === 'weights');
    expect(channels.length).toBe(3);
    frames.forEach(({ frame }, i) => {
      const mesh = root.listMeshes()[i];
      expect(mesh.getExtras()).toEqual({ targetNames: ['velocity'] });
      const way = mesh.listPrimitives()[0].listTargets()[0].getAttribute('POSITION')!.getArray()!;
      const keys = channels[i].getSampler()!;
      expect(keys.getInterpolation()).toBe('LINEAR');
      const [from, to] = keys.getInput()!.getArray()!;
      const [before, after] = keys.getOutput()!.getArray()!;
      // Displacement per second by the animation is the velocity, and none at the frame's own time.
      const rate = (after - before) / (to - from);
      const velocity = Array.from(way as Float32Array, (x) => x * rate);
      expect(maxDifference(velocity, frame.vertexFields['velocity'].values)).toBeLessThan(1e-5);
      expect(before + rate * (i / 24 - from)).toBeCloseTo(0, 6);
    });
  });

  it('keeps the frames per second, and turns up whatever is up', async () => {
    const document = await new WebIO().readBinary(await writeGlb(frames, { fps: 24, up: '-x' }));
    const [scene] = document.getRoot().listScenes();
    expect(scene.getExtras()).toEqual({ fps: 24, frames: 3 });
    const matrix = scene.listChildren()[0].getWorldMatrix();
    // The column of x, negated.
    expect([-matrix[0], -matrix[1], -matrix[2]].map((x) => Math.round(x * 1e6) / 1e6 + 0)).toEqual([0, 1, 0]);
  });

  it('a frame without liquid is an empty mesh', async () => {
    const bytes = await writeGlb([frames[0], { time: 1, frame: makeFrame(toMesh([], [])) }]);
    const document = await new WebIO().readBinary(bytes);
    expect(document.getRoot().listScenes()[0].listChildren()[0].listChildren().length).toBe(2);
  });
});

it('sequences need frames in order of time', async () => {
  expect(() => writeUsda([])).toThrow(/usda: 0 frames/);
  expect(() => writeUsda([frames[1], frames[0]])).toThrow(/frame 1 is at time 0.5 s, after one at/);
  await expect(writeGlb([])).rejects.toThrow(/glb: 0 frames/);
});
