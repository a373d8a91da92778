/** Scenes gone wrong, by a seed: numbers, types, keys, lists and the text itself. */
import { setDeclaredKey } from './declared-keys.js';

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  1e-300,
  1e-12,
  1e-9,
  1e-3,
  0.5,
  2,
  7,
  1e3,
  1e6,
  1e9,
  1e15,
  1e300,
  2 ** 31,
  2 ** 53,
];
const FACTORS = [-1, 1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.9, 1.1, 2, 3, 10, 100, 1e3, 1e6, 1e9];
const OTHERS = [null, true, '', 'x', [], {}, [0, 0, 0], '1 m', '../../x', '\u0000\u001b[31m', 'constructor'];
const KEYS = ['', 'typo', '__proto__', 'constructor', 'toString', 'type', 'file', 'resolution', 'motion'];

/** Characters that a repeated entry may come to. */
const MOST_TEXT = 2e6;

const pick = (random, list) => list[random.nextInt(list.length)];

/** Every place in a scene: [holder, key]. */
function listPlaces(value, out = []) {
  if (value === null || typeof value !== 'object') return out;
  for (const key of Object.keys(value)) {
    out.push([value, Array.isArray(value) ? Number(key) : key]);
    listPlaces(value[key], out);
  }
  return out;
}

const edits = [
  // Numbers are what most of a scene is, and where most goes wrong.
  (random, scene) => changeNumber(random, scene, (x) => x * pick(random, FACTORS)),
  (random, scene) => changeNumber(random, scene, (x) => x * pick(random, FACTORS)),
  (random, scene) => changeNumber(random, scene, (x) => x * (0.5 + random.next())),
  (random, scene) => changeNumber(random, scene, () => pick(random, NUMBERS)),
  (random, scene) => {
    const places = listPlaces(scene);
    const [a, b] = [pick(random, places), pick(random, places)];
    [a[0][a[1]], b[0][b[1]]] = [structuredClone(b[0][b[1]]), structuredClone(a[0][a[1]])];
  },
  (random, scene) => {
    const [holder, key] = pick(random, listPlaces(scene));
    holder[key] = structuredClone(pick(random, OTHERS));
  },
  (random, scene) => {
    const [holder, key] = pick(random, listPlaces(scene));
    if (Array.isArray(holder)) holder.splice(key, 1);
    else delete holder[key];
  },
  (random, scene) => {
    const objects = listPlaces(scene).filter(([h, k]) => isObject(h[k]));
    const [holder, key] = pick(random, objects);
    // As JSON would have it: an own key, whatever its name.
    Object.defineProperty(holder[key], pick(random, KEYS), {
      value: structuredClone(pick(random, OTHERS)),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  },
  // What the schema has and no bundled scene sets.
  setDeclaredKey,
  setDeclaredKey,
  setDeclaredKey,
  // The same thing twice, or thousands of times, at the same place.
  (random, scene) => repeatEntry(random, scene, 1 + random.nextInt(3)),
  (random, scene) => repeatEntry(random, scene, pick(random, [30, 300, 3000])),
  (random, scene) => {
    const shapes = listPlaces(scene).filter(([h, k]) => k === 'shape' && isObject(h[k]));
    if (shapes.length === 0) return;
    const [holder, key] = pick(random, shapes);
    const depth = pick(random, [2, 20, 90, 150, 500]);
    for (let n = 0; n < depth; n++) holder[key] = { type: 'union', shapes: [holder[key]] };
  },
  (random, scene) => {
    const moved = listPlaces(scene).filter(
      ([h, k]) => Array.isArray(h[k]) && h[k].length === 3 && h[k].every((x) => typeof x === 'number'),
    );
    if (moved.length === 0) return;
    const [holder, key] = pick(random, moved);
    const far = pick(random, [-1, 1]) * pick(random, [0.1, 1, 10, 1e3, 1e9]);
    holder[key] = holder[key].map((x) => x + far);
  },
];

const isObject = (x) => x !== null && typeof x === 'object' && !Array.isArray(x);

function changeNumber(random, scene, change) {
  const numbers = listPlaces(scene).filter(([h, k]) => typeof h[k] === 'number');
  if (numbers.length === 0) return;
  const [holder, key] = pick(random, numbers);
  holder[key] = change(holder[key]);
}

function repeatEntry(random, scene, times) {
  const lists = listPlaces(scene).filter(([h, k]) => Array.isArray(h[k]) && h[k].length > 0);
  if (lists.length === 0) return;
  const [holder, key] = pick(random, lists);
  const entry = pick(random, holder[key]);
  // What was repeated before is not repeated thousands of times again.
  const fits = Math.min(times, Math.floor(MOST_TEXT / JSON.stringify(entry ?? null).length));
  for (let n = 0; n < fits; n++) holder[key].push(structuredClone(entry));
}

/** The text of a scene with one to three things wrong, seldom none. */
export function mutateScene(random, scene) {
  const copy = structuredClone(scene);
  const count = 1 + random.nextInt(3);
  for (let n = 0; n < count; n++) pick(random, edits)(random, copy);
  let text = JSON.stringify(copy, null, 1);
  if (random.next() < 0.1)
    text = text.replace(/-?\d+(\.\d+)?/, pick(random, ['NaN', '1e999', '-Infinity', '0x10', '1.2.3', '١']));
  if (random.next() < 0.1) text = damageText(random, text);
  return text;
}

function damageText(random, text) {
  const at = random.nextInt(text.length);
  switch (random.nextInt(4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return (
        text.slice(0, at) +
        pick(random, ['{', '}', '[', ']', ',', '"', '\\', '/*', '\u0000', '\ud800']) +
        text.slice(at)
      );
    case 2:
      return text.slice(0, at) + text.slice(at + 1 + random.nextInt(20));
    default:
      return text.slice(0, at) + text.slice(random.nextInt(text.length));
  }
}
