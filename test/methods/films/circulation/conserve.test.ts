/**
 * Conservative resampling: what a film's circulation adds up to stays through every kind of edit, on films,
 * curves and points, where interpolation alone changes it.
 */
import { describe, expect, it } from 'vitest';
import { NONE } from '../../../../src/core/types.ts';
import { collapseEdge } from '../../../../src/tracking/multimaterial/collapse.ts';
import { flipEdge } from '../../../../src/tracking/multimaterial/flip.ts';
import { improveMesh } from '../../../../src/tracking/multimaterial/improve.ts';
import { computeFaceArea } from '../../../../src/tracking/multimaterial/measure.ts';
import { faceOf } from '../../../../src/tracking/multimaterial/mesh.ts';
import type { OldPatch, VertexPolicy } from '../../../../src/tracking/multimaterial/policy.ts';
import { separateVertices } from '../../../../src/tracking/multimaterial/separate.ts';
import { smoothVertex } from '../../../../src/tracking/multimaterial/smooth.ts';
import { splitEdgeAt, splitFace } from '../../../../src/tracking/multimaterial/split.ts';
import { validateMesh } from '../../../../src/tracking/multimaterial/validate.ts';
import { at, buildShaken, EDGE, type Field, listRegions, listVertices, type Shaken } from './shaken-block.ts';

/** Waves of four edges' length, others in every region: what interpolation blurs. */
const wavy: Field = (region, x, y, z) =>
  Math.sin(25 * x + region) + Math.cos(22 * y - 2 * region) + Math.sin(20 * z + 3 * region);

/** Integral of the circulation over the film of each pair of regions. */
function sumUpFilms({ mesh, rows }: Shaken): Map<string, number> {
  const sums = new Map<string, number>();
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const [i, j] = [mesh.label[2 * f], mesh.label[2 * f + 1]].sort((a, b) => a - b);
    let mean = 0;
    for (let c = 3 * f; c < 3 * f + 3; c++) {
      const v = mesh.face[c];
      mean += (rows.value[rows.find(v, i)] - rows.value[rows.find(v, j)]) / 3;
    }
    sums.set(`${i} ${j}`, (sums.get(`${i} ${j}`) ?? 0) + mean * computeFaceArea(mesh, f));
  }
  return sums;
}

/** The largest change of a film's sum by an action. */
function measureChange(shaken: Shaken, act: (shaken: Shaken) => number, least: number): number {
  const before = sumUpFilms(shaken);
  expect(act(shaken)).toBeGreaterThan(least);
  validateMesh(shaken.mesh);
  let worst = 0;
  for (const [film, sum] of sumUpFilms(shaken)) worst = Math.max(worst, Math.abs(sum - before.get(film)!));
  return worst;
}

const slideAll = ({ mesh, tracker }: Shaken) =>
  listVertices(mesh).filter((v) => smoothVertex(tracker, v)).length;

const flipSome = ({ mesh, tracker }: Shaken) => {
  let done = 0;
  for (let e = 0; e < mesh.edgeFill; e += 5) if (mesh.isEdge(e) && flipEdge(tracker, e)) done++;
  return done;
};

/** Amid films: there a collapse moves no border. */
const collapseSome = ({ mesh, tracker }: Shaken) => {
  let done = 0;
  for (let e = 0; e < mesh.edgeFill; e += 3) {
    if (!mesh.isEdge(e)) continue;
    const [a, b] = [mesh.edgeVertex[2 * e], mesh.edgeVertex[2 * e + 1]];
    const isAmid = [a, b].every((v) => listRegions(mesh, v).length === 2 && isOnOnePlane(mesh, v));
    if (isAmid && collapseEdge(tracker, e)) done++;
  }
  return done;
};

/** Neither on the block's edges nor at its corners. */
const isOnOnePlane = (mesh: Shaken['mesh'], v: number) =>
  at(mesh, v).filter((x) => Math.abs(2 * x - Math.round(2 * x)) < 1e-9).length === 1;

/** Off their middles, curves too: as merging does. */
const splitSome = ({ mesh, tracker }: Shaken) => {
  let done = 0;
  const [edges, faces] = [mesh.edgeFill, mesh.faceFill];
  for (let e = 0; e < edges; e += 7) if (splitEdgeAt(tracker, e, 0.3, 'safety') !== NONE) done++;
  for (let f = 0; f < faces; f += 11)
    if (mesh.isFace(f) && splitFace(tracker, f, 0.2, 0.3, 0.5, 'safety') !== NONE) done++;
  return done;
};

const findAmid = (mesh: Shaken['mesh']) =>
  listVertices(mesh).find((v) => listRegions(mesh, v).length === 2 && isOnOnePlane(mesh, v))!;

/** The faces of a vertex as they are, in the words of the tracker. */
function describePatch(mesh: Shaken['mesh'], v: number) {
  const old = { vertex: [] as number[], position: [] as number[], label: [] as number[] };
  const faces: number[] = [];
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
    const f = faceOf(c);
    faces.push(f);
    old.label.push(mesh.label[2 * f], mesh.label[2 * f + 1]);
    for (let d = 3 * f; d < 3 * f + 3; d++) {
      old.vertex.push(mesh.face[d]);
      old.position.push(...at(mesh, mesh.face[d]));
    }
  }
  return { old, faces };
}

