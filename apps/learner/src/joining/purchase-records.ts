import type { TransactionFact } from '@paywright/contracts';
import { addDuration } from '@paywright/platform';
import {
  buysPeriod,
  currentTransaction,
  microsOf,
  nextCharged,
  originallyPurchasedAt,
  soldProduct,
  transactionsOf,
  unsubscribedAt,
  type Chain,
  type Movement,
  type SoldProducts,
} from '@paywright/purchases';
import { planOf, type MoneyRecord } from '@paywright/selection-engine';
import type { ChainRecord } from './chain-record.ts';
import type { Start } from './journey.ts';

const dayMs = 86_400_000;
const daysOfPlan: Readonly<Record<string, number>> = { week: 7, month: 30, year: 365, 'one-time': 1 };

/**
 * The start of a chain that has a payer and a first transaction; null before. Of a subscription from before the app was
 * connected the first is a renewal: what was seen shortly before that did not sell it.
 */
export function startOf({ chain }: ChainRecord, products: SoldProducts, heardAt: number): Start | null {
  const [first] = transactionsOf(chain);
  if (first === undefined || chain.payer === null || chain.chainId === null) return null;
  const product = soldProduct(products, chain.store, first);
  const periodDays = periodDaysOf(chain, product?.period ?? null);
  return {
    chain: chain.chainId,
    at: originallyPurchasedAt(first),
    heardAt,
    paywallId: chain.origin?.paywallId ?? null,
    product: product?.id ?? first.productId,
    plan: first.kind === 'one_time' ? 'one-time' : planOfPeriod(product?.period ?? null, periodDays),
    periodDays,
    trialDays: first.phase === 'trial' ? daysOf(first) : 0,
  };
}

/**
 * Records of the chain's money, of its next charge and of its end that the log does not have yet; money in the order of
 * the ledger.
 */
export function newMoneyOf({ chain, sent }: ChainRecord, chainId: string): readonly MoneyRecord[] {
  const known = new Set(sent);
  const charged = new Set<string>();
  const records = chain.movements.map((row) => {
    if (isBeside(chain, chain.transactions[row.transactionId])) return besideOf(chainId, row);
    const isFirst = row.type === 'charge' && !charged.has(row.transactionId);
    if (isFirst) charged.add(row.transactionId);
    const other = isFirst ? otherPeriodOf(chain, chain.transactions[row.transactionId]) : null;
    const paysFor = other === null ? {} : { periodDays: other };
    if (row.usd !== null) return { ...moneyOf(chainId, row, Number(row.usd), isFirst), ...paysFor };
    const record = unvaluedOf(chainId, row, isFirst);
    return record && { ...record, ...paysFor };
  });
  return [...records, nextChargeOf(chain, chainId, sent), turnOf(chain, chainId, sent)]
    .filter((record) => record !== null)
    .filter(({ id }) => !known.has(id));
}

/** What was paid or given back of it, once it has a value: neither a payment of a period nor one less of them. */
const besideOf = (chain: string, { movementId, time, usd }: Movement): MoneyRecord | null =>
  usd === null ? null : { ...wordOf(chain, movementId, time), usd: Number(usd) };

/** What a store tells that is no payment of a period. @param told names it among what it tells of the chain */
const wordOf = (chain: string, told: string, at: number) =>
  ({ type: 'money', id: `${chain}/${told}`, chain, at, kind: 'extra', usd: 0, nextChargeUsd: null }) as const;

/**
 * Whether a transaction paid for no period of its own: what is sold with a trial, a fee, or the difference to more of a plan or
 * to a dearer one, for what is left of a period that was paid for. Of what was paid in part a period is yet to come.
 */
function isBeside(chain: Chain, bought: TransactionFact | undefined): boolean {
  if (bought?.kind !== 'subscription') return false;
  if (!buysPeriod(bought)) return (bought.payments ?? []).length === 0;
  return bought.phase === 'trial' || (bought.phase === 'prorated' && isWithinPeriod(chain, bought));
}

const isWithinPeriod = (chain: Chain, { startsAt, expiresAt }: TransactionFact): boolean =>
  transactionsOf(chain).some(
    (period) =>
      period.phase !== 'prorated' &&
      period.startsAt <= startsAt &&
      (expiresAt ?? Infinity) <= (period.expiresAt ?? -Infinity) + monthsDifferBy * dayMs,
  );

/** A second charge of a transaction mends the first one, and what is given back again mends a refund. */
function moneyOf(chain: string, { movementId, type, time }: Movement, usd: number, isFirst: boolean): MoneyRecord {
  const record = { type: 'money', id: `${chain}/${movementId}`, chain, at: time, nextChargeUsd: null } as const;
  if (isFirst && usd >= 0) return { ...record, kind: 'charge', usd };
  if (type === 'refund' && usd <= 0) return { ...record, kind: 'refund', usd: -usd };
  return { ...record, kind: 'extra', usd };
}

/**
 * A charge or refund in a currency that has no rate yet: without them, who pays there would seem never to pay, or never to
 * get it back. The record that tells its USD has the movement's own id.
 */
