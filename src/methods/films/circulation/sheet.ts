/**
 * The vortex sheet of one moment as flat arrays ([da-2017] 14.1, 15.1), packed from the tracker's mesh for
 * the threads.
 *
 * Every vertex has an entry for each region that meets there; an entry holds the potential of the air of that
 * region at the vertex, and whatever else belongs to a vertex and a region. The circulation of a film is the
 * difference of the potentials on its two sides, front minus back, so that the circulations around a triple
 * curve add up to nothing whatever is done to the potentials. Only differences at a vertex mean anything.
 *
 * Faces on an opening (15.6) are left out: they carry no film. Cost: linear.
 */
import type { HeapScope } from '../../../core/heap.ts';
import { allocateViews, defineRecord, type ValuesOf } from '../../../core/records.ts';
import { NONE } from '../../../core/types.ts';
import { faceOf, type MultiMesh } from '../../../tracking/multimaterial/mesh.ts';

export const sheetRecord = defineRecord('sheet', {
  vertexCount: 'number',
  faceCount: 'number',
  entryCount: 'number',
  vertexId: { type: 'i32', per: 'vertex', meaning: "id in the tracker's mesh" },
  idToVertex: { type: 'i32', meaning: '(mesh vertices) packed id, or NONE' },
  faceId: { type: 'i32', per: 'face', meaning: "id in the tracker's mesh" },
  position: { type: 'f64', per: 'vertex', stride: 3, unit: 'm', meaning: 'of vertices' },
  corner: { type: 'i32', per: 'face', stride: 3, meaning: 'packed vertices' },
  entryStart: { type: 'i32', meaning: '(vertices + 1) entries of a vertex' },
  entryRegion: { type: 'i32', per: 'entry', meaning: 'region label, rising within a vertex' },
  cornerFront: {
    type: 'i32',
    per: 'face',
    stride: 3,
    meaning: "entry of a corner's vertex for the region in front",
  },
  cornerBack: { type: 'i32', per: 'face', stride: 3, meaning: 'the same for the region behind' },
  cornerStart: { type: 'i32', meaning: '(vertices + 1) corners at each vertex' },
  vertexCorner: { type: 'i32', per: 'face', stride: 3, meaning: 'these corners' },
  isRim: { type: 'u8', per: 'vertex', meaning: '1 where a face on an opening meets the film: the rim' },
  /** Around the rim its air is one with that of all others such. */
  isOpen: { type: 'u8', per: 'entry', meaning: '1 where an opening meets the region at the vertex' },
  potential: { type: 'f64', per: 'entry', unit: 'm^2/s', meaning: 'of the air' },
});
export type Sheet = ValuesOf<typeof sheetRecord>;

/** Packs the films of a mesh. `isOpening(label)`: regions whose faces are no films. */
export function buildSheet(mesh: MultiMesh, isOpening: (label: number) => boolean, scope: HeapScope): Sheet {
  const isFilm = (f: number) => !isOpening(mesh.label[2 * f]) && !isOpening(mesh.label[2 * f + 1]);
  const faces: number[] = [];
  for (let f = 0; f < mesh.faceFill; f++) if (mesh.isFace(f) && isFilm(f)) faces.push(f);
  const vertices: number[] = [];
  const starts: number[] = [];
  const regions: number[] = [];
  const rims: number[] = [];
  const idToVertex = scope.i32(mesh.vertexFill).fill(NONE);
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    const first = regions.length;
    let isRim = 0;
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const f = faceOf(c);
      if (!isFilm(f)) {
        isRim = 1;
        continue;
      }
      for (let side = 0; side < 2; side++) {
        const region = mesh.label[2 * f + side];
        let n = regions.length;
        while (n > first && regions[n - 1] > region) n--;
        if (n === first || regions[n - 1] !== region) regions.splice(n, 0, region);
      }
    }
    if (regions.length === first) continue;
    idToVertex[v] = vertices.length;
    vertices.push(v);
    starts.push(first);
    rims.push(isRim);
  }
  starts.push(regions.length);
  const counts = { vertex: vertices.length, face: faces.length, entry: regions.length };
  const sheet: Sheet = {
    vertexCount: counts.vertex,
    faceCount: counts.face,
    entryCount: counts.entry,
    ...allocateViews(sheetRecord, scope, counts),
    idToVertex,
    entryStart: scope.i32(counts.vertex + 1),
    cornerStart: scope.i32(counts.vertex + 1),
  };
  sheet.vertexId.set(vertices);
  sheet.faceId.set(faces);
  sheet.entryStart.set(starts);
  sheet.entryRegion.set(regions);
  sheet.isRim.set(rims);
  setPositions(sheet, mesh.position);
  linkCorners(sheet, mesh);
  markOpen(sheet, mesh, isOpening);
  return sheet;
}

/** Takes positions from arrays by mesh id. */
export function setPositions(sheet: Sheet, position: Float64Array): void {
  for (let v = 0; v < sheet.vertexCount; v++) {
    const id = 3 * sheet.vertexId[v];
    for (let k = 0; k < 3; k++) sheet.position[3 * v + k] = position[id + k];
  }
}

function linkCorners(sheet: Sheet, mesh: MultiMesh): void {
  const { corner, cornerFront, cornerBack, cornerStart, vertexCorner, faceId } = sheet;
  for (let c = 0; c < 3 * sheet.faceCount; c++) {
    const f = faceId[(c / 3) | 0];
    const v = sheet.idToVertex[mesh.face[3 * f + (c % 3)]];
    corner[c] = v;
    cornerFront[c] = findEntry(sheet, v, mesh.label[2 * f]);
    cornerBack[c] = findEntry(sheet, v, mesh.label[2 * f + 1]);
    cornerStart[v + 1]++;
  }
  for (let v = 0; v < sheet.vertexCount; v++) cornerStart[v + 1] += cornerStart[v];
  const next = cornerStart.slice(0, sheet.vertexCount);
  for (let c = 0; c < 3 * sheet.faceCount; c++) vertexCorner[next[corner[c]]++] = c;
}

function markOpen(sheet: Sheet, mesh: MultiMesh, isOpening: (label: number) => boolean): void {
  for (let v = 0; v < sheet.vertexCount; v++) {
    if (!sheet.isRim[v]) continue;
    for (let c = mesh.vertexCorner[sheet.vertexId[v]]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const sides = [mesh.label[2 * faceOf(c)], mesh.label[2 * faceOf(c) + 1]];
      if (!sides.some(isOpening)) continue;
      for (const region of sides) {
        const n = findEntry(sheet, v, region);
        if (n !== NONE) sheet.isOpen[n] = 1;
      }
    }
  }
}

/** Entry of a region at a packed vertex, or NONE. */
export function findEntry(sheet: Sheet, v: number, region: number): number {
  for (let n = sheet.entryStart[v]; n < sheet.entryStart[v + 1]; n++)
    if (sheet.entryRegion[n] === region) return n;
  return NONE;
}
