/** Run folders gone wrong, by a seed: bytes, records, checkpoints, frames, and files that are none. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { computeCrc32 } from '../../dist/src/run/crc32.js';

const pick = (random, list) => list[random.nextInt(list.length)];
const VALUES = [null, -1, 0, 0.5, 1e300, 1e15, '', 'x', '../../../x', 'a\u001b[31mb', [], {}, [[]], true];

/**
 * Damages a run folder in one way. `mustRefuse`: what is wrong must not be resumed. `isHarmless`: a resume that goes on must give the bytes of the straight run all the same;
 * not where frames or, with its checksum, the state itself were changed.
 */
export function damageFolder(random, dir) {
  const ways = [...runInfoWays, ...runInfoWays, ...ALL_WAYS.slice(runInfoWays.length)];
  const hasParticles = existsSync(join(dir, 'particles'));
  // Half of what befalls a run with particles befalls these.
  const way = pick(random, hasParticles && random.nextInt(2) === 0 ? particleWays : ways);
  const more = way.apply(random, dir);
  return { isHarmless: true, mustRefuse: false, ...way, name: `${way.name}${more ? ` (${more})` : ''}` };
}

const editInfo = (edit) => (random, dir) => {
  const file = join(dir, 'run.json');
  const info = JSON.parse(readFileSync(file, 'utf8'));
  const more = edit(info, random);
  writeFileSync(file, JSON.stringify(info));
  return more;
};
const writeInfo = (text) => (_, dir) => writeFileSync(join(dir, 'run.json'), text);

export const runInfoWays = [
  { name: 'run.json: null', mustRefuse: true, apply: writeInfo('null') },
  { name: 'run.json: empty', mustRefuse: true, apply: writeInfo('') },
  { name: 'run.json: a list', mustRefuse: true, apply: writeInfo('[1]') },
  {
    name: 'run.json: nested 100,000 deep',
    mustRefuse: true,
    apply: writeInfo(`${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}`),
  },
  {
    name: 'run.json: a scene nested 5,000 deep',
    mustRefuse: true,
    apply: (_, dir) => {
      const text = readFileSync(join(dir, 'run.json'), 'utf8');
      const deep = `${'{"shape":'.repeat(5000)}1${'}'.repeat(5000)}`;
      writeFileSync(join(dir, 'run.json'), text.replace('"scene": {', `"scene": { "deep": ${deep},`));
    },
  },
  { name: 'run.json: bytes', apply: (random, dir) => damageBytes(random, join(dir, 'run.json')) },
  {
    name: 'run.json: a key is missing',
    apply: editInfo((info, random) => {
      const key = pick(random, Object.keys(info));
      delete info[key];
      return key;
    }),
  },
  {
    name: 'run.json: totals are missing',
    mustRefuse: true,
    apply: editInfo((info) => {
      delete info.totals;
    }),
  },
  {
    name: 'run.json: a total is wrong',
    mustRefuse: true,
    apply: editInfo((info, random) => {
      info.totals[pick(random, Object.keys(info.totals))] = pick(random, [null, -1, 'x', [], {}]);
    }),
  },
  {
    name: 'run.json: a value is another',
    apply: editInfo((info, random) => {
      const key = pick(random, Object.keys(info));
      info[key] = pick(random, VALUES);
      return `${key} ${JSON.stringify(info[key])}`;
    }),
  },
  {
    name: 'run.json: 100,000 threads',
    mustRefuse: true,
    apply: editInfo((info) => {
      info.threads = 100_000;
    }),
  },
  {
    name: 'run.json: another scene',
    mustRefuse: true,
    apply: editInfo((info, random) => {
      const key = pick(random, ['resolution', 'gravity', 'seed2', 'output', info.method]);
      if (key === 'resolution') info.scene.resolution *= 1.01;
      else if (key === 'gravity') info.scene.gravity = [0, 0, -3];
      else if (key === 'output') info.scene.output.checkpoint = 7;
      else if (key === info.method) info.scene[key] = { ...info.scene[key], cfl: 0.123 };
      else {
        info.seed = 77;
        info.scene.seed = 77;
      }
      return key;
    }),
  },
  {
    name: 'run.json: a value of the scene is another',
    apply: editInfo((info, random) => {
      const key = pick(random, Object.keys(info.scene));
      info.scene[key] = pick(random, VALUES);
      return key;
    }),
  },
  {
    name: 'run.json: a mesh from elsewhere',
    mustRefuse: true,
    apply: editInfo((info) => {
      const shape = { type: 'mesh', file: '/etc/hostname' };
      info.scene.solids = [{ shape, wall: 'slip' }];
    }),
  },
  {
    name: 'run.json: another method',
    mustRefuse: true,
    apply: editInfo((info) => {
      info.method = info.method === 'films' ? 'tracking' : 'films';
    }),
  },
  {
    name: 'run.json: a name that leads out',
    mustRefuse: true,
    apply: editInfo((info) => {
      info.name = '../../../escaped';
    }),
  },
  {
    name: 'run.json: control characters in the title',
    mustRefuse: true,
    apply: editInfo((info) => {
      info.title = 'a\u001b]0;b\u0007';
    }),
  },
  {
    name: 'run.json: __proto__',
    apply: (_, dir) => {
      const text = readFileSync(join(dir, 'run.json'), 'utf8');
      writeFileSync(join(dir, 'run.json'), text.replace('"scene": {', '"scene": { "__proto__": {"a": 1},'));
    },
    mustRefuse: true,
  },
  {
    name: 'run.json: running on another machine',
    mustRefuse: true,
    apply: editInfo((info) => {
      info.status = 'running';
      info.process = { pid: 1, host: 'another', boot: 'another' };
    }),
  },
];

