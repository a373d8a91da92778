/**
 * Products and sweeps of matrices whose entries are dense blocks, in double precision. Byte offsets:
 * rowStart, column, entry, diagonal, place Int32; all others Float64. A square block of `size` lies column by
 * column: entry (r, s) at s size + r. The two lanes hold two rows of a block, so every component adds up one
 * product after the other, by entries, then by columns of the block.
 *
 * "Tall" rows are those of a prolongation with `modes` columns per block: its block lies row by row, entry
 * (r, c) at r modes + c, and the lanes hold two modes.
 */

/** at += sum over the entries at [c, last) of their blocks times x. */
function addRow3(c: usize, last: usize, v: usize, x: usize, at: usize): void {
  let top = v128.load(at);
  let low = load<f64>(at, 16);
  while (c < last) {
    const p = x + <usize>load<u32>(c) * 24;
    const x0 = load<f64>(p);
    const x1 = load<f64>(p, 8);
    const x2 = load<f64>(p, 16);
    top = f64x2.add(top, f64x2.mul(v128.load(v), f64x2.splat(x0)));
    low += load<f64>(v, 16) * x0;
    top = f64x2.add(top, f64x2.mul(v128.load(v, 24), f64x2.splat(x1)));
    low += load<f64>(v, 40) * x1;
    top = f64x2.add(top, f64x2.mul(v128.load(v, 48), f64x2.splat(x2)));
    low += load<f64>(v, 64) * x2;
    c += 4;
    v += 72;
  }
  v128.store(at, top);
  store<f64>(at, low, 16);
}

function addRow4(c: usize, last: usize, v: usize, x: usize, at: usize): void {
  let top = v128.load(at);
  let low = v128.load(at, 16);
  while (c < last) {
    const p = x + ((<usize>load<u32>(c)) << 5);
    const x0 = v128.load64_splat(p);
    const x1 = v128.load64_splat(p, 8);
    const x2 = v128.load64_splat(p, 16);
    const x3 = v128.load64_splat(p, 24);
    top = f64x2.add(top, f64x2.mul(v128.load(v), x0));
    low = f64x2.add(low, f64x2.mul(v128.load(v, 16), x0));
    top = f64x2.add(top, f64x2.mul(v128.load(v, 32), x1));
    low = f64x2.add(low, f64x2.mul(v128.load(v, 48), x1));
    top = f64x2.add(top, f64x2.mul(v128.load(v, 64), x2));
    low = f64x2.add(low, f64x2.mul(v128.load(v, 80), x2));
    top = f64x2.add(top, f64x2.mul(v128.load(v, 96), x3));
    low = f64x2.add(low, f64x2.mul(v128.load(v, 112), x3));
    c += 4;
    v += 128;
  }
  v128.store(at, top);
  v128.store(at, low, 16);
}

function addRow6(c: usize, last: usize, v: usize, x: usize, at: usize): void {
  let s0 = v128.load(at);
  let s1 = v128.load(at, 16);
  let s2 = v128.load(at, 32);
  while (c < last) {
    let p = x + <usize>load<u32>(c) * 48;
    for (let s = 0; s < 6; s++) {
      const xs = v128.load64_splat(p);
      s0 = f64x2.add(s0, f64x2.mul(v128.load(v), xs));
      s1 = f64x2.add(s1, f64x2.mul(v128.load(v, 16), xs));
      s2 = f64x2.add(s2, f64x2.mul(v128.load(v, 32), xs));
      p += 8;
      v += 48;
    }
    c += 4;
  }
  v128.store(at, s0);
  v128.store(at, s1, 16);
  v128.store(at, s2, 32);
}

function addBlock6(v: usize, p: usize, at: usize): void {
  let s0 = v128.load(at);
  let s1 = v128.load(at, 16);
  let s2 = v128.load(at, 32);
  for (let s = 0; s < 6; s++, p += 8, v += 48) {
    const xs = v128.load64_splat(p);
    s0 = f64x2.add(s0, f64x2.mul(v128.load(v), xs));
    s1 = f64x2.add(s1, f64x2.mul(v128.load(v, 16), xs));
    s2 = f64x2.add(s2, f64x2.mul(v128.load(v, 32), xs));
  }
  v128.store(at, s0);
  v128.store(at, s1, 16);
  v128.store(at, s2, 32);
}

