/**
 * Starting surfaces: labelled triangles that are closed, conforming and free of intersections. One kind per
 * file in shapes/.
 */
export { buildCellBlock } from './shapes/cell-block.ts';
export { buildDoubleSphere, buildNotchedSphere } from './shapes/cut-spheres.ts';
export { buildQuarteredSphere, buildSpheres, countLevels, type SphereShape } from './shapes/spheres.ts';
export { buildVoronoi } from './shapes/voronoi.ts';
