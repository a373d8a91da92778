/**
 * The keys of a method's options as tables for the documents: docs/keys.md is written from the schemas
 * (tools/write-keys.js), so that it lists all of them as they are.
 */
import { z } from 'zod';
import { BASIC_FEATURES, type MethodInfo } from './method-info.ts';

/** What is used of JSON Schema. */
interface Rule {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Rule>>;
  readonly required?: readonly string[];
  readonly items?: Rule;
  readonly prefixItems?: readonly Rule[];
  readonly anyOf?: readonly Rule[];
  readonly oneOf?: readonly Rule[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
}

/** Parts that the page on formats describes, by key. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  motion: 'see [motion](formats.md#scene-jsonc)',
  shape: 'see [shapes](formats.md#scene-jsonc)',
};

/** docs/keys.md */
export function describeKeyPage(methods: readonly MethodInfo[]): string {
  const parts = [
    '# Keys of the methods\n',
    'What each method takes of a scene, and what stands under its own key. Written from what the methods declare by `node tools/write-keys.js`; the keys that all scenes share are in [formats.md](formats.md).',
    'Unknown keys are errors. A list of 3 numbers is [x, y, z]. Where there is no default and the key is not required, leaving it out means what the text says.\n',
    '## What they take of a scene\n',
    'A scene that uses a feature its method does not run is refused. What a scene says and its method ignores is told by `check` and `run`, in the live panel and in `run.json`.\n',
    ...layOut([
      ['method', 'runs', 'adds to materials', 'ignores'],
      ...methods.map((method) => [
        `\`${method.name}\``,
        (method.features ?? BASIC_FEATURES).join(', ') || 'what its own key says',
        listNames(Object.keys(method.materialFields ?? {})),
        listNames((method.ignores ?? []).flatMap(({ parts: ignored }) => ignored)),
      ]),
    ]),
    '',
    ...methods.map(({ name, options }) => `## \`${name}\`\n\n${describeKeys(name, options)}`),
  ];
  return `${parts.join('\n').trimEnd()}\n`;
}

const listNames = (names: readonly string[]) => [...new Set(names)].map((name) => `\`${name}\``).join(', ');

/** A section per object, the method's own first: markdown. */
export function describeKeys(name: string, options: z.ZodType): string {
  const schema = z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' }) as Rule;
  const sections: string[] = [];
  addSection(name, schema, sections);
  return sections.join('\n');
}

function addSection(path: string, rule: Rule, sections: string[]): void {
  const below: [string, Rule][] = [];
  const variants = listVariants(rule);
  const isUnion = variants.length > 1;
  const rows = variants.flatMap((variant) => listRows(path, variant, isUnion, below));
  const head = ['key', 'value', 'default', 'meaning'];
  if (isUnion) head.unshift('`type`');
  sections.push(`### \`${path}\`\n`);
  if (rule.description) sections.push(`${sentence(rule.description)}\n`);
  sections.push(...layOut([head, ...rows]), '');
  for (const [nested, inner] of below) addSection(nested, inner, sections);
}

function listRows(path: string, rule: Rule, isUnion: boolean, below: [string, Rule][]): string[][] {
  const kind = rule.properties?.['type']?.const;
  const keys = Object.entries(rule.properties ?? {}).filter(([key]) => !isUnion || key !== 'type');
  return keys.map(([key, value]) => {
    const isRequired = rule.required?.includes(key) === true;
    const meaning = ELSEWHERE[key] ?? value.description ?? '';
    const nested = ELSEWHERE[key] ? undefined : findObject(value);
    if (nested) below.push([`${path}${isUnion ? `(${kind})` : ''}.${key}${nested.suffix}`, nested.rule]);
    const fallback = value.default === undefined ? '' : `\`${JSON.stringify(value.default)}\``;
    const cells = [`\`${key}\``, describeValue(value, key), isRequired ? 'required' : fallback, meaning];
    return isUnion ? [`\`${String(kind)}\``, ...cells] : cells;
  });
}

/** The branches of a union of objects, or the one object. */
const listVariants = (rule: Rule): readonly Rule[] =>
  [rule, rule.oneOf ?? [], rule.anyOf ?? []].flat().filter((r) => r.properties !== undefined);

/** An object, or objects in a list, which get a section of their own. */
function findObject(rule: Rule): { rule: Rule; suffix: string } | undefined {
  if (listVariants(rule).length > 0) return { rule, suffix: '' };
  const items = rule.items;
  return items && listVariants(items).length > 0 ? { rule: items, suffix: '[]' } : undefined;
}

function describeValue(rule: Rule, key: string): string {
  if (ELSEWHERE[key]) return 'object';
  if (rule.const !== undefined) return `\`${JSON.stringify(rule.const)}\``;
  if (rule.enum) return rule.enum.map((v) => `\`${JSON.stringify(v)}\``).join(', ');
  const union = rule.anyOf ?? rule.oneOf;
  if (union && listVariants(rule).length === 0)
    return union.map((branch) => describeValue(branch, '')).join(', or ');
  if (rule.prefixItems) {
    const parts = rule.prefixItems.map((part) => describeValue(part, ''));
    return parts.every((part) => part === parts[0])
      ? `list of ${parts.length}: ${parts[0]}`
      : `[${parts.join(', ')}]`;
  }
  if (rule.type === 'array') {
    const least = rule.minItems ? `, at least ${rule.minItems}` : '';
    return findObject(rule)
      ? `list of objects${least}: below`
      : `list of ${describeValue(rule.items ?? {}, '')}${least}`;
  }
  if (listVariants(rule).length > 0) return 'object: below';
  const bounds = describeBounds(rule);
  if (rule.type === 'integer') return `whole number${bounds}`;
  if (rule.type === 'number') return `number${bounds}`;
  return rule.type === 'boolean' ? '`true`, `false`' : (rule.type ?? 'any');
}

function describeBounds({ minimum, maximum, exclusiveMinimum }: Rule): string {
  const isBound = (x: number | undefined) => x !== undefined && Math.abs(x) < Number.MAX_SAFE_INTEGER;
  const parts = [
    isBound(exclusiveMinimum) && `> ${exclusiveMinimum}`,
    isBound(minimum) && `>= ${minimum}`,
    isBound(maximum) && `<= ${maximum}`,
  ].filter(Boolean);
  return parts.length === 0 ? '' : ` ${parts.join(', ')}`;
}

/** A table with its columns padded, as the formatter has them: the head first. */
function layOut(rows: readonly (readonly string[])[]): string[] {
  const escaped = rows.map((cells) => cells.map((c) => c.replaceAll('|', '\\|')));
  const width = escaped[0].map((_, k) => Math.max(3, ...escaped.map((cells) => cells[k].length)));
  const write = (cells: readonly string[]) => `| ${cells.map((c, k) => c.padEnd(width[k])).join(' | ')} |`;
  const [head, ...others] = escaped;
  return [write(head), write(width.map((n) => '-'.repeat(n))), ...others.map(write)];
}

const sentence = (text: string) => `${text[0].toUpperCase()}${text.slice(1)}.`;
