/** Mesh files gone wrong, by a seed: bytes, lines, headers, counts. */

const pick = (random, list) => list[random.nextInt(list.length)];
const COUNTS = [
  '0',
  '1',
  '-1',
  '7',
  '100',
  '65536',
  '4000000000',
  '1000000000000',
  '1e12',
  '9007199254740993',
  'x',
  '',
  '0x10',
];
const TYPES = [
  'char',
  'uchar',
  'short',
  'ushort',
  'int',
  'uint',
  'float',
  'double',
  'list uchar int',
  'list uint int',
  'list int double',
  'quad',
];

/** The bytes of a mesh file (`kind`: ply, obj or stl) with one to three things wrong. */
export function mutateMesh(random, bytes, kind) {
  let out = Buffer.from(bytes);
  const count = 1 + random.nextInt(3);
  for (let n = 0; n < count; n++) {
    const byHeader = kind === 'ply' && random.next() < 0.5;
    out = byHeader
      ? damageHeader(random, out)
      : random.next() < 0.3 && kind === 'obj'
        ? damageLine(random, out)
        : damageBytes(random, out);
  }
  return out;
}

function damageBytes(random, bytes) {
  const out = Buffer.from(bytes);
  if (out.length === 0) return out;
  const at = random.nextInt(out.length);
  switch (random.nextInt(7)) {
    case 0:
      return out.subarray(0, at);
    case 1:
      out[at] ^= 1 << random.nextInt(8);
      return out;
    case 2:
      for (let n = 0; n < 20; n++) out[random.nextInt(out.length)] = random.nextInt(256);
      return out;
    case 3:
      return Buffer.concat([out.subarray(0, at), out.subarray(at + 1 + random.nextInt(64))]);
    case 4:
      return Buffer.concat([
        out.subarray(0, at),
        Buffer.from(Array.from({ length: 1 + random.nextInt(64) }, () => random.nextInt(256))),
        out.subarray(at),
      ]);
    case 5:
      return Buffer.concat([out, out.subarray(at)]);
    default: {
      // Numbers that mean something: the largest, negative ones, NaN.
      const value = pick(random, [0xffffffff, 0x7fffffff, 0x80000000, 0x7fc00000, 0x7f800000, 0]);
      if (out.length >= 4) out.writeUInt32LE(value, random.nextInt(out.length - 3));
      return out;
    }
  }
}

function damageHeader(random, bytes) {
  const end = bytes.indexOf('end_header\n');
  if (end < 0) return damageBytes(random, bytes);
  const lines = bytes.subarray(0, end).toString('latin1').split('\n').slice(0, -1);
  const at = random.nextInt(lines.length);
  switch (random.nextInt(6)) {
    case 0:
      lines[at] = lines[at].replace(/\d+$/, pick(random, COUNTS));
      break;
    case 1:
      lines.splice(1 + random.nextInt(lines.length), 0, `element junk ${pick(random, COUNTS)}`);
      break;
    case 2:
      lines.splice(1 + random.nextInt(lines.length), 0, `property ${pick(random, TYPES)} junk`);
      break;
    case 3:
      lines.splice(at, 1);
      break;
    case 4:
      lines[at] = lines[at].replace(
        /\b(char|uchar|short|ushort|int|uint|float|double)\b/,
        pick(random, TYPES),
      );
      break;
    default:
      lines[at] = lines[at].replace(
        /ascii|binary_little_endian|binary_big_endian/,
        pick(random, ['ascii', 'binary_little_endian', 'binary_big_endian', 'text']),
      );
  }
  return Buffer.concat([Buffer.from(`${lines.join('\n')}\n`, 'latin1'), bytes.subarray(end)]);
}

function damageLine(random, bytes) {
  const lines = bytes.toString('latin1').split('\n');
  const at = random.nextInt(lines.length);
  switch (random.nextInt(5)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines[at] = lines[at].replace(
        /-?\d+(\.\d+)?/,
        pick(random, ['nan', 'inf', '-1e308', '1e400', '0', '-1', '99999999999']),
      );
      break;
    case 2:
      lines.splice(at, 0, `f${' 1'.repeat(pick(random, [1, 2, 3, 5000, 100000]))}`);
      break;
    case 3:
      lines.splice(
        at,
        0,
        `f ${Array.from({ length: pick(random, [4, 50, 1500]) }, (_, i) => 1 + (i % 30)).join(' ')}`,
      );
      break;
    default:
      lines[at] += pick(random, ['\\', '#', ' 1 2 3', '\u0000']);
  }
  return Buffer.from(lines.join('\n'), 'latin1');
}
