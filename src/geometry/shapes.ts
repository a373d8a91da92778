/** Implicit shapes: primitives, their combinations and their motions. Meshes: mesh-distance.ts. */
export {
  complement,
  difference,
  intersection,
  isEmptyBox,
  offset,
  sampleImplicit,
  union,
} from './shapes/combine.ts';
export { ellipsoid } from './shapes/ellipsoid.ts';
export {
  estimateShadowTime,
  intersectBoxes,
  measureRegion,
  measureShadow,
  measureThickness,
  type RegionSize,
} from './shapes/measure.ts';
export { box, capsule, cylinder, halfSpace, sphere, torus } from './shapes/primitives.ts';
export {
  computeRotation,
  type Mat3,
  moveToPose,
  rotate,
  rotateByMatrix,
  scale,
  translate,
} from './shapes/transform.ts';
