import { describe, expect, it } from '@jest/globals';
import { MoneyMoved, MoneyShareTold, type TransactionFact } from '@paywright/contracts';
import { microsOf } from '@paywright/purchases';
import fc from 'fast-check';
import type { PurchaseCommand } from './purchase-decider.ts';
import { bought, claimBy, lived, now, observe, observed, p1, refunded, trial, usd } from './testing/purchases.ts';

const euros = (amount: string) => ({ amount, currency: 'EUR' });
const told = (transaction: TransactionFact) =>
  observe(observed({ transactions: [transaction] }), { claim: claimBy(p1) });
const sharesOf = (...commands: readonly PurchaseCommand[]) =>
  lived(...commands).chain.movements.map(({ movementId, amount, storeShare }) => [movementId, amount, storeShare]);

const fact = (more: Partial<TransactionFact>) => told(bought('1', more));
const paid = { price: usd('10'), storeShare: usd('1.5') };

describe('the store’s share', () => {
  it('is booked with its charge, also in the currency that the store settles in', () => {
    expect(sharesOf(fact(paid))).toEqual([['1', '10', usd('1.5')]]);
    expect(sharesOf(fact({ ...paid, storeShare: euros('1.4') }))).toEqual([['1', '10', euros('1.4')]]);
  });

  it('is null where the store does not say', () => {
    const { events } = lived(fact({}));
    expect(events.flatMap((event) => (event.type === MoneyMoved.type ? [event.body.storeShare] : []))).toEqual([null]);
  });

  it('is told once of a charge that was booked before, whose row stays as it is', () => {
    const before = lived(fact({ price: usd('10') }));
    const { events, chain } = lived(fact({ price: usd('10') }), fact(paid), fact(paid), fact({ price: usd('10') }));
    const booked = events.filter(({ type }) => type === MoneyMoved.type);
    expect(booked).toEqual(before.events.filter(({ type }) => type === MoneyMoved.type));
    const shares = events.flatMap((event) => (event.type === MoneyShareTold.type ? [event.body] : []));
    expect(shares).toEqual([
      { appId: 1, chainId: chain.chainId, profileId: p1, store: 'app_store', movementId: '1', storeShare: usd('1.5') },
    ]);
    expect(chain.movements).toMatchObject([{ movementId: '1', storeShare: usd('1.5') }]);
  });

  it('may be nothing, which is known then', () => {
    expect(sharesOf(fact({ ...paid, storeShare: usd('0') }), fact({ ...paid, storeShare: usd('0') }))).toEqual([
      ['1', '10', usd('0')],
    ]);
  });

  it('is of the payment, not of the estimate before it', () => {
    const estimate = fact({ price: usd('10'), isEstimate: true });
    const [part, more] = [
      { price: usd('8'), storeShare: usd('1.2') },
      { price: usd('9'), storeShare: usd('1.3') },
    ];
    expect(sharesOf(estimate, fact(part), fact(more))).toEqual([
      ['1', '10', usd('1.2')],
      ['1:2', '-2', null],
      ['1:3', '1', usd('0.1')],
    ]);
    expect(sharesOf(estimate, fact({ price: euros('8'), storeShare: euros('1.2') }))).toEqual([
      ['1', '10', null],
      ['1:2', '8', euros('1.2')],
      ['1:3', '-10', null],
    ]);
  });

  it('grows with a payment that is made bit by bit', () => {
    expect(sharesOf(fact({ price: usd('4'), storeShare: usd('0.6') }), fact({ price: usd('10') }), fact(paid))).toEqual(
      [
        ['1', '4', usd('0.6')],
        ['1:2', '6', usd('0.9')],
      ],
    );
  });

  it('is told no second time where only the payment grows', () => {
    expect(sharesOf(fact({ price: usd('4'), storeShare: usd('1.5') }), fact(paid))).toEqual([
      ['1', '4', usd('1.5')],
      ['1:2', '6', null],
    ]);
  });

  it('is of no trial and no family access, for they move no money', () => {
    expect(sharesOf(told(trial('1', { storeShare: usd('1') })))).toEqual([]);
    expect(sharesOf(fact({ ...paid, isFamilyShared: true }))).toEqual([]);
  });

  it('is of a refund what the store says of that, and is not taken off the charge', () => {
    const refund = (storeShare?: ReturnType<typeof usd>) =>
      observe(observed({ refunds: [refunded('1', now, { refundId: 'r1', ...(storeShare && { storeShare }) })] }));
    expect(sharesOf(fact(paid), refund(usd('-0.5')))).toEqual([
      ['1', '10', usd('1.5')],
      ['r1', '-10', usd('-0.5')],
    ]);
    expect(sharesOf(fact(paid), refund())[1]).toEqual(['r1', '-10', null]);
  });
});

/** What a store can say of one payment on its way to 9: estimates, parts of it, and what it keeps of those. */
const saying: fc.Arbitrary<Partial<TransactionFact>> = fc.oneof(
  fc.record({ price: fc.constantFrom(usd('7'), usd('12')), isEstimate: fc.constant(true) }),
  fc
    .tuple(fc.constantFrom('3', '5', '9'), fc.boolean())
    .map(([amount, isKnown]) => ({ price: usd(amount), ...(isKnown && { storeShare: usd(`0.${amount}`) }) })),
);

describe('the shares of a payment’s rows', () => {
  it('are together what the store keeps, whatever it said before and how often', () => {
    fc.assert(
      fc.property(fc.array(saying, { maxLength: 6 }), (sayings) => {
        const last = { price: usd('9'), storeShare: usd('0.9') };
        const { chain, events } = lived(...[...sayings, last, last].map(fact));
        const sum = chain.movements.reduce((total, row) => total + microsOf(row.storeShare?.amount ?? '0'), 0n);
        expect(sum).toBe(900_000n);
        const moved = events.flatMap((event) => (event.type === MoneyMoved.type ? [event.body] : []));
        const shared = events.flatMap((event) => (event.type === MoneyShareTold.type ? [event.body] : []));
        const toldOf = [...moved.filter(({ storeShare }) => storeShare), ...shared].map(({ movementId }) => movementId);
        expect(new Set(toldOf).size).toBe(toldOf.length);
      }),
      { numRuns: 200 },
    );
  });
});
