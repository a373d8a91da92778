/**
 * Volumes and areas of regions. The volume of a region is the sum of signed tetrahedra over its half-faces;
 * the unbounded region gets minus the volume of all others. Sums run about the mesh's own middle, so that a
 * mesh far from the origin loses no digits. Cost: linear.
 */
import type { F64View, Vec3 } from '../../core/types.ts';
import { computeDoubleArea, computeTriple } from '../../math/triangle.ts';
import type { MultiMesh } from './mesh.ts';

export interface RegionMeasure {
  readonly label: number;
  /** m^3; negative for the unbounded region */
  readonly volume: number;
  /** m^2 of all its faces */
  readonly area: number;
  /** Middle of its volume; without meaning for the unbounded region */
  readonly middle: Vec3;
}

/** Six times the signed volume of the tetrahedron a b c d; positive when d lies in front of face a b c. */
export function computeTetVolume6(p: F64View, a: number, b: number, c: number, d: number): number {
  return -computeTriple(p, 3 * a, 3 * b, 3 * c, p[3 * d], p[3 * d + 1], p[3 * d + 2]);
}

export function computeFaceArea(mesh: MultiMesh, f: number): number {
  const { position: p, face } = mesh;
  return computeTriangleArea(p, face[3 * f], face[3 * f + 1], face[3 * f + 2]);
}

export function computeTriangleArea(p: F64View, a: number, b: number, c: number): number {
  return 0.5 * computeDoubleArea(p, 3 * a, 3 * b, 3 * c);
}

/** Volume, area and middle of every region, by label in rising order. */
export function measureRegions(mesh: MultiMesh): RegionMeasure[] {
  const { position: p, face, label } = mesh;
  const middle = computeMiddle(mesh);
  let last = 0;
  for (let n = 0; n < 2 * mesh.faceFill; n++) if (mesh.isFace(n >> 1)) last = Math.max(last, label[n]);
  // Labels are small numbers: rows for all up to the largest, of which some may be empty.
  const volume = new Float64Array(last + 1);
  const area = new Float64Array(last + 1);
  const moment = new Float64Array(3 * (last + 1));
  const isThere = new Uint8Array(last + 1);
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const ax = p[3 * face[3 * f]] - middle[0];
    const ay = p[3 * face[3 * f] + 1] - middle[1];
    const az = p[3 * face[3 * f] + 2] - middle[2];
    const bx = p[3 * face[3 * f + 1]] - middle[0];
    const by = p[3 * face[3 * f + 1] + 1] - middle[1];
    const bz = p[3 * face[3 * f + 1] + 2] - middle[2];
    const cx = p[3 * face[3 * f + 2]] - middle[0];
    const cy = p[3 * face[3 * f + 2] + 1] - middle[1];
    const cz = p[3 * face[3 * f + 2] + 2] - middle[2];
    const tet = (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
    const faceArea = computeFaceArea(mesh, f);
    for (let side = 0; side < 2; side++) {
      const region = label[2 * f + side];
      isThere[region] = 1;
      const share = side === 0 ? -tet : tet;
      volume[region] += share;
      area[region] += faceArea;
      moment[3 * region] += (share * (ax + bx + cx)) / 4;
      moment[3 * region + 1] += (share * (ay + by + cy)) / 4;
      moment[3 * region + 2] += (share * (az + bz + cz)) / 4;
    }
  }
  const measures: RegionMeasure[] = [];
  for (let region = 0; region <= last; region++) {
    if (!isThere[region]) continue;
    const at = (k: number) => middle[k] + moment[3 * region + k] / volume[region];
    measures.push({
      label: region,
      volume: volume[region],
      area: area[region],
      middle: [at(0), at(1), at(2)],
    });
  }
  return measures;
}

/**
 * Volume of every region but the unbounded one, m^3, by label, with the vertices at other positions
 * (vertexFill x 3) where given.
 */
export function measureVolumes(mesh: MultiMesh, position: F64View = mesh.position): Map<number, number> {
  const { face, label } = mesh;
  const [mx, my, mz] = computeMiddle(mesh);
  const volumes = new Map<number, number>();
  const add = (region: number, volume: number) => {
    if (region !== 0) volumes.set(region, (volumes.get(region) ?? 0) + volume);
  };
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const a = 3 * face[3 * f];
    const b = 3 * face[3 * f + 1];
    const c = 3 * face[3 * f + 2];
    const tet = computeTriple(position, a, b, c, mx, my, mz) / 6;
    add(label[2 * f], -tet);
    add(label[2 * f + 1], tet);
  }
  return volumes;
}

/** Area of all faces, m^2. */
export function measureArea(mesh: MultiMesh): number {
  let area = 0;
  for (let f = 0; f < mesh.faceFill; f++) if (mesh.isFace(f)) area += computeFaceArea(mesh, f);
  return area;
}

function computeMiddle(mesh: MultiMesh): [number, number, number] {
  const middle: [number, number, number] = [0, 0, 0];
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], mesh.position[3 * v + k]);
      max[k] = Math.max(max[k], mesh.position[3 * v + k]);
    }
  }
  if (mesh.vertexCount > 0) for (let k = 0; k < 3; k++) middle[k] = (min[k] + max[k]) / 2;
  return middle;
}
