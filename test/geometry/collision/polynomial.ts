/**
 * Polynomials with BigInt coefficients (lowest first, no trailing zeros) and their real roots, exactly: Sturm
 * chains isolate the roots, and the sign of another polynomial at a root is decided by a common divisor or by
 * refining. Slow and certain: the arithmetic of the collision oracle, sharing nothing with src/.
 */
export type Polynomial = bigint[];

const absolute = (x: bigint) => (x < 0n ? -x : x);
const signOf = (x: bigint) => (x > 0n ? 1 : x < 0n ? -1 : 0);

export function trim(p: Polynomial): Polynomial {
  let length = p.length;
  while (length > 0 && p[length - 1] === 0n) length--;
  return p.slice(0, length);
}

export function add(p: Polynomial, q: Polynomial): Polynomial {
  return trim(Array.from({ length: Math.max(p.length, q.length) }, (_, i) => (p[i] ?? 0n) + (q[i] ?? 0n)));
}

export function subtract(p: Polynomial, q: Polynomial): Polynomial {
  return trim(Array.from({ length: Math.max(p.length, q.length) }, (_, i) => (p[i] ?? 0n) - (q[i] ?? 0n)));
}

export function multiply(p: Polynomial, q: Polynomial): Polynomial {
  if (p.length === 0 || q.length === 0) return [];
  const product: Polynomial = new Array(p.length + q.length - 1).fill(0n);
  for (let i = 0; i < p.length; i++) for (let j = 0; j < q.length; j++) product[i + j] += p[i] * q[j];
  return trim(product);
}

/** Coefficients below this are cheaper to carry along than to reduce. */
const LARGE = 1n << 2000n;

/**
 * Divided by the greatest common divisor of the coefficients, where they are large: signs stay, numbers
 * shrink.
 */
function primitive(p: Polynomial): Polynomial {
  if (p.every((c) => absolute(c) < LARGE)) return p;
  let divisor = 0n;
  for (const c of p) {
    let a = absolute(c);
    let b = divisor;
    while (b !== 0n) [a, b] = [b, a % b];
    divisor = a;
    if (divisor === 1n) return p;
  }
  return divisor > 1n ? p.map((c) => c / divisor) : p;
}

const derivative = (p: Polynomial): Polynomial => trim(p.slice(1).map((c, i) => c * BigInt(i + 1)));

/** Remainder of p by q times a positive number. */
function remainder(p: Polynomial, q: Polynomial): Polynomial {
  const lead = q[q.length - 1];
  const factor = absolute(lead);
  const sign = lead > 0n ? 1n : -1n;
  let r = p;
  while (r.length >= q.length) {
    const top = r[r.length - 1] * sign;
    const shift = r.length - q.length;
    r = trim(r.map((c, i) => c * factor - (i >= shift ? top * q[i - shift] : 0n)).slice(0, -1));
  }
  return primitive(r);
}

function greatestCommonDivisor(p: Polynomial, q: Polynomial): Polynomial {
  let [a, b] = p.length >= q.length ? [p, q] : [q, p];
  while (b.length > 0) [a, b] = [b, remainder(a, b)];
  return primitive(a);
}

/** p divided by a divisor of it, up to a positive factor. */
function divideExactly(p: Polynomial, q: Polynomial): Polynomial {
  const lead = absolute(q[q.length - 1]);
  const sign = q[q.length - 1] > 0n ? 1n : -1n;
  let r = p;
  let quotient: Polynomial = new Array(p.length - q.length + 1).fill(0n);
  while (r.length >= q.length) {
    const shift = r.length - q.length;
    const top = r[r.length - 1] * sign;
    quotient = quotient.map((c) => c * lead);
    quotient[shift] += top;
    r = trim(r.map((c, i) => c * lead - (i >= shift ? top * q[i - shift] : 0n)));
  }
  if (r.length > 0) throw new Error('polynomial division with a remainder');
  return primitive(trim(quotient));
}

const squareFree = (p: Polynomial): Polynomial => {
  const common = greatestCommonDivisor(p, derivative(p));
  return common.length > 1 ? divideExactly(p, common) : primitive(p);
};

/** p at numerator / 2^bits, times 2^(bits degree). */
function valueAtDyadic(p: Polynomial, numerator: bigint, bits: bigint): bigint {
  let value = 0n;
  for (let i = p.length - 1; i >= 0; i--)
    value = value * numerator + (p[i] << (bits * BigInt(p.length - 1 - i)));
  return value;
}

const signAtDyadic = (p: Polynomial, numerator: bigint, bits: bigint) =>
  signOf(valueAtDyadic(p, numerator, bits));

