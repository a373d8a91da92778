/**
 * The tracking method before its referees (issue 4, rows 1, 4, 7 and 11): no intersections and no label
 * violations after any step of any scene and of 200 random flows; Zalesak's sphere after a turn; resumed runs
 * and other numbers of threads; 2,000 cells unattended.
 */
import { atMost, equalTo, reportRow } from '../../cases/shared/rows.ts';
import { findMeshIntersections } from '../../cases/tracking/intersection-referee.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import type { Run, StepRecord } from '../../src/run/runner.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/run/snapshot.ts';
import { countLabelViolations } from './label-referee.ts';
import { drawScene } from './random-flows.ts';

export const TRACKING_SCENES = [
  'zalesak',
  'enright',
  'enright-four',
  'normal-flow-noise',
  'growing-spheres',
  'cyclic-flow',
  'voronoi',
  't1',
  't2',
  'swirl',
  'two-spheres',
] as const;

const RANDOM_FLOWS = 200;
const RANDOM_STEPS = 12;

/** What the referees found in a run, added up over its steps. */
class Verdict {
  steps = 0;
  intersections = 0;
  flat = 0;
  violations = 0;
  peak = 0;
  readonly events: Record<string, number> = {};

  /** Looks at the state after a step; `name` is for the message of the first fault. */
  look(run: Run, record: StepRecord): string | undefined {
    const { arrays } = run.snapshot().record;
    const triangle = arrays['triangle'] as Int32Array;
    const found = findMeshIntersections(arrays['position'] as Float64Array, triangle);
    const wrong = countLabelViolations(triangle, arrays['label'] as Int32Array);
    this.steps++;
    this.intersections += found.count;
    this.flat += found.flat.length;
    this.violations += wrong;
    this.peak = Math.max(this.peak, record.triangles!);
    for (const [name, count] of Object.entries(record.events))
      this.events[name] = (this.events[name] ?? 0) + count;
    const faults = found.count + found.flat.length + wrong;
    return faults === 0 ? undefined : `step ${record.step}: ${faults} faults`;
  }

  rows(what: string): RefereeRow[] {
    const { split = 0, collapse = 0, flip = 0, snap = 0, separate = 0 } = this.events;
    return [
      atMost(`${what}: intersections`, this.intersections, 0, ''),
      atMost(`${what}: faces without area`, this.flat, 0, ''),
      atMost(`${what}: label violations`, this.violations, 0, ''),
      reportRow(
        `${what}: steps, most triangles`,
        `${this.steps}, ${this.peak}`,
        '',
        `${split} splits, ${collapse} collapses, ${flip} flips, ${snap} snaps, ${separate} separations`,
      ),
    ];
  }
}

async function judgeScene(context: RefereeContext, scene: string): Promise<RefereeRow[]> {
  const loaded = await context.loadScene(`tracking/${scene}`, { setting: 'small' });
  const run = context.createRun(loaded, await context.createResources());
  const verdict = new Verdict();
  for (const event of run.events()) {
    if (event.type !== 'step') continue;
    const fault = verdict.look(run, event.record);
    if (fault) context.note(`${scene}, ${fault}`);
  }
  context.note(`${scene}: ${verdict.steps} steps`);
  return verdict.rows(scene);
}

async function judgeRandomFlows(context: RefereeContext): Promise<RefereeRow[]> {
  const resources = await context.createResources(1);
  const verdict = new Verdict();
  let still = 0;
  for (let n = 0; n < RANDOM_FLOWS; n++) {
    const run = context.createRun(drawScene(n, RANDOM_STEPS), resources);
    const before = run.snapshot().record.arrays['position'] as Float64Array;
    for (const event of run.events(RANDOM_STEPS)) {
      if (event.type !== 'step') continue;
      const fault = verdict.look(run, event.record);
      if (fault) context.note(`flow ${n}, ${fault}`);
    }
    const after = run.snapshot().record.arrays['position'] as Float64Array;
    if (before.length === after.length && before.every((x, i) => x === after[i])) still++;
    if (n % 20 === 19) context.note(`${n + 1} of ${RANDOM_FLOWS} flows`);
  }
  return [...verdict.rows(`${RANDOM_FLOWS} random flows`), atMost('flows that moved nothing', still, 0, '')];
}

