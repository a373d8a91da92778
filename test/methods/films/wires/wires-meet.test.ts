/** Wires and openings: what may meet there, and that nothing that meets there makes energy. */
import { describe, expect, it } from 'vitest';
import { buildFilms } from '../../../../cases/films/march.ts';
import { createHeap } from '../../../../src/core/heap.ts';
import { createSingleThread } from '../../../../src/core/threads/single.ts';
import { namePieces } from '../../../../src/methods/films/events/pieces.ts';
import { ON_WIRE, RIDING } from '../../../../src/methods/films/wires/wires.ts';
import { measureMeant } from '../../../../src/tracking/multimaterial/conservation/volumes.ts';
import { measureRegions } from '../../../../src/tracking/multimaterial/measure.ts';
import { createRun, energyOf, load, measureDrift, runChecked } from '../run-scene.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };
/** What remeshing and a finite step may add to the energy, as a share. */
const GAIN = 0.02;
/** Change of a bubble's volume. */
const BUBBLE = 5e-4;

const roof = [
  {
    profile: [
      [0.02, 0],
      [0, 0.04],
    ],
    left: 1,
    right: 2,
  },
  {
    profile: [
      [0.02, 0],
      [0, 0.06],
    ],
    left: 2,
    right: 0,
  },
];
const ring = { type: 'ring', centre: [0, 0, 0], axis: [0, 0, 1], radius: 0.02 };
/** A bubble that hangs on a ring: the air around the wire is one, that in the bubble is its own. */
const hanging = [
  {
    profile: [
      [0.02, 0],
      [0, 0],
    ],
    left: 3,
    right: 1,
  },
  {
    profile: [
      [0.02, 0],
      [0.028, -0.02],
      [0.018, -0.04],
      [0, -0.045],
    ],
    left: 0,
    right: 3,
  },
  ...roof,
];
const hangingSets = [
  `films.start=${JSON.stringify([{ type: 'revolution', sheets: hanging }])}`,
  `films.wires=${JSON.stringify([ring])}`,
];

describe('films at rims', () => {
  it('a bubble that touches the wire of an open film makes no energy and keeps its volume', async () => {
    const run = createRun(await load('sweeping-ring', [...hangingSets, 'resolution=0.008', 'duration=0.05']));
    const records = runChecked(run);
    const volumeOf = ({ regions }: (typeof records)[number]) =>
      regions!.find(({ label }) => label === 3)!.volume;
    for (const record of records) {
      expect(energyOf(record)).toBeLessThan((1 + GAIN) * energyOf(records[0]));
      expect(Math.abs(volumeOf(record) / volumeOf(records[0]) - 1)).toBeLessThan(BUBBLE);
    }
    expect(records.at(-1)!.solver['wires'].residual).toBeLessThan(2e-3);
  });

  it('a ring that stops and meets its own bubble again', async () => {
    const stop = 'films.wires[0].motion.translate.end=0.06';
    const run = createRun(await load('sweeping-ring', [stop, 'resolution=0.011', 'duration=0.25']));
    const records = runChecked(run);
    const atStop = energyOf(records.find(({ time }) => time >= 0.06)!);
    const later = records.filter(({ time }) => time > 0.06);
    expect(Math.max(...later.map(energyOf))).toBeLessThan(1.5 * atStop);
    expect(energyOf(records.at(-1)!)).toBeLessThan(atStop);
  });

  it('a film and a ghost become one on the wire only', () => {
    const { state, model } = buildFilms(resources, 0.008, {
      start: [{ type: 'revolution', sheets: hanging }],
      wires: [ring],
      openings: [2],
    });
    const { hold, tracker } = state;
    const { mesh } = tracker;
    const film: number[] = [];
    const wire: number[] = [];
    const ghosts = new Map<number, number>();
    for (let v = 0; v < mesh.vertexFill; v++) {
      if (hold.how(v) === ON_WIRE) wire.push(v);
      else if (hold.how(v) !== RIDING) film.push(v);
    }
    for (let f = 0; f < mesh.faceFill; f++)
      for (let c = 3 * f; c < 3 * f + 3; c++)
        if (hold.how(mesh.face[c]) === RIDING)
          ghosts.set(
            model.isOpening(mesh.label[2 * f]) ? mesh.label[2 * f + 1] : mesh.label[2 * f],
            mesh.face[c],
          );
    expect([...ghosts.keys()].sort()).toEqual([0, 1]);
    expect(hold.mayJoin(film[0], ghosts.get(0)!)).toBe(false);
    expect(hold.mayJoin(ghosts.get(1)!, film[0])).toBe(false);
    expect(hold.mayJoin(ghosts.get(0)!, ghosts.get(1)!)).toBe(false);
    expect(hold.mayJoin(film[0], film.at(-1)!)).toBe(true);
    expect(hold.mayJoin(film[0], wire[0])).toBe(true);
    expect(hold.mayJoin(ghosts.get(0)!, wire[0])).toBe(true);
    // The same of what merging would make in faces: asked before it makes them.
    const faceOf = (isGhost: boolean) => {
      for (let f = 0; f < mesh.faceFill; f++)
        if (isGhost === (model.isOpening(mesh.label[2 * f]) || model.isOpening(mesh.label[2 * f + 1])))
          return [...mesh.face.subarray(3 * f, 3 * f + 3)];
      throw new Error('no such face');
    };
    expect(hold.mayMeet([film[0]], faceOf(true))).toBe(false);
    expect(hold.mayMeet([film[0]], faceOf(false))).toBe(true);
    expect(hold.mayMeet(faceOf(true), wire.slice(0, 1))).toBe(true);
  });

  it('the last edge of a piece that vanishes may be heard of', () => {
    const { state } = buildFilms(resources, 0.3, {
      start: [{ type: 'bubble', centre: [0, 0, 0], radius: 1 }],
    });
    const { mesh } = state.tracker;
    for (let f = 0; f < mesh.faceFill; f++) mesh.removeFace(f);
    for (let v = 0; v < 2; v++) expect(mesh.removeIsolatedVertex(v)).toBe(true);
    state.hold.onCollapse(0, 1, 0);
    expect(state.hold.isHeld(0)).toBe(false);
  });
});

