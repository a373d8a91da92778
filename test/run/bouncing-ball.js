/**
 * The least a method can be, to try the runner and the command line on: a ball of fixed shape that falls and
 * bounces, with a chaotic number in its state so that any mistake in resuming shows. Its options make it fail
 * on purpose. Plain JavaScript: the command line's tests load it into the built program
 * (test/e2e/with-bouncing-ball.js).
 */
import { z } from 'zod';

const options = z.object({
  stepSize: z.number().positive().default(0.004),
  /** Milliseconds that each step takes. */
  delay: z.number().nonnegative().default(0),
  /** From this step on the velocity is NaN. */
  nanAtStep: z.int().optional(),
  /** From this step on the solver fails for any dt above the limit. */
  divergeAtStep: z.int().optional(),
  divergeAbove: z.number().default(0),
  /** Whether the solver says that a shorter step would help it. */
  shorterStepHelps: z.boolean().optional(),
  /** This step throws half-way, as often as the method's `throws` says. */
  throwAtStep: z.int().optional(),
  /** Share of the first volume that is lost in each step, without a word in the ledger. */
  leak: z.number().default(0),
  needsBytes: z.number().default(1000),
});

// An octahedron: 6 vertices, 8 triangles, counter-clockwise seen from outside.
const corner = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1];
const triangle = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5];

function wait(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

export const bouncingBall = {
  /** How many more times `throwAtStep` throws. */
  throws: 0,
  /** States that were given up. */
  released: 0,
  name: 'ball',
  options,
  build: (scene) => ({ scene, options: scene.options, radius: scene.resolution }),
  start(model) {
    const { bounds } = model.scene.liquids[0].shape;
    const centre = bounds.min.map((x, i) => (x + bounds.max[i]) / 2);
    return {
      steps: 0,
      position: Float64Array.from(centre),
      velocity: Float64Array.from(model.scene.liquids[0].velocity),
      chaos: Float64Array.of(0.3),
    };
  },
  createWork: () => {
    const milliseconds = {};
    return {
      clock: {
        milliseconds,
        reset() {
          for (const name of Object.keys(milliseconds)) delete milliseconds[name];
        },
      },
    };
  },
  // Not a divisor of the frame, and changing with the state: the runner must even it out.
  stableTimeStep: (model, state) => model.options.stepSize * (0.75 + 0.5 * state.chaos[0]),
  step(model, state, work, dt) {
    const begin = performance.now();
    const { scene, options: o } = model;
    wait(o.delay);
    state.steps++;
    state.chaos[0] = 3.9 * state.chaos[0] * (1 - state.chaos[0]);
    let bounces = 0;
    for (let i = 0; i < 3; i++) {
      state.velocity[i] += scene.gravity[i] * dt;
      state.position[i] += state.velocity[i] * dt;
      if (state.position[i] < scene.domain.min[i] + model.radius && state.velocity[i] < 0) {
        state.velocity[i] *= -0.9;
        bounces++;
      }
    }
    if (o.nanAtStep !== undefined && state.steps >= o.nanAtStep) state.velocity[1] = Number.NaN;
    const fails = o.divergeAtStep !== undefined && state.steps >= o.divergeAtStep && dt > o.divergeAbove;
    work.clock.milliseconds.move = performance.now() - begin;
    const { shorterStepHelps } = o;
    const solver = {
      motion: { iterations: 3, residual: fails ? 1 : 1e-9, converged: !fails, shorterStepHelps },
    };
    if (state.steps === o.throwAtStep && bouncingBall.throws-- > 0) throw new Error('half-way');
    return { dt, solver, events: bounces > 0 ? { bounces } : {} };
  },
  surface(model, state) {
    const position = Float64Array.from(corner, (x, i) => model.radius * x + state.position[i % 3]);
    const velocity = Float32Array.from(corner, (_, i) => state.velocity[i % 3]);
    return {
      mesh: { vertexCount: 6, triangleCount: 8, position, triangle: Int32Array.from(triangle) },
      vertexFields: { velocity: { components: 3, unit: 'm/s', values: velocity } },
      faceFields: {},
    };
  },
  volume(model, state) {
    const tetCorner = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    const position = Float64Array.from(tetCorner, (x, i) => model.radius * x + state.position[i % 3]);
    return {
      mesh: { vertexCount: 4, tetCount: 1, position, tet: Int32Array.of(0, 1, 2, 3) },
      vertexFields: {},
      cellFields: { chaos: { components: 1, unit: '', values: state.chaos.slice() } },
    };
  },
  // Two drops of the ball's spray, one to either side.
  particles(model, state) {
    const position = Float64Array.from(
      { length: 6 },
      (_, i) => state.position[i % 3] + (i === 0 ? -1 : i === 3 ? 1 : 0) * model.radius,
    );
    const velocity = Float32Array.from({ length: 6 }, (_, i) => state.velocity[i % 3]);
    return {
      count: 2,
      position,
      fields: {
        velocity: { components: 3, unit: 'm/s', values: velocity },
        radius: { components: 1, unit: 'm', values: Float32Array.of(0.25, 0.5).map((r) => r * model.radius) },
      },
    };
  },
  measure: (model, state) => ({
    vertices: 6,
    triangles: 8,
    tets: 1,
    volume: (4 / 3) * model.radius ** 3 * Math.max(0, 1 - model.options.leak * state.steps),
    centreOfMass: [...state.position],
    maxSpeed: Math.hypot(...state.velocity),
  }),
  save: (state) => ({
    numbers: { steps: state.steps },
    arrays: { position: state.position, velocity: state.velocity, chaos: state.chaos },
  }),
  restore: (_, record) => ({
    steps: record.numbers.steps,
    position: record.arrays.position.slice(),
    velocity: record.arrays.velocity.slice(),
    chaos: record.arrays.chaos.slice(),
  }),
  release: () => {
    bouncingBall.released++;
  },
  estimate: (scene) => ({
    heapBytes: scene.options.needsBytes,
    elements: { tets: 1, triangles: 8 },
    timeStep: scene.options.stepSize,
  }),
};
