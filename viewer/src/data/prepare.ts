/**
 * From the meshes of a file to what is drawn: normals, tet neighbours, centroids and quality. Runs in the
 * worker.
 */
import { computeTetVolume, setNormal, setUnitNormal } from '../../../src/math/triangle.ts';
import type { ParticleFrame, SurfacePart } from '../../../src/mesh/fields.ts';
import { normalise } from './normalise.ts';
import { findLabels, labelOfPart, prepareRegions } from './regions.ts';
import type { FieldData, ParticleData, SurfaceData, VolumeData } from './types.ts';

export interface RawSurface {
  readonly position: ArrayLike<number>;
  readonly triangle: ArrayLike<number>;
  readonly fields: readonly FieldData[];
  readonly parts?: readonly SurfacePart[] | undefined;
}

export interface RawVolume {
  readonly position: ArrayLike<number>;
  readonly tet: ArrayLike<number>;
  readonly fields: readonly FieldData[];
}

export function prepareSurface(raw: RawSurface): SurfaceData {
  const position = new Float32Array(raw.position);
  const triangle = new Uint32Array(raw.triangle);
  const labels = findLabels(raw.fields);
  if (labels) {
    const surface = prepareRegions({ position, triangle, fields: raw.fields }, labels);
    const { regions } = surface;
    if (!raw.parts || !regions) return surface;
    const names = Object.fromEntries(raw.parts.map(({ label, name }) => [labelOfPart(label), name]));
    return { ...surface, regions: { ...regions, names } };
  }
  return { position, triangle, normal: computeVertexNormals(position, triangle), fields: raw.fields };
}

export function prepareVolume(raw: RawVolume): VolumeData {
  const position = new Float32Array(raw.position);
  const tet = new Uint32Array(raw.tet);
  const tetCount = tet.length / 4;
  const centroid = new Float32Array(3 * tetCount);
  for (let t = 0; t < tetCount; t++) {
    for (let k = 0; k < 4; k++) {
      for (let d = 0; d < 3; d++) centroid[3 * t + d] += position[3 * tet[4 * t + k] + d] / 4;
    }
  }
  return {
    position,
    tet,
    centroid,
    neighbour: findNeighbours(tet, position.length / 3),
    fields: [...raw.fields, ...computeQuality(position, tet)],
  };
}

export function prepareParticles({ position, fields }: ParticleFrame): ParticleData {
  return {
    position: new Float32Array(position),
    radius: new Float32Array(fields['radius'].values),
    fields: toFields(fields, {}),
  };
}

/** Area-weighted normals: the cross products of the triangles, summed at their corners. */
export function computeVertexNormals(position: Float32Array, triangle: Uint32Array): Float32Array {
  const normal = new Float32Array(position.length);
  const own = new Float64Array(3);
  for (let i = 0; i < triangle.length; i += 3) {
    const a = 3 * triangle[i];
    const b = 3 * triangle[i + 1];
    const c = 3 * triangle[i + 2];
    setNormal(position, a, b, c, own);
    for (let k = 0; k < 3; k++) {
      const v = 3 * triangle[i + k];
      normal[v] += own[0];
      normal[v + 1] += own[1];
      normal[v + 2] += own[2];
    }
  }
  return normalise(normal);
}

/** Tets across each face, by bucketing faces on their smallest vertex: O(faces), no string keys. */
export function findNeighbours(tet: Uint32Array, vertexCount: number): Int32Array {
  const faceCount = tet.length;
  const neighbour = new Int32Array(faceCount).fill(-1);
  const low = new Uint32Array(faceCount);
  const middle = new Uint32Array(faceCount);
  const high = new Uint32Array(faceCount);
  const start = new Uint32Array(vertexCount + 2);
  for (let f = 0; f < faceCount; f++) {
    const base = f & ~3;
    const skip = f & 3;
    const a = tet[base + (skip === 0 ? 1 : 0)];
    const b = tet[base + (skip <= 1 ? 2 : 1)];
    const c = tet[base + (skip <= 2 ? 3 : 2)];
    low[f] = Math.min(a, b, c);
    high[f] = Math.max(a, b, c);
    middle[f] = a + b + c - low[f] - high[f];
    start[low[f] + 2]++;
  }
  for (let v = 0; v < vertexCount; v++) start[v + 2] += start[v + 1];
  const byVertex = new Uint32Array(faceCount);
  for (let f = 0; f < faceCount; f++) byVertex[start[low[f] + 1]++] = f;
  for (let v = 0; v < vertexCount; v++) {
    for (let i = start[v]; i < start[v + 1]; i++) {
      const f = byVertex[i];
      if (neighbour[f] >= 0) continue;
      for (let j = i + 1; j < start[v + 1]; j++) {
        const g = byVertex[j];
        if (middle[f] === middle[g] && high[f] === high[g]) {
          neighbour[f] = g >> 2;
          neighbour[g] = f >> 2;
          break;
        }
      }
    }
  }
  return neighbour;
}

/** Smallest dihedral angle (degrees; 70.5 in the regular tet) and volume (m^3) of each tet. */
function computeQuality(position: Float32Array, tet: Uint32Array): FieldData[] {
  const tetCount = tet.length / 4;
  const angle = new Float32Array(tetCount);
  const volume = new Float32Array(tetCount);
  const normal = new Float64Array(12);
  const p = new Float64Array(12);
  for (let t = 0; t < tetCount; t++) {
    for (let k = 0; k < 4; k++) for (let d = 0; d < 3; d++) p[3 * k + d] = position[3 * tet[4 * t + k] + d];
    setUnitNormal(p, 3, 6, 9, normal, 0);
    setUnitNormal(p, 0, 9, 6, normal, 3);
    setUnitNormal(p, 0, 3, 9, normal, 6);
    setUnitNormal(p, 0, 6, 3, normal, 9);
    let smallest = 180;
    for (let i = 0; i < 4; i++) {
      for (let j = i + 1; j < 4; j++) {
        const dot =
          normal[3 * i] * normal[3 * j] +
          normal[3 * i + 1] * normal[3 * j + 1] +
          normal[3 * i + 2] * normal[3 * j + 2];
        smallest = Math.min(smallest, (Math.acos(Math.min(1, Math.max(-1, -dot))) * 180) / Math.PI);
      }
    }
    angle[t] = smallest;
    volume[t] = computeTetVolume(p, 0, 3, 6, 9);
  }
  return [
    { name: 'min dihedral', on: 'cell', components: 1, unit: 'deg', values: angle },
    { name: 'tet volume', on: 'cell', components: 1, unit: 'm³', values: volume },
  ];
}

/** Fields as the library's frames and files hold them. */
type LibraryFields = Readonly<
  Record<string, { components: 1 | 3; unit: string; values: Float32Array | Float64Array | Int32Array }>
>;

/** Fields as the viewer keeps them: one list in single precision, each name once. */
export function toFields(vertexFields: LibraryFields, cellFields: LibraryFields): FieldData[] {
  const convert = (fields: LibraryFields, on: 'vertex' | 'cell'): FieldData[] =>
    Object.entries(fields).map(([name, { components, unit, values }]) => ({
      name: on === 'cell' && name in vertexFields ? `${name} of cells` : name,
      on,
      components,
      unit,
      values: new Float32Array(values),
    }));
  return [...convert(vertexFields, 'vertex'), ...convert(cellFields, 'cell')];
}