function sturmChain(p: Polynomial): Polynomial[] {
  const chain = [p, derivative(p)];
  while (chain[chain.length - 1].length > 0) {
    const r = remainder(chain[chain.length - 2], chain[chain.length - 1]);
    chain.push(r.map((c) => -c));
  }
  chain.pop();
  return chain;
}

function countChanges(chain: Polynomial[], numerator: bigint, bits: bigint): number {
  let changes = 0;
  let last = 0;
  for (const p of chain) {
    const s = signAtDyadic(p, numerator, bits);
    if (s === 0) continue;
    if (last !== 0 && s !== last) changes++;
    last = s;
  }
  return changes;
}

/**
 * A root of the square-free `polynomial`: at low / 2^bits if low = high, else the only one in that open
 * interval.
 */
export interface Root {
  readonly polynomial: Polynomial;
  low: bigint;
  high: bigint;
  bits: bigint;
}

/** The number 0 or 1 as a root. */
export const rationalRoot = (value: bigint): Root => ({ polynomial: [], low: value, high: value, bits: 0n });

/** All real roots of p in [0, 1]; p is not zero. */
export function findRoots(p: Polynomial): Root[] {
  if (p.length <= 1) return [];
  const polynomial = squareFree(p);
  const chain = sturmChain(polynomial);
  const roots: Root[] = [];
  if (signAtDyadic(polynomial, 0n, 0n) === 0) roots.push(rationalRoot(0n));
  if (signAtDyadic(polynomial, 1n, 0n) === 0) roots.push(rationalRoot(1n));
  /** Lists the roots in the open interval. */
  const visit = (low: bigint, high: bigint, bits: bigint) => {
    const isHighRoot = signAtDyadic(polynomial, high, bits) === 0;
    const isLowRoot = signAtDyadic(polynomial, low, bits) === 0;
    const count = countChanges(chain, low, bits) - countChanges(chain, high, bits) - (isHighRoot ? 1 : 0);
    if (count === 0) return;
    if (count === 1 && !isHighRoot && !isLowRoot) {
      roots.push({ polynomial, low, high, bits });
      return;
    }
    const middle = low + high;
    if (signAtDyadic(polynomial, middle, bits + 1n) === 0)
      roots.push({ polynomial, low: middle, high: middle, bits: bits + 1n });
    visit(2n * low, middle, bits + 1n);
    visit(middle, 2n * high, bits + 1n);
  };
  visit(0n, 1n, 0n);
  return roots;
}

/** Width of a root's interval, in bits, from which on a sign is decided by divisors. */
const PLAIN_BITS = 40n;

/** Sign of q at the root, exactly; the root's interval shrinks as needed. */
export function signAt(q: Polynomial, root: Root): number {
  if (q.length === 0) return 0;
  if (q.length === 1) return signOf(q[0]);
  if (root.low === root.high) return signAtDyadic(q, root.low, root.bits);
  // Away from zero by more than the steepest slope in [0, 1] covers over the interval: the usual case,
  // without divisors and chains.
  let slope = 0n;
  for (let i = 1; i < q.length; i++) slope += BigInt(i) * absolute(q[i]);
  while (root.bits < PLAIN_BITS) {
    const value = valueAtDyadic(q, root.low, root.bits);
    const reach = (slope * (root.high - root.low)) << (root.bits * BigInt(q.length - 2));
    if (absolute(value) > reach) return signOf(value);
    refine(root);
    if (root.low === root.high) return signAtDyadic(q, root.low, root.bits);
  }
  const common = greatestCommonDivisor(root.polynomial, q);
  if (
    common.length > 1 &&
    signAtDyadic(common, root.low, root.bits) !== signAtDyadic(common, root.high, root.bits)
  )
    return 0;
  const chain = sturmChain(squareFree(q));
  for (;;) {
    const atLow = signAtDyadic(q, root.low, root.bits);
    if (atLow !== 0 && countChanges(chain, root.low, root.bits) === countChanges(chain, root.high, root.bits))
      return atLow;
    refine(root);
    if (root.low === root.high) return signAtDyadic(q, root.low, root.bits);
  }
}

function refine(root: Root): void {
  const middle = root.low + root.high;
  root.bits += 1n;
  root.low *= 2n;
  root.high *= 2n;
  const s = signAtDyadic(root.polynomial, middle, root.bits);
  if (s === 0) {
    root.low = middle;
    root.high = middle;
  } else if (s === signAtDyadic(root.polynomial, root.low, root.bits)) root.low = middle;
  else root.high = middle;
}
