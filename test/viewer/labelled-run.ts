/**
 * Run folders of labelled surfaces made without a simulation, for the viewer's tests: materials in a ball,
 * cells in a block, and bubbles. Faces carry `front` and `back`; half of them are wound the other way round,
 * as trackers may leave them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../../src/core/random.ts';
import { writePly } from '../../src/io/ply.ts';
import type { Field } from '../../src/mesh/fields.ts';
import type { LabelledTriangles } from '../../src/tracking/multimaterial/build.ts';
import {
  buildCellBlock,
  buildQuarteredSphere,
  buildSpheres,
} from '../../src/tracking/multimaterial/shapes.ts';

export type LabelledShape = 'ball' | 'cells' | 'bubble' | 'double-bubble' | 'hundred-bubbles';

export interface LabelledOptions {
  readonly shape: LabelledShape;
  readonly frames?: number;
  readonly method?: string;
  /** A vertex field `thickness`, in metres. */
  readonly thickness?: (z: number) => number;
}

export const LABELLED_FPS = 10;

/** All in the unit cube. */
export function buildShape(shape: LabelledShape, time = 0): LabelledTriangles {
  switch (shape) {
    case 'ball':
      return buildQuarteredSphere({ centre: [0.5, 0.5, 0.5], radius: 0.4 + 0.3 * time, levels: 4 });
    case 'cells':
      return buildCellBlock(3, 2);
    case 'bubble':
      return buildSpheres([{ centre: [0.5, 0.5, 0.5], radius: 0.42, levels: 4 }]);
    case 'double-bubble':
      return buildDoubleBubble(0.27, 96);
    case 'hundred-bubbles':
      return buildSpheres(placeBubbles());
  }
}

/** 5 x 5 x 4 spheres of many sizes in a jittered grid, none touching another. */
function placeBubbles() {
  const random = createRandom(7);
  const shapes = [];
  for (let i = 0; i < 100; i++) {
    const cell = [i % 5, ((i / 5) | 0) % 5, (i / 25) | 0];
    const radius = 0.055 + 0.035 * random.next();
    const free = 0.1 - radius;
    const centre = cell.map((c) => 0.1 + 0.2 * c + free * (2 * random.next() - 1)) as [
      number,
      number,
      number,
    ];
    shapes.push({ centre, radius, levels: 3, label: i + 1 });
  }
  return shapes;
}

/**
 * Two equal bubbles and the flat film between them, meeting at 120 degrees: caps about (0.5 -+ R/2, 0.5,
 * 0.5), wall in x = 0.5.
 */
function buildDoubleBubble(radius: number, around: number): LabelledTriangles {
  const position: number[] = [];
  const triangle: number[] = [];
  const label: number[] = [];
  const ring = (x: number, r: number) => {
    const first = position.length / 3;
    for (let k = 0; k < around; k++) {
      const angle = (2 * Math.PI * k) / around;
      position.push(0.5 + x, 0.5 + r * Math.cos(angle), 0.5 + r * Math.sin(angle));
    }
    return first;
  };
  const point = (x: number) => position.push(0.5 + x, 0.5, 0.5) / 3 - 1;
  /** Triangles between two rings, the front to where x falls when `outer` is wider. */
  const band = (inner: number, outer: number, front: number, back: number) => {
    for (let k = 0; k < around; k++) {
      const l = (k + 1) % around;
      triangle.push(inner + k, outer + l, outer + k, inner + k, inner + l, outer + l);
      label.push(front, back, front, back);
    }
  };
  const fan = (tip: number, outer: number, front: number, back: number) => {
    for (let k = 0; k < around; k++) {
      triangle.push(tip, outer + ((k + 1) % around), outer + k);
      label.push(front, back);
    }
  };
  const rim = (radius * Math.sqrt(3)) / 2;
  const junction = ring(0, rim);
  const rings = around / 3;
  for (const side of [-1, 1]) {
    let outer = junction;
    for (let n = 1; n <= rings; n++) {
      // From the rim, 120 degrees from the pole, to the pole.
      const angle = ((2 * Math.PI) / 3) * (1 - n / (rings + 1));
      const inner = ring(side * radius * (0.5 + Math.cos(angle)), radius * Math.sin(angle));
      if (side < 0) band(inner, outer, 0, 1);
      else band(inner, outer, 2, 0);
      outer = inner;
    }
    const tip = point(side * 1.5 * radius);
    if (side < 0) fan(tip, outer, 0, 1);
    else fan(tip, outer, 2, 0);
  }
  let outer = junction;
  for (let n = 1; n < rings / 2; n++) {
    const inner = ring(0, rim * (1 - n / (rings / 2)));
    band(inner, outer, 1, 2);
    outer = inner;
  }
  fan(point(0), outer, 1, 2);
  return {
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
    label: Int32Array.from(label),
  };
}

