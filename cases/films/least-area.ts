/**
 * Films of least area: an independent, slow referee for films at rest. No air, no time, no T1: the area of a
 * labelled mesh is made as small as it can be at the volumes that its bubbles have, by conjugate gradients
 * (Polak and Ribiere) along the descent that keeps volumes, each step ending on the volumes themselves.
 * Vertices move across their films only: on a film along its normal, on a curve in the plane across it, so
 * that triangles keep their shape. A stationary point for one topology: relax-films.ts adds T1s.
 *
 * Cost of an iteration: faces, and regions cubed.
 */
export interface LabelledMesh {
  /** (vertices x 3) m */
  readonly position: Float64Array;
  readonly triangle: Int32Array;
  /**
   * (faces x 2) regions in front and behind; 0 is the outside, whose volume is free. Normals point to the
   * front.
   */
  readonly label: Int32Array;
}

export interface LeastArea {
  readonly area: number;
  /** What is left of the descent that keeps volumes, as a share of the area's gradient: 0 at a minimum. */
  readonly residual: number;
  /** The area's fall in the last `END.iterations` iterations, as a share of it. */
  readonly lastFall: number;
  readonly iterations: number;
}

/** Iterations between two looks at the area, and the fall in them, as a share, that ends the descent. */
const END = { iterations: 20, fall: 1e-7 };
/** Largest miss of a volume after a step, as a share, and the corrections tried for it. */
const VOLUMES = { miss: 1e-9, corrections: 4 };
/**
 * First step, of Newton's on a lone vertex; halvings before the search starts anew; the part of the slope's
 * promise that a step must keep (Armijo).
 */
const SEARCH = { firstStep: 0.2, halvings: 12, promise: 1e-4 };
/** Twice the area of a face over its longest edge's square, below which it counts as no stiffer. */
const FLATTEST = 1e-4;

/** Every face in four, at the middles of its edges. */
export function quarterFaces({ position, triangle, label }: LabelledMesh): LabelledMesh {
  const points = [...position];
  const middles = new Map<string, number>();
  const findMiddle = (a: number, b: number) => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    let middle = middles.get(key);
    if (middle === undefined) {
      middle = points.length / 3;
      for (let k = 0; k < 3; k++) points.push(0.5 * (points[3 * a + k] + points[3 * b + k]));
      middles.set(key, middle);
    }
    return middle;
  };
  const faces: number[] = [];
  const labels: number[] = [];
  for (let f = 0; 3 * f < triangle.length; f++) {
    const [a, b, c] = triangle.subarray(3 * f, 3 * f + 3);
    const [ab, bc, ca] = [findMiddle(a, b), findMiddle(b, c), findMiddle(c, a)];
    faces.push(a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca);
    for (let i = 0; i < 4; i++) labels.push(label[2 * f], label[2 * f + 1]);
  }
  return {
    position: Float64Array.from(points),
    triangle: Int32Array.from(faces),
    label: Int32Array.from(labels),
  };
}

/** Area by pair of regions, smallest first. */
export function listFilmAreas({ position, triangle, label }: LabelledMesh): number[] {
  const films = new Map<string, number>();
  const normal = new Float64Array(3);
  for (let f = 0; 3 * f < triangle.length; f++) {
    const pair = [label[2 * f], label[2 * f + 1]].sort((a, b) => a - b).join(' ');
    const area = 0.5 * computeNormal(position, triangle, f, normal);
    films.set(pair, (films.get(pair) ?? 0) + area);
  }
  return [...films.values()].sort((a, b) => a - b);
}

/**
 * Moves `mesh.position` towards the least area that its topology and its volumes (default: those it has)
 * allow.
 */
export function findLeastArea(
  mesh: LabelledMesh,
  most: number,
  note?: (text: string) => void,
  wanted?: ReadonlyMap<number, number>,
): LeastArea {
  const books = buildBooks(mesh);
  const volume = measureVolumes(mesh, books).map((own, r) => wanted?.get(books.labels[r]) ?? own);
  if (!volume.every((v) => v > 0))
    throw new Error('a region has no volume: are its faces turned inside out?');
  const direction = new Float64Array(mesh.position.length);
  let weights = computeWeights(mesh);
  restoreVolumes(mesh, books, volume, weights);
  let step = SEARCH.firstStep;
  let before: Descent | undefined;
  let checked = Number.POSITIVE_INFINITY;
  let lastFall = Number.POSITIVE_INFINITY;
  let iterations = 0;
  let descent = computeDescent(mesh, books, weights);
  while (iterations < most) {
    const area = measureArea(mesh);
    if (iterations % END.iterations === 0) {
      lastFall = checked / area - 1;
      note?.(`iteration ${iterations}: area ${area.toPrecision(7)}, residual ${descent.residual.toFixed(4)}`);
      if (lastFall < END.fall) break;
      checked = area;
      // Anew, by the stiffness of the triangles as they are now.
      weights = computeWeights(mesh);
      descent = computeDescent(mesh, books, weights);
      before = undefined;
    }
    const slope = turn(direction, descent, before, weights);
    const taken = search(mesh, books, volume, weights, direction, 2 * step, area, slope);
    if (taken > 0) {
      step = taken;
      before = descent;
      descent = computeDescent(mesh, books, weights);
    } else {
      if (before === undefined && step <= SEARCH.firstStep) break; // not even straight down: rounding is reached
      before = undefined;
      step = SEARCH.firstStep;
    }
    iterations++;
  }
  return { area: measureArea(mesh), residual: descent.residual, lastFall, iterations };
}

