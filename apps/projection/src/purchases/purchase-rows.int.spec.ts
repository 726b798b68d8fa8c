import { describe, expect, it } from '@jest/globals';
import { MoneyMoved, MoneyShareTold, MoneyValued, PurchaseClaimed, PurchaseValidated } from '@paywright/contracts';
import { emptyChain, evolveChain, originsOf, type Chain } from '@paywright/purchases';
import { PurchaseQueries, TimelineQueries, type Page, type TimelineEntry } from '@paywright/read-model';
import fc from 'fast-check';
import { anyPurchaseLog, type Published } from '../testing/any-purchase-log.ts';
import { appId, profileA, profileB, profileC, recorded } from '../testing/event-log.ts';
import { rowsAfter, testReadModel } from '../testing/read-model.ts';
import { purchasesProjection } from './purchases.projection.ts';

const projection = purchasesProjection(new Set());
const tables = [
  ...(['purchase_chain', 'purchase_event', 'purchase_owner', 'purchase_report'] as const),
  ...(['ledger_entry', 'later_decision'] as const),
] as const;

const { pool } = await testReadModel();
const purchases = new PurchaseQueries(pool);
const timelines = new TimelineQueries(pool);

const byChain = (log: readonly Published[]) => Map.groupBy(log, ({ chainId }) => chainId);
const chainAfter = (events: readonly Published[]) =>
  events.reduce((chain: Chain, { event }) => evolveChain(chain, event), emptyChain);

/** The ledger's rows by all that was ever told: what was booked, with its newest value and share and its chain's payer and origin. */
const ledgerAfter = (events: readonly Published[]) =>
  events.flatMap(({ event: { type, body } }) => {
    if (type !== MoneyMoved.type) return [];
    const chain = chainAfter(events);
    const { payer } = chain;
    const { movementId, amount } = body;
    const values = events.flatMap(({ event }) =>
      event.type === MoneyValued.type && event.body.movementId === movementId ? event.body : [],
    );
    const { usd, rate } = values.at(-1) ?? body;
    const shares = events.flatMap(({ event }) =>
      event.type === MoneyShareTold.type && event.body.movementId === movementId ? event.body : [],
    );
    const { storeShare } = shares.at(-1) ?? body;
    const share = { share: storeShare?.amount ?? null, shareCurrency: storeShare?.currency ?? null };
    return {
      movementId,
      amount,
      usd,
      rate,
      ...share,
      payer,
      decisionId: originsOf(chain)(body.transactionId)?.decisionId ?? null,
    };
  });

/** The ids of the events that a profile's timeline is to have, sorted. */
const visibleTo = (profileId: string, log: readonly Published[]) =>
  [...byChain(log).values()]
    .flatMap((events) => {
      const lost = events.findLast(
        ({ event }) => 'formerProfileId' in event.body && event.body.formerProfileId === profileId,
      );
      const lostVersion = lost?.event.type === PurchaseClaimed.type ? lost.version : 0;
      const until = chainAfter(events).owner === profileId ? Infinity : lostVersion;
      return events.filter(
        ({ version, event }) =>
          version <= until || (event.type === PurchaseValidated.type && event.body.profileId === profileId),
      );
    })
    .filter(({ event }) => event.body.appId === appId)
    .map(({ chainId, version, event }) => recorded(chainId, version, event).id)
    .sort();

/** A profile's timeline, read in pages of the size. */
async function allEntries(profileId: string, limit: number) {
  const entries: TimelineEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<TimelineEntry> = await timelines.ofProfile(appId, profileId, { limit, cursor });
    entries.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return entries;
}

async function ledgerRows(chainId: string) {
  const { rows } = await pool.query(
    `select movement_id as "movementId", trim_scale(amount)::text as amount, trim_scale(usd)::text as usd,
       trim_scale(rate)::text as rate, trim_scale(store_share)::text as share,
       store_share_currency as "shareCurrency", payer_profile_id as payer, decision_id as "decisionId"
     from ledger_entry where chain_id = $1 order by version`,
    [chainId],
  );
  return rows;
}

describe('the rows of purchases', () => {
  it('are the same for any batches, redelivered or not, and follow from the events', () =>
    fc.assert(
      fc.asyncProperty(
        anyPurchaseLog,
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        async (log, sizes) => {
          const distinct = [...new Set(log)];
          const records = (published: readonly Published[]) => published.map(({ record }) => record);
          const rebuilt = await rowsAfter(pool, projection, records(distinct), tables);
          const kept = await rowsAfter(pool, projection, records(log), tables, { sizes, times: 2 });
          expect(kept).toEqual(rebuilt);

          expect(kept[1]).toHaveLength(distinct.length);
          for (const [chainId, events] of byChain(distinct)) {
            expect(await purchases.findChain(chainId)).toEqual(chainAfter(events));
            expect(await ledgerRows(chainId)).toEqual(ledgerAfter(events));
          }
          for (const profileId of [profileA, profileB, profileC]) {
            const whole = await allEntries(profileId, 200);
            expect(whole.map(({ id }) => id).sort()).toEqual(visibleTo(profileId, distinct));
            expect(await allEntries(profileId, 3)).toEqual(whole);
          }
        },
      ),
      { numRuns: 15 },
    ));
});
