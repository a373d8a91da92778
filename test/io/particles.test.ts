/**
 * Particles and several surfaces in a frame, through every format, read back by others where there is a
 * reader.
 */
import { WebIO } from '@gltf-transform/core';
import { PLYLoader } from 'three/examples/jsm/loaders/PLYLoader.js';
import { describe, expect, it } from 'vitest';
import { validateParticleFrame, validateSurfaceFrame } from '../../src/io/check-frame.ts';
import { decodeParticles, decodeSurface, encodeParticles, encodeSurface } from '../../src/io/frame-files.ts';
import { listPartFaces, type TimedFrame } from '../../src/io/frames.ts';
import { writeGlb } from '../../src/io/glb.ts';
import { writeObj } from '../../src/io/obj.ts';
import { writePlyPoints } from '../../src/io/ply.ts';
import { computeTurn, turnParticles } from '../../src/io/up-axis.ts';
import { writeUsda } from '../../src/io/usda.ts';
import { writePointsVtu } from '../../src/io/vtu.ts';
import type { ParticleFrame } from '../../src/mesh/fields.ts';
import { joinSurfaces } from '../../src/mesh/join-surfaces.ts';
import { cubeMesh, tetrahedronMesh } from '../geometry/meshes.ts';
import { makeFrame } from './fixtures.ts';

const spray = (count: number, shift = 0): ParticleFrame => ({
  count,
  position: Float64Array.from({ length: 3 * count }, (_, i) => 0.25 * i + shift),
  fields: {
    velocity: { components: 3, unit: 'm/s', values: Float32Array.from({ length: 3 * count }, (_, i) => i) },
    radius: { components: 1, unit: 'm', values: Float32Array.from({ length: count }, (_, i) => 0.125 + i) },
    age: { components: 1, unit: 's', values: Float32Array.from({ length: count }, (_, i) => 2 * i) },
    kind: { components: 1, unit: '1', values: Int32Array.from({ length: count }, (_, i) => i % 3) },
  },
});
const two = joinSurfaces([
  { name: 'liquid', frame: makeFrame(cubeMesh()) },
  { name: 'bubble', frame: { ...makeFrame(tetrahedronMesh()), faceFields: {} } },
]);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('particles', () => {
  it('come back from a run folder as they were, none and many', () => {
    for (const count of [0, 1, 7])
      expect(decodeParticles(encodeParticles(spray(count)), 'p')).toEqual(spray(count));
  });

  it('are a point cloud to others', () => {
    const { buffer } = encodeParticles(spray(5));
    const geometry = new PLYLoader().parse(buffer);
    expect([...geometry.getAttribute('position').array]).toEqual([...new Float32Array(spray(5).position)]);
    expect(geometry.index).toBeNull();
    const text = decode(writePlyPoints(spray(2), { ascii: true, comments: ['frame 3'] }));
    expect(text).toContain('comment frame 3\n');
    expect(text.split('\n').at(-2)).toBe('0.75 1 1.25 3 4 5 1.125 2 1');
  });

  it('are cells of their own in VTU', () => {
    const text = new TextDecoder('latin1').decode(writePointsVtu(spray(5)));
    expect(text).toContain('NumberOfPoints="5" NumberOfCells="5"');
    for (const name of ['velocity', 'radius', 'age', 'kind']) expect(text).toContain(`Name="${name}"`);
    expect(text).toContain('Unit="m/s"');
  });

  it('turn with the axis that is up', () => {
    const turned = turnParticles(spray(1), computeTurn('z', 'y'));
    const [x, y, z] = spray(1).position;
    expect([...turned.position]).toEqual([x, z, -y]);
    expect([...turned.fields['velocity'].values]).toEqual([0, 2, -1]);
    expect(turned.fields['radius']).toEqual(spray(1).fields['radius']);
  });

  it('are held to what a reader expects', () => {
    const { velocity, radius } = spray(2).fields;
    const check = (fields: ParticleFrame['fields']) => () =>
      validateParticleFrame({ ...spray(2), fields }, 'x');
    expect(check({ velocity, radius })).not.toThrow();
    expect(check({ velocity })).toThrow('no radius');
    expect(check({ radius })).toThrow('no velocity');
    expect(check({ velocity, radius: { ...radius, values: Float32Array.of(1, -1) } })).toThrow(
      'particle 1 is -1',
    );
    expect(check({ velocity, radius: { ...radius, values: Float32Array.of(1, NaN) } })).toThrow('NaN');
  });
});

