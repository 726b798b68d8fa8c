import { describe, expect, it } from '@jest/globals';
import {
  CatalogDocument,
  MoneyMoved,
  MoneyValued,
  PurchaseAttributed,
  PurchaseClaimed,
  PurchaseReplaced,
  SubscriptionConfirmed,
  PurchaseValidated,
  SubscriptionChanged,
  TransactionObserved,
} from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';
import type { PurchaseEvent } from '@paywright/purchases';
import {
  emptyChainRecord,
  evolveChainRecord,
  recordedStretches,
  withCredit,
  type ChainRecord,
} from './chain-record.ts';
import { begin, newMoneyOf, unsentMoneyOf } from './purchase-records.ts';

const chainId = '01890a5d-ac96-874b-bcce-b302099a8057';
const payer = '01890a5d-ac96-874b-bcce-b302099a8058';
const at = Date.UTC(2026, 0, 1);
const day = 86_400_000;
const place = { appId: 1, chainId, profileId: payer, store: 'app_store', environment: 'production' } as const;

const observed = (id: string, more: Partial<TransactionObserved['body']['transaction']> = {}): PurchaseEvent =>
  TransactionObserved.of({
    ...place,
    originalTransactionId: 't1',
    observedAt: at,
    labels: [],
    transaction: {
      transactionId: id,
      kind: 'subscription',
      productId: 'premium.monthly',
      basePlanId: null,
      offerId: null,
      phase: 'regular',
      purchasedAt: at,
      startsAt: at,
      expiresAt: at + 31 * day,
      price: null,
      isEstimate: false,
      isFamilyShared: false,
      isUpgraded: false,
      ...more,
    },
  });
const claimed = PurchaseClaimed.of({
  ...place,
  ...{ profileId: payer, formerProfileId: null, payerProfileId: payer, by: 'client', claimedAt: at },
});
const origin = { placementId: 'onboarding', isExperiment: true, aiPricingModelId: 1, abTestId: null, decisionId: null, impressionId: null }; // prettier-ignore
const attributed = PurchaseAttributed.of({
  ...place,
  ...{ payerProfileId: payer, transactionId: 't1', origin: { ...origin, paywallId: 2 } },
});
const validated = (source: 'restore' | 'purchasing' | 'observing' | null) =>
  PurchaseValidated.of({ ...place, profileId: payer, transactionId: 't1', source, origin: null, clientReported: null });
const moved = (
  movementId: string,
  type: 'charge' | 'refund' | 'refund_reversed',
  usd: string | null,
  more: Partial<MoneyMoved['body']> = {},
): PurchaseEvent =>
  MoneyMoved.of({
    ...place,
    ...{ movementId, type, transactionId: 't1', originalTransactionId: 't1', productId: 'premium.monthly' },
    ...{ time: at, originalTime: at, amount: usd ?? '1', currency: 'USD', usd, rate: '1', refundOf: null },
    ...{ isEstimate: false, payerProfileId: payer, origin: null },
    ...more,
  });
const changed = (
  more: Partial<SubscriptionChanged['body']['subscription']>,
  { observedAt = at + 2 * day, renewalUsd }: { observedAt?: number; renewalUsd?: string } = {},
): PurchaseEvent =>
  SubscriptionChanged.of({
    ...place,
    ...{ observedAt, labels: [], renewalUsd },
    subscription: {
      ...{ status: 'active', productId: 'premium.monthly', basePlanId: null, offerId: null, transactionId: 't1' },
      ...{ startsAt: at, expiresAt: at + 31 * day, graceExpiresAt: null, isOpenEnded: false, willRenew: true },
      ...{ renewsAs: null, unsubscribedAt: null, billingIssueAt: null, cancellationReason: null },
      ...more,
    },
  });

const recordOf = (events: readonly PurchaseEvent[]) =>
  events.reduce((record, event, index) => evolveChainRecord(record, index + 1, event), emptyChainRecord);
const products = CatalogDocument.parse(exampleCatalog).products;
const begun = (record: ChainRecord) =>
  begin(record, chainId, {
    ...{ products: { current: products, archived: [] }, at: at + 7 },
    canJoin: () => true,
  });
