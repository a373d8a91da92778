/**
 * The multimaterial tracker against Los Topos on the same works (its figures, measured on the machine this
 * project is built on, stand below), and the cost of a step as the mesh grows. Edge bounds are 0.5 and 1.5
 * times the mean edge at the start, which brings the Enright sphere to as many triangles as the reference
 * reports; steps that the reference does not state are chosen here and named. Wall seconds on all threads,
 * against CPU seconds of the other program, which runs on one; a table of stages with each work. Each work is
 * preceded by a short run of itself that warms the compiler.
 */
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { createRandom } from '../../src/core/random.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';
import { buildMultiMesh, type LabelledTriangles } from '../../src/tracking/multimaterial/build.ts';
import {
  createCurvatureFlow,
  proposeByCurvature,
} from '../../src/tracking/multimaterial/flows/mean-curvature.ts';
import { createGrowth, proposeByNormals } from '../../src/tracking/multimaterial/flows/normal.ts';
import {
  createEnrightField,
  createFieldFlow,
  proposeAlong,
} from '../../src/tracking/multimaterial/flows/velocity-field.ts';
import { measureRegions } from '../../src/tracking/multimaterial/measure.ts';
import type { MultiMesh } from '../../src/tracking/multimaterial/mesh.ts';
import { resolveOptions, type TrackerOptions } from '../../src/tracking/multimaterial/options.ts';
import type { StrengthMeasure } from '../../src/tracking/multimaterial/separate.ts';
import type { SeparationCues } from '../../src/tracking/multimaterial/separation-cues.ts';
import { buildCellBlock, buildSpheres, buildVoronoi } from '../../src/tracking/multimaterial/shapes.ts';
import { beginTrack } from '../../src/tracking/multimaterial/step.ts';
import { Tracker } from '../../src/tracking/multimaterial/tracker.ts';

const SPHERE = { radius: 0.15, centre: [0.35, 0.35, 0.35] } as const;
const WARM_STEPS = 20;

interface Work {
  readonly start: () => LabelledTriangles;
  readonly steps: number;
  readonly options?: Partial<TrackerOptions>;
  readonly keepsVolume: boolean;
  readonly strength: StrengthMeasure;
  /** Wanted positions of step n, and what the flow says of topology. */
  propose(tracker: Tracker, n: number): Float64Array;
  flow?(tracker: Tracker, n: number): SeparationCues;
}

function enright(levels: number, steps: number, options: Partial<TrackerOptions>): Work {
  const field = createEnrightField(3);
  const dt = 0.01;
  return {
    start: () => buildSpheres([{ levels, ...SPHERE }]),
    steps,
    options,
    keepsVolume: true,
    strength: 'velocity',
    propose: (tracker, n) => proposeAlong(tracker, field, n * dt, dt),
    flow: (tracker, n) => createFieldFlow(tracker, field, n * dt),
  };
}

function curvature(start: () => LabelledTriangles, dt: number, steps: number): Work {
  return {
    start,
    steps,
    keepsVolume: false,
    strength: 'area',
    propose: (tracker) => proposeByCurvature(tracker, dt),
    flow: (tracker) => createCurvatureFlow(tracker),
  };
}

/** Two balls of radius 1 with a gap of 0.1, growing at speed 1. */
function growth(levels: number, dt: number, steps: number): Work {
  const flow = { speed: createGrowth(1), curves: 'outer' as const };
  return {
    start: () =>
      buildSpheres([
        { levels, centre: [-1.05, 0, 0] },
        { levels, centre: [1.05, 0.02, 0.01], label: 2 },
      ]),
    steps,
    keepsVolume: false,
    strength: 'velocity',
    propose: (tracker) => proposeByNormals(tracker, flow, dt),
  };
}

interface Outcome {
  readonly tracker: Tracker;
  readonly seconds: number;
  readonly processor: number;
  readonly stage: Record<string, number>;
  readonly mostFaces: number;
  readonly faceSteps: number;
  readonly separations: number;
}

