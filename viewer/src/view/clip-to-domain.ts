/**
 * Closed surfaces cut off at the walls of the domain, and closed again there: what is outside is in nobody's
 * simulation. Most shapes lie inside and stay as they are. The others are cut by one wall after the other;
 * what a wall cuts through leaves directed edges in it, which join into loops, which are filled. Cost: a pass
 * over the triangles for each wall that is crossed.
 */
import { Box3, BufferAttribute, BufferGeometry, Matrix4, ShapeUtils, Vector2, Vector3 } from 'three';
import type { Domain } from './shape-parts.ts';

/** of the domain's size: a face that lies in a wall counts as inside */
const TOUCH = 1e-5;
/** of the domain's size: points nearer than this are one */
const WELD = 2e-6;

/** Corners of triangles, each with its position (m) and normal. */
type Soup = readonly number[];
const CORNER = 6;

/** A surface as it is at rest, ready to be cut at any place it is carried to. */
export interface Cuttable {
  readonly geometry: BufferGeometry;
  readonly bounds: Box3;
}

export class DomainClip {
  /** The domain and a hair around it. */
  private readonly box: Box3;
  private readonly weld: number;

  constructor({ min, max }: Domain) {
    this.box = new Box3(new Vector3(...min), new Vector3(...max));
    const size = this.box.getSize(new Vector3()).length();
    this.box.expandByScalar(TOUCH * size);
    this.weld = WELD * size;
  }

  prepare(geometry: BufferGeometry): Cuttable {
    geometry.computeBoundingBox();
    return { geometry, bounds: geometry.boundingBox ?? new Box3() };
  }

  /**
   * What is inside when the surface is carried along by `pose`, as it lies at rest; null where nothing is.
   */
  cut(part: Cuttable, pose = new Matrix4()): BufferGeometry | null {
    const bounds = part.bounds.clone().applyMatrix4(pose);
    if (!bounds.intersectsBox(this.box)) return null;
    if (this.box.containsBox(bounds)) return part.geometry;
    let soup: Soup = listCorners(part.geometry.clone().applyMatrix4(pose));
    for (const axis of [0, 1, 2] as const) {
      const [low, high] = [this.box.min.getComponent(axis), this.box.max.getComponent(axis)];
      if (bounds.min.getComponent(axis) < low) soup = this.cutOff(soup, { axis, side: -1, offset: low });
      if (bounds.max.getComponent(axis) > high) soup = this.cutOff(soup, { axis, side: 1, offset: high });
    }
    return soup.length === 0 ? null : buildGeometry(soup).applyMatrix4(pose.clone().invert());
  }

  /** Without what is beyond a wall, and with the faces that close it there. */
  private cutOff(soup: Soup, wall: Wall): Soup {
    const kept: number[] = [];
    const edges: Edge[] = [];
    for (let t = 0; t < soup.length; t += 3 * CORNER) {
      const triangle = [0, 1, 2].map((k) => soup.slice(t + CORNER * k, t + CORNER * (k + 1)));
      const beyond = triangle.map((corner) => measureBeyond(corner, wall) > 0);
      if (!beyond.includes(true)) kept.push(...triangle.flat());
      else if (beyond.includes(false)) cutTriangle(triangle, beyond, wall, { kept, edges });
    }
    for (const loops of groupLoops(joinLoops(edges, this.weld))) kept.push(...fill(loops, wall));
    return kept;
  }
}

interface Wall {
  readonly axis: 0 | 1 | 2;
  /** 1 where what lies above the offset goes, -1 where what lies below does. */
  readonly side: 1 | -1;
  /** m */
  readonly offset: number;
}

type Corner = readonly number[];
/** In the plane of a wall, seen from outside; the inside of the solid is to the left. */
type Edge = readonly [from: Vector2, to: Vector2];

const measureBeyond = (corner: Corner, { axis, side, offset }: Wall): number =>
  side * (corner[axis] - offset);

/** The wall's plane as seen from outside. */
function flatten(corner: Corner, { axis, side }: Wall): Vector2 {
  const [u, v] = [corner[(axis + 1) % 3], corner[(axis + 2) % 3]];
  return side > 0 ? new Vector2(u, v) : new Vector2(v, u);
}

function raise({ x, y }: Vector2, { axis, side, offset }: Wall): Corner {
  const corner = [0, 0, 0, 0, 0, 0];
  corner[axis] = offset;
  corner[(axis + 1) % 3] = side > 0 ? x : y;
  corner[(axis + 2) % 3] = side > 0 ? y : x;
  corner[3 + axis] = side;
  return corner;
}