const start = (...events: PurchaseEvent[]) => begun(recordOf(events)).begun[0]?.start;
const newMoney = ({ chain, sent }: ChainRecord) => newMoneyOf(chain, sent, { chainId, start: chainId });
const money = (...events: PurchaseEvent[]) =>
  newMoney(recordOf(events)).map(({ id, kind, usd, at: when }) => [id.slice(chainId.length + 1), kind, usd, when - at]); // prettier-ignore

describe('a chain’s start', () => {
  it('is its first transaction, once it has a payer', () => {
    expect(start(observed('t1'))).toBeUndefined();
    expect(start(claimed)).toBeUndefined();
    expect(start(claimed, observed('t2', { purchasedAt: at + day }), observed('t1'), attributed)).toEqual({
      id: chainId,
      chain: chainId,
      at,
      heardAt: at + 7,
      paywallId: 2,
      product: 'premium-monthly',
      plan: 'month',
      periodDays: 31,
      trialDays: 0,
    });
  });

  it('is the purchase that its first transaction renews', () => {
    const renewal = observed('t2', { originallyPurchasedAt: at - 365 * day });
    expect(start(claimed, renewal)).toMatchObject({ at: at - 365 * day, heardAt: at + 7 });
    const bought = observed('t1', { purchasedAt: at - 365 * day });
    expect(start(claimed, renewal, bought)).toMatchObject({ at: at - 365 * day });
  });

  it('may be a trial, or bought once, or of a product that the catalog does not know', () => {
    const trial = observed('t1', { phase: 'trial', expiresAt: at + 7 * day });
    expect(start(claimed, trial)).toMatchObject({ plan: 'month', periodDays: 30, trialDays: 7, paywallId: null });
    const once = observed('t1', { kind: 'one_time', expiresAt: null });
    expect(start(claimed, once)).toMatchObject({ plan: 'one-time', trialDays: 0 });
    const unknown = observed('t1', { productId: 'other', expiresAt: at + 7 * day });
    expect(start(claimed, unknown)).toMatchObject({ product: 'other', plan: 'week', periodDays: 7 });
  });
});

describe('a chain that teaches nothing', () => {
  const statusOf = (...events: PurchaseEvent[]) => begun(recordOf(events)).record.status;
  const sandbox = (event: PurchaseEvent) =>
    ({ ...event, body: { ...event.body, environment: 'sandbox' } }) as PurchaseEvent;

  it.each([
    ['sandbox', [sandbox(observed('t1')), claimed]],
    ['restored', [validated('restore'), observed('t1'), claimed]],
    ['observed', [validated('observing'), observed('t1'), claimed]],
    ['shared by the family', [observed('t1', { isFamilyShared: true }), claimed]],
  ])('is %s', (_what, events) => {
    expect(statusOf(...events)).toBe('uncounted');
    expect(start(...events)).toBeUndefined();
  });

  it('is not one that was bought, whatever is restored of it later', () => {
    const credited = { ...recordOf([validated('purchasing'), observed('t1'), claimed]), status: 'credited' } as const;
    expect(evolveChainRecord(credited, 9, validated('restore')).status).toBe('credited');
    expect(statusOf(validated(null), observed('t1'), claimed)).toBe('waiting');
  });
});

