import { describe, expect, it } from '@jest/globals';
import type { ObservePurchase, TransactionFact } from '@paywright/contracts';
import { bought, claimBy, day, lived, now, observe, observed, oneTime, p1, refunded, standing, trial, usd } from './testing/purchases.ts'; // prettier-ignore

const owned = (observation: Parameters<typeof observed>[0], more: Partial<ObservePurchase['body']> = {}) =>
  observe(observed(observation), { accountProfileId: p1, ...more });
const line = { purchaseId: 'line 1' };
const month = (transactionId: string, more: Partial<TransactionFact> = {}) =>
  bought(transactionId, { ...line, ...more });
const period = (transactionId: string, more: Partial<TransactionFact> = {}) =>
  owned({ transactions: [month(transactionId, more)], subscription: standing({ transactionId }) });
const lifetime = (transactionId: string, more: Partial<TransactionFact> = {}) =>
  oneTime(transactionId, 'lifetime', { purchaseId: '1000', price: usd('99.99'), ...more });

describe('a purchase with several transaction ids', () => {
  it('is one period of a subscription, whichever id comes first, also where both come at once', () => {
    const both = owned({
      transactions: [month('2001'), month('2000')],
      subscription: standing({ transactionId: '2001' }),
    });
    for (const commands of [[period('2000'), period('2001')], [period('2001'), period('2000')], [both], [both, both]]) {
      const { labels, chain, view } = lived(...commands);
      expect(labels).toEqual(['subscription_started']);
      expect(Object.keys(chain.transactions)).toHaveLength(1);
      expect(view(p1)).toMatchObject({ totalRevenueUsd: 9.99 });
      expect(view(p1).subscriptions).toMatchObject({ 'pro.monthly': { isActive: true, renewedAt: null } });
    }
  });

  it('is one trial', () => {
    const given = (id: string) =>
      owned({ transactions: [trial(id, line)], subscription: standing({ transactionId: id }) });
    expect(lived(given('2000'), given('2001')).labels).toEqual(['trial_started']);
  });

  it('is given back under any of them, once', () => {
    const refund = (id: string) =>
      owned({ observedAt: now + day, transactions: [lifetime(id)], refunds: [refunded(id, now + day)] });
    const purchases = [owned({ transactions: [lifetime('1000')] }), owned({ transactions: [lifetime('1005')] })];
    for (const refunds of [[refund('1000')], [refund('1005')], [refund('1005'), refund('1000')]]) {
      const { chain, view } = lived(...purchases, ...refunds);
      expect(chain.movements.map(({ type, amount }) => [type, amount])).toEqual([
        ['charge', '99.99'],
        ['refund', '-99.99'],
      ]);
      expect(view(p1, now + 2 * day)).toMatchObject({ totalRevenueUsd: 0, accessLevels: {} });
    }
    const taken = owned({ observedAt: now + 2 * day, transactions: [lifetime('1005')], reversedRefunds: ['1005'] });
    expect(lived(...purchases, refund('1000'), taken).view(p1, now + 3 * day)).toMatchObject({
      totalRevenueUsd: 99.99,
    });
    const revoked = owned({ observedAt: now + day, transactions: [month('2001')], revokedTransactions: ['2001'] });
    expect(Object.keys(lived(period('2000'), revoked).chain.revokedAt)).toEqual(['2000']);
  });

  it('is claimed by any of them', () => {
    const claim = claimBy(p1, { transactionId: '1005' });
    const { view } = lived(owned({ transactions: [lifetime('1000')] }, { accountProfileId: null }), owned({ transactions: [lifetime('1005')] }, { accountProfileId: null, claim })); // prettier-ignore
    expect(view(p1)).toMatchObject({ totalRevenueUsd: 99.99 });
  });

  it('is another one where it was given back before, and where nothing says that they are the same', () => {
    const first = [lifetime('1000'), refunded('1000', now + day)] as const;
    const anew = owned({ observedAt: now + 2 * day, transactions: [lifetime('1007', { purchasedAt: now + 2 * day })] });
    const { chain, view } = lived(
      owned({ observedAt: now + day, transactions: [first[0]], refunds: [first[1]] }),
      anew,
    );
    expect(Object.keys(chain.transactions)).toEqual(['1000', '1007']);
    expect(view(p1, now + 3 * day)).toMatchObject({ totalRevenueUsd: 99.99 });
    const unnamed = owned({ transactions: [bought('1'), bought('2', { purchasedAt: now + 1 })] });
    expect(Object.keys(lived(unnamed).chain.transactions)).toEqual(['1', '2']);
  });

  it('is known by what an earlier version had stored without its name, whichever id is told of next', () => {
    const stored = owned({ transactions: [bought('2000')], subscription: standing() });
    for (const told of [[period('2001')], [period('2000'), period('2001')], [period('2001'), period('2000')]]) {
      const { labels, chain, view } = lived(stored, ...told);
      expect([labels, Object.keys(chain.transactions)]).toEqual([['subscription_started'], ['2000']]);
      expect(view(p1).totalRevenueUsd).toBe(9.99);
    }
    // The date of what is bought for ever is that of its restoration.
    const forEver = owned({ transactions: [lifetime('1000', { purchaseId: undefined })] });
    const restored = owned({ transactions: [lifetime('1005', { purchasedAt: now + day, startsAt: now + day })] });
    expect(lived(forEver, restored).view(p1)).toMatchObject({ totalRevenueUsd: 99.99 });
  });

  it('is another one than what was stored without a name of another product or other dates', () => {
    const stored = owned({ transactions: [bought('2000')], subscription: standing() });
    const dates = { startsAt: now + 30 * day, expiresAt: now + 60 * day };
    for (const other of [{ productId: 'pro.yearly' }, dates, { expiresAt: now + 60 * day }, { startsAt: now + 1 }])
      expect(Object.keys(lived(stored, period('2001', other)).chain.transactions)).toEqual(['2000', '2001']);
  });

  it('is given back under each of the ids that an earlier version had booked it by', () => {
    const twice = owned({ transactions: [bought('2000'), bought('2001')], subscription: standing() });
    const refund = (id: string) =>
      owned({ observedAt: now + day, transactions: [month(id)], refunds: [refunded(id, now + day)] });
    const rows = ({ chain }: ReturnType<typeof lived>) => chain.movements.map((one) => [one.transactionId, one.amount]);
    const charges = [
      ['2000', '9.99'],
      ['2001', '9.99'],
    ];
    const ofOne = lived(twice, period('2000'), period('2001'), refund('2001'));
    expect(rows(ofOne)).toEqual([...charges, ['2001', '-9.99']]);
    const ofBoth = lived(twice, period('2000'), refund('2001'), refund('2000'));
    expect(rows(ofBoth)).toEqual([...charges, ['2001', '-9.99'], ['2000', '-9.99']]);
    expect(ofBoth.view(p1, now + 2 * day)).toMatchObject({ totalRevenueUsd: 0 });
  });
});
