import { describe, expect, it } from '@jest/globals';
import { decimal, rounded, textOf, times } from '../model/decimal.ts';
import { expectationOf } from '../model/expectation.ts';
import { at, dayMs, plusMonths } from '../model/instant.ts';
import { acted } from '../model/act.ts';
import { subscribed } from '../model/life.ts';
import { claimed, oneTime, subscription } from '../model/purchase.ts';
import type { AccessAnswer, LedgerRow, ProfileAnswer } from './answers.ts';
import { ledgerDifferences } from './ledger-differences.ts';
import { profileDifferences } from './profile-differences.ts';
import { noRates, ratesOf } from './rates.ts';

const begin = at(Date.parse('2026-03-05T08:00:00.500Z'));
const iso = (ms: number): string => new Date(ms).toISOString();
const terms = { product: 'monthly', price: '7.99' } as const;
const refunded = acted(subscribed('app_store', terms, false, begin), 'refund', at(begin.latest + 40 * dayMs));
const now = begin.latest + 35 * dayMs;

const nobodys = subscription(subscribed('app_store', terms, false, begin), 'GBP', false);
const bought = claimed(nobodys, 'anna');
const access: AccessAnswer = {
  ...{ isActive: true, willRenew: true, isInGracePeriod: false, isLifetime: false },
  startsAt: iso(plusMonths(begin, 1).latest),
  expiresAt: iso(plusMonths(begin, 2).latest),
};
const answer: ProfileAnswer = {
  ...{ profileId: 'anna', state: 'subscribed', paid: true, totalRevenueUsd: 21.12 },
  accessLevels: { premium: access },
  subscriptions: { 'year.monthly': access },
  nonSubscriptions: {},
};
const expectation = expectationOf('anna', [bought], now);
const differencesWith = (changed: Partial<ProfileAnswer>): readonly string[] =>
  profileDifferences(expectation, { ...answer, ...changed });

describe('profileDifferences', () => {
  it('finds none where there is none', () => {
    expect(profileDifferences(expectation, answer)).toEqual([]);
  });

  const changed = (fields: Partial<AccessAnswer>): ProfileAnswer['subscriptions'] => ({
    'year.monthly': { ...access, ...fields },
  });
  it.each<[string, Partial<ProfileAnswer>]>([
    ['state', { state: 'auto-renew-off' }],
    ['paid', { paid: false }],
    ['subscriptions.year.monthly: expected', { subscriptions: {} }],
    ['subscriptions.year.monthly.isActive', { subscriptions: changed({ isActive: false }) }],
    ['subscriptions.year.monthly.willRenew', { subscriptions: changed({ willRenew: false }) }],
    ['isInGracePeriod', { subscriptions: changed({ isInGracePeriod: true }) }],
    ['expiresAt', { subscriptions: changed({ expiresAt: iso(plusMonths(begin, 2).latest + 1) }) }],
    ['expiresAt', { subscriptions: changed({ expiresAt: null }) }],
    ['1 months from', { subscriptions: changed({ startsAt: iso(plusMonths(begin, 1).latest + 1) }) }],
    ['accessLevels.premium: expected', { accessLevels: {} }],
    ['accessLevels.premium.isActive', { accessLevels: { premium: { ...access, isActive: false } } }],
    ['accessLevels.gold', { accessLevels: { ...answer.accessLevels, gold: access } }],
    ['is active, and nobody', { subscriptions: { ...answer.subscriptions, 'year.family': access } }],
    ['nobody bought', { nonSubscriptions: { 'year.coins': { isRefund: false, store: 'app_store' } } }],
  ])('names %s', (what, fields) => {
    expect(differencesWith(fields)).toContainEqual(expect.stringContaining(what));
  });

  it('asks for no access where there is none to have', () => {
    const ended = expectationOf('anna', [claimed({ ...nobodys, life: refunded }, 'anna')], now);
    const gone = { ...access, isActive: false };
    const none = { ...answer, state: 'subscription-cancelled', paid: false, accessLevels: { premium: gone } };
    expect(profileDifferences(ended, { ...none, subscriptions: { 'year.monthly': gone } })).toEqual([]);
    expect(profileDifferences(ended, { ...none, subscriptions: answer.subscriptions })).toHaveLength(1);
  });

  it('knows a purchase for life', () => {
    const sold = { store: 'stripe', product: 'lifetime', price: '149.99', currency: 'USD', isSandbox: false } as const;
    const forLife = expectationOf('anna', [claimed(oneTime(sold, begin), 'anna')], now);
    const held = { ...access, isLifetime: true, expiresAt: null };
    const owner = { ...answer, state: 'never-subscribed', subscriptions: {}, accessLevels: { premium: held } };
    const nonSubscriptions = { prod_year_lifetime: { isRefund: false, store: 'stripe' } };
    expect(profileDifferences(forLife, { ...owner, nonSubscriptions })).toEqual([]);
    expect(profileDifferences(forLife, owner)).toHaveLength(1);
  });
});

