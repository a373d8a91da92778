/**
 * Whether what a scene says makes sense as a whole: things in the domain, out of solids, thick enough,
 * supported.
 */
import { LIMITS } from '../core/limits.ts';
import type { Box, Vec3 } from '../core/types.ts';
import type { Implicit } from '../geometry/implicit.ts';
import { measureMotion } from '../geometry/motions.ts';
import type { RigidMotion } from '../geometry/rigid-motion.ts';
import { describeRoundoff } from '../geometry/roundoff.ts';
import { complement, intersection, measureThickness, union } from '../geometry/shapes.ts';
import type { Path } from './document.ts';
import { type MethodInfo, runsFeature, type SceneFeature } from './method-info.ts';
import type { SceneFile, ShapeSpec } from './schema.ts';
import { hasRoom } from './shapes.ts';

export type AddProblem = (path: Path, what: string, remedy: string) => void;

/**
 * Liquid leaves an emitter as mesh, and what is thinner than this many cells makes no tetrahedra to speak of.
 */
const EMITTER_CELLS = 3;
/** A drain holds this many cells at least, or the liquid in it may have no vertex inside. */
const DRAIN_CELLS = 2;
/** How much thinner than asked for a shape may be measured, relative: the measure is good to this. */
const THICKNESS_SLACK = 0.05;
/** Poses looked at per frame to find out whether a moving solid enters the domain. */
const POSES_PER_FRAME = 4;
const MOST_POSES = 4000;

/** Features that the method does not run are refused rather than ignored. */
export function refuseUnsupported(file: SceneFile, method: MethodInfo, add: AddProblem): void {
  const refuse = (feature: SceneFeature, path: Path, remedy: string) => {
    if (!runsFeature(method, feature))
      add(path, `the ${method.name} method does not support ${feature}`, remedy);
  };
  for (const list of ['liquids', 'solids'] as const)
    if (file[list].length > 0 && !runsFeature(method, list))
      add([list], `the ${method.name} method has no use for ${list}`, `remove "${list}"`);
  if (file.emitters.length > 0) refuse('emitters', ['emitters'], 'remove "emitters"');
  file.emitters.forEach(({ motion }, i) => {
    if (motion !== undefined)
      refuse('moving emitters', ['emitters', i, 'motion'], 'remove "motion": the nozzle then stands still');
  });
  if (file.drains.length > 0) refuse('drains', ['drains'], 'remove "drains"');
  if (file.walls !== 'slip') refuse('no-slip walls', ['walls'], 'remove "walls": the liquid then slides');
  file.solids.forEach((solid, i) => {
    if (solid.motion !== undefined)
      refuse('moving solids', ['solids', i, 'motion'], 'remove "motion": the solid then stands still');
    if (solid.handle === true)
      refuse('moving solids', ['solids', i, 'handle'], 'remove "handle": the solid then stands still');
    if (solid.wall !== 'slip')
      refuse('no-slip walls', ['solids', i, 'wall'], 'remove "wall": the liquid then slides');
  });
}

export function checkResolution(file: SceneFile, add: AddProblem): void {
  const extent = Math.min(...file.domain.max.map((x, i) => x - file.domain.min[i]));
  if (file.resolution > extent / 2) {
    const what = `resolution is ${file.resolution} m in a domain ${extent} m across`;
    add(['resolution'], what, `expected at most half the domain's smallest side: ${extent / 2}`);
  }
  const far = describeRoundoff(file.domain, file.resolution, 'the resolution');
  if (far !== undefined) add(['domain'], `the domain lies ${far}`, 'move the scene to the origin');
}

/** A liquid, emitter or drain that is not in the domain, or all inside solids, cannot be what was meant. */
export function checkPlace(
  kind: string,
  shape: Implicit,
  path: Path,
  file: SceneFile,
  solids: readonly Implicit[],
  add: AddProblem,
): boolean {
  if (!checkReach(kind, shape, path, file, add)) return false;
  const size = file.resolution / 4;
  if (!hasRoom(shape, file.domain, size)) {
    const what = `no part of the ${kind} thicker than ${size} m is inside the domain`;
    add(path, what, `move or enlarge it, or make the resolution (${file.resolution} m) finer`);
    return false;
  }
  if (solids.length === 0) return true;
  const free = intersection(shape, complement(union(...solids)));
  if (!hasRoom(free, file.domain, size)) {
    add(path, `the ${kind} is wholly inside solids`, 'move it, or the solids, so that some of it is free');
    return false;
  }
  return true;
}

