/**
 * Collision-safe motion ([da-2017] 5.2). The client proposes positions; what reaches the mesh is free of
 * intersections, always.
 *
 *   1. proximity impulses   surfaces closer than the reach that close further are stopped along the line between them (Bridson et al. 2002)
 *   2. collision impulses   every contact on the way is made inelastic, round by round, until none is left; pairs still close up to it, so that
 *                           surfaces come near enough to merge
 *   3. impulse zones        vertices still in contact are gathered into connected zones that move as one body (Harmon et al. 2008; here by their
 *                           mean displacement, without rotation)
 *   4. last resort          zones that still collide stay where they were; in the end nothing moves, which is free of intersections
 *
 * Only pairs with a vertex whose end was shifted are looked at again, so that a round without contacts proves
 * that there is none at all; the detection is conservative (geometry/collision). Cost: linear for surfaces of
 * practice.
 */
import { findRoot, unite } from '../../core/disjoint-sets.ts';
import { RunError } from '../../core/errors.ts';
import { NONE } from '../../core/types.ts';
import { Contact, type EndingNear, type Finds, markFaces, PairFinder } from './collision.ts';
import { ENDS_NEAR, FIND_KIND, FIND_SIZE, FIND_VERTEX, FIND_WHY, FIRST_EDGES, MEETS } from './pair-test.ts';

import type { Tracker } from './tracker.ts';

export interface AdvanceReport {
  /** Impulses for nearness and for contacts. */
  readonly proximityImpulses: number;
  readonly collisionImpulses: number;
  /** Rounds of impulses, of zones and of freezing until no contact was left. */
  readonly rounds: number;
  /** Vertices that moved in a zone, and that did not move at all. */
  readonly zoned: number;
  readonly frozen: number;
}

/** How long each means is tried before the next stronger one. */
export interface AdvanceLimits {
  readonly impulseRounds: number;
  readonly zoneRounds: number;
}
export const advanceLimits: AdvanceLimits = { impulseRounds: 12, zoneRounds: 6 };
/** Extra opening given to a contact, in units of the proximity, so that rounding does not bring it back. */
const OPENING = 0.01;
/**
 * Share of the way to a contact that a pair may still go in the first round; later rounds stop it altogether.
 */
const APPROACH = 0.8;

/**
 * Boxes are widened by this share of the reach of merging, a little more than half of it each: near pairs
 * then meet whatever rounding does.
 */
const NEAR_SHARE = 0.51;

/** Cell of the search for pairs in units of the longest edge wanted. */
const CELL = 0.5;

/** Share of the faces beyond which looking at all anew is quicker than at each. */
const MOST_PENDING = 0.1;

/**
 * Moves the vertices towards `proposed` (vertexFill x 3, m), which is changed where needed, and sets the
 * mesh's positions.
 */
export function advanceVertices(
  tracker: Tracker,
  proposed: Float64Array,
  limits: AdvanceLimits = advanceLimits,
): AdvanceReport {
  return new Advance(tracker, proposed).run(limits);
}

class Advance {
  private readonly x0: Float64Array;
  private readonly finder: PairFinder;
  private readonly contact = new Contact();
  private readonly reach: number;
  /** Pairs nearer than this at the end are what merging looks for (merge.ts), m; 0: nobody does. */
  private readonly endReach: number;
  /** Those of the last look at all, before ends were shifted, and the faces shifted since. */
  private ending: Finds | undefined;
  private readonly isShiftedSince: Uint8Array;
  /** Faces with a vertex whose end was shifted in this round. */
  private readonly isShifted: Uint8Array;
  /** The same of the last round, to be looked at in this one; undefined: all faces. */
  private pending: number[] | undefined;
  /** Zone of each vertex as a union-find forest; NONE outside zones. */
  private readonly zone: Int32Array;
  private readonly isFrozen: Uint8Array;
  private mode: 'impulse' | 'zone' | 'freeze' = 'impulse';
  private isFirst = true;
  private nearCount = 0;
  private impulseCount = 0;
  /** Contacts found by the last look; NONE before the first. */
  private contacts = NONE;