/** at += one block times the vector at p, any size. */
function addBlock(size: i32, v: usize, p: usize, at: usize): void {
  if (size === 6) {
    addBlock6(v, p, at);
    return;
  }
  for (let s = 0; s < size; s++, p += 8) {
    const xs = v128.load64_splat(p);
    let r = 0;
    let to = at;
    for (; r + 1 < size; r += 2, to += 16, v += 16)
      v128.store(to, f64x2.add(v128.load(to), f64x2.mul(v128.load(v), xs)));
    if (r < size) {
      store<f64>(to, load<f64>(to) + load<f64>(v) * load<f64>(p));
      v += 8;
    }
  }
}

function addRow(size: i32, c: usize, last: usize, v: usize, x: usize, at: usize): void {
  if (size === 3) addRow3(c, last, v, x, at);
  else if (size === 6) addRow6(c, last, v, x, at);
  else if (size === 4) addRow4(c, last, v, x, at);
  else {
    const bytes = (<usize>(size * size)) << 3;
    for (; c < last; c += 4, v += bytes)
      addBlock(size, v, x + ((<usize>load<u32>(c) * <usize>size) << 3), at);
  }
}

function clear(size: i32, at: usize): void {
  for (let r = 0; r < size; r++, at += 8) store<f64>(at, 0);
}

/** at = -w; what is added then is taken from w. */
function negate(size: i32, w: usize, at: usize): void {
  for (let r = 0; r < size; r++, at += 8, w += 8) store<f64>(at, -load<f64>(w));
}

/** y = A x */
export function blockProduct(
  begin: i32,
  end: i32,
  size: i32,
  rowStart: usize,
  column: usize,
  value: usize,
  x: usize,
  y: usize,
): void {
  const bytes = (<usize>(size * size)) << 3;
  for (let i = begin; i < end; i++) {
    const from = <usize>load<i32>(rowStart + ((<usize>i) << 2));
    const to = <usize>load<i32>(rowStart + ((<usize>i) << 2), 4);
    const at = y + ((<usize>i * <usize>size) << 3);
    clear(size, at);
    addRow(size, column + (from << 2), column + (to << 2), value + from * bytes, x, at);
  }
}

/**
 * Gauss-Seidel from x = 0 over the rows [begin, end) and their couplings among each other: x = (L + D)^-1 w,
 * where `inverse` holds the inverse diagonal blocks. Leaves r = w - L x. A row waits for the one before, so
 * blocks of 3 stay in registers.
 */
export function blockSweepDown(
  begin: i32,
  end: i32,
  size: i32,
  rowStart: usize,
  column: usize,
  diagonal: usize,
  value: usize,
  inverse: usize,
  w: usize,
  x: usize,
  r: usize,
): void {
  const bytes = (<usize>(size * size)) << 3;
  const zero = f64x2.splat(0);
  for (let i = begin; i < end; i++) {
    let from = column + ((<usize>load<i32>(rowStart + ((<usize>i) << 2))) << 2);
    while (load<i32>(from) < begin) from += 4;
    const to = column + ((<usize>load<i32>(diagonal + ((<usize>i) << 2))) << 2);
    const skip = (<usize>i * <usize>size) << 3;
    let v = value + ((from - column) >> 2) * bytes;
    const inv = inverse + <usize>i * bytes;
    if (size !== 3) {
      negate(size, w + skip, r + skip);
      addRow(size, from, to, v, x, r + skip);
      negate(size, r + skip, r + skip);
      clear(size, x + skip);
      addBlock(size, inv, r + skip, x + skip);
      continue;
    }
    let top = f64x2.neg(v128.load(w + skip));
    let low = -load<f64>(w + skip, 16);
    for (; from < to; from += 4, v += 72) {
      const p = x + <usize>load<u32>(from) * 24;
      const x2 = load<f64>(p, 16);
      top = f64x2.add(top, f64x2.mul(v128.load(v), v128.load64_splat(p)));
      low += load<f64>(v, 16) * load<f64>(p);
      top = f64x2.add(top, f64x2.mul(v128.load(v, 24), v128.load64_splat(p, 8)));
      low += load<f64>(v, 40) * load<f64>(p, 8);
      top = f64x2.add(top, f64x2.mul(v128.load(v, 48), f64x2.splat(x2)));
      low += load<f64>(v, 64) * x2;
    }
    top = f64x2.neg(top);
    low = -low;
    v128.store(r + skip, top);
    store<f64>(r + skip, low, 16);
    const t0 = f64x2.extract_lane(top, 0);
    const t1 = f64x2.extract_lane(top, 1);
    let xTop = f64x2.add(zero, f64x2.mul(v128.load(inv), f64x2.splat(t0)));
    let xLow = 0.0 + load<f64>(inv, 16) * t0;
    xTop = f64x2.add(xTop, f64x2.mul(v128.load(inv, 24), f64x2.splat(t1)));
    xLow += load<f64>(inv, 40) * t1;
    xTop = f64x2.add(xTop, f64x2.mul(v128.load(inv, 48), f64x2.splat(low)));
    xLow += load<f64>(inv, 64) * low;
    v128.store(x + skip, xTop);
    store<f64>(x + skip, xLow, 16);
  }
}

