import { describe, expect, it } from '@jest/globals';
import { CatalogDocument } from '@paywright/contracts';
import type { OutgoingMessage } from '@paywright/messaging';
import { derivedId } from '@paywright/platform';
import { purchaseViewOf } from '@paywright/purchases';
import { PurchaseQueries, TimelineQueries } from '@paywright/read-model';
import { appId, profileA, profileB, profileC, received } from '../testing/event-log.ts';
import { boughtAt, day, decisionId, purchaseChain } from '../testing/purchase-log.ts';
import { deadLetters, follow, rowsAfter, rowsOf, testReadModel } from '../testing/read-model.ts';
import { purchasesProjection } from './purchases.projection.ts';

const projection = purchasesProjection(new Set());
const firstPage = { limit: 200, cursor: null };
const { products } = CatalogDocument.parse({
  products: [
    {
      ...{ id: 'monthly', name: 'Monthly', period: 'monthly', accessLevel: 'premium' },
      appStore: { productId: 'premium.monthly' },
    },
  ],
});

const { pool } = await testReadModel();
const purchases = new PurchaseQueries(pool);
const timelines = new TimelineQueries(pool);

/** Each record in a batch of its own, twice: what a batch keeps apart must come together all the same. */
const projectSlowly = (...log: readonly OutgoingMessage[]) =>
  rowsAfter(pool, projection, log, [], { sizes: [1], times: 2 });
const chainsOf = async (profileId: string) => (await purchases.chainsOf([profileId])).get(profileId) ?? [];
const ledgerOf = async (profileId: string) => (await purchases.ledgerOf(profileId, firstPage)).entries;
const viewOf = async (profileId: string) =>
  purchaseViewOf(profileId, await chainsOf(profileId), { current: products, archived: [] }, boughtAt + day);
const timelineOf = async (profileId: string) =>
  (await timelines.ofProfile(appId, profileId, firstPage)).entries.map(({ type }) => type);