/**
 * Regions at every vertex: entries [start[v], start[v + 1]) of region and the gradient of its volume; -1 is
 * the outside.
 */
interface Books {
  readonly regionCount: number;
  /** Of the regions */
  readonly labels: readonly number[];
  readonly start: Int32Array;
  readonly region: Int32Array;
  /** (faces x 3 x 2) entry of a corner's front and back region */
  readonly cornerEntry: Int32Array;
  /** (faces x 2) */
  readonly faceRegion: Int32Array;
}

function buildBooks({ position, triangle, label }: LabelledMesh): Books {
  const labels = [...new Set(label)].filter((l) => l !== 0).sort((a, b) => a - b);
  const regionOf = new Map(labels.map((l, i) => [l, i]));
  const faceRegion = label.map((l) => regionOf.get(l) ?? -1);
  const vertexCount = position.length / 3;
  const own: number[][] = Array.from({ length: vertexCount }, () => []);
  triangle.forEach((v, corner) => {
    const f = Math.floor(corner / 3);
    for (const r of [faceRegion[2 * f], faceRegion[2 * f + 1]]) if (!own[v].includes(r)) own[v].push(r);
  });
  const start = new Int32Array(vertexCount + 1);
  own.forEach((regions, v) => {
    start[v + 1] = start[v] + regions.length;
  });
  const cornerEntry = new Int32Array(2 * triangle.length);
  triangle.forEach((v, corner) => {
    const f = Math.floor(corner / 3);
    for (let side = 0; side < 2; side++)
      cornerEntry[2 * corner + side] = start[v] + own[v].indexOf(faceRegion[2 * f + side]);
  });
  return {
    ...{ regionCount: labels.length, labels, start, region: Int32Array.from(own.flat()) },
    ...{ cornerEntry, faceRegion },
  };
}

/** Twice the area vector of a face; returns its length. */
function computeNormal(p: Float64Array, triangle: Int32Array, f: number, out: Float64Array): number {
  const [a, b, c] = [3 * triangle[3 * f], 3 * triangle[3 * f + 1], 3 * triangle[3 * f + 2]];
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
  return Math.hypot(out[0], out[1], out[2]);
}

function measureArea({ position, triangle }: LabelledMesh): number {
  const normal = new Float64Array(3);
  let area = 0;
  for (let f = 0; 3 * f < triangle.length; f++) area += 0.5 * computeNormal(position, triangle, f, normal);
  return area;
}

/**
 * The area's stiffness at each vertex, sum of squared opposite edge over four areas: the metric of descent.
 * Slivers are stiff and move little, so that they hold up nobody else.
 */
function computeWeights({ position: p, triangle }: LabelledMesh): Float64Array {
  const weights = new Float64Array(p.length / 3);
  const normal = new Float64Array(3);
  for (let f = 0; 3 * f < triangle.length; f++) {
    const double = computeNormal(p, triangle, f, normal);
    const corners = triangle.subarray(3 * f, 3 * f + 3);
    const square = [0, 1, 2].map((i) => {
      const [b, c] = [3 * corners[(i + 1) % 3], 3 * corners[(i + 2) % 3]];
      return (p[c] - p[b]) ** 2 + (p[c + 1] - p[b + 1]) ** 2 + (p[c + 2] - p[b + 2]) ** 2;
    });
    const area = Math.max(double, FLATTEST * Math.max(...square));
    for (let i = 0; i < 3; i++) weights[corners[i]] += square[i] / (2 * area);
  }
  // A vertex of no face stays where it is.
  return weights.map((weight) => weight || 1);
}

