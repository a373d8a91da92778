/**
 * Pressure and particles of the flip method against formulas: orders, what must stay as it is, what must be
 * kept exactly.
 */

import { FlipMarch, GRAVITY } from '../../cases/flip/setup.ts';
import { SPIN, spinBall } from '../../cases/flip/spin.ts';
import { buildGradedMesh, solveBall } from '../../cases/flow/nodal-ball.ts';
import { atLeast, atMost, computeOrder, reportRow } from '../../cases/shared/rows.ts';
import { createRandom } from '../../src/core/random.ts';
import { box } from '../../src/geometry/shapes.ts';
import { buildParticles, measureSums } from '../../src/particles/particles.ts';
import { merge, split } from '../../src/particles/resample.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

const CELLS = [24, 48, 96];

async function judgePressure({ createResources, note }: RefereeContext): Promise<RefereeRow[]> {
  const { heap, threads } = await createResources();
  const rows: RefereeRow[] = [];
  const errors = CELLS.map((cells) => {
    note(`${cells} cells`);
    const scope = heap.scope('referee');
    const mesh = buildGradedMesh(scope, cells, 2);
    const ours = solveBall(threads, scope, mesh);
    const first = solveBall(threads, scope, mesh, 'none');
    const lossy = ours.system.lossyTets / ours.system.wetTet.length;
    scope.free();
    rows.push(
      atMost(`${cells} cells: tets that are extended`, 100 * lossy, 2, '%'),
      reportRow(`${cells} cells: pressure error, mean`, ours.pressureMean, 'of its most', 0),
      reportRow(`${cells} cells: velocity left, mean`, ours.velocityMean, 'of the given', 0),
      reportRow(`${cells} cells: pressure error without ghosts`, first.pressureMean, 'of its most', 0),
      reportRow(`${cells} cells: iterations`, ours.iterations, ''),
    );
    return { pressure: ours.pressureMean, velocity: ours.velocityMean, first: first.pressureMean };
  });
  const order = (name: 'pressure' | 'velocity' | 'first') =>
    computeOrder(1 / CELLS[0], errors[0][name], 1 / CELLS[2], errors[2][name]);
  return [
    ...rows,
    atLeast('order of the pressure', order('pressure'), 1.8, ''),
    atLeast('order of the velocity', order('velocity'), 0.9, ''),
    atMost('order of the pressure without ghosts', order('first'), 1.2, '', 1),
  ];
}

/** A million splits and merges in turn of particles that lie about at random. */
const ROUNDS = 1_000_000;
const MANY = 2000;

async function judgeSplitsAndMerges({ createResources }: RefereeContext): Promise<RefereeRow[]> {
  const { heap } = await createResources(1);
  const scope = heap.scope('referee');
  const random = createRandom(5);
  const particles = buildParticles(MANY + 1, scope);
  for (let p = 0; p < MANY; p++) {
    particles.volume[p] = 10 ** (-3 * random.next());
    for (let k = 0; k < 3; k++) {
      particles.position[3 * p + k] = random.next() - 0.5;
      particles.velocity[3 * p + k] = 1 + random.next();
    }
  }
  const before = measureSums(particles);
  const pair = buildParticles(2, scope);
  const put = (n: number, p: number) => {
    particles.volume[p] = pair.volume[n];
    for (let k = 0; k < 3; k++) {
      particles.position[3 * p + k] = pair.position[3 * n + k];
      particles.velocity[3 * p + k] = pair.velocity[3 * n + k];
    }
  };
  const direction = new Float64Array(3);
  for (let n = 0; n < ROUNDS; n++) {
    // One becomes two, the second of them in the empty place; then two others become one.
    const p = random.nextInt(MANY);
    const angle = 6.283185307179586 * random.next();
    direction.set([Math.cos(angle), Math.sin(angle), 0]);
    split(particles, p, direction, pair, 0);
    put(0, p);
    put(1, MANY);
    const q = random.nextInt(MANY);
    const other = (q + 1 + random.nextInt(MANY - 1)) % MANY;
    merge(particles, q, other, pair, 0);
    put(0, q);
    pair.volume[1] = particles.volume[MANY];
    for (let k = 0; k < 3; k++) {
      pair.position[3 + k] = particles.position[3 * MANY + k];
      pair.velocity[3 + k] = particles.velocity[3 * MANY + k];
    }
    put(1, other);
    particles.volume[MANY] = 0;
  }
  const after = measureSums(particles);
  const off = (name: 'momentum' | 'moment') =>
    Math.max(...after[name].map((x, k) => Math.abs(x - before[name][k]))) / before.volume;
  const rows = [
    atMost('volume', Math.abs(after.volume / before.volume - 1), 1e-12, '', 0),
    atMost('momentum, over volume', off('momentum'), 1e-12, 'm/s', 0),
    atMost('moment, over volume', off('moment'), 1e-12, 'm', 0),
  ];
  scope.free();
  return rows;
}

