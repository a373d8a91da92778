/**
 * Runs stirred.jsonc on all cores and writes stirred.glb: the liquid of every frame and the paddle, for
 * Blender or any viewer of glTF.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { buildSolidTracks, findUpAxis, getMethod, loadScene, methods, Run, writeGlb } from 'meniscus';
import { createResources } from 'meniscus/node';

const file = 'stirred.jsonc';
const text = await readFile(file, 'utf8');
const { scene, output, document } = await loadScene({ file, text }, { methods, readFile });

const resources = await createResources(); // one heap, a thread per core
const run = new Run({ method: getMethod(scene.method), scene, output, resources });
const frames = [];
for (const event of run.events()) {
  if (event.type !== 'frame' || !event.surface) continue;
  frames.push({ time: event.time, frame: event.surface });
  console.log(`frame ${event.frame}: ${event.surface.mesh.triangleCount} triangles`);
}
await resources.threads.close();

const { tracks: solids, notes } = await buildSolidTracks(document, readFile);
for (const note of notes) console.warn(note);
const bytes = await writeGlb(frames, { fps: scene.fps, solids, up: findUpAxis(scene.gravity) });
await writeFile('stirred.glb', bytes);
console.log(`${frames.length} frames on ${resources.threads.count} threads -> stirred.glb`);
