/**
 * How a method wants its runs to be shown: plain data, which page and command line follow without knowing the
 * method. It goes into run.json, so that runs of any method are shown as meant; there it is untrusted, and is
 * read through this schema.
 */
import { z } from 'zod';

const LOOKS = ['water', 'surface', 'wireframe', 'materials', 'film'] as const;
/** Longest text and list that a page shows. */
const MOST_TEXT = 200;
const MOST_STAGES = 50;

export const presentationSchema = z.object({
  /**
   * How the surface is drawn until somebody chooses. Without it: as materials where faces carry labels, else
   * as water.
   */
  look: z.enum(LOOKS).optional(),
  /** What a click on the surface does, as a sentence; for methods that take pokes. */
  pokeHint: z.string().max(MOST_TEXT).optional(),
  /** Where the scene lists wires to be drawn (scene/schema-wires.ts): `key.key`. */
  wires: z
    .string()
    .max(MOST_TEXT)
    .regex(/^\w+(\.\w+)*$/)
    .optional(),
  /** Where the scene holds its camera (scene/schema-camera.ts): `key.key`. */
  camera: z
    .string()
    .max(MOST_TEXT)
    .regex(/^\w+(\.\w+)*$/)
    .optional(),
  /** What the stages of a step do, by their names in `wall`. */
  stages: z
    .record(z.string().max(MOST_TEXT), z.string().max(MOST_TEXT))
    .refine((stages) => Object.keys(stages).length <= MOST_STAGES)
    .optional(),
});

export type Presentation = Readonly<z.infer<typeof presentationSchema>>;

/** The list that the scene of a document holds at a dotted path; none where there is no list. */
export function findList(document: unknown, path: string | undefined): readonly unknown[] {
  const found = findAt(document, path);
  return Array.isArray(found) ? found : [];
}

/** What the scene of a document holds at a dotted path, undefined where there is nothing. */
export function findAt(document: unknown, path: string | undefined): unknown {
  if (path === undefined) return undefined;
  let found: unknown = document;
  for (const key of path.split('.')) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}
