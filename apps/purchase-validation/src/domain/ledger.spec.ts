import { describe, expect, it } from '@jest/globals';
import { type ExchangeRate, ValueMovements } from '@paywright/contracts';
import { decide, isRefusal } from '@paywright/event-sourcing';
import { commandFor, specification } from '@paywright/event-sourcing/testing';
import { type PurchaseCommand, purchaseDecider } from './purchase-decider.ts';
import {
  bought,
  chainId,
  claimBy,
  day,
  lived,
  now,
  observe,
  observed,
  p1,
  refunded,
  standing,
  trial,
  usd,
} from './testing/purchases.ts';

const { given } = specification(purchaseDecider);
const money = (amount: string, currency = 'EUR') => ({ amount, currency });
const told = (transaction: ReturnType<typeof bought>, more: Parameters<typeof observed>[0] = {}) =>
  observe(observed({ transactions: [transaction], subscription: standing(), ...more }), { claim: claimBy(p1) });
const news = (hours: number, more: Parameters<typeof observed>[0]) =>
  observe(observed({ observedAt: now + hours * 3_600_000, ...more }));
const rowsOf = (...commands: readonly PurchaseCommand[]) =>
  lived(...commands).chain.movements.map(({ type, movementId, amount, usd: dollars }) => [
    type,
    movementId,
    amount,
    dollars,
  ]);

