import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { InputError } from '../core/errors.ts';
import { checkText } from './text.ts';

/**
 * The text of a scene with the place of every value, and the edits laid over it: a named setting and `--set`
 * values. Knows for any path of the edited data where a person finds it: file:line:column, or the --set.
 */
export type Path = readonly (string | number)[];
type Json = unknown;

export interface SetEdit {
  /** As typed: `liquids[0].shape.radius=0.2` */
  readonly text: string;
  readonly path: Path;
  readonly value: Json;
}

export interface Document {
  readonly file: string;
  /** The edited data, without `settings`. */
  readonly data: Record<string, Json>;
  /** Where the value at a path stands, or its key when `atKey`. */
  place(path: Path, atKey?: boolean): string;
}

export interface SceneSource {
  /** Name in messages, and the base of relative mesh files. */
  readonly file: string;
  readonly text: string;
}

/** Parses the text; throws an InputError with all syntax errors. */
export function parseText(source: SceneSource): Node {
  checkText(source.text, source.file);
  const errors: ParseError[] = [];
  const root = parseTree(source.text, errors, { allowTrailingComma: true });
  if (errors.length > 0) {
    const lines = errors.slice(0, 10).map((error) => {
      const token = /^[^\s,\]}]+/.exec(source.text.slice(error.offset))?.[0] ?? '';
      const where = `${source.file}:${lineColumn(source.text, error.offset)}`;
      if (/^[-+]?(nan|inf)/i.test(token)) {
        return new InputError(where, `${token} is not a number`, 'expected a finite number in SI units');
      }
      const what = token === '' ? 'the text ends' : `unexpected ${JSON.stringify(token.slice(0, 40))}`;
      return new InputError(where, what, `expected JSON with comments (${printParseErrorCode(error.error)})`);
    });
    // One stray symbol makes the parser complain several times about the same spot: the first says it best.
    throw lines[0];
  }
  if (root?.type !== 'object') {
    throw new InputError(
      `${source.file}:1:1`,
      'not a scene',
      'expected an object: { "version": 1, "method": ..., ... }',
    );
  }
  const forbidden = findForbiddenKey(root);
  if (forbidden) {
    const where = `${source.file}:${lineColumn(source.text, forbidden.offset)}`;
    throw new InputError(where, `unknown key "${FORBIDDEN_KEY}"`, 'remove it');
  }
  return root;
}

/**
 * As a key of an object it does not name a value but what the object inherits: whole scenes could hide in it,
 * and a --set would change all objects.
 */
const FORBIDDEN_KEY = '__proto__';

function findForbiddenKey(root: Node): Node | undefined {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'property' && node.children?.[0].value === FORBIDDEN_KEY) return node;
    for (const child of node.children ?? []) stack.push(child);
  }
  return undefined;
}

export function lineColumn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `${line}:${offset - before.lastIndexOf('\n')}`;
}

/** Lays a setting and the --set edits over the text's data. */
export function buildDocument(
  source: SceneSource,
  root: Node,
  setting: string | undefined,
  sets: readonly SetEdit[],
): Document {
  const base = getNodeValue(root) as Record<string, Json>;
  const settings = isRecord(base['settings']) ? base['settings'] : {};
  const override = setting === undefined ? undefined : settings[setting];
  const merged = isRecord(override) ? mergeOver(base, override) : { ...base };
  const data = structuredClone(merged) as Record<string, Json>;
  delete data['settings'];
  for (const edit of sets) applySet(data, edit);

  const place = (path: Path, atKey = false): string => {
    const edit = sets.findLast(
      (s) => startsWith(path, s.path) || (startsWith(s.path, path) && !hasNode(root, path)),
    );
    if (edit) return `--set ${edit.text}`;
    const inSetting = setting === undefined ? undefined : findNode(root, ['settings', setting, ...path]);
    const node = inSetting ?? findNearestNode(root, path);
    const target = atKey && node.parent?.type === 'property' ? node.parent : node;
    return `${source.file}:${lineColumn(source.text, target.offset)}`;
  };
  return { file: source.file, data, place };
}

