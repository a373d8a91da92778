import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { InputError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Implicit } from '../geometry/implicit.ts';
import { refuseRoundoff } from '../geometry/roundoff.ts';
import { writePly } from '../io/ply.ts';
import { writeVtu } from '../io/vtu.ts';
import { checkMeshSize } from '../mesh/lattice/estimate.ts';
import { DEFAULT_MAX_LEVEL, meshShape, type ShapeMesh } from '../mesh/lattice/mesh-shape.ts';
import { extractBoundary } from '../mesh/quality.ts';
import { buildTopology } from '../mesh/topology.ts';
import type { Resources } from '../methods/method.ts';
import { readRegularFile, writeFileWhole } from '../run/node-files.ts';
import { withResources } from '../run/node-resources.ts';
import { buildMeshShape } from '../scene/mesh-file.ts';
import { suggest } from '../scene/nearest.ts';
import { shapeSchema } from '../scene/schema.ts';
import { buildShape } from '../scene/shapes.ts';
import { formatCount, formatNumber } from './format.ts';
import { parsePositive, threadsOption } from './options.ts';

/** `meniscus mesh`: isosurface stuffing of a closed surface or a shape into tetrahedra. */
interface MeshFlags {
  size: number;
  output: string;
  interior: 'uniform' | 'graded';
  threads?: number;
  json?: boolean;
}

export function registerMesh(program: Command): void {
  program
    .command('mesh')
    .description('fill a closed surface with tetrahedra by isosurface stuffing')
    .argument(
      '<mesh or shape>',
      'an .obj, .ply or .stl file, a shape such as sphere:0.5 or box:1,1,2, or a shape of a scene as JSON',
    )
    .addOption(
      new Option('--size <h>', 'edge length of the tetrahedra at the surface, metres')
        .argParser(parsePositive)
        .makeOptionMandatory(),
    )
    .requiredOption(
      '-o, --output <file>',
      'F.vtu: tetrahedra, and the boundary beside it as F.ply; F.ply: only the boundary',
    )
    .addOption(
      new Option('--interior <kind>', 'coarser inside, or the same size throughout')
        .choices(['graded', 'uniform'])
        .default('graded'),
    )
    .addOption(threadsOption())
    .option('--json', 'figures as JSON on stdout')
    .action(meshCommand);
}

async function meshCommand(input: string, flags: MeshFlags): Promise<void> {
  const ending = extname(flags.output).toLowerCase();
  if (ending !== '.vtu' && ending !== '.ply') {
    throw new InputError(
      `-o ${flags.output}`,
      `cannot write "${ending}" files`,
      'expected a name ending in .vtu or .ply',
    );
  }
  await withResources(flags.threads, async (getResources) => {
    const resources = await getResources();
    const start = performance.now();
    const shape = await readShape(input, resources);
    const buildSeconds = (performance.now() - start) / 1000;
    refuseRoundoff(shape.bounds, flags.size, input, '--size');
    checkMeshSize(shape, flags.size, flags.interior === 'uniform' ? 0 : DEFAULT_MAX_LEVEL);
    const result = meshShape(shape, { size: flags.size, interior: flags.interior });
    const written = writeMesh(result, flags.output, ending);
    print(result, buildSeconds, written, flags);
  });
}

const shorthands: Readonly<Record<string, { usage: string; build: (n: number[]) => unknown }>> = {
  sphere: { usage: 'sphere:RADIUS', build: ([radius]) => ({ type: 'sphere', centre: [0, 0, 0], radius }) },
  box: {
    usage: 'box:X,Y,Z',
    build: (n) => ({ type: 'box', min: n.map((x) => -x / 2), max: n.map((x) => x / 2) }),
  },
  ellipsoid: {
    usage: 'ellipsoid:X,Y,Z',
    build: (radii) => ({ type: 'ellipsoid', centre: [0, 0, 0], radii }),
  },
  cylinder: {
    usage: 'cylinder:RADIUS,HEIGHT',
    build: ([radius, h]) => ({ type: 'cylinder', from: [0, 0, -h / 2], to: [0, 0, h / 2], radius }),
  },
  capsule: {
    usage: 'capsule:RADIUS,HEIGHT',
    build: ([radius, h]) => ({ type: 'capsule', from: [0, 0, -h / 2], to: [0, 0, h / 2], radius }),
  },
  torus: {
    usage: 'torus:MAJOR,MINOR',
    build: ([major, minor]) => ({ type: 'torus', centre: [0, 0, 0], major, minor }),
  },
};