const rate = '1.32183908046';
const valued = (amount: string): string => textOf(rounded(times(decimal(amount), decimal(rate)), 6));
const row = (fields: Partial<LedgerRow> = {}): LedgerRow => ({
  ...{ id: 'a', time: iso(begin.latest), type: 'charge', store: 'app_store', environment: 'production' },
  ...{ transactionId: 't1', productId: 'year.monthly', amount: '7.99', currency: 'GBP', usd: valued('7.99'), rate },
  ...{ refundOf: null, paywallId: null, placementId: null, decisionId: null },
  ...fields,
});
const rows = [row(), row({ id: 'b', transactionId: 't2', time: iso(plusMonths(begin, 1).latest) })];
const rates = ratesOf('Date,USD,JPY,GBP,\n2026-03-03,1.1500,170.00,0.8700,\n2026-03-02,9,9,9,\n');
const money = (changed: readonly LedgerRow[], totalRevenueUsd = 21.12): readonly string[] =>
  ledgerDifferences(expectation.ledger, { rows: changed, totalRevenueUsd }, rates);

describe('ledgerDifferences', () => {
  it('finds none where there is none, in whatever order', () => {
    expect(money(rows)).toEqual([]);
    expect(money(rows.toReversed())).toEqual([]);
  });

  it.each<[string, readonly LedgerRow[]]>([
    ['missing charge 7.99 GBP', rows.slice(1)],
    ['too much charge 7.99 GBP', [...rows, row({ id: 'c', transactionId: 't3' })]],
    ['booked twice', [rows[0]!, { ...rows[1]!, transactionId: 't1' }]],
    ['missing charge 7.99 GBP', [rows[0]!, { ...rows[1]!, amount: '799' }]],
    ['and not 10.57', [{ ...rows[0]!, usd: '10.57' }, rows[1]!]],
    ['no value', [{ ...rows[0]!, usd: null, rate: null }, rows[1]!]],
    ['rate of its day', [{ ...rows[0]!, rate: '1', usd: '7.99' }, rows[1]!]],
    ['missing charge 7.99 GBP app_store', [{ ...rows[0]!, environment: 'sandbox' }, rows[1]!]],
    ['a charge that is not there', [...rows, row({ type: 'refund', amount: '-7.99', transactionId: 't9' })]],
    ['what it takes back', [...rows, row({ type: 'refund', amount: '-7.99', rate: '1.3', usd: '-10.387' })]],
  ])('names %s', (what, changed) => {
    expect(money(changed)).toContainEqual(expect.stringContaining(what));
  });

  it('holds the profile to the cent', () => {
    expect(money(rows, 21.13)).toEqual([expect.stringContaining('totalRevenueUsd')]);
  });
});

describe('ratesOf', () => {
  const usd = (currency: string, day: string): string | null => {
    const value = rates.usdPerUnit(currency, Date.parse(day));
    return value && textOf(value);
  };

  it('takes the day’s, else the latest earlier one', () => {
    expect(usd('GBP', '2026-03-03')).toBe('1.32183908046');
    expect(usd('GBP', '2027-01-01')).toBe('1.32183908046');
    expect(usd('GBP', '2026-03-02T23:59:59Z')).toBe('1');
    expect(usd('EUR', '2026-03-03')).toBe('1.15');
    expect(usd('USD', '2020-01-01')).toBe('1');
  });

  it('knows none before the first day, nor of a currency that is not there', () => {
    expect(usd('GBP', '2026-03-01')).toBeNull();
    expect(usd('BRL', '2026-03-03')).toBeNull();
    expect(noRates.usdPerUnit('GBP', 0)).toBeNull();
  });
});
