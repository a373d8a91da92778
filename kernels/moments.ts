/**
 * Sums of the vertex fits (src/methods/lattice/vertex-fit.ts): moments of face normals and places, two faces at a time in the
 * lanes of f64x2. The first lane adds the even faces, the second the odd ones; first + second is added to the result.
 * Each pass keeps its sums in registers and runs over the rows again, which lie in the first-level cache.
 */

/**
 * rows: nine columns of `stride` faces each, w nx ny nz dx dy dz u a. Adds to sums the moments
 *   sum w n_i n_j d_a d_b   six pairs i <= j of ten pairs a >= b of d = (1, dx, dy, dz), then
 *   sum w u n_i d_a         three times four, then
 *   sum w a n_i d_a         three times four.
 * count must be even (a row with w = 0 fills up).
 */
export function addMoments(count: i32, stride: i32, rows: usize, sums: usize): void {
  const column = (<usize>stride) << 3;
  const bytes = (<usize>count) << 3;
  let out = sums;
  for (let i: usize = 1; i <= 3; i++) {
    for (let j = i; j <= 3; j++) {
      addBlock(rows, rows + i * column, rows + j * column, rows + 4 * column, column, bytes, out);
      out += 80;
    }
  }
  for (let value: usize = 7; value <= 8; value++) {
    for (let i: usize = 1; i <= 3; i++) {
      addRight(rows, rows + value * column, rows + i * column, rows + 4 * column, column, bytes, out);
      out += 32;
    }
  }
}

function addLanes(out: usize, v: v128): void {
  store<f64>(out, load<f64>(out) + (f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1)));
}

function addBlock(w: usize, ni: usize, nj: usize, d: usize, column: usize, bytes: usize, out: usize): void {
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  let s6 = s0;
  let s7 = s0;
  let s8 = s0;
  let s9 = s0;
  const dy = d + column;
  const dz = dy + column;
  for (let o: usize = 0; o < bytes; o += 16) {
    const q = f64x2.mul(f64x2.mul(v128.load(w + o), v128.load(ni + o)), v128.load(nj + o));
    const x = v128.load(d + o);
    const y = v128.load(dy + o);
    const z = v128.load(dz + o);
    const qx = f64x2.mul(q, x);
    const qy = f64x2.mul(q, y);
    const qz = f64x2.mul(q, z);
    s0 = f64x2.add(s0, q);
    s1 = f64x2.add(s1, qx);
    s2 = f64x2.add(s2, f64x2.mul(qx, x));
    s3 = f64x2.add(s3, qy);
    s4 = f64x2.add(s4, f64x2.mul(qy, x));
    s5 = f64x2.add(s5, f64x2.mul(qy, y));
    s6 = f64x2.add(s6, qz);
    s7 = f64x2.add(s7, f64x2.mul(qz, x));
    s8 = f64x2.add(s8, f64x2.mul(qz, y));
    s9 = f64x2.add(s9, f64x2.mul(qz, z));
  }
  addLanes(out, s0);
  addLanes(out + 8, s1);
  addLanes(out + 16, s2);
  addLanes(out + 24, s3);
  addLanes(out + 32, s4);
  addLanes(out + 40, s5);
  addLanes(out + 48, s6);
  addLanes(out + 56, s7);
  addLanes(out + 64, s8);
  addLanes(out + 72, s9);
}

function addRight(w: usize, u: usize, ni: usize, d: usize, column: usize, bytes: usize, out: usize): void {
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  const dy = d + column;
  const dz = dy + column;
  for (let o: usize = 0; o < bytes; o += 16) {
    const q = f64x2.mul(f64x2.mul(v128.load(w + o), v128.load(u + o)), v128.load(ni + o));
    s0 = f64x2.add(s0, q);
    s1 = f64x2.add(s1, f64x2.mul(q, v128.load(d + o)));
    s2 = f64x2.add(s2, f64x2.mul(q, v128.load(dy + o)));
    s3 = f64x2.add(s3, f64x2.mul(q, v128.load(dz + o)));
  }
  addLanes(out, s0);
  addLanes(out + 8, s1);
  addLanes(out + 16, s2);
  addLanes(out + 24, s3);
}
