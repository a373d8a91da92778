/** The flow of potentials whose flow is known, on spheres: fluxes, velocities, energy. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import type { Resources } from '../../../src/methods/method.ts';
import { buildBody, findBodies } from '../../../src/methods/surface/liquid/body.ts';
import { addViscosity, smoothMisses } from '../../../src/methods/surface/liquid/damping.ts';
import { createFlow, solveFlow } from '../../../src/methods/surface/liquid/flow.ts';
import { computeGradients, createGradients } from '../../../src/methods/surface/liquid/gradients.ts';
import { measureVolume } from '../../../src/methods/surface/liquid/moments.ts';
import { buildMultiMesh, joinTriangles } from '../../../src/tracking/multimaterial/build.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';

const resources: Resources = { heap: createHeap(), threads: createSingleThread() };
const ACCURATE = { residual: 1e-8, sums: 1e-7 };

/** The flow of a potential on a sphere, or on one that is so much longer along z. */
function flowOf(levels: number, potentialAt: (x: number, y: number, z: number) => number, stretch = 1) {
  const sphere = buildSpheres([{ levels }]);
  const position = Float64Array.from(sphere.position, (x, c) => (c % 3 === 2 ? stretch * x : x));
  const mesh = buildMultiMesh({ ...sphere, position });
  const scope = resources.heap.scope('test');
  const body = buildBody(mesh, findBodies(mesh).faces[0], scope);
  const gradients = createGradients(body, scope);
  computeGradients(body, resources.threads, gradients);
  const flow = createFlow(body, scope);
  const potential = scope.f64(body.vertexCount);
  const p = body.position;
  for (let v = 0; v < body.vertexCount; v++) potential[v] = potentialAt(p[3 * v], p[3 * v + 1], p[3 * v + 2]);
  const report = solveFlow(resources, { body, gradients, cavities: [] }, potential, ACCURATE, flow);
  return { body, gradients, flow, potential, report };
}

describe('a translation', () => {
  const { body, flow, report } = flowOf(3, (x, y, z) => x + 2 * y - z);
  const u = [1, 2, -1];

  it('is solved for in few iterations', () => {
    expect(report.converged).toBe(true);
    expect(report.iterations).toBeLessThan(12);
  });

  it('has its own velocity at every vertex', () => {
    let worst = 0;
    flow.velocity.forEach((x, c) => {
      worst = Math.max(worst, Math.abs(x - u[c % 3]));
    });
    // Sharpened fluxes of flat faces; without the mean flow's own path (moments.ts) it would be what is left.
    expect(worst).toBeLessThan(0.02 * Math.hypot(...u));
  });

  it('has as much energy as the liquid has volume', () => {
    const { potential } = flowOf(3, (x) => x);
    expect(potential.length).toBe(body.vertexCount);
    const { flow: along, gradients } = flowOf(3, (x) => x);
    let energy = 0;
    potential.forEach((phi, v) => {
      energy += 0.5 * phi * along.flux[v];
    });
    let volume = 0;
    for (let n = 0; n < body.position.length; n++)
      volume += (body.position[n] * gradients.volumeGradient[n]) / 3;
    expect(Math.abs(energy / (volume / 2) - 1)).toBeLessThan(5e-4);
  });
});

describe('x^2 - y^2', () => {
  /** Mean of n . grad over phi / R, weighted by phi^2: 2 on a sphere; fluxes sharpened. */
  const measure = (levels: number) => {
    const { flow, gradients, potential } = flowOf(levels, (x, y) => x * x - y * y);
    let above = 0;
    let below = 0;
    potential.forEach((phi, v) => {
      above += phi * flow.sharpFlux[v];
      below += gradients.area[v] * phi * phi;
    });
    return Math.abs(above / below / 2 - 1);
  };

  it('has the flux of the formula to 0.5 per cent at 642 vertices, and converges', () => {
    const [coarse, fine] = [measure(2), measure(3)];
    expect(fine).toBeLessThan(0.005);
    // Sharpening leaves a difference of signs; its size falls as the square of the edge or faster.
    expect(fine).toBeLessThan(0.4 * coarse);
  });

  it('lets no liquid in or out', () => {
    const { flow } = flowOf(2, (x, y) => x * x - y * y + 0.3 * x);
    const sum = (x: Float64Array) => x.reduce((total, w) => total + w, 0);
    const size = flow.flux.reduce((total, w) => total + Math.abs(w), 0);
    expect(Math.abs(sum(flow.flux)) / size).toBeLessThan(1e-7);
    expect(Math.abs(sum(flow.sharpFlux)) / size).toBeLessThan(1e-7);
  });
});

