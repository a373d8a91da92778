/**
 * Packs a live run for keeping, beside the page: all its surfaces as one GLB file, or its run folder as a ZIP
 * file.
 */
import { Zip, ZipDeflate } from 'fflate';
import type { Vec3 } from '../../../src/core/types.ts';
import { decodeParticles, decodeSurface } from '../../../src/io/frame-files.ts';
import type { TimedFrame } from '../../../src/io/frames.ts';
import { writeGlb } from '../../../src/io/glb.ts';
import { findUpAxis } from '../../../src/io/up-axis.ts';
import { writePvd } from '../../../src/io/vtu.ts';
import { type FrameKind, frameFile } from '../../../src/run/folder-files.ts';
import { buildSolidTracks } from '../../../src/scene/solid-tracks.ts';

export interface SaveRequest {
  readonly kind: 'glb' | 'zip';
  /** The run's name, and its folder's in the ZIP file. */
  readonly name: string;
  readonly fps: number;
  /** Files of the run folder by their paths in it. */
  readonly files: ReadonlyMap<string, Blob>;
}

export type SaveReply = { readonly blob: Blob } | { readonly error: string };

const readBytes = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());
const readFrameNumber = (path: string): number => Number(/(\d+)\.\w+$/.exec(path)?.[1]);
const listFrames = (files: ReadonlyMap<string, Blob>, kind: FrameKind): string[] =>
  [...files.keys()].filter((path) => path.startsWith(`${kind}/`)).sort();

async function packGlb({ files, fps }: SaveRequest): Promise<Blob> {
  const frames: TimedFrame[] = [];
  for (const path of listFrames(files, 'surface')) {
    const number = readFrameNumber(path);
    const frame = decodeSurface(await readBytes(files.get(path)!), path);
    const points = files.get(frameFile('particles', number));
    const particles = points && decodeParticles(await readBytes(points), path);
    frames.push({ time: number / fps, frame, particles });
  }
  const { scene } = JSON.parse(await files.get('run.json')!.text()) as { scene: Record<string, unknown> };
  const { tracks } = await buildSolidTracks(scene, async (file) => readBytes(files.get(file)!));
  const gravity = scene['gravity'];
  const up = findUpAxis(Array.isArray(gravity) ? (gravity as unknown as Vec3) : [0, 0, 0]);
  return new Blob([await writeGlb(frames, { fps, solids: tracks, up })], { type: 'model/gltf-binary' });
}

async function packZip({ name, files, fps }: SaveRequest): Promise<Blob> {
  const volumes = listFrames(files, 'volume');
  const entries = volumes.map((file) => ({ file, time: readFrameNumber(file) / fps }));
  const all = new Map(files);
  if (volumes.length > 0) all.set('volume.pvd', new Blob([writePvd(entries)]));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part as Uint8Array<ArrayBuffer>);
  });
  for (const [path, blob] of all) {
    // The fastest level: coordinates hold little that can be packed closer.
    const entry = new ZipDeflate(`${name}/${path}`, { level: 1 });
    zip.add(entry);
    entry.push(await readBytes(blob), true);
  }
  zip.end();
  return new Blob(parts, { type: 'application/zip' });
}

self.onmessage = async ({ data }: MessageEvent<SaveRequest>) => {
  let reply: SaveReply;
  try {
    reply = { blob: await (data.kind === 'glb' ? packGlb(data) : packZip(data)) };
  } catch (error) {
    reply = { error: (error as Error).message };
  }
  self.postMessage(reply);
};
