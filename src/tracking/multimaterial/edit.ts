/**
 * One atomic edit of the mesh: what it takes away, what it puts in its place, and whether that may stand
 * ([da-2017] 5.2, 9.1).
 *
 * An edit replaces a patch of faces by another with the same boundary. Seen as a pseudo-motion it sweeps
 * tetrahedra, one for each face whose corner moves. It may stand if
 *   1. no new face meets any other face of the mesh, nor another new one (exact),
 *   2. no other face lies in the swept tetrahedra: such a face would have been run over and now be on the wrong side (exact; as faces meet neither
 *      the old patch nor the new one, one point of each face decides),
 *   3. labels still balance about every edge of the patch,
 *   4. unless the edit is a last resort: volumes, areas and angles keep their bounds and no face turns over.
 * The thesis asks the same of vertex separation (chapter 6) and uses continuous detection for the other
 * edits; the static test is exact, needs no motion and serves them all.
 *
 * Volumes: `sweep` adds up what each region gains. The sum is booked on a half-face of that region
 * (mesh.debt) for return-volume.ts to give back. Cost: one query of the grid and a few hundred comparisons of
 * boxes for a patch of ten faces.
 */
import { type F64View, type Metres, NONE } from '../../core/types.ts';
import { trianglesIntersect, vertexTouchesTetrahedron } from '../../geometry/collision/intersect.ts';
import { computeTriple, setCentroid, setNormal } from '../../math/triangle.ts';
import { setFaceNormal } from './features.ts';
import type { MultiMesh } from './mesh.ts';
import type { Tracker } from './tracker.ts';

const centroid = new Float64Array(3);

/**
 * What an edit must keep besides safety; `shape`: areas, angles and winding, but not volumes; `topology`:
 * only volumes, by the bound for changes of topology; `vanish`: all, with that bound on volumes.
 */
export type Bounds = 'all' | 'shape' | 'topology' | 'vanish' | 'safety';

/** Why an edit was refused; undefined when it stands. */
export type Refusal = 'labels' | 'topology' | 'volume' | 'area' | 'angle' | 'turned' | 'collision';

const RADIANS = Math.PI / 180;
/** Edits are counted anew before their number leaves the 31 bits of a small integer. */
const LAST_NUMBER = 2 ** 30;

export class Edit {
  /** Faces taken away or changed. */
  readonly old: number[] = [];
  /** Faces put in or changed. */
  readonly fresh: number[] = [];
  /** Index into `old` of the face that a new face must not be turned against, or NONE. */
  private readonly freshLike: number[] = [];
  private readonly oldNormal: number[] = [];
  /**
   * (old x 3) their vertices before the edit; where the client asks for the patch also (x 9) places, m, and
   * (x 2) labels
   */
  private readonly oldVertex: number[] = [];
  private readonly oldPosition: number[] = [];
  private readonly oldLabel: number[] = [];
  /** Extreme angles of the old patch, as cosines: an edit may leave bad angles that were there before. */
  private oldMaxCosine = -1;
  private oldMinCosine = 1;
  /** Volume gained by each region in this edit, and booked before, m^3 */
  readonly region: number[] = [];
  readonly gain: number[] = [];
  private readonly booked: number[] = [];
  /**
   * Smallest target length at the old patch in units of the general one: bounds are those of the mesh wanted
   * there (23.1).
   */
  private sizing = 1;

  private tet = new Float64Array(12 * 64);
  private tetCount = 0;
  /** (fresh x 6), then (tets x 6) */
  private boxes = new Float64Array(6 * 128);
  private readonly box = new Float64Array(6);
  private readonly angle = new Float64Array(2);
  private readonly normal = new Float64Array(3);
  private readonly place: number[] = [];
  /** The edit that took a face last. */
  private takenBy = new Int32Array(64);
  private number = 0;
  private readonly minCosine: number;
  private readonly maxCosine: number;

  constructor(
    private readonly mesh: MultiMesh,
    private readonly tracker: Tracker,
  ) {
    this.minCosine = Math.cos(tracker.options.maxAngle * RADIANS);
    this.maxCosine = Math.cos(tracker.options.minAngle * RADIANS);
  }

  /** L at the patch, by which its bounds are measured. */
  get length(): Metres {
    return this.sizing * this.tracker.length;
  }