function unvaluedOf(chain: string, { movementId, type, time: at, amount }: Movement, isFirst: boolean) {
  const valuedBy = `${chain}/${movementId}`;
  const record = {
    type: 'money',
    id: `${valuedBy}/unvalued`,
    chain,
    at,
    usd: 0,
    nextChargeUsd: null,
    valuedBy,
  } as const;
  if (isFirst) return { ...record, kind: 'extra' } as const;
  return type === 'refund' && microsOf(amount) < 0n ? ({ ...record, kind: 'refund' } as const) : null;
}

/**
 * What the store says that is charged next, with all that falls due then, once for each price that it told after
 * another one. It is no money itself: an older learner adds nothing. One that costs nothing says nothing of those after
 * it.
 */
function nextChargeOf(subscribed: Chain, chain: string, sent: readonly string[]): MoneyRecord | null {
  const { renewalUsd, observedAt: at } = subscribed;
  if (!renewsAsItBegan(subscribed)) return null;
  const prices = nextCharged(subscribed).flatMap(({ renewalPrice }) => renewalPrice ?? []);
  if (prices.length === 0 || renewalUsd === undefined || !(Number(renewalUsd) > 0)) return null;
  const told = sent.filter((id) => id.startsWith(`${chain}/next/`));
  const price = prices.map(({ amount, currency }) => `${amount} ${currency}`).join(' + ');
  if (told.at(-1)?.endsWith(`/${price}`)) return null;
  return { ...wordOf(chain, `next/${told.length}/${price}`, at), nextChargeUsd: Number(renewalUsd) };
}

/**
 * Whether the next period lasts as long as the start's: what a year costs says nothing of a month. Of a plan that is to
 * change with it, nobody knows yet.
 */
function renewsAsItBegan(chain: Chain): boolean {
  if (chain.subscription?.renewsAs != null) return false;
  return otherPeriodOf(chain, currentTransaction(chain)) === null;
}

/** What a transaction's period lasts, if it is of another plan than the chain's first one, and not as long; else null. */
function otherPeriodOf(chain: Chain, bought: TransactionFact | null | undefined): number | null {
  const known = transactionsOf(chain);
  const [first] = known;
  if (!bought || !first || planKey(bought) === planKey(first)) return null;
  const regular = known.find((one) => one.phase === 'regular' && planKey(one) === planKey(first));
  const days = daysOf(bought);
  return regular !== undefined && Math.abs(days - daysOf(regular)) <= monthsDifferBy ? null : days;
}

const planKey = ({ productId, basePlanId }: TransactionFact): string => `${productId} ${basePlanId}`;

/** In days; a leap year's is less. */
const monthsDifferBy = 3;

/** Its end, or that it goes on after one. What the store says of an end again is no other one. */
function turnOf(known: Chain, chain: string, sent: readonly string[]): MoneyRecord | null {
  const [end, prefix] = [endOf(known, chain), `${chain}/ended/`];
  const last = sent.at(-1);
  if (!last?.startsWith(prefix)) return end;
  if (end !== null || known.subscription === null) return null;
  const at = Math.max(known.observedAt, Number(last.slice(prefix.length)));
  return { ...wordOf(chain, `renews/${at}`, at), renews: true };
}

/** A later charge takes it back, and so does the word that it renews again. */
function endOf(known: Chain, chain: string): MoneyRecord | null {
  const { subscription, observedAt, replacedAt } = known;
  const end = (at: number): MoneyRecord => {
    return { type: 'money', id: `${chain}/ended/${at}`, chain, at, kind: 'ended', usd: 0, nextChargeUsd: null };
  };
  if (replacedAt !== null) return end(replacedAt);
  if (subscription === null) return null;
  const { status, willRenew, expiresAt } = subscription;
  // Of a period that was given back the end is still to come.
  if (status === 'expired' || status === 'revoked') return end(Math.min(observedAt, expiresAt ?? observedAt));
  return willRenew ? null : end(unsubscribedAt(known) ?? observedAt);
}

/** What a period of the plan lasts: by its first regular transaction, else by what the catalog calls it. */
function periodDaysOf(chain: Chain, period: string | null): number {
  const regular = transactionsOf(chain).find(({ phase, kind }) => phase === 'regular' && kind === 'subscription');
  if (regular !== undefined && regular.expiresAt !== null) return daysOf(regular);
  const named = daysOfPlan[planOf(period ?? '')] ?? 30;
  if (period === null || !period.startsWith('P')) return named;
  try {
    return Math.max(1, Math.round(addDuration(0, period) / dayMs));
  } catch {
    return named;
  }
}

function planOfPeriod(period: string | null, days: number): string {
  const named = planOf(period ?? '');
  if (named !== 'other') return named;
  if (days <= 13) return 'week';
  return days <= 200 ? 'month' : 'year';
}

const daysOf = ({ startsAt, expiresAt }: TransactionFact): number =>
  Math.max(1, Math.round(((expiresAt ?? startsAt) - startsAt) / dayMs));