describe('the sum of a film of waves', () => {
  it.each([
    ['slides', slideAll, 2000, { smoothAngle: 60 }],
    ['flips', flipSome, 250, {}],
    ['collapses', collapseSome, 500, { maxEdge: 1 }],
  ] as const)('is kept through %s, which change it by interpolation alone', (_, act, least, options) => {
    const interpolated = measureChange(buildShaken(wavy, { ...options, conserves: false }), act, least);
    expect(interpolated).toBeGreaterThan(2e-3);
    expect(measureChange(buildShaken(wavy, options), act, least)).toBeLessThan(1e-12);
  });

  it('is kept through splits, which do not change it', () => {
    expect(measureChange(buildShaken(wavy, {}), splitSome, 1000)).toBeLessThan(1e-12);
  });
});

describe('every edit that stands', () => {
  it('is told as a patch of faces once, T1s too', () => {
    const { mesh, tracker } = buildShaken(wavy, {
      minEdge: 0.64 * EDGE,
      maxEdge: 1.12 * EDGE,
      smoothAngle: 60,
      topology: true,
      contacts: true,
      separation: 0.3,
    });
    let [open, told] = [0, 0];
    const { onReplace, onReplaced } = tracker.policy;
    Object.assign(tracker.policy, {
      onReplace: (old: OldPatch) => {
        expect(open++).toBe(0);
        onReplace!(old);
      },
      onReplaced: (fresh: readonly number[]) => {
        expect(open--).toBe(1);
        for (const f of fresh) expect(mesh.isFace(f)).toBe(true);
        told++;
        onReplaced!(fresh);
      },
    } satisfies VertexPolicy);
    for (let n = 0; n < 3; n++) {
      improveMesh(tracker);
      separateVertices(tracker, 'area');
    }
    const done = Object.entries(tracker.events).filter(([name]) => !name.includes('refused'));
    for (const kind of ['split', 'collapse', 'flip', 'smooth', 'separate'])
      expect(tracker.events[kind]).toBeGreaterThan(30);
    expect(told).toBe(done.reduce((sum, [, count]) => sum + count, 0));
  });
});

describe('edits that do not keep all sums', () => {
  /** Edits of all kinds, T1s too, and how many of them were short. */
  const countShort = (field: Field) => {
    const short = { unmet: 0, held: 0, parted: 0 };
    const { tracker } = buildShaken(field, {
      minEdge: 0.64 * EDGE,
      maxEdge: 1.12 * EDGE,
      smoothAngle: 60,
      topology: true,
      separation: 0.3,
      onShort: (how) => short[how]++,
    });
    for (let n = 0; n < 3; n++) {
      improveMesh(tracker);
      separateVertices(tracker, 'area');
    }
    expect(tracker.events['collapse']).toBeGreaterThan(30);
    return short;
  };

  it('are counted where films are narrow, and where T1s make and end films', () => {
    const { unmet, parted } = countShort(wavy);
    expect(unmet).toBeGreaterThan(0);
    expect(parted).toBeGreaterThan(0);
  });

  it('are counted where the gradient asks for means that no place of the patch had', () => {
    const short: string[] = [];
    const slope: Field = (region, x, y, z) => region * (x + 2 * y + 3 * z);
    const { mesh, tracker } = buildShaken(slope, { onShort: (how) => short.push(how) });
    const v = findAmid(mesh);
    const { old, faces } = describePatch(mesh, v);
    tracker.policy.onReplace!(old);
    tracker.policy.onReplaced!(faces);
    expect(short).toEqual([]);
    // As if the patch had gone a long way along its film.
    const along = old.position.map((_, n) => old.position[3 + (n % 3)] - old.position[n % 3]);
    tracker.policy.onReplace!({ ...old, position: old.position.map((x, n) => x + 10 * along[n]) });
    tracker.policy.onReplaced!(faces);
    expect(short).toEqual(['held']);
  });

  it('are none where each region has one potential all over: only rounding is missing', () => {
    const { unmet, held } = countShort((region) => 1 / (region + 3));
    expect({ unmet, held }).toEqual({ unmet: 0, held: 0 });
  });
});

describe('a patch of no area', () => {
  it('leaves all potentials numbers', () => {
    const { mesh, rows, tracker } = buildShaken(wavy, { smoothAngle: 60 });
    const { old, faces } = describePatch(mesh, findAmid(mesh));
    tracker.policy.onReplace!(old);
    for (const w of new Set(old.vertex)) for (let k = 0; k < 3; k++) mesh.position[3 * w + k] = 0;
    tracker.policy.onReplaced!(faces);
    expect(rows.value.every(Number.isFinite)).toBe(true);
  });
});

describe('rims of openings', () => {
  it('are left alone: they carry no circulation', () => {
    const isOpening = (label: number) => label === 0;
    const shaken = buildShaken(wavy, { smoothAngle: 60, isOpening });
    const { mesh, rows, tracker } = shaken;
    const isRim = (v: number) => listRegions(mesh, v).includes(0);
    const inside = listVertices(mesh).filter((v) => v % 7 === 0 && !isRim(v));
    let [moved, changed] = [0, 0];
    for (const v of inside) {
      const before = rows.value.slice();
      if (!smoothVertex(tracker, v)) continue;
      moved++;
      for (const w of listVertices(mesh)) {
        const isSame = [...rows.value.subarray(rows.width * w, rows.width * (w + 1))].every(
          (value, n) => value === before[rows.width * w + n],
        );
        if (isRim(w)) expect(isSame).toBe(true);
        else if (!isSame) changed++;
      }
    }
    expect(moved).toBeGreaterThan(50);
    expect(changed).toBeGreaterThan(moved);
  });
});