const editStats = (edit) => (random, dir) => {
  const file = join(dir, 'stats.jsonl');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  // The last records may lie after the checkpoint that is resumed: damage there is written over.
  const more = edit(lines, random, random.nextInt(Math.max(1, Math.floor(lines.length / 2))));
  writeFileSync(file, `${lines.join('\n')}\n`);
  return more;
};

const statsWays = [
  {
    name: 'stats.jsonl: a line is missing',
    mustRefuse: true,
    apply: editStats((lines, _, n) => {
      lines.splice(n, 1);
    }),
  },
  {
    name: 'stats.jsonl: a line is there twice',
    mustRefuse: true,
    apply: editStats((lines, _, n) => {
      lines.splice(n, 0, lines[n]);
    }),
  },
  {
    name: 'stats.jsonl: a line is damaged',
    mustRefuse: true,
    apply: editStats((lines, random, n) => {
      lines[n] = pick(random, [
        'null',
        '{}',
        '[]',
        '17',
        'x',
        lines[n].slice(0, 20),
        `${lines[n]}}`,
        '\u0000',
      ]);
    }),
  },
  {
    name: 'stats.jsonl: a number is none',
    mustRefuse: true,
    apply: editStats((lines, random, n) => {
      const record = JSON.parse(lines[n]);
      record[pick(random, ['frame', 'step', 'time', 'dt'])] = pick(random, [null, -1, 'x', [], {}]);
      lines[n] = JSON.stringify(record);
    }),
  },
  {
    name: 'stats.jsonl: cut',
    apply: (random, dir) => {
      const file = join(dir, 'stats.jsonl');
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.subarray(0, random.nextInt(bytes.length)));
    },
  },
  {
    name: 'stats.jsonl: empty',
    mustRefuse: true,
    apply: (_, dir) => writeFileSync(join(dir, 'stats.jsonl'), ''),
  },
  {
    name: 'stats.jsonl: a line of 40 MB',
    mustRefuse: true,
    apply: (_, dir) => writeFileSync(join(dir, 'stats.jsonl'), 'x'.repeat(40e6)),
  },
  {
    name: 'stats.jsonl: no line break at the end',
    apply: (_, dir) => {
      const file = join(dir, 'stats.jsonl');
      writeFileSync(file, readFileSync(file, 'utf8').trimEnd());
    },
  },
];