/** Zalesak's notched sphere, R = 0.15, notch 0.05 wide and 0.125 deep, after one turn. */
async function judgeZalesak(context: RefereeContext): Promise<RefereeRow[]> {
  const rows: RefereeRow[] = [];
  for (const setting of ['one', undefined]) {
    const loaded = await context.loadScene('tracking/zalesak', setting ? { setting } : {});
    const run = context.createRun(loaded, await context.createResources());
    const what = setting === 'one' ? 'one material' : 'two materials';
    let first: StepRecord | undefined;
    let last: StepRecord | undefined;
    for (const event of run.events()) {
      if (event.type !== 'step') continue;
      first ??= event.record;
      last = event.record;
    }
    const { resolution } = loaded.scene;
    for (const { label, volume } of first!.regions!) {
      const end = last!.regions!.find((region) => region.label === label)?.volume ?? 0;
      rows.push(atMost(`${what}: volume of region ${label}`, 100 * Math.abs(end / volume - 1), 0.05, '%'));
    }
    const { position } = run.snapshot().record.arrays;
    const [x, y] = [0.025, -0.025];
    const z = Math.sqrt(0.15 ** 2 - x * x - y * y);
    let farthest = 0;
    for (const [sx, sz] of [
      [1, 1],
      [1, -1],
      [-1, 1],
      [-1, -1],
    ]) {
      const corner = [0.5 + sx * x, 0.75 + y, 0.5 + sz * z];
      let nearest = Infinity;
      for (let v = 0; v < position.length; v += 3)
        nearest = Math.min(nearest, Math.hypot(...corner.map((c, k) => c - position[v + k])));
      farthest = Math.max(farthest, nearest);
    }
    rows.push(atMost(`${what}: notch corners, from the nearest vertex`, farthest / resolution, 0.2, 'edges'));
  }
  return rows;
}

/** Bytes of every state of a run, from the start or from bytes of a state. */
async function collectStates(
  context: RefereeContext,
  scene: string,
  threads: number,
  frames: number,
): Promise<Uint8Array[]> {
  const loaded = await context.loadScene(`tracking/${scene}`, { setting: 'small' });
  const run = context.createRun(loaded, await context.createResources(threads));
  const states: Uint8Array[] = [];
  for (const event of run.events(frames))
    if (event.type === 'step') states.push(encodeSnapshot(run.snapshot()));
  return states;
}

const THREAD_FRAMES = 6;

async function judgeThreads(context: RefereeContext): Promise<RefereeRow[]> {
  const rows: RefereeRow[] = [];
  for (const scene of ['enright-four', 'growing-spheres', 'voronoi']) {
    const one = await collectStates(context, scene, 1, THREAD_FRAMES);
    const two = await collectStates(context, scene, 2, THREAD_FRAMES);
    const differ = (a: readonly Uint8Array[], b: readonly Uint8Array[]) =>
      a.filter((bytes, n) => Buffer.compare(bytes, b[n]) !== 0).length;
    rows.push(
      equalTo(
        `${scene}: steps that differ between 1 and 2 threads`,
        `${differ(one, two)} of ${one.length}`,
        `0 of ${one.length}`,
      ),
    );
    const cut = Math.floor(one.length / 2);
    const loaded = await context.loadScene(`tracking/${scene}`, { setting: 'small' });
    const resumed = context.createRun(
      loaded,
      await context.createResources(2),
      decodeSnapshot(one[cut], scene),
    );
    const states: Uint8Array[] = [];
    for (const event of resumed.events(THREAD_FRAMES))
      if (event.type === 'step') states.push(encodeSnapshot(resumed.snapshot()));
    const rest = one.slice(cut + 1);
    rows.push(
      equalTo(
        `${scene}: steps that differ after a resume at step ${cut}`,
        `${differ(rest, states)} of ${rest.length}`,
        `0 of ${rest.length}`,
      ),
    );
  }
  return rows;
}

/** Row 7: the largest run of the thesis, which took 4 h. */
async function judgeCells(context: RefereeContext): Promise<RefereeRow[]> {
  const loaded = await context.loadScene('tracking/voronoi', { setting: 'paper' });
  const run = context.createRun(loaded, await context.createResources());
  let frames = 0;
  let record: StepRecord | undefined;
  let triangles = 0;
  const started = performance.now();
  for (const event of run.events()) {
    if (event.type === 'step') {
      record = event.record;
      triangles ||= record.triangles!;
    }
    if (event.type === 'frame' && event.frame > 0) frames++;
    if (event.type === 'frame' && event.frame % 50 === 0)
      context.note(
        `frame ${event.frame}, ${record!.triangles} triangles, ${record!.events['regions'] ?? 'all'} cells`,
      );
  }
  const hours = (performance.now() - started) / 3.6e6;
  return [
    reportRow('triangles at the start', triangles, '', 220_000),
    equalTo('frames completed', `${frames}`, '2200'),
    atMost('time on all cores of this machine', hours, 1, 'h', 4),
    reportRow('cells left', record!.events['regions'] ?? 0, ''),
  ];
}

export const trackingSceneCases: RefereeCase[] = [
  {
    name: 'tracking/scenes',
    title: 'every scene, small: no intersections and no label violations after any step',
    onRequest: true,
    async run(context) {
      const rows: RefereeRow[] = [];
      for (const scene of TRACKING_SCENES) rows.push(...(await judgeScene(context, scene)));
      return rows;
    },
  },
  {
    name: 'tracking/random-flows',
    title: '200 random flows: no intersections and no label violations after any step',
    run: judgeRandomFlows,
  },
  {
    name: 'tracking/zalesak-scene',
    title: "Zalesak's sphere of one and two materials turned once: volumes, notch corners",
    run: judgeZalesak,
  },
  {
    name: 'tracking/threads',
    title: 'one thread and two, straight and resumed: the same bytes',
    run: judgeThreads,
  },
  {
    name: 'tracking/cells',
    title: '2,000 cells under mean curvature flow for 2,200 frames, as in the thesis',
    onRequest: true,
    run: judgeCells,
  },
];