/** Mesh and fields of a frame; every other face turned over, labels and all. */
export function buildLabelledFrame(options: LabelledOptions, time: number) {
  const { position, triangle, label } = buildShape(options.shape, time);
  const faces = triangle.length / 3;
  const turned = Int32Array.from(triangle);
  const front = new Int32Array(faces);
  const back = new Int32Array(faces);
  for (let f = 0; f < faces; f++) {
    const turn = f % 2;
    if (turn) [turned[3 * f + 1], turned[3 * f + 2]] = [turned[3 * f + 2], turned[3 * f + 1]];
    front[f] = label[2 * f + turn];
    back[f] = label[2 * f + 1 - turn];
  }
  const vertexCount = position.length / 3;
  const scalar = (values: Int32Array): Field => ({ components: 1, unit: '', values });
  const vertexFields: Record<string, Field> = {
    velocity: { components: 3, unit: 'm/s', values: new Float64Array(3 * vertexCount) },
  };
  const { thickness } = options;
  if (thickness) {
    const values = Float64Array.from({ length: vertexCount }, (_, v) => thickness(position[3 * v + 2]));
    vertexFields['thickness'] = { components: 1, unit: 'm', values };
  }
  return {
    mesh: {
      vertexCount,
      triangleCount: faces,
      position: Float64Array.from(position),
      triangle: turned,
    },
    vertexFields,
    faceFields: { front: scalar(front), back: scalar(back) },
  };
}

export function writeLabelledRun(folder: string, options: LabelledOptions): void {
  const { shape, frames = 1, method = 'tracking' } = options;
  mkdirSync(join(folder, 'surface'), { recursive: true });
  const run = {
    format: 1,
    name: shape,
    title: `Labelled: ${shape}`,
    method,
    version: '0.0.0',
    threads: 1,
    seed: 0,
    process: { pid: 1, host: 'nowhere' },
    notes: [],
    status: 'done',
    fps: LABELLED_FPS,
    lastFrame: frames - 1,
    totals: { frames, steps: 0, time: 0, wallSeconds: 0, peakHeapBytes: 0 },
    scene: {
      version: 1,
      method,
      fps: LABELLED_FPS,
      seed: 0,
      domain: { min: [0, 0, 0], max: [1, 1, 1] },
      gravity: [0, 0, 0],
      solids: [],
    },
  };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(run));
  const lines: string[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const time = frame / LABELLED_FPS;
    const { mesh, vertexFields, faceFields } = buildLabelledFrame(options, time);
    const name = `${String(frame).padStart(6, '0')}.ply`;
    writeFileSync(join(folder, 'surface', name), writePly(mesh, vertexFields, faceFields));
    const labels = [...new Set([...faceFields.front.values, ...faceFields.back.values])].filter((l) => l > 0);
    const regions = labels.map((label) => ({ label, volume: 0.01 * label * (1 + time) }));
    lines.push(JSON.stringify({ frame, step: frame, time, dt: 0.1, vertices: mesh.vertexCount, regions }));
  }
  writeFileSync(join(folder, 'stats.jsonl'), `${lines.join('\n')}\n`);
}
