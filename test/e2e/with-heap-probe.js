/**
 * Loaded into the built command line with --import: once a second, what is left of the JavaScript heap after
 * a full collection, a line of JSON each on stderr.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const timer = setInterval(() => {
  collect();
  process.stderr.write(`${JSON.stringify({ heapUsed: process.memoryUsage().heapUsed })}\n`);
}, 1000);
timer.unref();
