import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Resources } from '../methods/method.ts';
import { readRegularFile } from '../run/node-files.ts';
import { methods } from '../run/registry.ts';
import type { SceneSource } from '../scene/document.ts';
import { type LoadedScene, loadScene } from '../scene/load.ts';
import { suggest } from '../scene/nearest.ts';

/** Where things are: the package, its bundled scenes, and scenes given by name or file. */

/** The package's own folder: this file runs from src/cli under vitest and from dist/src/cli when built. */
export const packageFolder: string = (() => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
})();

export const version: string = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version;

const scenesFolder = join(packageFolder, 'scenes');

export interface BundledScene {
  /** `lattice/dam-break` */
  readonly name: string;
  readonly file: string;
}

export function listBundledScenes(): BundledScene[] {
  if (!existsSync(scenesFolder)) return [];
  return (readdirSync(scenesFolder, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.jsonc'))
    .map((file) => ({
      name: file.slice(0, -'.jsonc'.length).split(sep).join('/'),
      file: join(scenesFolder, file),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The text of a scene given as a file or as the name of a bundled one. */
export function readScene(nameOrFile: string): SceneSource {
  const bundled = listBundledScenes();
  const found = bundled.find((s) => s.name === nameOrFile)?.file ?? nameOrFile;
  if (!existsSync(found) || !statSync(found).isFile()) {
    const isFile = /\.jsonc?$/.test(nameOrFile);
    const hint = isFile
      ? 'check the name of the file'
      : `${suggest(
          nameOrFile,
          bundled.map((s) => s.name),
        )} (meniscus scenes lists them all)`;
    throw new InputError(nameOrFile, isFile ? 'no such scene file' : 'no such scene', hint);
  }
  return { file: showPath(found), text: new TextDecoder().decode(readRegularFile(found, LIMITS.sceneBytes)) };
}

export interface SceneEdits {
  readonly sets?: readonly string[];
  readonly setting?: string | undefined;
}

/** Reads, validates and builds a scene with this program's methods and the disk's files. */
export function loadSceneFromDisk(
  source: SceneSource,
  edits: SceneEdits = {},
  resources?: () => Promise<Resources>,
): Promise<LoadedScene> {
  return loadScene(source, {
    methods,
    readFile: async (path) => readRegularFile(path, LIMITS.meshFileBytes),
    sets: edits.sets ?? [],
    setting: edits.setting,
    ...(resources && { resources }),
  });
}

/** A path as a person at this prompt would type it. */
export function showPath(path: string): string {
  const near = relative('', path);
  return near !== '' && !near.startsWith('..') ? near : path;
}