const listCheckpoints = (dir) => readdirSync(join(dir, 'checkpoint')).map((f) => join(dir, 'checkpoint', f));

/** Changes the header or the arrays of a checkpoint, and its checksum with them: what only intent does. */
const forge = (edit) => (random, dir) => {
  for (const file of listCheckpoints(dir)) {
    const bytes = readFileSync(file);
    const length = bytes.readUInt32LE(12);
    const header = JSON.parse(bytes.toString('utf8', 16, 16 + length));
    const body = Buffer.from(bytes.subarray(8 * Math.ceil((16 + length) / 8)));
    edit(header, body, random);
    const text = Buffer.from(JSON.stringify(header));
    const start = 8 * Math.ceil((16 + text.length) / 8);
    const out = Buffer.alloc(start + body.length);
    bytes.copy(out, 0, 0, 8);
    out.writeUInt32LE(text.length, 12);
    text.copy(out, 16);
    body.copy(out, start);
    out.writeUInt32LE(computeCrc32(out.subarray(12)), 8);
    writeFileSync(file, out);
  }
};
const arrayOf = (header, random, type) => {
  const fitting = header.arrays.filter((a) => a.name !== '' && a.length > 0 && (!type || a.type === type));
  return fitting.length > 0 ? pick(random, fitting) : undefined;
};

const checkpointWays = [
  {
    name: 'checkpoint: bytes of the newest',
    apply: (random, dir) => damageBytes(random, listCheckpoints(dir).sort().at(-1)),
  },
  {
    name: 'checkpoint: bytes of all',
    apply: (random, dir) => {
      for (const file of listCheckpoints(dir)) damageBytes(random, file);
    },
  },
  {
    name: 'checkpoint: all gone',
    apply: (_, dir) => rmSync(join(dir, 'checkpoint'), { recursive: true }),
  },
  {
    name: 'checkpoint: another name',
    apply: (random, dir) => {
      const file = listCheckpoints(dir).sort().at(-1);
      renameSync(
        file,
        join(dir, 'checkpoint', pick(random, ['000000-000000000.ckpt', '000009-000000999.ckpt'])),
      );
    },
  },
  {
    name: 'checkpoint: a folder',
    apply: (_, dir) => {
      const file = listCheckpoints(dir).sort().at(-1);
      rmSync(file);
      mkdirSync(file);
    },
  },
  {
    name: 'checkpoint, forged: header',
    isHarmless: false,
    apply: forge((header, _, random) => {
      const key = pick(random, Object.keys(header));
      header[key] = pick(random, VALUES);
    }),
  },
  {
    name: 'checkpoint, forged: an array of another length, type or place',
    isHarmless: false,
    apply: forge((header, _, random) => {
      const array = pick(random, header.arrays);
      const key = pick(random, ['length', 'type', 'offset', 'name']);
      array[key] =
        key === 'type'
          ? pick(random, ['Float64Array', 'Uint8Array', 'Int32Array', 'BigInt64Array', 'constructor'])
          : key === 'name'
            ? pick(random, ['', 'x', '__proto__'])
            : pick(random, [0, 1, array[key] + 8, Math.floor(array[key] / 2), 1e12, -8]);
    }),
  },
  {
    name: 'checkpoint, forged: an array is missing',
    isHarmless: false,
    apply: forge((header, _, random) => {
      header.arrays.splice(random.nextInt(header.arrays.length), 1);
    }),
  },
  {
    name: 'checkpoint, forged: ids out of range',
    isHarmless: false,
    apply: forge((header, body, random) => {
      const array = arrayOf(header, random, 'Int32Array');
      if (!array) return;
      for (let n = 0; n < 5; n++)
        body.writeInt32LE(
          pick(random, [-1, -7, 1_000_000, 2 ** 31 - 1, 0]),
          array.offset + 4 * random.nextInt(array.length),
        );
    }),
  },
  {
    name: 'checkpoint, forged: numbers that are none, or huge',
    isHarmless: false,
    apply: forge((header, body, random) => {
      const array = arrayOf(header, random, 'Float64Array');
      if (!array) return;
      const value = pick(random, [Number.NaN, Infinity, 1e300, -1e30, 0]);
      for (let n = 0; n < 5; n++) body.writeDoubleLE(value, array.offset + 8 * random.nextInt(array.length));
    }),
  },
];

