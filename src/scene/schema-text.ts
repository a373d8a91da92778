import { z } from 'zod';

/**
 * Text that ends up on a terminal or as the name of a folder. Control characters could move the cursor,
 * change colours or the window's title; marks that turn the direction of writing could make a name read as
 * another.
 */
const hidden = String.raw`\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069`;
const hiddenCharacter = new RegExp(`[${hidden}]`, 'gu');

/** One line, shown as it stands. */
export const line = () =>
  z.string().regex(new RegExp(`^[^${hidden}]*$`, 'u'), 'one line without control characters');

const MOST_NAME = 100;
const folderNamePattern = new RegExp(String.raw`^(?![.\s])[^/\\${hidden}]{1,${MOST_NAME}}$`, 'u');

/** A name below `runs/`: it must not lead out of there. */
export const folderName = () =>
  z
    .string()
    .min(1)
    .regex(
      folderNamePattern,
      `a name for a folder: at most ${MOST_NAME} characters, no slash, no dot or space in front, no control characters`,
    );

export const isFolderName = (name: string): boolean => folderNamePattern.test(name);

/** Text with what must not reach a terminal spelt out, as \u001b. */
export function escapeControls(text: string): string {
  return text.replace(hiddenCharacter, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
