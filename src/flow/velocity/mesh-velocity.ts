/**
 * The velocity field over the tet mesh and around it, as tasks on any thread read it.
 *
 * - `smooth`: barycentric interpolation of vertex velocities, for tracing paths ([chentanez-2007] 3.1).
 * - `detailed`: at a path's end, interpolation that keeps the face-normal velocities. The paper uses
 *   generalised barycentric coordinates over dual cells for this, because plain barycentric interpolation
 *   damps the flow. Ours is linear on the 12 pieces into which a tet falls around its centre and face
 *   centres: at a face's centre its normal component is exactly the stored one (so a path of length zero
 *   returns what was there: no damping), and away from it the tangential part is second order, which the
 *   paper's cell vectors are not (docs/notebook/lattice.md).
 * - The field is that of the middle of the step ("leapfrog", see advection.ts).
 * - Outside the mesh: the velocity of the nearest boundary tet close by, then the extension (extension.ts).
 *   Carrying on its gradient instead overshoots at the tip of a spreading sheet, which runs ahead of the
 *   mesh, and makes volume. `detailed` is that of the tet's faces at first and fades into that of its
 *   vertices: a face on the free surface has the same velocity whether rounding puts the end of its path
 *   inside or outside.
 */
import { defineRecord, type ValuesOf } from '../../core/records.ts';
import { NONE } from '../../core/types.ts';
import { ON_LIQUID, ON_VESSEL, type StuffedMesh } from '../../mesh/lattice/lattice.ts';
import { BESIDE, BESIDE_REACH, type LocatorData, locateTet } from '../../mesh/locate.ts';
import type { TetTopology } from '../../mesh/tetmesh.ts';
import { BlockGrid } from '../../tracking/contouring/block-grid.ts';
import { type ClearanceGrid, ClearanceSampler } from '../../tracking/contouring/clearance.ts';
import { AREA, type FaceGeometry } from '../mesh/face-geometry.ts';
import type { VelocityExtension } from './extension.ts';

/** Everything a VelocitySampler reads, on the heap. */
export interface MeshVelocity {
  readonly mesh: StuffedMesh;
  readonly topology: TetTopology;
  readonly geometry: FaceGeometry;
  readonly locator: LocatorData;
  /** (faceCount) m/s along the area vector */
  readonly faceVelocity: Float64Array;
  /** (vertexCount x 3) m/s */
  readonly vertexVelocity: Float64Array;
  readonly extension: VelocityExtension;
  /** [min x, y, z, max x, y, z] of the domain, m: paths stay inside */
  readonly domain: Float64Array;
  /**
   * Clearance from the solids inside the domain, whose surfaces paths do not pass; absent where there are
   * none.
   */
  readonly solids?: ClearanceGrid;
}

/** Least barycentric coordinate down to which a boundary tet's velocity is used, and where it has faded. */
const NEAR = -0.35;
const FAR = BESIDE_REACH;

/** Volume of a tet over its largest face to the power 3/2, below which it is flat: a whole one has 0.4. */
const FLAT = 0.12;

/** What a VelocitySampler reads, as tasks are given it. */
export const velocityRecord = defineRecord('flow', {
  originX: 'number',
  originY: 'number',
  originZ: 'number',
  size: 'number',
  blocksX: 'number',
  blocksY: 'number',
  blocksZ: 'number',
  tileStart: 'i32',
  blockStart: 'i32',
  cellStart: 'i32',
  cellOffset: 'i32',
  cellListed: 'i32',
  listedTet: 'i32',
  listedFrame: 'f64',
  position: 'f64',
  tet: 'i32',
  vertexOnSurface: 'u8',
  tetToTet: 'i32',
  tetToFace: 'i32',
  faceToTet: 'i32',
  faceForm: 'i32',
  form: 'f64',
  volume: 'f64',
  faceVelocity: 'f64',
  vertexVelocity: 'f64',
  outerPlace: 'f64',
  outerDirectory: 'i32',
  outerVelocity: 'f64',
  outerKnown: 'u8',
  domain: 'f64',
  hasSolids: 'number',
  solidPlace: 'f64',
  solidDirectory: 'i32',
  clearance: 'f64',
});
export type VelocityValues = ValuesOf<typeof velocityRecord>;