/** After blockSweepDown of all ranges: r -= (A - L) x in the rows [begin, end), so that r = w - A x. */
export function blockFinishResidual(
  begin: i32,
  end: i32,
  size: i32,
  rowStart: usize,
  column: usize,
  diagonal: usize,
  value: usize,
  x: usize,
  r: usize,
): void {
  const bytes = (<usize>(size * size)) << 3;
  for (let i = begin; i < end; i++) {
    const from = column + ((<usize>load<i32>(rowStart + ((<usize>i) << 2))) << 2);
    const to = column + ((<usize>load<i32>(rowStart + ((<usize>i) << 2), 4)) << 2);
    const upper = <usize>load<i32>(diagonal + ((<usize>i) << 2));
    let outer = from;
    while (load<i32>(outer) < begin) outer += 4;
    const at = r + ((<usize>i * <usize>size) << 3);
    negate(size, at, at);
    if (outer > from) addRow(size, from, outer, value + ((from - column) >> 2) * bytes, x, at);
    addRow(size, column + (upper << 2), to, value + upper * bytes, x, at);
    negate(size, at, at);
  }
}

/**
 * Gauss-Seidel over the rows [begin, end) in descending order: x_i += inverse_i (w - A x)_i, couplings to
 * rows outside taken from `old`, the x before the sweep. r is overwritten. A row adds up what is known first
 * and its upper triangle last, from its end: the row it waits for comes last of all.
 */
