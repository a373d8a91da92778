/** Frames as the files of a run folder, and back: the same on disk and in the page. */
import type { ParticleFrame, SurfaceFrame, VolumeFrame } from '../mesh/fields.ts';
import { validateParticleFrame, validateSurfaceFrame } from './check-frame.ts';
import { type PlyOptions, readPly, readPlyPoints, writePly, writePlyPoints } from './ply.ts';
import { writeVtu } from './vtu.ts';

/** A frame of surface/ */
export function encodeSurface(frame: SurfaceFrame, options: PlyOptions = {}): Uint8Array<ArrayBuffer> {
  const { mesh, vertexFields, faceFields, parts } = frame;
  return writePly(mesh, vertexFields, faceFields, { ...options, parts });
}

/** Reads a frame of surface/, whole and without NaN; throws an InputError that names the first defect. */
export function decodeSurface(bytes: Uint8Array, file: string): SurfaceFrame {
  const mesh = readPly(bytes, file);
  const { attributes: vertexFields, faceAttributes: faceFields, parts } = mesh;
  const frame = { mesh, vertexFields, faceFields, ...(parts && { parts }) };
  validateSurfaceFrame(frame, file);
  return frame;
}

/** A frame of volume/ */
export function encodeVolume({ mesh, vertexFields, cellFields }: VolumeFrame): Uint8Array<ArrayBuffer> {
  return writeVtu(mesh, vertexFields, cellFields);
}

/** A frame of particles/ */
export function encodeParticles(frame: ParticleFrame): Uint8Array<ArrayBuffer> {
  return writePlyPoints(frame);
}

/** Reads a frame of particles/ likewise. */
export function decodeParticles(bytes: Uint8Array, file: string): ParticleFrame {
  const frame = readPlyPoints(bytes, file);
  validateParticleFrame(frame, file);
  return frame;
}
