import type { AnyMethod } from '../../src/run/registry.ts';

export const bouncingBall: AnyMethod & { throws: number; released: number };