  constructor(
    private readonly tracker: Tracker,
    private readonly x1: Float64Array,
  ) {
    const { mesh, options, length } = tracker;
    this.x0 = mesh.position;
    this.reach = options.proximity * length;
    this.endReach = options.topology ? options.mergeProximity * length : 0;
    this.isShifted = new Uint8Array(mesh.faceFill);
    this.isShiftedSince = new Uint8Array(mesh.faceFill);
    this.zone = new Int32Array(mesh.vertexFill).fill(NONE);
    this.isFrozen = new Uint8Array(mesh.vertexFill);
    for (let v = 0; v < mesh.vertexFill; v++) {
      if (!mesh.isVertex(v)) continue;
      for (let k = 3 * v; k < 3 * v + 3; k++) {
        if (!Number.isFinite(x1[k]))
          throw new RunError(
            `vertex ${v}`,
            `proposed position ${x1[k]}`,
            'check the velocity field or take smaller steps',
          );
      }
    }
    const widening = Math.max(this.reach, NEAR_SHARE * this.endReach);
    const cell = CELL * options.maxEdge;
    this.finder = new PairFinder(mesh, tracker.buffers, cell, this.x0, x1, this.reach, widening);
  }

  run(limits: AdvanceLimits): AdvanceReport {
    let rounds = 0;
    this.contacts = NONE;
    while (rounds < limits.impulseRounds) {
      // A shift for nearness may cause a contact that was looked for before it: it counts.
      const near = this.nearCount;
      this.sweep('impulse');
      if (this.contacts + this.nearCount - near === 0) break;
      if (this.contacts === 0) this.contacts = NONE;
      rounds++;
      this.isFirst = false;
      this.takeShifted();
    }
    this.isFirst = false;
    for (let n = 0; this.contacts !== 0 && n < limits.zoneRounds; n++, rounds++) {
      if (n === 0) this.pending = undefined;
      this.sweep('zone');
      // Without contacts the ends are proven, and moving zones again could shift them by rounding.
      if (this.contacts === 0) break;
      this.moveZones();
      this.takeShifted();
    }
    if (this.contacts !== 0) {
      this.pending = undefined;
      // Ends: every round with contacts freezes at least one more vertex.
      while (this.sweep('freeze') > 0) {
        rounds++;
        this.takeShifted();
      }
    }
    return this.finish(rounds);
  }

  /** Looks at all pairs with a pending face; returns the number of contacts. */
  private sweep(mode: typeof this.mode): number {
    this.mode = mode;
    this.contacts = 0;
    const { pending } = this;
    const isMost = pending === undefined || pending.length > MOST_PENDING * this.isShifted.length;
    const finds = isMost ? this.finder.findAll(this.isFirst, this.endReach) : this.finder.findWith(pending);
    if (isMost) {
      this.ending = finds;
      this.isShiftedSince.fill(0);
    }
    this.resolve(finds);
    return this.contacts;
  }

  /** Takes up the finds one by one; earlier ones may have shifted ends, so each is looked at anew. */
  private resolve({ data, count }: Finds): void {
    const { contact, x0, x1 } = this;
    const reach2 = this.reach ** 2;
    for (let o = 0; o < FIND_SIZE * count; o += FIND_SIZE) {
      if ((data[o + FIND_WHY] & MEETS) === 0) continue;
      const a = data[o + FIND_VERTEX];
      const b = data[o + FIND_VERTEX + 1];
      const c = data[o + FIND_VERTEX + 2];
      const d = data[o + FIND_VERTEX + 3];
      const isEdges = data[o + FIND_KIND] >= FIRST_EDGES;
      if (this.isFirst) {
        const isNear = isEdges
          ? contact.findNearEdgeEdge(x0, a, b, c, d, reach2)
          : contact.findNearVertexTriangle(x0, a, b, c, d, reach2);
        if (isNear) this.stopClosing();
      }
      if (this.mode === 'freeze' && this.areFrozen(a, b, c, d)) continue;
      const isMeeting = isEdges
        ? contact.findEdgeEdge(x0, x1, a, b, c, d)
        : contact.findVertexTriangle(x0, x1, a, b, c, d);
      if (isMeeting) this.meet();
    }
  }

  /** Makes the faces shifted in this round the ones to look at in the next. */
  private takeShifted(): void {
    const pending: number[] = [];
    for (let f = 0; f < this.isShifted.length; f++) {
      if (!this.isShifted[f]) continue;
      this.isShiftedSince[f] = 1;
      pending.push(f);
    }
    this.pending = pending;
    this.isShifted.fill(0);
  }

  private stopClosing(): void {
    const { contact, x0, x1 } = this;
    const opening = contact.computeOpening(x0, x1);
    if (opening >= 0) return;
    this.nearCount++;
    this.push(-opening);
    this.markShifted();
  }

  /** An impulse along the contact; walls take what leads across them. */
  private push(opening: number): void {
    const { contact, x1 } = this;
    const { walls } = this.tracker;
    contact.push(x1, opening);
    if (walls) for (let i = 0; i < 4; i++) walls.holdProposed(contact.vertex[i], x1);
  }

