/**
 * The scene's solids, drawn from the scene file's own shapes as far as they are in the domain. Those that
 * stand still are joined into a few large meshes, however many they are; those that move are carried along,
 * and cut anew where they pass through a wall, by `poseSolids`. Work is done in slices, so that a scene of
 * thousands never holds up the page.
 */
import {
  type BufferGeometry,
  type Color,
  DoubleSide,
  Group,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { RigidMotion } from '../../../src/geometry/rigid-motion.ts';
import { buildMotion } from '../../../src/scene/motion.ts';
import { type MotionSpec, type ShapeSpec, shapeSchema } from '../../../src/scene/schema.ts';
import { motion as motionSchema } from '../../../src/scene/schema-motion.ts';
import { type Cuttable, DomainClip } from './clip-to-domain.ts';
import { buildParts, countParts, type Domain, type ReadFile } from './shape-parts.ts';

export interface SolidsResult {
  readonly group: Group;
  /** Solids that could not be drawn, and why. */
  readonly notes: readonly string[];
}

/**
 * Triangles that all solids together may have: finer than a pixel where there are few, coarser where there
 * are thousands.
 */
const TRIANGLE_BUDGET = 1.5e6;
/** Where files of meshes bring more than that, what comes after is not drawn. */
const MOST_TRIANGLES = 4 * TRIANGLE_BUDGET;
/** Surfaces that are drawn at most. */
const MAX_PARTS = 50_000;
/** Surfaces in a mesh. */
const BATCH = 1000;
/** ms of work between two looks at the page's other tasks */
const SLICE = 12;
/** of the domain's size, on each side: from where a moving shape is fetched */
const MOVING_REACH = 1;

/** Stone for solids; `opacity` below 1 makes glass, for liquids that have not begun to flow. */
export function createShapeMaterial(color: Color, opacity = 1): MeshStandardMaterial {
  const transparent = opacity < 1;
  return new MeshStandardMaterial({
    color,
    roughness: 0.65,
    metalness: 0,
    side: DoubleSide,
    transparent,
    opacity,
  });
}

export interface SolidsOptions {
  readonly domain: Domain;
  readonly material: MeshStandardMaterial;
  readonly readFile: ReadFile;
  /** Motions that the scene does not spell: of solids that are led by hand, by their numbers. */
  readonly handles?: ReadonlyMap<number, RigidMotion> | undefined;
  /** Whether somebody still waits for the result: building ends early where nobody does. */
  readonly isWanted?: () => boolean;
}

/** Everything in the list that has a shape: solids, or liquids before the start. */
export async function buildSolids(
  solids: readonly unknown[],
  { domain, material, readFile, handles, isWanted = () => true }: SolidsOptions,
): Promise<SolidsResult> {
  const notes: string[] = [];
  const pause = createPause();
  const specs: Spec[] = [];
  let count = 0;
  for (const [i, solid] of solids.entries()) {
    await pause();
    if (count >= MAX_PARTS || !isWanted()) break;
    const spec = parseSolid(solid, i, notes);
    if (!spec) continue;
    count += countParts(spec.shape, MAX_PARTS - count + 1);
    if (count <= MAX_PARTS) specs.push(spec);
  }
  if (specs.length + notes.length < solids.length && isWanted())
    notes.push(`${solids.length - specs.length - notes.length} solids are not drawn: too many shapes`);
  const clip = new DomainClip(domain);
  const triangles = TRIANGLE_BUDGET / Math.max(1, count);
  const readOnce = rememberFiles(readFile);
  const group = new Group();
  const still: BufferGeometry[] = [];
  let drawn = 0;
  const flush = () => {
    if (still.length > 0) group.add(addShadows(new Mesh(mergeGeometries(still), material)));
    still.length = 0;
  };
  for (const { name, index, shape, motion: spelled } of specs) {
    await pause();
    if (!isWanted()) break;
    try {
      const hand = handles?.get(index);
      const motion = hand ?? (spelled && buildMotion(spelled));
      const reach = motion ? grow(domain, MOVING_REACH) : domain;
      const parts = await buildParts(shape, { domain, readFile: readOnce, triangles, reach });
      drawn += countTriangles(parts);
      if (drawn > MOST_TRIANGLES) throw new Error(`all before it have ${MOST_TRIANGLES} triangles already`);
      const cuttable = parts.map((part) => clip.prepare(part));
      if (motion) {
        const moving = new MovingSolid(motion, cuttable, clip, material);
        if (hand) moving.userData = { handle: index, name };
        group.add(moving);
        continue;
      }
      for (const part of cuttable) {
        const geometry = clip.cut(part);
        if (geometry) still.push(geometry);
        await pause();
      }
      if (still.length >= BATCH) flush();
    } catch (error) {
      notes.push(`${name} is not drawn: ${(error as Error).message}`);
    }
  }
  flush();
  poseSolids(group, 0);
  return { group, notes };
}

interface Spec {
  readonly name: string;
  readonly index: number;
  readonly shape: ShapeSpec;
  readonly motion: MotionSpec | undefined;
}

function parseSolid(solid: unknown, index: number, notes: string[]): Spec | null {
  const { name, shape, motion } = (solid ?? {}) as { name?: unknown; shape?: unknown; motion?: unknown };
  const called = `solid ${typeof name === 'string' ? name.slice(0, 80) : index + 1}`;
  try {
    return {
      name: called,
      index,
      shape: shapeSchema.parse(shape),
      motion: motion === undefined ? undefined : motionSchema.parse(motion),
    };
  } catch {
    notes.push(`${called} is not drawn: the run names no shape or motion that can be read`);
    return null;
  }
}

/** Lets the page draw and listen, now and then. */
function createPause(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE) return;
    await new Promise((go) => setTimeout(go, 0));
    since = performance.now();
  };
}