describe('money', () => {
  const chain = purchaseChain('1000');

  it('that moved before anybody claimed the chain is the payer’s, and of the origin that was told later', async () => {
    const { bought, moved, claimed, attributed, log } = chain;
    await projectSlowly(...log(bought(0), moved('m0'), claimed(profileA), moved('m1'), attributed(profileA)));
    const credited = { paywallId: 12, placementId: 'onboarding', decisionId };
    expect(await ledgerOf(profileA)).toMatchObject([
      { id: 'm1', ...credited },
      { id: 'm0', ...credited },
    ]);
  });

  it('of before a lapse did not come of what was seen before the chain was bought again', async () => {
    const { bought, moved, claimed, attributed, log } = chain;
    const paid = (index: number) => moved(`m${index}`, { transactionId: `t${index}`, time: boughtAt + index * day });
    const before = [bought(0), paid(0), claimed(profileA)];
    await projectSlowly(...log(...before, bought(9), paid(9), attributed(profileA, 't9'), bought(10), paid(10)));
    expect((await ledgerOf(profileA)).map(({ id, paywallId }) => [id, paywallId])).toEqual([
      ['m10', 12],
      ['m9', 12],
      ['m0', null],
    ]);
  });

  it('of a purchase after a lapse is of what that one came of', async () => {
    const { bought, moved, claimed, attributed, log, chainId } = chain;
    const paid = (index: number) => moved(`m${index}`, { transactionId: `t${index}`, time: boughtAt + index * day });
    const later = { paywallId: 13, decisionId: derivedId('later decision') };
    const events = [bought(0), paid(0), claimed(profileA), attributed(profileA), bought(9), paid(9)];
    await projectSlowly(...log(...events, attributed(profileA, 't9', later), bought(10), paid(10)));
    expect((await ledgerOf(profileA)).map((row) => [row.id, row.paywallId, row.decisionId])).toEqual([
      ['m10', 13, later.decisionId],
      ['m9', 13, later.decisionId],
      ['m0', 12, decisionId],
    ]);
    expect(await purchases.outcomeOf(later.decisionId)).toMatchObject({ conversions: 1 });
    expect(await rowsOf(pool, 'later_decision')).toEqual([{ chain_id: chainId, decision_id: later.decisionId }]);
  });

  it('is of the same purchase wherever a batch ends, where what comes late joins what was bought apart', async () => {
    const { bought, moved, claimed, attributed, log } = chain;
    const paid = (index: number) => moved(`m${index}`, { transactionId: `t${index}`, time: boughtAt + index * day });
    const later = { paywallId: 13, decisionId: derivedId('later decision') };
    const events = [bought(0), paid(0), claimed(profileA), attributed(profileA), bought(2), paid(2)];
    const joined = log(...events, attributed(profileA, 't2', later), bought(1), paid(1));
    const rows = await rowsAfter(pool, projection, joined, ['ledger_entry']);
    expect((await ledgerOf(profileA)).map(({ id, paywallId }) => [id, paywallId])).toEqual([
      ['m2', 12],
      ['m1', 12],
      ['m0', 12],
    ]);
    expect(await rowsAfter(pool, projection, joined, ['ledger_entry'], { sizes: [1], times: 2 })).toEqual(rows);
  });

  it('stays with the payer when another profile claims the chain', async () => {
    const { moved, claimed, attributed, log } = chain;
    const events = [claimed(profileA), attributed(profileA), moved('m0'), claimed(profileB, profileA), moved('m1')];
    await projectSlowly(...log(...events));
    expect((await ledgerOf(profileA)).map(({ id }) => id)).toEqual(['m1', 'm0']);
    expect(await ledgerOf(profileB)).toEqual([]);
  });

  it('is shown as booked, and nets to nothing once it is given back', async () => {
    const { claimed, bought, moved, refunded, log } = chain;
    const back = { type: 'refund', amount: '-9.99', usd: '-11.4885', refundOf: 't0', time: boughtAt + day } as const;
    await projectSlowly(
      ...log(claimed(profileA), bought(0), moved('t0'), refunded('t0', boughtAt + day), moved('r', back)),
    );
    const booked = {
      ...{ store: 'app_store', environment: 'production', transactionId: 't0', originalTransactionId: '1000' },
      ...{ productId: 'premium.monthly', currency: 'EUR', rate: '1.15' },
      ...{ paywallId: null, placementId: null, decisionId: null },
    };
    expect(await ledgerOf(profileA)).toEqual([
      { ...booked, id: 'r', time: back.time, type: 'refund', amount: '-9.99', usd: '-11.4885', refundOf: 't0' },
      { ...booked, id: 't0', time: boughtAt, type: 'charge', amount: '9.99', usd: '11.4885', refundOf: null },
    ]);
    expect(await viewOf(profileA)).toMatchObject({ totalRevenueUsd: 0 });
  });

  it('without a rate is valued later', async () => {
    const { claimed, moved, valued, log } = chain;
    const events = log(claimed(profileA), moved('m0', { usd: null, rate: null }), valued('m0', '11.4885', '1.15'));
    await projectSlowly(...events.slice(0, 2));
    expect(await ledgerOf(profileA)).toMatchObject([{ usd: null, rate: null }]);
    expect(await viewOf(profileA)).toMatchObject({ totalRevenueUsd: 0 });
    await projectSlowly(...events);
    expect(await ledgerOf(profileA)).toMatchObject([{ usd: '11.4885', rate: '1.15' }]);
    expect(await viewOf(profileA)).toMatchObject({ totalRevenueUsd: 11.49 });
  });

  it('that came of a decision is its outcome, in production', async () => {
    const sandbox = purchaseChain('2000', { environment: 'sandbox' });
    const later = purchaseChain('3000');
    const boughtOf = ({ bought, claimed, attributed, moved, log }: typeof chain) =>
      log(bought(0), moved('t0'), claimed(profileA), attributed(profileA), moved('t1', { usd: null, rate: null }));
    await projectSlowly(...boughtOf(chain), ...boughtOf(sandbox), ...boughtOf(later));
    expect(await purchases.outcomeOf(decisionId)).toEqual({ conversions: 2, revenueUsd: '22.977' });
    expect(await purchases.outcomeOf(profileA)).toEqual({ conversions: 0, revenueUsd: '0' });
  });
});

