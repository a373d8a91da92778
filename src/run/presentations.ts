/** How the methods of this program want to be shown. Data alone: the page has it without their code. */
import { presentation as films } from '../methods/films/presentation.ts';
import { presentation as flip } from '../methods/flip/presentation.ts';
import { presentation as lattice } from '../methods/lattice/presentation.ts';
import type { Presentation } from '../methods/presentation.ts';
import { presentation as surface } from '../methods/surface/presentation.ts';
import { presentation as tracking } from '../methods/tracking/presentation.ts';
import { presentation as viscous } from '../methods/viscous/presentation.ts';

const known: Readonly<Record<string, Presentation>> = { lattice, tracking, films, viscous, flip, surface };

/**
 * Of a method by name; what a run folder says of itself counts where the program does not know the method.
 */
export function findPresentation(method: string, said: Presentation = {}): Presentation {
  return Object.hasOwn(known, method) ? known[method] : said;
}