export function blockSweepUp(
  begin: i32,
  end: i32,
  size: i32,
  rowStart: usize,
  column: usize,
  diagonal: usize,
  value: usize,
  inverse: usize,
  w: usize,
  old: usize,
  x: usize,
  r: usize,
): void {
  const bytes = (<usize>(size * size)) << 3;
  for (let i = end - 1; i >= begin; i--) {
    const from = column + ((<usize>load<i32>(rowStart + ((<usize>i) << 2))) << 2);
    const to = column + ((<usize>load<i32>(rowStart + ((<usize>i) << 2), 4)) << 2);
    const upper = column + ((<usize>load<i32>(diagonal + ((<usize>i) << 2))) << 2) + 4;
    let first = from;
    while (load<i32>(first) < begin) first += 4;
    let last = to;
    while (load<i32>(last - 4) >= end) last -= 4;
    const skip = (<usize>i * <usize>size) << 3;
    const at = r + skip;
    negate(size, w + skip, at);
    if (first > from) addRow(size, from, first, value + ((from - column) >> 2) * bytes, old, at);
    addRow(size, first, upper, value + ((first - column) >> 2) * bytes, x, at);
    if (to > last) addRow(size, last, to, value + ((last - column) >> 2) * bytes, old, at);
    let v = value + ((last - column) >> 2) * bytes;
    const inv = inverse + <usize>i * bytes;
    if (size !== 3) {
      while (last > upper) {
        last -= 4;
        v -= bytes;
        addBlock(size, v, x + ((<usize>load<u32>(last) * <usize>size) << 3), at);
      }
      negate(size, at, at);
      addBlock(size, inv, at, x + skip);
      continue;
    }
    let top = v128.load(at);
    let low = load<f64>(at, 16);
    while (last > upper) {
      last -= 4;
      v -= 72;
      const p = x + <usize>load<u32>(last) * 24;
      const x2 = load<f64>(p, 16);
      top = f64x2.add(top, f64x2.mul(v128.load(v), v128.load64_splat(p)));
      low += load<f64>(v, 16) * load<f64>(p);
      top = f64x2.add(top, f64x2.mul(v128.load(v, 24), v128.load64_splat(p, 8)));
      low += load<f64>(v, 40) * load<f64>(p, 8);
      top = f64x2.add(top, f64x2.mul(v128.load(v, 48), f64x2.splat(x2)));
      low += load<f64>(v, 64) * x2;
    }
    top = f64x2.neg(top);
    low = -low;
    v128.store(at, top);
    store<f64>(at, low, 16);
    const t0 = f64x2.extract_lane(top, 0);
    const t1 = f64x2.extract_lane(top, 1);
    let xTop = f64x2.add(v128.load(x + skip), f64x2.mul(v128.load(inv), f64x2.splat(t0)));
    let xLow = load<f64>(x + skip, 16) + load<f64>(inv, 16) * t0;
    xTop = f64x2.add(xTop, f64x2.mul(v128.load(inv, 24), f64x2.splat(t1)));
    xLow += load<f64>(inv, 40) * t1;
    xTop = f64x2.add(xTop, f64x2.mul(v128.load(inv, 48), f64x2.splat(low)));
    xLow += load<f64>(inv, 64) * low;
    v128.store(x + skip, xTop);
    store<f64>(x + skip, xLow, 16);
  }
}

/** out (modes) += (size x modes block at v)^T times the vector (size) at p. */
function addTransposed(size: i32, modes: i32, v: usize, p: usize, out: usize): void {
  for (let r = 0; r < size; r++, p += 8) {
    const xr = v128.load64_splat(p);
    let c = 0;
    let to = out;
    for (; c + 1 < modes; c += 2, to += 16, v += 16)
      v128.store(to, f64x2.add(v128.load(to), f64x2.mul(v128.load(v), xr)));
    if (c < modes) {
      store<f64>(to, load<f64>(to) + load<f64>(v) * load<f64>(p));
      v += 8;
    }
  }
}

/** Coarse rows [begin, end): out = P^T x; `entry` are the places in P of the fine rows `row` of each. */
export function tallRestrict(
  begin: i32,
  end: i32,
  size: i32,
  modes: i32,
  start: usize,
  row: usize,
  entry: usize,
  value: usize,
  x: usize,
  out: usize,
): void {
  const bytes = (<usize>(size * modes)) << 3;
  for (let i = begin; i < end; i++) {
    const to = <usize>load<i32>(start + ((<usize>i) << 2), 4);
    const at = out + ((<usize>i * <usize>modes) << 3);
    let j = <usize>load<i32>(start + ((<usize>i) << 2));
    if (modes !== 6) {
      clear(modes, at);
      for (; j < to; j++) {
        const p = x + ((<usize>load<u32>(row + (j << 2)) * <usize>size) << 3);
        addTransposed(size, modes, value + <usize>load<u32>(entry + (j << 2)) * bytes, p, at);
      }
      continue;
    }
    let s0 = f64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    for (; j < to; j++) {
      let p = x + ((<usize>load<u32>(row + (j << 2)) * <usize>size) << 3);
      let v = value + <usize>load<u32>(entry + (j << 2)) * bytes;
      const last = v + bytes;
      for (; v < last; v += 48, p += 8) {
        const xr = v128.load64_splat(p);
        s0 = f64x2.add(s0, f64x2.mul(v128.load(v), xr));
        s1 = f64x2.add(s1, f64x2.mul(v128.load(v, 16), xr));
        s2 = f64x2.add(s2, f64x2.mul(v128.load(v, 32), xr));
      }
    }
    v128.store(at, s0);
    v128.store(at, s1, 16);
    v128.store(at, s2, 32);
  }
}