describe('a chain that was bought again', () => {
  const other = '01890a5d-ac96-874b-bcce-b302099a8059';
  const again = (more: object = {}) =>
    observed('t9', { purchasedAt: at + 200 * day, startsAt: at + 200 * day, expiresAt: at + 231 * day, ...more });
  const reported = (transactionId: string, source: 'restore' | 'purchasing', paywallId: number | null = null) =>
    PurchaseValidated.of({
      ...{ ...place, profileId: payer, transactionId, source, clientReported: null },
      origin: paywallId === null ? null : { ...origin, paywallId },
    });
  const continued = (record: ChainRecord, ...events: PurchaseEvent[]) =>
    events.reduce((next, event) => evolveChainRecord(next, next.version + 1, event), record);
  const first = () => begun(recordOf([reported('t1', 'purchasing'), observed('t1'), claimed, attributed])).record;

  it('has a start of its own, of the paywall that was reported with it', () => {
    const { record, begun: starts } = begun(continued(first(), reported('t9', 'purchasing', 7), again()));
    expect(starts).toMatchObject([{ profileId: payer, start: { chain: chainId, at: at + 200 * day, paywallId: 7 } }]);
    const [{ start: anew }] = starts as [(typeof starts)[0]];
    expect(anew.id).not.toBe(chainId);
    // It begins once, and the first one is as it was.
    expect(begun(record)).toEqual({ record, begun: [] });
    const credited = withCredit(withCredit(record, chainId, chainId, 'main'), chainId, anew.id, 'other');
    expect(recordedStretches(credited, chainId)).toMatchObject([
      { boughtAt: at, start: { id: chainId, status: 'credited', model: 'main' } },
      { boughtAt: at + 200 * day, start: { id: anew.id, status: 'credited', model: 'other' } },
    ]);
  });

  it('is known with all its history at once', () => {
    const { begun: starts } = begun(recordOf([reported('t9', 'purchasing', 7), observed('t1'), again(), claimed]));
    expect(starts.map(({ start: { id, at: when } }) => [id === chainId, (when - at) / day])).toEqual([
      [true, 0],
      [false, 200],
    ]);
  });

  it('teaches of what was bought here, also behind what was bought elsewhere', () => {
    const restored = begun(recordOf([reported('t1', 'restore'), observed('t1'), claimed])).record;
    expect(restored.status).toBe('uncounted');
    const { begun: starts } = begun(continued(restored, reported('t9', 'purchasing'), again()));
    expect(starts).toMatchObject([{ start: { at: at + 200 * day } }]);
    const elsewhere = begun(continued(restored, reported('t9', 'restore'), again()));
    expect(elsewhere.begun).toEqual([]);
    expect(recordedStretches(elsewhere.record, chainId).map(({ start: known }) => known?.status)).toEqual([
      'uncounted',
      'uncounted',
    ]);
  });

  it('keeps no more of what nobody learns from than tells when it is bought again', () => {
    const renewal = (number: number) =>
      observed(`r${number}`, {
        ...{ purchasedAt: at + number * 31 * day, startsAt: at + number * 31 * day, originallyPurchasedAt: at },
        expiresAt: at + (number + 1) * 31 * day,
      });
    const paid = (number: number) => moved(`r${number}`, 'charge', '5', { transactionId: `r${number}` });
    const uncounted = withCredit(first(), chainId, chainId, null);
    const { chain } = continued(uncounted, ...[1, 2, 3].flatMap((number) => [renewal(number), paid(number)]));
    expect(Object.keys(chain.transactions)).toEqual(['t1', 'r3']);
    expect(chain.movements).toEqual([]);
    const { begun: starts } = begun(continued(uncounted, renewal(1), renewal(2), renewal(3), again()));
    expect(starts).toMatchObject([{ start: { at: at + 200 * day } }]);
  });

  it('is one start, whatever of its history comes late', () => {
    const late = begun(recordOf([claimed, again()])).record;
    const { begun: starts } = begun(continued(late, observed('t1')));
    expect(starts).toMatchObject([{ start: { at } }]);
    const middle = observed('t5', { purchasedAt: at + 190 * day, expiresAt: at + 221 * day });
    expect(begun(continued(late, middle)).begun).toEqual([]);
  });

  it('is one start, though its renewal dates the purchase a little otherwise than the purchase itself', () => {
    const renewal = (seconds: number) =>
      again({
        ...{ transactionId: 't10', purchasedAt: at + 231 * day, startsAt: at + 231 * day, expiresAt: at + 262 * day },
        originallyPurchasedAt: at + 200 * day + seconds * 1_000,
      });
    for (const seconds of [-1, 1]) {
      const late = begun(continued(first(), renewal(seconds)));
      expect(late.begun).toHaveLength(1);
      expect(begun(continued(late.record, again())).begun).toEqual([]);
    }
  });

  it('is of whoever has the chain by then', () => {
    const taken = PurchaseClaimed.of({
      ...place,
      ...{ profileId: other, formerProfileId: payer, payerProfileId: payer, by: 'client', claimedAt: at + 200 * day },
    });
    expect(begun(continued(first(), taken, again())).begun).toMatchObject([{ profileId: other }]);
  });

  it('is of who reported it first, whatever was restored of it since in the same batch', () => {
    const taken = PurchaseClaimed.of({
      ...place,
      ...{ profileId: other, formerProfileId: payer, payerProfileId: payer, by: 'client', claimedAt: at + 232 * day },
    });
    const renewal = again({ transactionId: 't10', purchasedAt: at + 231 * day, originallyPurchasedAt: at + 200 * day });
    const restored = { ...reported('t10', 'restore'), body: { ...reported('t10', 'restore').body, profileId: other } };
    const events = [reported('t9', 'purchasing', 7), again(), restored as PurchaseEvent, taken, renewal];
    expect(begun(continued(first(), ...events)).begun).toMatchObject([{ profileId: payer, start: { paywallId: 7 } }]);
  });

  it('waits with whoever reports it, once somebody does, unless that one restores it', () => {
    const waiting = begun(continued(first(), again())).record;
    const by = (source: 'restore' | 'purchasing', profileId: string) => {
      const report = reported('t9', source, 7);
      return { ...report, body: { ...report.body, profileId } } as PurchaseEvent;
    };
    for (const event of [by('restore', other), by('purchasing', payer)])
      expect(begun(continued(waiting, event)).begun).toEqual([]);
    const moved = begun(continued(waiting, by('purchasing', other)));
    expect(moved.begun).toMatchObject([{ profileId: other, leaves: payer, start: { paywallId: 7 } }]);
    expect(begun(moved.record).begun).toEqual([]);
    const credited = withCredit(waiting, chainId, waiting.further![0]!.id, 'main');
    expect(begun(continued(credited, by('purchasing', other))).begun).toEqual([]);
  });

  it('does not tell a movement twice, and ends what was bought before', () => {
    const paid = moved('t9', 'charge', '5', { transactionId: 't9', time: at + 200 * day });
    const record = continued(first(), moved('t1', 'charge', '10'), again(), paid, changed({ willRenew: false }));
    const [before, since] = recordedStretches(record, chainId);
    const told = newMoneyOf(before!.chain, [], { chainId, start: chainId });
    expect(told.map(({ id, chain, kind, at: when }) => [id.slice(37), chain, kind, (when - at) / day])).toEqual([
      ['t1', chainId, 'charge', 0],
      [`ended/${at + 31 * day}`, chainId, 'ended', 31],
    ]);
    const sent = told.map(({ id }) => id);
    expect(newMoneyOf(since!.chain, sent, { chainId, start: other }).map(({ id, chain }) => [id, chain])).toEqual([
      [`${chainId}/t9`, other],
      [`${other}/ended/${at + 2 * day}`, other],
    ]);
    expect(newMoneyOf(since!.chain, [...sent, `${chainId}/t9`], { chainId, start: other })).toHaveLength(1);
  });
});

