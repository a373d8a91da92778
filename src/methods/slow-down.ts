/**
 * Slows velocities (n x 3) down to the greatest speed allowed, m/s; returns how many. Not-a-numbers stay: the
 * runner tells of them.
 */
export function slowDown(velocity: Float64Array, most: number): number {
  let count = 0;
  for (let n = 0; n < velocity.length; n += 3) {
    const speed = Math.hypot(velocity[n], velocity[n + 1], velocity[n + 2]);
    if (!(speed > most) || !Number.isFinite(speed)) continue;
    for (let k = n; k < n + 3; k++) velocity[k] *= most / speed;
    count++;
  }
  return count;
}
