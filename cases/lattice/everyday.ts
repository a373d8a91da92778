/** The everyday scenes (scenes/everyday) as referees see them. */
export interface Everyday {
  readonly name: string;
  readonly title: string;
  /** Planes the start is mirrored in: x and y through the middle of the tank, y alone, or none. */
  readonly mirrors: 'xy' | 'y' | '';
  readonly sets?: (cell: number) => readonly string[];
}

export const EVERYDAY_SCENES: readonly Everyday[] = [
  { name: 'ball', title: 'a ball on a dry floor', mirrors: 'xy' },
  {
    name: 'drop',
    title: 'a drop of 1.2 cells radius on a dry floor',
    mirrors: 'xy',
    sets: (cell) => [`liquids[0].shape.radius=${1.2 * cell}`],
  },
  { name: 'torus', title: 'a ring on a dry floor', mirrors: 'xy' },
  { name: 'bunny', title: 'a bunny collapses on a dry floor', mirrors: '' },
  { name: 'tilted-slab', title: 'a tilted slab on a dry floor', mirrors: 'y' },
  { name: 'jet', title: 'a jet onto a wall', mirrors: 'y' },
  { name: 'two-jets', title: 'two jets meet', mirrors: 'xy' },
  { name: 'tap', title: 'a tap on a dry floor', mirrors: 'xy' },
  { name: 'thrown-ball', title: 'a ball at 3 m/s into a wall', mirrors: 'y' },
  { name: 'edge', title: 'a stream over an edge', mirrors: 'y' },
  { name: 'step', title: 'water on a step', mirrors: 'y' },
  { name: 'piston', title: 'a piston through a half-full tank', mirrors: 'y' },
];

export const EVERYDAY_NAMES: readonly string[] = EVERYDAY_SCENES.map(({ name }) => name);
