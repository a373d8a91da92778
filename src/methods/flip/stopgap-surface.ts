import type { SurfaceFrame } from '../../mesh/fields.ts';
import { buildCloud, computeLevel } from './level.ts';
import type { FlipModel } from './model.ts';
import { poseObstacles } from './obstacles.ts';
import type { FlipState } from './state.ts';

export function buildStopgapSurface(model: FlipModel, state: FlipState): SurfaceFrame {
  const scratch = model.heap.scope('flip frame');
  try {
    const obstacles = poseObstacles(model, state.time, 0);
    const cloud = buildCloud(model, state, obstacles, scratch);
    const level = computeLevel(model, state.mesh, cloud, obstacles, state, scratch);
    const { background, clearance } = state.mesh;
    for (let v = 0; v < level.length; v++) {
      level[v] = Math.min(level[v], clearance[v] - 0.02 * model.finest);
      if (Math.abs(level[v]) < 1e-4 * model.finest) level[v] = -1e-4 * model.finest;
    }
    const { tet, tetCount, position } = background;
    const vertices = new Map<number, number>();
    const points: number[] = [];
    const triangles: number[] = [];
    const cut = (a: number, b: number): number => {
      const key = Math.min(a, b) * background.vertexCount + Math.max(a, b);
      let v = vertices.get(key);
      if (v === undefined) {
        v = points.length / 3;
        vertices.set(key, v);
        const s = level[a] / (level[a] - level[b]);
        for (let k = 0; k < 3; k++)
          points.push(position[3 * a + k] + s * (position[3 * b + k] - position[3 * a + k]));
      }
      return v;
    };
    const addTriangle = (a: number, b: number, c: number, inside: number) => {
      // Outward: away from the inside node.
      const p = (v: number, k: number) => points[3 * v + k];
      const u = [0, 1, 2].map((k) => p(b, k) - p(a, k));
      const w = [0, 1, 2].map((k) => p(c, k) - p(a, k));
      const d = [0, 1, 2].map((k) => p(a, k) - position[3 * inside + k]);
      const volume =
        d[0] * (u[1] * w[2] - u[2] * w[1]) +
        d[1] * (u[2] * w[0] - u[0] * w[2]) +
        d[2] * (u[0] * w[1] - u[1] * w[0]);
      if (volume > 0) triangles.push(a, b, c);
      else triangles.push(a, c, b);
    };
    for (let t = 0; t < tetCount; t++) {
      const ins: number[] = [];
      const outs: number[] = [];
      for (let i = 0; i < 4; i++) (level[tet[4 * t + i]] > 0 ? ins : outs).push(tet[4 * t + i]);
      if (ins.length === 0 || outs.length === 0) continue;
      if (ins.length === 2) {
        const [a, b, c, d] = [
          cut(ins[0], outs[0]),
          cut(ins[0], outs[1]),
          cut(ins[1], outs[1]),
          cut(ins[1], outs[0]),
        ];
        addTriangle(a, b, c, ins[0]);
        addTriangle(a, c, d, ins[1]);
      } else if (ins.length === 1)
        addTriangle(cut(ins[0], outs[0]), cut(ins[0], outs[1]), cut(ins[0], outs[2]), ins[0]);
      else addTriangle(cut(ins[0], outs[0]), cut(ins[1], outs[0]), cut(ins[2], outs[0]), ins[0]);
    }
    return {
      mesh: {
        vertexCount: points.length / 3,
        triangleCount: triangles.length / 3,
        position: Float64Array.from(points),
        triangle: Int32Array.from(triangles),
      },
      vertexFields: { velocity: { components: 3, unit: 'm/s', values: new Float32Array(points.length) } },
      faceFields: {},
    };
  } finally {
    scratch.free();
  }
}