function cutTriangle(
  triangle: readonly Corner[],
  beyond: readonly boolean[],
  wall: Wall,
  { kept, edges }: { kept: number[]; edges: Edge[] },
): void {
  const polygon: Corner[] = [];
  let [leaves, enters]: (Corner | null)[] = [null, null];
  for (let k = 0; k < 3; k++) {
    const next = (k + 1) % 3;
    if (!beyond[k]) polygon.push(triangle[k]);
    if (beyond[k] === beyond[next]) continue;
    const crossing = findCrossing(triangle[k], triangle[next], wall);
    polygon.push(crossing);
    if (beyond[k]) enters = crossing;
    else leaves = crossing;
  }
  for (let k = 2; k < polygon.length; k++) kept.push(...polygon[0], ...polygon[k - 1], ...polygon[k]);
  // The face goes on from where it leaves to where it comes back; the filling runs along that edge the other
  // way round.
  if (leaves && enters) edges.push([flatten(enters, wall), flatten(leaves, wall)]);
}

/** The same to the last bit from both triangles at an edge: always reckoned from the end inside. */
function findCrossing(a: Corner, b: Corner, wall: Wall): Corner {
  const [inner, outer] = measureBeyond(a, wall) > 0 ? [b, a] : [a, b];
  const depth = -measureBeyond(inner, wall);
  const share = depth / (depth + measureBeyond(outer, wall));
  const corner = inner.map((value, i) => value + share * (outer[i] - value));
  corner[wall.axis] = wall.offset;
  return corner;
}

/** Closed loops of edges, each end going on where an edge begins; edges that lead nowhere are dropped. */
function joinLoops(edges: readonly Edge[], weld: number): Vector2[][] {
  const key = ({ x, y }: Vector2) => `${Math.round(x / weld)} ${Math.round(y / weld)}`;
  const from = new Map<string, Edge[]>();
  for (const edge of edges) {
    const [a, b] = [key(edge[0]), key(edge[1])];
    if (a === b) continue;
    const known = from.get(a);
    if (known) known.push(edge);
    else from.set(a, [edge]);
  }
  const loops: Vector2[][] = [];
  for (const starts of from.values()) {
    while (starts.length > 0) {
      const loop: Vector2[] = [];
      for (let edge = starts.pop(); edge; edge = from.get(key(edge[1]))?.pop()) loop.push(edge[0]);
      if (loop.length > 2) loops.push(loop);
    }
  }
  return loops;
}

/** Outer loops, each with the holes in it. */
function groupLoops(loops: readonly Vector2[][]): Vector2[][][] {
  const outer: { loop: Vector2[]; area: number; holes: Vector2[][] }[] = [];
  const holes: Vector2[][] = [];
  for (const loop of loops) {
    const area = ShapeUtils.area(loop);
    if (area > 0) outer.push({ loop, area, holes: [] });
    else holes.push(loop);
  }
  outer.sort((a, b) => a.area - b.area);
  for (const hole of holes) outer.find(({ loop }) => isAround(loop, hole[0]))?.holes.push(hole);
  return outer.map(({ loop, holes: inside }) => [loop, ...inside]);
}

/** Whether a ray from the point crosses the loop an odd number of times. */
function isAround(loop: readonly Vector2[], { x, y }: Vector2): boolean {
  let inside = false;
  for (let i = 0, j = loop.length - 1; i < loop.length; j = i++) {
    const [a, b] = [loop[i], loop[j]];
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) inside = !inside;
  }
  return inside;
}

function fill([outer, ...holes]: readonly Vector2[][], wall: Wall): number[] {
  const points = [outer, ...holes].flat();
  return ShapeUtils.triangulateShape(outer, holes).flatMap((corners) =>
    corners.flatMap((i) => [...raise(points[i], wall)]),
  );
}

function listCorners(geometry: BufferGeometry): Soup {
  const position = geometry.getAttribute('position');
  const normal = geometry.getAttribute('normal');
  const index = geometry.getIndex();
  const count = index?.count ?? position.count;
  const soup: number[] = [];
  for (let c = 0; c < count; c++) {
    const v = index ? index.getX(c) : c;
    soup.push(position.getX(v), position.getY(v), position.getZ(v));
    soup.push(normal.getX(v), normal.getY(v), normal.getZ(v));
  }
  return soup;
}

function buildGeometry(soup: Soup): BufferGeometry {
  const count = soup.length / CORNER;
  const position = new Float32Array(3 * count);
  const normal = new Float32Array(3 * count);
  for (let c = 0; c < count; c++) {
    for (let k = 0; k < 3; k++) {
      position[3 * c + k] = soup[CORNER * c + k];
      normal[3 * c + k] = soup[CORNER * c + 3 + k];
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setAttribute('normal', new BufferAttribute(normal, 3));
  return geometry.setIndex(
    new BufferAttribute(
      Uint32Array.from({ length: count }, (_, c) => c),
      1,
    ),
  );
}
