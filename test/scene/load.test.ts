import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadScene } from '../../src/scene/load.ts';
import { escapeControls } from '../../src/scene/schema-text.ts';

const methods = [
  {
    name: 'lattice',
    options: z.object({ cfl: z.number().positive().describe('largest Courant number').default(2) }),
  },
];

const valid = `{
  // a comment
  "version": 1,
  "method": "lattice",
  "duration": 1,
  "fps": 20,
  "domain": { "min": [0, 0, 0], "max": [1, 1, 1] },
  "resolution": 0.1,
  "liquids": [
    { "shape": { "type": "sphere", "centre": [0.5, 0.5, 0.5], "radius": 0.2 }, "material": "honey" },
  ],
  "solids": [],
  "settings": { "small": { "resolution": 0.2, "lattice": { "cfl": 1 } } }
}`;

function load(
  text: string,
  more: { sets?: string[]; setting?: string; files?: Record<string, string> } = {},
) {
  const readFile = async (path: string) => {
    const content = more.files?.[path];
    if (content === undefined) throw new Error(`ENOENT: no such file, open '${path}'`);
    return new TextEncoder().encode(content);
  };
  return loadScene(
    { file: 'dir/a.jsonc', text },
    { methods, readFile, sets: more.sets ?? [], setting: more.setting },
  );
}

/** The lines of the error a text gives. */
async function problems(text: string, more: Parameters<typeof load>[1] = {}): Promise<string[]> {
  const error = await load(text, more).then(
    () => {
      throw new Error('the scene was accepted');
    },
    (e: Error) => e,
  );
  return error.message.split('\n');
}

const edit = (from: string | RegExp, to: string) => {
  const text = valid.replace(from, to);
  if (text === valid) throw new Error(`nothing replaced: ${from}`);
  return text;
};

describe('a valid scene', () => {
  test('is read with comments, trailing commas, defaults and presets', async () => {
    const { scene, output, document } = await load(valid);
    expect(scene.name).toBe('a');
    expect(scene.gravity).toEqual([0, 0, -9.81]);
    expect(scene.liquids[0].material).toMatchObject({ name: 'honey', density: 1420, viscosity: 10 });
    expect(scene.liquids[0].shape.value(0.5, 0.5, 0.5)).toBeCloseTo(0.2, 12);
    expect(scene.options).toEqual({ cfl: 2 });
    expect(output).toEqual({ surface: true, volume: false, checkpoint: 1 });
    expect(document['settings']).toBeUndefined();
  });

  test('its resolved document reads back as the same scene', async () => {
    const first = await load(valid, { setting: 'small', sets: ['liquids[0].velocity=[1,0,0]'] });
    const again = await load(JSON.stringify(first.document));
    expect(again.document).toEqual({ ...first.document });
    expect(again.scene.liquids[0].velocity).toEqual([1, 0, 0]);
    expect(again.scene.resolution).toBe(0.2);
    expect(again.scene.options).toEqual({ cfl: 1 });
  });

  test('takes its own materials, transforms and combined shapes', async () => {
    const text = edit(
      /"liquids": \[[\s\S]*?\n {2}\],/,
      `"materials": { "slime": { "density": 1100, "viscosity": 50 } },
       "liquids": [{ "material": "slime", "shape": { "type": "difference",
         "from": { "type": "box", "min": [-0.5, -0.5, -0.5], "max": [0.5, 0.5, 0.5], "transform": { "scale": 0.5 } },
         "minus": [{ "type": "halfspace", "point": [0, 0, 0], "normal": [0, 0, 1] }],
         "transform": { "rotate": { "axis": [0, 1, 0], "degrees": 90 }, "translate": [0.5, 0.5, 0.5] } } }],`,
    );
    const { scene } = await load(text);
    expect(scene.liquids[0].material).toEqual({
      name: 'slime',
      density: 1100,
      viscosity: 50,
      surfaceTension: 0,
    });
    // The upper half of the box, turned about y by 90 degrees: z becomes x.
    expect(scene.liquids[0].shape.value(0.6, 0.5, 0.5)).toBeCloseTo(0.1, 12);
    expect(scene.liquids[0].shape.value(0.4, 0.5, 0.5)).toBeCloseTo(-0.1, 12);
  });
});

