/** No preconditioning: z = r. */
import type { Threads } from '../../core/threads/task.ts';
import { computeDot, copy } from '../vector.ts';
import type { Preconditioner } from './preconditioner.ts';

export function createIdentity(threads: Threads): Preconditioner {
  return {
    name: 'identity',
    apply(r, outZ) {
      copy(threads, r, outZ);
      return computeDot(threads, r, r);
    },
  };
}
