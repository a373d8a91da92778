/**
 * Scenes are in SI and hold plain numbers. A number written with a unit ("5 cm") is refused, and the message
 * says what to write instead: this table only serves that message.
 */
interface Unit {
  readonly dimension: string;
  readonly factor: number;
}

const units: Readonly<Record<string, Unit>> = {
  um: { dimension: 'metres', factor: 1e-6 },
  mm: { dimension: 'metres', factor: 1e-3 },
  cm: { dimension: 'metres', factor: 1e-2 },
  dm: { dimension: 'metres', factor: 1e-1 },
  m: { dimension: 'metres', factor: 1 },
  km: { dimension: 'metres', factor: 1e3 },
  in: { dimension: 'metres', factor: 0.0254 },
  ft: { dimension: 'metres', factor: 0.3048 },
  us: { dimension: 'seconds', factor: 1e-6 },
  ms: { dimension: 'seconds', factor: 1e-3 },
  s: { dimension: 'seconds', factor: 1 },
  sec: { dimension: 'seconds', factor: 1 },
  min: { dimension: 'seconds', factor: 60 },
  'm/s': { dimension: 'm/s', factor: 1 },
  'cm/s': { dimension: 'm/s', factor: 1e-2 },
  'mm/s': { dimension: 'm/s', factor: 1e-3 },
  'km/h': { dimension: 'm/s', factor: 1 / 3.6 },
  'm/s2': { dimension: 'm/s^2', factor: 1 },
  'm/s^2': { dimension: 'm/s^2', factor: 1 },
  g: { dimension: 'm/s^2', factor: 9.80665 },
  'kg/m3': { dimension: 'kg/m^3', factor: 1 },
  'kg/m^3': { dimension: 'kg/m^3', factor: 1 },
  'g/cm3': { dimension: 'kg/m^3', factor: 1e3 },
  'g/cm^3': { dimension: 'kg/m^3', factor: 1e3 },
  'pa s': { dimension: 'Pa s', factor: 1 },
  'pa.s': { dimension: 'Pa s', factor: 1 },
  'mpa s': { dimension: 'Pa s', factor: 1e-3 },
  cp: { dimension: 'Pa s', factor: 1e-3 },
  p: { dimension: 'Pa s', factor: 0.1 },
  'n/m': { dimension: 'N/m', factor: 1 },
  'mn/m': { dimension: 'N/m', factor: 1e-3 },
  deg: { dimension: 'degrees', factor: 1 },
  degrees: { dimension: 'degrees', factor: 1 },
  rad: { dimension: 'degrees', factor: 180 / Math.PI },
};

/** What to write instead of a number given as text, or undefined when the text is no number at all. */
export function findPlainNumber(text: string, dimension: string): number | undefined {
  const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*?)\s*$/.exec(text);
  if (!match) return undefined;
  const value = Number(match[1]);
  if (match[2] === '') return value;
  const unit = units[match[2].toLowerCase()];
  if (unit === undefined || unit.dimension !== dimension) return undefined;
  return Number((value * unit.factor).toPrecision(12));
}
