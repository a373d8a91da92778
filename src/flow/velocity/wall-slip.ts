/**
 * Velocity vectors of vertices on walls, made tangential: no flux through the wall but that of its own
 * motion.
 *
 * The face velocities are right there; vectors fitted to them (vertex-velocity.ts) are only nearly so. What
 * is left over passes through the wall, and a film half a cell thick loses all its liquid that way. Where
 * walls meet, a vertex keeps to each of them. Cost: linear in the wall faces.
 */
import { NONE } from '../../core/types.ts';
import { ON_VESSEL, type StuffedMesh } from '../../mesh/lattice/lattice.ts';
import type { TetTopology } from '../../mesh/tetmesh.ts';
import { AREA, type FaceGeometry } from '../mesh/face-geometry.ts';
import { WALL } from '../pressure/pressure.ts';

/** Most walls that bind a vertex: three of them leave it no way to go. */
const MOST_WALLS = 3;
/** Cosine between faces from which they belong to one wall, bent at most. */
const SAME_WALL = 0.8;
/** Length of a direction's part along the walls below which there is no way along them. */
const LEAST_WAY = 0.3;

/** Rounds over the walls of a corner; square ones are met in the first. */
const TURNS = 8;

/** The walls that each vertex keeps to. */
export class WallSlip {
  /** (vertexCount) first wall of the vertex in the lists below, NONE where it is free to go anywhere */
  private readonly vertexToSlot: Int32Array;
  /**
   * Up to MOST_WALLS area vectors (m^2) per slot: outward, summed over the faces of one wall around the
   * vertex.
   */
  private readonly normal: Float64Array;
  private readonly count: Uint8Array;
  private readonly vertices: Int32Array;
  private readonly faces: Int32Array;
  /** Which wall of its three vertices each face belongs to. */
  private readonly faceWall: Uint8Array;

  constructor(
    mesh: StuffedMesh,
    private readonly topology: TetTopology,
    private readonly geometry: FaceGeometry,
    private readonly faceKind: Uint8Array,
  ) {
    this.vertexToSlot = new Int32Array(mesh.vertexCount).fill(NONE);
    this.faces = this.listFaces(mesh);
    const { faceVertex } = topology;
    const vertices: number[] = [];
    for (const f of this.faces)
      for (let n = 3 * f; n < 3 * f + 3; n++) {
        const v = faceVertex[n];
        if (this.vertexToSlot[v] >= 0) continue;
        this.vertexToSlot[v] = vertices.length;
        vertices.push(v);
      }
    this.vertices = Int32Array.from(vertices);
    this.normal = new Float64Array(3 * MOST_WALLS * vertices.length);
    this.count = new Uint8Array(vertices.length);
    this.faceWall = new Uint8Array(3 * this.faces.length);
    this.gatherWalls();
  }

  /** Faces on the vessel's walls; those closed for other reasons bind nothing. */
  private listFaces(mesh: StuffedMesh): Int32Array {
    const { faceVertex } = this.topology;
    const { vertexOnSurface } = mesh;
    const faces: number[] = [];
    for (let f = 0; f < this.faceKind.length; f++) {
      if (this.faceKind[f] !== WALL) continue;
      const on =
        vertexOnSurface[faceVertex[3 * f]] &
        vertexOnSurface[faceVertex[3 * f + 1]] &
        vertexOnSurface[faceVertex[3 * f + 2]];
      if ((on & ON_VESSEL) !== 0) faces.push(f);
    }
    return Int32Array.from(faces);
  }

