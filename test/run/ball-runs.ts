/** Runs of the bouncing ball in a folder of a test's own. */
import { join } from 'node:path';
import { Run } from '../../src/run/runner.ts';
import type { Snapshot } from '../../src/run/snapshot.ts';
import type { LoadedScene } from '../../src/scene/load.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { loadBall, resources } from './ball-scene.ts';
import { bouncingBall } from './bouncing-ball.js';

export interface BallRuns {
  readonly dir: string;
  readonly loaded: LoadedScene;
  /** A path in the run's folder, which is `dir`/run. */
  at(...path: string[]): string;
  createRun(from?: Snapshot): Run;
}

/** `mesh`: where the scene's mesh file lies. */
export async function createBallRuns(name: string, mesh: string): Promise<BallRuns> {
  const dir = createTemporaryFolder(name);
  const loaded = await loadBall(mesh);
  const { scene, output } = loaded;
  return {
    dir,
    loaded,
    at: (...path) => join(dir, 'run', ...path),
    createRun: (from) => new Run({ method: bouncingBall, scene, output, resources, from }),
  };
}
