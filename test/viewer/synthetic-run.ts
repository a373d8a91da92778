/**
 * A run folder made without a simulation, for the viewer's tests: a wobbling blob, or a pool with a
 * travelling wave, as a mapped lattice of cubes cut into six tetrahedra each. Fields are formulas, so a test
 * can know every number.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBoundary } from '../../cases/geometry/tet-boundary.ts';
import { listPermutations } from '../../cases/shared/permutations.ts';
import { writePly } from '../../src/io/ply.ts';
import { writePvd, writeVtu } from '../../src/io/vtu.ts';
import type { Field } from '../../src/mesh/fields.ts';
import type { TetMesh } from '../../src/mesh/tetmesh.ts';
import type { TriMesh } from '../../src/mesh/trimesh.ts';

export interface SyntheticOptions {
  readonly shape?: 'blob' | 'pool';
  readonly frames?: number;
  /** Cubes along each side. */
  readonly cells?: number;
  readonly status?: 'done' | 'running';
  /** Tetrahedra in every frame, every n-th, or none. */
  readonly volume?: boolean | number;
}

export const SYNTHETIC_FPS = 10;
export const STEPS_PER_FRAME = 3;
/** m^3 that the run should keep; it loses a ten-thousandth of it in each step. */
const VOLUME = 0.0736;
const DOMAIN = { min: [0, 0, 0], max: [1, 1, 1] } as const;

/** The cube's six tets along its main diagonal (Kuhn): each path 0 -> 7 that adds one bit at a time. */
const KUHN = listPermutations([1, 2, 4]).map(([a, b]) => [0, a, a + b, 7] as const);

export function buildTets(shape: 'blob' | 'pool', cells: number, time: number): TetMesh {
  const n = cells + 1;
  const position = new Float64Array(3 * n ** 3);
  for (let k = 0, v = 0; k < n; k++) {
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++, v++) {
        const unit = [i, j, k].map((c) => (2 * c) / cells - 1) as [number, number, number];
        position.set(shape === 'blob' ? mapBlob(unit, time) : mapPool(unit, time), 3 * v);
      }
    }
  }
  const tet: number[] = [];
  for (let k = 0; k < cells; k++) {
    for (let j = 0; j < cells; j++) {
      for (let i = 0; i < cells; i++) {
        for (const path of KUHN) {
          const ids = path.map((c) => i + (c & 1) + n * (j + ((c >> 1) & 1) + n * (k + (c >> 2))));
          tet.push(...orient(position, ids));
        }
      }
    }
  }
  return { vertexCount: position.length / 3, tetCount: tet.length / 4, position, tet: Int32Array.from(tet) };
}

/** Cube to ball without a kink, then stretched in time at constant volume. */
function mapBlob([x, y, z]: [number, number, number], time: number): number[] {
  const ball = [
    x * Math.sqrt(1 - (y * y) / 2 - (z * z) / 2 + (y * y * z * z) / 3),
    y * Math.sqrt(1 - (z * z) / 2 - (x * x) / 2 + (z * z * x * x) / 3),
    z * Math.sqrt(1 - (x * x) / 2 - (y * y) / 2 + (x * x * y * y) / 3),
  ];
  const stretch = Math.exp(0.25 * Math.sin(2 * Math.PI * time));
  return [
    0.5 + 0.26 * stretch * ball[0],
    0.5 + (0.26 * ball[1]) / Math.sqrt(stretch),
    0.45 + (0.26 * ball[2]) / Math.sqrt(stretch),
  ];
}

function mapPool([x, y, z]: [number, number, number], time: number): number[] {
  const wave =
    0.09 * Math.cos(3 * x - 6 * time) +
    0.05 * Math.sin(4 * y + 2 * x + 3 * time) +
    0.12 * Math.exp(-8 * (x - 0.2) ** 2 - 8 * y ** 2);
  return [0.5 + 0.5 * x, 0.5 + 0.5 * y, ((0.3 + wave) * (z + 1)) / 2];
}

function orient(position: Float64Array, ids: number[]): number[] {
  const [a, b, c, d] = ids.map((v) => position.subarray(3 * v, 3 * v + 3));
  const u = [0, 1, 2].map((i) => b[i] - a[i]);
  const v = [0, 1, 2].map((i) => c[i] - a[i]);
  const w = [0, 1, 2].map((i) => d[i] - a[i]);
  const det =
    u[0] * (v[1] * w[2] - v[2] * w[1]) -
    u[1] * (v[0] * w[2] - v[2] * w[0]) +
    u[2] * (v[0] * w[1] - v[1] * w[0]);
  return det > 0 ? ids : [ids[0], ids[2], ids[1], ids[3]];
}

