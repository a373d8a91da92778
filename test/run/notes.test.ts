import { describe, expect, test } from 'vitest';
import { listNotes } from '../../src/run/notes.ts';
import { methods } from '../../src/run/registry.ts';
import { type LoadedScene, loadScene } from '../../src/scene/load.ts';

const load = (scene: object): Promise<LoadedScene> =>
  loadScene(
    { file: 'test.json', text: JSON.stringify({ version: 1, duration: 1, ...scene }) },
    { methods, readFile: async () => new Uint8Array() },
  );

/** A half full box of a size. */
const tank = (size: number, material: string, rest: object = {}) =>
  load({
    method: 'lattice',
    domain: { min: [0, 0, 0], max: [size, size, size] },
    resolution: size / 20,
    liquids: [
      { shape: { type: 'box', min: [-size, -size, -size], max: [2 * size, 2 * size, size / 2] }, material },
    ],
    ...rest,
  });

describe('what lattice leaves out', () => {
  test('water in a tank of a metre is what it can do', async () => {
    expect(listNotes(await tank(1, 'water'))).toEqual([]);
  });

  test('honey is viscous at any size', async () => {
    for (const size of [0.1, 1, 10]) {
      const notes = listNotes(await tank(size, 'honey')).filter((note) => note.includes('inviscid'));
      expect(notes).toHaveLength(1);
      expect(notes[0]).toMatch(/honey with 10 Pa s \(Reynolds number about \d+\)/);
    }
  });

  test('water is viscous where it is small', async () => {
    expect(listNotes(await tank(0.002, 'water')).some((note) => note.includes('inviscid'))).toBe(true);
  });

  test('mercury of a centimetre is shaped by tension, of a metre it is not', async () => {
    const notes = listNotes(await tank(0.01, 'mercury'));
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/no surface tension: mercury of 5 mm \(Bond number about 6\.8\)/);
    expect(listNotes(await tank(1, 'mercury'))).toEqual([]);
  });

  test('cells below the capillary length would show drops and ripples', async () => {
    const notes = listNotes(await tank(0.2, 'water', { resolution: 0.002 }));
    expect(notes).toEqual([
      'the lattice method has no surface tension: drops, rims and ripples of water below some 2.7 mm, which cells of 2 mm show, would be shaped by it',
    ]);
  });

  test('without gravity the Weber number tells', async () => {
    const gravity = [0, 0, 0];
    expect(listNotes(await tank(1, 'water', { gravity }))[0]).toContain('Weber number about 0');
  });

  test('liquid that only an emitter brings counts as well', async () => {
    const emitters = [
      {
        name: 'tap',
        shape: { type: 'cylinder', from: [0.5, 0.5, 0.7], to: [0.5, 0.5, 1], radius: 0.2 },
        material: 'syrup',
        direction: [0, 0, -1],
        flow: 0.01,
      },
    ];
    const notes = listNotes(await tank(1, 'syrup', { liquids: [], emitters }));
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain('syrup');
  });
});

describe('what tracking and films leave out', () => {
  const domain = { min: [0, 0, 0], max: [1, 1, 1] };

  test('gravity, materials, tetrahedra', async () => {
    const scene = {
      method: 'tracking',
      domain,
      resolution: 0.1,
      materials: { goo: { density: 1000 } },
      output: { volume: 5 },
      tracking: {
        start: [{ type: 'sphere', centre: [0.5, 0.5, 0.5], radius: 0.2, label: 1 }],
        flows: [{ type: 'normal', speed: 0.1 }],
        timeStep: 0.01,
      },
    };
    const notes = listNotes(await load(scene));
    expect(notes).toHaveLength(3);
    expect(notes[0]).toContain('gravity');
    expect(notes[1]).toContain('goo');
    expect(notes[2]).toContain('output.volume');
  });

  test('films: gravity, and viscosity unless there is damping', async () => {
    const films = { start: [{ type: 'bubble', centre: [0.5, 0.5, 0.5], radius: 0.2 }] };
    const scene = { method: 'films', domain, resolution: 0.1 };
    const free = listNotes(await load({ ...scene, films }));
    const damped = listNotes(await load({ ...scene, films: { ...films, damping: 1e-4 } }));
    expect(free).toHaveLength(2);
    expect(damped).toEqual(free.slice(0, 1));
    expect(damped[0]).toContain('gravity');
  });
});