describe('pieces', () => {
  const bubble = (x: number, radius: number, label: number) => ({
    type: 'bubble',
    centre: [x, 0, 0],
    radius,
    label,
  });

  it('a bubble that came off its region has a label, a volume and circulations of its own', () => {
    const { state } = buildFilms(resources, 0.3, { start: [bubble(0, 1, 1), bubble(3, 0.7, 2)] });
    const { tracker, rows } = state;
    const { mesh } = tracker;
    const before = measureRegions(mesh).filter(({ label }) => label > 0);
    // As if the two had been one.
    for (let f = 0; f < mesh.faceFill; f++) {
      const [front, back] = [mesh.label[2 * f], mesh.label[2 * f + 1]];
      mesh.setLabels(f, Math.min(front, 1), Math.min(back, 1));
    }
    for (let v = 0; v < mesh.vertexFill; v++) {
      rows.clear(v);
      rows.set(v, 0, 0);
      rows.set(v, 1, v);
    }
    const meant = measureMeant(tracker, undefined);
    expect([...meant.keys()]).toEqual([1]);
    expect(namePieces(tracker, rows, undefined, meant, 7)).toBe(1);
    const after = measureRegions(mesh).filter(({ label }) => label > 0);
    expect(after.map(({ label }) => label)).toEqual([1, 7]);
    after.forEach(({ volume }, n) => {
      expect(volume).toBeCloseTo(before[n].volume, 10);
    });
    expect(meant.get(1)).toBeCloseTo(before[0].volume, 10);
    for (let f = 0; f < mesh.faceFill; f++) {
      const region = Math.max(mesh.label[2 * f], mesh.label[2 * f + 1]);
      for (let c = 3 * f; c < 3 * f + 3; c++)
        expect(rows.value[rows.find(mesh.face[c], region)]).toBe(mesh.face[c]);
    }
    expect(namePieces(tracker, rows, undefined, meant, 7)).toBe(0);
  });
});

describe('wires amid films', () => {
  it('report how their circulation was found', async () => {
    const records = runChecked(
      createRun(await load('bubble-in-ring', ['resolution=0.007', 'duration=0.005'])),
    );
    for (const { solver, events } of records.slice(1)) {
      expect(solver['wires'].iterations).toBeGreaterThan(0);
      expect(solver['wires'].residual).toBeLessThan(2e-3);
      expect(events['wiresUnsolved']).toBeUndefined();
    }
    expect(measureDrift(records[0], records.at(-1)!)).toBeLessThan(5e-3);
  });
});