  begin(): void {
    this.old.length = 0;
    this.fresh.length = 0;
    this.freshLike.length = 0;
    this.oldNormal.length = 0;
    this.oldVertex.length = 0;
    this.oldPosition.length = 0;
    this.oldLabel.length = 0;
    this.region.length = 0;
    this.gain.length = 0;
    this.booked.length = 0;
    this.tetCount = 0;
    this.sizing = 1;
    this.oldMaxCosine = -1;
    this.oldMinCosine = 1;
    if (++this.number === LAST_NUMBER) {
      this.takenBy.fill(0);
      this.number = 1;
    }
    this.mesh.begin();
  }

  /**
   * Notes a face that the edit is going to change or remove; call before changing it. Returns its index for
   * `put`.
   */
  take(f: number): number {
    const { mesh } = this;
    const a = mesh.face[3 * f];
    const b = mesh.face[3 * f + 1];
    const c = mesh.face[3 * f + 2];
    this.oldVertex.push(a, b, c);
    if (this.tracker.policy.onReplace) this.keepOld(f);
    addNormal(mesh.position, a, b, c, this.oldNormal);
    computeExtremeCosines(mesh.position, a, b, c, this.angle);
    this.oldMinCosine = Math.min(this.oldMinCosine, this.angle[0]);
    this.oldMaxCosine = Math.max(this.oldMaxCosine, this.angle[1]);
    const sizing = this.tracker.sizing?.data;
    if (sizing) this.sizing = Math.min(this.sizing, sizing[a], sizing[b], sizing[c]);
    for (let side = 0; side < 2; side++) {
      const n = this.findRegion(mesh.label[2 * f + side]);
      this.booked[n] += mesh.debt[2 * f + side];
    }
    if (f >= this.takenBy.length) {
      const longer = new Int32Array(2 * this.mesh.faceFill);
      longer.set(this.takenBy);
      this.takenBy = longer;
    }
    this.takenBy[f] = this.number;
    return this.old.push(f) - 1;
  }

  private keepOld(f: number): void {
    const { face, position: p, label } = this.mesh;
    for (let c = 3 * f; c < 3 * f + 3; c++)
      for (let k = 0; k < 3; k++) this.oldPosition.push(p[3 * face[c] + k]);
    this.oldLabel.push(label[2 * f], label[2 * f + 1]);
  }

  has(f: number): boolean {
    return f < this.takenBy.length && this.takenBy[f] === this.number;
  }

  /** Notes a face as it stands after the edit; `like` is the index of an old face with the same winding. */
  put(f: number, like: number): void {
    this.fresh.push(f);
    this.freshLike.push(like);
  }

  /** A taken face was removed after it had been put. */
  unput(f: number): void {
    const n = this.fresh.indexOf(f);
    if (n < 0) return;
    this.fresh.splice(n, 1);
    this.freshLike.splice(n, 1);
  }

  /** Adds the tetrahedron that face a b c with these labels sweeps on its way to the point. */
  sweep(a: number, b: number, c: number, front: number, back: number, x: number, y: number, z: number): void {
    const p = this.mesh.position;
    if (12 * this.tetCount + 24 > this.tet.length) {
      const longer = new Float64Array(2 * this.tet.length);
      longer.set(this.tet);
      this.tet = longer;
    }
    const { tet } = this;
    const o = 12 * this.tetCount++;
    for (let k = 0; k < 3; k++) {
      tet[o + k] = p[3 * a + k];
      tet[o + 3 + k] = p[3 * b + k];
      tet[o + 6 + k] = p[3 * c + k];
    }
    tet[o + 9] = x;
    tet[o + 10] = y;
    tet[o + 11] = z;
    const volume = computeRowsVolume(tet, o);
    this.gain[this.findRegion(back)] += volume;
    this.gain[this.findRegion(front)] -= volume;
  }

  /** Tests the edit; it is still open afterwards. */
  findRefusal(bounds: Bounds): Refusal | undefined {
    // A vertex that merely moved leaves labels as they were.
    if (this.mesh.isRelinked && !this.areLabelsBalanced()) return 'labels';
    if (bounds !== 'safety') {
      const broken = this.findBrokenBound(bounds);
      if (broken) return broken;
    }
    if (this.collides()) return 'collision';
    return undefined;
  }