const POOL = { height: 0.32, cell: 0.08 };

/** A pool whose surface lies on a plane of the seeds, graded inside, for 10 sqrt(H/g). */
async function judgePool({ createResources }: RefereeContext): Promise<RefereeRow[]> {
  const { height, cell } = POOL;
  const march = new FlipMarch(
    {
      domain: { min: [0, 0, 0], max: [0.64, 0.64, 0.64] },
      resolution: cell,
      liquid: box([-1, -1, -1], [2, 2, height]),
    },
    await createResources(),
  );
  const scale = Math.sqrt(GRAVITY * height);
  const start = march.measure();
  let fastest = 0;
  while (march.state.time < 10 * Math.sqrt(height / GRAVITY)) {
    march.step(march.stableStep(1 / 30));
    fastest = Math.max(fastest, march.measure().maxSpeed / scale);
  }
  const end = march.measure();
  march.free();
  return [
    atMost('fastest particle', fastest, 1e-3, 'sqrt(gH)', 0),
    reportRow('at the end', end.maxSpeed / scale, 'sqrt(gH)', 0),
    reportRow('centre of mass has sunk by', (start.centreOfMass[2] - end.centreOfMass[2]) / height, 'H', 0),
  ];
}

function spin(
  transfer: 'flip' | 'apic',
  resources: { heap: FlipMarch['model']['heap']; threads: FlipMarch['model']['threads'] },
) {
  const march = spinBall(transfer, resources);
  const before = march.measure().angularMomentum[2];
  const about = () => {
    const { angularMomentum: l, momentum: m, centreOfMass: c } = march.measure();
    return l[2] - (c[0] * m[1] - c[1] * m[0]);
  };
  const from = about();
  // A free ball bulges as it spins: a tenth of a turn is what there is of rigid rotation.
  march.marchTo((0.1 * 2 * Math.PI) / SPIN, 0.02);
  const lost = 10 * (1 - about() / from);
  march.free();
  return { lost, before };
}

async function judgeSpin({ createResources, note }: RefereeContext): Promise<RefereeRow[]> {
  const resources = await createResources();
  note('flip');
  const flip = spin('flip', resources);
  note('apic');
  const apic = spin('apic', resources);
  return [
    atMost('angular momentum lost in a turn, flip', 100 * Math.abs(flip.lost), 5, '%', 0),
    atMost('angular momentum lost in a turn, apic', 100 * Math.abs(apic.lost), 1, '%', 0),
  ];
}

export const flipNumericsCases: RefereeCase[] = [
  {
    name: 'flip/pressure',
    title: 'potential in a ball whose surface crosses changes of level: orders',
    run: judgePressure,
  },
  {
    name: 'flip/split-merge',
    title: 'a million splits and merges keep volume, centre and momentum',
    run: judgeSplitsAndMerges,
  },
  {
    name: 'flip/still-pool',
    title: 'a graded pool lies still for 10 sqrt(H/g)',
    run: judgePool,
  },
  { name: 'flip/spin', method: 'flip', title: 'a spinning ball keeps its angular momentum', run: judgeSpin },
];
