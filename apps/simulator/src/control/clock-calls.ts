import { addDuration, type SimulatedClock } from '@paywright/platform';
import { z } from 'zod';
import { bodyOf, CallRefused, ok, type Answer, type Call } from '../http/call.ts';
import type { Followers } from '../time/followers.ts';
import type { Timeline } from '../time/timeline.ts';
import { duration } from './fields.ts';

const Advance = z.strictObject({ by: duration });
const Follower = z.object({ management: z.url({ protocol: /^http$/ }), offset: z.number().nonnegative() });
/** The certificates that the simulated App Store signs with end a little later. */
const lastInstant = Date.UTC(2069, 0);

/** The calls on the clock. */
export function clockCalls(clock: SimulatedClock, timeline: Timeline, followers: Followers) {
  const show = (): Answer =>
    ok({ now: new Date(clock.now()).toISOString(), offset: clock.offset, followers: followers.count });
  return {
    show,
    advance: async (call: Call): Promise<Answer> => {
      const { by } = bodyOf(call, Advance);
      const now = clock.now();
      const target = addDuration(now, by);
      if (target > lastInstant) throw new CallRefused(400, 'TOO_FAR', 'by: the clock goes to the end of 2068.');
      await timeline.advance(target - now);
      return show();
    },
    /** A process that follows the clock. One that is ahead has seen more than this simulator remembers. */
    follow: (call: Call): Answer => {
      const { management, offset } = bodyOf(call, Follower);
      followers.register(management);
      return ok({ offset: clock.moveTo(offset) });
    },
  };
}