const listFrames = (dir, kind) =>
  existsSync(join(dir, kind)) ? readdirSync(join(dir, kind)).map((f) => join(dir, kind, f)) : [];
const eachFrame = (kind, damage) => (random, dir) => {
  for (const file of listFrames(dir, kind)) damage(random, file);
};

/** Another value for a property of each first particle; nothing where a frame has none. */
const editParticle = (property, value) =>
  eachFrame('particles', (_, file) => {
    const bytes = readFileSync(file);
    const start = bytes.indexOf('end_header\n') + 'end_header\n'.length;
    const properties = [...bytes.toString('latin1', 0, start).matchAll(/property float (\w+)/g)].map(
      (m) => m[1],
    );
    if (bytes.length === start) return;
    bytes.writeFloatLE(value, start + 4 * properties.indexOf(property));
    writeFileSync(file, bytes);
  });
const editParticleHead = (from, to) =>
  eachFrame('particles', (_, file) => {
    writeFileSync(file, Buffer.from(readFileSync(file).toString('latin1').replace(from, to), 'latin1'));
  });

/** Of runs that keep particles; OBJ has none and does not read them. */
const particleWays = [
  { name: 'particles: bytes', apply: eachFrame('particles', damageBytes) },
  { name: 'particles: NaN', mustRefuseExport: true, apply: editParticle('x', Number.NaN) },
  { name: 'particles: endless speed', mustRefuseExport: true, apply: editParticle('velocity_y', Infinity) },
  { name: 'particles: radius below zero', mustRefuseExport: true, apply: editParticle('radius', -1) },
  {
    name: 'particles: 1e12 of them',
    mustRefuseExport: true,
    apply: editParticleHead(/element vertex \d+/, 'element vertex 1000000000000'),
  },
  {
    name: 'particles: no radius',
    mustRefuseExport: true,
    apply: editParticleHead('property float radius', 'property float radios'),
  },
  {
    name: 'particles: folders',
    mustRefuseExport: true,
    apply: eachFrame('particles', (_, file) => {
      rmSync(file);
      mkdirSync(file);
    }),
  },
  {
    name: 'particles: frames that are not there',
    apply: (_, dir) => {
      for (const name of ['7.ply', '000777.ply', 'x.ply', '999999999999999999999.ply'])
        writeFileSync(join(dir, 'particles', name), 'x');
    },
  },
  {
    name: 'particles: a pipe',
    mustRefuseExport: true,
    apply: (_, dir) => {
      const file = join(dir, 'particles', '000001.ply');
      rmSync(file);
      spawnSync('mkfifo', [file]);
    },
  },
].map((way) => ({ ...way, isHarmless: false }));

