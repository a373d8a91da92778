/** Options that methods on remeshed surfaces share: which edges remeshing leaves alone. */
import { z } from 'zod';

export const edgeOptions = {
  shortest: z
    .number()
    .positive()
    .max(0.95)
    .default(0.5)
    .describe('edges below this share of the resolution are collapsed'),
  longest: z
    .number()
    .min(1.05)
    .default(1.5)
    .describe('edges above this multiple of the resolution are split'),
};