describe('a chain of which a late fact shows that it was not bought again', () => {
  const month = (id: string, begun: number, days = 31) =>
    observed(id, { purchasedAt: at + begun * day, startsAt: at + begun * day, expiresAt: at + (begun + days) * day });
  const paid = (id: string, on: number) => moved(id, 'charge', '5', { transactionId: id, time: at + on * day });
  const told = (record: ChainRecord, ...events: PurchaseEvent[]) => {
    const next = events.reduce((known, event) => evolveChainRecord(known, known.version + 1, event), record);
    const money = unsentMoneyOf(next, chainId);
    return {
      record: { ...next, sent: [...next.sent, ...money.map(({ record: { id } }) => id)] },
      told: money.map(({ model, record: { kind, chain, at: when } }) => [
        model,
        chain === chainId ? 'first' : 'second',
        kind,
        (when - at) / day,
      ]),
    };
  };
  /** Both starts are credited, and told of, before a year comes that was bought within the first month. */
  const joined = () => {
    const both = begun(recordOf([claimed, observed('t1'), paid('t1', 0), month('t9', 200), paid('t9', 200)])).record;
    const second = both.further![0]!.id;
    const credited = withCredit(withCredit(both, chainId, chainId, 'main'), chainId, second, 'other');
    const before = told(credited);
    expect(before.told).toEqual([
      ['main', 'first', 'charge', 0],
      ['main', 'first', 'ended', 31],
      ['other', 'second', 'charge', 200],
    ]);
    return told(before.record, month('t2', 30, 365), paid('t2', 30));
  };

  it('ends the second start once the first one is told of the next charge', () => {
    const late = joined();
    expect(late.told).toEqual([['main', 'first', 'charge', 30]]);
    const next = told(late.record, month('t10', 231), paid('t10', 231));
    expect(next.told).toEqual([
      ['main', 'first', 'charge', 231],
      ['other', 'second', 'ended', 231],
    ]);
    expect(told(next.record, month('t11', 262), paid('t11', 262)).told).toEqual([['main', 'first', 'charge', 262]]);
  });

  it('ends both with the chain', () => {
    const cancelled = told(joined().record, changed({ willRenew: false }, { observedAt: at + 210 * day }));
    expect(cancelled.told).toEqual([
      ['main', 'first', 'ended', 210],
      ['other', 'second', 'ended', 210],
    ]);
    expect(told(cancelled.record).told).toEqual([]);
  });
});

