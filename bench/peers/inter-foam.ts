/**
 * OpenFOAM's interFoam: volume of fluid on a uniform grid of cubes, without viscosity or tension and with
 * slip walls, as ours; air above, open at the top. Cells with their centre in a solid are left out of its
 * mesh. The clock runs over the solver alone.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Box } from '../../src/core/types.ts';
import type { BoxFlow, PeerFrame, PeerResult } from './box-flow.ts';
import { findProgram, runProgram } from './program.ts';

const WATER_DENSITY = 1000;
const AIR_DENSITY = 1.2;
/** Courant numbers of flow and interface: those of its own tutorial of a breaking dam. */
const COURANT = 1;
/** s; the step adapts from the first on */
const FIRST_STEP = 1e-3;
/** Where Debian's package keeps what its programs look for. */
const PROJECT = '/usr/share/openfoam';

export const findInterFoam = () => ['blockMesh', 'subsetMesh', 'interFoam'].every(findProgram);

/** The cells of the mesh in their order, x first, as centres. */
interface Grid {
  readonly counts: readonly [number, number, number];
  /** Place of each cell among those in the mesh, -1 in a solid */
  readonly place: Int32Array;
  centre(cell: number): [number, number, number];
}

export async function runInterFoam(flow: BoxFlow, folder: string, threads: number): Promise<PeerResult> {
  const root = join(folder, 'inter-foam');
  const grid = createGrid(flow);
  const parallel = threads > 1 && findProgram('mpirun');
  const write = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  write(describeCase(flow, grid.counts, threads));
  const run = (name: string, ...args: string[]) =>
    runProgram(name, args, root, {
      WM_PROJECT_DIR: PROJECT,
      OMPI_ALLOW_RUN_AS_ROOT: '1',
      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1',
    });
  await run('blockMesh');
  write({ 'constant/polyMesh/sets/kept': listKeptCells(grid) });
  await run('subsetMesh', '-overwrite', 'kept', '-patch', 'walls');
  write(describeStart(flow, grid));
  if (parallel) await run('decomposePar');
  const start = performance.now();
  if (parallel) await run('mpirun', '--oversubscribe', '-n', `${threads}`, 'interFoam', '-parallel');
  else await run('interFoam');
  const seconds = (performance.now() - start) / 1000;
  if (parallel) await run('reconstructPar', '-fields', '(alpha.water)');
  const frames: PeerFrame[] = [];
  for (let n = 0; n <= flow.frames; n++) {
    const time = n / flow.fps;
    frames.push({ time, ...measure(flow, grid, readField(join(root, nameTime(time), 'alpha.water'))) });
  }
  return { program: 'interFoam', seconds, frames };
}

/** The name of a time's folder: six digits, no zeros at the end. */
const nameTime = (time: number) => `${Number(time.toPrecision(6))}`;

function createGrid({ domain, solids, spacing }: BoxFlow): Grid {
  const counts = domain.min.map((low, axis) =>
    Math.round((domain.max[axis] - low) / spacing),
  ) as unknown as Grid['counts'];
  const [nx, ny, nz] = counts;
  const centre = (cell: number): [number, number, number] => {
    const at = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
    return at.map((n, axis) => domain.min[axis] + (n + 0.5) * spacing) as [number, number, number];
  };
  const place = new Int32Array(nx * ny * nz);
  let cells = 0;
  for (let cell = 0; cell < place.length; cell++) {
    const at = centre(cell);
    const isSolid = solids.some((box) => at.every((x, axis) => x >= box.min[axis] && x < box.max[axis]));
    place[cell] = isSolid ? -1 : cells++;
  }
  return { counts, place, centre };
}

/** Share of a cell that lies in a box. */
function measureShare(centre: readonly number[], spacing: number, box: Box): number {
  return centre.reduce((share, x, axis) => {
    const inside = Math.min(x + spacing / 2, box.max[axis]) - Math.max(x - spacing / 2, box.min[axis]);
    return (share * Math.max(inside, 0)) / spacing;
  }, 1);
}

/** Volume of water, and the largest x at which a row of cells passes from more than half water to less. */
function measure(flow: BoxFlow, { counts, place, centre }: Grid, share: Float64Array) {
  const { spacing } = flow;
  let volume = 0;
  let front = flow.domain.min[0];
  for (let cell = 0; cell < place.length; cell++) {
    if (place[cell] < 0) continue;
    const here = share[place[cell]];
    volume += here * spacing ** 3;
    if (here < 0.5) continue;
    const isLast = cell % counts[0] === counts[0] - 1;
    const next = isLast || place[cell + 1] < 0 ? undefined : share[place[cell + 1]];
    if (next !== undefined && next >= 0.5) continue;
    const reach = next === undefined ? 0.5 : (here - 0.5) / (here - next);
    front = Math.max(front, centre(cell)[0] + reach * spacing);
  }
  return { volume, front };
}

/** A field of numbers of a case in text: uniform, or one number a line. */
function readField(path: string): Float64Array {
  const text = readFileSync(path, 'utf8');
  const start = text.indexOf('(', text.indexOf('internalField')) + 1;
  return Float64Array.from(text.slice(start, text.indexOf(')', start)).trim().split(/\s+/), Number);
}

function listKeptCells({ place }: Grid): string {
  const kept: number[] = [];
  for (let cell = 0; cell < place.length; cell++) if (place[cell] >= 0) kept.push(cell);
  return `${header('cellSet', 'kept')}\n${kept.length} (\n${kept.join('\n')}\n)\n`;
}

