/**
 * A film between two rings: the start of catenoids. Units: film tension, air density and the rings' radius.
 */
const DRAG = 2;

/** A film between two rings of radius 1. */
export function ringOptions(height: number): Record<string, unknown> {
  const h = height / 2;
  const ring = (z: number) => ({ type: 'ring', centre: [0, 0, z], axis: [0, 0, 1], radius: 1 });
  return {
    start: [
      {
        type: 'revolution',
        sheets: [
          {
            profile: [
              [1, -h],
              [1, h],
            ],
            left: 1,
            right: 0,
          },
          // Ghost cones close the film at either end, out of the way of the disks it may become.
          {
            profile: [
              [1, h],
              [0, h + 0.6],
            ],
            left: 1,
            right: 2,
          },
          {
            profile: [
              [1, h],
              [0, h + 1.2],
            ],
            left: 2,
            right: 0,
          },
          {
            profile: [
              [0, -h - 0.6],
              [1, -h],
            ],
            left: 1,
            right: 2,
          },
          {
            profile: [
              [0, -h - 1.2],
              [1, -h],
            ],
            left: 2,
            right: 0,
          },
        ],
      },
    ],
    openings: [2],
    wires: [ring(h), ring(-h)],
    drag: DRAG,
  };
}
