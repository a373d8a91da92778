/**
 * What a scene says and its method leaves out of account, in one list: said by `check` and `run`, in run.json
 * and in the live panel. What the method declares (MethodInfo.ignores) comes first, then what follows from
 * its other declarations.
 */
import type { LoadedScene } from '../scene/load.ts';
import { runsFeature } from '../scene/method-info.ts';
import { COMMON_MATERIAL_KEYS } from '../scene/schema.ts';
import { type AnyMethod, findMethod, methods } from './registry.ts';

export function listNotes({ scene, document, output }: LoadedScene): string[] {
  const method = findMethod(scene.method);
  if (!method) return [];
  const notes = (method.ignores ?? []).flatMap(({ notes: told }) =>
    typeof told === 'string' ? [told] : told(scene),
  );
  const materials = (document['materials'] ?? {}) as Record<string, Record<string, unknown>>;
  const names = Object.keys(materials);
  if (!runsFeature(method, 'liquids') && names.length > 0)
    notes.push(`the ${method.name} method knows no materials: ${names.join(', ')} go unused`);
  else notes.push(...noteFields(method, materials));
  for (const other of methods)
    if (other !== method && hasOptions(document[other.name], other))
      notes.push(`the ${method.name} method runs the scene: its options under "${other.name}" go unused`);
  if (output.volume !== false && !method.volume)
    notes.push(`the ${method.name} method has no tetrahedra: output.volume writes nothing`);
  if (output.particles && !method.particles)
    notes.push(`the ${method.name} method has no particles: output.particles writes nothing`);
  return notes;
}

/**
 * Whether a document says anything under a method's key: where all options have defaults, it always holds
 * those.
 */
function hasOptions(options: unknown, { options: schema }: AnyMethod): boolean {
  if (options === undefined) return false;
  const defaults = schema.safeParse({});
  return !defaults.success || JSON.stringify(options) !== JSON.stringify(defaults.data);
}

/** Fields of materials that other methods know. */
function noteFields(
  { name, materialFields = {} }: AnyMethod,
  materials: Record<string, Record<string, unknown>>,
): string[] {
  const unused = new Map<string, string[]>();
  for (const [material, fields] of Object.entries(materials))
    for (const key of Object.keys(fields))
      if (!COMMON_MATERIAL_KEYS.includes(key) && !(key in materialFields))
        unused.set(key, [...(unused.get(key) ?? []), material]);
  return [...unused].map(
    ([key, of]) =>
      `the ${name} method has no use for "${key}" of materials: that of ${of.join(', ')} goes unused`,
  );
}
