import { Box3, Group, MeshStandardMaterial } from 'three';
import { describe, expect, it } from 'vitest';
import { poseSolids } from '../../viewer/src/view/solids.ts';
import { buildWires, parseWires } from '../../viewer/src/view/wires.ts';

const domain = { min: [-1, -1, -1], max: [1, 1, 1] } as const;
/** Half the thickness that rods are drawn with. */
const RADIUS = 0.01;

function measureBox(wire: Record<string, unknown>, time = 0): number[] {
  const group = new Group();
  for (const object of buildWires([wire], domain, new MeshStandardMaterial())) group.add(object);
  poseSolids(group, time);
  group.updateMatrixWorld(true);
  const { min, max } = new Box3().setFromObject(group, true);
  return [...min.toArray(), ...max.toArray()];
}

const expectBox = (box: number[], truth: number[]) => {
  for (let i = 0; i < 6; i++) expect(Math.abs(box[i] - truth[i])).toBeLessThan(1.5e-3);
};

describe('wires', () => {
  it('a ring lies about its axis, and goes where its motion takes it', () => {
    const ring = { type: 'ring', centre: [0.1, 0, 0], axis: [1, 0, 0], radius: 0.5 };
    const out = 0.5 + RADIUS;
    expectBox(measureBox(ring), [0.1 - RADIUS, -out, -out, 0.1 + RADIUS, out, out]);
    const motion = { translate: { velocity: [0, 0, 2] } };
    const lifted = measureBox({ ...ring, motion }, 0.25);
    expectBox(lifted, [0.1 - RADIUS, -out, 0.5 - out, 0.1 + RADIUS, out, 0.5 + out]);
  });

  it('a closed run of pieces is drawn from corner to corner', () => {
    const points = [
      [0, 0, 0],
      [0.4, 0, 0],
      [0.4, 0.3, 0],
    ];
    const box = [-RADIUS, -RADIUS, -RADIUS, 0.4 + RADIUS, 0.3 + RADIUS, RADIUS];
    expectBox(measureBox({ type: 'polyline', points, closed: true }), box);
    const [open] = buildWires([{ type: 'polyline', points }], domain, new MeshStandardMaterial());
    const [closed] = buildWires(
      [{ type: 'polyline', points, closed: true }],
      domain,
      new MeshStandardMaterial(),
    );
    expect(closed.children.length - open.children.length).toBe(1);
  });

  it('what is no wire is left out and counted, and so is what is too much', () => {
    const ring = { type: 'ring', centre: [0.1, 0, 0], axis: [1, 0, 0], radius: 0.5 };
    const odd = [null, 3, {}, { ...ring, radius: -1 }, { type: 'polyline', points: [['a']] }];
    const { wires, notes } = parseWires([ring, ...odd, ring]);
    expect(wires).toHaveLength(2);
    expect(notes.join()).toContain('5 wires are not drawn');
    expect(parseWires(Array.from({ length: 20_000 }, () => ring)).wires.length).toBeLessThan(10_000);
  });
});