/** Mesh, time, schemes, solvers and materials, by their paths. */
function describeCase(
  { domain, fps, frames, gravity }: BoxFlow,
  counts: Grid['counts'],
  threads: number,
): Record<string, string> {
  const [[ax, ay, az], [bx, by, bz]] = [domain.min, domain.max];
  return {
    'system/blockMeshDict': `${header('dictionary', 'blockMeshDict')}
vertices ((${ax} ${ay} ${az}) (${bx} ${ay} ${az}) (${bx} ${by} ${az}) (${ax} ${by} ${az})
          (${ax} ${ay} ${bz}) (${bx} ${ay} ${bz}) (${bx} ${by} ${bz}) (${ax} ${by} ${bz}));
blocks (hex (0 1 2 3 4 5 6 7) (${counts.join(' ')}) simpleGrading (1 1 1));
boundary (
  walls { type wall; faces ((0 3 2 1) (0 4 7 3) (1 2 6 5) (0 1 5 4) (3 7 6 2)); }
  top { type patch; faces ((4 5 6 7)); }
);
`,
    'system/controlDict': `${header('dictionary', 'controlDict')}
application interFoam; startFrom startTime; startTime 0; stopAt endTime; endTime ${frames / fps};
deltaT ${FIRST_STEP}; writeControl adjustableRunTime; writeInterval ${1 / fps}; writeFormat ascii;
writePrecision 8; timePrecision 6; runTimeModifiable no;
adjustTimeStep yes; maxCo ${COURANT}; maxAlphaCo ${COURANT}; maxDeltaT 1;
`,
    'system/fvSchemes': `${header('dictionary', 'fvSchemes')}
ddtSchemes { default Euler; }
gradSchemes { default Gauss linear; }
divSchemes
{
  div(rhoPhi,U) Gauss linearUpwind grad(U);
  div(phi,alpha) Gauss vanLeer;
  div(phirb,alpha) Gauss linear;
  div(((rho*nuEff)*dev2(T(grad(U))))) Gauss linear;
}
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
`,
    'system/fvSolution': `${header('dictionary', 'fvSolution')}
solvers
{
  "alpha.water.*" { nAlphaCorr 2; nAlphaSubCycles 1; cAlpha 1; MULESCorr yes; nLimiterIter 5;
    solver smoothSolver; smoother symGaussSeidel; tolerance 1e-8; relTol 0; }
  "pcorr.*" { solver PCG; preconditioner DIC; tolerance 1e-5; relTol 0; }
  p_rgh { solver PCG; preconditioner DIC; tolerance 1e-7; relTol 0.05; }
  p_rghFinal { solver PCG; preconditioner DIC; tolerance 1e-7; relTol 0; }
  "U.*" { solver smoothSolver; smoother symGaussSeidel; tolerance 1e-6; relTol 0; }
}
PIMPLE { momentumPredictor no; nOuterCorrectors 1; nCorrectors 3; nNonOrthogonalCorrectors 0; }
`,
    'system/decomposeParDict': `${header('dictionary', 'decomposeParDict')}
numberOfSubdomains ${threads};
method simple;
simpleCoeffs { n (1 ${threads} 1); delta 0.001; }
`,
    'constant/transportProperties': `${header('dictionary', 'transportProperties')}
phases (water air);
water { transportModel Newtonian; nu 0; rho ${WATER_DENSITY}; }
air { transportModel Newtonian; nu 0; rho ${AIR_DENSITY}; }
sigma 0;
`,
    'constant/turbulenceProperties': `${header('dictionary', 'turbulenceProperties')}
simulationType laminar;
`,
    'constant/g': `${header('uniformDimensionedVectorField', 'g')}
dimensions [0 1 -2 0 0 0 0];
value (${gravity.join(' ')});
`,
  };
}

/** The fields at the start, with what they do at the walls and the open top. */
function describeStart({ spacing, water }: BoxFlow, { place, centre }: Grid): Record<string, string> {
  const shares: number[] = [];
  for (let cell = 0; cell < place.length; cell++)
    if (place[cell] >= 0) shares.push(measureShare(centre(cell), spacing, water));
  const field = (
    name: string,
    kind: string,
    dimensions: string,
    [inside, walls, top]: readonly [string, string, string],
  ) => `${header(kind, name)}
dimensions [${dimensions}];
internalField ${inside};
boundaryField { walls { ${walls} } top { ${top} } }
`;
  return {
    '0/alpha.water': field('alpha.water', 'volScalarField', '0 0 0 0 0 0 0', [
      `nonuniform List<scalar> ${shares.length} (\n${shares.join('\n')}\n)`,
      'type zeroGradient;',
      'type inletOutlet; inletValue uniform 0; value uniform 0;',
    ]),
    '0/U': field('U', 'volVectorField', '0 1 -1 0 0 0 0', [
      'uniform (0 0 0)',
      'type slip;',
      'type pressureInletOutletVelocity; value uniform (0 0 0);',
    ]),
    '0/p_rgh': field('p_rgh', 'volScalarField', '1 -1 -2 0 0 0 0', [
      'uniform 0',
      'type fixedFluxPressure; value uniform 0;',
      'type totalPressure; p0 uniform 0; value uniform 0;',
    ]),
  };
}

const header = (kind: string, name: string) =>
  `FoamFile { version 2.0; format ascii; class ${kind}; object ${name}; }`;
