/** Light in foams: what borders cover, and what gets into bubbles from each direction. */
import { describe, expect, it } from 'vitest';
import { prepareSurface } from '../../viewer/src/data/prepare.ts';
import {
  computeFoamLight,
  findBrightest,
  MIRRORED_SHARE,
  type OpenFoam,
} from '../../viewer/src/view/foam-light.ts';
import { listDrawnFaces } from '../../viewer/src/view/visible.ts';
import { type LabelledSurface, prepareShape } from './labelled-surface.ts';

const PASSES = 1 - MIRRORED_SHARE;

function light(
  surface: LabelledSurface,
  width: number,
  { hidden = [], hideOuter = false, plane = null }: Partial<OpenFoam> & { hideOuter?: boolean } = {},
) {
  const faces = listDrawnFaces(surface, { hidden, hideOuter });
  const foam = computeFoamLight(surface, { faces, hidden, plane }, width);
  const of = (label: number) => {
    const id = surface.regions.labels.indexOf(label);
    return [...foam.share.subarray(6 * id, 6 * id + 6)];
  };
  return { ...foam, of };
}

describe('a bubble', () => {
  const bubble = prepareShape('bubble');

  it('has no borders, and light from every side has come through one film', () => {
    const { cover, of } = light(bubble, 0.01);
    expect(Math.max(...cover)).toBe(0);
    expect(of(0)).toEqual([1, 1, 1, 1, 1, 1]);
    for (const share of of(1)) expect(share).toBeCloseTo(PASSES, 6);
  });

  it('is open when it is switched off, or cut', () => {
    expect(light(bubble, 0.01, { hidden: [1] }).of(1)).toEqual([1, 1, 1, 1, 1, 1]);
    const cut = light(bubble, 0.01, { plane: { axis: 0, offset: 0.5, side: 1 } });
    expect(cut.of(1)).toEqual([1, 1, 1, 1, 1, 1]);
    const beside = light(bubble, 0.01, { plane: { axis: 0, offset: 0.95, side: 1 } });
    expect(beside.of(1)[0]).toBeCloseTo(PASSES, 6);
  });
});

describe('a double bubble', () => {
  const pair = prepareShape('double-bubble');
  // R = 0.27: each cap has area 3 pi R^2, the wall between them 3/4 pi R^2, its edge is 2 pi R sqrt(3)/2
  // long.
  const radius = 0.27;
  const area = 3.75 * Math.PI * radius ** 2;
  const border = Math.sqrt(3) * Math.PI * radius;

  it('has a border that is shared by three films', () => {
    const width = 0.01;
    const { cover } = light(pair, width);
    const expected = (2 / 3) * width * (border / area);
    for (const share of [Math.min(...cover), Math.max(...cover)])
      expect(Math.abs(share / expected - 1)).toBeLessThan(0.02);
  });

  it('gets more light along the axis from its own side than through the other bubble', () => {
    const { of } = light(pair, 0);
    const [left, right] = [of(1), of(2)];
    // All of the light from the other side that meets the wall's shadow, 3/4 of the whole, passes two films.
    const through = 0.75 * PASSES ** 2 + 0.25 * PASSES;
    expect(Math.max(left[0], left[3])).toBeCloseTo(PASSES, 5);
    expect(Math.min(left[0], left[3])).toBeCloseTo(through, 2);
    expect(right[0]).toBeCloseTo(left[3], 3);
    for (const axis of [1, 2, 4, 5]) expect(left[axis]).toBeCloseTo(PASSES, 2);
  });
});

describe('a block of 3 x 3 x 3 cells', () => {
  const cells = prepareShape('cells');
  const shares = (foam: ReturnType<typeof light>) =>
    [...cells.regions.labels.keys()].slice(1).map((id) => [...foam.share.subarray(6 * id, 6 * id + 6)]);

  it('has light in each cell that has passed as many films as lie on its way', () => {
    const counts = new Map<number, number>();
    for (const share of shares(light(cells, 0)).flat()) {
      const films = Math.log(share) / Math.log(PASSES);
      expect(films).toBeCloseTo(Math.round(films), 3);
      counts.set(Math.round(films), (counts.get(Math.round(films)) ?? 0) + 1);
    }
    // Six directions, nine columns each, of which the cells have one, two and three films before them.
    expect([...counts].sort()).toEqual([
      [1, 54],
      [2, 54],
      [3, 54],
    ]);
  });

  it('is darker with wider borders, and open without its outer films', () => {
    const narrow = shares(light(cells, 0.002)).flat();
    const wide = shares(light(cells, 0.02)).flat();
    expect(narrow.every((share, i) => share > wide[i])).toBe(true);
    const opened = shares(light(cells, 0, { hideOuter: true })).flat();
    expect(Math.max(...opened)).toBe(1);
    expect(Math.min(...opened)).toBeCloseTo(PASSES ** 2, 5);
  });

  it('has borders lit from the brightest side: the outside, or for the inner ones a cell that is not the middle', () => {
    const foam = light(cells, 0.01);
    const { segment, junction } = findBrightest(cells.regions, foam);
    const { curveFace, curveFaceStart, front } = cells.regions;
    const total = (id: number) =>
      foam.share.subarray(6 * id, 6 * id + 6).reduce((sum, share) => sum + share, 0);
    const darkest = Math.min(...Array.from(cells.regions.labels, (_, id) => total(id)));
    segment.forEach((id, s) => {
      const around = [...curveFace.subarray(curveFaceStart[s], curveFaceStart[s + 1])];
      if (around.some((f) => front[f] === 0)) expect(id).toBe(0);
      else expect(total(id)).toBeGreaterThan(darkest);
    });
    expect(junction.length).toBe(cells.regions.junction.length / 3);
    expect(Math.max(...junction)).toBeLessThan(cells.regions.labels.length);
  });
});

describe('films on wires', () => {
  it('leave open what they do not close', () => {
    // Three films that meet in a line and end in the air, between regions 1, 2 and 3.
    const position = [0, 0, 0, 0, 0, 1];
    const triangle: number[] = [];
    for (const angle of [0, 2, 4]) {
      const [x, y] = [Math.cos((angle * Math.PI) / 3), Math.sin((angle * Math.PI) / 3)];
      const first = position.push(x, y, 0, x, y, 1) / 3 - 2;
      triangle.push(0, first, first + 1, 0, first + 1, 1);
    }
    const field = (name: string, values: number[]) => ({
      name,
      on: 'cell' as const,
      components: 1 as const,
      unit: '1',
      values: new Float32Array(values),
    });
    const surface = prepareSurface({
      position: new Float32Array(position),
      triangle: new Uint32Array(triangle),
      fields: [field('front', [1, 1, 2, 2, 3, 3]), field('back', [2, 2, 3, 3, 1, 1])],
    });
    const { regions } = surface;
    if (!regions) throw new Error('no regions');
    expect([...regions.rimFace].length).toBeGreaterThan(0);
    const { share } = light({ ...surface, regions }, 0.01);
    expect(share.every((part) => part === 1)).toBe(true);
  });
});
