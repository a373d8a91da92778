import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readSceneHeader } from '../scene/load.ts';
import { renderTable } from './format.ts';
import { listBundledScenes, showPath } from './paths.ts';

/** `meniscus scenes`: the bundled scenes. */
export function registerScenes(program: Command): void {
  program
    .command('scenes')
    .description('list the bundled scenes')
    .option('--json', 'as JSON on stdout')
    .action((flags: { json?: boolean }) => {
      const scenes = listBundledScenes().map(({ name, file }) => {
        const header = readSceneHeader({ file, text: readFileSync(file, 'utf8') });
        return {
          name,
          method: header.method,
          file: showPath(file),
          title: header.title,
          takes: header.takes,
          settings: header.settings,
        };
      });
      if (flags.json) {
        process.stdout.write(`${JSON.stringify(scenes, null, 2)}\n`);
        return;
      }
      const rows = scenes.map((s) => [s.name, s.method, s.title, s.takes, s.settings.join(', ')]);
      process.stdout.write(`${renderTable(['scene', 'method', 'title', 'takes', 'settings'], rows)}\n`);
      if (process.stdout.isTTY) process.stdout.write('run one with: meniscus run NAME\n');
    });
}
