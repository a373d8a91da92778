/**
 * The wires that hold films, drawn as thin rods: rings and runs of straight pieces, at rest or carried along
 * (solids.ts). A wire of the simulation has no thickness.
 */
import {
  CylinderGeometry,
  Group,
  Mesh,
  type MeshStandardMaterial,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import { type WireSpec, wireSchema } from '../../../src/scene/schema-wires.ts';
import type { Vec3 } from '../data/types.ts';
import { turn } from './shape-parts.ts';
import { carry } from './solids.ts';

/** Radius of the rods, of the domain's shortest side. */
const THICKNESS = 0.005;

/** Pieces of wire that are drawn at most: each is a rod and a ball. */
const MAX_PIECES = 5000;

/** The wires in a list that may hold anything, and how many of it are not drawn, in words. */
export function parseWires(list: readonly unknown[]): { wires: WireSpec[]; notes: string[] } {
  const wires: WireSpec[] = [];
  let pieces = 0;
  for (const entry of list) {
    const parsed = wireSchema.safeParse(entry);
    if (!parsed.success) continue;
    pieces += parsed.data.type === 'ring' ? 1 : parsed.data.points.length;
    if (pieces > MAX_PIECES) break;
    wires.push(parsed.data);
  }
  const left = list.length - wires.length;
  return { wires, notes: left === 0 ? [] : [`${left} wires are not drawn: too many, or not readable`] };
}

export function buildWires(
  wires: readonly unknown[],
  domain: { readonly min: Vec3; readonly max: Vec3 },
  material: MeshStandardMaterial,
): Group[] {
  const radius = THICKNESS * Math.min(...domain.min.map((low, axis) => domain.max[axis] - low));
  return (wires as readonly WireSpec[]).map((wire) => {
    const rods = wire.type === 'ring' ? [buildRing(wire, radius)] : buildRods(wire, radius);
    const group = new Group();
    for (const rod of rods) {
      rod.material = material;
      rod.castShadow = true;
      group.add(rod);
    }
    return carry(group, wire.motion);
  });
}

function buildRing(ring: Extract<WireSpec, { type: 'ring' }>, radius: number): Mesh {
  const mesh = new Mesh(new TorusGeometry(ring.radius, radius, 12, 96));
  mesh.position.set(...ring.centre);
  mesh.quaternion.copy(turn([0, 0, 1], ring.axis));
  return mesh;
}

/** A rod for each piece and a ball at each corner. */
function buildRods({ points, closed }: Extract<WireSpec, { type: 'polyline' }>, radius: number): Mesh[] {
  const corners = points.map((point) => new Vector3(...point));
  const ends = closed ? [...corners.slice(1), corners[0]] : corners.slice(1);
  const rods = ends.map((end, n) => {
    const along = end.clone().sub(corners[n]);
    const rod = new Mesh(new CylinderGeometry(radius, radius, along.length(), 12));
    rod.position.copy(corners[n]).addScaledVector(along, 0.5);
    rod.quaternion.copy(turn([0, 1, 0], along.toArray()));
    return rod;
  });
  const balls = corners.map((corner) => {
    const ball = new Mesh(new SphereGeometry(radius, 12, 8));
    ball.position.copy(corner);
    return ball;
  });
  return [...rods, ...balls];
}
