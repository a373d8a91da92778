/**
 * Straight ways between two nodes of a mesh, followed by the distance to the skin: is a way free, and where
 * does it meet the skin first. All ways of a call take their steps together, so that the values are found in
 * batches.
 */
import type { HeapScope } from '../../core/heap.ts';
import { allocateViews, defineRecord, omitColumns, type ValuesOf } from '../../core/records.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import type { Skin } from './elements.ts';
import { buildStacks, findSkinValues, POINTS, SKIPPED } from './value.ts';

/** Of a way: nearer to the skin than this, it touches it. */
const TOUCH = 1e-4;
/** Of a way: where the skin is met is known this well. */
const EXACT = 1e-4;
/** And is no nearer than this to an end. */
const END = 1e-6;
const MOST_STEPS = 40;
/** How much farther than the distance the last two values may tell a step to go. */
const LONGEST = 16;

const waysRecord = defineRecord('ways', {
  node: { type: 'i32', per: 'way', stride: 2, meaning: 'from, to; from is outside of the skin' },
  length: { type: 'f64', per: 'way', unit: 'm', meaning: 'of the way' },
  low: { type: 'f64', per: 'way', stride: 2, unit: 'm', meaning: 'last place outside, and the value there' },
  high: { type: 'f64', per: 'way', stride: 2, unit: 'm', meaning: 'first place inside, and the value there' },
  next: { type: 'f64', per: 'way', unit: 'm', meaning: 'the place asked next' },
  point: { type: 'f64', per: 'way', stride: 3, unit: 'm', meaning: 'the same as a point' },
  bound: { type: 'f64', per: 'way', unit: 'm', meaning: 'what the value there is at least' },
  value: { type: 'f64', per: 'way', unit: 'm', meaning: 'of the skin there' },
  element: { type: 'i32', per: 'way', meaning: 'that has it' },
  phase: { type: 'u8', per: 'way', meaning: 'see below' },
  share: { type: 'f64', per: 'way', meaning: 'of the way up to the skin; 2 where it is free' },
});
type Ways = ValuesOf<typeof waysRecord>;

const STEPPING = 0;
/** At the far end, which tells whether there is a skin on the way at all. */
const AT_END = 1;
/** Between a place outside and one inside: false position, and which of the two was kept last. */
const BETWEEN = 2;
const KEPT_HIGH = 3;
const KEPT_LOW = 4;
const DONE = 5;

const treeColumns = omitColumns(findSkinValues.columns, 'point', 'bound', 'value', 'element', 'follows');
const treeRecord = defineRecord('tree of a skin', treeColumns);

export interface Field {
  readonly skin: Skin;
  /** (nodes x 3) m */
  readonly position: Float64Array;
  /** (nodes) value of the skin, where it is negative, m */
  readonly phi: Float64Array;
}

/**
 * Share of each way (pairs of nodes, the first outside) up to the skin; 2 for free ways. Both ends of ways
 * asked whether they are free lie outside.
 */
export function traceWays(
  field: Field,
  node: Int32Array,
  toSkin: boolean,
  threads: Threads,
  scratch: HeapScope,
): Float64Array {
  const count = node.length / 2;
  const ways: Ways = allocateViews(waysRecord, scratch, { way: count });
  ways.node.set(node);
  ways.element.fill(NONE);
  const tree = { ...field.skin, scratch: buildStacks(count, scratch) };
  const { position, phi } = field;
  threads.run(toSkin ? traceToSkin : traceFree, count, POINTS, { tree, ways, position, phi });
  return ways.share;
}

const columns = { tree: treeRecord, ways: waysRecord, position: 'f64', phi: 'f64' } as const;

function begin(ways: Ways, e: number, position: Float64Array, phi: Float64Array): void {
  const v = 3 * ways.node[2 * e];
  const w = 3 * ways.node[2 * e + 1];
  let square = 0;
  for (let k = 0; k < 3; k++) square += (position[w + k] - position[v + k]) ** 2;
  ways.length[e] = Math.sqrt(square);
  ways.low[2 * e] = 0;
  ways.low[2 * e + 1] = phi[v / 3];
  ways.next[e] = -phi[v / 3];
  ways.phase[e] = STEPPING;
}

