import { InputError } from '../core/errors.ts';
import { films } from '../methods/films/films.ts';
import { flip } from '../methods/flip/flip.ts';
import { lattice } from '../methods/lattice/lattice.ts';
import type { Method, Work } from '../methods/method.ts';
import type { Presentation } from '../methods/presentation.ts';
import { surface } from '../methods/surface/surface.ts';
import { tracking } from '../methods/tracking/tracking.ts';
import { viscous } from '../methods/viscous/viscous.ts';
import { suggest } from '../scene/nearest.ts';

/** The methods this program knows, by the name scenes give. */
// biome-ignore lint/suspicious/noExplicitAny: model, state and work differ per method; the runner only passes them through.
export type AnyMethod = Method<any, any, Work & any>;

const known: AnyMethod[] = [lattice, tracking, films, viscous, flip, surface];

export const methods: readonly AnyMethod[] = known;

/** Adds a method of one's own: scenes may then name it. */
export function registerMethod(method: AnyMethod): void {
  if (findMethod(method.name)) {
    throw new InputError(`method ${method.name}`, 'registered twice', 'give it another name');
  }
  known.push(method);
}

/** What run.json says of how a method wants to be shown: nothing where the method does not. */
export function describePresentation(name: string): { presentation?: Presentation } {
  const presentation = findMethod(name)?.presentation;
  return presentation ? { presentation } : {};
}

/** The method of a scene that names it; throws where there is none of that name. */
export function getMethod(name: string): AnyMethod {
  const method = findMethod(name);
  if (method) return method;
  const names = known.map((m) => m.name);
  throw new InputError(`method "${name}"`, `it is none of the ${names.length} known`, suggest(name, names));
}

export function findMethod(name: string): AnyMethod | undefined {
  return known.find((method) => method.name === name);
}
