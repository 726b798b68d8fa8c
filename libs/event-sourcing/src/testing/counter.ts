import {
  defineCommand,
  defineEvent,
  type CommandOf,
  type EventOf,
  PersonalFieldChanges,
  refuse,
} from '@paywright/contracts';
import { z } from 'zod';
import type { Decider } from '../decider.ts';

/** The smallest service: it counts, up to a limit. */
export const Count = defineCommand(
  'Count',
  1,
  z.object({ by: z.int(), personal: PersonalFieldChanges.or(z.literal('erased')).optional() }),
  z.object({ total: z.int(), alone: z.boolean().optional() }),
);
export type Count = CommandOf<typeof Count>;

/** Throws: a rule with a defect. */
export const Break = defineCommand('Break', 1, z.object({}), z.object({}));
export type Break = CommandOf<typeof Break>;

export const Counted = defineEvent('Counted', 2, 'A number was counted.', z.object({ by: z.int() }));
export type Counted = EventOf<typeof Counted>;

const limit = 1_000;

/** Counts one by one, so that a command may have several events; 0 changes nothing. Tells of personal fields that are as given whether they are alone. */
export const counter: Decider<Count | Break, number, Counted> = {
  initialState: 0,
  evolve: (total, { body }) => total + body.by,
  decide: {
    Count: ({ body: { by, personal } }, total, held) => {
      if (total + by > limit) return refuse('VALIDATION_FAILED', `by: the total is at most ${limit}.`);
      const isUnchanged = typeof personal === 'object' && held.isAs(personal);
      return {
        events: Array.from({ length: by }, () => Counted.of({ by: 1 })),
        reply: { total: total + by, ...(isUnchanged && { alone: held.isWithin(personal) }) },
        ...(personal && { personal: isUnchanged ? 'unchanged' : personal }),
      };
    },
    Break: () => {
      throw new RangeError('secret@example.org broke it');
    },
  },
  asksPersonal: ['Count'],
};

/** The same, of which every fifth event makes a snapshot. */
export const snapshottingCounter: typeof counter = {
  ...counter,
  snapshot: {
    code: 'counter-1',
    every: 5,
    encode: (total) => ({ total }),
    decode: (json) => Encoded.parse(json).total,
  },
};
const Encoded = z.object({ total: z.int() });
