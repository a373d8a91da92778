import type { Resources } from '../../src/methods/method.ts';
import type { AnyMethod } from '../../src/run/registry.ts';
import { Run, type StepRecord } from '../../src/run/runner.ts';
import { loadScene } from '../../src/scene/load.ts';
import { composeUnitScene } from '../scene/unit-scene.ts';

/** Runs a scene in the unit box to its end: what its steps tell, and the run. */
export async function runUnitScene(
  method: AnyMethod,
  scene: object,
  resources: Resources,
): Promise<{ records: StepRecord[]; run: Run }> {
  const source = {
    file: 'test.json',
    text: JSON.stringify({ ...composeUnitScene(method.name, {}), ...scene }),
  };
  const loaded = await loadScene(source, { methods: [method], readFile: async () => new Uint8Array() });
  const run = new Run({ method, ...loaded, resources });
  const records = [...run.events()].flatMap((event) => (event.type === 'step' ? [event.record] : []));
  return { records, run };
}
