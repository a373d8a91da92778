/**
 * What the files of a run folder are called: the same on disk and in the page, which packs a folder of its
 * own.
 */
import type { LoadedScene } from '../scene/load.ts';
import { renameMeshFiles } from '../scene/shapes.ts';
import type { Snapshot } from './snapshot.ts';

/** What a run may keep of a frame, and the kind of file it is kept in. */
export const FRAME_KINDS = { surface: 'ply', volume: 'vtu', particles: 'ply' } as const;
export type FrameKind = keyof typeof FRAME_KINDS;

export const frameFile = (kind: FrameKind, frame: number): string =>
  `${kind}/${String(frame).padStart(6, '0')}.${FRAME_KINDS[kind]}`;

export const checkpointFile = ({ frame, step }: Pick<Snapshot, 'frame' | 'step'>): string =>
  `checkpoint/${String(Math.max(0, frame)).padStart(6, '0')}-${String(step).padStart(9, '0')}.ckpt`;

/** The scene's document with its mesh files named as the run folder has them. */
export function nameAssets(loaded: LoadedScene): Record<string, unknown> {
  return renameMeshFiles(loaded.document, (file) => assetFile(file, loaded.assets));
}

/** assets/NAME, with a number in front where two files share a name. */
export function assetFile(file: string, assets: ReadonlyMap<string, Uint8Array>): string {
  const index = [...assets.keys()].indexOf(file);
  const name = file.split(/[/\\]/).at(-1);
  return `assets/${index === 0 ? '' : `${index}-`}${name}`;
}
