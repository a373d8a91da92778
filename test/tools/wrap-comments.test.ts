import { describe, expect, it } from 'vitest';
// @ts-expect-error a tool in plain JavaScript
import { wrapComments } from '../../tools/wrap-comments.js';

const wrap: (source: string) => string = wrapComments;
const words = (n: number) => Array.from({ length: n }, (_, i) => `word${i}`).join(' ');
/** What comments say, without their signs and breaks. */
const said = (source: string) =>
  source
    .replace(/^\s*(\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, ' ')
    .split(/\s+/)
    .join(' ')
    .trim();

describe('comments are wrapped at 110 columns', () => {
  it.each([
    ['in one line', `  /** ${words(30)} */\n  const x = 1;\n`],
    ['in a block', `/**\n * Short.\n *\n * ${words(30)}\n * and on.\n */\nconst x = 1;\n`],
    ['of slashes', `  // ${words(30)}\n  // and on.\n  const x = 1;\n`],
    ['in a list', `/**\n * - ${words(30)}\n *   and on\n * - second\n */\n`],
  ])('%s', (_, source) => {
    const wrapped = wrap(source);
    expect(wrapped).not.toBe(source);
    for (const line of wrapped.split('\n')) expect(line.length).toBeLessThanOrEqual(110);
    expect(said(wrapped)).toBe(said(source));
    expect(wrap(wrapped)).toBe(wrapped);
    expect(wrapped.match(/const x/g)).toEqual(source.match(/const x/g));
  });

  it('keeps items of a list, and paragraphs, apart', () => {
    const wrapped = wrap(
      `/**\n * ${words(30)}\n *\n * second\n */\n/**\n * - ${words(30)}\n * - second\n */\n`,
    );
    expect(wrapped.match(/^ \* second$/gm)?.length).toBe(1);
    expect(wrapped.match(/^ \* - second$/gm)?.length).toBe(1);
    expect(wrapped).toMatch(/^ \* {3}word/m);
  });

  it.each([
    ['short ones', '/** Short. */\n// short\n'],
    ['equations and drawings, which are set in', `/**\n *     ${words(30)}\n */\n`],
    ['directives', `// biome-ignore lint/x: ${words(30)}\n`],
    ['code', `const text = '${words(30)}';\n`],
    ['text of templates', `const text = \`\n// ${words(30)}\n/** ${words(30)} */\n\`;\n`],
  ])('leaves %s alone', (_, source) => {
    expect(wrap(source)).toBe(source);
  });
});
