/**
 * A bundled scene taken from start to end by the runner, as `meniscus run` takes it, with what the referees
 * ask of every step.
 */
import type { Seconds } from '../../src/core/types.ts';
import type { TriMesh } from '../../src/mesh/trimesh.ts';
import type { RefereeContext } from '../../src/run/referee.ts';
import type { StepRecord } from '../../src/run/runner.ts';
import type { LoadedScene } from '../../src/scene/load.ts';
import type { Scene } from '../../src/scene/scene.ts';

export interface Course {
  readonly scene: Scene;
  /** From the start on, one for each step. */
  readonly records: readonly StepRecord[];
  /** m^3 there should be at each record: the start's contour and what came and went since */
  readonly wanted: readonly number[];
  /** Why the run stopped before its end, or ''. */
  readonly fault: string;
}

export interface CourseOptions {
  /** Default: all cores. */
  readonly threads?: number;
  /** Called with the surface at each frame. */
  readonly onFrame?: (time: Seconds, mesh: TriMesh, scene: Scene) => void;
  /** Called at each step; the course stops where it says so. */
  readonly isOver?: (record: StepRecord) => boolean;
}

export async function driveScene(
  context: RefereeContext,
  loaded: LoadedScene,
  { threads, onFrame, isOver }: CourseOptions = {},
): Promise<Course> {
  const resources = await context.createResources(threads);
  const { scene } = loaded;
  const output = { surface: onFrame !== undefined, volume: false, checkpoint: 1_000_000 } as const;
  const records: StepRecord[] = [];
  const wanted: number[] = [];
  let fault = '';
  try {
    const run = context.createRun({ ...loaded, output }, resources);
    for (const event of run.events()) {
      if (event.type === 'frame' && event.surface) onFrame?.(event.time, event.surface.mesh, scene);
      if (event.type !== 'step') continue;
      records.push(event.record);
      const { drained } = run.snapshot().record.numbers;
      wanted.push(records[0].volume! + measureEmitted(scene, event.record.time) - (drained ?? 0));
      if (isOver?.(event.record)) break;
    }
  } catch (error) {
    // A run that breaks off is a result: its steps so far count, and the case says that it did not arrive.
    fault = error instanceof Error ? error.message : String(error);
    context.note(fault);
  }
  return { scene, records, wanted, fault };
}

function measureEmitted({ emitters }: Scene, time: Seconds): number {
  return emitters.reduce((sum, emitter) => sum + emitter.emittedUntil(time), 0);
}
