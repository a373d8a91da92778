/** What a method leaves out of a scene: said by `check` and `run`, in run.json and in the live panel. */
import type { LoadedScene } from '../scene/load.ts';
import { findMethod } from './registry.ts';

export function listNotes({ scene, document, output }: LoadedScene): string[] {
  const method = findMethod(scene.method);
  if (!method) return [];
  const notes = [...(method.notes?.(scene) ?? [])];
  const materials = Object.keys((document['materials'] ?? {}) as object);
  if (method.refuses?.includes('liquids') && materials.length > 0)
    notes.push(`the ${method.name} method knows no materials: ${materials.join(', ')} go unused`);
  if (output.volume !== false && !method.volume)
    notes.push(`the ${method.name} method has no tetrahedra: output.volume writes nothing`);
  return notes;
}
