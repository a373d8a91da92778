/** How much a scene may list, before it is validated or anything is built from it. */
import { LIMITS, showCount } from '../core/limits.ts';
import { type Document, formatPath, isRecord, type Path } from './document.ts';
import type { Problem } from './problems.ts';

/**
 * Lists that are too long, shapes that are too many and numbers that no quantity has, each a problem with its
 * place.
 */
export function findExcess({ data, place }: Document): Problem[] {
  const problems: Problem[] = [];
  const add = (path: Path, what: string, remedy: string) =>
    problems.push({ where: place(path), what: `${formatPath(path)} ${what}`, remedy });
  const { entries, largest, smallest } = LIMITS;
  visit(data, [], (path, value) => {
    if (typeof value !== 'number') {
      if (value.length <= entries) return;
      add(path, `has ${showCount(value.length)} entries, more than ${showCount(entries)}`, 'shorten it');
    } else {
      const size = Math.abs(value);
      const remedy = `expected a size from ${smallest} to ${largest} in SI units`;
      // What is not finite the schema tells.
      if (Number.isFinite(value) && size > largest) add(path, `is ${value}`, remedy);
      else if (size > 0 && size < smallest) add(path, `is ${value}`, `${remedy}, or 0`);
    }
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

/** All lists and numbers. */
function visit(
  value: unknown,
  path: Path,
  see: (path: Path, value: readonly unknown[] | number) => void,
): void {
  if (typeof value === 'number') see(path, value);
  else if (Array.isArray(value)) {
    see(path, value);
    // Of a list that is too long nothing more is told.
    if (value.length > LIMITS.entries) return;
    for (let i = 0; i < value.length; i++) visit(value[i], [...path, i], see);
  } else if (isRecord(value)) for (const key of Object.keys(value)) visit(value[key], [...path, key], see);
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
