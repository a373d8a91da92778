/** Threads of liquid along the z axis with waves on them: shared by referees of the surface method. */
import type { SurfaceState } from '../../src/methods/surface/state.ts';
import type { LabelledTriangles } from '../../src/tracking/multimaterial/build.ts';
import { fitSlope } from '../shared/fit-line.ts';

export interface Thread {
  /** Waves along it; the wave number times the radius, which is 1; amplitude. */
  readonly waves: number;
  readonly q: number;
  readonly amplitude: number;
  /** Edges round it. */
  readonly divisions: number;
}

/** A thread of radius 1 with round ends, its middle a crest. */
export function buildThread({ waves, q, amplitude, divisions }: Thread): LabelledTriangles {
  const edge = (2 * Math.PI) / divisions;
  const half = (Math.PI * waves) / q;
  const rows = 2 * Math.round(half / (edge * Math.sqrt(0.75)));
  const rings: [number, number][] = [];
  const caps = Math.round(Math.PI / 2 / edge);
  const end = 1 + amplitude * Math.cos(q * half);
  for (let i = 1; i < caps; i++) {
    const t = (Math.PI / 2) * (i / caps);
    rings.push([-half - end * Math.cos(t), end * Math.sin(t)]);
  }
  for (let i = 0; i <= rows; i++) {
    const z = -half + (2 * half * i) / rows;
    rings.push([z, 1 + amplitude * Math.cos(q * z)]);
  }
  for (let i = caps - 1; i > 0; i--) {
    const t = (Math.PI / 2) * (i / caps);
    rings.push([half + end * Math.cos(t), end * Math.sin(t)]);
  }
  const position: number[] = [];
  rings.forEach(([z, r], i) => {
    for (let j = 0; j < divisions; j++) {
      const s = (2 * Math.PI * (j + 0.5 * (i % 2))) / divisions;
      position.push(r * Math.cos(s), r * Math.sin(s), z);
    }
  });
  const last = rings.length - 1;
  const [south, north] = [position.length / 3, position.length / 3 + 1];
  position.push(0, 0, -half - end, 0, 0, half + end);
  const triangle: number[] = [];
  for (let j = 0; j < divisions; j++) {
    const next = (j + 1) % divisions;
    triangle.push(south, next, j, north, divisions * last + j, divisions * last + next);
    for (let i = 0; i < last; i++) {
      const [a, b, c, d] = [
        divisions * i + j,
        divisions * i + next,
        divisions * (i + 1) + j,
        divisions * (i + 1) + next,
      ];
      if (i % 2 === 0) triangle.push(a, b, c, b, d, c);
      else triangle.push(a, d, c, a, b, d);
    }
  }
  return {
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
    label: Int32Array.from({ length: (2 * triangle.length) / 3 }, (_, h) => h % 2),
  };
}

/** Amplitude of the wave in the middle of the thread, one wave long, by least squares with a mean. */
export function measureWave({ tracker: { mesh } }: SurfaceState, q: number): number {
  const p = mesh.position;
  const reach = Math.PI / q;
  const points: [number, number][] = [];
  for (let v = 0; v < mesh.vertexFill; v++) {
    const z = p[3 * v + 2];
    if (Math.abs(z) > reach) continue;
    points.push([Math.cos(q * z), Math.hypot(p[3 * v], p[3 * v + 1])]);
  }
  return fitSlope(points);
}
