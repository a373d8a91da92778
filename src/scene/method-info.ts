/**
 * What the scene format must know of a method: its options, the fields it adds to materials, which features
 * of scenes it runs and what of a scene it leaves out of account. The schema is composed of it, scenes that
 * want more are refused, and what goes unused is told (run/notes.ts). The methods themselves sit above this
 * folder.
 */
import type { z } from 'zod';
import type { Scene } from './scene.ts';

/** Parts of the format that a method may or may not run. */
export const SCENE_FEATURES = [
  'liquids',
  'solids',
  'moving solids',
  'no-slip walls',
  'emitters',
  'moving emitters',
  'drains',
] as const;
export type SceneFeature = (typeof SCENE_FEATURES)[number];

/** What a method runs that declares no features. */
export const BASIC_FEATURES: readonly SceneFeature[] = ['liquids', 'solids'];

/**
 * A key of scenes that means something to some methods and nothing to others; `materials.FIELD`; or
 * `METHOD.OPTION`, an option that another option switches off.
 */
export type ScenePart = 'gravity' | 'domain' | 'seed' | 'materials' | `${string}.${string}`;

export interface Ignored {
  /** Keys as docs/formats.md has them. */
  readonly parts: readonly ScenePart[];
  /**
   * A sentence for every scene, or sentences for this one: none where it makes no difference. Told wherever
   * the scene is run, so it must be cheap.
   */
  readonly notes: string | ((scene: Scene) => readonly string[]);
}

export interface MethodInfo {
  readonly name: string;
  /** Schema of the scene's options under the method's own key. */
  readonly options: z.ZodType;
  /**
   * Features of scenes it runs; scenes that use another one are refused when they are loaded. Without liquids
   * it brings its own start.
   */
  readonly features?: readonly SceneFeature[];
  /**
   * Fields of materials beyond density, viscosity and surface tension, by key: each required to be described
   * with its unit, none with a default (a scene that leaves one out has none). Methods that share a field
   * share its schema.
   */
  readonly materialFields?: Readonly<Record<string, z.ZodType>>;
  /** What it leaves out of account, with the reasons. */
  readonly ignores?: readonly Ignored[];
}

export function runsFeature({ features = BASIC_FEATURES }: MethodInfo, feature: SceneFeature): boolean {
  return features.includes(feature);
}

/**
 * The fields that methods add to materials, each once. Throws where two methods mean different things by a
 * name: a defect of theirs.
 */
export function composeMaterialFields(
  methods: readonly MethodInfo[],
  common: Readonly<Record<string, unknown>>,
): Record<string, z.ZodType> {
  const fields: Record<string, z.ZodType> = {};
  for (const { name: method, materialFields = {} } of methods)
    for (const [key, schema] of Object.entries(materialFields)) {
      const where = `material field ${key} of the ${method} method`;
      if (key in common) throw new Error(`${where}: every material has one`);
      if (key in fields && fields[key] !== schema)
        throw new Error(`${where}: another method declares it with another schema; share one`);
      if (schema.safeParse(undefined).success)
        throw new Error(`${where}: it has a default; leave it out, and fill it in where it is used`);
      fields[key] = schema;
    }
  return fields;
}