/** Fine rows [begin, end): x += P e. A component sums even and odd modes apart, block by block. */
export function tallProlong(
  begin: i32,
  end: i32,
  size: i32,
  modes: i32,
  rowStart: usize,
  column: usize,
  value: usize,
  e: usize,
  x: usize,
): void {
  const modeBytes = (<usize>modes) << 3;
  for (let i = begin; i < end; i++) {
    const from = <usize>load<i32>(rowStart + ((<usize>i) << 2));
    const to = <usize>load<i32>(rowStart + ((<usize>i) << 2), 4);
    let v = value + from * <usize>size * modeBytes;
    for (let j = from; j < to; j++) {
      const p = e + <usize>load<u32>(column + (j << 2)) * modeBytes;
      let at = x + ((<usize>i * <usize>size) << 3);
      for (let r = 0; r < size; r++, at += 8) {
        let sum = f64x2.splat(0);
        let c = 0;
        let q = p;
        for (; c + 1 < modes; c += 2, q += 16, v += 16)
          sum = f64x2.add(sum, f64x2.mul(v128.load(v), v128.load(q)));
        let total = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
        if (c < modes) {
          total += load<f64>(v) * load<f64>(q);
          v += 8;
        }
        store<f64>(at, load<f64>(at) + total);
      }
    }
  }
}

