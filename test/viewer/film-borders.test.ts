/** Borders among the films: one mesh, one order. */
import { describe, expect, it } from 'vitest';
import { DepthSorter } from '../../viewer/src/view/depth-sort.ts';
import { joinBorders } from '../../viewer/src/view/film-borders.ts';

/** A film in the plane y = 0. */
const film = {
  position: new Float32Array([-1, 0, -1, 1, 0, -1, 0, 0, 1]),
  normal: new Float32Array([0, -1, 0, 0, -1, 0, 0, -1, 0]),
  thickness: new Float32Array([300, 300, 300]),
  foam: new Float32Array([0, 1, 0.1, 0, 1, 0.1, 0, 1, 0.1]),
  triangle: new Uint32Array([0, 1, 2]),
  faces: new Uint32Array([0]),
};
const piece = (y: number, length: number) => new Float32Array([0, y, 0, length, y, 0]);

describe('borders joined to films', () => {
  it('are quads of no width, with the far end and the side at each corner', () => {
    const mesh = joinBorders(film, [
      { segments: piece(0.5, 0.1), region: new Uint32Array([4]), width: 2 },
      { segments: piece(0.5, 0), region: new Uint32Array([5]), width: 3 },
    ]);
    expect(mesh.position.length).toBe(3 * (3 + 8));
    expect([...mesh.position.subarray(0, 9)]).toEqual([...film.position]);
    expect([...mesh.faces]).toEqual([0, 1, 2, 3, 4]);
    expect(mesh.border.subarray(0, 9).every((value) => value === 0)).toBe(true);
    const corners = [3, 4, 5, 6].map((v) => [...mesh.border.subarray(3 * v, 3 * v + 3)]);
    expect(corners).toEqual([
      [0, -1, 2],
      [1, -1, 2],
      [1, 1, 2],
      [0, 1, 2],
    ]);
    for (let v = 3; v < 7; v++) {
      const end = mesh.border[3 * v];
      expect(mesh.position[3 * v]).toBeCloseTo(0.1 * end, 6);
      expect(mesh.other[3 * v]).toBeCloseTo(0.1 * (1 - end), 6);
      expect(mesh.foam[3 * v]).toBe(4);
    }
    // Both triangles of a quad go around it the same way.
    expect([...mesh.triangle.subarray(3, 9)]).toEqual([3, 4, 5, 3, 5, 6]);
  });

  it('lie over what is behind them and under what is before them, and over films that they bound', () => {
    const order = (y: number, length: number) => {
      const region = new Uint32Array([0]);
      const mesh = joinBorders(film, [{ segments: piece(y, length), region, width: 2 }]);
      const sorter = new DepthSorter();
      sorter.setFaces(mesh.position, mesh.triangle, mesh.faces, mesh.forward);
      const index = new Uint32Array(3 * mesh.faces.length);
      sorter.sort([0, -5, 0], index);
      return index[0] < 3 ? 'border over film' : 'film over border';
    };
    expect(order(-0.3, 0.1)).toBe('border over film');
    expect(order(0.3, 0.1)).toBe('film over border');
    expect(order(0.01, 0.4)).toBe('border over film');
  });
});