/**
 * A nozzle must be thick enough for the liquid in it to be meshed, a drain for it to have vertices inside.
 */
export function checkThickness(
  kind: 'emitter' | 'drain',
  shape: Implicit,
  path: Path,
  file: SceneFile,
  add: AddProblem,
): void {
  const cells = kind === 'emitter' ? EMITTER_CELLS : DRAIN_CELLS;
  const least = cells * file.resolution;
  const enough = (1 - THICKNESS_SLACK) * least;
  const thickness = measureThickness(shape, file.domain, THICKNESS_SLACK * least, enough, enough);
  if (thickness >= enough) return;
  const what = `the ${kind} is ${round(thickness)} m thick inside the domain, less than ${cells} cells of ${file.resolution} m`;
  add(path, what, `make it ${round(least)} m thick, or the resolution finer`);
}

/** Units a mesh may be in, in metres. */
const UNITS: readonly (readonly [string, number])[] = [
  ['decimetres', 0.1],
  ['centimetres', 0.01],
  ['inches', 0.0254],
  ['millimetres', 0.001],
];

/**
 * A mesh much larger than the domain is in another unit than the metre: as a liquid it would fill the domain
 * without a word.
 */
export function checkMeshScale(
  spec: ShapeSpec,
  path: Path,
  file: SceneFile,
  boundsOf: (meshFile: string) => Box | undefined,
  add: AddProblem,
  scale = 1,
): void {
  const factor = scale * (spec.transform?.scale ?? 1);
  if (spec.type === 'mesh') {
    const bounds = boundsOf(spec.file);
    if (!bounds) return;
    const longest = (box: Box) => Math.max(...box.max.map((x, k) => x - box.min[k]));
    const size = factor * longest(bounds);
    const domain = longest(file.domain);
    if (size <= LIMITS.meshOverDomain * domain) return;
    const [unit, inMetres] = UNITS.find(([, metres]) => size * metres <= domain) ?? UNITS[UNITS.length - 1];
    const what = `the mesh is ${round(size)} m across, the domain ${round(domain)} m: is it in ${unit}?`;
    add(path, what, `then scale it: "transform": { "scale": ${round((factor / scale) * inMetres)} }`);
    return;
  }
  const check = (part: ShapeSpec, at: Path) => checkMeshScale(part, at, file, boundsOf, add, factor);
  if (spec.type === 'union' || spec.type === 'intersection')
    spec.shapes.forEach((part, i) => {
      check(part, [...path, 'shapes', i]);
    });
  if (spec.type === 'difference') {
    check(spec.from, [...path, 'from']);
    spec.minus.forEach((part, i) => {
      check(part, [...path, 'minus', i]);
    });
  }
}

/** Whether a solid's parts are ever in the domain; a problem where they are not. */
export function checkSolidReach(
  parts: readonly Implicit[],
  motion: RigidMotion | undefined,
  path: Path,
  file: SceneFile,
  add: AddProblem,
): void {
  if (parts.length === 0) return;
  const whole = union(...parts);
  if (!motion) {
    checkReach('solid', whole, path, file, add);
    return;
  }
  // What reaches to infinity meets the domain somewhere or is at rest outside it for good; the latter is left
  // to the eye.
  if (![...whole.bounds.min, ...whole.bounds.max].every(Number.isFinite)) return;
  const samples = Math.min(MOST_POSES, Math.ceil(file.duration * file.fps) * POSES_PER_FRAME);
  if (measureMotion(motion, whole.bounds, file.duration, samples, file.domain).meets) return;
  const what = `the solid is outside the domain during all ${file.duration} s of its motion`;
  add(
    path,
    what,
    `move it, so that it enters the domain from ${text(file.domain.min)} to ${text(file.domain.max)}`,
  );
}

/** Whether a shape's bounds meet the domain; a problem where they do not. */
function checkReach(kind: string, shape: Implicit, path: Path, file: SceneFile, add: AddProblem): boolean {
  const { min, max } = file.domain;
  const { bounds } = shape;
  if ([0, 1, 2].every((i) => bounds.min[i] < max[i] && bounds.max[i] > min[i])) return true;
  const what = `the ${kind} from ${text(bounds.min)} to ${text(bounds.max)} is wholly outside the domain`;
  add(path, what, `move it into the domain from ${text(min)} to ${text(max)}`);
  return false;
}

const round = (x: number): number => Number(x.toPrecision(6));
const text = (p: Vec3): string => `[${p.map(round).join(', ')}]`;
