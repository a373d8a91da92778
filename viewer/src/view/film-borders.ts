/**
 * Plateau borders as part of the mesh of films, so that both are laid over one another in one order: a border
 * in front of a film covers it, one behind is seen through it. A piece of a border is a quad of no width,
 * which the vertex shader widens on screen.
 */

/** What films and borders have in common: corners of triangles, whichever they belong to. */
export interface FilmMesh {
  /** (vertices x 3) m */
  readonly position: Float32Array;
  /** (vertices x 3) of films; zero on borders */
  readonly normal: Float32Array;
  /** (vertices) nm, of films */
  readonly thickness: Float32Array;
  /**
   * (vertices x 3) regions in front and behind, and the share of the film that borders cover (foam-light.ts)
   */
  readonly foam: Float32Array;
  /** (vertices x 3) m, the other end of a piece of a border */
  readonly other: Float32Array;
  /** (vertices x 3) end of the piece, 0 or 1; side of it, -1 or 1; and its width in pixels, 0 on films */
  readonly border: Float32Array;
  /** (triangles x 3) vertex ids, the films' first */
  readonly triangle: Uint32Array;
  /** (drawn triangles) their ids */
  readonly faces: Uint32Array;
  /** (drawn triangles) m, how much nearer than it is a triangle counts in the order */
  readonly forward: Float32Array;
}

export interface FilmPart {
  readonly position: Float32Array;
  readonly normal: Float32Array;
  readonly thickness: Float32Array;
  readonly foam: Float32Array;
  readonly triangle: Uint32Array;
  readonly faces: Uint32Array;
}

export interface BorderPart {
  /** (segments x 2 x 3) m */
  readonly segments: Float32Array;
  /** (segments) region whose light falls on each */
  readonly region: Uint32Array;
  /** pixels */
  readonly width: number;
}

/** Corners of a piece, once around: end and side. */
const QUAD = [
  [0, -1],
  [1, -1],
  [1, 1],
  [0, 1],
] as const;

export function joinBorders(films: FilmPart, borders: readonly BorderPart[]): FilmMesh {
  const pieces = borders.reduce((sum, { region }) => sum + region.length, 0);
  const filmVertices = films.position.length / 3;
  const filmTriangles = films.triangle.length / 3;
  const vertices = filmVertices + 4 * pieces;
  const mesh = {
    position: extend(films.position, 3 * vertices),
    normal: extend(films.normal, 3 * vertices),
    thickness: extend(films.thickness, vertices),
    foam: extend(films.foam, 3 * vertices),
    other: new Float32Array(3 * vertices),
    border: new Float32Array(3 * vertices),
    triangle: new Uint32Array(3 * (filmTriangles + 2 * pieces)),
    faces: new Uint32Array(films.faces.length + 2 * pieces),
    forward: new Float32Array(films.faces.length + 2 * pieces),
  };
  mesh.triangle.set(films.triangle);
  mesh.faces.set(films.faces);
  let vertex = filmVertices;
  let face = filmTriangles;
  let drawn = films.faces.length;
  for (const { segments, region, width } of borders) {
    for (let s = 0; s < region.length; s++, vertex += 4) {
      const ends = [segments.subarray(6 * s, 6 * s + 3), segments.subarray(6 * s + 3, 6 * s + 6)];
      const length = Math.hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1], ends[1][2] - ends[0][2]);
      QUAD.forEach(([end, side], k) => {
        const v = 3 * (vertex + k);
        mesh.position.set(ends[end], v);
        mesh.other.set(ends[1 - end], v);
        mesh.border.set([end, side, width], v);
        mesh.foam.set([region[s], region[s], 0], v);
      });
      mesh.triangle.set([vertex, vertex + 1, vertex + 2, vertex, vertex + 2, vertex + 3], 3 * face);
      for (let k = 0; k < 2; k++, face++, drawn++) {
        mesh.faces[drawn] = face;
        // The films beside it have their middles up to about half an edge nearer.
        mesh.forward[drawn] = 0.5 * length;
      }
    }
  }
  return mesh;
}

function extend(values: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const out = new Float32Array(length);
  out.set(values);
  return out;
}
