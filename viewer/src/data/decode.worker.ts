/** The decoding worker: bytes of a frame in, arrays ready to draw out. */
import { decodeParticles } from '../../../src/io/frame-files.ts';
import { readPly } from '../../../src/io/ply.ts';
import { readVtu } from '../../../src/io/vtu.ts';
import type { DecodeReply, DecodeRequest } from './decoder.ts';
import { listBuffers } from './decoder.ts';
import { prepareParticles, prepareSurface, prepareVolume, toFields } from './prepare.ts';
import { readBytes } from './read-bytes.ts';
import type { FileRef } from './source.ts';
import type { FrameData, SurfaceData, VolumeData } from './types.ts';

const nameOf = (ref: FileRef): string =>
  typeof ref === 'string' ? ref.split('/').slice(-2).join('/') : ref.name;

async function decodeSurface(ref: FileRef): Promise<SurfaceData> {
  const file = readPly(await readBytes(ref), nameOf(ref));
  return prepareSurface({
    position: file.position,
    triangle: file.triangle,
    fields: toFields(file.attributes, file.faceAttributes),
    parts: file.parts,
  });
}

async function decodeVolume(ref: FileRef): Promise<VolumeData> {
  const file = readVtu(await readBytes(ref), nameOf(ref));
  return prepareVolume({
    position: file.mesh.position,
    tet: file.mesh.tet,
    fields: toFields(file.vertexFields, file.cellFields),
  });
}

self.onmessage = async (event: MessageEvent<DecodeRequest>) => {
  const { id, frame: index, surface, volume, particles } = event.data;
  try {
    const frame: FrameData = {
      index,
      surface: await decodeSurface(surface),
      volume: volume === null ? null : await decodeVolume(volume),
      particles:
        particles === null
          ? null
          : prepareParticles(decodeParticles(await readBytes(particles), nameOf(particles))),
    };
    const reply: DecodeReply = { id, frame };
    self.postMessage(reply, { transfer: listBuffers(frame) });
  } catch (error) {
    const reply: DecodeReply = { id, error: (error as Error).message };
    self.postMessage(reply);
  }
};
