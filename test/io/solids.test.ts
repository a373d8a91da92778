/**
 * Solids in sequences: there, where the motion has them at every time, and with their sharp edges. Read back
 * by three.js.
 */
import { type AnimationClip, AnimationMixer, type Mesh, type Object3D, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../../src/core/types.ts';
import { buildRotation, buildTranslation } from '../../src/geometry/motions.ts';
import { composeMotions, movePoint } from '../../src/geometry/rigid-motion.ts';
import { computeQuaternion, listPoses, type SolidTrack, type TimedFrame } from '../../src/io/frames.ts';
import { writeGlb } from '../../src/io/glb.ts';
import { writeUsda } from '../../src/io/usda.ts';
import { tessellateBox } from '../../src/mesh/tessellate.ts';
import { cubeMesh } from '../geometry/meshes.ts';
import { makeFrame } from './fixtures.ts';

const fps = 24;
/** From 0.5 s on, so that times and time codes differ from frame numbers. */
const frames: TimedFrame[] = [0, 1, 2].map((i) => ({ time: 0.5 + i / fps, frame: makeFrame(cubeMesh()) }));
const motion = composeMotions(
  buildTranslation([0, 0.6, 0], {}),
  buildRotation([0, 0, 1], [0.3, 0.1, 0], 3, {}),
);
const solids: SolidTrack[] = [
  { name: 'post 1', mesh: tessellateBox([0, 0, 0], [0.1, 0.1, 1]) },
  { name: 'paddle', mesh: tessellateBox([0.2, 0, 0], [0.8, 0.1, 0.4]), motion },
];

function findMeshes(root: Object3D, named: RegExp): Mesh[] {
  const found: Mesh[] = [];
  root.traverse((object) => {
    if ((object as Mesh).isMesh && (named.test(object.name) || named.test(object.parent?.name ?? '')))
      found.push(object as Mesh);
  });
  return found;
}

/**
 * Largest distance between where a reader has the paddle's corners and where its motion has them, over
 * several times.
 */
function measureError(
  root: Object3D,
  clips: AnimationClip[],
  toScene: (v: Vector3) => Vec3,
  start: number,
): number {
  const mixer = new AnimationMixer(root);
  for (const clip of clips) mixer.clipAction(clip).play();
  const [mesh] = findMeshes(root, /paddle/);
  const position = mesh.geometry.getAttribute('position');
  let most = 0;
  // A quarter frame lies on a sample; 0.1 of a frame is turned to on the way.
  for (const at of [0, 0.25, 1, 1.1, 1.999]) {
    mixer.setTime(start + at / fps);
    root.updateMatrixWorld(true);
    const expected = [];
    for (let i = 0; i < 24; i++)
      expected.push(
        movePoint(motion.poseAt(0.5 + at / fps), [
          i & 1 ? 0.8 : 0.2,
          (i >> 1) & 1 ? 0.1 : 0,
          (i >> 2) & 1 ? 0.4 : 0,
        ]),
      );
    for (let v = 0; v < position.count; v++) {
      const p = toScene(new Vector3().fromBufferAttribute(position, v).applyMatrix4(mesh.matrixWorld));
      const distances = expected.map((q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
      most = Math.max(most, Math.min(...distances));
    }
  }
  return most;
}

describe('GLB', () => {
  it('has the solids, moving as they should', async () => {
    const bytes = await writeGlb(frames, { fps, solids });
    const gltf = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
    expect(findMeshes(gltf.scene, /post/).length).toBe(1);
    // glTF's y is our z. The paddle turns by 11 degrees between two samples: half-way the chord is 1 mm off.
    expect(measureError(gltf.scene, gltf.animations, ({ x, y, z }) => [x, -z, y], 0)).toBeLessThan(2e-3);
  });

  it('keeps flat sides flat: 24 vertices of a box, with the normals of its sides', async () => {
    const bytes = await writeGlb([frames[0]], { solids });
    const gltf = await new GLTFLoader().parseAsync(bytes.slice().buffer, '');
    const { geometry } = findMeshes(gltf.scene, /post/)[0];
    const normal = geometry.getAttribute('normal');
    expect(normal.count).toBe(24);
    for (let v = 0; v < 24; v++)
      expect(Math.max(...[normal.getX(v), normal.getY(v), normal.getZ(v)].map(Math.abs))).toBe(1);
  });
});

describe('USDA', () => {
  it('has the solids, moving as they should', () => {
    const text = new TextDecoder().decode(writeUsda(frames, { fps, upAxis: 'Z', solids }));
    expect(text).toContain('def Mesh "post_1" (');
    expect(text).toContain('displayName = "post 1"');
    const root = new USDLoader().parse(text);
    expect(findMeshes(root, /post_1/).length).toBe(1);
    // three.js counts time codes from 0 in seconds and lays a z-up stage on its back.
    expect(measureError(root, root.animations, ({ x, y, z }) => [x, -z, y], 0.5)).toBeLessThan(2e-3);
  });

  it('names of solids become identifiers, each once', () => {
    const named = ['a b', 'a-b', '3', 'a\nb'].map((name) => ({ name, mesh: cubeMesh() }));
    const text = new TextDecoder().decode(writeUsda(frames, { solids: named }));
    const names = [...text.matchAll(/def Mesh "([^"]+)" \(/g)].map((match) => match[1]);
    expect(names).toEqual(['a_b', 'a_b_2', '_3', 'a_b_3']);
    expect(text.match(/displayName = "a b"/g)?.length).toBe(2);
  });
});

describe('poses', () => {
  it('four to a frame, neighbours on the same side', () => {
    const poses = listPoses(buildRotation([1, 2, 3], [0, 0, 0], 5, {}), frames);
    expect(poses.map(({ time }) => Math.round((time - 0.5) * fps * 100) / 100)).toEqual([
      0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2,
    ]);
    for (let i = 1; i < poses.length; i++) {
      const dot = poses[i].rotation.reduce((sum, c, k) => sum + c * poses[i - 1].rotation[k], 0);
      expect(dot).toBeGreaterThan(0);
    }
  });

  it('quaternions of turns about any axis by any angle', () => {
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, -2, 0.5],
    ] as Vec3[]) {
      const length = Math.hypot(...axis);
      for (const turns of [0, 0.1, 0.25, 0.5, 0.75, 0.99]) {
        const q = computeQuaternion(buildRotation(axis, [0, 0, 0], turns, {}).poseAt(1).rotation);
        const half = Math.PI * turns;
        const expected = [...axis.map((x) => (x / length) * Math.sin(half)), Math.cos(half)];
        const sign = Math.sign(q.reduce((sum, c, k) => sum + c * expected[k], 0));
        expected.forEach((c, k) => {
          expect(sign * q[k]).toBeCloseTo(c, 12);
        });
      }
    }
  });
});