describe('particles in sequences', () => {
  const frames: TimedFrame[] = [0, 1, 2].map((n) => ({
    time: n / 24,
    frame: makeFrame(cubeMesh()),
    ...(n !== 1 && { particles: spray(n + 1, n) }),
  }));
  const without = frames.map(({ time, frame }) => ({ time, frame }));

  it('USDA: points with widths, velocities and primvars, at the frames that have some', () => {
    const usda = decode(writeUsda(frames, { fps: 24 }));
    const points = usda.slice(usda.indexOf('def Points "particles"'));
    expect(points).toContain('point3f[] points.timeSamples');
    expect(points).toMatch(
      /float\[\] widths\.timeSamples = \{\n\s+0: \[0\.25\],\n\s+2: \[0\.25, 2\.25, 4\.25\],\n/,
    );
    expect(points).toContain('vector3f[] velocities.timeSamples');
    expect(points).toContain('int[] primvars:kind.timeSamples');
    expect(usda.split('{').length).toBe(usda.split('}').length);
    expect(decode(writeUsda(without, { fps: 24 }))).not.toContain('Points');
  });

  it('GLB: points below the node of their frame, with radii, moving with their velocity', async () => {
    const document = await new WebIO().readBinary(await writeGlb(frames, { fps: 24 }));
    const nodes = document.getRoot().listNodes();
    const below = nodes.filter((node) => node.getName().startsWith('particles'));
    expect(below.map((node) => node.getParentNode()?.getName())).toEqual(['frame 0', 'frame 2']);
    const [primitive] = below[1].getMesh()!.listPrimitives();
    expect(primitive.getMode()).toBe(0);
    expect(primitive.getAttribute('POSITION')!.getCount()).toBe(3);
    expect(primitive.getAttribute('_RADIUS')!.getArray()).toEqual(spray(3).fields['radius'].values);
    const target = primitive.listTargets()[0].getAttribute('POSITION')!;
    expect(target.getElement(1, [])[0]).toBeCloseTo(3 / 24, 6);
    const weights = document.getRoot().listAnimations()[0].listChannels();
    expect(weights.some((c) => c.getTargetNode() === below[1] && c.getTargetPath() === 'weights')).toBe(true);
  });
});

describe('several surfaces in a frame', () => {
  it('joined: vertices, faces and fields one after the other, with the part of each face', () => {
    const [cube, tetrahedron] = [cubeMesh(), tetrahedronMesh()];
    expect(two.mesh.vertexCount).toBe(cube.vertexCount + tetrahedron.vertexCount);
    expect(two.mesh.triangle[3 * cube.triangleCount]).toBe(tetrahedron.triangle[0] + cube.vertexCount);
    expect(two.parts).toEqual([
      { label: 0, name: 'liquid' },
      { label: 1, name: 'bubble' },
    ]);
    const faces = listPartFaces(two);
    expect(faces.map(({ face }) => face.length)).toEqual([cube.triangleCount, tetrahedron.triangleCount]);
    // The tetrahedron has no field of its own there.
    expect(two.faceFields['region'].values.slice(cube.triangleCount).every((x) => x === 0)).toBe(true);
    expect(() => validateSurfaceFrame(two, 'x')).not.toThrow();
    expect(() => validateSurfaceFrame({ ...two, parts: two.parts!.slice(1) }, 'x')).toThrow('of part 0');
    expect(() => validateSurfaceFrame({ ...two, faceFields: {} }, 'x')).toThrow('no field part');
    const twice = [...two.parts!, { label: 1, name: 'other' }];
    expect(() => validateSurfaceFrame({ ...two, parts: twice }, 'x')).toThrow(
      '3 surfaces are named by 2 labels',
    );
  });

  it('PLY keeps their names; a frame of one surface has not a byte more', () => {
    const read = decodeSurface(encodeSurface(two), 'x');
    expect(read.parts).toEqual(two.parts);
    expect(read.faceFields['part']).toEqual(two.faceFields['part']);
    const one = makeFrame(cubeMesh());
    expect(decodeSurface(encodeSurface(one), 'x')).not.toHaveProperty('parts');
    expect(decode(encodeSurface(one))).not.toContain('comment part');
  });

  it('OBJ has an object of each, USDA a subset, GLB a primitive with a material', async () => {
    const obj = decode(writeObj(two.mesh, [], listPartFaces(two)));
    expect(obj.match(/^o .*$/gm)).toEqual(['o liquid', 'o bubble']);
    expect(obj.match(/^f /gm)).toHaveLength(two.mesh.triangleCount);
    const usda = decode(writeUsda([{ time: 0, frame: two }]));
    expect(usda).toMatch(/def GeomSubset "bubble"\s+\{[^}]*elementType = "face"[^}]*0: \[12, 13, 14, 15\]/);
    const alike = two.parts!.map((part, n) => ({ ...part, name: n === 0 ? 'a-b' : 'a_b' }));
    const both = decode(writeUsda([{ time: 0, frame: { ...two, parts: alike } }]));
    expect(both.match(/GeomSubset "\w+"/g)).toEqual(['GeomSubset "a_b"', 'GeomSubset "a_b_2"']);
    const document = await new WebIO().readBinary(await writeGlb([{ time: 0, frame: two }]));
    const primitives = document.getRoot().listMeshes()[0].listPrimitives();
    expect(primitives.map((p) => p.getMaterial()?.getName())).toEqual(['liquid', 'bubble']);
    expect(primitives.map((p) => p.getIndices()!.getCount())).toEqual([36, 12]);
    expect(primitives[0].getAttribute('POSITION')).toBe(primitives[1].getAttribute('POSITION'));
  });
});