export function velocityValues(flow: MeshVelocity): VelocityValues {
  const { mesh, topology, geometry, locator, extension, solids } = flow;
  const { position, tet, vertexOnSurface } = mesh;
  const { tetToTet, tetToFace, faceToTet } = topology;
  const { faceForm, form, volume } = geometry;
  const { size, tileStart, blockStart, cellStart, cellOffset, cellListed, listedTet, listedFrame } = locator;
  const [originX, originY, originZ] = locator.origin;
  const [blocksX, blocksY, blocksZ] = locator.blocks;
  const { faceVelocity, vertexVelocity, domain } = flow;
  return {
    ...{ originX, originY, originZ, size, blocksX, blocksY, blocksZ },
    ...{
      tileStart,
      blockStart,
      cellStart,
      cellOffset,
      cellListed,
      listedTet,
      listedFrame,
      position,
      tet,
      vertexOnSurface,
    },
    ...{ tetToTet, tetToFace, faceToTet, faceForm, form, volume, faceVelocity, vertexVelocity, domain },
    outerPlace: extension.place,
    outerDirectory: extension.directory,
    outerVelocity: extension.velocity,
    outerKnown: extension.known,
    // Without solids nothing is read of their grid.
    hasSolids: solids ? 1 : 0,
    solidPlace: solids?.place ?? extension.place,
    solidDirectory: solids?.directory ?? extension.directory,
    clearance: solids?.clearance ?? extension.velocity,
  };
}

export class VelocitySampler {
  /** Answer of the last query, m/s. */
  x = 0;
  y = 0;
  z = 0;
  /** Tet of the last query, NONE outside the mesh. */
  tet = NONE;
  /** End of the last traced path, m. */
  endX = 0;
  endY = 0;
  endZ = 0;
  /** How far beyond its end the path would have gone without walls, m. */
  beyondX = 0;
  beyondY = 0;
  beyondZ = 0;

  private readonly data: LocatorData;
  private readonly grid: BlockGrid;
  private readonly position: Float64Array;
  private readonly tets: Int32Array;
  private readonly tetToFace: Int32Array;
  private readonly faceToTet: Int32Array;
  private readonly faceForm: Int32Array;
  private readonly form: Float64Array;
  private readonly volume: Float64Array;
  private readonly faceVelocity: Float64Array;
  private readonly vertexVelocity: Float64Array;
  private readonly outerVelocity: Float64Array;
  private readonly outerKnown: Uint8Array;
  private readonly domain: Float64Array;
  private readonly solids: ClearanceSampler | undefined;
  private readonly vertexOnSurface: Uint8Array;
  /** Coordinates of the last query in `tet`, or in `beside`. */
  private readonly weight = new Float64Array(4);
  private readonly clipped = new Float64Array(4);
  /** Outside the mesh: the tet the last query is beside, if any. */
  private beside = NONE;
  /** Where the search for the next query begins, and where the last path began. */
  private hint = NONE;
  private startTet = NONE;
  /** Place of the last query. */
  private atX = Number.NaN;
  private atY = Number.NaN;
  private atZ = Number.NaN;

  constructor(values: VelocityValues) {
    this.position = values.position;
    this.tets = values.tet;
    this.tetToFace = values.tetToFace;
    this.faceToTet = values.faceToTet;
    this.faceForm = values.faceForm;
    this.form = values.form;
    this.volume = values.volume;
    this.faceVelocity = values.faceVelocity;
    this.vertexVelocity = values.vertexVelocity;
    const { outerPlace: place, originX, originY, originZ, blocksX, blocksY, blocksZ } = values;
    this.grid = new BlockGrid(
      [place[0], place[1], place[2]],
      place[3],
      place[4],
      place[5],
      place[6],
      values.outerDirectory,
    );
    this.outerVelocity = values.outerVelocity;
    this.outerKnown = values.outerKnown;
    this.domain = values.domain;
    const { solidPlace, solidDirectory, clearance } = values;
    this.solids =
      values.hasSolids === 1 ? new ClearanceSampler(solidPlace, solidDirectory, clearance) : undefined;
    this.vertexOnSurface = values.vertexOnSurface;
    this.data = {
      origin: [originX, originY, originZ],
      size: values.size,
      blocks: [blocksX, blocksY, blocksZ],
      tileStart: values.tileStart,
      blockStart: values.blockStart,
      cellStart: values.cellStart,
      cellOffset: values.cellOffset,
      cellListed: values.cellListed,
      listedTet: values.listedTet,
      listedFrame: values.listedFrame,
      position: this.position,
      tet: this.tets,
      tetToTet: values.tetToTet,
    };
  }

