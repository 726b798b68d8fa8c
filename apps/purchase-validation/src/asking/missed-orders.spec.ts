import { describe, expect, it } from '@jest/globals';
import type { Observation } from '@paywright/contracts';
import { emptyChain } from '@paywright/purchases';
import { bought, observed, refunded, standing } from '../domain/testing/purchases.ts';
import { missedOrders, renewedOrders, replacedOrders, wasPaidBefore } from './missed-orders.ts';

const knownOf = (...orderIds: string[]) => ({
  ...emptyChain,
  transactions: Object.fromEntries(orderIds.map((orderId) => [orderId, bought(orderId)])),
});
/** What Google tells of a subscription whose latest order that is, and perhaps of an add-on. */
const latest = (orderId: string, addOn?: string): Observation => ({
  ...observed({ store: 'play_store' }),
  ...{ originalId: 'token', replaces: [], account: null },
  subscription: standing({ transactionId: orderId }),
  ...(addOn !== undefined && { addOns: [standing({ productId: 'coach', transactionId: addOn })] }),
  transactions: [bought(orderId)],
});

describe('orders that passed between two looks', () => {
  it.each<[string, string[], string, string[]]>([
    ['are those between the last known and the latest', ['A..3'], 'A..6', ['A..5', 'A..4']],
    ['are those behind the first order too', ['A'], 'A..2', ['A..1', 'A..0']],
    ['are those within what is known', ['A', 'A..2', 'A..3'], 'A..4', ['A..1', 'A..0']],
    ['are none where the next one came', ['A..3'], 'A..4', []],
    ['are none where nothing is known of the subscription', ['B', 'B..1'], 'A..6', []],
    ['are none where the latest is known', ['A..6'], 'A..6', []],
    ['are none where the latest is older than what is known', ['A..6', 'A..7'], 'A..5', []],
  ])('%s', (_, known, orderId, missed) => expect(missedOrders(latest(orderId), knownOf(...known))).toEqual(missed));

  it('are told once, though several products are paid by them', () =>
    expect(missedOrders(latest('A..3', 'A..3'), knownOf('A..1'))).toEqual(['A..2']));

  it('are those of each product that has orders of its own', () =>
    expect(missedOrders(latest('A..3', 'B..1'), knownOf('A..1', 'B'))).toEqual(['A..2', 'B..0']));

  it('are a dozen at once, the newest first', () => {
    const missed = missedOrders(latest('A..40'), knownOf('A'));
    expect(missed).toEqual(Array.from({ length: 12 }, (_, index) => `A..${39 - index}`));
  });

  it('are not those that are known to have been cancelled', () => {
    const refund = refunded('A..4', 0);
    const known = { ...knownOf('A..3'), refunds: { [refund.refundId]: refund } };
    expect(missedOrders(latest('A..6'), known)).toEqual(['A..5']);
  });
});

describe('orders that a renewal has followed', () => {
  it.each<[string, string[], string, string[]]>([
    ['are the one before the latest', ['A', 'A..0'], 'A..1', ['A..0']],
    ['are the first, before the first renewal', ['A'], 'A..0', ['A']],
    ['are none where the latest is known', ['A', 'A..0'], 'A..0', []],
    ['are none that are not known', ['A'], 'A..2', []],
    ['are none where nothing was paid before', [], 'A', []],
  ])('%s', (_, known, orderId, renewed) => expect(renewedOrders(latest(orderId), knownOf(...known))).toEqual(renewed));

  it('are none that cost nothing, as a trial’s', () => {
    const trial = { ...bought('A'), price: { amount: '0', currency: 'USD' } };
    const known = { ...emptyChain, transactions: { A: trial } };
    expect(renewedOrders(latest('A..0'), known)).toEqual([]);
  });

  it('are those of the plan and the add-ons that the order of another plan took the place of', () => {
    const before = {
      ...knownOf('A', 'A..0', 'B'),
      subscription: standing({ transactionId: 'A..0' }),
      addOns: [standing({ productId: 'coach', transactionId: 'B' })],
    };
    const changed = (addOn?: string) => ({ ...latest('C', addOn), replaces: ['former'] });
    expect(replacedOrders(changed(), before)).toEqual(['A..0', 'B']);
    expect(replacedOrders(changed('B'), before)).toEqual(['A..0']);
    expect(replacedOrders(latest('C'), before)).toEqual([]);
    expect(replacedOrders(changed(), { ...before, ...knownOf('A', 'A..0', 'B', 'C') })).toEqual([]);
  });

  it('can be there from the first renewal on, and cost real money', () => {
    const test: Observation = { ...latest('A..0'), environment: 'sandbox' };
    const changed: Observation = { ...latest('A'), replaces: ['former'] };
    expect([latest('A'), latest('A..0'), changed, test].map(wasPaidBefore)).toEqual([false, true, true, false]);
  });
});