  /** Closes the edit if it may stand, else undoes it. */
  finish(bounds: Bounds): Refusal | undefined {
    const refusal = this.findRefusal(bounds);
    if (refusal) this.undo();
    else this.commit();
    return refusal;
  }

  undo(): void {
    this.mesh.undo();
  }

  /** Books volumes, closes the transaction and brings the grid up to date. */
  commit(): void {
    this.bookVolumes();
    this.mesh.commit();
    this.tellTouched();
    for (const f of this.old) if (!this.mesh.isFace(f)) this.tracker.grid.remove(f);
    for (const f of this.fresh) this.tracker.grid.set(f);
    this.tracker.policy.onReplace?.({
      vertex: this.oldVertex,
      position: this.oldPosition,
      label: this.oldLabel,
    });
  }

  /** After the client was told what became of the vertices. */
  tellReplaced(): void {
    this.tracker.policy.onReplaced?.(this.fresh);
  }

  /** Every face that changed was taken or put: their vertices, before and after, have other stars now. */
  private tellTouched(): void {
    const { mesh, fresh, oldVertex } = this;
    const { known, face } = mesh;
    known.clock++;
    for (let n = 0; n < oldVertex.length; n++) known.touch(oldVertex[n]);
    for (let n = 0; n < fresh.length; n++) {
      for (let c = 3 * fresh[n]; c < 3 * fresh[n] + 3; c++) known.touch(face[c]);
    }
  }

  /**
   * Books what the regions gained, with what was booked on the faces taken, on the new faces. Where a region
   * left the patch for good (T2) its volume is gone with it and the gain of its neighbours is meant.
   */
  private bookVolumes(): void {
    const { mesh, fresh, region, gain, booked } = this;
    for (const f of fresh) {
      if (mesh.debt[2 * f] !== 0) mesh.setDebt(2 * f, 0);
      if (mesh.debt[2 * f + 1] !== 0) mesh.setDebt(2 * f + 1, 0);
    }
    let isWhole = true;
    const { place } = this;
    for (let n = 0; n < region.length; n++) {
      place[n] = NONE;
      for (const f of fresh) {
        if (mesh.label[2 * f] === region[n]) place[n] = 2 * f;
        else if (mesh.label[2 * f + 1] === region[n]) place[n] = 2 * f + 1;
        if (place[n] !== NONE) break;
      }
      if (place[n] === NONE) isWhole = false;
    }
    for (let n = 0; n < region.length; n++) {
      if (place[n] === NONE) continue;
      const volume = booked[n] + (isWhole ? gain[n] : 0);
      if (volume !== 0) mesh.setDebt(place[n], volume);
    }
  }

  private findRegion(label: number): number {
    const n = this.region.indexOf(label);
    if (n >= 0) return n;
    this.gain.push(0);
    this.booked.push(0);
    return this.region.push(label) - 1;
  }

  private areLabelsBalanced(): boolean {
    const { mesh, fresh } = this;
    for (const f of fresh) {
      for (let c = 3 * f; c < 3 * f + 3; c++) if (!isEdgeBalanced(mesh, mesh.cornerEdge[c])) return false;
    }
    return true;
  }

  private findBrokenBound(bounds: Bounds): Refusal | undefined {
    const { mesh, tracker, fresh } = this;
    const { options } = tracker;
    const { length } = this;
    if (this.breaksVolume(bounds)) return 'volume';
    if (bounds === 'topology') return undefined;
    const minArea = options.minArea * length * length;
    const minCosine = Math.min(this.minCosine, this.oldMinCosine);
    const maxCosine = Math.max(this.maxCosine, this.oldMaxCosine);
    const { normal } = this;
    for (let n = 0; n < fresh.length; n++) {
      const f = fresh[n];
      const a = mesh.face[3 * f];
      const b = mesh.face[3 * f + 1];
      const c = mesh.face[3 * f + 2];
      setFaceNormal(mesh, f, normal);
      const x = normal[0];
      const y = normal[1];
      const z = normal[2];
      if (Math.sqrt(x * x + y * y + z * z) < 2 * minArea && !this.hadSmaller(x, y, z)) return 'area';
      computeExtremeCosines(mesh.position, a, b, c, this.angle);
      if (this.angle[0] < minCosine || this.angle[1] > maxCosine) return 'angle';
      const like = 3 * this.freshLike[n];
      if (like < 0) continue;
      const o = this.oldNormal;
      if (x * o[like] + y * o[like + 1] + z * o[like + 2] <= 0) return 'turned';
    }
    return undefined;
  }

