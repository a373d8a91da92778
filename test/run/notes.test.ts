import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listNotes } from '../../src/run/notes.ts';
import { findMethod, methods, registerMethod } from '../../src/run/registry.ts';
import { type LoadedScene, loadScene } from '../../src/scene/load.ts';
import { SCENE_FEATURES } from '../../src/scene/method-info.ts';
import { buildSceneSchema } from '../../src/scene/schema.ts';
import { bouncingBall } from './bouncing-ball.js';

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

describe('what follows from the declarations of methods', () => {
  const domain = { min: [0, 0, 0], max: [1, 1, 1] };

  test('options of another method go unused', async () => {
    const films = { start: [{ type: 'bubble', centre: [0.5, 0.5, 0.5], radius: 0.2 }] };
    expect(listNotes(await tank(1, 'water', { films }))).toEqual([
      'the lattice method runs the scene: its options under "films" go unused',
    ]);
    const scene = { method: 'films', domain, resolution: 0.1, films };
    expect(listNotes(await load({ ...scene, lattice: { cfl: 1 } }))).toHaveLength(2);
    expect(listNotes(await load({ ...scene, lattice: { cfl: 2 } }))[2]).toContain('"lattice"');
  });

  test('fields that a method adds to materials reach it, and go unused in the others', async () => {
    const temperature = z.number().min(-273.15).describe('temperature, degrees Celsius');
    registerMethod({ ...bouncingBall, name: 'melting', materialFields: { temperature } });
    const materials = { wax: { density: 780, temperature: 70 }, ice: { density: 917 } };
    const loaded = await tank(1, 'wax', { materials, method: 'melting' });
    expect(loaded.scene.liquids[0].material).toEqual({
      name: 'wax',
      density: 780,
      viscosity: 0,
      surfaceTension: 0,
      fields: { temperature: 70 },
    });
    expect(listNotes(loaded)).toEqual([]);
    expect(listNotes(await tank(1, 'wax', { materials }))).toEqual([
      'the lattice method has no use for "temperature" of materials: that of wax goes unused',
    ]);
    await expect(tank(1, 'wax', { materials: { wax: { density: 780, temperature: -300 } } })).rejects.toThrow(
      'temperature, degrees Celsius',
    );
    await expect(tank(1, 'wax', { materials: { wax: { density: 780, warmth: 1 } } })).rejects.toThrow(
      'warmth',
    );
  });

  test('a field is declared by one schema, without a default, and is none that every material has', () => {
    const declare = (name: string, materialFields: Record<string, z.ZodType>) => ({
      name,
      options: z.object({}),
      materialFields,
    });
    const field = z.number();
    const compose = (...fields: Record<string, z.ZodType>[]) =>
      buildSceneSchema(fields.map((of, n) => declare(`m${n}`, of)));
    expect(() => compose({ stiffness: field }, { stiffness: field })).not.toThrow();
    expect(() => compose({ stiffness: field }, { stiffness: z.number() })).toThrow('share one');
    expect(() => compose({ stiffness: z.number().default(1) })).toThrow('default');
    expect(() => compose({ density: field })).toThrow('every material');
  });

  test('methods that ignore a part say why, and run the features they list', () => {
    for (const { ignores = [], features = [] } of methods) {
      for (const { parts } of ignores) expect(parts.length).toBeGreaterThan(0);
      for (const feature of features) expect(SCENE_FEATURES).toContain(feature);
    }
    expect(findMethod('films')!.ignores!.flatMap(({ parts }) => parts)).toContain('gravity');
  });
});
