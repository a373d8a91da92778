/**
 * Wraps comments at 110 columns, as the formatter wraps code: node tools/wrap-comments.js [--check] FILES...
 *
 * Only paragraphs with a line that is too long are touched, from that line on. Blank lines, lists, tables and
 * lines that are set in (equations, drawings) begin a new paragraph; what is set in is left as it is.
 * Comments behind code stay where they are. With --check nothing is written: exit code 3 if anything would
 * be.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const WIDTH = 110;
/** Words to a checker or compiler, which read one line. */
const DIRECTIVE = /biome-ignore|@ts-|eslint|<reference|@vitest|#__PURE__/;
const isItem = (text) => /^([-*|]|\d+\.) /.test(text) || text.startsWith('|');

/** Words in lines of the width left beside a prefix; further lines are set in under a list's item. */
function fill(words, prefix, isList) {
  const lines = [];
  let line = prefix;
  for (const word of words) {
    const isFirst = line === prefix || line === `${prefix}  `;
    if (!isFirst && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = isList ? `${prefix}  ` : prefix;
      line += word;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line];
}

/**
 * A paragraph from a long line on, in a block or of lines with slashes: `prefix` is what stands before its
 * words.
 */
function wrapFrom(lines, n, prefix, textOf) {
  const first = textOf(lines[n]);
  const isList = isItem(first);
  const words = first.split(/\s+/);
  let next = n + 1;
  for (; next < lines.length; next++) {
    const text = textOf(lines[next]);
    if (text === undefined || text === '' || isItem(text) || DIRECTIVE.test(text)) break;
    const setIn = text.search(/\S/);
    if (isList ? setIn !== 2 : setIn !== 0) break;
    words.push(...text.trim().split(/\s+/));
  }
  return { filled: fill(words, prefix, isList), next };
}

export function wrapComments(source) {
  const lines = source.split('\n');
  const out = [];
  let isInBlock = false;
  let isInTemplate = false;
  for (let n = 0; n < lines.length; ) {
    const line = lines[n];
    const isLong = line.length > WIDTH && !DIRECTIVE.test(line);
    const indent = /^\s*/.exec(line)[0];
    const single = /^\s*\/\*\* (.*) \*\/$/.exec(line);
    if (!isInBlock && !isInTemplate && isLong && single) {
      out.push(`${indent}/**`, ...fill(single[1].split(/\s+/), `${indent} * `, false), `${indent} */`);
      n++;
      continue;
    }
    const blockText = (l) =>
      /^\s*\* ?(?!\/)(.*)$/.exec(l.replace(/ ?\*\/$/, '*/').endsWith('*/') ? '' : l)?.[1];
    if (isInBlock && isLong && /^\s*\* \S/.test(line) && !line.endsWith('*/')) {
      const { filled, next } = wrapFrom(lines, n, `${indent}* `, blockText);
      out.push(...filled);
      n = next;
      continue;
    }
    if (!isInBlock && !isInTemplate && isLong && /^\s*\/\/ \S/.test(line)) {
      const same = (l) => (l.startsWith(`${indent}// `) ? l.slice(indent.length + 3) : undefined);
      const { filled, next } = wrapFrom(lines, n, `${indent}// `, same);
      out.push(...filled);
      n = next;
      continue;
    }
    if (isInBlock) isInBlock = !line.includes('*/');
    else if (!isInTemplate && /^\s*\/\*\*?/.test(line)) isInBlock = !line.includes('*/');
    // Text of a template that spans lines is no comment, whatever it looks like.
    if (!isInBlock && !/^\s*(\/\/|\/\*|\*)/.test(line) && (line.match(/`/g) ?? []).length % 2 === 1)
      isInTemplate = !isInTemplate;
    out.push(line);
    n++;
  }
  return out.join('\n');
}

function main(args) {
  const isCheck = args.includes('--check');
  const changed = args.filter((file) => {
    if (file.startsWith('--')) return false;
    const before = readFileSync(file, 'utf8');
    const after = wrapComments(before);
    if (after !== before && !isCheck) writeFileSync(file, after);
    return after !== before;
  });
  for (const file of changed) console.log(file);
  if (isCheck && changed.length > 0) process.exit(3);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
