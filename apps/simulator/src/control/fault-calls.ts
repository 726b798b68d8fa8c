import { z } from 'zod';
import { storeNames } from '../domain/purchase.ts';
import { bodyOf, ok, type Answer, type Call } from '../http/call.ts';
import { answerFaults, notificationFaults, type Faults } from '../http/faults.ts';
import type { Journal } from '../http/journal.ts';
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
    journal: ({ query }: Call): Answer => {
      const limit = Math.min(Math.max(Number(query.get('limit')) || 1_000, 1), 50_000);
      const [store, kind] = [query.get('store'), query.get('kind')];
      const wanted = (entry: Readonly<Record<string, unknown>>) =>
        (store === null || entry['store'] === store) && (kind === null || entry['kind'] === kind);
      return ok({ entries: journal.last(limit, wanted) });
    },
  };
}
