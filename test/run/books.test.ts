import { describe, expect, test } from 'vitest';
import type { StepLedger } from '../../src/methods/ledger.ts';
import type { Diagnostics } from '../../src/methods/method.ts';
import { Books } from '../../src/run/books.ts';

const scene = {
  gravity: [0, 0, -10] as const,
  domain: { min: [0, 0, -1] as const, max: [1, 1, 1] as const },
};
const at = (time: number) => ({ frame: Math.ceil(10 * time), time, dt: 0.05 });

function open(diagnostics: Diagnostics): Books {
  const books = new Books(scene);
  books.open(diagnostics, { frame: 0, time: 0, dt: 0 });
  return books;
}

describe('volume', () => {
  test('begins with the start, and what a method does not name is unexplained', () => {
    const books = new Books(scene);
    const first = books.open({ volume: 2 }, { frame: 0, time: 0, dt: 0 });
    expect(first).toEqual({ volume: { start: 2 }, total: { volume: { start: 2 } }, volumeMeant: 2 });
    const ledger: StepLedger = { volume: { emitted: 0.5, transport: -0.25 } };
    const record = books.book({ volume: 2.125 }, ledger, at(0.05));
    expect(record.volume).toEqual({ emitted: 0.5, transport: -0.25, unexplained: -0.125 });
    expect(record.volumeMeant).toBe(2.5);
    const silent = books.book({ volume: 1.125 }, undefined, at(0.1));
    expect(silent.volume).toEqual({ unexplained: -1 });
    expect(silent.total.volume).toEqual({ start: 2, emitted: 0.5, transport: -0.25, unexplained: -1.125 });
  });

  test('a method without volume or energy has no account of them', () => {
    const books = open({ vertices: 3 });
    expect(books.book({ vertices: 3 }, undefined, at(0.05))).toEqual({ total: {} });
    expect(books.balance()).toEqual({ within: true });
  });

  test('what a poke does is meant, and no part of what the next step explains', () => {
    const books = open({ volume: 3, surfaceEnergy: 5 });
    books.poke({ volume: 3, surfaceEnergy: 5 }, { volume: 2, surfaceEnergy: 4 });
    const ledger: StepLedger = { volume: { transport: 0.5 }, energy: { rest: 'numerics' } };
    const { volume, energy, volumeMeant } = books.book(
      { volume: 2.5, surfaceEnergy: 4.25 },
      ledger,
      at(0.05),
    );
    expect(volume).toEqual({ transport: 0.5, popped: -1, unexplained: 0 });
    expect(energy).toEqual({ popped: -1, numerics: 0.25 });
    expect(volumeMeant).toBe(2);
  });
});

describe('energy', () => {
  const body = (kineticEnergy: number, height: number): Diagnostics => ({
    volume: 1,
    mass: 2,
    kineticEnergy,
    potentialEnergy: 20 * height,
  });

  test('gravity is what the potential energy loses, the rest is what the method says it is', () => {
    const books = open(body(0, 1));
    const { energy } = books.book(
      body(15, 0.25),
      { volume: {}, energy: { walls: 2, rest: 'numerics' } },
      at(0.05),
    );
    expect(energy).toEqual({ gravity: 15, walls: 2, numerics: -2 });
    const silent = books.book(body(20, 0), undefined, at(0.1));
    expect(silent.energy).toEqual({ gravity: 5, unexplained: 0 });
    expect(silent.total.energy).toEqual({ start: 0, gravity: 20, walls: 2, numerics: -2, unexplained: 0 });
  });

  test('what sources lift is no work of gravity', () => {
    const books = open(body(0, 0));
    const energy = { sources: 3, sourcePotential: 20, rest: 'numerics' } as const;
    const record = books.book(body(3, 1), { volume: { emitted: 0 }, energy }, at(0.05));
    expect(record.energy).toEqual({ gravity: 0, sources: 3, numerics: 0 });
  });

  test('heights count from the lowest corner of the domain, so the origin does not matter', () => {
    // 2 kg a metre above the corner at z = -1, under 10 m/s^2
    expect(open(body(4, 0)).balance().energy!.given).toBe(24);
  });
});

test('books that are saved and restored go on with the same bytes', () => {
  const books = open({ volume: 1, kineticEnergy: 0, potentialEnergy: 5, mass: 1 });
  const step = (of: Books, n: number) =>
    of.book(
      { volume: 1 + 0.1 * Math.sin(n), kineticEnergy: n, potentialEnergy: 5 - n / 3, mass: 1 },
      { volume: { emitted: 0.01 / n, transport: 1e-3 }, energy: { rest: n % 3 ? 'numerics' : 'work' } },
      at(0.05 * n),
    );
  for (let n = 1; n < 7; n++) step(books, n);
  books.poke(
    { volume: 1, kineticEnergy: 5, potentialEnergy: 4.5, mass: 1 },
    { volume: 0.9, kineticEnergy: 3, potentialEnergy: 4, mass: 1 },
  );
  const copy = new Books(scene);
  copy.restore(JSON.parse(JSON.stringify(books.save())));
  for (let n = 7; n < 15; n++) expect(JSON.stringify(step(copy, n))).toBe(JSON.stringify(step(books, n)));
  expect(JSON.stringify(copy.save())).toBe(JSON.stringify(books.save()));
  expect(copy.balance()).toEqual(books.balance());
  expect(copy.balance().within).toBe(false);
});