  /**
   * Follows the flow from (x, y, z) for `time` seconds (negative: backwards), midpoint rule, inside the
   * domain.
   */
  trace(x: number, y: number, z: number, time: number): void {
    // Neighbouring paths begin close together, farther from where the last one ended.
    this.returnToStart();
    this.smooth(x, y, z);
    this.startTet = this.tet;
    const half = 0.5 * time;
    this.moveTo(x + half * this.x, y + half * this.y, z + half * this.z);
    this.smooth(this.endX, this.endY, this.endZ);
    const toX = x + time * this.x;
    const toY = y + time * this.y;
    const toZ = z + time * this.z;
    this.moveTo(toX, toY, toZ);
    this.beyondX = toX - this.endX;
    this.beyondY = toY - this.endY;
    this.beyondZ = toZ - this.endZ;
  }

  /** Whether a point lies in a solid inside the domain. */
  isInSolid(x: number, y: number, z: number): boolean {
    return this.solids !== undefined && this.solids.value(x, y, z) < 0;
  }

  /** Says that the next query is near the last path's start, rather than its end. */
  returnToStart(): void {
    this.hint = this.startTet;
  }

  /** Ends the path at the nearest place inside the domain and outside the solids. */
  private moveTo(x: number, y: number, z: number): void {
    this.endX = x;
    this.endY = y;
    this.endZ = z;
    this.clampToDomain();
    const solids = this.solids;
    if (solids === undefined) return;
    const clearance = solids.value(this.endX, this.endY, this.endZ);
    if (!(clearance < 0)) return;
    solids.findGradient();
    this.endX -= clearance * solids.gradientX;
    this.endY -= clearance * solids.gradientY;
    this.endZ -= clearance * solids.gradientZ;
    this.clampToDomain();
  }

  private clampToDomain(): void {
    const d = this.domain;
    this.endX = Math.min(d[3], Math.max(d[0], this.endX));
    this.endY = Math.min(d[4], Math.max(d[1], this.endY));
    this.endZ = Math.min(d[5], Math.max(d[2], this.endZ));
  }

  /** Velocity for tracing paths. */
  smooth(x: number, y: number, z: number): void {
    const t = this.locate(x, y, z);
    if (t !== NONE) this.blendVertices(t, this.weight);
    else this.outside(x, y, z, false);
  }

  /**
   * At the place of the last query, the linear function through a tet's four values at its faces (faceCount):
   * that of the tet there, or of the one beside it; 0 far from all tets.
   */
  blendFaces(faceValue: Float64Array): number {
    const t = this.tet !== NONE ? this.tet : this.beside;
    if (t === NONE) return 0;
    let sum = 0;
    for (let n = 0; n < 4; n++) sum += faceValue[this.tetToFace[4 * t + n]] * (1 - 3 * this.weight[n]);
    return sum;
  }

  /**
   * At the place of the last query, values at vertices (vertexCount x stride) blended over the corners of the
   * tet there, or of the nearest place of the one beside it, into out[at..]; false far from all tets.
   */
  blendCorners(vertexValue: Float64Array, stride: number, out: Float64Array, at: number): boolean {
    const t = this.tet !== NONE ? this.tet : this.beside;
    if (t === NONE) return false;
    let sum = 0;
    for (let n = 0; n < 4; n++) sum += this.clipped[n] = Math.max(0, this.weight[n]);
    for (let k = 0; k < stride; k++) {
      let value = 0;
      for (let n = 0; n < 4; n++) value += this.clipped[n] * vertexValue[stride * this.tets[4 * t + n] + k];
      out[at + k] = value / sum;
    }
    return true;
  }

  /** Velocity at a path's end. */
  detailed(x: number, y: number, z: number): void {
    const t = this.locate(x, y, z);
    if (t === NONE) this.outside(x, y, z, true);
    else this.blendDetails(t, this.weight);
  }

