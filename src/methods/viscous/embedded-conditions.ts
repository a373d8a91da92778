/**
 * What holds the vertices of an embedded mesh: those on or in walls and solids ([batty-houston-2011] 4),
 * where the liquid is at them. Where it is not there yet, a vertex in the wall says nothing, or else falling
 * liquid would be held before it lands; one that it reaches in this step is given the velocity that brings it
 * there and no farther. At contact lines, and beside them, vertices on the wall slide along it; those deeper
 * in it are held, because a pressure that pushes them along has nothing to push against.
 */
import { NONE, type Seconds, type Vec3 } from '../../core/types.ts';
import type { Surroundings } from '../../flow/boundary/surroundings.ts';
import { AT_WALL } from '../../flow/mesh/embed-liquid.ts';
import { HELD } from '../../flow/viscosity/problem.ts';
import { addWall, DIFFERENCE, setSlide } from '../../flow/viscosity/wall-vertices.ts';
import { computeClearanceNormal } from '../../geometry/sharp-edges.ts';
import { ON_VESSEL, type StuffedMesh } from '../../mesh/lattice/lattice.ts';
import type { ViscousModel } from './model.ts';
import { ARRIVAL, LEAST_PASS, sticksAt } from './walls.ts';

/**
 * What is found of a vertex in the wall. `besideLine`: dry, with a wet one in a tet of its own; `onLine`:
 * wet, with a dry one.
 */
const PLACE = { dry: 1, besideLine: 2, wet: 3, onLine: 4 } as const;

export interface WallVertices {
  readonly constraint: Uint8Array;
  readonly direction: Float64Array;
  readonly velocity: Float64Array;
  /** (vertexCount) kg/s */
  readonly friction: Float64Array;
}

/** m, positive in the liquid: at the vertices of a mesh, and at the wall beside those in it. */
export interface WallLevels {
  readonly mesh: StuffedMesh;
  readonly level: Float64Array;
  readonly wallLevel: Float64Array;
}

export function holdEmbeddedWalls(
  model: ViscousModel,
  surroundings: Surroundings,
  { mesh, level, wallLevel }: WallLevels,
  {
    expected,
    viscosity,
    dt,
  }: { readonly expected: Float64Array; readonly viscosity: Float64Array; readonly dt: Seconds },
  out: WallVertices,
): void {
  const h = model.lattice.size;
  const { position, vertexCount } = mesh;
  const places = findPlaces({ mesh, level, wallLevel });
  const wall = new Float64Array(3);
  for (let v = 0; v < vertexCount; v++) {
    const place = places[v];
    if (place === 0) continue;
    const at: Vec3 = [position[3 * v], position[3 * v + 1], position[3 * v + 2]];
    const solid = surroundings.findSolid(...at);
    surroundings.velocityAt(solid, ...at, wall);
    const isOnWall = surroundings.meshClearanceAt(...at) >= -AT_WALL * h;
    const sticks = sticksAt(model, surroundings, solid, ...at);
    const slide = () => {
      if (isOnWall || !sticks) setSlide(v, findNormals(model, surroundings, at), out);
      else out.constraint[v] = HELD;
    };
    if (place < PLACE.wet) {
      const away = computeClearanceNormal(surroundings.meshClearanceAt, at, DIFFERENCE * h);
      let nears = 0;
      for (let a = 0; a < 3; a++) nears -= (expected[3 * v + a] - wall[a]) * away[a];
      const gap = Math.max(0, -wallLevel[v]);
      if (dt > 0 && nears * dt > gap + LEAST_PASS * h) {
        out.constraint[v] = HELD;
        const arrive = (gap + ARRIVAL * h) / dt;
        for (let a = 0; a < 3; a++) out.velocity[3 * v + a] = wall[a] - arrive * away[a];
      } else if (place === PLACE.besideLine) {
        out.velocity.set(wall, 3 * v);
        slide();
      }
      continue;
    }
    out.velocity.set(wall, 3 * v);
    const isLine = place === PLACE.onLine && model.options.lineSlip > 0;
    if (sticks && !isLine) out.constraint[v] = HELD;
    else slide();
    if (!sticks || !isLine) places[v] = PLACE.wet;
  }
  addLineFriction(model, mesh, places, viscosity, out.friction);
}

/** Where the vertices in walls are to the liquid: 0 for those in the open. */
function findPlaces({ mesh, level, wallLevel }: WallLevels): Uint8Array {
  const { tet, tetCount, vertexCount, vertexOnSurface } = mesh;
  const place = new Uint8Array(vertexCount);
  for (let v = 0; v < vertexCount; v++)
    if ((vertexOnSurface[v] & ON_VESSEL) !== 0)
      place[v] = Math.max(level[v], wallLevel[v]) > 0 ? PLACE.wet : PLACE.dry;
  for (let t = 0; t < tetCount; t++) {
    let hasWet = false;
    let hasDry = false;
    for (let n = 4 * t; n < 4 * t + 4; n++) {
      if (place[tet[n]] >= PLACE.wet) hasWet = true;
      else if (place[tet[n]] >= PLACE.dry) hasDry = true;
    }
    if (!hasWet || !hasDry) continue;
    for (let n = 4 * t; n < 4 * t + 4; n++) {
      if (place[tet[n]] === PLACE.wet) place[tet[n]] = PLACE.onLine;
      else if (place[tet[n]] === PLACE.dry) place[tet[n]] = PLACE.besideLine;
    }
  }
  return place;
}

/** Unit normals of the walls at a vertex on or in them, into the open: three numbers each. */
function findNormals({ lattice }: ViscousModel, surroundings: Surroundings, at: Vec3): number[] {
  const walls = surroundings.findWalls(...at, AT_WALL * lattice.size);
  const list: number[] = [];
  for (let a = 0; a < 3; a++) {
    const along = [0, 1, 2].map((b) => (b === a ? 1 : 0));
    if ((walls >> a) & 1) addWall(list, along[0], along[1], along[2]);
    if ((walls >> (3 + a)) & 1) addWall(list, -along[0], -along[1], -along[2]);
  }
  if (list.length === 0 || surroundings.findSolid(...at) !== NONE)
    addWall(list, ...computeClearanceNormal(surroundings.meshClearanceAt, at, DIFFERENCE * lattice.size));
  return list;
}

/**
 * Contact lines slide with the friction mu A / (lineSlip h), A the side of a cell: the thickest liquid around
 * a vertex holds it.
 */
function addLineFriction(
  { lattice, options }: ViscousModel,
  { tet, tetCount, tetLevel }: StuffedMesh,
  places: Uint8Array,
  viscosity: Float64Array,
  outFriction: Float64Array,
): void {
  const h = lattice.size;
  for (let n = 0; n < 4 * tetCount; n++) {
    const v = tet[n];
    if (places[v] !== PLACE.onLine) continue;
    const side = h * 2 ** tetLevel[n >> 2];
    outFriction[v] = Math.max(outFriction[v], (viscosity[n >> 2] * side * side) / (options.lineSlip * h));
  }
}
