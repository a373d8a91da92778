/**
 * One thread and two, the same bytes: every frame of a short dam break past a pillar, surface and volume, as
 * digests.
 */
import { createHash, type Hash } from 'node:crypto';
import { equalTo, reportRow } from '../../cases/shared/rows.ts';
import type { SurfaceFrame, VolumeFrame } from '../../src/mesh/fields.ts';
import type { RefereeCase, RefereeContext } from '../../src/run/referee.ts';

const FRAMES = 8;

function addFields(hash: Hash, fields: SurfaceFrame['vertexFields']): void {
  for (const name of Object.keys(fields).sort()) {
    const { values } = fields[name];
    hash.update(name).update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }
}

function digest(surface: SurfaceFrame, volume: VolumeFrame): string {
  const hash = createHash('sha256');
  for (const table of [surface.mesh.position, surface.mesh.triangle, volume.mesh.position, volume.mesh.tet])
    hash.update(Uint8Array.from(new Uint8Array(table.buffer, table.byteOffset, table.byteLength)));
  addFields(hash, surface.vertexFields);
  addFields(hash, volume.cellFields);
  return hash.digest('hex').slice(0, 16);
}

/** Digests of the frames, and of all steps' figures but their times. */
async function runOn(context: RefereeContext, threads: number): Promise<string[]> {
  const loaded = await context.loadScene('lattice/dam-break', {
    setting: 'small',
    sets: ['output.volume=1'],
  });
  const run = context.createRun(loaded, await context.createResources(threads));
  const digests: string[] = [];
  const steps = createHash('sha256');
  for (const event of run.events(FRAMES)) {
    if (event.type === 'step') {
      const { wall: _, heapBytes: __, ...figures } = event.record;
      steps.update(JSON.stringify(figures));
    } else if (event.type === 'frame') digests.push(digest(event.surface!, event.volume!));
  }
  return [...digests, steps.digest('hex').slice(0, 16)];
}

export const threadCases: RefereeCase[] = [
  {
    name: 'lattice/threads',
    title: 'one thread and two give the same bytes',
    async run(context) {
      const one = await runOn(context, 1);
      const two = await runOn(context, 2);
      const last = one.length - 1;
      return [
        reportRow('frames', last, ''),
        ...one
          .slice(0, last)
          .map((text, frame) => equalTo(`frame ${frame}: surface, tets, fields`, two[frame], text)),
        equalTo('every figure of every step but its times', two[last], one[last]),
        reportRow(
          'frames that differ from the one before',
          one.slice(1, last).filter((d, i) => d !== one[i]).length,
          '',
          last - 1,
        ),
      ];
    },
  },
];