/** Reads `path=value`: dots and [i] in the path; the value is JSON, or text when it is not. */
export function parseSet(text: string): SetEdit {
  const at = text.indexOf('=');
  const remedy = 'expected path=value, such as resolution=0.05 or liquids[0].shape.radius=0.2';
  if (at <= 0) throw new InputError(`--set ${text}`, 'no path=value', remedy);
  const path: (string | number)[] = [];
  const pathText = text.slice(0, at).trim();
  const part = /(?:^|\.)([^.[\]]+)|\[(\d+)\]/y;
  while (part.lastIndex < pathText.length) {
    const match = part.exec(pathText);
    if (!match) throw new InputError(`--set ${text}`, `cannot read the path "${pathText}"`, remedy);
    path.push(match[1] ?? Number(match[2]));
  }
  const valueText = text.slice(at + 1).trim();
  checkText(valueText, `--set ${pathText}`);
  const errors: ParseError[] = [];
  const node = parseTree(valueText, errors, { allowTrailingComma: true });
  const isJson = errors.length === 0 && node !== undefined;
  if (path.includes(FORBIDDEN_KEY) || (isJson && findForbiddenKey(node)))
    throw new InputError(`--set ${text}`, `unknown key "${FORBIDDEN_KEY}"`, 'remove it');
  const value = isJson ? getNodeValue(node) : valueText;
  return { text, path, value };
}

function applySet(data: Record<string, Json>, edit: SetEdit): void {
  let holder: Json = data;
  for (let i = 0; i < edit.path.length; i++) {
    const key = edit.path[i];
    const isLast = i === edit.path.length - 1;
    const here = formatPath(edit.path.slice(0, i + 1));
    if (Array.isArray(holder)) {
      if (typeof key !== 'number' || key >= holder.length) {
        const has = `${formatPath(edit.path.slice(0, i))} has ${holder.length} entries`;
        throw new InputError(`--set ${edit.text}`, `there is no ${here}`, `${has}, numbered from [0]`);
      }
    } else if (!isRecord(holder) || typeof key === 'number') {
      throw new InputError(
        `--set ${edit.text}`,
        `there is no ${here}`,
        'set an existing object or list, or a key of one',
      );
    }
    const slot = holder as Record<string | number, Json>;
    if (isLast) slot[key] = edit.value;
    // Own keys alone: what objects inherit ("constructor") is none of the scene's.
    else if (!Object.hasOwn(slot, key) || slot[key] === undefined) slot[key] = {};
    holder = slot[key];
  }
}

/** Objects are merged key by key; everything else, lists included, is replaced. */
function mergeOver(base: Record<string, Json>, over: Record<string, Json>): Record<string, Json> {
  const out: Record<string, Json> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const old = out[key];
    // A shape of another type replaces the old one whole: its keys would not fit.
    const sameKind =
      isRecord(old) && isRecord(value) && (value['type'] === undefined || value['type'] === old['type']);
    out[key] = sameKind ? mergeOver(old, value) : value;
  }
  return out;
}

/** `liquids[0].shape.radius` */
export function formatPath(path: Path): string {
  let out = '';
  for (const key of path) out += typeof key === 'number' ? `[${key}]` : out === '' ? key : `.${key}`;
  return out;
}

export function findValue(data: Json, path: Path): Json {
  let value = data;
  for (const key of path) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<string | number, Json>)[key];
  }
  return value;
}

export function isRecord(value: Json): value is Record<string, Json> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

const startsWith = (path: Path, prefix: Path) =>
  prefix.length <= path.length && prefix.every((k, i) => k === path[i]);
const findNode = (root: Node, path: Path) => findNodeAtLocation(root, [...path]);
const hasNode = (root: Node, path: Path) => findNode(root, path) !== undefined;

function findNearestNode(root: Node, path: Path): Node {
  for (let n = path.length; n > 0; n--) {
    const node = findNode(root, path.slice(0, n));
    if (node) return node;
  }
  return root;
}
