/** Draws what the worker sends: one mesh whose vertices and triangles are replaced with every message. */
import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Message } from './messages.ts';

const status = document.querySelector<HTMLElement>('#status');
const renderer = new WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);

const scene = new Scene();
scene.background = new Color(0xdfe6ea);
const material = new MeshStandardMaterial({ color: 0x4d8fb3, roughness: 0.15 });
const water = new Mesh(new BufferGeometry(), material);
const sun = new DirectionalLight(0xffffff, 2.5);
sun.position.set(1, -1, 2);
scene.add(water, sun, new AmbientLight(0xffffff, 1));

// Scenes of meniscus are z up.
const camera = new PerspectiveCamera(40, 1, 0.01, 20);
camera.up.set(0, 0, 1);
camera.position.set(1.9, -1.1, 1.3);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target = new Vector3(0.5, 0.5, 0.25);

const draw = () => renderer.render(scene, camera);
const fit = () => {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
  draw();
};
addEventListener('resize', fit);
controls.addEventListener('change', draw);
controls.update();
fit();

let threads = '';
let frames = 0;
const worker = new Worker(new URL('./sim.worker.ts', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data.type === 'started') {
    frames = data.frames;
    threads = `${data.threads}${data.note && ` (${data.note})`}`;
  }
  if (data.type === 'surface') {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(data.position, 3));
    geometry.setIndex(new BufferAttribute(data.triangle, 1));
    geometry.computeVertexNormals();
    water.geometry.dispose();
    water.geometry = geometry;
    draw();
    say(`frame ${data.frame} of ${frames}, ${data.time.toFixed(2)} s, threads: ${threads}`);
  }
  if (data.type === 'failed') say(`failed: ${data.message}`);
};
worker.onerror = (event) => say(`failed: ${event.message}`);

function say(words: string): void {
  if (status) status.textContent = words;
}
