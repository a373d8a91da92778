/**
 * run.json and stats.jsonl as far as the viewer reads them. A run folder may come from anywhere: what is
 * missing or of another kind than src/run/node-folder.ts writes falls back to nothing, so that the rest of
 * the run is still shown.
 */
import { z } from 'zod';
import { findAt, findList, presentationSchema } from '../../../src/methods/presentation.ts';
import { findPresentation } from '../../../src/run/presentations.ts';
import type { RunInfo, StatsRecord } from './types.ts';

const MAX_NAME = 200;
/** Frames a timeline can still count. */
const MAX_FRAMES = 1e7;
/** m: beyond it, single precision has no room for squares. */
const MAX_COORDINATE = 1e15;
/** of a domain's longest side to its shortest, and of its place to its size */
const MAX_RATIO = 1e6;

/** One line of readable text. */
const line = z
  .string()
  .transform((text) =>
    text
      .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
      .trim()
      .slice(0, MAX_NAME),
  )
  .catch('');
const count = z.int().min(0).max(MAX_FRAMES).catch(0);
const coordinate = z.number().min(-MAX_COORDINATE).max(MAX_COORDINATE);
const vec3 = z.tuple([coordinate, coordinate, coordinate]);
const list = z.array(z.unknown()).catch([]);

const domain = z
  .object({ min: vec3, max: vec3 })
  .refine(({ min, max }) => {
    const sides = max.map((high, axis) => high - min[axis]);
    const [least, most] = [Math.min(...sides), Math.max(...sides)];
    const reach = Math.max(...min.map(Math.abs), ...max.map(Math.abs));
    return least > 0 && most < MAX_RATIO * least && reach < MAX_RATIO * most;
  })
  .nullable()
  .catch(null);

const runFile = z.object({
  status: line,
  balance: z.object({ within: z.boolean() }).optional().catch(undefined),
  method: line,
  name: line,
  title: line,
  fps: z.number().positive().max(1e6).catch(30),
  /** Number of the last frame the run will write. */
  lastFrame: z.int().max(MAX_FRAMES).catch(-1),
  totals: z.object({ frames: count }).catch({ frames: 0 }),
  presentation: presentationSchema.catch({}),
  scene: z
    .looseObject({
      gravity: vec3.catch([0, 0, -9.81]),
      domain,
      solids: list,
      output: z.object({ particles: count }).catch({ particles: 0 }),
    })
    .catch({
      gravity: [0, 0, -9.81],
      domain: null,
      solids: [],
      output: { particles: 0 },
    }),
});

export interface RunFile {
  readonly info: RunInfo;
  /** Frames that the file counts. */
  readonly frameTotal: number;
}

/** `frameCount`: frames that are there, where that is known better than by the file. */
export function parseRunFile(text: string, folderName: string, frameCount?: number): RunFile {
  const parsed = runFile.safeParse(parseJson(text, folderName));
  if (!parsed.success) throw damaged(folderName, 'it holds no run');
  const { status, balance, method, name, title, fps, lastFrame, totals, scene } = parsed.data;
  const presentation = findPresentation(method, parsed.data.presentation);
  const frames = frameCount ?? totals.frames;
  return {
    frameTotal: totals.frames,
    info: {
      name: title || name || folderName,
      method,
      status: status || 'unknown',
      outOfBounds: balance?.within === false,
      frameCount: frames,
      framesPlanned: Math.max(frames, lastFrame + 1),
      fps,
      domain: scene.domain,
      solids: scene.solids,
      presentation,
      wires: findList(scene, presentation.wires),
      camera: findAt(scene, presentation.camera),
      gravity: scene.gravity,
      particlesEvery: scene.output.particles,
    },
  };
}

function parseJson(text: string, folderName: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(folderName, 'it is not JSON', cause);
  }
}

const damaged = (folderName: string, why: string, cause?: unknown): Error =>
  new Error(`${folderName}/run.json: cannot be read, ${why}; the file may be damaged`, { cause });

const numberOrNot = z.number().optional().catch(undefined);
const numbers = z.record(z.string(), z.number()).optional().catch(undefined);

/** Values that the plots read through; every other name is looked at when it is plotted. */
const statsRecord = z.looseObject({
  time: numberOrNot,
  volume: numberOrNot,
  wall: numbers,
  regions: z
    .array(z.object({ label: z.int(), volume: z.number() }))
    .optional()
    .catch(undefined),
  ledger: z
    .object({ total: z.object({ volume: numbers, energy: numbers }), volumeMeant: numberOrNot })
    .optional()
    .catch(undefined),
  solver: z
    .record(
      z.string(),
      z.object({ iterations: z.number(), residual: z.number().optional().catch(undefined) }),
    )
    .optional()
    .catch(undefined),
});

/**
 * A line half written by a run that is still going ends the table; a broken line before the end is an error.
 */
export function parseStats(text: string): StatsRecord[] {
  const lines = text.split('\n');
  const records: StatsRecord[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (lines[i].trim() === '') continue;
    try {
      records.push(statsRecord.parse(JSON.parse(lines[i])) as StatsRecord);
    } catch (cause) {
      if (i === lines.length - 1) break;
      throw new Error(`stats.jsonl:${i + 1}: not a JSON record; the file may be damaged`, { cause });
    }
  }
  return records;
}

/** Frames that volume.pvd names, ascending. */
export function parsePvd(text: string): number[] {
  const frames = new Set<number>();
  for (const match of text.matchAll(/volume\/(\d{1,7})\.vtu/g)) frames.add(Number(match[1]));
  return [...frames].sort((a, b) => a - b);
}
