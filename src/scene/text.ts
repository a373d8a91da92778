/** How large a text may be before it is parsed. */
import { createScanner, type SyntaxKind } from 'jsonc-parser';
import { InputError } from '../core/errors.ts';
import { LIMITS, refuseBeyond } from '../core/limits.ts';

/** Tokens by their numbers in jsonc-parser, whose enum is gone at run time. */
const END: SyntaxKind = 17;
const isOpening = (token: SyntaxKind) => token === 1 || token === 3;
const isClosing = (token: SyntaxKind) => token === 2 || token === 4;

/**
 * Refuses a text that is too long, or whose objects and lists nest too deep: parsers and all that follow
 * recurse.
 */
export function checkText(text: string, where: string): void {
  refuseBeyond(
    LIMITS.sceneBytes,
    text.length,
    where,
    (n, most) => `the scene has ${n} characters, more than ${most}`,
    'put large shapes into mesh files',
  );
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token = scanner.scan(); token !== END; token = scanner.scan()) {
    if (isOpening(token)) depth++;
    if (isClosing(token)) depth--;
    if (depth <= LIMITS.nesting) continue;
    const line = scanner.getTokenStartLine() + 1;
    throw new InputError(
      `${where}:${line}:${scanner.getTokenStartCharacter() + 1}`,
      `objects and lists are more than ${LIMITS.nesting} deep in each other`,
      'flatten them: a union takes any number of shapes',
    );
  }
}
