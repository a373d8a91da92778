/**
 * The background mesh of a balanced octree: its whole box filled with the tetrahedra of the graded
 * body-centred lattice, uncut (Labelle and Shewchuk 2007, section 4). This is the mesh of [ando-2013] 4 and
 * of [batty-houston-2011] 2.
 *
 * At the sides of the box the BCC tets that would reach beyond it are halved at the face: no new shape, and
 * flat sides. Tets are emitted leaf by leaf in Z-order, so they and the vertices lie near each other in
 * memory. Two passes: how every face is filled, which tells where its tets will be, then the tets. Cost:
 * linear in leaves.
 */
import { RunError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import { showCount } from '../../core/limits.ts';
import { NONE } from '../../core/types.ts';
import { allocateF64, allocateI32, allocateU8, type Octree } from '../octree/octree.ts';
import type { TetMesh } from '../tetmesh.ts';
import { countTets, FACES, KIND_MASK, LeafFaces, PAIR } from './faces.ts';
import { LeafForms, type TetSink, type VertexSource } from './forms.ts';
import { VertexTable } from './vertex-table.ts';

export interface BackgroundMesh extends TetMesh {
  readonly octree: Octree;
  /** SHAPE_* of every tet, and the level of the leaf that it belongs to. */
  readonly tetShape: Uint8Array;
  readonly tetLevel: Uint8Array;
  /** (vertexCount x 3) half finest cells from the low corner of the box: exact */
  readonly vertexPlace: Int32Array;
  /**
   * (leafCount x 6) how each face is filled (faces.ts), and the first of the tets that fill it, NONE where
   * none were wanted
   */
  readonly faceCode: Uint8Array;
  readonly faceTet: Int32Array;
}

/** Tets are numbered by Int32, and so are the four vertices of each. */
const MOST_TETS = 2 ** 29 - 1;
/**
 * Vertices per leaf, about: a centre and, of eight corners each in eight leaves, some more at changes of
 * level.
 */
const VERTICES_PER_LEAF = 2.1;

/** What of the box is filled, (leafCount) each; absent: all of it. */
export interface FilledLeaves {
  /** 1 for leaves that are to be filled, with the tets that reach into them from others */
  readonly wanted: Uint8Array;
  /** 1 for leaves beyond walls, which end in flat sides */
  readonly beyond: Uint8Array;
}

export function buildBackground(octree: Octree, scope?: HeapScope, filled?: FilledLeaves): BackgroundMesh {
  const { leafCount, leafLevel, leafCorner } = octree;
  const { faceCode, faceTet, tetCount } = placeTets(octree, scope, filled);
  const sink = new BackgroundSink(tetCount, leafCount, scope);
  const forms = new LeafForms(sink, sink);
  for (let leaf = 0; leaf < leafCount; leaf++) {
    forms.setLeaf(leafLevel[leaf], leafCorner[3 * leaf], leafCorner[3 * leaf + 1], leafCorner[3 * leaf + 2]);
    for (let f = 0; f < FACES; f++) {
      const code = faceCode[FACES * leaf + f];
      if (faceTet[FACES * leaf + f] === NONE) continue;
      if ((code & KIND_MASK) !== PAIR || (f & 1) === 0) forms.emitFace(f, code);
    }
  }
  const vertexCount = sink.vertices.count;
  const vertexPlace = allocateI32(3 * vertexCount, scope);
  vertexPlace.set(sink.vertices.place.subarray(0, 3 * vertexCount));
  const position = allocateF64(3 * vertexCount, scope);
  const half = 0.5 * octree.size;
  for (let v = 0; v < vertexCount; v++)
    for (let a = 0; a < 3; a++) position[3 * v + a] = octree.origin[a] + half * vertexPlace[3 * v + a];
  const { tet, tetShape, tetLevel } = sink;
  return { octree, vertexCount, tetCount, position, tet, tetShape, tetLevel, vertexPlace, faceCode, faceTet };
}

/**
 * First pass: what fills every face, and where. A pair belongs to its low leaf, which comes first in Z-order.
 */
function placeTets(octree: Octree, scope: HeapScope | undefined, filled: FilledLeaves | undefined) {
  const { leafCount } = octree;
  const faceCode = allocateU8(FACES * leafCount, scope);
  const faceTet = allocateI32(FACES * leafCount, scope);
  const faces = new LeafFaces(octree, filled?.beyond);
  const wanted = filled?.wanted;
  let tetCount = 0;
  for (let leaf = 0; leaf < leafCount; leaf++) {
    faces.look(leaf);
    for (let f = 0; f < FACES; f++) {
      const code = faces.code[f];
      const here = FACES * leaf + f;
      const isPair = (code & KIND_MASK) === PAIR;
      if (isPair && (f & 1) === 1) {
        const there = FACES * faces.findPartner(f) + f - 1;
        faceCode[here] = faceCode[there];
        faceTet[here] = faceTet[there];
        continue;
      }
      faceCode[here] = code;
      if (wanted && wanted[leaf] === 0 && !(isPair && wanted[faces.findPartner(f)] === 1)) {
        faceTet[here] = NONE;
        continue;
      }
      faceTet[here] = tetCount;
      tetCount += countTets(code);
    }
    if (tetCount > MOST_TETS)
      throw new RunError(
        'background mesh',
        `${showCount(leafCount)} leaves make more than ${showCount(MOST_TETS)} tetrahedra`,
        'use larger sizes',
      );
  }
  return { faceCode, faceTet, tetCount };
}

class BackgroundSink implements VertexSource, TetSink {
  readonly vertices: VertexTable;
  readonly tet: Int32Array;
  readonly tetShape: Uint8Array;
  readonly tetLevel: Uint8Array;
  private next = 0;

  constructor(tetCount: number, leafCount: number, scope?: HeapScope) {
    this.vertices = new VertexTable(Math.ceil(VERTICES_PER_LEAF * leafCount));
    this.tet = allocateI32(4 * tetCount, scope);
    this.tetShape = allocateU8(tetCount, scope);
    this.tetLevel = allocateU8(tetCount, scope);
  }

  vertexAt(x: number, y: number, z: number): number {
    return this.vertices.find(x, y, z);
  }

  addTet(a: number, b: number, c: number, d: number, shape: number, level: number): void {
    const t = this.next++;
    this.tet[4 * t] = a;
    this.tet[4 * t + 1] = b;
    this.tet[4 * t + 2] = c;
    this.tet[4 * t + 3] = d;
    this.tetShape[t] = shape;
    this.tetLevel[t] = level;
  }
}