describe('viscosity', () => {
  /** What it takes in a second over 2 nu int (grad grad phi)^2, which is 12 nu V for this potential. */
  const measure = (stretch: number) => {
    const { body, gradients, flow, potential } = flowOf(
      3,
      (x, y, z) => z * z - 0.5 * (x * x + y * y),
      stretch,
    );
    const { volume } = measureVolume(body, gradients);
    const [nu, dt] = [0.01, 1e-3];
    return addViscosity(body, gradients, flow, { nu, volume }, dt, potential) / (dt * 12 * nu * volume);
  };

  it('takes what the flow dissipates: of a sphere, of a plate, of a spindle', () => {
    expect(measure(1)).toBeCloseTo(1, 1);
    expect(measure(0.4)).toBeCloseTo(1, 1);
    expect(measure(3)).toBeCloseTo(1, 1);
  });
});

describe('what smooths unresolved flow', () => {
  const DT = 1e-4;
  /** Loss of energy per second over the energy, of a smooth flow with a speed of 2 at most. */
  const measure = (levels: number) => {
    const { body, gradients, flow, potential } = flowOf(levels, (x, y) => x * x - y * y);
    let energy = 0;
    potential.forEach((phi, v) => {
      energy += 0.5 * phi * flow.flux[v];
    });
    return smoothMisses(body, gradients, flow.velocity, flow.flux, DT, potential) / DT / energy;
  };

  it('takes next to nothing from flow that the mesh resolves, and less with every refinement', () => {
    const [coarse, middle, fine] = [1, 2, 3].map(measure);
    expect(coarse).toBeGreaterThan(0);
    expect(middle).toBeGreaterThan(0);
    expect(coarse / middle).toBeGreaterThan(8);
    expect(middle / fine).toBeGreaterThan(8);
    expect(fine).toBeLessThan(1e-3);
  });

  it('takes from a vertex that stands out at least what |u|^2 / 2 gives it', () => {
    const { body, gradients, flow, potential } = flowOf(3, () => 0);
    const v = body.triangle[0];
    potential[v] = 1;
    solveFlow(resources, { body, gradients, cavities: [] }, potential, ACCURATE, flow);
    const u = flow.motion.subarray(3 * v, 3 * v + 3);
    const gain = (DT * (u[0] ** 2 + u[1] ** 2 + u[2] ** 2)) / 2;
    smoothMisses(body, gradients, flow.velocity, flow.flux, DT, potential);
    expect((1 - potential[v]) / gain).toBeGreaterThan(0.7);
    expect((1 - potential[v]) / gain).toBeLessThan(5);
  });
});

describe('a bubble inside', () => {
  it('keeps its volume, by a pressure of its own', () => {
    const hollow = buildSpheres([{ levels: 1, radius: 0.4 }]);
    // Liquid in front, air behind.
    const label = Int32Array.from(hollow.label, (_, h) => (h % 2 === 0 ? 1 : 0));
    const mesh = buildMultiMesh(joinTriangles([buildSpheres([{ levels: 2 }]), { ...hollow, label }]));
    const bodies = findBodies(mesh);
    expect(bodies.count).toBe(1);
    expect(bodies.cavities[0]).toHaveLength(1);
    expect(Math.abs(bodies.volume[0] - (4 / 3) * Math.PI * (1 - 0.4 ** 3))).toBeLessThan(0.2);
    const scope = resources.heap.scope('test');
    const body = buildBody(mesh, bodies.faces[0], scope);
    const gradients = createGradients(body, scope);
    computeGradients(body, resources.threads, gradients);
    const flow = createFlow(body, scope);
    const potential = scope.f64(body.vertexCount);
    const isInner = (v: number) => Math.hypot(...body.position.subarray(3 * v, 3 * v + 3)) < 0.6;
    const inner: number[] = [];
    for (let v = 0; v < body.vertexCount; v++) {
      if (isInner(v)) inner.push(v);
      potential[v] = isInner(v) ? 1 : body.position[3 * v] ** 2;
    }
    const cavities = [Int32Array.from(inner)];
    solveFlow(resources, { body, gradients, cavities }, potential, ACCURATE, flow);
    const into = inner.reduce((sum, v) => sum + flow.flux[v], 0);
    const size = flow.flux.reduce((sum, w) => sum + Math.abs(w), 0);
    expect(Math.abs(into) / size).toBeLessThan(1e-6);
    // The constant that was there has gone, and something still flows.
    expect(Math.abs(potential[inner[0]] - 1)).toBeGreaterThan(0.1);
    expect(size).toBeGreaterThan(0.1);
  });
});