function measureVolumes({ position, triangle }: LabelledMesh, { regionCount, faceRegion }: Books) {
  const volume = new Float64Array(regionCount);
  const normal = new Float64Array(3);
  for (let f = 0; 3 * f < triangle.length; f++) {
    computeNormal(position, triangle, f, normal);
    const a = 3 * triangle[3 * f];
    const v = (position[a] * normal[0] + position[a + 1] * normal[1] + position[a + 2] * normal[2]) / 6;
    const [front, back] = [faceRegion[2 * f], faceRegion[2 * f + 1]];
    if (front >= 0) volume[front] -= v;
    if (back >= 0) volume[back] += v;
  }
  return volume;
}

/** (entries x 3) Each vertex's gradient of its regions' volumes, the outside's too. */
function computeVolumeGradients({ position, triangle }: LabelledMesh, { region, cornerEntry }: Books) {
  const gradient = new Float64Array(3 * region.length);
  const normal = new Float64Array(3);
  for (let f = 0; 3 * f < triangle.length; f++) {
    computeNormal(position, triangle, f, normal);
    for (let corner = 3 * f; corner < 3 * f + 3; corner++) {
      for (let k = 0; k < 3; k++) {
        gradient[3 * cornerEntry[2 * corner] + k] -= normal[k] / 6;
        gradient[3 * cornerEntry[2 * corner + 1] + k] += normal[k] / 6;
      }
    }
  }
  return gradient;
}

function computeAreaGradient({ position: p, triangle }: LabelledMesh): Float64Array {
  const gradient = new Float64Array(p.length);
  const n = new Float64Array(3);
  for (let f = 0; 3 * f < triangle.length; f++) {
    const length = computeNormal(p, triangle, f, n);
    if (length === 0) continue;
    for (let i = 0; i < 3; i++) {
      const v = 3 * triangle[3 * f + i];
      const [b, c] = [3 * triangle[3 * f + ((i + 1) % 3)], 3 * triangle[3 * f + ((i + 2) % 3)]];
      const [x, y, z] = [p[c] - p[b], p[c + 1] - p[b + 1], p[c + 2] - p[b + 2]];
      gradient[v] += (0.5 * (n[1] * z - n[2] * y)) / length;
      gradient[v + 1] += (0.5 * (n[2] * x - n[0] * z)) / length;
      gradient[v + 2] += (0.5 * (n[0] * y - n[1] * x)) / length;
    }
  }
  return gradient;
}

interface Descent {
  /** Gradient of the area across the films, less what changes volumes. */
  readonly gradient: Float64Array;
  /** Its square in the metric of the weights. */
  readonly square: number;
  readonly residual: number;
}

function computeDescent(mesh: LabelledMesh, books: Books, weights: Float64Array): Descent {
  const gradient = computeAreaGradient(mesh);
  const volumes = computeVolumeGradients(mesh, books);
  projectAcross(books, volumes, gradient);
  const whole = computeSquare(gradient, weights);
  const change = new Float64Array(books.regionCount);
  forEachEntry(books, (v, e, r) => {
    for (let k = 0; k < 3; k++) change[r] += (volumes[3 * e + k] * gradient[3 * v + k]) / weights[v];
  });
  const pressure = solveNormal(books, volumes, weights, change);
  forEachEntry(books, (v, e, r) => {
    for (let k = 0; k < 3; k++) gradient[3 * v + k] -= pressure[r] * volumes[3 * e + k];
  });
  const square = computeSquare(gradient, weights);
  return { gradient, square, residual: Math.sqrt(square / whole) };
}

function computeSquare(gradient: Float64Array, weights: Float64Array): number {
  let square = 0;
  for (let i = 0; i < gradient.length; i++) square += gradient[i] ** 2 / weights[Math.floor(i / 3)];
  return square;
}

function forEachEntry({ start, region }: Books, visit: (v: number, e: number, r: number) => void): void {
  for (let v = 0; v + 1 < start.length; v++)
    for (let e = start[v]; e < start[v + 1]; e++) if (region[e] >= 0) visit(v, e, region[e]);
}

/**
 * Each vertex's vector onto the span of its volume gradients: one direction on a film, two on a curve, all
 * where four regions meet.
 */
function projectAcross({ start }: Books, volumes: Float64Array, vector: Float64Array): void {
  for (let v = 0; v + 1 < start.length; v++) {
    const rest = volumes.slice(3 * start[v], 3 * start[v + 1]);
    const rank = Math.min(3, start[v + 1] - start[v] - 1);
    const kept = [0, 0, 0];
    for (let r = 0; r < rank; r++) {
      const u = takeLongest(rest);
      if (u === undefined) break;
      const along = vector[3 * v] * u[0] + vector[3 * v + 1] * u[1] + vector[3 * v + 2] * u[2];
      for (let k = 0; k < 3; k++) kept[k] += along * u[k];
    }
    vector.set(kept, 3 * v);
  }
}

