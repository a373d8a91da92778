/**
 * run.json and the lines of stats.jsonl as they must be. A run folder may come from anywhere: a disk that
 * failed, another version, another person. What is read from one is held to these schemas, and what is wrong
 * is said with its place.
 */
import { z } from 'zod';
import { InputError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { type Presentation, presentationSchema } from '../methods/presentation.ts';
import { describeIssues } from '../scene/problems.ts';
import { folderName, line } from '../scene/schema-text.ts';
import type { Balance } from './balance.ts';
import type { StepRecord } from './runner.ts';

/** run.json holds the scene within an object of its own. */
const MOST_NESTED = LIMITS.nesting + 1;

const count = (what: string) => z.int().nonnegative().describe(what);
const amount = (what: string) => z.number().nonnegative().describe(what);

/** Who writes a run. `boot` and `started` tell a process from a later one that got the same number. */
const writer = z.looseObject({
  pid: z.int().positive().describe('number of the process that writes the run'),
  host: line().describe('name of its machine'),
  boot: line().describe('when its machine was started, as an id').optional(),
  started: line().describe('when the process was started, in ticks since then').optional(),
});

const volumeBalance = z.looseObject({
  now: z.number(),
  meant: z.number(),
  kept: z.number(),
  worst: z.looseObject({ kept: z.number(), frame: count('frame') }),
  beyondFrom: count('frame').optional(),
  emptyFrom: count('frame').optional(),
});
const energyBalance = z.looseObject({
  given: z.number(),
  rise: z.number(),
  largestRise: z.number(),
  frame: count('frame'),
  change: z.number(),
  work: z.number().optional(),
  beyondFrom: count('frame').optional(),
});

const runInfoSchema = z
  .looseObject({
    format: z.literal(1).describe('version of the run folder'),
    name: folderName().describe("the scene's name"),
    title: line().describe("the scene's title"),
    method: line().min(1).describe('the method that ran it'),
    version: line().describe('version of meniscus'),
    threads: z.int().positive().max(LIMITS.threads).describe('threads it ran on'),
    seed: count("the scene's seed"),
    status: z.enum(['running', 'interrupted', 'done', 'failed']).describe('how it ended'),
    error: z.string().describe('why it failed').optional(),
    process: writer.describe('who wrote it last'),
    fps: z.number().positive().describe('frames per second'),
    lastFrame: count('the frame aimed at').max(LIMITS.steps),
    notes: z.array(z.string()).describe('what the method leaves out').default([]),
    presentation: presentationSchema.optional().catch(undefined).describe('how the method wants to be shown'),
    balance: z
      .looseObject({
        within: z.boolean(),
        volume: volumeBalance.optional(),
        energy: energyBalance.optional(),
      })
      .describe('how well volume and energy were kept')
      .optional(),
    totals: z
      .looseObject({
        frames: count('frames written'),
        steps: count('steps done'),
        time: amount('simulated time, seconds'),
        wallSeconds: amount('time it took, seconds'),
        peakHeapBytes: amount('most heap in use, bytes'),
      })
      .describe('how far it came'),
    scene: z.record(z.string(), z.unknown()).describe('the scene with all defaults filled in'),
  })
  .superRefine((info, context) => {
    for (const key of ['method', 'fps', 'seed'] as const) {
      const inScene = info.scene[key];
      if (inScene === info[key]) continue;
      const message = `what its scene says: ${JSON.stringify(inScene)}`;
      context.addIssue({ code: 'custom', path: [key], message, input: info });
    }
  });

export type RunStatus = z.infer<typeof runInfoSchema>['status'];
export type Writer = z.infer<typeof writer>;

/** run.json. */
export interface RunInfo {
  readonly format: 1;
  readonly name: string;
  readonly title: string;
  readonly method: string;
  /** Version of meniscus that wrote it. */
  readonly version: string;
  threads: number;
  readonly seed: number;
  status: RunStatus;
  error?: string;
  /** Who writes it while it is running. */
  process: Writer;
  fps: number;
  /** The last frame the run aims at. */
  lastFrame: number;
  /** What the method leaves out of the scene. */
  notes: readonly string[];
  /** How the method wants its runs to be shown. */
  presentation?: Presentation | undefined;
  /** How well volume and energy were kept up to the last write. */
  balance?: Balance;
  totals: { frames: number; steps: number; time: number; wallSeconds: number; peakHeapBytes: number };
  /** The scene with setting and --set applied; mesh files are in assets/. */
  readonly scene: Record<string, unknown>;
}

const REMEDY = 'restore it from a copy, or run the scene anew';

/** Reads the text of run.json; throws an InputError that names the first thing wrong. */
export function parseRunInfo(text: string, file: string): RunInfo {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    // The engine quotes what it found, line breaks and all.
    const reason = String(cause).replaceAll(/\s+/g, ' ');
    throw new InputError(file, `cannot be read (${reason})`, REMEDY, { cause });
  }
  if (data === null || typeof data !== 'object' || Array.isArray(data)) {
    const kind = data === null ? 'null' : Array.isArray(data) ? 'a list' : `a ${typeof data}`;
    throw new InputError(file, `it holds ${kind}, not the description of a run`, REMEDY);
  }
  const strange = findStrange(data);
  if (strange !== undefined) throw new InputError(file, strange, REMEDY);
  const parsed = runInfoSchema.safeParse(data);
  if (parsed.success) return parsed.data as RunInfo;
  const document = { file, data: data as Record<string, unknown>, place: () => file };
  const [first, ...others] = describeIssues(parsed.error.issues, runInfoSchema, document);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new InputError(file, `${first.what}, ${first.remedy}${more}`, REMEDY);
}

/** What would break those who walk the data: depth, which overflows the stack, and a key that is none. */
function findStrange(data: unknown): string | undefined {
  let level: unknown[] = [data];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_NESTED) return `it is nested more than ${MOST_NESTED} deep`;
    const objects = level.filter((v) => v !== null && typeof v === 'object');
    if (objects.some((v) => Object.hasOwn(v as object, '__proto__'))) return 'it has a key "__proto__"';
    level = objects.flatMap((v) => Object.values(v as object));
  }
  return undefined;
}

const stepRecordSchema = z.looseObject({
  frame: count('the frame the step leads to'),
  step: count('the number of the step'),
  time: amount('after the step, seconds'),
  dt: amount('of the step, seconds'),
});

/** Reads a line of stats.jsonl; `where` names file and line. */
export function parseStepRecord(text: string, where: string): StepRecord {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    throw new InputError(where, 'not a JSON record', `the file is damaged: ${REMEDY}`, { cause });
  }
  const parsed = stepRecordSchema.safeParse(data);
  if (parsed.success) return data as StepRecord;
  const [issue] = parsed.error.issues;
  const name = issue.path.length === 0 ? 'the line' : `"${issue.path.join('.')}"`;
  throw new InputError(
    where,
    `not the record of a step: ${name}: ${issue.message}`,
    `the file is damaged: ${REMEDY}`,
  );
}
