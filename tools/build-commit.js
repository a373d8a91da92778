/**
 * Builds a commit beside this one, without its viewer, and prints its folder.
 *
 *   node tools/build-commit.js REV [--cache DIR]
 *
 * REV as in compare-commits.js. A build is kept in the cache by its sources, benchmarks and referees among
 * them; the cache can be deleted at any time. Exit code 1: git or the build failed. 2: bad arguments.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkOut, resolveTree } from './compare/checkout.js';

function fail(code, error) {
  console.error(`build-commit: ${error.message}`);
  process.exit(code);
}

let options;
try {
  options = parseArgs({
    allowPositionals: true,
    options: { cache: { type: 'string', default: join(tmpdir(), 'meniscus-compare') } },
  });
  if (options.positionals.length !== 1)
    throw new Error(`${options.positionals.length} revisions given; give one`);
} catch (error) {
  fail(2, error);
}
try {
  const tree = resolveTree(options.positionals[0], ['bench', 'cases', 'validation']);
  console.log(checkOut(tree, options.values.cache));
} catch (error) {
  fail(1, error);
}