  /**
   * Does what was swept so far exceed the bound on volume? Asked before the mesh is changed it saves the
   * change.
   */
  breaksVolume(bounds: Bounds): boolean {
    if (bounds === 'safety' || bounds === 'shape') return false;
    const { options } = this.tracker;
    const most = bounds === 'all' ? options.maxVolumeChange : options.maxTopologyChange;
    const maxVolume = most * this.length ** 3;
    for (let n = 0; n < this.gain.length; n++) if (Math.abs(this.gain[n]) > maxVolume) return true;
    return false;
  }

  /** Did the old patch have a face no larger than one with this normal? Then the edit makes nothing worse. */
  private hadSmaller(x: number, y: number, z: number): boolean {
    const size = x * x + y * y + z * z;
    const o = this.oldNormal;
    for (let n = 0; n < o.length; n += 3) if (o[n] ** 2 + o[n + 1] ** 2 + o[n + 2] ** 2 <= size) return true;
    return false;
  }

  private collides(): boolean {
    const { mesh, fresh, box, takenBy, number } = this;
    for (let n = 0; n < fresh.length; n++) {
      for (let m = n + 1; m < fresh.length; m++) {
        if (facesMeet(mesh, fresh[n], fresh[m])) return true;
      }
    }
    const { grid } = this.tracker;
    this.computeBoxes();
    const count = grid.query(box);
    const { found, box: faceBox } = grid;
    const { boxes } = this;
    const freshCount = fresh.length;
    const freshEnd = 6 * freshCount;
    const tetEnd = freshEnd + 6 * this.tetCount;
    for (let i = 0; i < count; i++) {
      const g = found[i];
      if (g < takenBy.length && takenBy[g] === number) continue;
      const o = 6 * g;
      const x = faceBox[o];
      const y = faceBox[o + 1];
      const z = faceBox[o + 2];
      const X = faceBox[o + 3];
      const Y = faceBox[o + 4];
      const Z = faceBox[o + 5];
      for (let n = 0, b = 0; n < freshCount; n++, b += 6) {
        if (x > boxes[b + 3] || X < boxes[b] || y > boxes[b + 4] || Y < boxes[b + 1]) continue;
        if (z > boxes[b + 5] || Z < boxes[b + 2]) continue;
        if (facesMeet(mesh, fresh[n], g)) return true;
      }
      if (tetEnd > freshEnd && this.isRunOver(g, freshEnd, tetEnd)) return true;
    }
    return false;
  }

  /** Does the middle of face g lie in a swept tetrahedron? */
  private isRunOver(g: number, boxBegin: number, boxEnd: number): boolean {
    const { boxes, tet } = this;
    const { face, position: p } = this.mesh;
    const a = 3 * face[3 * g];
    const b = 3 * face[3 * g + 1];
    const c = 3 * face[3 * g + 2];
    setCentroid(p, a, b, c, centroid);
    const { 0: x, 1: y, 2: z } = centroid;
    for (let n = boxBegin; n < boxEnd; n += 6) {
      if (x < boxes[n] || x > boxes[n + 3] || y < boxes[n + 1] || y > boxes[n + 4]) continue;
      if (z < boxes[n + 2] || z > boxes[n + 5]) continue;
      // The corners of the tetrahedra are numbered 0, 1, 2, ...; the point takes the number after the last.
      const point = 4 * this.tetCount;
      tet[3 * point] = x;
      tet[3 * point + 1] = y;
      tet[3 * point + 2] = z;
      const t = (4 * (n - boxBegin)) / 6;
      if (vertexTouchesTetrahedron(tet, point, t, t + 1, t + 2, t + 3)) return true;
    }
    return false;
  }

