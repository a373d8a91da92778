/** What every stuffed mesh must satisfy, checked from the arrays alone. */
import { NONE } from '../../src/core/types.ts';
import { SHAPE_SURFACE, type StuffedMesh } from '../../src/mesh/lattice/lattice.ts';
import { type MeshQuality, measureQuality, validateTetMesh } from '../../src/mesh/quality.ts';
import { buildTopology } from '../../src/mesh/topology.ts';
import type { Field } from './shapes.ts';

/** Degrees: the guarantee of Labelle and Shewchuk 2007. */
export const MIN_DIHEDRAL = 10.7;
export const MAX_DIHEDRAL = 164.8;
/** Residual at boundary vertices relative to the change of the field over a cell. */
const ON_SURFACE = 1e-9;

export function checkMesh(mesh: StuffedMesh, value: Field | undefined, label: string): MeshQuality {
  const fail = (what: string): never => {
    throw new Error(`${label}: ${what}`);
  };
  const topology = buildTopology(mesh);
  validateTetMesh(mesh, topology);
  const quality = measureQuality(mesh);
  if (!(quality.minDihedral >= MIN_DIHEDRAL)) fail(`smallest dihedral angle ${quality.minDihedral}`);
  if (!(quality.maxDihedral <= MAX_DIHEDRAL)) fail(`largest dihedral angle ${quality.maxDihedral}`);
  for (let f = 0; f < topology.faceCount; f++) {
    if (topology.faceToTet[2 * f + 1] !== NONE) continue;
    for (let c = 0; c < 3; c++)
      if (!mesh.vertexOnSurface[topology.faceVertex[3 * f + c]])
        fail(`boundary face ${f} has an inner vertex`);
  }
  for (let i = 0; i < mesh.tet.length; i++)
    if (mesh.vertexOnSurface[mesh.tet[i]] && mesh.tetShape[i >> 2] !== SHAPE_SURFACE)
      fail(`tet ${i >> 2} is mislabelled`);
  if (value) checkOnSurface(mesh, value, fail);
  return quality;
}

function checkOnSurface(mesh: StuffedMesh, value: Field, fail: (what: string) => never): void {
  const h = mesh.index.size;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (!mesh.vertexOnSurface[v]) continue;
    const x = mesh.position[3 * v];
    const y = mesh.position[3 * v + 1];
    const z = mesh.position[3 * v + 2];
    let change = 0;
    for (const d of [-h, h])
      change = Math.max(
        change,
        Math.abs(value(x + d, y, z)),
        Math.abs(value(x, y + d, z)),
        Math.abs(value(x, y, z + d)),
      );
    const residual = Math.abs(value(x, y, z));
    if (!(residual <= ON_SURFACE * change)) fail(`vertex ${v} is off the surface: ${residual} of ${change}`);
  }
}