describe('the ledger', () => {
  it('has no row for trials, family access, free offers, and what has no price yet', () => {
    expect(rowsOf(told(trial('1')))).toEqual([]);
    expect(rowsOf(told(trial('1', { price: usd('25') })))).toEqual([['charge', '1', '25', '25']]); // a set-up fee beside it
    expect(rowsOf(told(bought('1', { isFamilyShared: true })))).toEqual([]);
    expect(rowsOf(told(bought('1', { price: usd('0.00') })))).toEqual([]);
    expect(rowsOf(told(bought('1', { price: null })))).toEqual([]);
  });

  it('takes back what was booked of a seat that a group assigned, once that is known', () => {
    const asPurchase = told(bought('1'));
    const assigned = news(1, { transactions: [bought('1', { isFamilyShared: true, price: usd('0') })] });
    expect(rowsOf(asPurchase, assigned, asPurchase)).toEqual([
      ['charge', '1', '9.99', '9.99'],
      ['charge', '1:2', '-9.99', '-9.99'],
    ]);
    expect(rowsOf(assigned, asPurchase)).toEqual([]);
  });

  it('mends an estimate by the difference, once what was paid is known', () => {
    const estimated = told(bought('1', { price: money('9.99'), isEstimate: true }));
    const paid = news(1, { transactions: [bought('1', { price: money('11.89') })] });
    expect(rowsOf(estimated, paid, estimated, paid)).toEqual([
      ['charge', '1', '9.99', '11.4885'],
      ['charge', '1:2', '1.9', '2.185'],
    ]);
    expect(rowsOf(paid, estimated)).toEqual([['charge', '1', '11.89', '13.6735']]);
  });

  it('has what went back of one of three pieces, and then of two, as no more than that', () => {
    const ofPieces = (at: number, amount: string) => refunded('2000', at, { amount: usd(amount), isCumulative: true });
    const pieces = told(bought('2000', { kind: 'one_time', expiresAt: null, price: usd('30') }), {
      subscription: null,
    });
    const [one, two] = [
      news(24, { refunds: [ofPieces(now + day, '10')] }),
      news(48, { refunds: [ofPieces(now + 2 * day, '20')] }),
    ];
    const sums = (...commands: readonly PurchaseCommand[]) =>
      rowsOf(...commands).map(([type, , amount]) => [type, amount]);
    expect(sums(pieces, one, two, one)).toEqual([
      ['charge', '30'],
      ['refund', '-10'],
      ['refund', '-10'],
    ]);
    expect(sums(pieces, two, one)).toEqual([
      ['charge', '30'],
      ['refund', '-20'],
    ]);
  });

  it('has what went back of some seats once, and the rest with the others', () => {
    const ofSeats = (count: number, amount: string) => ({
      ...refunded('2000', now + count * day, { refundId: `2000:seats:${count}`, amount: usd(amount) }),
      ...{ isCumulative: true, isOfItem: true },
    });
    const seats = told(bought('2000', { price: usd('80') }));
    const [two, four] = [news(48, { refunds: [ofSeats(2, '16')] }), news(96, { refunds: [ofSeats(4, '28')] })];
    const all = news(240, { refunds: [refunded('2000', now + 10 * day)] });
    const rows = [
      ['charge', '2000', '80', '80'],
      ['refund', '2000:seats:2', '-16', '-16'],
      ['refund', '2000:seats:4', '-12', '-12'],
    ];
    expect(rowsOf(seats, two, two, four)).toEqual(rows);
    expect(rowsOf(seats, two, four, all).slice(0, 3)).toEqual(rows);
    expect(rowsOf(seats, two, four, all).at(-1)!.slice(2)).toEqual(['-52', '-52']);
    expect(lived(seats, two, four).view(p1).paid).toBe(true);
  });

  it('has what went back of single items of a purchase, which whoever bought it can still claim', () => {
    const ofItem = refunded('2000', now + day, { refundId: '2000:gold:1', amount: usd('3'), isOfItem: true });
    const bundle = { transactions: [bought('2000')], subscription: standing(), refunds: [ofItem] };
    const later = news(48, { ...bundle, refunds: [ofItem, refunded('2000', now + 2 * day)] });
    const rows = [
      ['charge', '2000', '9.99', '9.99'],
      ['refund', '2000:gold:1', '-3', '-3'],
    ];
    expect(rowsOf(told(bought('2000'), bundle), news(24, bundle))).toEqual(rows);
    expect(lived(told(bought('2000'), bundle)).chain.owner).toBe(p1);
    const all = [...rows, ['refund', `2000:${now + 2 * day}`, '-6.99', '-6.99']];
    expect(rowsOf(told(bought('2000'), bundle), later, news(24, bundle))).toEqual(all);
  });

  it('has one row of a refund that is told again as one of a single item, as by a newer instance', () => {
    const before = refunded('2000', now + day, { refundId: '2000:gold:1', amount: usd('3') });
    const bundle = { transactions: [bought('2000')], subscription: standing() };
    const again = news(48, { ...bundle, refunds: [{ ...before, isOfItem: true }] });
    const { chain } = lived(told(bought('2000'), bundle), news(24, { ...bundle, refunds: [before] }), again, again);
    expect(chain.refunds).toMatchObject({ [before.refundId]: { isOfItem: true } });
    expect(chain.movements.map(({ movementId }) => movementId)).toEqual(['2000', before.refundId]);
  });

  it('has a row for each payment of one purchase, whether they are heard of one by one or together', () => {
    const payments = [
      { paymentId: 'inpay_a', paidAt: now, amount: '4' },
      { paymentId: 'inpay_b', paidAt: now + day, amount: '5.99' },
    ];
    const part = told(bought('in_1', { price: money('4'), payments: payments.slice(0, 1) }));
    const whole = news(24, { transactions: [bought('in_1', { price: money('9.99'), payments })] });
    const rows = [
      ['charge', 'inpay_a', '4', '4.6'],
      ['charge', 'inpay_b', '5.99', '6.8885'],
    ];
    expect(rowsOf(part)).toEqual(rows.slice(0, 1));
    for (const words of [[part, whole, part], [whole, part], [whole]]) expect(rowsOf(...words)).toEqual(rows);
    expect(lived(part, whole).chain.movements.map(({ time }) => time)).toEqual([now, now + day]);
  });

  it('books payments no second time that were booked as one', () => {
    const payments = [
      { paymentId: 'inpay_a', paidAt: now - day, amount: '4' },
      { paymentId: 'inpay_b', paidAt: now, amount: '5.99' },
    ];
    const before = told(bought('in_1', { price: usd('9.99') }));
    const after = news(1, { transactions: [bought('in_1', { price: usd('9.99'), payments })] });
    expect(rowsOf(before, after)).toEqual([['charge', 'in_1', '9.99', '9.99']]);
  });

  it('gives back what was paid in part, and no more', () => {
    const payments = [{ paymentId: 'inpay_a', paidAt: now, amount: '4' }];
    const part = told(bought('in_1', { price: usd('4'), payments }), {
      refunds: [refunded('in_1', now + day, { amount: usd('5') })],
    });
    expect(rowsOf(part).map(([type, , amount]) => [type, amount])).toEqual([
      ['charge', '4'],
      ['refund', '-4'],
    ]);
  });

  it('has nothing left of an estimate whose order was cancelled, whichever is heard of first', () => {
    const estimated = told(bought('1', { price: money('9.99'), isEstimate: true }));
    const cancelled = news(1, { refunds: [refunded('1', now, { reason: 'canceled' })] });
    for (const words of [
      [estimated, cancelled, estimated],
      [cancelled, estimated],
    ]) {
      const amounts = rowsOf(...words).map(([, , amount]) => Number(amount));
      expect(amounts).toEqual([9.99, -9.99]);
    }
    expect(rowsOf(cancelled)).toEqual([]);
  });

  it('mends an estimate in another currency whole', () => {
    const estimated = told(bought('1', { price: usd('10'), isEstimate: true }));
    expect(rowsOf(estimated, news(1, { transactions: [bought('1', { price: money('9') })] }))).toEqual([
      ['charge', '1', '10', '10'],
      ['charge', '1:2', '9', '10.35'],
      ['charge', '1:3', '-10', '-10'],
    ]);
  });

  it('books what was paid on the day of the order, where that is known only with it', () => {
    const unread = news(24, { transactions: [bought('1', { purchasedAt: now + day, price: null })] });
    const read = news(48, { transactions: [bought('1', { price: money('9.99') })] });
    const { chain } = lived(unread, read, unread, read);
    expect(chain.movements).toMatchObject([{ movementId: '1', time: now, originalTime: now, usd: '11.4885' }]);
    expect(chain.transactions['1']).toMatchObject({ purchasedAt: now });
  });

  it('takes an estimate off the day that it was booked on, where the order is of another', () => {
    const rates = ['2026-11-20', '2026-11-21'].map((date, index) => ({
      ...{ day: date, currency: 'EUR', usdPerUnit: `1.${index + 1}` },
    }));
    const listed = { price: money('12'), isEstimate: true, purchasedAt: now + day };
    const estimated = observe(observed({ observedAt: now + day, transactions: [bought('1', listed)] }), { rates });
    const refund = news(36, { refunds: [refunded('1', now + day, { refundId: 'r1', amount: money('1') })] });
    const paid = observe(observed({ observedAt: now + 2 * day, transactions: [bought('1', { price: money('10') })] }), {
      rates: rates.slice(0, 1),
    });
    const { chain } = lived(estimated, refund, paid, estimated, refund, paid);
    const rows = chain.movements.map(({ movementId, originalTime, usd: dollars }) => [
      movementId,
      (originalTime - now) / day,
      dollars,
    ]);
    expect(rows).toEqual([
      ['1', 1, '14.4'],
      ['r1', 1, '-1.2'],
      ['1:2', 0, '11'],
      ['1:mended', 0, '-1.1'],
      ['1:3', 1, '-14.4'],
      ['1:mended:2', 1, '1.2'],
    ]);
  });

  it('takes refunds off at the charge’s rate, by their own date, and never more than was paid', () => {
    const [part, rest, late] = [
      refunded('1', now + day, { amount: money('3.33'), refundId: 'r1' }),
      refunded('1', now + 2 * day, { refundId: 'r2' }),
      refunded('1', now + 3 * day, { amount: money('1'), refundId: 'r3' }),
    ];
    const charge = told(bought('1', { price: money('9.99') }));
    const { chain, view } = lived(
      charge,
      news(24, { refunds: [part] }),
      news(48, { refunds: [part, rest] }),
      news(72, { refunds: [late] }),
    );
    expect(
      chain.movements.map(({ type, movementId, time, amount, usd: dollars }) => [
        type,
        movementId,
        time,
        amount,
        dollars,
      ]),
    ).toEqual([
      ['charge', '1', now, '9.99', '11.4885'],
      ['refund', 'r1', now + day, '-3.33', '-3.8295'],
      ['refund', 'r2', now + 2 * day, '-6.66', '-7.659'],
    ]);
    expect(view(p1).totalRevenueUsd).toBe(0);
  });

  it('books a refund that came before its charge', () => {
    const refund = news(1, { refunds: [refunded('1', now)] });
    expect(rowsOf(refund, told(bought('1')))).toEqual([
      ['charge', '1', '9.99', '9.99'],
      ['refund', `1:${now}`, '-9.99', '-9.99'],
    ]);
  });

  it('books of cumulative refunds the difference, also if one of them was lost', () => {
    const [first, second] = [
      refunded('1', now + 1, { amount: usd('3'), isCumulative: true, refundId: 'ch:300' }),
      refunded('1', now + 2, { amount: usd('5'), isCumulative: true, refundId: 'ch:500' }),
    ];
    const charge = told(bought('1'));
    expect(rowsOf(charge, news(1, { refunds: [first] }), news(2, { refunds: [second] })).slice(1)).toEqual([
      ['refund', 'ch:300', '-3', '-3'],
      ['refund', 'ch:500', '-2', '-2'],
    ]);
    expect(rowsOf(charge, news(2, { refunds: [second] }), news(1, { refunds: [first] })).slice(1)).toEqual([
      ['refund', 'ch:500', '-5', '-5'],
    ]);
  });

  it('takes a refund back once, and refunds again if the store does', () => {
    const refund = news(1, { refunds: [refunded('1', now + 1, { refundId: 'r1' })] });
    const reversed = news(2, { reversedRefunds: ['1'] });
    const again = news(4, { refunds: [refunded('1', now + 3 * 3_600_000, { refundId: 'r2' })] });
    expect(rowsOf(told(bought('1')), refund, reversed, reversed, refund, again).slice(1)).toEqual([
      ['refund', 'r1', '-9.99', '-9.99'],
      ['refund_reversed', '1:reversed', '9.99', '9.99'],
      ['refund', 'r2', '-9.99', '-9.99'],
    ]);
  });

  it('takes a refund that failed back by a row of its own, and no other', () => {
    const given = [
      refunded('1', now + 1, { refundId: 're_1', amount: usd('4') }),
      refunded('1', now + 2, { refundId: 're_2', amount: usd('3') }),
    ];
    const failed = (hours: number) => news(hours, { refunds: [given[1]!], failedRefunds: ['re_1'] });
    const commands = [told(bought('1')), news(1, { refunds: given }), failed(2), failed(3)];
    expect(rowsOf(...commands).slice(1)).toEqual([
      ['refund', 're_1', '-4', '-4'],
      ['refund', 're_2', '-3', '-3'],
      ['refund_reversed', 're_1:failed', '4', '4'],
    ]);
    expect(lived(...commands).events.filter(({ type }) => type === 'RefundFailed')).toHaveLength(1);
    expect(rowsOf(failed(2), ...commands).slice(1)).toEqual([['refund', 're_2', '-3', '-3']]);
  });

  it('counts a dispute that was lost, though a refund was tried and failed', () => {
    const refund = refunded('1', now + 1, { refundId: 're_1' });
    const disputed = news(2, { refunds: [refunded('1', now + 2, { refundId: 'dp_1' })], failedRefunds: ['re_1'] });
    expect(rowsOf(told(bought('1')), news(1, { refunds: [refund] }), disputed).slice(1)).toEqual([
      ['refund', 're_1', '-9.99', '-9.99'],
      ['refund_reversed', 're_1:failed', '9.99', '9.99'],
      ['refund', 'dp_1', '-9.99', '-9.99'],
    ]);
    expect(rowsOf(told(bought('1')), disputed).slice(1)).toEqual([['refund', 'dp_1', '-9.99', '-9.99']]);
  });

  it('counts no dispute that was lost and then won', () => {
    const lost = news(1, { refunds: [refunded('1', now + 1, { refundId: 'dp_1' })] });
    const won = news(2, { refunds: [], failedRefunds: ['dp_1'] });
    expect(rowsOf(told(bought('1')), lost, won)).toEqual([
      ['charge', '1', '9.99', '9.99'],
      ['refund', 'dp_1', '-9.99', '-9.99'],
      ['refund_reversed', 'dp_1:failed', '9.99', '9.99'],
    ]);
    expect(lived(told(bought('1')), lost, won).view(p1).totalRevenueUsd).toBe(9.99);
  });

  it('counts another dispute of a payment after one that was won', () => {
    const lost = news(1, { refunds: [refunded('1', now + 1, { refundId: 'dp_1' })] });
    const won = news(2, { refunds: [], failedRefunds: ['dp_1'] });
    const another = news(3, { refunds: [refunded('1', now + 3, { refundId: 'dp_2' })], failedRefunds: ['dp_1'] });
    expect(rowsOf(told(bought('1')), lost, won, another).slice(3)).toEqual([['refund', 'dp_2', '-9.99', '-9.99']]);
    expect(rowsOf(told(bought('1')), another).slice(1)).toEqual([['refund', 'dp_2', '-9.99', '-9.99']]);
  });

  it('takes less back where there was less to take', () => {
    const estimated = told(bought('1', { isEstimate: true }), { refunds: [] });
    const rows = rowsOf(
      estimated,
      news(1, { refunds: [refunded('1', now)] }),
      news(2, { transactions: [bought('1', { price: usd('4.99') })] }),
    );
    expect(rows.slice(2)).toEqual([
      ['charge', '1:2', '-5', '-5'],
      ['refund', '1:mended', '5', '5'],
    ]);
  });
});

