/** A host (host.js) that is started again when it dies, grows or hangs. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const host = fileURLToPath(new URL('./host.js', import.meta.url));
/** Command lines per process, so that what one leaves behind is not held against many. */
const CASES = 100;
/**
 * Memory after which the process is replaced, bytes: a later case cannot be told apart from what is there.
 */
const GROWN = 400 * 2 ** 20;

export class Session {
  #child;
  #cases = 0;
  #id = 0;

  /**
   * What a command line did: { code, out, ms, rss }, or { died } with the signal or exit code, or { hung }.
   */
  async run(args, cwd, mostMs) {
    if (!this.#child || this.#cases >= CASES) await this.#restart();
    this.#cases++;
    const child = this.#child;
    const id = `${process.pid}-${this.#id++}`;
    const result = await new Promise((resolve) => {
      const timer = setTimeout(() => finish({ hung: true }), mostMs);
      const onMessage = (message) => {
        if (message.id === id) finish(message);
      };
      const onExit = (code, signal) => finish({ died: signal ?? code });
      const finish = (value) => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        resolve(value);
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.send({ id, args, cwd });
    });
    if (result.hung || result.died !== undefined || result.rss > GROWN) this.close();
    return result;
  }

  async #restart() {
    this.close();
    const child = fork(host, [], {
      execArgv: ['--expose-gc'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    await new Promise((resolve) => {
      child.once('message', resolve);
    });
    this.#child = child;
    this.#cases = 0;
  }

  close() {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}