describe('a chain’s money', () => {
  it('is charged and given back, each movement once', () => {
    const rows = [moved('t1', 'charge', '9.99'), moved('r1', 'refund', '-9.99', { time: at + day })];
    expect(money(...rows)).toEqual([
      ['t1', 'charge', 9.99, 0],
      ['r1', 'refund', 9.99, day],
    ]);
    const record = recordOf(rows);
    expect(newMoney({ ...record, sent: [`${chainId}/t1`] }).map(({ kind }) => kind)).toEqual(['refund']);
  });

  it('is told without its rate too, and then with it', () => {
    const unvalued = moved('t1', 'charge', null);
    expect(newMoney(recordOf([unvalued]))).toEqual([
      {
        ...{ type: 'money', id: `${chainId}/t1/unvalued`, chain: chainId, at },
        ...{ kind: 'extra', usd: 0, nextChargeUsd: null, valuedBy: `${chainId}/t1` },
      },
    ]);
    // All of it given back, and taken back again, which gives nothing back.
    const refund = moved('r1', 'refund', null, { time: at + day, amount: '-9.99' });
    const mended = moved('t1:mended', 'refund', null, { time: at + day, amount: '9.99' });
    const [, ofRefund, ...others] = newMoney(recordOf([unvalued, refund, mended]));
    expect(ofRefund).toMatchObject({ id: `${chainId}/r1/unvalued`, at: at + day, kind: 'refund', usd: 0, valuedBy: `${chainId}/r1` }); // prettier-ignore
    expect(others).toEqual([]);
    const valued = MoneyValued.of({ appId: 1, chainId, profileId: payer, store: 'app_store', movementId: 't1', usd: '5', rate: '1' }); // prettier-ignore
    expect(money(unvalued, valued)).toEqual([['t1', 'charge', 5, 0]]);
  });

  it('says how long a plan lasts that the chain changed to, where that is not as long as the one that it began with', () => {
    const bought = (id: string, productId: string, after: number, days: number) =>
      observed(id, { productId, purchasedAt: at + after * day, startsAt: at + after * day, expiresAt: at + (after + days) * day }); // prettier-ignore
    const paid = (id: string, usd: string | null = '5') => moved(id, 'charge', usd, { transactionId: id });
    const year = bought('t2', 'pro.yearly', 20, 365);
    const periodsOf = (...events: PurchaseEvent[]) => newMoney(recordOf(events)).map(({ periodDays }) => periodDays);
    const month = bought('t3', 'pro.monthly.2', 40, 30);
    expect(periodsOf(observed('t1'), year, month, paid('t1'), paid('t2'), paid('t3'))).toEqual([undefined, 365, undefined]); // prettier-ignore
    expect(periodsOf(observed('t1', { phase: 'trial' }), year, paid('t2', null))).toEqual([365]);
    const back = bought('t4', 'premium.monthly', 400, 31);
    expect(periodsOf(observed('t1'), year, back, paid('t4'))).toEqual([undefined]);
  });

  describe('beside the periods is bought besides', () => {
    const [half, month] = [at + 15 * day, { expiresAt: at + 31 * day }];
    const beside = { purchasedAt: half, startsAt: half, ...month };
    it.each<[string, object, object]>([
      ['more pieces of what is held, for the rest of its period', {}, { ...beside, phase: 'prorated' }],
      ['the difference to a dearer plan', {}, { ...beside, phase: 'prorated', productId: 'pro.monthly.2' }],
      ['a fee', {}, { ...beside, buysPeriod: false }],
      ['what is sold with a trial', { phase: 'trial' }, { phase: 'trial' }],
    ])('%s, and so is what goes back of it', (_, first, more) => {
      const events = [observed('t1', first), observed('t2', more)];
      const paid = moved('t2', 'charge', '5', { transactionId: 't2' });
      const refund = moved('r2', 'refund', '-2', { transactionId: 't2' });
      expect(money(...events, paid, refund)).toEqual([
        ['t2', 'extra', 5, 0],
        ['r2', 'extra', -2, 0],
      ]);
      const unvalued = [moved('t2', 'charge', null, { transactionId: 't2' })];
      expect(money(...events, ...unvalued)).toEqual([]);
    });

    it.each<[string, object]>([
      [
        'a plan that goes on when the former period would have ended',
        { ...beside, phase: 'prorated', expiresAt: at + 60 * day },
      ],
      [
        'a part of an invoice',
        { ...beside, buysPeriod: false, payments: [{ paymentId: 't2', paidAt: half, amount: '5' }] },
      ],
      ['the first that is known', { phase: 'prorated', purchasedAt: at - day, startsAt: at - day, expiresAt: at }],
    ])('but %s is a payment', (_, more) => {
      const paid = moved('t2', 'charge', '5', { transactionId: 't2' });
      expect(money(observed('t1'), observed('t2', more), paid)).toEqual([['t2', 'charge', 5, 0]]);
    });
  });

  it('is one payment a transaction, however often it is mended', () =>
    expect(
      money(
        moved('t1', 'charge', '10'),
        moved('t1:2', 'charge', '-2'),
        moved('r1', 'refund', '-8'),
        moved('t1:reversed', 'refund_reversed', '8'),
        moved('t2', 'charge', '10', { transactionId: 't2' }),
      ).map(([id, kind, usd]) => [id, kind, usd]),
    ).toEqual([
      ['t1', 'charge', 10],
      ['t1:2', 'extra', -2],
      ['r1', 'refund', 8],
      ['t1:reversed', 'extra', 8],
      ['t2', 'charge', 10],
    ]));

  it('is no refund any more once that is reversed', () => {
    const rows = [moved('t1', 'charge', '10'), moved('r1', 'refund', '-10'), moved('t1:won', 'refund_reversed', '10')];
    expect(newMoney(recordOf(rows)).map(({ kind, usd, reverses }) => [kind, usd, reverses ?? false])).toEqual([
      ['charge', 10, false],
      ['refund', 10, false],
      ['extra', 10, true],
    ]);
  });

  it('is given back once a transaction, in however many parts', () => {
    const parts = [moved('r1', 'refund', '-2'), moved('r2', 'refund', '-3'), moved('r3', 'refund', null)];
    expect(money(moved('t1', 'charge', '10'), ...parts).map(([id, kind, usd]) => [id, kind, usd])).toEqual([
      ['t1', 'charge', 10],
      ['r1', 'refund', 2],
      ['r2', 'extra', -3],
    ]);
  });

  it('ends with the subscription, or with its renewal, once each', () => {
    expect(money(changed({}))).toEqual([]);
    expect(money(changed({ willRenew: false, unsubscribedAt: at + day }))).toEqual([
      [`ended/${at + day}`, 'ended', 0, day],
    ]);
    expect(money(changed({ status: 'expired' }, { observedAt: at + 32 * day }))).toEqual([
      [`ended/${at + 31 * day}`, 'ended', 0, 31 * day],
    ]);
    // Given back on the second day: not on the day on which the period would have ended, which is still to come.
    expect(money(changed({ status: 'revoked' }))).toEqual([[`ended/${at + 2 * day}`, 'ended', 0, 2 * day]]);
    const replaced = PurchaseReplaced.of({ appId: 1, chainId, profileId: payer, store: 'app_store', byChainId: payer, replacedAt: at + day }); // prettier-ignore
    expect(money(changed({}), replaced)).toEqual([[`ended/${at + day}`, 'ended', 0, day]]);
  });
});