/** A mesh file, `kind:numbers`, or a shape as a scene has it. */
async function readShape(input: string, resources: Resources): Promise<Implicit> {
  if (input.trimStart().startsWith('{')) return parseShape(input, () => JSON.parse(input), resources);
  if (existsSync(input))
    return buildMeshShape(readRegularFile(input, LIMITS.meshFileBytes), input, resources);
  const [kind, numbers] = input.split(':', 2);
  const shorthand = Object.hasOwn(shorthands, kind) ? shorthands[kind] : undefined;
  if (!shorthand) {
    const isFile = /\.\w+$/.test(input);
    const hint = isFile ? 'check the name of the file' : suggest(kind, Object.keys(shorthands));
    throw new InputError(input, isFile ? 'no such mesh file' : 'neither a mesh file nor a shape', hint);
  }
  const values = (numbers ?? '').split(',').map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  if (
    values.length !== shorthand.usage.split(',').length ||
    !values.every((x) => Number.isFinite(x) && x > 0)
  ) {
    throw new InputError(
      input,
      'cannot read the numbers of the shape',
      `expected ${shorthand.usage} in metres, each greater than 0`,
    );
  }
  return parseShape(input, () => shorthand.build(values), resources);
}

async function parseShape(input: string, read: () => unknown, resources: Resources): Promise<Implicit> {
  let data: unknown;
  try {
    data = read();
  } catch (cause) {
    throw new InputError(
      input,
      'not JSON',
      'expected a shape as in a scene: {"type":"sphere","centre":[0,0,0],"radius":1}',
      { cause },
    );
  }
  const parsed = shapeSchema.safeParse(data);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0];
    throw new InputError(
      input,
      `${path.join('.') || 'the shape'}: ${message}`,
      'expected a shape as in a scene',
    );
  }
  const loadMesh = async (file: string) =>
    buildMeshShape(readRegularFile(file, LIMITS.meshFileBytes), file, resources);
  const shape = await buildShape(parsed.data, [], loadMesh, (_, error) => {
    throw error;
  });
  return shape!;
}

function writeMesh(
  { mesh }: ShapeMesh,
  output: string,
  ending: string,
): { files: string[]; triangles: number } {
  const boundary = extractBoundary(mesh, buildTopology(mesh));
  const ply = ending === '.ply' ? output : `${output.slice(0, -ending.length)}.ply`;
  const files = [ply];
  writeFileWhole(ply, writePly(boundary), 'nothing was written');
  if (ending === '.vtu') {
    const level = { components: 1 as const, unit: '', values: Int32Array.from(mesh.tetLevel) };
    writeFileWhole(output, writeVtu(mesh, {}, { level }), `${ply} is complete`);
    files.unshift(output);
  }
  return { files, triangles: boundary.triangleCount };
}

function print(
  result: ShapeMesh,
  buildSeconds: number,
  written: { files: string[]; triangles: number },
  flags: MeshFlags,
): void {
  const { mesh, quality, timings } = result;
  const distance = buildSeconds + timings.distanceSeconds;
  const stuffing = timings.stuffingSeconds;
  const figures = {
    tets: mesh.tetCount,
    vertices: mesh.vertexCount,
    boundaryTriangles: written.triangles,
    volume: quality.volume,
    minDihedral: quality.minDihedral,
    maxDihedral: quality.maxDihedral,
    distanceSeconds: distance,
    stuffingSeconds: stuffing,
    tetsPerSecond: mesh.tetCount / (distance + stuffing),
    peakBytes: process.resourceUsage().maxRSS * 1024,
    files: written.files,
  };
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
    return;
  }
  const pace = (seconds: number) =>
    `${seconds.toFixed(3)} s  (${formatCount(mesh.tetCount / seconds)} tets/s)`;
  const lines = [
    `tetrahedra  ${pc.bold(formatCount(mesh.tetCount))} (${mesh.tetCount}), ${mesh.vertexCount} vertices, ${written.triangles} boundary triangles`,
    `distance    ${pace(distance)}`,
    `stuffing    ${pace(stuffing)}`,
    `together    ${pace(distance + stuffing)}`,
    `dihedral    ${quality.minDihedral.toFixed(2)} to ${quality.maxDihedral.toFixed(2)} degrees`,
    `volume      ${formatNumber(quality.volume, 8)} m^3`,
    `memory      ${(figures.peakBytes / 2 ** 30).toFixed(2)} GiB at most`,
    `written     ${written.files.join(', ')}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
