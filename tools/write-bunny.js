/**
 * Writes scenes/meshes/bunny.obj from the npm package "bunny" (a development dependency): the Stanford bunny
 * as a closed mesh, turned z up, standing on z = 0, 1 m high, centred over the origin. The file is committed,
 * so that scenes work without it.
 */
import { writeFileSync } from 'node:fs';
import bunny from 'bunny';

// The package has y up; x stays, so that the bunny keeps its handedness.
const turned = bunny.positions.map(([x, y, z]) => [x, -z, y]);
const low = [0, 1, 2].map((a) => Math.min(...turned.map((p) => p[a])));
const high = [0, 1, 2].map((a) => Math.max(...turned.map((p) => p[a])));
const origin = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]];
const scale = 1 / (high[2] - low[2]);
const position = turned.map((p) => p.map((x, a) => ((x - origin[a]) * scale).toFixed(5)));

// Corners that no triangle names would only be carried along.
const used = [...new Set(bunny.cells.flat())].sort((a, b) => a - b);
const number = new Map(used.map((v, n) => [v, n + 1]));
const lines = [
  '# The Stanford bunny: Stanford University Computer Graphics Laboratory (Turk and Levoy, 1994).',
  '# From the npm package "bunny" by Mikola Lysenko, marked public domain there; closed. z up, 1 m high, on z = 0.',
  '# Written by tools/write-bunny.js.',
  ...used.map((v) => `v ${position[v].join(' ')}`),
  ...bunny.cells.map((cell) => `f ${cell.map((v) => number.get(v)).join(' ')}`),
];
const file = new URL('../scenes/meshes/bunny.obj', import.meta.url);
writeFileSync(file, `${lines.join('\n')}\n`);