describe('a refund', () => {
  it('of more than was paid is one of what was paid', () => {
    const refund = news(1, { refunds: [refunded('1', now + 1, { amount: usd('20') })] });
    expect(rowsOf(told(bought('1')), refund).slice(1)).toEqual([['refund', `1:${now + 1}`, '-9.99', '-9.99']]);
  });

  it('of all takes back more where more was paid than estimated', () => {
    const estimated = told(bought('1', { price: usd('5'), isEstimate: true }));
    const refund = news(1, { refunds: [refunded('1', now)] });
    expect(rowsOf(estimated, refund, news(2, { transactions: [bought('1')] })).slice(2)).toEqual([
      ['charge', '1:2', '4.99', '4.99'],
      ['refund', '1:mended', '-4.99', '-4.99'],
    ]);
  });

  it('in another currency than the charge is none', () => {
    const refund = news(1, { refunds: [refunded('1', now + 1, { amount: money('3') })] });
    expect(rowsOf(told(bought('1')), refund)).toEqual([['charge', '1', '9.99', '9.99']]);
  });

  it('has the charge’s rate, whatever the rates are by then', () => {
    const refund = observe(observed({ observedAt: now + day, refunds: [refunded('1', now + day)] }), { rates: [] });
    const { chain } = lived(told(bought('1', { price: money('9.99') })), refund);
    expect(chain.movements.map(({ usd: dollars, rate }) => [dollars, rate])).toEqual([
      ['11.4885', '1.15'],
      ['-11.4885', '1.15'],
    ]);
  });
});