describe('mistakes are named with place, value, expectation and remedy', () => {
  const cases: [string, string, string, RegExp][] = [
    [
      'unknown key',
      valid,
      valid.replace('"duration"', '"durration"'),
      /^dir\/a\.jsonc:5:3: unknown key "durration"; did you mean "duration"\?$/,
    ],
    [
      'unknown nested key',
      valid,
      valid.replace('"radius"', '"radios"'),
      /^dir\/a\.jsonc:10:63: unknown key "radios" in liquids\[0\]\.shape; did you mean "radius"\?$/,
    ],
    [
      'unknown shape',
      valid,
      valid.replace('"sphere"', '"spere"'),
      /a\.jsonc:10:26: liquids\[0\]\.shape\.type is "spere"; did you mean "sphere"\?/,
    ],
    [
      'unknown method',
      valid,
      valid.replace('"method": "lattice"', '"method": "latice"'),
      /a\.jsonc:4:13: method is "latice"; did you mean "lattice"\?/,
    ],
    [
      'unknown method option',
      valid,
      valid.replace('"solids": []', '"lattice": {"clf": 1}'),
      /12:15: unknown key "clf" in lattice; did you mean "cfl"\?/,
    ],
    [
      'unit in a length',
      valid,
      valid.replace('0.1,', '"5 cm",'),
      /8:17: resolution is "5 cm"; expected a plain number in SI units: write 0\.05 without quotes/,
    ],
    [
      'unit in a vector',
      valid,
      valid.replace('[1, 1, 1]', '[1, 1, "200 mm"]'),
      /domain\.max\[2\] is "200 mm"; .*write 0\.2 without quotes/,
    ],
    [
      'unit in a duration',
      valid,
      valid.replace('"duration": 1', '"duration": "500ms"'),
      /write 0\.5 without quotes \(simulated time, seconds\)/,
    ],
    [
      'text for a number',
      valid,
      valid.replace('"fps": 20', '"fps": "fast"'),
      /fps is "fast"; expected a plain number in SI units, without quotes/,
    ],
    [
      'zero duration',
      valid,
      valid.replace('"duration": 1', '"duration": 0'),
      /5:15: duration is 0; expected a number greater than 0 \(simulated time, seconds\)/,
    ],
    [
      'NaN',
      valid,
      valid.replace('"duration": 1', '"duration": NaN'),
      /5:15: NaN is not a number; expected a finite number/,
    ],
    [
      'Infinity by overflow',
      valid,
      valid.replace('"duration": 1', '"duration": 1e999'),
      /5:15: duration is Infinity; expected a finite number/,
    ],
    [
      'missing key',
      valid,
      valid.replace('"resolution": 0.1,', ''),
      /a\.jsonc:1:1: missing "resolution"; expected a finite number \(edge length/,
    ],
    [
      'wrong type',
      valid,
      valid.replace('"solids": []', '"solids": {}'),
      /12:13: solids is \{\}; expected a list/,
    ],
    ['version', valid, valid.replace('"version": 1', '"version": 2'), /version is 2; expected 1/],
    [
      'inverted domain',
      valid,
      valid.replace('[0, 0, 0], "max"', '[0, 2, 0], "max"'),
      /domain is .*expected a box whose min is below its max/,
    ],
    [
      'negative radius',
      valid,
      valid.replace('"radius": 0.2', '"radius": -0.2'),
      /radius is -0\.2; expected a number greater than 0 \(radius, metres\)/,
    ],
    [
      'unknown material',
      valid,
      valid.replace('honey', 'honny'),
      /unknown material "honny"; did you mean "honey"\?/,
    ],
    [
      'liquid outside',
      valid,
      valid.replace('[0.5, 0.5, 0.5]', '[5, 0.5, 0.5]'),
      /10:16: the liquid from \[4\.8, 0\.3, 0\.3\] to \[5\.2, 0\.7, 0\.7\] is wholly outside the domain; move/,
    ],
    [
      'liquid just outside a corner',
      valid,
      valid.replace('[0.5, 0.5, 0.5]', '[1.12, 1.12, 1.12]').replace('0.2 }', '0.19 }'),
      /no part of the liquid thicker than 0\.025 m is inside the domain/,
    ],
    [
      'liquid inside a solid',
      valid,
      valid.replace(
        '"solids": []',
        '"solids": [{"shape":{"type":"sphere","centre":[0.5,0.5,0.5],"radius":0.3}}]',
      ),
      /wholly inside solids/,
    ],
    [
      'coarse resolution',
      valid,
      valid.replace('0.1,', '0.8,'),
      /resolution is 0\.8 m in a domain 1 m across; expected at most half/,
    ],
    [
      'emitters',
      valid,
      valid.replace(
        '"solids": []',
        '"emitters": [{"shape":{"type":"sphere","centre":[0.5,0.5,0.5],"radius":0.3},"direction":[1,0,0],"flow":1}]',
      ),
      /12:15: the lattice method does not support emitters; remove "emitters"/,
    ],
    [
      'moving solid',
      valid,
      valid.replace(
        '"solids": []',
        '"solids": [{"shape":{"type":"sphere","centre":[0,0,0],"radius":0.3},"motion":{"translate":{"velocity":[1,0,0]}}}]',
      ),
      /12:80: the lattice method does not support moving solids; remove "motion"/,
    ],
    [
      'walls that hold the liquid',
      valid,
      valid.replace('"solids": []', '"walls": "no-slip"'),
      /12:12: the lattice method does not support no-slip walls; remove "walls"/,
    ],
    [
      'no liquid at all',
      valid,
      valid.replace(/"liquids": \[[\s\S]*?\n {2}\],/, '"liquids": [],'),
      /9:14: liquids is \[\]; expected at least one liquid, or an emitter that brings some/,
    ],
    [
      'bad setting',
      valid,
      valid.replace('"resolution": 0.2', '"resolutoin": 0.2'),
      /13:28: unknown key "resolutoin"; did you mean "resolution"\?/,
    ],
    [
      'missing mesh',
      valid,
      valid.replace(/"type": "sphere"[^}]*/, '"type": "mesh", "file": "bunny.obj"'),
      /10:42: dir\/bunny\.obj: cannot be read \(ENOENT/,
    ],
    [
      'volume option',
      valid,
      valid.replace('"solids": []', '"output": {"volume": true}'),
      /output\.volume is true; expected .*every n-th frame/,
    ],
    [
      'broken syntax',
      valid,
      valid.replace('"fps": 20,', '"fps": 20'),
      /a\.jsonc:7:3: unexpected "\\"domain\\":"; expected JSON/,
    ],
  ];
  test.each(cases)('%s', async (_, before, text, message) => {
    expect(text).not.toBe(before);
    const lines = await problems(text);
    expect(lines.join('\n')).toMatch(message);
    expect(lines).toHaveLength(1);
  });

  test('all at once, in the order of the file', async () => {
    const lines = await problems(
      edit('"fps": 20', '"fps": -1')
        .replace('"resolution": 0.1', '"resolution": "1 m"')
        .replace('"solids": []', '"color": "red"'),
    );
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain(':6:');
    expect(lines[1]).toContain(':8:');
    expect(lines[2]).toContain('unknown key "color"');
  });

  test('in a setting, at the place of the override', async () => {
    const lines = await problems(edit('"resolution": 0.2', '"resolution": -0.2'), { setting: 'small' });
    expect(lines[0]).toMatch(/^dir\/a\.jsonc:13:42: resolution is -0\.2/);
  });
});

describe('what a scene must not do', () => {
  const add = (text: string) => valid.replace('"version": 1,', `"version": 1, ${text},`);

  test('a name leads out of runs/', async () => {
    for (const name of ['../../../escaped', 'a/b', 'a\\\\b', '..', '.git', ' a', 'x'.repeat(101), 'a\\u0007'])
      expect(await problems(add(`"name": "${name}"`))).toEqual([
        expect.stringMatching(/^dir\/a\.jsonc:3:25: name is .*expected a name for a folder: at most 100/),
      ]);
    const readFile = async () => new Uint8Array();
    // Files may be called anything; the folder of the run is not.
    for (const file of ['dir/..jsonc', '.jsonc', 'dir/.hidden.jsonc'])
      expect((await loadScene({ file, text: valid }, { methods, readFile })).scene.name).toBe('scene');
    expect((await load(add('"name": "Wasser 2, fein"'))).scene.name).toBe('Wasser 2, fein');
  });

  test('titles and names steer the terminal', async () => {
    for (const text of ['\\u001b[31mred', 'two\\nlines', 'a\\u009b', 'a\\u202eb'])
      expect(await problems(add(`"title": "${text}"`))).toEqual([
        expect.stringMatching(/title is .*expected one line without control characters/),
      ]);
    expect((await problems(add('"materials": { "a\\u0007": { "density": 1 } }')))[0]).toMatch(
      /a name on one line, without control characters/,
    );
    expect(escapeControls('a\u001b[31m\u202eb\u2028')).toBe('a\\u001b[31m\\u202eb\\u2028');
  });

  test('__proto__ changes objects', async () => {
    const polluted = { sets: ['__proto__.polluted=1'] };
    expect(await problems(valid, polluted)).toEqual([
      '--set __proto__.polluted=1: unknown key "__proto__"; remove it',
    ]);
    expect(await problems(valid, { sets: ['lattice.__proto__={"cfl":1}'] })).toHaveLength(1);
    expect(await problems(valid, { sets: ['lattice={"__proto__":{"cfl":1}}'] })).toHaveLength(1);
    expect(await problems(valid, { sets: ['constructor.prototype.polluted=1'] })).toEqual([
      expect.stringContaining('unknown key "constructor"'),
    ]);
    expect(await problems(add('"lattice": { "__proto__": { "cfl": 1 } }'))).toEqual([
      'dir/a.jsonc:3:30: unknown key "__proto__"; remove it',
    ]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('it lies so far from the origin that its cells are lost in rounding', async () => {
    const far = valid.replace(
      '"min": [0, 0, 0], "max": [1, 1, 1]',
      '"min": [1e15, 0, 0], "max": [1e15, 1, 1]',
    );
    expect((await problems(far.replace('"max": [1e15', '"max": [1.00000000000001e15')))[0]).toMatch(
      /the domain lies so far from the origin that numbers are 0\.222 m apart, 2\.22 of the resolution/,
    );
  });
});

describe('--set', () => {
  test('edits numbers, lists and nested values before validation', async () => {
    const { scene } = await load(valid, {
      sets: ['resolution=0.05', 'lattice.cfl=3', 'gravity=[0,-1,0]', 'liquids[0].material=water'],
    });
    expect(scene.resolution).toBe(0.05);
    expect(scene.options).toEqual({ cfl: 3 });
    expect(scene.gravity).toEqual([0, -1, 0]);
    expect(scene.liquids[0].material.name).toBe('water');
  });
  test.each([
    ['resolution=5 cm', /^--set resolution=5 cm: resolution is "5 cm"; .*write 0\.05/],
    ['resolutoin=1', /^--set resolutoin=1: unknown key "resolutoin"; did you mean "resolution"\?/],
    [
      'liquids[3].material=water',
      /^--set liquids\[3\]\.material=water: there is no liquids\[3\]; liquids has 1 entries/,
    ],
    ['duration', /^--set duration: no path=value/],
    ['duration=NaN', /^--set duration=NaN: duration is "NaN"; expected a plain number/],
    ['lattice.cfl=-1', /^--set lattice\.cfl=-1: lattice\.cfl is -1; expected a number greater than 0/],
  ])('names itself in errors: %s', async (set, message) => {
    expect((await problems(valid, { sets: [set] })).join('\n')).toMatch(message);
  });
});

test('an unknown setting names the nearest', async () => {
  expect((await problems(valid, { setting: 'smal' }))[0]).toBe(
    '--setting smal: no such setting in the scene; did you mean "small"?',
  );
});
