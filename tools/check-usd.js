/**
 * Holds a USD export against its run with a reader of others: TinyUSDZ parses the file, prints what it
 * understood, and that is compared. Vertices and velocities of every frame are the run's, the solids are
 * there, with their poses at first and last frame. The reader is no dependency: install it beside.
 *
 *   meniscus export DIR --to usda && npm install --no-save tinyusdz && node tools/check-usd.js DIR
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readPly } from '../dist/src/io/ply.js';

const run = process.argv[2];
const file = readdirSync(join(run, 'export')).find((name) => name.endsWith('.usda'));
const text = await readByTiny(join(run, 'export', file));
const { fps, scene } = JSON.parse(readFileSync(join(run, 'run.json'), 'utf8'));
const failures = [];

const head = (key) => new RegExp(`^    ${key} = (.*)$`, 'm').exec(text)?.[1];
const g = scene.gravity ?? [0, 0, -9.81];
const up = Math.abs(g[1]) > Math.abs(g[2]) ? '"Y"' : '"Z"';
if (head('upAxis') !== up) failures.push(`up is ${head('upAxis')}, in the run ${up}`);
if (Number(head('timeCodesPerSecond')) !== fps)
  failures.push(`${head('timeCodesPerSecond')} frames a second`);

const liquid = findPrim('Mesh', 'liquid');
const points = readSamples(liquid, 'points');
const velocities = readSamples(liquid, 'velocities');
const corners = readSamples(liquid, 'faceVertexIndices');
let offset = 0;
let slip = 0;
let fastest = 0;
for (const [code, position] of points) {
  const frame = readPly(readFileSync(join(run, 'surface', `${String(code).padStart(6, '0')}.ply`)), file);
  const moved = frame.attributes.velocity.values;
  offset = Math.max(offset, findLargestGap(position, frame.position));
  slip = Math.max(slip, findLargestGap(velocities.get(code), moved));
  for (const v of moved) fastest = Math.max(fastest, Math.abs(v));
  if (findLargestGap(corners.get(code), frame.triangle) !== 0) failures.push(`faces of frame ${code}`);
}
console.log(
  `${points.size} frames, up ${head('upAxis')}, vertices off by at most ${offset.toPrecision(2)} m`,
);
console.log(`velocity off by at most ${slip.toPrecision(2)} of ${fastest.toPrecision(3)} m/s`);
for (const [, name] of text.matchAll(/^ {8}def Mesh "(\w+)"$/gm)) {
  const prim = findPrim('Mesh', name);
  const turn = [...readSamples(prim, 'xformOp:orient')];
  const shift = [...readSamples(prim, 'xformOp:translate')];
  const say = (list) => list.map(([code, v]) => `${code}: (${v.join(', ')})`).join(' to ');
  const ends = (list) => (list.length > 0 ? say([list[0], list.at(-1)]) : 'stands');
  console.log(`solid ${name}: turn ${ends(turn)}; shift ${ends(shift)}`);
}
// Single precision, printed with eight digits.
if (!(offset < 1e-6)) failures.push(`vertices are off by ${offset} m`);
if (!(slip < 1e-6 * Math.max(1, fastest))) failures.push(`velocities are off by ${slip} m/s`);
for (const failure of failures) console.log(`FAILED ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** The reader is built for pages alone and asks what it runs in. */
async function readByTiny(path) {
  const require = createRequire(join(process.cwd(), 'x.js'));
  const code = require.resolve('tinyusdz/tinyusdz.js');
  process.type = 'renderer';
  globalThis.WorkerGlobalScope = class {};
  globalThis.self = globalThis;
  globalThis.location = { href: code };
  const { default: load } = await import(code);
  const tiny = await load({ wasmBinary: readFileSync(require.resolve('tinyusdz/tinyusdz.wasm')) });
  const reader = new tiny.TinyUSDZLoaderNative();
  if (!reader.loadAsLayerFromBinary(new Uint8Array(readFileSync(path)), path))
    throw new Error(reader.error());
  return reader.layerToString();
}

/** The text between the braces of a primitive. */
function findPrim(type, name) {
  const begin = new RegExp(`^( *)def ${type} "${name}"$`, 'm').exec(text);
  if (!begin) throw new Error(`there is no ${type} "${name}"`);
  const from = begin.index + begin[0].length;
  return text.slice(from, text.indexOf(`\n${begin[1]}}`, from));
}

/** Time code to numbers. */
function readSamples(prim, name) {
  const begin = prim.indexOf(` ${name}.timeSamples = {`);
  if (begin < 0) return new Map();
  const lines = prim.slice(begin, prim.indexOf('}', begin)).split('\n').slice(1);
  const samples = lines.map((line) => /^\s*([-\d.e+]+): (.*)$/.exec(line)).filter((m) => m !== null);
  return new Map(
    samples.map(([, code, values]) => [Number(code), (values.match(/-?\d[\d.e+-]*/g) ?? []).map(Number)]),
  );
}

function findLargestGap(a, b) {
  if (a?.length !== b.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let i = 0; i < b.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}
