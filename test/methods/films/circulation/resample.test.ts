/**
 * Circulation through remeshing: what is linear in place on flat films stays so, what is constant stays
 * constant.
 */
import { describe, expect, it } from 'vitest';
import { NONE } from '../../../../src/core/types.ts';
import { createResampling } from '../../../../src/methods/films/circulation/resample.ts';
import { collapseEdge } from '../../../../src/tracking/multimaterial/collapse.ts';
import { improveMesh } from '../../../../src/tracking/multimaterial/improve.ts';
import { nextCorner, previousCorner } from '../../../../src/tracking/multimaterial/mesh.ts';
import { separateVertices } from '../../../../src/tracking/multimaterial/separate.ts';
import { smoothVertex } from '../../../../src/tracking/multimaterial/smooth.ts';
import { splitEdge } from '../../../../src/tracking/multimaterial/split.ts';
import { validateMesh } from '../../../../src/tracking/multimaterial/validate.ts';
import {
  at,
  buildShaken,
  EDGE,
  type Field,
  isFlat,
  listCutVertices,
  listRegions,
  listVertices,
  type Shaken,
} from './shaken-block.ts';

/** Another slope in every region. */
const linear: Field = (region, x, y, z) =>
  3 * region + Math.cos(region) * x + Math.sin(region) * y + Math.cos(2 * region) * z;

/** Bounds at which every kind of edit is called for. */
const BUSY = { minEdge: 0.64 * EDGE, maxEdge: 1.12 * EDGE, smoothAngle: 60 };

/**
 * Largest distance of a circulation at a vertex of its film from that of the field, but for the
 * neighbourhoods of faces that cut the block's edges off: there it is not linear along the film.
 */
function measureMiss({ mesh, rows }: Shaken, field: Field): number {
  const cut = listCutVertices(mesh);
  let worst = 0;
  for (const v of listVertices(mesh)) {
    if (cut.some((w) => distance(at(mesh, v), at(mesh, w)) < 2 * EDGE)) continue;
    const [first, ...others] = listRegions(mesh, v);
    const miss = (region: number) => rows.value[rows.find(v, region)] - field(region, ...at(mesh, v));
    for (const other of others) worst = Math.max(worst, Math.abs(miss(first) - miss(other)));
  }
  return worst;
}

const distance = (a: readonly number[], b: readonly number[]) =>
  Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

describe('a circulation linear in place on flat films', () => {
  it('is the same after splits where subdivision puts them, of curves too', () => {
    const shaken = buildShaken(linear, {});
    const fill = shaken.mesh.edgeFill;
    let done = 0;
    for (let e = 0; e < fill; e += 7) if (splitEdge(shaken.tracker, e) !== NONE) done++;
    expect(done).toBeGreaterThan(0.9 * Math.floor(fill / 7));
    validateMesh(shaken.mesh);
    expect(measureMiss(shaken, linear)).toBeLessThan(1e-12);
  });

  it('is the same after collapses, into curves too', () => {
    const shaken = buildShaken(linear, { maxEdge: 1 });
    const before = shaken.mesh.vertexCount;
    for (let e = 0; e < shaken.mesh.edgeFill; e += 7)
      if (shaken.mesh.isEdge(e)) collapseEdge(shaken.tracker, e);
    expect(shaken.mesh.vertexCount).toBeLessThan(0.8 * before);
    const left = listVertices(shaken.mesh).filter((v) => !isFlat(shaken.mesh, v));
    expect(left.length).toBeLessThan(5);
    validateMesh(shaken.mesh);
    expect(measureMiss(shaken, linear)).toBeLessThan(1e-12);
  });

  it('is the same after slides along films, edges of the block and curves', () => {
    const shaken = buildShaken(linear, { smoothAngle: 60 });
    const before = shaken.mesh.position.slice();
    let done = 0;
    for (let v = 0; v < shaken.mesh.vertexFill; v++) if (smoothVertex(shaken.tracker, v)) done++;
    expect(done).toBeGreaterThan(0.7 * shaken.mesh.vertexCount);
    const curves = Array.from({ length: shaken.mesh.vertexFill }, (_, v) => v).filter(
      (v) =>
        listRegions(shaken.mesh, v).length > 2 &&
        at(shaken.mesh, v).some((x, k) => Math.abs(x - before[3 * v + k]) > 0.01 * EDGE),
    );
    expect(curves.length).toBeGreaterThan(30);
    validateMesh(shaken.mesh);
    expect(measureMiss(shaken, linear)).toBeLessThan(1e-12);
  });

  it('is the same after all kinds of edits one upon the other', () => {
    const shaken = buildShaken(linear, BUSY);
    improveMesh(shaken.tracker);
    for (const edit of ['split', 'collapse', 'flip', 'smooth'])
      expect(shaken.tracker.events[edit]).toBeGreaterThan(500);
    expect(measureMiss(shaken, linear)).toBeLessThan(1e-10);
  });
});

describe('a circulation that is the same all over each film', () => {
  it('stays so whatever is done, T1s too: remeshing makes no vortices', () => {
    const constant: Field = (region) => 3 * region * region;
    const shaken = buildShaken(constant, { ...BUSY, topology: true, contacts: true, separation: 0.3 });
    for (let n = 0; n < 3; n++) {
      improveMesh(shaken.tracker);
      separateVertices(shaken.tracker, 'area');
    }
    for (const edit of ['split', 'collapse', 'flip', 'smooth'])
      expect(shaken.tracker.events[edit]).toBeGreaterThan(500);
    expect(shaken.tracker.events['separate']).toBeGreaterThan(30);
    validateMesh(shaken.mesh);
    expect(measureMiss(shaken, constant)).toBeLessThan(1e-10);
  });
});

describe('a vertex amid slivers', () => {
  it('takes no value beyond those around it, whatever the gradient on them', () => {
    const shaken = buildShaken(linear, {});
    const { mesh, rows } = shaken;
    const v = Array.from({ length: mesh.vertexFill }, (_, n) => n).find(
      (n) => listRegions(mesh, n).length === 2,
    )!;
    const [i, j] = listRegions(mesh, v);
    const jumpAt = (n: number) => rows.value[rows.find(n, i)] - rows.value[rows.find(n, j)];
    // A neighbour comes to lie next to the line from the vertex to the next one: two slivers.
    const corner = mesh.vertexCorner[v];
    const [a, b] = [nextCorner(corner), previousCorner(corner)].map((c) => mesh.face[c]);
    const [from, to] = [at(mesh, v), at(mesh, b)];
    for (let k = 0; k < 3; k++)
      mesh.position[3 * a + k] =
        0.5 * (from[k] + to[k]) + 1e-9 * (mesh.position[3 * a + k] - 0.5 * (from[k] + to[k]));
    const around: number[] = [jumpAt(v)];
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c])
      around.push(...[nextCorner(c), previousCorner(c)].map((n) => jumpAt(mesh.face[n])));
    const before = jumpAt(v);
    createResampling(() => mesh, rows).onMove!(v, 0.1 * EDGE, -0.07 * EDGE, 0.05 * EDGE);
    expect(jumpAt(v)).not.toBe(before);
    expect(jumpAt(v)).toBeGreaterThanOrEqual(Math.min(...around) - 1e-12);
    expect(jumpAt(v)).toBeLessThanOrEqual(Math.max(...around) + 1e-12);
  });
});
