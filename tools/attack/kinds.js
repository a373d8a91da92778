/**
 * Input of kinds that once crashed, hung or was taken without a word: each must be refused, with exit code 2.
 * [name, args, files to write first]
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const unit = { version: 1, domain: { min: [0, 0, 0], max: [1, 1, 1] } };
const water = (more = {}, shape = { type: 'box', min: [0, 0, 0], max: [1, 1, 0.3] }) => ({
  ...{ ...unit, method: 'lattice', duration: 0.1, resolution: 0.1 },
  liquids: [{ shape }],
  ...more,
});
const tracking = (start, more = {}) => ({
  ...{ ...unit, method: 'tracking', duration: 0.1, resolution: 0.05 },
  tracking: { start, flows: [{ type: 'normal', speed: 0.1 }], timeStep: 0.01 },
  ...more,
});
const films = (start, more = {}) => ({
  ...{ ...unit, method: 'films', duration: 0.01, resolution: 0.05 },
  films: { start },
  ...more,
});
const flip = (more = {}, shape) => water({ method: 'flip', ...more }, shape);
const honey = (more = {}, shape) => water({ method: 'viscous', ...more }, shape);
const drops = (shapes, more = {}) => ({
  ...{ ...unit, method: 'surface', duration: 0.01, resolution: 0.05, gravity: [0, 0, 0] },
  liquids: shapes.map((shape) => ({ shape, material: 'water' })),
  ...more,
});
const ball = (centre, radius) => ({ type: 'sphere', centre, radius });
const mesh = (file, transform) => water({}, { type: 'mesh', file, ...(transform && { transform }) });

const crowd = Array.from({ length: 3000 }, (_, i) => ({
  shape: ball([(i % 50) / 50, (i / 50 / 60) % 1, 0.8], 0.05),
}));

/** What no method of liquids may take. */
const forEachLiquid = (name, scene) => ({
  [`${name}: a liquid outside the domain`]: scene({}, ball([5, 5, 5], 0.2)),
  [`${name}: a solid outside the domain`]: scene({ solids: [{ shape: ball([5, 5, 5], 0.2) }] }),
  [`${name}: an emitter outside the domain`]: scene({
    emitters: [{ shape: ball([5, 5, 5], 0.2), direction: [0, 0, 1], flow: 1 }],
  }),
  [`${name}: cells of half a millimetre`]: scene({ resolution: 0.0005 }),
  [`${name}: cells of 1e-9 m`]: scene({ resolution: 1e-9 }),
  [`${name}: a domain of 1e9 m`]: scene({ domain: { min: [0, 0, 0], max: [1e9, 1e9, 1e9] } }),
  [`${name}: 3,000 solids`]: scene({ solids: crowd }),
  [`${name}: 1e11 steps of frames`]: scene({ duration: 1e10 }),
  ...forEachSurface(name, scene),
  [`${name}: a solid at 1e30 m/s`]: scene({
    solids: [{ shape: ball([0.5, 0.5, 0.8], 0.15), motion: { translate: { velocity: [1e30, 0, 0] } } }],
  }),
  [`${name}: a nozzle that gives 1e15 m^3/s`]: scene({
    emitters: [{ shape: ball([0.5, 0.5, 0.8], 0.16), direction: [0, 0, -1], flow: 1e15 }],
  }),
});
/** And what none between walls may take. */
const forEachSurface = (name, scene) => ({
  [`${name}: a wall of a millimetre`]: scene({
    solids: [{ shape: { type: 'box', min: [0.5, 0, 0], max: [0.501, 1, 1] } }],
  }),
  [`${name}: a domain of 1e300 m`]: scene({ domain: { min: [0, 0, 0], max: [1e300, 1e300, 1e300] } }),
  [`${name}: liquid at 1e12 m/s`]: fast(scene(), 1e12),
  [`${name}: liquid at 1e300 m/s`]: fast(scene(), 1e300),
  [`${name}: a density of 1e-300`]: scene({
    materials: { water: { density: 1e-300, viscosity: 1, surfaceTension: 0.07 } },
  }),
});
const fast = (scene, speed) => ({
  ...scene,
  liquids: scene.liquids.map((liquid) => ({ ...liquid, velocity: [speed, 0, 0] })),
});

/** A tetrahedron of a size as OBJ. */
const tetrahedron = (s) =>
  `v 0 0 0\nv ${s} 0 0\nv 0 ${s} 0\nv 0 0 ${s}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`;
const ply = (header, body = '') => `ply\nformat ascii 1.0\n${header}\nend_header\n${body}`;
const points = 'property float x\nproperty float y\nproperty float z';
const corners = 'property list uchar int vertex_indices';