  /** The boxes of all new faces and swept tetrahedra, and the box of all. */
  private computeBoxes(): void {
    const { mesh, box, tet, fresh } = this;
    const { position: p, face } = mesh;
    const length = 6 * (fresh.length + this.tetCount);
    if (this.boxes.length < length) this.boxes = new Float64Array(2 * length);
    const { boxes } = this;
    let o = 0;
    for (let n = 0; n < fresh.length; n++, o += 6) {
      const a = 3 * face[3 * fresh[n]];
      const b = 3 * face[3 * fresh[n] + 1];
      const c = 3 * face[3 * fresh[n] + 2];
      for (let k = 0; k < 3; k++) {
        boxes[o + k] = Math.min(p[a + k], p[b + k], p[c + k]);
        boxes[o + 3 + k] = Math.max(p[a + k], p[b + k], p[c + k]);
      }
    }
    for (let t = 0; t < 12 * this.tetCount; t += 12, o += 6) {
      for (let k = 0; k < 3; k++) {
        boxes[o + k] = Math.min(tet[t + k], tet[t + 3 + k], tet[t + 6 + k], tet[t + 9 + k]);
        boxes[o + 3 + k] = Math.max(tet[t + k], tet[t + 3 + k], tet[t + 6 + k], tet[t + 9 + k]);
      }
    }
    for (let k = 0; k < 3; k++) {
      let min = Infinity;
      let max = -Infinity;
      for (let n = 0; n < length; n += 6) {
        min = Math.min(min, boxes[n + k]);
        max = Math.max(max, boxes[n + 3 + k]);
      }
      box[k] = min;
      box[3 + k] = max;
    }
  }
}

function facesMeet({ face, position }: MultiMesh, f: number, g: number): boolean {
  const a = face[3 * f];
  const b = face[3 * f + 1];
  const c = face[3 * f + 2];
  return trianglesIntersect(position, a, b, c, face[3 * g], face[3 * g + 1], face[3 * g + 2]);
}

/** Every label ahead of as many faces as it is behind of. */
export function isEdgeBalanced(mesh: MultiMesh, e: number): boolean {
  const first = mesh.edgeCorner[e];
  if (first === NONE) return true;
  const second = mesh.cornerNextAtEdge[first];
  if (second === NONE) return false;
  if (mesh.cornerNextAtEdge[second] === NONE) {
    return (
      mesh.labelAhead(first) === mesh.labelBehind(second) &&
      mesh.labelBehind(first) === mesh.labelAhead(second)
    );
  }
  for (let c = first; c !== NONE; c = mesh.cornerNextAtEdge[c]) {
    const label = mesh.labelAhead(c);
    const other = mesh.labelBehind(c);
    let balance = 0;
    let otherBalance = 0;
    for (let d = first; d !== NONE; d = mesh.cornerNextAtEdge[d]) {
      const ahead = mesh.labelAhead(d);
      const behind = mesh.labelBehind(d);
      balance += (ahead === label ? 1 : 0) - (behind === label ? 1 : 0);
      otherBalance += (ahead === other ? 1 : 0) - (behind === other ? 1 : 0);
    }
    if (balance !== 0 || otherBalance !== 0) return false;
  }
  return true;
}

/** Smallest and largest cosine of a triangle's angles: of its largest and of its smallest angle. */
export function computeExtremeCosines(p: F64View, a: number, b: number, c: number, out: Float64Array): void {
  const ab = distance2(p, a, b);
  const bc = distance2(p, b, c);
  const ca = distance2(p, c, a);
  const atA = (ab + ca - bc) / (2 * Math.sqrt(ab * ca));
  const atB = (ab + bc - ca) / (2 * Math.sqrt(ab * bc));
  const atC = (bc + ca - ab) / (2 * Math.sqrt(bc * ca));
  out[0] = Math.min(atA, atB, atC);
  out[1] = Math.max(atA, atB, atC);
}

export function distance2(p: F64View, a: number, b: number): number {
  const x = p[3 * a] - p[3 * b];
  const y = p[3 * a + 1] - p[3 * b + 1];
  const z = p[3 * a + 2] - p[3 * b + 2];
  return x * x + y * y + z * z;
}

/** Appends the normal of a b c, of twice its area. */
export function addNormal(p: F64View, a: number, b: number, c: number, out: number[]): void {
  setNormal(p, 3 * a, 3 * b, 3 * c, appended);
  out.push(appended[0], appended[1], appended[2]);
}
const appended = new Float64Array(3);

/** Signed volume of the rows of t: positive when the last lies in front of the first three. */
function computeRowsVolume(t: F64View, o: number): number {
  return -computeTriple(t, o, o + 3, o + 6, t[o + 9], t[o + 10], t[o + 11]) / 6;
}
