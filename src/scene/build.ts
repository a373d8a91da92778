/**
 * From the validated file to liquids, solids, emitters and drains; what makes no sense is reported, not
 * built.
 */
import { InputError } from '../core/errors.ts';
import type { Seconds, Vec3 } from '../core/types.ts';
import type { Implicit } from '../geometry/implicit.ts';
import type { RigidMotion } from '../geometry/rigid-motion.ts';
import { moveToPose, union } from '../geometry/shapes.ts';
import { type AddProblem, checkPlace, checkSolidReach, checkThickness } from './checks.ts';
import type { Path } from './document.ts';
import { buildFlowRate } from './flow-rate.ts';
import { buildMotion } from './motion.ts';
import type { Drain, Emitter, Liquid, Material, Solid } from './scene.ts';
import type { SceneFile, ShapeSpec } from './schema.ts';
import type { MotionSpec } from './schema-motion.ts';

export interface PartBuilder {
  readonly file: SceneFile;
  readonly add: AddProblem;
  /** The parts of a shape; none after reporting what is wrong with it. */
  buildParts(spec: ShapeSpec, path: Path): Promise<Implicit[]>;
  /** Undefined after reporting that there is none of that name. */
  findMaterial(name: string, path: Path): Material | undefined;
}

/**
 * One solid per part of a union, with the name, motion and wall of the whole: methods treat thin solids one
 * by one ([chentanez-2007] 3.3.1), and the parts of a paddle are thin in different directions.
 */
export async function buildSolids({ file, add, buildParts }: PartBuilder): Promise<Solid[]> {
  const solids: Solid[] = [];
  for (const [i, spec] of file.solids.entries()) {
    const path: Path = ['solids', i, 'shape'];
    const parts = await buildParts(spec.shape, path);
    const motion = tryMotion(spec.motion, ['solids', i, 'motion'], add);
    checkSolidReach(parts, motion, path, file, add);
    const name = spec.name ?? `solid ${i + 1}`;
    const more = { ...(motion && { motion }), ...(spec.handle && { handle: i }) };
    for (const shape of parts) solids.push({ name, shape, wall: spec.wall, ...more });
  }
  return solids;
}

/** Undefined where there is none, or after reporting what is wrong with it. */
function tryMotion(spec: MotionSpec | undefined, path: Path, add: AddProblem): RigidMotion | undefined {
  try {
    return spec && buildMotion(spec);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    add(path, `${error.where}: ${error.what}`, error.remedy);
    return undefined;
  }
}

/** The solids' shapes where they are at a time. */
export function poseSolids(solids: readonly Solid[], time: Seconds): Implicit[] {
  return solids.map(({ shape, motion }) => (motion ? moveToPose(shape, motion.poseAt(time)) : shape));
}

export async function buildLiquids(parts: PartBuilder, blocked: readonly Implicit[]): Promise<Liquid[]> {
  const { file, add } = parts;
  const liquids: Liquid[] = [];
  for (const [i, { shape: spec, material: name, velocity }] of file.liquids.entries()) {
    const material = parts.findMaterial(name, ['liquids', i, 'material']);
    const path: Path = ['liquids', i, 'shape'];
    const shape = await buildWhole(parts, spec, path);
    if (!shape || !checkPlace('liquid', shape, path, file, blocked, add)) continue;
    if (material) liquids.push({ shape, material, velocity });
  }
  return liquids;
}

export async function buildEmitters(parts: PartBuilder, blocked: readonly Implicit[]): Promise<Emitter[]> {
  const emitters: Emitter[] = [];
  for (const [i, spec] of parts.file.emitters.entries()) {
    const material = parts.findMaterial(spec.material, ['emitters', i, 'material']);
    const shape = await buildOpening('emitter', parts, spec.shape, ['emitters', i, 'shape'], blocked);
    if (!shape || !material) continue;
    const length = Math.hypot(...spec.direction);
    const direction = spec.direction.map((x) => x / length) as unknown as Vec3;
    const {
      at: flowAt,
      until: emittedUntil,
      over: shutFrom,
    } = buildFlowRate(spec.flow, spec.start, spec.end);
    const name = spec.name ?? `emitter ${i + 1}`;
    const motion = tryMotion(spec.motion, ['emitters', i, 'motion'], parts.add);
    emitters.push({
      ...{ name, shape, material, direction, flowAt, emittedUntil, shutFrom },
      ...(motion && { motion }),
    });
  }
  return emitters;
}

export async function buildDrains(parts: PartBuilder, blocked: readonly Implicit[]): Promise<Drain[]> {
  const drains: Drain[] = [];
  for (const [i, spec] of parts.file.drains.entries()) {
    const shape = await buildOpening('drain', parts, spec.shape, ['drains', i, 'shape'], blocked);
    if (!shape) continue;
    const { at: flowAt, until: drainedUntil } = buildFlowRate(spec.flow, spec.start, spec.end);
    drains.push({ name: spec.name ?? `drain ${i + 1}`, shape, flowAt, drainedUntil });
  }
  return drains;
}

async function buildOpening(
  kind: 'emitter' | 'drain',
  parts: PartBuilder,
  spec: ShapeSpec,
  path: Path,
  blocked: readonly Implicit[],
): Promise<Implicit | undefined> {
  const shape = await buildWhole(parts, spec, path);
  if (!shape || !checkPlace(kind, shape, path, parts.file, blocked, parts.add)) return undefined;
  checkThickness(kind, shape, path, parts.file, parts.add);
  return shape;
}

async function buildWhole(parts: PartBuilder, spec: ShapeSpec, path: Path): Promise<Implicit | undefined> {
  const built = await parts.buildParts(spec, path);
  return built.length > 0 ? union(...built) : undefined;
}