export const scenes = {
  'films in a box of 1e9 m': films([{ type: 'boxes', min: [0, 0, 0], max: [1e9, 1e9, 1e9] }]),
  'films as voronoi at 1e-9 m': films([{ type: 'voronoi', min: [0, 0, 0], max: [1, 1, 1], cells: 10 }], {
    resolution: 1e-9,
  }),
  'tracking as voronoi at 1e-9 m': tracking(
    [{ type: 'voronoi', min: [0, 0, 0], max: [1, 1, 1], cells: 10 }],
    { resolution: 1e-9 },
  ),
  'voronoi of 1e9 cells': tracking([{ type: 'voronoi', min: [0, 0, 0], max: [1, 1, 1], cells: 1e9 }]),
  'voronoi of 3,000 seeds at one place': tracking([
    {
      type: 'voronoi',
      min: [0, 0, 0],
      max: [1, 1, 1],
      cells: Array.from({ length: 3000 }, () => [0.5, 0.5, 0.5]),
    },
  ]),
  'a film on 3,000 rings at one place': films([{ type: 'bubble', centre: [0.5, 0.5, 0.5], radius: 0.2 }], {
    resolution: 0.02,
    films: {
      start: [{ type: 'bubble', centre: [0.5, 0.5, 0.5], radius: 0.2 }],
      wires: Array.from({ length: 3000 }, () => ({
        type: 'ring',
        centre: [0.5, 0.5, 0.5],
        axis: [0, 0, 1],
        radius: 0.2,
      })),
    },
  }),
  'a packing of 1e9 spheres': tracking([
    { type: 'sphere-packing', min: [0, 0, 0], max: [1, 1, 1], count: 1e9, radii: [1e-9, 1e-8], gap: 0 },
  ]),
  'spheres at one place': tracking([ball([0.5, 0.5, 0.5], 0.2), ball([0.5, 0.5, 0.5], 0.2)]),
  'spheres through each other': tracking([ball([0.4, 0.5, 0.5], 0.2), ball([0.6, 0.5, 0.5], 0.2)]),
  'a sphere in a sphere': tracking([ball([0.5, 0.5, 0.5], 0.3), ball([0.5, 0.5, 0.5], 0.1)]),
  'tracking outside the domain': tracking([ball([5, 5, 5], 0.2)]),
  'films outside the domain': films([{ type: 'bubble', centre: [5, 5, 5], radius: 0.2 }]),
  'a liquid outside the domain': water({}, ball([5, 5, 5], 0.2)),
  'a solid outside the domain': water({ solids: [{ shape: ball([5, 5, 5], 0.2) }] }),
  'an emitter outside the domain': water({
    emitters: [{ shape: ball([5, 5, 5], 0.2), direction: [0, 0, 1], flow: 1 }],
  }),
  'cells of 2 mm in a domain of metres': water({ resolution: 0.0005 }),
  'cells of 1e-9 m': water({ resolution: 1e-9 }),
  'a domain of 1e9 m': water({ domain: { min: [0, 0, 0], max: [1e9, 1e9, 1e9] } }),
  '3,000 solids': water({ solids: crowd }),
  'a union of 3,000 shapes': water({
    solids: [
      { shape: { type: 'union', shapes: Array.from({ length: 3000 }, () => ball([0.5, 0.5, 0.8], 0.1)) } },
    ],
  }),
  '1e11 steps of frames': water({ duration: 1e10 }),
  '1e9 steps of tracking': tracking([ball([0.5, 0.5, 0.5], 0.2)], { duration: 1e7 }),
  'a wall of a millimetre': water({
    solids: [{ shape: { type: 'box', min: [0.5, 0, 0], max: [0.501, 1, 1] } }],
  }),
  ...forEachSurface('lattice', water),
  ...forEachSurface('surface', (more = {}) => drops([ball([0.5, 0.5, 0.5], 0.2)], more)),
  ...forEachLiquid('flip', flip),
  ...forEachLiquid('viscous', honey),
  'flip with 20,000 boxes of cells of 1e-9 m': flip({
    flip: {
      sizing: {
        fields: Array.from({ length: 20_000 }, () => ({ min: [0, 0, 0], max: [1, 1, 1], size: 1e-9 })),
      },
    },
  }),
  'flip with a camera that looks at itself': flip({
    flip: { camera: { poses: [{ position: [0.5, 0.5, 0.5], target: [0.5, 0.5, 0.5] }] } },
  }),
  'flip with a camera that looks along its up': flip({
    flip: { camera: { poses: [{ position: [0.5, 0.5, 2], target: [0.5, 0.5, 0.5] }] } },
  }),
  'flip with a camera that goes back in time': flip({
    flip: {
      camera: {
        poses: [
          { time: 1, position: [0, 0, 1], target: [1, 1, 0] },
          { time: 0, position: [0, 1, 1], target: [1, 0, 0] },
        ],
      },
    },
  }),
  'flip with a camera without poses': flip({ flip: { camera: { poses: [] } } }),
  'flip with cells 1e9 levels larger': flip({ flip: { levels: 1e9 } }),
  'viscosity along a line of no length': honey({
    viscous: { viscosityField: { from: [0, 0, 0], to: [0, 0, 0], values: [1, 2] } },
  }),
  'a power law whose least viscosity is above its greatest': honey({
    materials: {
      water: {
        density: 1000,
        rheology: { type: 'power-law', consistency: 1, index: 0.5, least: 2, most: 1 },
      },
    },
  }),
  'no drop': drops([]),
  'a drop of 1e9 m': drops([ball([0, 0, 0], 1e9)]),
  'drops at one place': drops([ball([0.5, 0.5, 0.5], 0.2), ball([0.5, 0.5, 0.5], 0.2)]),
  'drops through each other': drops([ball([0.4, 0.5, 0.5], 0.2), ball([0.6, 0.5, 0.5], 0.2)]),
  'a drop in a drop': drops([ball([0.5, 0.5, 0.5], 0.3), ball([0.5, 0.5, 0.5], 0.1)]),
  '3,000 drops at one place': drops(Array.from({ length: 3000 }, () => ball([0.5, 0.5, 0.5], 0.2))),
  'drops of triangles of 1e-9 m': drops([ball([0.5, 0.5, 0.5], 0.2)], { resolution: 1e-9 }),
  'drops over a solid that they stick to': drops([ball([0.5, 0.5, 0.5], 0.2)], {
    solids: [{ shape: ball([0.5, 0.5, 0.1], 0.1), wall: 'no-slip' }],
  }),
  'a drop without tension': drops([ball([0.5, 0.5, 0.5], 0.2)], { materials: { water: { density: 1000 } } }),
  'a mesh of 65 m': mesh('large.obj'),
  'a mesh that is a device': mesh('/dev/zero'),
  'a mesh that is a pipe': mesh('pipe.ply'),
  'a mesh that is a folder': mesh('.'),
  'a mesh that is missing': mesh('nowhere.obj'),
  'PLY of 1e12 vertices': mesh('vertices.ply'),
  'PLY of 4e9 junk elements': mesh('junk.ply'),
  'PLY of 1e12 faces': mesh('faces.ply'),
  'OBJ with a polygon of 100,000 corners': mesh('polygon.obj'),
};
const files = {
  'large.obj': tetrahedron(65),
  'vertices.ply': ply(`element vertex 1000000000000\n${points}\nelement face 1\n${corners}`, '0 0 0\n'),
  'junk.ply': ply(
    `element vertex 4\n${points}\nelement face 4\n${corners}\nelement junk 4000000000`,
    '0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n',
  ),
  'faces.ply': ply(
    `element vertex 4\n${points}\nelement face 1000000000000\n${corners}`,
    '0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n',
  ),
  'polygon.obj': `${tetrahedron(0.5)}f${' 1 2 3 4'.repeat(25000)}\n`,
};

