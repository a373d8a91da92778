import { InputError } from '../core/errors.ts';
import type { Box } from '../core/types.ts';
import type { Implicit } from '../geometry/implicit.ts';
import type { MeshResources } from '../geometry/mesh-distance.ts';
import {
  buildDrains,
  buildEmitters,
  buildLiquids,
  buildSolids,
  type PartBuilder,
  poseSolids,
} from './build.ts';
import { type AddProblem, checkMeshScale, checkResolution, refuseUnsupported } from './checks.ts';
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
import type { MethodInfo } from './method-info.ts';
import { suggest } from './nearest.ts';
import { describeIssues, type Problem, SceneError, show } from './problems.ts';
import type { Material, Scene } from './scene.ts';
import { buildSceneSchema, COMMON_MATERIAL_KEYS, type SceneFile } from './schema.ts';
import { isFolderName } from './schema-text.ts';
import { buildParts, type MeshLoader } from './shapes.ts';
import { findExcess } from './size.ts';

/**
 * From the text of a scene to what a method builds on: parse, lay settings and --set over it, validate, read
 * meshes, build shapes. All problems are reported at once, in a SceneError.
 */
export interface LoadOptions {
  readonly methods: readonly MethodInfo[];
  /** Reads a file named in the scene, already resolved against the scene's own place. */
  readonly readFile: (path: string) => Promise<Uint8Array>;
  /** `path=value` edits, in order. */
  readonly sets?: readonly string[];
  readonly setting?: string | undefined;
  /**
   * Heap and threads for meshes, asked for when the scene has one; without them their distances run on one
   * thread.
   */
  readonly resources?: () => Promise<MeshResources>;
}

export interface OutputOptions {
  readonly surface: boolean;
  /** Every n-th frame, or never. */
  readonly volume: number | false;
  /** Likewise; absent: never. */
  readonly particles?: number | false | undefined;
  readonly checkpoint: number;
}

export interface LoadedScene {
  readonly scene: Scene;
  readonly title: string;
  readonly output: OutputOptions;
  /**
   * The scene file with setting and --set applied and defaults filled in: reading it again gives the same
   * scene.
   */
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
  const excess = findExcess(document);
  if (excess.length > 0) throw new SceneError(sortByPlace(excess));
  const problems = validate(schema, document);
  // Settings that were not chosen are held to the schema too: a mistake in one should not wait for its first
  // use.
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
  const method = options.methods.find((m) => m.name === file.method)!;
  refuseUnsupported(file, method, add);
  checkResolution(file, add);

  // Read and checked once, however often the scene names it.
  const meshes = new Map<string, Promise<Implicit>>();
  const meshBounds = new Map<string, Box>();
  const loadMesh: MeshLoader = async (meshFile) => {
    const known = meshes.get(meshFile);
    if (known) return known;
    const loading = loadMeshShape(meshFile, document.file, assets, options.readFile, options.resources);
    meshes.set(meshFile, loading);
    const shape = await loading;
    meshBounds.set(meshFile, shape.bounds);
    return shape;
  };
  const parts: PartBuilder = {
    file,
    add,
    buildParts: async (spec, path) => {
      const built = await buildParts(spec, path, loadMesh, (at, error) =>
        add(at, `${error.where}: ${error.what}`, error.remedy),
      );
      checkMeshScale(spec, path, file, (name) => meshBounds.get(name), add);
      return built;
    },
    findMaterial: (materialName, path) => findMaterial(file, materialName, path, add),
  };
  const solids = await buildSolids(parts);
  const blocked = poseSolids(solids, 0);
  const liquids = await buildLiquids(parts, blocked);
  const emitters = await buildEmitters(parts, blocked);
  const drains = await buildDrains(parts, blocked);
  if (problems.length > 0) throw new SceneError(sortByPlace(problems));

  return {
    name: file.name ?? name,
    method: file.method,
    duration: file.duration,
    fps: file.fps,
    gravity: file.gravity,
    domain: { min: file.domain.min, max: file.domain.max },
    wall: file.walls,
    resolution: file.resolution,
    liquids,
    solids,
    emitters,
    drains,
    options: method.options.parse(file[file.method] ?? {}),
    seed: file.seed,
  };
}

function findMaterial(file: SceneFile, name: string, path: Path, add: AddProblem): Material | undefined {
  const own = Object.hasOwn(file.materials, name) ? file.materials[name] : undefined;
  if (own) {
    const { density, viscosity, surfaceTension } = own;
    const added = Object.entries(own).filter(([key]) => !COMMON_MATERIAL_KEYS.includes(key));
    const fields = added.length > 0 ? { fields: Object.fromEntries(added) } : {};
    return { name, density, viscosity, surfaceTension, ...fields };
  }
  if (Object.hasOwn(materialPresets, name)) return materialPresets[name];
  const known = [...Object.keys(file.materials), ...Object.keys(materialPresets)];
  add(path, `unknown material ${show(name)}`, suggest(name, known));
  return undefined;
}

function fallbackName(file: string): string {
  const last = file.split(/[\\/]/).at(-1) ?? '';
  const name = last.replace(/\.jsonc?$/, '');
  // The run goes to runs/NAME, and files may be called anything.
  return isFolderName(name) ? name : 'scene';
}

/** In the order of the file; --set edits first. */
function sortByPlace(problems: readonly Problem[]): Problem[] {
  const key = (p: Problem) => {
    const match = /:(\d+):(\d+)$/.exec(p.where);
    return match ? Number(match[1]) * 1e6 + Number(match[2]) : 0;
  };
  return [...problems].sort((a, b) => key(a) - key(b));
}

/** Keys that may change while a run stays the same: it can go on for longer, and words are words. */
export const freeKeys: readonly string[] = ['duration', '$schema', 'title', 'takes'];

/** Whether two documents describe the same run: the first path where they do not. */
export function findDifference(a: unknown, b: unknown, path: string[] = []): string | undefined {
  if (path.length === 1 && freeKeys.includes(path[0])) return undefined;
  if (isRecord(a) && isRecord(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = findDifference(a[key], b[key], [...path, key]);
      if (found) return found;
    }
    return undefined;
  }
  return JSON.stringify(a) === JSON.stringify(b) ? undefined : path.join('.');
}
