import { spawn } from 'node:child_process';
import { type Command, InvalidArgumentError } from 'commander';
import { RunFolder } from '../run/node-folder.ts';
import { startViewServer } from './view-server.ts';

/** `meniscus view [DIR]`: the web viewer on localhost, until Ctrl-C. */
interface ViewFlags {
  port?: number;
  open: boolean;
}

export function registerView(program: Command): void {
  program
    .command('view')
    .description('open the web viewer: a run, or without DIR the runs below ./runs and live scenes')
    .argument('[dir]', 'run folder')
    .option('--port <n>', 'port to serve on; default: any free one', parsePort)
    .option('--no-open', 'print the address without opening a browser')
    .action(async (folder: string | undefined, flags: ViewFlags) => {
      if (folder !== undefined) RunFolder.open(folder);
      const server = await startViewServer({
        run: folder,
        runs: folder === undefined ? 'runs' : undefined,
        port: flags.port,
      });
      process.stdout.write(`${server.url}\n`);
      process.stderr.write('Ctrl-C stops the viewer.\n');
      if (flags.open) openBrowser(server.url);
      await new Promise<void>((stop) => {
        process.once('SIGINT', stop);
        process.once('SIGTERM', stop);
      });
      await server.close();
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (text.trim() === '' || !Number.isInteger(port) || port < 0 || port > 65535) {
    throw new InvalidArgumentError('expected a port from 0 to 65535.');
  }
  return port;
}

/** The system's own way to open an address; where there is none, the printed address has to do. */
function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () =>
    process.stderr.write('No browser could be opened here: open the address above yourself.\n'),
  );
  child.unref();
}