/** Many solids may name one file. */
function rememberFiles(readFile: ReadFile): ReadFile {
  const known = new Map<string, Promise<Uint8Array>>();
  return (path) => {
    const found = known.get(path) ?? readFile(path);
    known.set(path, found);
    return found;
  };
}

const countTriangles = (parts: readonly BufferGeometry[]): number =>
  parts.reduce((sum, { index }) => sum + (index?.count ?? 0) / 3, 0);

function grow({ min, max }: Domain, share: number): Domain {
  const by = share * Math.hypot(...max.map((high, axis) => high - min[axis]));
  return {
    min: [min[0] - by, min[1] - by, min[2] - by],
    max: [max[0] + by, max[1] + by, max[2] + by],
  };
}

/** The object itself, or what carries it along a motion. */
export function carry<T extends Object3D>(object: T, motion: MotionSpec | undefined): T | Group {
  return motion ? new Carried(buildMotion(motion)).add(object) : object;
}

/** What is in it stands where the motion has carried it. */
class Carried extends Group {
  constructor(private readonly motion: RigidMotion) {
    super();
    this.matrixAutoUpdate = false;
  }

  moveTo(time: number): void {
    const { rotation: r, translation: t } = this.motion.poseAt(time);
    this.matrix.set(r[0], r[1], r[2], t[0], r[3], r[4], r[5], t[1], r[6], r[7], r[8], t[2], 0, 0, 0, 1);
    this.matrixWorldNeedsUpdate = true;
  }
}

/** A solid that is cut at the domain's walls wherever it is. */
class MovingSolid extends Carried {
  private readonly cutAt = new Matrix4().set(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  constructor(
    motion: RigidMotion,
    private readonly parts: readonly Cuttable[],
    private readonly clip: DomainClip,
    material: MeshStandardMaterial,
  ) {
    super(motion);
    for (const { geometry } of parts) this.add(addShadows(new Mesh(geometry, material)));
  }

  override moveTo(time: number): void {
    super.moveTo(time);
    if (this.cutAt.equals(this.matrix)) return;
    this.cutAt.copy(this.matrix);
    for (const [i, part] of this.parts.entries()) {
      const mesh = this.children[i] as Mesh;
      if (mesh.geometry !== part.geometry) mesh.geometry.dispose();
      const inside = this.clip.cut(part, this.matrix);
      mesh.visible = inside !== null;
      mesh.geometry = inside ?? part.geometry;
    }
  }
}

/** Moves everything that moves to where it is at a time; false where nothing does. */
export function poseSolids(group: Group, time: number): boolean {
  const moving = group.children.filter((child) => child instanceof Carried);
  for (const solid of moving) solid.moveTo(time);
  return moving.length > 0;
}

function addShadows<T extends Mesh>(mesh: T): T {
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}
