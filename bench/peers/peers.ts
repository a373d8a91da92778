/**
 * Other programs on one breaking dam, beside ours: seconds per simulated second, volume and front of each.
 * Takes whichever of Blender (Mantaflow) and OpenFOAM (interFoam) is installed: Debian's packages `blender`
 * and `openfoam`. Needs a quiet machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportRow } from '../../cases/shared/rows.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import { type BoxFlow, type PeerFrame, type PeerResult, readBoxFlow } from './box-flow.ts';
import { findInterFoam, runInterFoam } from './inter-foam.ts';
import { findBlender, runMantaflow } from './mantaflow.ts';

const SCENE = 'lattice/dam-break';
/** s: the front meets the far wall after 0.4 s, and the splash falls back */
const DURATION = 1;
/** s, when the front is read */
const FRONT_TIME = 0.4;
const OUR_METHODS = ['lattice', 'flip'];

/** A run of ours; the clock runs over the events of the run, the start included. */
async function runOurs(context: RefereeContext, method: string, spacing: number): Promise<PeerResult> {
  const loaded = await context.loadScene(SCENE, {
    sets: [`method="${method}"`, `resolution=${spacing}`, `duration=${DURATION}`],
  });
  const resources = await context.createResources();
  const run = context.createRun(loaded, resources);
  const frames: PeerFrame[] = [];
  let volume = 0;
  const start = performance.now();
  for (const event of run.events()) {
    if (event.type === 'step') volume = event.record.volume!;
    if (event.type !== 'frame') continue;
    const { position } = event.surface!.mesh;
    let front = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < position.length; at += 3) front = Math.max(front, position[at]);
    frames.push({ time: event.time, volume, front });
  }
  return { program: method, seconds: (performance.now() - start) / 1000, frames };
}

async function comparePrograms(context: RefereeContext, spacing: number): Promise<RefereeRow[]> {
  const { scene } = await context.loadScene(SCENE, { sets: [`resolution=${spacing}`] });
  const flow = readBoxFlow(scene, DURATION);
  const results: PeerResult[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'meniscus-peers-'));
  const threads = cpus().length;
  try {
    for (const method of OUR_METHODS) {
      context.note(method);
      results.push(await runOurs(context, method, spacing));
    }
    const absent: RefereeRow[] = [];
    for (const [program, isThere, run] of [
      ['Mantaflow', findBlender(), runMantaflow],
      ['interFoam', findInterFoam(), runInterFoam],
    ] as const) {
      context.note(program);
      if (isThere) results.push(await run(flow, folder, threads));
      else absent.push(reportRow(program, 'not installed', ''));
    }
    return [...results.flatMap((result) => describe(result, flow)), ...absent];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function describe({ program, seconds, frames }: PeerResult, { domain, fps, water }: BoxFlow): RefereeRow[] {
  const all = domain.min.map((_, axis) => water.max[axis] - water.min[axis]).reduce((a, b) => a * b);
  const share = (frame: PeerFrame) => (100 * frame.volume) / all;
  const shares = frames.map(share);
  return [
    reportRow(`${program}: seconds per simulated second`, seconds / DURATION, 's'),
    reportRow(`${program}: least volume`, Math.min(...shares), '%', 100),
    reportRow(`${program}: most volume`, Math.max(...shares), '%', 100),
    reportRow(`${program}: front at ${FRONT_TIME} s`, frames[Math.round(FRONT_TIME * fps)].front, 'm'),
  ];
}

export const peerCases: RefereeCase[] = [0.04, 0.02, 0.01].map((spacing) => ({
  name: `peers/${spacing}`,
  title: `seconds, volume and front of a breaking dam beside other programs, cells of ${spacing} m`,
  onRequest: true,
  run: (context) => comparePrograms(context, spacing),
}));