  private meet(): void {
    const { contact, x0, x1, mode } = this;
    this.contacts++;
    if (mode === 'impulse') {
      const opening = contact.computeOpening(x0, x1);
      const allowed = this.isFirst ? APPROACH * contact.time * Math.min(opening, 0) : 0;
      this.impulseCount++;
      if (opening < allowed + OPENING * this.reach) this.push(allowed + OPENING * this.reach - opening);
      this.markShifted();
    } else if (mode === 'zone') {
      for (let i = 1; i < 4; i++) this.unite(contact.vertex[0], contact.vertex[i]);
    } else {
      for (let i = 0; i < 4; i++) this.freeze(contact.vertex[i]);
    }
  }

  private markShifted(): void {
    for (let i = 0; i < 4; i++) markFaces(this.tracker.mesh, this.contact.vertex[i], this.isShifted);
  }

  private areFrozen(a: number, b: number, c: number, d: number): boolean {
    const { isFrozen } = this;
    return isFrozen[a] + isFrozen[b] + isFrozen[c] + isFrozen[d] === 4;
  }

  /** Holds a vertex, and with it its zone. */
  private freeze(v: number): void {
    if (this.isFrozen[v]) return;
    this.isFrozen[v] = 1;
    for (let k = 3 * v; k < 3 * v + 3; k++) this.x1[k] = this.x0[k];
    markFaces(this.tracker.mesh, v, this.isShifted);
  }

  private findZone(v: number): number {
    const { zone } = this;
    if (zone[v] === NONE) zone[v] = v;
    return findRoot(zone, v);
  }

  private unite(v: number, w: number): void {
    unite(this.zone, this.findZone(v), this.findZone(w));
  }

  /** Gives every vertex of a zone the mean displacement of the zone. */
  private moveZones(): void {
    const { x0, x1, zone } = this;
    const { mesh, walls } = this.tracker;
    const sum = new Map<number, [number, number, number, number]>();
    for (let v = 0; v < zone.length; v++) {
      if (zone[v] === NONE) continue;
      const root = this.findZone(v);
      const total = sum.get(root) ?? [0, 0, 0, 0];
      for (let k = 0; k < 3; k++) total[k] += x1[3 * v + k] - x0[3 * v + k];
      total[3]++;
      sum.set(root, total);
    }
    for (let v = 0; v < zone.length; v++) {
      if (zone[v] === NONE) continue;
      const total = sum.get(this.findZone(v))!;
      let isShifted = false;
      for (let k = 0; k < 3; k++) {
        const end = x0[3 * v + k] + total[k] / total[3];
        if (x1[3 * v + k] !== end) isShifted = true;
        x1[3 * v + k] = end;
      }
      walls?.holdProposed(v, x1);
      if (isShifted) markFaces(mesh, v, this.isShifted);
    }
  }

  private finish(rounds: number): AdvanceReport {
    const { tracker, x1, zone, isFrozen } = this;
    const { mesh } = tracker;
    let zoned = 0;
    let frozen = 0;
    for (let v = 0; v < mesh.vertexFill; v++) {
      if (!mesh.isVertex(v)) continue;
      if (zone[v] !== NONE) zoned++;
      frozen += isFrozen[v];
      mesh.setPosition(v, x1[3 * v], x1[3 * v + 1], x1[3 * v + 2]);
    }
    tracker.rebuildGrid();
    if (this.endReach > 0) tracker.endingNear = this.listEndingNear();
    return {
      proximityImpulses: this.nearCount,
      collisionImpulses: this.impulseCount,
      rounds,
      zoned,
      frozen,
    };
  }

  /**
   * All pairs that end nearer than the reach of merging: as found at first, but for those of shifted faces.
   */
  private listEndingNear(): EndingNear {
    const { finder, isShiftedSince, endReach } = this;
    const { data, count } = this.ending!;
    const found: number[] = [];
    for (let o = 0; o < FIND_SIZE * count; o += FIND_SIZE) {
      if ((data[o + FIND_WHY] & ENDS_NEAR) === 0) continue;
      if (isShiftedSince[data[o]] || isShiftedSince[data[o + 1]]) continue;
      for (let k = 0; k < FIND_SIZE; k++) found.push(data[o + k]);
    }
    const shifted: number[] = [];
    for (let f = 0; f < isShiftedSince.length; f++) if (isShiftedSince[f]) shifted.push(f);
    const others = finder.findEndingNear(shifted, endReach);
    for (let n = 0; n < FIND_SIZE * others.count; n++) found.push(others.data[n]);
    return {
      data: Int32Array.from(found),
      count: found.length / FIND_SIZE,
      time: this.tracker.mesh.known.clock,
    };
  }
}
