import { InputError } from '../core/errors.ts';
import type { Box, Vec3 } from '../core/types.ts';
import type { Implicit } from '../geometry/implicit.ts';
import type { MeshResources } from '../geometry/mesh-distance.ts';
import { complement, intersection, union } from '../geometry/shapes.ts';
import {
  buildDocument,
  type Document,
  isRecord,
  type Path,
  parseSet,
  parseText,
  type SceneSource,
} from './document.ts';
import { materialPresets } from './materials.ts';
import { loadMeshShape } from './mesh-file.ts';
import { suggest } from './nearest.ts';
import { describeIssues, type Problem, SceneError, show } from './problems.ts';
import type { Liquid, Material, Scene, Solid } from './scene.ts';
import { buildSceneSchema, type MethodInfo, type SceneFile } from './schema.ts';
import { buildShape, findPointInside, type MeshLoader } from './shapes.ts';

/**
 * From the text of a scene to what a method builds on: parse, lay settings and --set over it, validate, read meshes,
 * build shapes. All problems are reported at once, in a SceneError.
 */
export interface LoadOptions {
  readonly methods: readonly MethodInfo[];
  /** Reads a file named in the scene, already resolved against the scene's own place. */
  readonly readFile: (path: string) => Promise<Uint8Array>;
  /** `path=value` edits, in order. */
  readonly sets?: readonly string[];
  readonly setting?: string | undefined;
  /** Heap and threads for meshes, asked for when the scene has one; without them their distances run on one thread. */
  readonly resources?: () => Promise<MeshResources>;
}

export interface OutputOptions {
  readonly surface: boolean;
  /** Every n-th frame, or never. */
  readonly volume: number | false;
  readonly checkpoint: number;
}

export interface LoadedScene {
  readonly scene: Scene;
  readonly title: string;
  readonly output: OutputOptions;
  /** The scene file with setting and --set applied and defaults filled in: reading it again gives the same scene. */
  readonly document: Record<string, unknown>;
  /** The mesh files it names, by the name in the scene. */
  readonly assets: ReadonlyMap<string, Uint8Array>;
}

export async function loadScene(source: SceneSource, options: LoadOptions): Promise<LoadedScene> {
  const root = parseText(source);
  const sets = (options.sets ?? []).map(parseSet);
  const schema = buildSceneSchema(options.methods);
  const settings = readSettings(source, root);
  if (options.setting !== undefined && !settings.includes(options.setting)) {
    const hint =
      settings.length === 0 ? `${source.file} has no settings` : suggest(options.setting, settings);
    throw new InputError(`--setting ${options.setting}`, 'no such setting in the scene', hint);
  }

  const document = buildDocument(source, root, options.setting, sets);
  const problems = validate(schema, document);
  // Settings that were not chosen are held to the schema too: a mistake in one should not wait for its first use.
  for (const other of settings) {
    if (other === options.setting) continue;
    const variant = buildDocument(source, root, other, []);
    problems.push(...validate(schema, variant).filter((p) => !problems.some((q) => q.where === p.where)));
  }
  if (problems.length > 0) throw new SceneError(sortByPlace(problems));

  const file = schema.parse(document.data) as unknown as SceneFile & Record<string, unknown>;
  const assets = new Map<string, Uint8Array>();
  const scene = await resolve(file, document, assets, options, fallbackName(source.file));
  return {
    scene,
    title: file.title ?? scene.name,
    output: file.output,
    document: JSON.parse(JSON.stringify(file)),
    assets,
  };
}

/** What a list of scenes shows, without reading meshes. */
export function readSceneHeader(source: SceneSource): {
  method: string;
  title: string;
  takes: string;
  settings: string[];
} {
  const root = parseText(source);
  const { data } = buildDocument(source, root, undefined, []);
  const text = (key: string) => (typeof data[key] === 'string' ? data[key] : '');
  return {
    method: text('method'),
    title: text('title'),
    takes: text('takes'),
    settings: readSettings(source, root),
  };
}

function readSettings(source: SceneSource, root: ReturnType<typeof parseText>): string[] {
  const node = root.children?.find((p) => p.children?.[0].value === 'settings')?.children?.[1];
  if (node === undefined) return [];
  if (node.type !== 'object') {
    throw new InputError(
      source.file,
      '"settings" is not an object',
      'expected { "name": { overrides }, ... }',
    );
  }
  return (node.children ?? []).map((p) => String(p.children?.[0].value));
}

function validate(schema: ReturnType<typeof buildSceneSchema>, document: Document): Problem[] {
  const parsed = schema.safeParse(document.data);
  return parsed.success ? [] : describeIssues(parsed.error.issues, schema, document);
}

