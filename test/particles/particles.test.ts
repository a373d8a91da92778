import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { buildNeighbours, NeighbourQuery } from '../../src/particles/neighbours.ts';
import {
  buildParticles,
  countParticles,
  measureSums,
  radiusOfVolume,
  volumeOfRadius,
} from '../../src/particles/particles.ts';
import { merge, resample, split } from '../../src/particles/resample.ts';
import { openThreads } from '../threads.ts';

const { heap } = await openThreads();

function scatter(count: number, seed: number) {
  const scope = heap.scope('particles test');
  const random = createRandom(seed);
  const particles = buildParticles(count, scope);
  for (let p = 0; p < count; p++) {
    particles.volume[p] = volumeOfRadius(0.01 * 2 ** (5 * random.next()));
    for (let k = 0; k < 3; k++) {
      particles.position[3 * p + k] = 4 * random.next() - 1;
      particles.velocity[3 * p + k] = random.next() - 0.5;
    }
  }
  return { particles, scope, random };
}

describe('neighbours', () => {
  it('are all that a search of everyone finds, at any mix of sizes', () => {
    const { particles, scope, random } = scatter(2000, 1);
    const { position, volume } = particles;
    const radius = scope.f64(2000);
    for (let p = 0; p < 2000; p++) radius[p] = radiusOfVolume(volume[p]);
    const query = new NeighbourQuery(buildNeighbours(position, radius, scope.u8(0), scope));
    let found = 0;
    for (let n = 0; n < 100; n++) {
      const [x, y, z] = [0, 1, 2].map(() => 4 * random.next() - 1);
      const isNear = (p: number) =>
        Math.hypot(position[3 * p] - x, position[3 * p + 1] - y, position[3 * p + 2] - z) <
        0.1 + 2 * radius[p];
      query.ask(x, y, z, 0.1, 2);
      const near = [...query.found.subarray(0, query.count)].filter(isNear).sort((a, b) => a - b);
      const all = Array.from({ length: 2000 }, (_, p) => p).filter(isNear);
      expect(near).toEqual(all);
      found += all.length;
    }
    expect(found).toBeGreaterThan(200);
    scope.free();
  });

  it('are members only', () => {
    const { particles, scope } = scatter(100, 2);
    const member = scope.u8(100);
    member[7] = 1;
    const radius = scope.f64(100).fill(0.05);
    const query = new NeighbourQuery(buildNeighbours(particles.position, radius, member, scope));
    query.ask(0, 0, 0, 10, 0);
    expect([...query.found.subarray(0, query.count)]).toEqual([7]);
    scope.free();
  });
});

describe('splitting and merging', () => {
  it('keep volume, momentum and centre through a hundred thousand', () => {
    const { particles, scope, random } = scatter(1000, 3);
    const before = measureSums(particles);
    const whole = buildParticles(1, scope);
    const pair = buildParticles(2, scope);
    const direction = Float64Array.from([0.6, 0, 0.8]);
    let lost = 0;
    const energy = () => {
      let sum = 0;
      for (let n = 0; n < 3000; n++)
        sum += 0.5 * particles.volume[Math.floor(n / 3)] * particles.velocity[n] ** 2;
      return sum;
    };
    const had = energy();
    for (let n = 0; n < 50_000; n++) {
      // Two become one, the one becomes two again.
      const p = random.nextInt(1000);
      const q = (p + 1 + random.nextInt(999)) % 1000;
      lost += merge(particles, p, q, whole, 0);
      split(whole, 0, direction, pair, 0);
      for (const [k, at] of [p, q].entries()) {
        particles.volume[at] = pair.volume[k];
        particles.position.set(pair.position.subarray(3 * k, 3 * k + 3), 3 * at);
        particles.velocity.set(pair.velocity.subarray(3 * k, 3 * k + 3), 3 * at);
      }
    }
    const after = measureSums(particles);
    expect(Math.abs(after.volume / before.volume - 1)).toBeLessThan(1e-12);
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(after.momentum[k] - before.momentum[k])).toBeLessThan(1e-12 * before.volume);
      expect(Math.abs(after.moment[k] - before.moment[k])).toBeLessThan(1e-11 * before.volume);
    }
    // What merging says it took is what is gone: nearly all of it, as all share one velocity in the end.
    expect(had - energy()).toBeCloseTo(lost, 12);
    expect(lost).toBeGreaterThan(0.9 * (had - 0.5 * before.volume * 0.01));
    scope.free();
  });

  it('bring particles to the volumes wanted, and leave those that have them', () => {
    const { particles, scope } = scatter(4000, 4);
    const wanted = volumeOfRadius(0.08);
    let now = particles;
    const before = measureSums(now);
    let rounds = 0;
    for (; rounds < 40; rounds++) {
      const count = countParticles(now);
      const wishes = { volume: new Float64Array(count).fill(wanted), normal: new Float64Array(3 * count) };
      const { particles: next, splits, merges } = resample(now, wishes, scope, scope);
      now = next;
      if (splits + merges === 0) break;
    }
    expect(rounds).toBeLessThan(40);
    const after = measureSums(now);
    expect(Math.abs(after.volume / before.volume - 1)).toBeLessThan(1e-12);
    let fit = 0;
    for (const v of now.volume) {
      expect(v).toBeLessThanOrEqual(1.6 * wanted);
      if (v >= 0.6 * wanted) fit++;
    }
    expect(fit / countParticles(now)).toBeGreaterThan(0.7);
    scope.free();
  });

  it('lay halves near the surface across its normal', () => {
    const { particles, scope } = scatter(50, 5);
    const volume = new Float64Array(50);
    const normal = new Float64Array(150);
    for (let p = 0; p < 50; p++) {
      volume[p] = particles.volume[p] / 2;
      normal.set([0.36, 0.48, 0.8], 3 * p);
    }
    const { particles: halves, splits } = resample(particles, { volume, normal }, scope, scope);
    expect(splits).toBe(50);
    for (let p = 0; p < 50; p++) {
      const [a, b] = [6 * p, 6 * p + 3];
      const apart = [0, 1, 2].map((k) => halves.position[b + k] - halves.position[a + k]);
      const length = Math.hypot(...apart);
      expect(length).toBeCloseTo(radiusOfVolume(particles.volume[p]), 12);
      expect(Math.abs(0.36 * apart[0] + 0.48 * apart[1] + 0.8 * apart[2]) / length).toBeLessThan(1e-12);
    }
    scope.free();
  });
});