/** Makes points of the places asked next; returns how many ways go on. */
function aim(ways: Ways, first: number, end: number, position: Float64Array): number {
  const { node, length, low, next, point, bound, phase } = ways;
  let active = 0;
  for (let e = first; e < end; e++) {
    bound[e] = SKIPPED;
    if (phase[e] === DONE) continue;
    active++;
    const v = 3 * node[2 * e];
    const w = 3 * node[2 * e + 1];
    const t = next[e] / length[e];
    for (let k = 0; k < 3; k++) point[3 * e + k] = position[v + k] + t * (position[w + k] - position[v + k]);
    bound[e] = low[2 * e + 1] - (next[e] - low[2 * e]) * (1 + 1e-6);
  }
  return active;
}

const traceFree = defineTask(
  'tracking/trace-free-ways',
  columns,
  (first, end, { tree, ways, position, phi }) => {
    const { node, length, low, next, value, phase, share } = ways;
    for (let e = first; e < end; e++) begin(ways, e, position, phi);
    const asked = { ...tree, ...ways, follows: 0 };
    for (let n = 0; n < MOST_STEPS; n++) {
      for (let e = first; e < end; e++) {
        if (phase[e] === DONE || next[e] < length[e] + phi[node[2 * e + 1]]) continue;
        phase[e] = DONE;
        share[e] = 2;
      }
      if (aim(ways, first, end, position) === 0) break;
      findSkinValues(first, end, asked);
      for (let e = first; e < end; e++) {
        if (phase[e] === DONE) continue;
        if (value[e] > -TOUCH * length[e]) phase[e] = DONE;
        low[2 * e] = next[e];
        low[2 * e + 1] = value[e];
        next[e] -= value[e];
      }
    }
  },
);

/**
 * Steps as long as the distance or, where the last two values tell that the skin is farther along, as they
 * tell; once a value is positive, false position (Illinois).
 */
const traceToSkin = defineTask(
  'tracking/trace-ways-to-skin',
  columns,
  (first, end, { tree, ways, position, phi }) => {
    for (let e = first; e < end; e++) {
      begin(ways, e, position, phi);
      clampStep(ways, e);
    }
    const asked = { ...tree, ...ways, follows: 0 };
    for (let n = 0; n < MOST_STEPS && aim(ways, first, end, position) > 0; n++) {
      findSkinValues(first, end, asked);
      for (let e = first; e < end; e++) if (ways.phase[e] !== DONE) advance(ways, e);
    }
    for (let e = first; e < end; e++)
      ways.share[e] = Math.min(1 - END, Math.max(END, ways.low[2 * e] / ways.length[e]));
  },
);

function clampStep({ next, length, phase }: Ways, e: number): void {
  if (next[e] < length[e]) return;
  next[e] = length[e];
  phase[e] = AT_END;
}

/** Takes the value of the place asked, and chooses the next. */
function advance(ways: Ways, e: number): void {
  const { length, low, high, next, value, phase } = ways;
  const exact = EXACT * length[e];
  const at = next[e];
  const found = value[e];
  if (found > 0) {
    if (phase[e] === KEPT_LOW) low[2 * e + 1] *= 0.5;
    high[2 * e] = at;
    high[2 * e + 1] = found;
    phase[e] = phase[e] < BETWEEN ? BETWEEN : KEPT_LOW;
    if (found < exact) low[2 * e] = at;
    if (found < exact) phase[e] = DONE;
  } else {
    const slope = (found - low[2 * e + 1]) / (at - low[2 * e]);
    if (phase[e] === KEPT_HIGH) high[2 * e + 1] *= 0.5;
    low[2 * e] = at;
    low[2 * e + 1] = found;
    if (found > -exact || phase[e] === AT_END) phase[e] = DONE;
    else if (phase[e] === STEPPING) {
      next[e] = at - found * Math.max(1, slope > 0 ? Math.min(1 / slope, LONGEST) : 1);
      clampStep(ways, e);
      return;
    } else phase[e] = KEPT_HIGH;
  }
  if (phase[e] !== DONE)
    next[e] =
      (low[2 * e] * high[2 * e + 1] - high[2 * e] * low[2 * e + 1]) / (high[2 * e + 1] - low[2 * e + 1]);
}