describe('money without a rate', () => {
  const rate: ExchangeRate = { day: '2026-11-20', currency: 'VND', usdPerUnit: '0.0000381' };
  const charge = told(bought('1', { price: money('250000', 'VND') }));
  const refund = news(1, { refunds: [refunded('1', now + 1, { refundId: 'r1', amount: money('100000', 'VND') })] });
  const value = (rates: ExchangeRate[]) => commandFor(ValueMovements, { key: chainId, body: { rates } });

  it('is kept, and counts for nothing: neither 0 nor one to one', () => {
    const { chain, view } = lived(charge, refund);
    expect(chain.movements).toMatchObject([
      { amount: '250000', usd: null, rate: null },
      { amount: '-100000', usd: null },
    ]);
    expect(view(p1).totalRevenueUsd).toBe(0);
  });

  it('is valued once the rate of the day of purchase is there, refunds too', () => {
    const { view, events } = lived(
      charge,
      refund,
      value([{ ...rate, day: '2026-11-21' }]),
      value([rate]),
      value([rate]),
    );
    expect(events.filter(({ type }) => type === 'MoneyValued').map(({ body }) => body)).toMatchObject([
      { movementId: '1', usd: '9.525', rate: '0.0000381', profileId: p1 },
      { movementId: 'r1', usd: '-3.81', rate: '0.0000381' },
    ]);
    expect(view(p1).totalRevenueUsd).toBe(5.72);
  });

  it('is valued by the next news too', () => {
    const again = observe(observed({ observedAt: now + 1 }), { rates: [rate] });
    expect(lived(charge, again).chain.movements).toMatchObject([{ usd: '9.525' }]);
  });

  it('answers how many rows still have none', () => {
    const { stream } = lived(charge, refund);
    const left = (rates: ExchangeRate[]) => {
      const decision = decide(purchaseDecider, value(rates), stream);
      return isRefusal(decision) ? decision : decision.reply;
    };
    expect([left([]), left([rate])]).toEqual([{ stillWithoutRate: 2 }, { stillWithoutRate: 0 }]);
  });

  it('is counted without what has one', () => {
    const valued = news(2, { transactions: [bought('2', { purchasedAt: now + 2 })] });
    given(lived(charge, valued).events).when(value([])).thenReply({ stillWithoutRate: 1 });
  });
});