async function resolve(
  file: SceneFile & Record<string, unknown>,
  document: Document,
  assets: Map<string, Uint8Array>,
  options: LoadOptions,
  name: string,
): Promise<Scene> {
  const problems: Problem[] = [];
  const add = (path: Path, what: string, remedy: string) =>
    problems.push({ where: document.place(path), what, remedy });
  const domain: Box = { min: file.domain.min, max: file.domain.max };
  refuseUnsupported(file, add);
  checkResolution(file, domain, add);

  const loadMesh: MeshLoader = (meshFile) =>
    loadMeshShape(meshFile, document.file, assets, options.readFile, options.resources);
  const buildAt = (spec: SceneFile['liquids'][number]['shape'], path: Path) =>
    buildShape(spec, path, loadMesh, (at, error) => add(at, `${error.where}: ${error.what}`, error.remedy));

  const solids: Solid[] = [];
  for (let i = 0; i < file.solids.length; i++) {
    const shape = await buildAt(file.solids[i].shape, ['solids', i, 'shape']);
    if (!shape) continue;
    checkReach('solid', shape, ['solids', i, 'shape'], file, add);
    solids.push({ name: file.solids[i].name ?? `solid ${i + 1}`, shape });
  }
  const liquids: Liquid[] = [];
  for (let i = 0; i < file.liquids.length; i++) {
    const { shape: spec, material: materialName, velocity } = file.liquids[i];
    const material = findMaterial(file, materialName);
    if (!material) {
      const known = [...Object.keys(file.materials), ...Object.keys(materialPresets)];
      add(['liquids', i, 'material'], `unknown material ${show(materialName)}`, suggest(materialName, known));
    }
    const shape = await buildAt(spec, ['liquids', i, 'shape']);
    if (!shape) continue;
    checkPlace(shape, ['liquids', i, 'shape'], file, solids, add);
    if (material) liquids.push({ shape, material, velocity });
  }
  if (problems.length > 0) throw new SceneError(sortByPlace(problems));

  const method = options.methods.find((m) => m.name === file.method)!;
  return {
    name: file.name ?? name,
    method: file.method,
    duration: file.duration,
    fps: file.fps,
    gravity: file.gravity,
    domain,
    resolution: file.resolution,
    liquids,
    solids,
    options: method.options.parse(file[file.method] ?? {}),
    seed: file.seed,
  };
}

type AddProblem = (path: Path, what: string, remedy: string) => void;

/** Words of the format that no method runs yet are refused rather than ignored. */
function refuseUnsupported(file: SceneFile, add: AddProblem): void {
  const unsupported = `the ${file.method} method does not support`;
  if (file.emitters?.length) add(['emitters'], `${unsupported} emitters yet`, 'remove "emitters"');
  if (file.drains?.length) add(['drains'], `${unsupported} drains yet`, 'remove "drains"');
  file.solids.forEach((solid, i) => {
    if (solid.motion !== undefined) {
      add(
        ['solids', i, 'motion'],
        `${unsupported} moving solids yet`,
        'remove "motion": the solid then stands still',
      );
    }
  });
}

function checkResolution(file: SceneFile, domain: Box, add: AddProblem): void {
  const extent = Math.min(...domain.max.map((x, i) => x - domain.min[i]));
  if (file.resolution > extent / 2) {
    const what = `resolution is ${file.resolution} m in a domain ${extent} m across`;
    add(['resolution'], what, `expected at most half the domain's smallest side: ${extent / 2}`);
  }
}

/** A liquid that is not in the domain, or all inside solids, cannot be what was meant. */
function checkPlace(
  shape: Implicit,
  path: Path,
  file: SceneFile,
  solids: readonly Solid[],
  add: AddProblem,
): void {
  if (!checkReach('liquid', shape, path, file, add)) return;
  const { min, max } = file.domain;
  const size = file.resolution / 4;
  if (findPointInside(shape, min, max, size) === undefined) {
    const what = `no part of the liquid thicker than ${size} m is inside the domain`;
    add(path, what, `move or enlarge it, or make the resolution (${file.resolution} m) finer`);
    return;
  }
  if (solids.length === 0) return;
  const free = intersection(shape, complement(union(...solids.map((s) => s.shape))));
  if (findPointInside(free, min, max, size) === undefined) {
    add(path, 'the liquid is wholly inside solids', 'move it, or the solids, so that some of it is free');
  }
}

/** Whether a shape's bounds meet the domain; a problem where they do not. */
function checkReach(kind: string, shape: Implicit, path: Path, file: SceneFile, add: AddProblem): boolean {
  const { min, max } = file.domain;
  const { bounds } = shape;
  if ([0, 1, 2].every((i) => bounds.min[i] < max[i] && bounds.max[i] > min[i])) return true;
  const text = (p: Vec3) => `[${p.map((x) => Number(x.toPrecision(6))).join(', ')}]`;
  const what = `the ${kind} from ${text(bounds.min)} to ${text(bounds.max)} is wholly outside the domain`;
  add(path, what, `move it into the domain from ${text(min)} to ${text(max)}`);
  return false;
}

function findMaterial(file: SceneFile, name: string): Material | undefined {
  const own = Object.hasOwn(file.materials, name) ? file.materials[name] : undefined;
  if (own) return { name, ...own };
  return Object.hasOwn(materialPresets, name) ? materialPresets[name] : undefined;
}

function fallbackName(file: string): string {
  const last = file.split(/[\\/]/).at(-1) ?? 'scene';
  return last.replace(/\.jsonc?$/, '');
}

/** In the order of the file; --set edits first. */
function sortByPlace(problems: readonly Problem[]): Problem[] {
  const key = (p: Problem) => {
    const match = /:(\d+):(\d+)$/.exec(p.where);
    return match ? Number(match[1]) * 1e6 + Number(match[2]) : 0;
  };
  return [...problems].sort((a, b) => key(a) - key(b));
}

/** Whether two documents describe the same run; `duration` may differ, as a run can go on. */
export function findDifference(a: unknown, b: unknown, path: string[] = []): string | undefined {
  if (path.length === 1 && ['duration', '$schema', 'title', 'takes'].includes(path[0])) return undefined;
  if (isRecord(a) && isRecord(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = findDifference(a[key], b[key], [...path, key]);
      if (found) return found;
    }
    return undefined;
  }
  return JSON.stringify(a) === JSON.stringify(b) ? undefined : path.join('.');
}
