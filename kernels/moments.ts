/**
 * Sums of the vertex fits (src/flow/velocity/vertex-fit.ts): moments of face normals and places around a
 * point, two faces at a time in the lanes of f64x2. The first lane adds the even faces of a batch, the second
 * the odd ones; first + second is added to the result. Each pass keeps its sums in registers and runs over
 * the batch again, which lies in the first-level cache.
 */

/** Faces of a batch: even. */
const BATCH: i32 = 256;
/** Bytes of a column of a batch, and of a face's record. */
const COLUMN: usize = 2048;
const RECORD: usize = 64;

/**
 * The faces [begin, end) of the list face, Int32: records of `record`, each nx ny nz cx cy cz u a: unit
 * normal, centre and two values. With the place d = (c - p) scale and the weight w = share / (softening +
 * |d|^2), adds to sums the moments
 *   sum w n_i n_j d_a d_b   six pairs i <= j of ten pairs a >= b of (1, dx, dy, dz), then
 *   sum w u n_i d_a         three times four, then
 *   sum w a n_i d_a         three times four.
 * batch: room for nine columns of BATCH doubles.
 */
export function addMoments(
  begin: i32,
  end: i32,
  face: usize,
  share: usize,
  record: usize,
  px: f64,
  py: f64,
  pz: f64,
  scale: f64,
  softening: f64,
  batch: usize,
  sums: usize,
): void {
  for (let first = begin; first < end; first += BATCH) {
    const size = min(BATCH, end - first);
    for (let n = 0; n < size; n++) {
      const r = record + <usize>load<i32>(face + ((<usize>(first + n)) << 2)) * RECORD;
      const out = batch + ((<usize>n) << 3);
      const dx = (load<f64>(r, 24) - px) * scale;
      const dy = (load<f64>(r, 32) - py) * scale;
      const dz = (load<f64>(r, 40) - pz) * scale;
      const w = load<f64>(share + ((<usize>(first + n)) << 3)) / (softening + dx * dx + dy * dy + dz * dz);
      store<f64>(out, w);
      store<f64>(out, load<f64>(r), 2048);
      store<f64>(out, load<f64>(r, 8), 4096);
      store<f64>(out, load<f64>(r, 16), 6144);
      store<f64>(out, dx, 8192);
      store<f64>(out, dy, 10240);
      store<f64>(out, dz, 12288);
      store<f64>(out, load<f64>(r, 48), 14336);
      store<f64>(out, load<f64>(r, 56), 16384);
    }
    if (size & 1) for (let c: usize = 0; c < 9; c++) store<f64>(batch + c * COLUMN + ((<usize>size) << 3), 0);
    addBatch(batch, (<usize>((size + 1) & ~1)) << 3, sums);
  }
}

function addBatch(batch: usize, bytes: usize, sums: usize): void {
  let out = sums;
  for (let i: usize = 1; i <= 3; i++) {
    for (let j = i; j <= 3; j++) {
      addBlock(batch, batch + i * COLUMN, batch + j * COLUMN, batch + 4 * COLUMN, bytes, out);
      out += 80;
    }
  }
  for (let value: usize = 7; value <= 8; value++) {
    for (let i: usize = 1; i <= 3; i++) {
      addRight(batch, batch + value * COLUMN, batch + i * COLUMN, batch + 4 * COLUMN, bytes, out);
      out += 32;
    }
  }
}

function addLanes(out: usize, v: v128): void {
  store<f64>(out, load<f64>(out) + (f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1)));
}

function addBlock(w: usize, ni: usize, nj: usize, d: usize, bytes: usize, out: usize): void {
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
  for (let o: usize = 0; o < bytes; o += 16) {
    const q = f64x2.mul(f64x2.mul(v128.load(w + o), v128.load(ni + o)), v128.load(nj + o));
    const x = v128.load(d + o);
    const y = v128.load(d + o, 2048);
    const z = v128.load(d + o, 4096);
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

function addRight(w: usize, u: usize, ni: usize, d: usize, bytes: usize, out: usize): void {
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  for (let o: usize = 0; o < bytes; o += 16) {
    const q = f64x2.mul(f64x2.mul(v128.load(w + o), v128.load(u + o)), v128.load(ni + o));
    s0 = f64x2.add(s0, q);
    s1 = f64x2.add(s1, f64x2.mul(q, v128.load(d + o)));
    s2 = f64x2.add(s2, f64x2.mul(q, v128.load(d + o, 2048)));
    s3 = f64x2.add(s3, f64x2.mul(q, v128.load(d + o, 4096)));
  }
  addLanes(out, s0);
  addLanes(out + 8, s1);
  addLanes(out + 16, s2);
  addLanes(out + 24, s3);
}
