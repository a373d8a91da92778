/** How much a scene may list, before it is validated or anything is built from it. */
import { LIMITS, showCount } from '../core/limits.ts';
import { type Document, formatPath, isRecord, type Path } from './document.ts';
import type { Problem } from './problems.ts';

/** Lists that are too long and shapes that are too many, each a problem with its place. */
export function findExcess({ data, place }: Document): Problem[] {
  const problems: Problem[] = [];
  const add = (path: Path, what: string, remedy: string) =>
    problems.push({ where: place(path), what: `${formatPath(path)} ${what}`, remedy });
  visitLists(data, [], (path, { length }) => {
    if (length > LIMITS.entries)
      add(path, `has ${showCount(length)} entries, more than ${showCount(LIMITS.entries)}`, 'shorten it');
  });
  for (const key of ['solids', 'liquids', 'emitters', 'drains']) {
    const shapes = countShapes(data[key]);
    if (shapes > LIMITS.shapes)
      add(
        [key],
        `have ${showCount(shapes)} shapes, more than ${showCount(LIMITS.shapes)}`,
        'join them into one closed mesh file',
      );
  }
  return problems;
}

function visitLists(value: unknown, path: Path, visit: (path: Path, list: readonly unknown[]) => void): void {
  if (Array.isArray(value)) {
    visit(path, value);
    // Of a list that is too long nothing more is told.
    if (value.length > LIMITS.entries) return;
    for (let i = 0; i < value.length; i++) visitLists(value[i], [...path, i], visit);
  } else if (isRecord(value))
    for (const key of Object.keys(value)) visitLists(value[key], [...path, key], visit);
}

/** Shapes that are no combination of others. */
function countShapes(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, v) => sum + countShapes(v), 0);
  if (!isRecord(value)) return 0;
  const parts = [value['shape'], value['shapes'], value['from'], value['minus']].filter((part) =>
    Array.isArray(part) ? part.some(isRecord) : isRecord(part),
  );
  return parts.length === 0 ? 1 : parts.reduce((sum: number, part) => sum + countShapes(part), 0);
}