/** Velocity and pressure as functions of place and time. */
export function buildFields(position: Float64Array, time: number): Record<string, Field> {
  const count = position.length / 3;
  const velocity = new Float64Array(3 * count);
  const pressure = new Float64Array(count);
  for (let v = 0; v < count; v++) {
    const [x, y, z] = position.subarray(3 * v, 3 * v + 3);
    velocity.set([(x - 0.5) * Math.cos(2 * Math.PI * time), 0.5 - y, 0.2 * (z - 0.4)], 3 * v);
    pressure[v] = 9810 * (0.8 - z);
  }
  return {
    velocity: { components: 3, unit: 'm/s', values: velocity },
    pressure: { components: 1, unit: 'Pa', values: pressure },
  };
}

export function writeSyntheticRun(folder: string, options: SyntheticOptions = {}): void {
  const { shape = 'blob', frames = 8, cells = 8, status = 'done', volume = true } = options;
  mkdirSync(join(folder, 'surface'), { recursive: true });
  mkdirSync(join(folder, 'volume'), { recursive: true });
  const scene = {
    version: 1,
    method: 'lattice',
    domain: DOMAIN,
    gravity: [0, 0, -9.81],
    fps: SYNTHETIC_FPS,
    seed: 0,
    solids: [
      { name: 'post', shape: { type: 'box', min: [0.75, 0.1, 0], max: [0.9, 0.3, 0.35] } },
      { name: 'ball', shape: { type: 'sphere', centre: [0.15, 0.85, 0.1], radius: 0.1 } },
    ],
  };
  const run = {
    format: 1,
    name: 'synthetic',
    title: shape === 'blob' ? 'A wobbling blob' : 'A pool with a wave',
    method: 'lattice',
    version: '0.0.0',
    threads: 1,
    seed: 0,
    process: { pid: 1, host: 'nowhere' },
    notes: [],
    status,
    fps: SYNTHETIC_FPS,
    lastFrame: frames - 1,
    totals: { frames, steps: 0, time: 0, wallSeconds: 0, peakHeapBytes: 0 },
    scene,
  };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(run));
  const lines: string[] = [];
  const entries: { file: string; time: number }[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const time = frame / SYNTHETIC_FPS;
    const tets = buildTets(shape, cells, time);
    const surface = buildBoundary(tets);
    const name = String(frame).padStart(6, '0');
    const label = Int32Array.from({ length: surface.triangleCount }, (_, f) => f % 7);
    writeFileSync(
      join(folder, 'surface', `${name}.ply`),
      writePly(surface, buildFields(surface.position, time), {
        region: { components: 1, unit: '', values: label },
      }),
    );
    if (volume && frame % Number(volume) === 0) {
      const file = `volume/${name}.vtu`;
      const depth = Float64Array.from(
        { length: tets.tetCount },
        (_, t) => tets.position[3 * tets.tet[4 * t] + 2],
      );
      writeFileSync(
        join(folder, file),
        writeVtu(tets, buildFields(tets.position, time), {
          height: { components: 1, unit: 'm', values: depth },
        }),
      );
      entries.push({ file, time });
    }
    for (let step = 0; step < (frame === 0 ? 1 : STEPS_PER_FRAME); step++) {
      lines.push(JSON.stringify(buildRecord(frame, lines.length, tets, surface)));
    }
  }
  writeFileSync(join(folder, 'stats.jsonl'), `${lines.join('\n')}\n`);
  if (volume) writeFileSync(join(folder, 'volume.pvd'), writePvd(entries));
}

function buildRecord(frame: number, step: number, tets: TetMesh, surface: TriMesh) {
  const dt = 1 / SYNTHETIC_FPS / STEPS_PER_FRAME;
  const time = step * dt;
  return {
    frame,
    step,
    time,
    dt,
    wall: { contour: 40 + 5 * Math.sin(step), stuff: 22, project: 60 + step, total: 125 },
    vertices: tets.vertexCount,
    triangles: surface.triangleCount,
    tets: tets.tetCount,
    volume: VOLUME * (1 - 1e-4 * step),
    ledger: {
      volume: { transport: -1e-4 * VOLUME },
      total: { volume: { start: VOLUME, transport: -1e-4 * VOLUME * step, dropped: 0 } },
      volumeMeant: VOLUME,
    },
    kineticEnergy: 0.4 * Math.cos(2 * Math.PI * time) ** 2,
    potentialEnergy: 320 + 0.4 * Math.sin(2 * Math.PI * time) ** 2,
    maxSpeed: 0.3,
    solver: { pressure: { iterations: 20 + (step % 5), residual: 1e-9 } },
    events: {},
    heapBytes: 1e6,
  };
}
