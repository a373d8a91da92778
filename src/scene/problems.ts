import { z } from 'zod';
import { InputError } from '../core/errors.ts';
import { LIMITS, showCount } from '../core/limits.ts';
import type { Document, Path } from './document.ts';
import { findValue, formatPath, isRecord } from './document.ts';
import { findNearest, suggest } from './nearest.ts';
import { findPlainNumber } from './units.ts';

/** One thing wrong with a scene: where it stands, what it is, how to mend it. */
export interface Problem {
  readonly where: string;
  readonly what: string;
  readonly remedy: string;
}

interface Finding extends Problem {
  /** Path of the known key that an unknown key most likely meant. */
  readonly key?: string;
  /** Path of the key that is missing. */
  readonly missing?: string;
}

/** All that is wrong with a scene, a line each. */
export class SceneError extends InputError {
  constructor(readonly problems: readonly Problem[]) {
    super(problems[0].where, problems[0].what, problems[0].remedy);
    this.message = problems.map((p) => `${p.where}: ${p.what}; ${p.remedy}`).join('\n');
  }
}

type Issue = z.core.$ZodIssue;

/** Turns what the schema found into places, values and remedies. */
export function describeIssues(found: readonly Issue[], schema: z.ZodType, document: Document): Problem[] {
  const issues = found.flatMap(listMeant);
  // A misspelt key also leaves its object short of something: one slip, one line.
  const unknown = issues.filter((i) => i.code === 'unrecognized_keys').map((i) => formatPath(i.path as Path));
  const relevant = issues.filter(
    (i) => i.code !== 'custom' || i.path.length === 0 || !unknown.includes(formatPath(i.path as Path)),
  );
  const problems: Finding[] = relevant
    .slice(0, LIMITS.problems)
    .flatMap((issue) => describeIssue(issue, schema, document));
  const untold = relevant.length - LIMITS.problems;
  if (untold > 0)
    problems.push({
      where: document.file,
      what: `${showCount(untold)} more problems are not listed`,
      remedy: 'mend those above first',
    });
  // And it makes the key it meant missing.
  const misspelt = problems.flatMap((p) => (p.key === undefined ? [] : [p.key]));
  return problems.filter((p) => p.missing === undefined || !misspelt.includes(p.missing));
}

function describeIssue(issue: Issue, schema: z.ZodType, document: Document): Finding[] {
  const path = issue.path as Path;
  const value = findValue(document.data, path);
  const name = path.length === 0 ? 'the scene' : formatPath(path);
  const rule = findSchema(schema, document.data, path);
  const description = findDescription(rule);
  const meaning = description === undefined ? '' : ` (${description})`;
  const where = document.place(path);

  if (issue.code === 'unrecognized_keys') {
    const known = listKeys(rule, value);
    return issue.keys.map((key) => {
      const meant = findNearest(key, known);
      return {
        where: document.place([...path, key], true),
        what: `unknown key "${key}"${path.length === 0 ? '' : ` in ${name}`}`,
        remedy: suggest(key, known),
        ...(meant === undefined ? {} : { key: formatPath([...path, meant]) }),
      };
    });
  }
  if (value === undefined && issue.code !== 'custom') {
    const holder = path.length > 1 ? ` in ${formatPath(path.slice(0, -1))}` : '';
    const what = `missing "${path.at(-1)}"${holder}`;
    return [{ where, what, remedy: `expected ${expectation(issue, description)}`, missing: name }];
  }
  const what = `${name} is ${show(value)}`;
  if (issue.code === 'invalid_value') {
    const values = issue.values.map((v) => String(v));
    const hint = typeof value === 'string' ? suggest(value, values) : `expected ${values.join(' or ')}`;
    return [{ where, what, remedy: `${hint}${meaning}` }];
  }
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined) {
    const kinds = listOptions(issue);
    const hint = typeof value === 'string' ? suggest(value, kinds) : `expected one of ${kinds.join(', ')}`;
    return [{ where, what, remedy: hint }];
  }
  if (issue.code === 'invalid_type' && issue.expected === 'number' && typeof value === 'string') {
    return [{ where, what, remedy: remedyForText(value, description) + meaning }];
  }
  return [{ where, what, remedy: `expected ${expectation(issue, description)}` }];
}

/**
 * What an issue comes down to: of a union's branches, the mistakes in the one that was meant, where one can
 * be told.
 */
function listMeant(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.discriminator !== undefined) return [issue];
  const meant = issue.errors.find((branch) => !branch.some(isOtherKind));
  if (meant === undefined) return [issue];
  return meant.flatMap((part) => listMeant({ ...part, path: [...issue.path, ...part.path] }));
}