function measureMeanEdge(mesh: MultiMesh): number {
  let sum = 0;
  for (let e = 0; e < mesh.edgeFill; e++) {
    const [a, b] = [3 * mesh.edgeVertex[2 * e], 3 * mesh.edgeVertex[2 * e + 1]];
    const p = mesh.position;
    sum += Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]);
  }
  return sum / mesh.edgeCount;
}

/** Algorithm 1 with a clock at each line (step.ts). */
function runWork(work: Work, resources: Resources, steps = work.steps, skipped = 0): Outcome {
  const mesh = buildMultiMesh(work.start());
  const edge = measureMeanEdge(mesh);
  const bounds = resolveOptions({ minEdge: 0.5 * edge, maxEdge: 1.5 * edge, ...work.options });
  const tracker = new Tracker(mesh, bounds, {}, resources);
  let stage: Record<string, number> = {};
  let clock = performance.now();
  const lap = (name: string) => {
    const now = performance.now();
    stage[name] = (stage[name] ?? 0) + (now - clock) / 1e3;
    clock = now;
  };
  let [mostFaces, faceSteps, separations] = [0, 0, 0];
  let start = performance.now();
  let processor = process.cpuUsage();
  for (let n = 0; n < steps; n++) {
    if (n === skipped) {
      stage = {};
      faceSteps = 0;
      start = performance.now();
      processor = process.cpuUsage();
    }
    clock = performance.now();
    tracker.flow = work.flow?.(tracker, n);
    const proposed = work.propose(tracker, n);
    lap('flow');
    const volume = work.keepsVolume ? 'all' : 'none';
    const stages = beginTrack(tracker, proposed, { strength: work.strength, volume });
    lap('volume');
    stages.resolveInterpenetrations();
    lap('collisions');
    stages.mergeSurfaces();
    lap('merging');
    stages.improveMesh();
    lap('improvement');
    separations += stages.separateVertices();
    lap('separation');
    tracker.compact();
    lap('packing');
    mostFaces = Math.max(mostFaces, mesh.faceCount);
    faceSteps += mesh.faceCount;
  }
  const { user, system } = process.cpuUsage(processor);
  const seconds = (performance.now() - start) / 1e3;
  tracker.free();
  return { tracker, seconds, processor: (user + system) / 1e6, stage, mostFaces, faceSteps, separations };
}

function reportStages(outcome: Outcome): RefereeRow[] {
  return [
    reportRow('CPU of all threads, waiting loops included', outcome.processor.toFixed(1), 's'),
    reportRow('a face and step', ((1e6 * outcome.seconds) / outcome.faceSteps).toFixed(2), 'us'),
    ...Object.entries(outcome.stage).map(([name, s]) => reportRow(`of it ${name}`, s.toFixed(2), 's')),
  ];
}

/** Relative error of the volume and mean distance to the sphere, m. */
function reportSphere({ mesh }: Tracker, reference: readonly [number, number?]): RefereeRow[] {
  const volume = measureRegions(mesh).find(({ label }) => label === 1)!.volume;
  const exact = (4 / 3) * Math.PI * SPHERE.radius ** 3;
  const start = measureRegions(
    buildMultiMesh(buildSpheres([{ levels: mesh.faceCount > 4000 ? 4 : 3, ...SPHERE }])),
  )[1].volume;
  let distance = 0;
  for (let v = 0; v < mesh.vertexFill; v++) {
    const p = mesh.position.subarray(3 * v, 3 * v + 3);
    distance += Math.abs(Math.hypot(...p.map((x, k) => x - SPHERE.centre[k])) - SPHERE.radius);
  }
  const mean = distance / mesh.vertexCount;
  return [
    atMost('volume against the start', 100 * Math.abs(volume / start - 1), reference[0], '%', reference[0]),
    reportRow('volume against the ball', (100 * (volume / exact - 1)).toFixed(3), '%'),
    reference[1] === undefined
      ? reportRow('distance to the sphere, mean', mean.toExponential(2), 'm')
      : atMost('distance to the sphere, mean', mean, reference[1], 'm', reference[1]),
  ];
}

