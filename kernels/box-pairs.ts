/**
 * Broad phase of moving surfaces: pairs of primitives whose boxes, in whole numbers, meet
 * (src/tracking/multimaterial/pair-test.ts says what they mean). Byte offsets: start, list, faceBox,
 * vertexBox, face, out Int32; owned Uint8. A box is six numbers, least corner first; rows are read as four
 * lanes, of which the last belongs to something else and is masked, so boxes need four bytes to spare behind
 * the last one.
 */

/** log2 of the quanta in a cell; cells of a block count modulo 4 along each axis. */
const CELL_BITS: i32 = 12;
const BLOCK_MASK: i32 = 63;
/** Bytes of a box and of a record. */
const BOX: usize = 24;
const HIGH: usize = 12;
const RECORD: usize = 32;
const FIRST_EDGES: i32 = 6;

function axes(): v128 {
  return i32x4(-1, -1, -1, 0);
}

function areApart(lowA: v128, highA: v128, lowB: v128, highB: v128): bool {
  return v128.any_true(v128.and(v128.or(i32x4.gt_s(lowA, highB), i32x4.gt_s(lowB, highA)), axes()));
}

function add(
  out: usize,
  capacity: i32,
  count: i32,
  f: i32,
  g: i32,
  kind: i32,
  a: i32,
  b: i32,
  c: i32,
  d: i32,
): i32 {
  if (count < capacity) {
    const o = out + RECORD * <usize>count;
    store<i32>(o, f);
    store<i32>(o, g, 4);
    store<i32>(o, kind, 8);
    store<i32>(o, a, 12);
    store<i32>(o, b, 16);
    store<i32>(o, c, 20);
    store<i32>(o, d, 24);
  }
  return count + 1;
}

/** Vertices that face `from` owns against the box of face `to`; f < g are the two in order. */
function addVertices(
  from: i32,
  to: i32,
  bits: i32,
  f: i32,
  g: i32,
  kind: i32,
  faceBox: usize,
  vertexBox: usize,
  face: usize,
  out: usize,
  capacity: i32,
  count: i32,
): i32 {
  const corner = face + 12 * <usize>from;
  const other = face + 12 * <usize>to;
  const a = load<i32>(other);
  const b = load<i32>(other, 4);
  const c = load<i32>(other, 8);
  const box = faceBox + BOX * <usize>to;
  const low = v128.load(box);
  const high = v128.load(box, HIGH);
  for (let i: i32 = 0; i < 3; i++) {
    if (!(bits & (1 << i))) continue;
    const v = load<i32>(corner + ((<usize>i) << 2));
    const w = vertexBox + BOX * <usize>v;
    const isShared = i32(v === a) | i32(v === b) | i32(v === c);
    if (isShared | i32(areApart(v128.load(w), v128.load(w, HIGH), low, high))) continue;
    count = add(out, capacity, count, f, g, kind + i, v, a, b, c);
  }
  return count;
}

function addEdges(
  f: i32,
  g: i32,
  bitsF: i32,
  bitsG: i32,
  vertexBox: usize,
  face: usize,
  out: usize,
  capacity: i32,
  count: i32,
): i32 {
  const cornerF = face + 12 * <usize>f;
  const cornerG = face + 12 * <usize>g;
  for (let i: i32 = 0; i < 3; i++) {
    if (!(bitsF & (1 << i))) continue;
    const a = load<i32>(cornerF + ((<usize>i) << 2));
    const b = load<i32>(cornerF + ((<usize>(i === 2 ? 0 : i + 1)) << 2));
    const boxA = vertexBox + BOX * <usize>a;
    const boxB = vertexBox + BOX * <usize>b;
    const low = i32x4.min_s(v128.load(boxA), v128.load(boxB));
    const high = i32x4.max_s(v128.load(boxA, HIGH), v128.load(boxB, HIGH));
    for (let j: i32 = 0; j < 3; j++) {
      if (!(bitsG & (1 << j))) continue;
      const c = load<i32>(cornerG + ((<usize>j) << 2));
      const d = load<i32>(cornerG + ((<usize>(j === 2 ? 0 : j + 1)) << 2));
      const isShared = i32(a === c) | i32(a === d) | i32(b === c) | i32(b === d);
      const boxC = vertexBox + BOX * <usize>c;
      const boxD = vertexBox + BOX * <usize>d;
      const otherLow = i32x4.min_s(v128.load(boxC), v128.load(boxD));
      const otherHigh = i32x4.max_s(v128.load(boxC, HIGH), v128.load(boxD, HIGH));
      if (isShared | i32(areApart(low, high, otherLow, otherHigh))) continue;
      count = add(out, capacity, count, f, g, FIRST_EDGES + 3 * i + j, a, b, c, d);
    }
  }
  return count;
}

/**
 * Pairs of primitives in the buckets [begin, end); returns their number and writes as many as there is room
 * for, from out[outBegin] on.
 */
export function findBoxPairs(
  begin: i32,
  end: i32,
  start: usize,
  list: usize,
  faceBox: usize,
  vertexBox: usize,
  face: usize,
  owned: usize,
  out: usize,
  outBegin: i32,
  capacity: i32,
): i32 {
  const pairs = out + ((<usize>outBegin) << 2);
  let count: i32 = 0;
  for (let bucket = begin; bucket < end; bucket++) {
    const first = list + ((<usize>load<i32>(start + ((<usize>bucket) << 2))) << 2);
    const last = list + ((<usize>load<i32>(start + ((<usize>bucket) << 2), 4)) << 2);
    const place = bucket & BLOCK_MASK;
    const cell = i32x4(place >> 4, (place >> 2) & 3, place & 3, 0);
    for (let n = first + 4; n < last; n += 4) {
      const p = load<i32>(n);
      const box = faceBox + BOX * <usize>p;
      const low = v128.load(box);
      const high = v128.load(box, HIGH);
      for (let m = first; m < n; m += 4) {
        const q = load<i32>(m);
        const other = faceBox + BOX * <usize>q;
        const otherLow = v128.load(other);
        // Both questions in one: neither answer can be foreseen.
        const later = v128.and(i32x4.shr_s(i32x4.max_s(low, otherLow), CELL_BITS), i32x4.splat(3));
        const isElsewhere = v128.or(i32x4.gt_s(low, v128.load(other, HIGH)), i32x4.gt_s(otherLow, high));
        if (v128.any_true(v128.and(v128.or(isElsewhere, i32x4.ne(later, cell)), axes()))) continue;
        if (p === q) continue;
        const f = min(p, q);
        const g = max(p, q);
        const bitsF = <i32>load<u8>(owned + <usize>f);
        const bitsG = <i32>load<u8>(owned + <usize>g);
        if (bitsF & 7)
          count = addVertices(f, g, bitsF, f, g, 0, faceBox, vertexBox, face, pairs, capacity, count);
        if (bitsG & 7)
          count = addVertices(g, f, bitsG, f, g, 3, faceBox, vertexBox, face, pairs, capacity, count);
        if (bitsF >> 3 && bitsG >> 3)
          count = addEdges(f, g, bitsF >> 3, bitsG >> 3, vertexBox, face, pairs, capacity, count);
      }
    }
  }
  return count;
}
