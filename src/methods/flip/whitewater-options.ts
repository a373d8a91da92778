/** Options of whitewater: the scene's `flip.whitewater`. */
import { z } from 'zod';
import { WHITEWATER } from '../../particles/whitewater.ts';

const positive = (what: string, standard: number) => z.number().positive().default(standard).describe(what);
const share = (what: string, standard: number) => z.number().min(0).max(1).default(standard).describe(what);

export const whitewaterOptions = z
  .strictObject({
    spray: z
      .number()
      .min(0)
      .default(WHITEWATER.spray)
      .describe('Drops a second that a ballistic particle of the liquid sheds.'),
    foam: z
      .number()
      .min(0)
      .default(WHITEWATER.foam)
      .describe('Particles a second that a particle of the liquid makes where air is mixed in fully.'),
    begins: positive(
      'Speed at which neighbours close in, and of the liquid, from which air is mixed in, m/s.',
      1,
    ),
    full: positive('The same speeds at which it is mixed in fully, m/s; more than `begins`.', 5),
    least: share('Least radius, of the radius of the particle it comes from.', WHITEWATER.least),
    most: share('Largest radius, likewise.', WHITEWATER.most),
    lasts: positive('How long foam lasts, about, s; a half to one and a half times this.', WHITEWATER.lasts),
    buoyancy: z
      .number()
      .min(0)
      .default(WHITEWATER.buoyancy)
      .describe('How strongly bubbles rise, in units of gravity.'),
    drag: share('Share of the velocity of the liquid that a bubble takes over in 1/24 s.', WHITEWATER.drag),
    count: z
      .int()
      .positive()
      .max(5_000_000)
      .default(WHITEWATER.count)
      .describe('Most particles of whitewater at a time; what is beyond is not made.'),
  })
  .refine(({ begins, full }) => full > begins, { path: ['full'], error: 'it must be more than begins' })
  .refine(({ least, most }) => most >= least, { path: ['most'], error: 'it must be no less than least' });