/** Whether a branch of a union failed because the value as a whole is of another kind than it expects. */
function isOtherKind(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

/** Numbers written as text, with or without a unit. */
function remedyForText(text: string, description: string | undefined): string {
  const dimension = /, ([^,]+?)(?:: \[x, y, z\])?$/.exec(description ?? '')?.[1] ?? '';
  const plain = findPlainNumber(text, dimension);
  if (plain === undefined) return 'expected a plain number in SI units, without quotes';
  return `expected a plain number in SI units: write ${plain} without quotes`;
}

const typeNames: Readonly<Record<string, string>> = {
  number: 'a finite number',
  int: 'a whole number',
  string: 'a text in quotes',
  boolean: 'true or false',
  tuple: 'a list of three numbers [x, y, z]',
  array: 'a list [...]',
  object: 'an object {...}',
  record: 'an object {...}',
};

/** What the schema wants, with what the value means. */
function expectation(issue: Issue, description: string | undefined): string {
  // Where several kinds of value will do, the description names them.
  const isEither = issue.code === 'invalid_union' && issue.discriminator === undefined;
  if (isEither && description !== undefined) return description;
  return `${requirement(issue)}${description === undefined ? '' : ` (${description})`}`;
}

function requirement(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? issue.expected;
    case 'too_small':
      if (issue.origin === 'array') return `at least ${issue.minimum} entries`;
      if (issue.origin === 'string') return 'a text that is not empty';
      return `a number ${issue.inclusive ? 'of at least' : 'greater than'} ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'array') return `at most ${issue.maximum} entries`;
      return `a number ${issue.inclusive ? 'of at most' : 'less than'} ${issue.maximum}`;
    case 'invalid_value':
      return issue.values.map((v) => JSON.stringify(v)).join(' or ');
    case 'invalid_union':
      return issue.discriminator === undefined
        ? 'another kind of value'
        : `one of ${listOptions(issue).join(', ')}`;
    case 'invalid_key':
      return 'a name on one line, without control characters';
    default:
      return issue.message;
  }
}

/** A value as it may stand in a message: short, numbers as they are. */
export function show(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'missing');
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

/** The schema of the value at a path, following the data where a union leaves a choice. */
function findSchema(schema: z.ZodType, data: unknown, path: Path): z.ZodType | undefined {
  let rule: z.ZodType | undefined = schema;
  let value: unknown = data;
  for (const key of path) {
    rule = rule === undefined ? undefined : resolve(rule, value);
    if (rule instanceof z.ZodObject) rule = rule.shape[key as string] as z.ZodType | undefined;
    else if (rule instanceof z.ZodArray) rule = rule.element as z.ZodType;
    else if (rule instanceof z.ZodTuple) {
      // The parts of a vector mean what the vector means: [x, y, z] in metres.
      const part = rule.def.items[key as number] as z.ZodType | undefined;
      rule = part?.description === undefined && rule.description ? part?.describe(rule.description) : part;
    } else if (rule instanceof z.ZodRecord) rule = rule.valueType as z.ZodType;
    else return undefined;
    value = findValue(value, [key]);
  }
  return rule;
}

/** Strips optional, default and lazy wrappers, and picks the branch of a union that the data names. */
function resolve(rule: z.ZodType, value: unknown): z.ZodType | undefined {
  if (rule instanceof z.ZodOptional || rule instanceof z.ZodDefault || rule instanceof z.ZodPrefault) {
    const inner = rule.unwrap() as z.ZodType;
    return resolve(rule.description && !inner.description ? inner.describe(rule.description) : inner, value);
  }
  if (rule instanceof z.ZodLazy) return resolve(rule.unwrap() as z.ZodType, value);
  if (rule instanceof z.ZodDiscriminatedUnion) {
    const kind = isRecord(value) ? value[rule.def.discriminator] : undefined;
    const branch = (rule.options as z.ZodObject[]).find((o) => literalOf(o, rule.def.discriminator) === kind);
    return branch;
  }
  if (rule instanceof z.ZodUnion) {
    // A list of pairs beside a plain number: the kind of value tells which is meant.
    const isList = Array.isArray(value);
    return (rule.options as z.ZodType[]).find((o) => o instanceof z.ZodArray === isList);
  }
  return rule;
}

/** Of the value itself or of what default and optional wrap. */
function findDescription(rule: z.ZodType | undefined): string | undefined {
  if (rule === undefined || rule.description !== undefined) return rule?.description;
  if (rule instanceof z.ZodOptional || rule instanceof z.ZodDefault || rule instanceof z.ZodPrefault) {
    return findDescription(rule.unwrap() as z.ZodType);
  }
  return undefined;
}

function listKeys(rule: z.ZodType | undefined, value: unknown): string[] {
  const object = rule === undefined ? undefined : resolve(rule, value);
  return object instanceof z.ZodObject ? Object.keys(object.shape).filter((k) => k !== '$schema') : [];
}

/** The names a discriminated union knows. */
function listOptions(issue: Issue): string[] {
  return 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
}

function literalOf(object: z.ZodObject, key: string): unknown {
  const rule = object.shape[key];
  return rule instanceof z.ZodLiteral ? rule.value : undefined;
}
