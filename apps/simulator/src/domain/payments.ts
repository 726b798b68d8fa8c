import type { ActionOptions, NotNow } from './actions.ts';
import { decimalsOf, isZero, minus, plus, shareOf } from './amounts.ts';
import { closed, tell } from './life-cycle.ts';
import {
  lastPeriod,
  withAddOns,
  withPeriodAt,
  type Happening,
  type PartPayment,
  type Period,
  type Purchase,
} from './purchase.ts';

/** All that was given back of a period and not taken again. */
export const givenBackOf = ({ refunds }: Period): string =>
  refunds.filter(({ reversedAt }) => reversedAt === null).reduce((sum, { amount }) => plus(sum, amount), '0');

const sumOf = (parts: readonly PartPayment[] = []): string => parts.reduce((sum, { amount }) => plus(sum, amount), '0');

/** What was charged for a period: what was not paid in another way. */
export const chargedFor = ({ amount, partPayments }: Period): string => minus(amount, sumOf(partPayments));

/** What is not yet given back of what was charged for a period, nor lost to the customer's bank. */
export function paidFor(period: Period): string {
  const { dispute } = period;
  const lost = dispute?.outcome === 'lost' ? dispute.amount : '0';
  return minus(chargedFor(period), plus(givenBackOf(period), lost));
}

/** A part of what is owed is paid, by a bank transfer; it stays owed. */
export function payPart(purchase: Purchase, at: number, { percent }: ActionOptions): Happening | NotNow {
  const { standing, terms, nextTerms, currency, partPayments = [] } = purchase;
  if (standing !== 'grace' && standing !== 'retry')
    return { refusal: 'No payment has failed: pay-part comes after fail-billing.' };
  const next = nextTerms ?? terms;
  const owed = withAddOns(next.price, next);
  const amount = shareOf(owed, percent, decimalsOf(currency));
  const rest = minus(owed, plus(sumOf(partPayments), amount));
  if (isZero(rest) || rest.startsWith('-')) return { refusal: 'That is all that is owed: recover-billing pays it.' };
  return tell({ ...purchase, partPayments: [...partPayments, { at, amount }] }, 'part-paid', at);
}

export function refund(purchase: Purchase, at: number, { percent, period }: ActionOptions): Happening | NotNow {
  const number = period ?? purchase.periods.findLastIndex((each) => !isZero(paidFor(each)));
  const paid = purchase.periods[number];
  if (!paid || isZero(paidFor(paid))) return { refusal: 'There is no payment that could be given back.' };
  if (paid.dispute?.outcome === null) return { refusal: 'The payment is disputed: lose-dispute or win-dispute first.' };
  const rest = paidFor(paid);
  const share = shareOf(paid.amount, percent, decimalsOf(purchase.currency));
  const amount = percent === 100 || minus(rest, share).startsWith('-') ? rest : share;
  const refunded = withPeriodAt(purchase, number, { refunds: [...paid.refunds, { at, amount, reversedAt: null }] });
  const isCurrent = number === lastPeriod(purchase).number && purchase.standing !== 'ended';
  const isPartial = !isZero(paidFor(refunded.periods[number]!));
  const endsAccess = isCurrent && purchase.store !== 'stripe' && !(isPartial && purchase.store === 'play-store');
  return tell(endsAccess ? closed(refunded, at, 'refund') : refunded, 'refunded', at, number);
}

export function reverseRefund(purchase: Purchase, at: number): Happening | NotNow {
  const number = purchase.periods.findLastIndex(({ refunds }) => refunds.some(({ reversedAt }) => reversedAt === null));
  const given = purchase.periods[number];
  if (!given) return { refusal: 'There is no refund that could be reversed.' };
  const refunds = given.refunds.map((each) => (each.reversedAt === null ? { ...each, reversedAt: at } : each));
  const whole = withPeriodAt(purchase, number, { refunds });
  const isCurrent = number === lastPeriod(purchase).number && (given.endsAt ?? Infinity) > at;
  const isBack = purchase.endReason === 'refund' && isCurrent;
  const back: Purchase = { ...whole, standing: 'running', endedAt: null, endReason: null };
  return tell(isBack ? back : whole, 'refund-reversed', at, number);
}

export function openDispute(purchase: Purchase, at: number, { period }: ActionOptions): Happening | NotNow {
  const isOpen = (each: Period | undefined) => each !== undefined && !isZero(paidFor(each)) && !each.dispute;
  const number = period ?? purchase.periods.findLastIndex(isOpen);
  const paid = purchase.periods[number];
  if (!paid || !isOpen(paid)) return { refusal: 'There is no payment that could be disputed.' };
  const dispute = { at, amount: paidFor(paid), outcome: null };
  return tell(withPeriodAt(purchase, number, { dispute }), 'disputed', at, number);
}

export function closeDispute(purchase: Purchase, at: number, outcome: 'lost' | 'won'): Happening | NotNow {
  const number = purchase.periods.findLastIndex(({ dispute }) => dispute?.outcome === null);
  const dispute = purchase.periods[number]?.dispute;
  if (!dispute) return { refusal: 'No payment is disputed: this comes after dispute.' };
  return tell(withPeriodAt(purchase, number, { dispute: { ...dispute, outcome } }), 'dispute-closed', at, number);
}