const nested = (depth) =>
  `${'{"type":"union","shapes":['.repeat(depth)}${JSON.stringify(ball([0.5, 0.5, 0.5], 0.2))}${']}'.repeat(depth)}`;

/** Writes what the kinds need into a folder; gives [name, args] of each. */
export function prepareKinds(folder) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  spawnSync('mkfifo', [join(folder, 'pipe.ply')]);
  const cases = Object.entries(scenes).map(([name, scene], n) => {
    const file = `kind-${n}.jsonc`;
    writeFileSync(join(folder, file), JSON.stringify(scene));
    return [name, ['check', file]];
  });
  writeFileSync(
    join(folder, 'deep.jsonc'),
    JSON.stringify(water()).replace(/"shape":\{.*?\]\}/, `"shape":${nested(3000)}`),
  );
  writeFileSync(join(folder, 'fine.jsonc'), JSON.stringify(water()));
  return [
    ...cases,
    ['nesting 3,000 deep', ['check', 'deep.jsonc']],
    ['nesting 3,000 deep by --set', ['check', 'fine.jsonc', '--set', `liquids[0].shape=${nested(3000)}`]],
    ['a dam break of 2 mm cells', ['check', 'lattice/dam-break', '--set', 'resolution=0.002']],
    ['100,000 threads', ['run', 'fine.jsonc', '--threads', '100000', '-o', 'threads']],
    ['mesh of 29 million tets', ['mesh', 'sphere:0.5', '--size', '0.002', '-o', 'out.ply']],
    ['mesh of a device', ['mesh', '/dev/zero', '--size', '0.1', '-o', 'out.ply']],
    ['mesh of a pipe', ['mesh', 'pipe.ply', '--size', '0.1', '-o', 'out.ply']],
    ['mesh of too many junk elements', ['mesh', 'junk.ply', '--size', '0.1', '-o', 'out.ply']],
  ];
}