interface Peer {
  /** CPU s of a quiet machine, and triangles at most, of Los Topos */
  readonly seconds: number;
  readonly faces: number;
  /** Volume, % (size), and distance, m, where it reports them */
  readonly error?: readonly [number, number?];
}

function compare(name: string, title: string, work: Work, peer: Peer): RefereeCase {
  return {
    name: `tracking/${name}`,
    title,
    onRequest: true,
    async run({ createResources, note }) {
      const resources = await createResources();
      runWork(work, resources, Math.min(WARM_STEPS, work.steps));
      note(`warm; ${work.steps} steps`);
      const outcome = runWork(work, resources);
      return [
        atMost('wall', Number(outcome.seconds.toFixed(2)), peer.seconds / 2, 's', peer.seconds),
        reportRow('processor time, all threads', outcome.processor.toFixed(2), 's', peer.seconds),
        reportRow('triangles at most', outcome.mostFaces, '', peer.faces),
        reportRow('separations', outcome.separations, ''),
        ...reportStages(outcome),
        ...(peer.error ? reportSphere(outcome.tracker, peer.error) : []),
      ];
    },
  };
}

/** Sizes for the growth of cost: two spheres of 10,240 to 655,360 triangles, cells in triangles. */
const SPHERE_LEVELS = [4, 5, 6, 7];
const CELL_FACES = [50e3, 100e3, 200e3, 400e3];
const GROWTH_STEPS = 4;
const EXPONENT_BOUND = 1.1;

/** 20 cells of a box, in about so many triangles. */
function buildTwentyCells(faces: number): LabelledTriangles {
  const random = createRandom(5);
  const draw = () => 0.02 + 0.96 * random.next();
  const seeds = Array.from({ length: 20 }, () => [draw(), draw(), draw()] as const);
  // 20 cells have about 13.6 m^2 of faces in the unit cube; equilateral triangles of edge h have 0.433 h^2.
  return buildVoronoi({ min: [0, 0, 0], max: [1, 1, 1], seeds, edge: Math.sqrt(13.6 / (0.433 * faces)) });
}

const growthCase: RefereeCase = {
  name: 'tracking/growth',
  title: 'seconds a step against triangles: two growing spheres, and 20 cells under mean curvature flow',
  onRequest: true,
  async run({ createResources, note }) {
    const resources = await createResources();
    const rows: RefereeRow[] = [];
    const series: [string, Work[]][] = [
      ['two spheres', SPHERE_LEVELS.map((levels) => growth(levels, 0.3 * 2 ** -levels, GROWTH_STEPS + 1))],
      [
        '20 cells',
        CELL_FACES.map((faces) =>
          curvature(() => buildTwentyCells(faces), (0.03 * 13.6) / (0.433 * faces), GROWTH_STEPS + 1),
        ),
      ],
    ];
    for (const [name, works] of series) {
      runWork(works[0], resources, GROWTH_STEPS + 1);
      const sizes: number[] = [];
      const times: number[] = [];
      for (const work of works) {
        const outcome = runWork(work, resources, work.steps, 1);
        sizes.push(outcome.mostFaces);
        times.push(outcome.seconds / GROWTH_STEPS);
        note(
          `${name}: ${outcome.mostFaces} triangles, ${(outcome.seconds / GROWTH_STEPS).toFixed(3)} s a step`,
        );
        rows.push(
          reportRow(
            `${name}, ${outcome.mostFaces} triangles`,
            (outcome.seconds / GROWTH_STEPS).toFixed(3),
            's a step',
          ),
        );
      }
      rows.push(atMost(`${name}: exponent`, fitExponent(sizes, times), EXPONENT_BOUND, ''));
    }
    return rows;
  },
};

