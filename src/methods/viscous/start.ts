/** The state at time 0. */
import { beginState, meshStart } from '../../flow/liquid/start.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import { findMeshPieces } from '../../flow/mesh/mesh-pieces.ts';
import { ON_VESSEL } from '../../mesh/lattice/lattice.ts';
import type { SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import { findTetMaterials, shareAtStart } from './materials.ts';
import { createMesher } from './mesher.ts';
import type { ViscousModel } from './model.ts';
import { averageOnFaces, findFaceKinds, type SolvePlace, solveCoupled } from './solve.ts';
import { buildViscousDerived, type ViscousState } from './state.ts';
import { boundStep } from './time-step.ts';
import { findVertexConditions } from './vertex-conditions.ts';

/** Surface, mesh and velocity of the liquids as the scene describes them. */
export function start(model: ViscousModel): ViscousState {
  const scope = model.heap.scope('viscous state');
  const scratch = model.heap.scope('viscous start');
  const surroundings = model.surroundingsAt(0, 0);
  try {
    const { contour, index, parts } = meshStart(model, surroundings, createMesher(model), scope, scratch);
    const { surface } = contour;
    const { mesh } = parts;
    const velocity = scope.f64(3 * mesh.vertexCount);
    setInitialVelocity(model, parts, velocity);
    const share = shareAtStart(model, mesh, scope);
    const { viscosity } = findTetMaterials(model, mesh, share, scope);
    const conditions = findVertexConditions(
      { model, surroundings, time: 0, dt: 0 },
      parts,
      { expected: velocity, viscosity },
      scratch,
    );
    for (let v = 0; v < mesh.vertexCount; v++)
      if (conditions.isNozzle[v] === 1)
        for (let n = 3 * v; n < 3 * v + 3; n++) velocity[n] = conditions.velocity[n];
    const fall = scratch.f64(3 * mesh.vertexCount);
    setInitialFall(model, parts, conditions.isNozzle, fall);
    const first = findFirstFlow({ model, surroundings, scope: scratch }, index, parts, {
      velocity,
      fall,
      share,
    });
    const acceleration = scope.f64(3 * mesh.vertexCount);
    acceleration.set(first.acceleration);
    const vertexPressure = scope.f64(mesh.vertexCount);
    vertexPressure.set(first.pressure);
    const rates = { velocity, acceleration };
    return {
      ...beginState(contour, parts, scope),
      faceVelocity: averageOnFaces(parts, velocity, scope),
      faceAcceleration: averageOnFaces(parts, acceleration, scope),
      faceKind: findFaceKinds(parts, conditions.isFree, scope),
      facePressure: scope.f64(parts.topology.faceCount),
      drainFlow: first.drainFlow,
      drift: 0,
      dissipation: 0,
      vertexPressure,
      level: parts.embedding?.level ?? scope.f64(0),
      share,
      tetViscosity: viscosity,
      tetShearRate: scope.f64(mesh.tetCount),
      derived: buildViscousDerived(surroundings, surface, index, parts, rates, scope),
    };
  } finally {
    scratch.free();
  }
}

/** Each vertex takes the velocity of the liquid whose shape it is deepest in. */
function setInitialVelocity({ liquids }: ViscousModel, { mesh }: MeshParts, out: Float64Array): void {
  const { position } = mesh;
  if (liquids.every(({ velocity: [x, y, z] }) => x === 0 && y === 0 && z === 0)) return;
  for (let v = 0; v < 3 * mesh.vertexCount; v += 3) {
    let deepest = Number.NEGATIVE_INFINITY;
    for (const { shape, velocity } of liquids) {
      const depth = shape.value(position[v], position[v + 1], position[v + 2]);
      if (depth <= deepest) continue;
      deepest = depth;
      out.set(velocity, v);
    }
  }
}

/**
 * How fast the flow changes at first, from a solve over half a step. Velocities lead the surface by half a
 * step: if they began as they are, what rests would stand still for the whole first step, while gravity
 * speeds it up for one and a half. A thick arm took 1 % of its energy out of that.
 */
function findFirstFlow(
  place: Pick<SolvePlace, 'model' | 'surroundings' | 'scope'>,
  index: SurfaceIndex,
  parts: MeshParts,
  {
    velocity,
    fall,
    share,
  }: { readonly velocity: Float64Array; readonly fall: Float64Array; readonly share: Float64Array },
): { acceleration: Float64Array; pressure: Float64Array; drainFlow: number } {
  const { model, scope } = place;
  const { mesh } = parts;
  let fastest = 0;
  for (let v = 0; v < 3 * mesh.vertexCount; v += 3)
    fastest = Math.max(fastest, Math.hypot(velocity[v], velocity[v + 1], velocity[v + 2]));
  const dt = Math.min(boundStep(model, fastest, Math.hypot(...model.gravity)), model.frameTime) / 2;
  const expected = scope.f64(3 * mesh.vertexCount);
  for (let n = 0; n < expected.length; n++) expected[n] = velocity[n] + dt * fall[n];
  const pressure = scope.f64(mesh.vertexCount);
  const materials = findTetMaterials(model, mesh, share, scope);
  const flow = solveCoupled({ ...place, dt, time: dt / 2 }, index, parts, {
    vertices: { velocity, former: velocity, expected, pressure, share },
    materials,
  });
  // A guess is no reason to fail: the first step will tell.
  if (!flow.solver['viscosity'].converged) return { acceleration: fall, pressure, drainFlow: 0 };
  return {
    acceleration: flow.rates.acceleration,
    pressure: flow.vertexPressure,
    drainFlow: flow.drainFlow,
  };
}

/** What nothing holds up begins to fall freely: the guess that the first solve starts from. */
function setInitialFall(
  { gravity }: ViscousModel,
  { mesh, topology }: MeshParts,
  isNozzle: Uint8Array,
  outAcceleration: Float64Array,
): void {
  const { count, vertexPiece } = findMeshPieces(mesh, topology);
  const held = new Uint8Array(count);
  for (let v = 0; v < mesh.vertexCount; v++)
    if ((mesh.vertexOnSurface[v] & ON_VESSEL) !== 0 || isNozzle[v] === 1)
      if (vertexPiece[v] >= 0) held[vertexPiece[v]] = 1;
  for (let v = 0; v < mesh.vertexCount; v++)
    if (vertexPiece[v] >= 0 && held[vertexPiece[v]] === 0) outAcceleration.set(gravity, 3 * v);
}