  private gatherWalls(): void {
    const { faceVertex } = this.topology;
    const { faceForm, form } = this.geometry;
    const { normal, count } = this;
    for (let n = 0; n < this.faces.length; n++) {
      const f = this.faces[n];
      const row = faceForm[f];
      for (let i = 0; i < 3; i++) {
        const slot = this.vertexToSlot[faceVertex[3 * f + i]];
        const base = 3 * MOST_WALLS * slot;
        let wall = 0;
        let best = -1;
        let at = 0;
        for (; wall < count[slot]; wall++) {
          const w = base + 3 * wall;
          const length = Math.hypot(normal[w], normal[w + 1], normal[w + 2]);
          const cosine =
            (normal[w] * form[row] + normal[w + 1] * form[row + 1] + normal[w + 2] * form[row + 2]) /
            (length * form[row + AREA] || 1);
          if (cosine <= best) continue;
          best = cosine;
          at = wall;
        }
        if (best < SAME_WALL && count[slot] < MOST_WALLS) at = count[slot]++;
        this.faceWall[3 * n + i] = at;
        for (let a = 0; a < 3; a++) normal[base + 3 * at + a] += form[row + a];
      }
    }
    for (let w = 0; w < normal.length; w += 3) {
      const length = Math.hypot(normal[w], normal[w + 1], normal[w + 2]);
      if (length === 0) continue;
      for (let a = 0; a < 3; a++) normal[w + a] /= length;
    }
  }

  /** Gives every vertex on walls the wall's own velocity across it, and leaves its velocity along it. */
  bind(faceValue: Float64Array, outVector: Float64Array): void {
    const across = this.meanAcross(faceValue);
    const vector = new Float64Array(3);
    for (let slot = 0; slot < this.vertices.length; slot++) {
      const v = 3 * this.vertices[slot];
      for (let a = 0; a < 3; a++) vector[a] = outVector[v + a];
      this.solve(slot, across, vector);
      outVector.set(vector, v);
    }
  }

  /** Velocity of each wall at each vertex, along its normal: the mean over its faces there, by area. */
  private meanAcross(faceValue: Float64Array): Float64Array {
    const { faceVertex } = this.topology;
    const { faceForm, form } = this.geometry;
    const sum = new Float64Array(MOST_WALLS * this.vertices.length);
    const area = new Float64Array(sum.length);
    for (let n = 0; n < this.faces.length; n++) {
      const f = this.faces[n];
      const own = form[faceForm[f] + AREA];
      for (let i = 0; i < 3; i++) {
        const at = MOST_WALLS * this.vertexToSlot[faceVertex[3 * f + i]] + this.faceWall[3 * n + i];
        sum[at] += own * faceValue[f];
        area[at] += own;
      }
    }
    for (let n = 0; n < sum.length; n++) if (area[n] > 0) sum[n] /= area[n];
    return sum;
  }

  /**
   * Moves a vector to where n . v = across for all walls of the slot: by turns, which converges for walls not
   * nearly parallel.
   */
  private solve(slot: number, across: Float64Array | undefined, outVector: Float64Array): void {
    const { normal, count } = this;
    const rounds = count[slot] > 1 ? TURNS : 1;
    for (let round = 0; round < rounds; round++)
      for (let wall = 0; wall < count[slot]; wall++) {
        const w = 3 * (MOST_WALLS * slot + wall);
        const miss =
          (across ? across[MOST_WALLS * slot + wall] : 0) -
          (normal[w] * outVector[0] + normal[w + 1] * outVector[1] + normal[w + 2] * outVector[2]);
        for (let a = 0; a < 3; a++) outVector[a] += miss * normal[w + a];
      }
  }

  /**
   * Turns a unit direction into the one along the vertex's walls by which a step of 1 has the same part along
   * the given one. False where there is none.
   */
  slide(v: number, outDirection: Float64Array): boolean {
    const slot = this.vertexToSlot[v];
    if (slot < 0) return true;
    const x = outDirection[0];
    const y = outDirection[1];
    const z = outDirection[2];
    this.solve(slot, undefined, outDirection);
    const along = x * outDirection[0] + y * outDirection[1] + z * outDirection[2];
    if (along < LEAST_WAY * LEAST_WAY) return false;
    for (let a = 0; a < 3; a++) outDirection[a] /= along;
    return true;
  }
}