/** out (six) += sum over `count` numbers at a, so many bytes apart, times the rows of six at b. */
function addSix(count: i32, a: usize, stride: usize, b: usize, out: usize): void {
  let s0 = v128.load(out);
  let s1 = v128.load(out, 16);
  let s2 = v128.load(out, 32);
  for (let n = 0; n < count; n++, a += stride, b += 48) {
    const factor = v128.load64_splat(a);
    s0 = f64x2.add(s0, f64x2.mul(factor, v128.load(b)));
    s1 = f64x2.add(s1, f64x2.mul(factor, v128.load(b, 16)));
    s2 = f64x2.add(s2, f64x2.mul(factor, v128.load(b, 32)));
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
  v128.store(out, s2, 32);
}

/**
 * Rows [begin, end) of A P, in the pattern given, a row without entries being left out; `place` is scratch
 * with an entry per coarse row.
 */
export function tallProduct(
  begin: i32,
  end: i32,
  size: i32,
  modes: i32,
  rowStart: usize,
  column: usize,
  value: usize,
  tallStart: usize,
  tallColumn: usize,
  tallValue: usize,
  outStart: usize,
  outColumn: usize,
  outValue: usize,
  place: usize,
): void {
  const tallBytes = (<usize>(size * modes)) << 3;
  const modeBytes = (<usize>modes) << 3;
  const sizeBytes = (<usize>size) << 3;
  for (let i = begin; i < end; i++) {
    const outFrom = <usize>load<i32>(outStart + ((<usize>i) << 2));
    const outTo = <usize>load<i32>(outStart + ((<usize>i) << 2), 4);
    if (outFrom === outTo) continue;
    memory.fill(outValue + outFrom * tallBytes, 0, (outTo - outFrom) * tallBytes);
    for (let j = outFrom; j < outTo; j++)
      store<u32>(place + ((<usize>load<u32>(outColumn + (j << 2))) << 2), <u32>j);
    const to = <usize>load<i32>(rowStart + ((<usize>i) << 2), 4);
    for (let j = <usize>load<i32>(rowStart + ((<usize>i) << 2)); j < to; j++) {
      const k = <usize>load<u32>(column + (j << 2));
      const block = value + j * sizeBytes * <usize>size;
      const tallTo = <usize>load<i32>(tallStart + (k << 2), 4);
      for (let m = <usize>load<i32>(tallStart + (k << 2)); m < tallTo; m++) {
        const target = <usize>load<u32>(place + ((<usize>load<u32>(tallColumn + (m << 2))) << 2));
        let out = outValue + target * tallBytes;
        if (modes === 6) {
          for (let r = 0; r < size; r++, out += 48)
            addSix(size, block + ((<usize>r) << 3), sizeBytes, tallValue + m * tallBytes, out);
          continue;
        }
        for (let r: usize = 0; r < <usize>size; r++) {
          let c = 0;
          let from = tallValue + m * tallBytes;
          for (; c + 1 < modes; c += 2, out += 16, from += 16) {
            let sum = v128.load(out);
            let a = block + (r << 3);
            let b = from;
            for (let s = 0; s < size; s++, a += sizeBytes, b += modeBytes)
              sum = f64x2.add(sum, f64x2.mul(v128.load64_splat(a), v128.load(b)));
            v128.store(out, sum);
          }
          if (c < modes) {
            let sum = load<f64>(out);
            let a = block + (r << 3);
            let b = from;
            for (let s = 0; s < size; s++, a += sizeBytes, b += modeBytes) sum += load<f64>(a) * load<f64>(b);
            store<f64>(out, sum);
            out += 8;
          }
        }
      }
    }
  }
}

/**
 * Coarse rows [begin, end) of P^T (A P), square blocks of `modes` in the pattern given; A P has the rows
 * `right`.
 */
export function tallGalerkin(
  begin: i32,
  end: i32,
  size: i32,
  modes: i32,
  start: usize,
  row: usize,
  entry: usize,
  tallValue: usize,
  rightStart: usize,
  rightColumn: usize,
  rightValue: usize,
  outStart: usize,
  outColumn: usize,
  outValue: usize,
  place: usize,
): void {
  const tallBytes = (<usize>(size * modes)) << 3;
  const modeBytes = (<usize>modes) << 3;
  const outBytes = modeBytes * <usize>modes;
  for (let i = begin; i < end; i++) {
    const outFrom = <usize>load<i32>(outStart + ((<usize>i) << 2));
    const outTo = <usize>load<i32>(outStart + ((<usize>i) << 2), 4);
    memory.fill(outValue + outFrom * outBytes, 0, (outTo - outFrom) * outBytes);
    for (let j = outFrom; j < outTo; j++)
      store<u32>(place + ((<usize>load<u32>(outColumn + (j << 2))) << 2), <u32>j);
    const to = <usize>load<i32>(start + ((<usize>i) << 2), 4);
    for (let j = <usize>load<i32>(start + ((<usize>i) << 2)); j < to; j++) {
      const k = <usize>load<u32>(row + (j << 2));
      const left = tallValue + <usize>load<u32>(entry + (j << 2)) * tallBytes;
      const rightTo = <usize>load<i32>(rightStart + (k << 2), 4);
      for (let m = <usize>load<i32>(rightStart + (k << 2)); m < rightTo; m++) {
        const target = <usize>load<u32>(place + ((<usize>load<u32>(rightColumn + (m << 2))) << 2));
        const right = rightValue + m * tallBytes;
        let out = outValue + target * outBytes;
        if (modes === 6) {
          for (let d = 0; d < 6; d++, out += 48) addSix(size, right + ((<usize>d) << 3), 48, left, out);
          continue;
        }
        for (let d: usize = 0; d < <usize>modes; d++) {
          let c = 0;
          let from = left;
          for (; c + 1 < modes; c += 2, out += 16, from += 16) {
            let sum = v128.load(out);
            let a = from;
            let b = right + (d << 3);
            for (let r = 0; r < size; r++, a += modeBytes, b += modeBytes)
              sum = f64x2.add(sum, f64x2.mul(v128.load(a), v128.load64_splat(b)));
            v128.store(out, sum);
          }
          if (c < modes) {
            let sum = load<f64>(out);
            let a = from;
            let b = right + (d << 3);
            for (let r = 0; r < size; r++, a += modeBytes, b += modeBytes) sum += load<f64>(a) * load<f64>(b);
            store<f64>(out, sum);
            out += 8;
          }
        }
      }
    }
  }
}