/** Unit vector along the longest of some vectors, which lose their part along it. */
function takeLongest(rest: Float64Array): number[] | undefined {
  let [best, length] = [-1, 0];
  for (let i = 0; i < rest.length; i += 3) {
    const own = Math.hypot(rest[i], rest[i + 1], rest[i + 2]);
    if (own > length) [best, length] = [i, own];
  }
  if (best < 0) return undefined;
  const u = [0, 1, 2].map((k) => rest[best + k] / length);
  for (let i = 0; i < rest.length; i += 3) {
    const along = rest[i] * u[0] + rest[i + 1] * u[1] + rest[i + 2] * u[2];
    for (let k = 0; k < 3; k++) rest[i + k] -= along * u[k];
  }
  return u;
}

/** Multipliers m with sum over vertices of grad V_r . grad V_s / weight m_s = wanted_r, by elimination. */
function solveNormal(books: Books, volumes: Float64Array, weights: Float64Array, wanted: Float64Array) {
  const { regionCount: n, start, region } = books;
  const rows = Array.from({ length: n }, (_, r) => {
    const row = new Float64Array(n + 1);
    row[n] = wanted[r];
    return row;
  });
  forEachEntry(books, (v, e, r) => {
    for (let o = start[v]; o < start[v + 1]; o++) {
      if (region[o] < 0) continue;
      let product = 0;
      for (let k = 0; k < 3; k++) product += volumes[3 * e + k] * volumes[3 * o + k];
      rows[r][region[o]] += product / weights[v];
    }
  });
  // Symmetric and positive: no pivots.
  for (let i = 0; i < n; i++) {
    for (let k = i + 1; k < n; k++) {
      const factor = rows[k][i] / rows[i][i];
      if (factor !== 0) for (let j = i; j <= n; j++) rows[k][j] -= factor * rows[i][j];
    }
  }
  const solution = new Float64Array(n);
  for (let i = n - 1; i >= 0; i--) {
    let sum = rows[i][n];
    for (let j = i + 1; j < n; j++) sum -= rows[i][j] * solution[j];
    solution[i] = sum / rows[i][i];
  }
  return solution;
}

/** The next direction; returns the area's slope along it. */
function turn(
  direction: Float64Array,
  { gradient, square }: Descent,
  before: Descent | undefined,
  weights: Float64Array,
): number {
  let beta = 0;
  if (before) {
    let product = 0;
    for (let i = 0; i < gradient.length; i++)
      product += (gradient[i] * (gradient[i] - before.gradient[i])) / weights[Math.floor(i / 3)];
    beta = Math.max(0, product / before.square);
  }
  let slope = 0;
  for (let i = 0; i < gradient.length; i++) {
    direction[i] = beta * direction[i] - gradient[i] / weights[Math.floor(i / 3)];
    slope += direction[i] * gradient[i];
  }
  if (slope < 0) return slope;
  for (let i = 0; i < gradient.length; i++) direction[i] = -gradient[i] / weights[Math.floor(i / 3)];
  return -square;
}

/** Halves the step until the area falls; 0, and positions as they were, if it never does. */
function search(
  mesh: LabelledMesh,
  books: Books,
  volume: Float64Array,
  weights: Float64Array,
  direction: Float64Array,
  longest: number,
  area: number,
  slope: number,
): number {
  const { position } = mesh;
  const from = position.slice();
  let step = longest;
  for (let k = 0; k < SEARCH.halvings; k++, step *= 0.5) {
    for (let i = 0; i < position.length; i++) position[i] = from[i] + step * direction[i];
    if (
      restoreVolumes(mesh, books, volume, weights) &&
      measureArea(mesh) < area + SEARCH.promise * step * slope
    )
      return step;
  }
  position.set(from);
  return 0;
}

/**
 * The least displacement, in the metric of the weights, that gives every region its volume; false where it is
 * not found.
 */
function restoreVolumes(mesh: LabelledMesh, books: Books, volume: Float64Array, weights: Float64Array) {
  for (let k = 0; k < VOLUMES.corrections; k++) {
    const own = measureVolumes(mesh, books);
    const missing = own.map((v, r) => volume[r] - v);
    if (missing.every((d, r) => Math.abs(d) <= VOLUMES.miss * volume[r])) return true;
    const gradients = computeVolumeGradients(mesh, books);
    const multiplier = solveNormal(books, gradients, weights, missing);
    forEachEntry(books, (v, e, r) => {
      for (let a = 0; a < 3; a++)
        mesh.position[3 * v + a] += (multiplier[r] * gradients[3 * e + a]) / weights[v];
    });
  }
  return false;
}
