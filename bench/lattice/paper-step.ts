/**
 * One step at the paper's size: the dam break over the hemisphere in mid-splash, about 1.3 million tets
 * ([chentanez-2007] table 1: 287 s a frame, of which velocity and pressure 49, mesh 42, surface 196), stage
 * by stage, with the memory it takes.
 *
 * A run to that moment at full size takes half an hour, so a coarse run goes there and its surface and
 * velocities are carried to the fine lattice; the first fine step then makes the velocity divergence-free
 * there and does not count.
 */
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { buildMeshVelocity, type LiquidState } from '../../src/flow/liquid/state.ts';
import { AREA } from '../../src/flow/mesh/face-geometry.ts';
import { VelocitySampler, velocityValues } from '../../src/flow/velocity/mesh-velocity.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import { lattice } from '../../src/methods/lattice/lattice.ts';
import type { LatticeModel } from '../../src/methods/lattice/model.ts';
import type { Resources, StateRecord } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';
import type { Scene } from '../../src/scene/scene.ts';
import { SurfaceDistance } from '../../src/tracking/contouring/distance.ts';
import { SignSampler } from '../../src/tracking/contouring/signs.ts';

/** m, cells of the coarse run */
const COARSE = 0.04;
/** s, when the wave has passed the hemisphere, hit the far wall and fallen back */
const SPLASH = 0.75;
/** s: frames of a film, where the method's own limit is longer */
const LONGEST_STEP = 1 / 60;
const MEASURED_STEPS = 3;
/** Contouring cells around the coarse surface within which its distance is exact. */
const SEARCH_RINGS = 5;
/** The bounds of the project's acceptance table. */
const BOUNDS = { seconds: 19, gigabytes: 6 };

/** The coarse liquid as a shape and a velocity field. */
interface Splash {
  readonly shape: Implicit;
  readonly flow: VelocitySampler;
}

function runToSplash(scene: Scene, resources: Resources, note: (text: string) => void): Splash {
  const model = lattice.build(scene, resources);
  const state = lattice.start(model);
  const work = lattice.createWork(model);
  for (let time = 0; time < SPLASH; ) {
    const dt = Math.min(LONGEST_STEP, lattice.stableTimeStep(model, state), SPLASH - time + 1e-9);
    lattice.step(model, state, work, dt);
    time += dt;
    note(`coarse run: ${time.toFixed(3)} s`);
  }
  const flow = new VelocitySampler(
    velocityValues(buildMeshVelocity(model, state, 0, resources.heap.scope('splash'))),
  );
  const distance = new SurfaceDistance(state.derived.surfaceIndex);
  const signs = new SignSampler(state.signs);
  const far = SEARCH_RINGS * model.contour.walls.spacing;
  const shape: Implicit = {
    bounds: scene.domain,
    value(x, y, z) {
      const near = distance.signedDistance(x, y, z, SEARCH_RINGS);
      if (distance.found) return near;
      return signs.isInside(x, y, z) ? far : -far;
    },
  };
  return { shape, flow };
}

/** The splash on the lattice of a finer model, with the coarse velocities on its faces. */
function carryOver(model: LatticeModel, { flow }: Splash): LiquidState {
  const state = lattice.start(model);
  const { mesh, faceVelocity, derived } = state;
  const { faceVertex, faceCount } = derived.topology;
  const { faceForm, form } = derived.geometry;
  const centre = [0, 0, 0];
  for (let f = 0; f < faceCount; f++) {
    centre.fill(0);
    for (let n = 0; n < 9; n++)
      centre[n % 3] += mesh.position[3 * faceVertex[3 * f + Math.floor(n / 3)] + (n % 3)] / 3;
    flow.detailed(centre[0], centre[1], centre[2]);
    faceVelocity[f] =
      (flow.x * form[faceForm[f]] + flow.y * form[faceForm[f] + 1] + flow.z * form[faceForm[f] + 2]) /
      form[faceForm[f] + AREA];
  }
  state.faceAcceleration.fill(0);
  // What follows from the velocities is rebuilt by a restore.
  const record: StateRecord = lattice.save(state);
  const carried = lattice.restore(model, record);
  lattice.release!(state);
  return carried;
}

function measureSteps(model: LatticeModel, state: LiquidState, note: (text: string) => void): RefereeRow[] {
  const work = lattice.createWork(model);
  const step = () =>
    lattice.step(model, state, work, Math.min(LONGEST_STEP, lattice.stableTimeStep(model, state)));
  note('first step, not counted');
  step();
  const stage: Record<string, number> = {};
  let total = Number.POSITIVE_INFINITY;
  let processor = Number.POSITIVE_INFINITY;
  let iterations = 0;
  for (let n = 0; n < MEASURED_STEPS; n++) {
    note(`step ${n + 1} of ${MEASURED_STEPS}`);
    work.clock.reset();
    const before = process.cpuUsage();
    const start = performance.now();
    const report = step();
    total = Math.min(total, performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    processor = Math.min(processor, (user + system) / 1000);
    iterations = Math.max(iterations, report.solver['pressure'].iterations);
    for (const [name, ms] of Object.entries(work.clock.milliseconds))
      stage[name] = Math.min(stage[name] ?? Number.POSITIVE_INFINITY, ms);
  }
  const { tetCount } = state.mesh;
  return [
    reportRow('tets', tetCount, ''),
    reportRow('surface triangles', state.surface.triangleCount, ''),
    atMost('step, best of three', total / 1000, BOUNDS.seconds, 's'),
    reportRow('step, processor time', processor / 1000, 's'),
    ...Object.entries(stage).map(([name, ms]) => reportRow(`  ${name}`, ms / 1000, 's')),
    reportRow('pressure iterations', iterations, ''),
    reportRow(
      'heap at most, making the state included',
      Math.round(model.heap.peakBytes / tetCount),
      'bytes per tet',
    ),
    atMost('resident at most', process.resourceUsage().maxRSS / 1e6, BOUNDS.gigabytes, 'GB'),
  ];
}

export const paperStepCases: RefereeCase[] = [
  {
    name: 'paper-step',
    method: 'lattice',
    title: 'one step of the dam break over the hemisphere at the size of the paper',
    onRequest: true,
    async run({ createResources, loadScene, note }) {
      const coarse = await loadScene('lattice/hemisphere', { sets: [`resolution=${COARSE}`] });
      const splash = runToSplash(coarse.scene, await createResources(), note);
      const paper = await loadScene('lattice/hemisphere', { setting: 'paper' });
      const liquids = paper.scene.liquids.map((liquid) => ({ ...liquid, shape: splash.shape }));
      const model = lattice.build({ ...paper.scene, liquids }, await createResources());
      note('carrying the splash to the fine lattice');
      return measureSteps(model, carryOver(model, splash), note);
    },
  },
];
