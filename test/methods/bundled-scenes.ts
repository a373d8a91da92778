/** Loading and running the bundled scenes of one method. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createHeap } from '../../src/core/heap.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import type { Threads } from '../../src/core/threads/task.ts';
import type { AnyMethod } from '../../src/run/registry.ts';
import { Run } from '../../src/run/runner.ts';
import type { Snapshot } from '../../src/run/snapshot.ts';
import { type LoadedScene, loadScene } from '../../src/scene/load.ts';

export function openScenes(method: AnyMethod) {
  const heap = createHeap();

  function load(name: string, sets: readonly string[] = [], setting = 'small'): Promise<LoadedScene> {
    const file = fileURLToPath(new URL(`../../scenes/${method.name}/${name}.jsonc`, import.meta.url));
    const source = { file, text: readFileSync(file, 'utf8') };
    return loadScene(source, { methods: [method], readFile, sets, setting });
  }

  function createRun(
    { scene, output }: LoadedScene,
    threads: Threads = createSingleThread(),
    from?: Snapshot,
  ): Run {
    return new Run({ method, scene, output, resources: { heap, threads }, from });
  }

  return { heap, load, createRun };
}