describe('a chain', () => {
  const { chainId, bought, subscribed, claimed, released, validated, moved, notified, log } = purchaseChain('1000');
  const history = [bought(0), subscribed(0), moved('t0')];

  it('that is transferred gives access to its owner, and leaves revenue and an ended subscription behind', async () => {
    const events = [claimed(profileA), ...history, claimed(profileB, profileA)];
    await projectSlowly(...log(...events));
    expect(await viewOf(profileA)).toMatchObject({
      ...{ paid: false, totalRevenueUsd: 11.49, accessLevels: { premium: { isActive: false } } },
    });
    expect(await viewOf(profileB)).toMatchObject({
      ...{ paid: true, totalRevenueUsd: 0, accessLevels: { premium: { isActive: true } } },
    });
    expect(await chainsOf(profileC)).toEqual([]);
  });

  it('of the same store id in another app is another one', async () => {
    const other = purchaseChain('1000', { appId: 8 });
    await projectSlowly(
      ...log(claimed(profileA), ...history),
      ...other.log(other.claimed(profileB), other.moved('t0')),
    );
    expect((await chainsOf(profileA)).map((chain) => chain.chainId)).toEqual([chainId]);
    expect((await chainsOf(profileB)).map((chain) => chain.chainId)).toEqual([other.chainId]);
    expect([await ledgerOf(profileA), await ledgerOf(profileB)]).toMatchObject([[{ id: 't0' }], [{ id: 't0' }]]);
  });

  it('is on its owner’s timeline from its beginning, each event once and as it was published', async () => {
    const records = log(...history, validated(profileA), claimed(profileA), notified('n1'), validated(profileA));
    await projectSlowly(...records.slice(0, 3));
    expect(await timelineOf(profileA)).toEqual([]);
    await projectSlowly(...records);
    const { entries } = await timelines.ofProfile(appId, profileA, firstPage);
    expect(entries.map(({ type, service }) => [type, service])).toEqual([
      ['PurchaseValidated', 'purchase'],
      ['NotificationReceived', 'purchase'],
      ['PurchaseClaimed', 'purchase'],
      ['PurchaseValidated', 'purchase'],
      ['MoneyMoved', 'purchase'],
      ['SubscriptionChanged', 'purchase'],
      ['TransactionObserved', 'purchase'],
    ]);
    expect(entries.at(-1)).toMatchObject({ data: history[0]?.body });
  });

  it('is on a former owner’s timeline until it was lost, and on a reporter’s by the report alone', async () => {
    const events = [
      ...[bought(0), validated(profileA), claimed(profileA), validated(profileC), notified('n1')],
      ...[validated(profileB), claimed(profileB, profileA), notified('n2')],
    ];
    await projectSlowly(...log(...events));
    const newestFirst = events.map(({ type }) => type).reverse();
    expect(await timelineOf(profileB)).toEqual(newestFirst);
    expect(await timelineOf(profileA)).toEqual(newestFirst.slice(1));
    expect(await timelineOf(profileC)).toEqual(['PurchaseValidated']);
    expect((await timelines.ofProfile(8, profileB, firstPage)).entries).toEqual([]);
  });

  it('whose owner was erased is nobody’s, and whole for the next one', async () => {
    await projectSlowly(...log(claimed(profileA), ...history, released(profileA), notified('n1')));
    expect([await chainsOf(profileA), await timelineOf(profileA)]).toEqual([[], []]);
    await projectSlowly(
      ...log(claimed(profileA), ...history, released(profileA), notified('n1'), claimed(profileB, null, profileA)),
    );
    expect(await timelineOf(profileB)).toHaveLength(7);
    expect(await viewOf(profileB)).toMatchObject({ paid: true, totalRevenueUsd: 0 });
    expect(await chainsOf(profileA)).toEqual([]);
  });

  it('that comes back is whole again for its owner', async () => {
    const events = [bought(0), claimed(profileA), claimed(profileB, profileA, profileA), notified('n1')];
    const back = [claimed(profileA, profileB, profileA), notified('n2'), validated(profileB)];
    await projectSlowly(...log(...events, ...back));
    expect(await timelineOf(profileA)).toHaveLength(7);
    expect(await timelineOf(profileB)).toEqual([
      ...['PurchaseValidated', 'PurchaseClaimed', 'NotificationReceived'],
      ...['PurchaseClaimed', 'PurchaseClaimed', 'TransactionObserved'],
    ]);
  });
});

describe('an event that cannot be handled', () => {
  const { chainId, bought, notified, log } = purchaseChain('1000');
  const other = purchaseChain('2000');

  it('parks what follows in its chain, and holds up no other', async () => {
    const [first, second, third] = log(bought(0), notified('n1'), notified('n2'));
    const unknown = { ...second!, headers: { ...second!.headers, ce_type: 'com.paywright.NotificationReceived.v9' } };
    const follower = follow(pool, projection);
    await follower.claim(0);
    const batch = received([first!, unknown, third!, ...other.log(other.bought(0))]);
    await follower.handle(batch);
    expect(await deadLetters(pool)).toEqual([
      ['1', 'Its source publishes no event of this type and version.'],
      ['2', null],
    ]);
    expect(versions(await rowsOf(pool, 'purchase_chain'))).toEqual(
      versions([
        { chain_id: chainId, version: 1 },
        { chain_id: other.chainId, version: 1 },
      ]),
    );
  });
});

const versions = (rows: readonly Record<string, unknown>[]) =>
  new Map(rows.map(({ chain_id, version }) => [chain_id, version]));