it('a chain ends once, however often the store says the same of it again', () => {
  const confirmed = (hours: number) =>
    SubscriptionConfirmed.of({ ...place, observedAt: at + 2 * day + hours * 3_600_000 });
  let record = emptyChainRecord;
  const told = [changed({ willRenew: false }), confirmed(1), confirmed(2)].flatMap((event, index) => {
    record = evolveChainRecord(record, index + 1, event);
    const records = newMoney(record);
    record = { ...record, sent: [...record.sent, ...records.map(({ id }) => id)] };
    return records;
  });
  expect(told).toMatchObject([{ kind: 'ended', at: at + 2 * day }]);
});

it('a chain that ended goes on when the store says that it renews again, and may end again', () => {
  const off = (days: number) =>
    changed({ willRenew: false, unsubscribedAt: at + days * day }, { observedAt: at + days * day + 1 });
  const on = (days: number) => changed({}, { observedAt: at + days * day });
  let record = emptyChainRecord;
  const told = [observed('t1'), on(1), off(2), on(3), on(4), off(5), off(5), on(6)].map((event, index) => {
    record = evolveChainRecord(record, index + 1, event);
    const records = newMoney(record);
    record = { ...record, sent: [...record.sent, ...records.map(({ id }) => id)] };
    return records.map(({ kind, usd, at: when, renews }) => [kind, usd, (when - at) / day, renews ?? false]);
  });
  const [ended, again] = [(days: number) => [['ended', 0, days, false]], (days: number) => [['extra', 0, days, true]]];
  expect(told).toEqual([[], [], ended(2), again(3), [], ended(5), [], again(6)]);
});

