import { z } from 'zod';
import { storeNames } from '../domain/purchase.ts';
import { bodyOf, ok, queryOf, type Answer, type Call } from '../http/call.ts';
import { answerFaults, notificationFaults, type Faults } from '../http/faults.ts';
import type { Journal, JournalEntry } from '../http/journal.ts';
import { duration } from './fields.ts';

const NewFault = z.strictObject({
  store: z.enum(storeNames),
  kind: z
    .union([z.string(), z.number().transform(String)])
    .pipe(
      z.enum(
        [...answerFaults, ...notificationFaults],
        `must be one of ${[...answerFaults, ...notificationFaults].join(', ')}`,
      ),
    ),
  count: z.int().min(1).max(1_000_000).default(1),
  delayMs: z.int().min(0).max(600_000).default(3_000),
  by: duration.default('PT1H'),
});

const JournalQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(50_000).default(1_000),
  store: z.enum(storeNames).optional(),
  kind: z.enum(['call', 'notification']).optional(),
});

/** The calls on faults, and on what came of them. */
export function faultCalls(faults: Faults, journal: Journal) {
  const show = (): Answer => ok({ waiting: faults.waiting });
  return {
    show,
    add: (call: Call): Answer => {
      faults.add(bodyOf(call, NewFault));
      return show();
    },
    clear: (): Answer => {
      faults.clear();
      return show();
    },
    journal: (call: Call): Answer => {
      const { limit, store, kind } = queryOf(call, JournalQuery);
      const wanted = (entry: JournalEntry) =>
        (store === undefined || entry['store'] === store) && (kind === undefined || entry.kind === kind);
      return ok({ entries: journal.last(limit, wanted) });
    },
  };
}
