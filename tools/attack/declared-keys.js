/**
 * Keys that a scene may have and its author left out, by the JSON Schema of scenes: what no bundled scene
 * sets is attacked too. Values are mostly such as the schema allows.
 */
import { readFileSync } from 'node:fs';

const schema = JSON.parse(readFileSync(new URL('../../dist/scene.schema.json', import.meta.url), 'utf8'));
const METHODS = schema.properties.method.enum;
/** Levels below a value that a composed object may go; shapes hold shapes. */
const DEEPEST = 5;
const SIZES = [1e-6, 1e-3, 0.01, 0.1, 0.5, 1, 1.5, 3, 10, 1e3, 1e6];

const pick = (random, list) => list[random.nextInt(list.length)];
const isObject = (x) => x !== null && typeof x === 'object' && !Array.isArray(x);
const resolve = (node) => (node?.$ref ? schema.$defs[node.$ref.split('/').at(-1)] : node);

/** Writes one declared key of one object of a scene, there or not; its path. */
export function setDeclaredKey(random, scene) {
  const objects = listObjects(scene);
  // The method's own keys are few among shapes and motions.
  const own = objects.filter(({ path }) => path.startsWith(`${scene.method}.`));
  const { value, node, path } = pick(random, own.length > 0 && random.next() < 0.4 ? own : objects);
  const others = value === scene ? METHODS.filter((name) => name !== scene.method) : [];
  const keys = Object.keys(node.properties).filter((key) => !others.includes(key));
  const key = pick(random, keys);
  const child = compose(random, node.properties[key], scene, 0);
  Object.defineProperty(value, key, { value: child, enumerable: true, configurable: true, writable: true });
  return `${path}${key}`;
}

/** The objects of a scene whose keys are declared, the empty ones of the method among them. */
function listObjects(scene) {
  const found = [];
  const visit = (value, raw, path) => {
    const node = chooseForm(resolve(raw), value);
    if (Array.isArray(value)) {
      const item = (n) => node?.prefixItems?.[n] ?? node?.items;
      for (let n = 0; n < value.length; n++) if (item(n)) visit(value[n], item(n), `${path}[].`);
    } else if (isObject(value) && isObject(node)) {
      if (Object.keys(node.properties ?? {}).length > 0) found.push({ value, node, path });
      for (const key of Object.keys(value)) {
        const inner = node.properties?.[key] ?? node.additionalProperties;
        if (inner) visit(value[key], inner, `${path}${key}.`);
      }
    }
  };
  if (METHODS.includes(scene.method) && scene[scene.method] === undefined) scene[scene.method] = {};
  visit(scene, schema, '');
  return found;
}

/** Of several forms the one a value seems to be meant as. */
function chooseForm(node, value) {
  const forms = (node?.oneOf ?? node?.anyOf)?.map(resolve);
  if (!forms) return node;
  if (Array.isArray(value)) return forms.find((form) => form.type === 'array') ?? forms[0];
  const isMeant = (form) =>
    Object.entries(form.properties ?? {}).every(
      ([key, child]) => child.const === undefined || child.const === value?.[key],
    );
  return forms.find((form) => form.type === 'object' && isMeant(form)) ?? forms.find(isMeant) ?? forms[0];
}

function compose(random, raw, scene, depth) {
  const node = resolve(raw);
  if (node.const !== undefined) return node.const;
  if (node.enum) return pick(random, node.enum);
  const forms = node.oneOf ?? node.anyOf;
  if (forms)
    return compose(random, pick(random, depth < DEEPEST ? forms : forms.slice(0, 1)), scene, depth + 1);
  switch (node.type) {
    case 'boolean':
      return random.next() < 0.5;
    case 'string':
      return composeName(random, scene);
    case 'array':
      return composeList(random, node, scene, depth);
    case 'object':
      return composeObject(random, node, scene, depth);
    default:
      return composeNumber(random, node, scene);
  }
}

function composeName(random, scene) {
  const materials = isObject(scene.materials) ? Object.keys(scene.materials) : [];
  return pick(random, ['water', 'default', 'x', ...materials, ...materials]);
}

/** A point in the domain, or nearly; else a short list. */
function composeList(random, node, scene, depth) {
  const numbers = node.prefixItems?.every((item) => item.type === 'number');
  const { min, max } = scene.domain ?? {};
  if (numbers && Array.isArray(min) && Array.isArray(max) && random.next() < 0.7)
    return node.prefixItems.map((_, i) => min[i] + (max[i] - min[i]) * (1.2 * random.next() - 0.1));
  if (node.prefixItems) return node.prefixItems.map((item) => compose(random, item, scene, depth + 1));
  const count = (node.minItems ?? 0) + random.nextInt(depth < DEEPEST ? 4 : 1);
  return Array.from({ length: count }, () => compose(random, node.items || {}, scene, depth + 1));
}

function composeObject(random, node, scene, depth) {
  const entries = [];
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    if (!node.required?.includes(key) && (depth >= DEEPEST || random.next() < 0.6)) continue;
    entries.push([key, compose(random, child, scene, depth + 1)]);
  }
  if (isObject(node.additionalProperties) && random.next() < 0.7)
    entries.push([composeName(random, scene), compose(random, node.additionalProperties, scene, depth + 1)]);
  return Object.fromEntries(entries);
}

/** At a bound, near the default, of the size of the cells, or any. */
function composeNumber(random, node, scene) {
  const least = node.minimum ?? node.exclusiveMinimum;
  const most = node.maximum ?? node.exclusiveMaximum;
  const beside = typeof node.default === 'number' ? node.default : 1;
  const cell = typeof scene.resolution === 'number' ? scene.resolution : 1;
  const values = [least, most, beside * pick(random, SIZES), cell * pick(random, SIZES), pick(random, SIZES)];
  if (random.next() < 0.2) values.push(-pick(random, SIZES), 1e300, (most ?? 1) * 1.01, (least ?? 0) - 1);
  const value = pick(
    random,
    values.filter((x) => x !== undefined),
  );
  return node.type === 'integer' && random.next() < 0.9
    ? Math.round(Math.max(-1e6, Math.min(1e6, value)))
    : value;
}
