/**
 * Runs command lines one after the other in one process, as if each had been typed: a process each would take
 * most of the time to start. Reads { id, args } by messages, answers { id, code, out, ms, cpuMs, rss }. What
 * kills the process, or never ends, its parent sees.
 */
import { fileURLToPath } from 'node:url';

const main = new URL('../../dist/src/cli/main.js', import.meta.url).href;
process.stdout.setMaxListeners(0);

let text = '';
const capture = (chunk, encoding, done) => {
  text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
  const then = typeof encoding === 'function' ? encoding : done;
  if (then) queueMicrotask(then);
  return true;
};
process.stdout.write = capture;
process.stderr.write = capture;
process.on('uncaughtException', (error) => {
  text += `UNCAUGHT ${error.stack}`;
});
process.on('unhandledRejection', (error) => {
  text += `UNHANDLED ${error?.stack ?? error}`;
});

process.on('message', async ({ id, args, cwd }) => {
  text = '';
  process.exitCode = 0;
  process.chdir(cwd);
  process.argv = [process.execPath, fileURLToPath(main), ...args];
  const start = performance.now();
  const cpu = process.cpuUsage();
  try {
    await import(`${main}?${id}`);
  } catch (error) {
    text += `THROWN ${error?.stack ?? error}`;
  }
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  globalThis.gc?.();
  process.send({
    id,
    code: process.exitCode ?? 0,
    out: text,
    ms,
    cpuMs: (user + system) / 1000,
    rss: process.resourceUsage().maxRSS * 1024,
  });
});
process.send({ ready: true });