const frameWays = [
  { name: 'surface: bytes', isHarmless: false, apply: eachFrame('surface', damageBytes) },
  {
    name: 'surface: NaN',
    isHarmless: false,
    mustRefuseExport: true,
    apply: eachFrame('surface', (_, file) => {
      const bytes = readFileSync(file);
      const start = bytes.indexOf('end_header\n') + 'end_header\n'.length;
      bytes.fill(0xff, start, start + 16);
      writeFileSync(file, bytes);
    }),
  },
  {
    name: 'surface: ids out of range',
    isHarmless: false,
    mustRefuseExport: true,
    apply: eachFrame('surface', (_, file) => {
      const bytes = readFileSync(file);
      const head = bytes.toString('latin1', 0, bytes.indexOf('end_header\n'));
      const count = Number(/element vertex (\d+)/.exec(head)[1]);
      const text = bytes.toString('latin1').replace(`element vertex ${count}`, `element vertex ${count - 1}`);
      writeFileSync(file, Buffer.from(text, 'latin1'));
    }),
  },
  {
    name: 'surface: strange names',
    apply: (_, dir) => {
      for (const name of [
        '7.ply',
        '0000000000007.ply',
        'x.ply',
        '999999999999999999999.ply',
        '000001.ply.ply',
      ])
        writeFileSync(join(dir, 'surface', name), 'x');
    },
  },
  {
    name: 'surface: folders',
    isHarmless: false,
    apply: eachFrame('surface', (_, file) => {
      rmSync(file);
      mkdirSync(file);
    }),
  },
  { name: 'volume: bytes', isHarmless: false, apply: eachFrame('volume', damageBytes) },
  {
    name: 'volume: attributes',
    isHarmless: false,
    apply: eachFrame('volume', (random, file) => {
      const bytes = readFileSync(file).toString('latin1');
      const edits = [
        [/NumberOfPoints="\d+"/, 'NumberOfPoints="1000000000000"'],
        [/NumberOfPoints="(\d+)"/, 'NumberOfPoints="3"'],
        [/NumberOfCells="\d+"/, 'NumberOfCells="-5"'],
        [/offset="\d+"/g, 'offset="99999999999"'],
        [/offset="\d+"/g, 'offset="x"'],
        [/type="Float64"/g, 'type="constructor"'],
        [/type="Int32"/g, 'type="Float32"'],
        [/NumberOfComponents="3"/g, 'NumberOfComponents="1e9"'],
      ];
      const [from, to] = pick(random, edits);
      writeFileSync(file, Buffer.from(bytes.replace(from, to), 'latin1'));
    }),
  },
];

const ENTRIES = ['run.json', 'stats.jsonl', 'surface', 'volume', 'particles', 'checkpoint', 'assets'];
const fileWays = [
  {
    name: 'an entry is missing',
    isHarmless: false,
    apply: (random, dir) => {
      const entry = pick(random, ENTRIES);
      rmSync(join(dir, entry), { recursive: true, force: true });
      return entry;
    },
  },
  {
    name: 'an entry is a folder, a file, a pipe or a link',
    isHarmless: false,
    apply: (random, dir) => {
      const entry = pick(random, ENTRIES);
      const path = join(dir, entry);
      rmSync(path, { recursive: true, force: true });
      const kind = pick(random, ['folder', 'file', 'pipe', 'link', 'device']);
      if (kind === 'folder') mkdirSync(path);
      else if (kind === 'file') writeFileSync(path, 'x');
      else if (kind === 'pipe') spawnSync('mkfifo', [path]);
      else symlinkSync(kind === 'link' ? '/nowhere/else' : '/dev/zero', path);
      return `${entry} ${kind}`;
    },
  },
  {
    name: 'stats.jsonl: a link to a file of somebody',
    isHarmless: false,
    mustRefuse: true,
    apply: (_, dir) => {
      writeFileSync(join(dir, '..', 'victim.txt'), 'do not touch\n');
      rmSync(join(dir, 'stats.jsonl'));
      symlinkSync(join('..', 'victim.txt'), join(dir, 'stats.jsonl'));
    },
  },
  {
    name: 'assets: bytes',
    isHarmless: false,
    apply: (random, dir) => {
      for (const file of listFrames(dir, 'assets')) damageBytes(random, file);
    },
  },
];

const ALL_WAYS = [...runInfoWays, ...statsWays, ...checkpointWays, ...frameWays, ...fileWays];

function damageBytes(random, file) {
  const bytes = readFileSync(file);
  if (bytes.length === 0) return;
  const at = random.nextInt(bytes.length);
  switch (random.nextInt(5)) {
    case 0:
      writeFileSync(file, bytes.subarray(0, at));
      return;
    case 1:
      bytes[at] ^= 1 << random.nextInt(8);
      break;
    case 2:
      for (let n = 0; n < 30; n++) bytes[random.nextInt(bytes.length)] = random.nextInt(256);
      break;
    case 3:
      bytes.fill(0, at, Math.min(at + 64, bytes.length));
      break;
    default:
      writeFileSync(
        file,
        Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.nextInt(40))]),
      );
      return;
  }
  writeFileSync(file, bytes);
}