  private blendDetails(t: number, w: Float64Array): void {
    if (this.isFilm(t)) {
      this.blendVertices(t, w);
      return;
    }
    // The pyramid over face `i` that holds the point, then the third of that face's base.
    let i = 0;
    if (w[1] < w[i]) i = 1;
    if (w[2] < w[i]) i = 2;
    if (w[3] < w[i]) i = 3;
    const least = w[i];
    let third = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 4; n++) if (n !== i && w[n] < third) third = w[n];
    const onFace = 3 * (third - least);
    const atCentre = 4 * least;
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let n = 0; n < 4; n++) {
      if (n === i) continue;
      const v = 3 * this.tets[4 * t + n];
      const share = w[n] - third;
      sx += share * this.vertexVelocity[v];
      sy += share * this.vertexVelocity[v + 1];
      sz += share * this.vertexVelocity[v + 2];
    }
    this.faceValue(t, i);
    sx += onFace * this.x;
    sy += onFace * this.y;
    sz += onFace * this.z;
    if (atCentre !== 0) {
      this.centreValue(t);
      sx += atCentre * this.x;
      sy += atCentre * this.y;
      sz += atCentre * this.z;
    }
    this.x = sx;
    this.y = sy;
    this.z = sz;
  }

  /**
   * Whether a tet reaches from a wall to the free surface with no vertex inside, and is flat: a film one tet
   * thick. Its face velocities say hardly anything of the velocity along it, and what they miss would come
   * out many times as large: films would speed up by themselves.
   */
  private isFilm(t: number): boolean {
    const on = this.vertexOnSurface;
    const a = on[this.tets[4 * t]];
    const b = on[this.tets[4 * t + 1]];
    const c = on[this.tets[4 * t + 2]];
    const d = on[this.tets[4 * t + 3]];
    if (a === 0 || b === 0 || c === 0 || d === 0 || (a | b | c | d) !== (ON_LIQUID | ON_VESSEL)) return false;
    let area = 0;
    for (let n = 4 * t; n < 4 * t + 4; n++)
      area = Math.max(area, this.form[this.faceForm[this.tetToFace[n]] + AREA]);
    return this.volume[t] < FLAT * area * Math.sqrt(area);
  }

  /** Mean of the face's vertices with its normal component replaced by the stored one. */
  private faceValue(t: number, i: number): void {
    const u = this.vertexVelocity;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let n = 0; n < 4; n++) {
      if (n === i) continue;
      const v = 3 * this.tets[4 * t + n];
      x += u[v];
      y += u[v + 1];
      z += u[v + 2];
    }
    x /= 3;
    y /= 3;
    z /= 3;
    const f = this.tetToFace[4 * t + i];
    const { form } = this;
    const row = this.faceForm[f];
    const inverse = 1 / form[row + AREA];
    const nx = form[row] * inverse;
    const ny = form[row + 1] * inverse;
    const nz = form[row + 2] * inverse;
    const missing = this.faceVelocity[f] - (x * nx + y * ny + z * nz);
    this.x = x + missing * nx;
    this.y = y + missing * ny;
    this.z = z + missing * nz;
  }

  /** Mean of the tet's vertices plus the cell vector of what its faces miss: 1/V sum_i flux_i (x_i - c). */
  private centreValue(t: number): void {
    const { form } = this;
    const u = this.vertexVelocity;
    const p = this.position;
    let mx = 0;
    let my = 0;
    let mz = 0;
    let cx = 0;
    let cy = 0;
    let cz = 0;
    for (let n = 0; n < 4; n++) {
      const v = 3 * this.tets[4 * t + n];
      mx += u[v];
      my += u[v + 1];
      mz += u[v + 2];
      cx += p[v];
      cy += p[v + 1];
      cz += p[v + 2];
    }
    let x = 0;
    let y = 0;
    let z = 0;
    for (let n = 0; n < 4; n++) {
      const v = 3 * this.tets[4 * t + n];
      const f = this.tetToFace[4 * t + n];
      const row = this.faceForm[f];
      const stored = form[row + AREA] * this.faceVelocity[f];
      const there =
        ((mx - u[v]) * form[row] + (my - u[v + 1]) * form[row + 1] + (mz - u[v + 2]) * form[row + 2]) / 3;
      const missing = (this.faceToTet[2 * f] === t ? 1 : -1) * (stored - there);
      x += missing * (0.25 * cx - p[v]);
      y += missing * (0.25 * cy - p[v + 1]);
      z += missing * (0.25 * cz - p[v + 2]);
    }
    const scale = 1 / (3 * this.volume[t]);
    this.x = 0.25 * mx + x * scale;
    this.y = 0.25 * my + y * scale;
    this.z = 0.25 * mz + z * scale;
  }

  private locate(x: number, y: number, z: number): number {
    if (x === this.atX && y === this.atY && z === this.atZ) return this.tet;
    const t = locateTet(this.data, x, y, z, this.hint, this.weight);
    // A walk lost in the interior starts again from the leaf; if that fails too the extension answers.
    this.tet = t >= 0 ? t : NONE;
    this.beside = t <= BESIDE ? BESIDE - t : NONE;
    this.hint = this.tet;
    this.atX = x;
    this.atY = y;
    this.atZ = z;
    return this.tet;
  }

  private blendVertices(t: number, w: Float64Array): void {
    const u = this.vertexVelocity;
    const a = 3 * this.tets[4 * t];
    const b = 3 * this.tets[4 * t + 1];
    const c = 3 * this.tets[4 * t + 2];
    const d = 3 * this.tets[4 * t + 3];
    this.x = w[0] * u[a] + w[1] * u[b] + w[2] * u[c] + w[3] * u[d];
    this.y = w[0] * u[a + 1] + w[1] * u[b + 1] + w[2] * u[c + 1] + w[3] * u[d + 1];
    this.z = w[0] * u[a + 2] + w[1] * u[b + 2] + w[2] * u[c + 2] + w[3] * u[d + 2];
  }

  /** Outside: the velocity at the nearest place of the nearest boundary tet, fading into the extension. */
  private outside(x: number, y: number, z: number, isDetailed: boolean): void {
    if (this.beside === NONE) {
      this.extended(x, y, z);
      return;
    }
    const w = this.weight;
    const least = Math.min(w[0], w[1], w[2], w[3]);
    // Onto the tet: negative weights go, the others grow to sum one.
    let sum = 0;
    for (let n = 0; n < 4; n++) sum += this.clipped[n] = Math.max(0, w[n]);
    for (let n = 0; n < 4; n++) this.clipped[n] /= sum;
    this.blendVertices(this.beside, this.clipped);
    if (least >= NEAR && !isDetailed) return;
    const ux = this.x;
    const uy = this.y;
    const uz = this.z;
    let share = (least - FAR) / (NEAR - FAR);
    if (least >= NEAR) {
      share = least / NEAR;
      this.blendDetails(this.beside, this.clipped);
    } else this.extended(x, y, z);
    this.x += share * (ux - this.x);
    this.y += share * (uy - this.y);
    this.z += share * (uz - this.z);
  }

  /**
   * Trilinear interpolation of the extension over the corners that have a value; zero far from all liquid.
   */
  private extended(x: number, y: number, z: number): void {
    const grid = this.grid;
    const gx = (x - grid.origin[0]) / grid.spacing;
    const gy = (y - grid.origin[1]) / grid.spacing;
    const gz = (z - grid.origin[2]) / grid.spacing;
    const i = Math.floor(gx);
    const j = Math.floor(gy);
    const k = Math.floor(gz);
    let sum = 0;
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let corner = 0; corner < 8; corner++) {
      const ci = i + (corner & 1);
      const cj = j + ((corner >> 1) & 1);
      const ck = k + (corner >> 2);
      if (!grid.contains(ci, cj, ck)) continue;
      const slot = grid.findSlot(ci, cj, ck);
      if (slot === NONE || this.outerKnown[slot] === 0) continue;
      const share = (1 - Math.abs(gx - ci)) * (1 - Math.abs(gy - cj)) * (1 - Math.abs(gz - ck));
      sum += share;
      sx += share * this.outerVelocity[3 * slot];
      sy += share * this.outerVelocity[3 * slot + 1];
      sz += share * this.outerVelocity[3 * slot + 2];
    }
    const inverse = sum > 0 ? 1 / sum : 0;
    this.x = sx * inverse;
    this.y = sy * inverse;
    this.z = sz * inverse;
  }
}