/** Slope of the line through the logarithms. */
function fitExponent(sizes: readonly number[], times: readonly number[]): number {
  const x = sizes.map(Math.log);
  const y = times.map(Math.log);
  const [mx, my] = [x, y].map((list) => list.reduce((sum, a) => sum + a, 0) / list.length);
  const over = x.reduce((sum, a, n) => sum + (a - mx) * (y[n] - my), 0);
  return over / x.reduce((sum, a) => sum + (a - mx) ** 2, 0);
}

/** Seconds a frame that 2,200 frames in an hour leave. */
const FRAME_SECONDS = 3600 / 2200;
const CELLS = 2000;
const CELL_FRAMES = 8;

const cellsCase: RefereeCase = {
  name: 'tracking/cells',
  title: '2,000 Voronoi cells under mean curvature flow, one step a frame',
  onRequest: true,
  async run({ createResources, note }) {
    const resources = await createResources();
    const random = createRandom(1);
    const seeds = Array.from(
      { length: CELLS },
      () => [random.next(), random.next(), random.next()] as [number, number, number],
    );
    const edge = 0.25 * CELLS ** (-1 / 3);
    const start = () => buildVoronoi({ min: [0, 0, 0], max: [1, 1, 1], seeds, edge });
    const work = curvature(start, 0.03 * edge ** 2, CELL_FRAMES + 2);
    note('building');
    const outcome = runWork(work, resources, work.steps, 2);
    return [
      atMost('wall a frame', outcome.seconds / CELL_FRAMES, FRAME_SECONDS, 's', 6.5),
      reportRow('triangles at most', outcome.mostFaces, '', 220e3),
      ...reportStages(outcome),
    ];
  },
};

/**
 * Most by which a busy machine had slowed the works that were timed again on a quiet one. The others are
 * taken to be that much quicker than they were timed.
 */
const BUSY = 1.75;

const plain = { topology: false, flips: false, smoothing: false };

export const trackingCases: RefereeCase[] = [
  compare('enright-1280', 'Enright, sphere of 1,280 triangles, to t = 3', enright(3, 300, plain), {
    seconds: 12.7,
    faces: 6888,
    error: [1.9, 1.26e-3],
  }),
  compare('enright-5120', 'Enright, sphere of 5,120 triangles, to t = 3', enright(4, 300, plain), {
    seconds: 117,
    faces: 27_584,
    error: [0.29, 2.2e-4],
  }),
  compare(
    'enright-5120-smooth',
    'Enright, 5,120 triangles, flips and smoothing on',
    enright(4, 300, { topology: false }),
    { seconds: 233 / BUSY, faces: 24_768, error: [1.21] },
  ),
  compare(
    'enright-1280-topology',
    'Enright, 1,280 triangles, topology on',
    enright(3, 300, { flips: false, smoothing: false }),
    { seconds: 27.8 / BUSY, faces: 6888, error: [1.87] },
  ),
  compare(
    'cells-125',
    'mean curvature flow of 5 x 5 x 5 cells in a box to t = 0.02, steps of 1e-4',
    curvature(() => buildCellBlock(5, 2), 1e-4, 200),
    { seconds: 21.9 / BUSY, faces: 12_993 },
  ),
  compare(
    'two-spheres',
    'two spheres of two materials growing until merged, to t = 0.12, steps of 1e-3',
    growth(4, 1e-3, 120),
    { seconds: 20.2 / BUSY, faces: 11_448 },
  ),
  // The reference does not give the starting meshes of its finer works: these have as many triangles or more.
  compare(
    'cells-125-fine',
    'the same cells, finer, to t = 0.0035, steps of 2.5e-5',
    curvature(() => buildCellBlock(5, 3), 2.5e-5, 140),
    { seconds: 93.8 / BUSY, faces: 48_827 },
  ),
  compare(
    'two-spheres-fine',
    'two spheres, finer, to t = 0.12, steps of 5e-4 (the reference was stopped earlier, by a time limit)',
    growth(5, 5e-4, 240),
    { seconds: 99.5 / BUSY, faces: 37_904 },
  ),
  growthCase,
  cellsCase,
];
