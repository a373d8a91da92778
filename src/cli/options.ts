import { InvalidArgumentError, Option } from 'commander';

/** Options that several commands share, and parsers that say what they expected. */
export function parseCount(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('expected a whole number, 1 or more.');
  return value;
}

export function parseFrame(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0) {
    throw new InvalidArgumentError('expected a frame number, 0 or more.');
  }
  return value;
}

export function parsePositive(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('expected a number greater than 0, in SI units.');
  return value;
}

/** `3`, `3:8` or `:8`, both ends included. */
export function parseRange(text: string): { from: number; to: number } {
  const match = /^(\d*)(:?)(\d*)$/.exec(text);
  if (!match || text === '' || text === ':')
    throw new InvalidArgumentError('expected frames as 3, 3:8, 3: or :8.');
  const from = match[1] === '' ? 0 : Number(match[1]);
  const to = match[2] === '' ? from : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3]);
  if (to < from) throw new InvalidArgumentError('expected the first frame before the last.');
  return { from, to };
}

export const collect = (value: string, previous: string[]): string[] => [...previous, value];

export const setOption = () =>
  new Option(
    '--set <path=value>',
    'change a value of the scene, such as resolution=0.02 or liquids[0].shape.radius=0.1; may be repeated',
  )
    .argParser(collect)
    .default([], 'none');
export const settingOption = () => new Option('--setting <name>', "use one of the scene's named settings");
export const threadsOption = () =>
  new Option('--threads <n>', 'threads, 1 or more; default: all cores').argParser(parseCount);
