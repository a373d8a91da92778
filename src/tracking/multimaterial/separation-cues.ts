/**
 * What the tracker asks of a client's motion where topology is at stake ([da-2017] chapter 6). Every answer
 * is optional.
 */
export interface SeparationCues {
  /**
   * Does the motion pull these two vertices apart? Then an edge between them is not collapsed into an
   * irregular vertex.
   */
  isParting?(a: number, b: number): boolean;
  /** Velocity at a point, m/s. Separation strength is its derivative along the direction of separation. */
  velocity?(x: number, y: number, z: number, out: Float64Array): void;
  /**
   * Separation strength by the client's own measure: positive if vertex v wants to part along the unit vector
   * (dx, dy, dz).
   */
  separationStrength?(v: number, dx: number, dy: number, dz: number): number;
}
