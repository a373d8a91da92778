/** What `meniscus check` says about everything with a time of its own: emitters, drains and moving solids. */
import type { Box, Vec3 } from '../core/types.ts';
import { costOf } from '../geometry/implicit.ts';
import { measureMotion } from '../geometry/motions.ts';
import { measureShadow } from '../geometry/shapes.ts';
import type { Scene } from '../scene/scene.ts';
import { formatNumber, renderTable } from './format.ts';

/** Times per run at which flows and poses are looked at. */
const SAMPLES = 1000;

export interface SourceSummary {
  readonly name: string;
  /** m^3/s */
  readonly peakFlow: number;
  /** Over the whole run, m^3. */
  readonly volume: number;
}

export interface EmitterSummary extends SourceSummary {
  readonly material: string;
  /** Of the jet: the nozzle's shadow along its direction, m^2. */
  readonly crossSection: number;
  /** peakFlow / crossSection, m/s */
  readonly peakSpeed: number;
}

export interface MotionSummary {
  readonly name: string;
  /** m/s */
  readonly topSpeed: number;
  /** Cells that the fastest point crosses from one frame to the next. */
  readonly cellsPerFrame: number;
}

export function describeSources(scene: Scene): { emitters: EmitterSummary[]; drains: SourceSummary[] } {
  const peak = (flowAt: (time: number) => number) => {
    let most = 0;
    for (let n = 0; n <= SAMPLES; n++) most = Math.max(most, flowAt((scene.duration * n) / SAMPLES));
    return most;
  };
  // Where there are hundreds, some percent of each will do.
  const cost = scene.emitters.reduce((sum, { shape }) => sum + costOf(shape), 0);
  const rays = Math.ceil(Math.min(256, 1024 / Math.sqrt(cost)));
  const emitters = scene.emitters.map((emitter) => {
    const peakFlow = peak(emitter.flowAt);
    const crossSection = measureShadow(emitter.shape, emitter.direction, scene.domain, rays);
    return {
      name: emitter.name,
      material: emitter.material.name,
      peakFlow,
      volume: emitter.emittedUntil(scene.duration),
      crossSection,
      peakSpeed: peakFlow / crossSection,
    };
  });
  const drains = scene.drains.map((drain) => ({
    name: drain.name,
    peakFlow: peak(drain.flowAt),
    volume: drain.drainedUntil(scene.duration),
  }));
  return { emitters, drains };
}

/** One entry per named solid that moves: the parts of a union move as one. */
export function describeMotions(scene: Scene): MotionSummary[] {
  const speeds = new Map<string, number>();
  for (const { name, shape, motion } of scene.solids) {
    if (!motion) continue;
    const rest = clipUnbounded(shape.bounds, scene.domain);
    const { topSpeed } = measureMotion(motion, rest, scene.duration, SAMPLES, scene.domain);
    speeds.set(name, Math.max(topSpeed, speeds.get(name) ?? 0));
  }
  return [...speeds].map(([name, topSpeed]) => ({
    name,
    topSpeed,
    cellsPerFrame: topSpeed / scene.fps / scene.resolution,
  }));
}

/** Shapes without end are looked at as far as the domain reaches. */
function clipUnbounded(bounds: Box, domain: Box): Box {
  const pick = (a: Vec3, b: Vec3) => a.map((x, i) => (Number.isFinite(x) ? x : b[i])) as unknown as Vec3;
  return { min: pick(bounds.min, domain.min), max: pick(bounds.max, domain.max) };
}

export function printSources({ emitters, drains }: ReturnType<typeof describeSources>): void {
  if (emitters.length > 0) {
    const rows = emitters.map((e) => [
      e.name,
      e.material,
      `${formatNumber(e.peakFlow, 3)} m^3/s`,
      `${formatNumber(e.crossSection, 3)} m^2`,
      `${formatNumber(e.peakSpeed, 3)} m/s`,
      `${formatNumber(e.volume, 3)} m^3`,
    ]);
    const head = ['emitter', 'material', 'greatest flow', 'cross-section', 'speed', 'emitted in all'];
    process.stdout.write(`${renderTable(head, rows)}\n`);
  }
  if (drains.length > 0) {
    const rows = drains.map((d) => [
      d.name,
      `${formatNumber(d.peakFlow, 3)} m^3/s`,
      `${formatNumber(d.volume, 3)} m^3`,
    ]);
    process.stdout.write(`${renderTable(['drain', 'greatest flow', 'taken in all, at most'], rows)}\n`);
  }
}

export function printMotions(motions: readonly MotionSummary[]): void {
  if (motions.length === 0) return;
  const rows = motions.map((m) => [
    m.name,
    `${formatNumber(m.topSpeed, 3)} m/s`,
    formatNumber(m.cellsPerFrame, 2),
  ]);
  process.stdout.write(`${renderTable(['moving solid', 'top speed', 'cells per frame'], rows)}\n`);
}