it('a chain that ended for good goes on by no more than what is paid for it', () => {
  const replaced = PurchaseReplaced.of({ appId: 1, chainId, profileId: payer, store: 'app_store', byChainId: payer, replacedAt: at + day }); // prettier-ignore
  const record = recordOf([observed('t1'), replaced, changed({}, { observedAt: at + 2 * day })]);
  expect(newMoney({ ...record, sent: [`${chainId}/ended/${at + day}`] })).toEqual([]);
  const none = { ...recordOf([observed('t1', { kind: 'one_time' })]), sent: [`${chainId}/ended/${at + day}`] };
  expect(newMoney(none)).toEqual([]);
});

describe('a chain’s next charge', () => {
  const priced = (amount: string, renewalUsd: string | undefined, days = 2, more: object = {}) =>
    changed(
      { renewalPrice: { amount, currency: 'EUR' }, ...more },
      { observedAt: at + days * day, ...(renewalUsd && { renewalUsd }) },
    );
  /** What is told after each event, when all that was told before was sent. */
  const told = (...events: readonly PurchaseEvent[]) => {
    let record = emptyChainRecord;
    return events.flatMap((event, index) => {
      record = evolveChainRecord(record, index + 1, event);
      const records = newMoney(record).filter(({ kind }) => kind === 'extra');
      record = { ...record, sent: [...record.sent, ...records.map(({ id }) => id)] };
      return records.map(({ usd, nextChargeUsd, at: when }) => [usd, nextChargeUsd, (when - at) / day]);
    });
  };

  it('is told as the store tells it, and is no money', () =>
    expect(newMoney(recordOf([observed('t1', { phase: 'trial' }), priced('9.99', '11.4885')]))).toEqual([
      {
        ...{ type: 'money', chain: chainId, at: at + 2 * day, kind: 'extra', usd: 0, nextChargeUsd: 11.4885 },
        id: `${chainId}/next/0/9.99 EUR`,
      },
    ]));

  it('is told once for each price, also when one comes back', () =>
    expect(
      told(
        priced('9.99', '11'),
        priced('9.99', '12', 33, { transactionId: 't2' }),
        priced('12.99', '15', 34),
        priced('9.99', '11.5', 35),
        changed({ willRenew: false }, { observedAt: at + 36 * day }),
        priced('9.99', '11.6', 37),
      ),
    ).toEqual([
      [0, 11, 2],
      [0, 15, 34],
      [0, 11.5, 35],
    ]));

  it.each<[string, object, number]>([
    ['not told of a year that a month became', { productId: 'pro.yearly', expiresAt: at + 400 * day }, 0],
    ['told of another month', { productId: 'pro.monthly.2', expiresAt: at + 66 * day }, 1],
  ])('is %s', (_, bought, times) => {
    const moved = observed('t2', { ...bought, purchasedAt: at + 35 * day, startsAt: at + 35 * day });
    const events = [priced('9.99', '11'), moved, priced('59.99', '66', 36, { ...bought, transactionId: 't2' })];
    expect(told(observed('t1'), ...events)).toHaveLength(1 + times);
  });

  it('is not told of a plan that is to change with it', () => {
    expect(told(observed('t1'), priced('59.99', '66', 2, { renewsAs: 'pro.yearly' }))).toEqual([]);
  });

  it('is told anew once an add-on is to be paid with it', () => {
    const price = (amount: string) => ({ renewalPrice: { amount, currency: 'EUR' } });
    const withAddOn = (renewalUsd: string, days: number, addOn: object) => {
      const alone = priced('9.99', renewalUsd, days) as SubscriptionChanged;
      return { ...alone, body: { ...alone.body, addOns: [{ ...alone.body.subscription, ...addOn }] } };
    };
    expect(
      told(
        priced('9.99', '11'),
        withAddOn('15', 3, { productId: 'coach', ...price('3') }),
        withAddOn('11', 4, { productId: 'coach', renewalPrice: undefined, willRenew: false }),
      ),
    ).toEqual([
      [0, 11, 2],
      [0, 15, 3],
      [0, 11, 4],
    ]);
  });

  it('is told anew when another plan falls due, though no price has changed', () => {
    const yearly = { renewalPrice: { amount: '60', currency: 'EUR' }, expiresAt: at + 365 * day };
    const withMonthly = (renewalUsd: string, days: number, expiresAt: number) => {
      const both = priced('60', renewalUsd, days, yearly) as SubscriptionChanged;
      const monthly = { productId: 'coach', renewalPrice: { amount: '3', currency: 'EUR' }, expiresAt };
      return { ...both, body: { ...both.body, addOns: [{ ...both.body.subscription, ...monthly }] } };
    };
    expect(told(withMonthly('3', 3, at + 30 * day), withMonthly('63', 340, yearly.expiresAt))).toEqual([
      [0, 3, 3],
      [0, 63, 340],
    ]);
  });

  it('waits for its value, and is not told of what costs nothing or is not said', () => {
    expect(told(changed({}), priced('9.99', undefined), priced('0', '0'))).toEqual([]);
    expect(told(priced('9.99', undefined), priced('9.99', '11', 3, { status: 'grace' }))).toEqual([[0, 11, 3]]);
  });
});

it('takes no event twice', () => {
  const record = recordOf([moved('t1', 'charge', '10')]);
  expect(evolveChainRecord(record, 1, moved('t2', 'charge', '10'))).toBe(record);
});
