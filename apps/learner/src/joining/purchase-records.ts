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
import {
  buyerOf,
  isOfElsewhere,
  joinedStarts,
  moveOf,
  recordedStretches,
  reportOf,
  withCredit,
  withMove,
  withStart,
  type ChainRecord,
} from './chain-record.ts';
import type { Learned } from './fact.ts';
import type { Start } from './journey.ts';

const dayMs = 86_400_000;
const daysOfPlan: Readonly<Record<string, number>> = { week: 7, month: 30, year: 365, 'one-time': 1 };

/** What has begun: a start, and the profile whose journey it goes to; with `leaves` the one in whose it waited until now. */
export interface Begun {
  readonly profileId: string;
  readonly leaves?: string;
  readonly start: Start;
}

interface Hearing {
  readonly products: SoldProducts;
  /** When the chain was heard of. */
  readonly at: number;
  /** Whether nobody else may change a profile's journey meanwhile. If others can, the start is the payer's, as money is. */
  readonly canJoin: (profileId: string) => boolean;
}

/**
 * What begins of a chain now that its events are known: the starts that nobody looked for yet, once it has a buyer. Of a
 * subscription from before the app was connected the first transaction is a renewal: what was seen shortly before that
 * did not sell it. What was bought elsewhere and before teaches nothing. What still waits goes to whoever reports it.
 */
export function begin(
  record: ChainRecord,
  chainId: string,
  { products, at: heardAt, canJoin }: Hearing,
): { readonly record: ChainRecord; readonly begun: readonly Begun[] } {
  const begun: Begun[] = [];
  let next = record;
  const buyer = joinable(buyerOf(record), canJoin) ?? record.chain.payer;
  if (buyer === null) return { record, begun };
  for (const stretch of recordedStretches(record, chainId)) {
    const [first] = transactionsOf(stretch.chain);
    if (first === undefined) continue;
    const report = reportOf(next, stretch);
    const startOf = (id: string): Start => {
      return { id, chain: chainId, heardAt, paywallId: report.paywallId, ...boughtBy(stretch.chain, first, products) };
    };
    if (stretch.start !== undefined) {
      const move = moveOf(next, stretch);
      if (move === null || !canJoin(move.from) || !canJoin(move.to)) continue;
      next = withMove(next, move);
      begun.push({ profileId: move.to, leaves: move.from, start: startOf(move.id) });
      continue;
    }
    const profileId = joinable(report.profileId ?? null, canJoin) ?? buyer;
    const { id, record: waiting } = withStart(next, chainId, stretch, profileId);
    if (isOfElsewhere(report)) {
      next = withCredit(waiting, chainId, id, null);
    } else {
      next = waiting;
      begun.push({ profileId, start: startOf(id) });
    }
  }
  return { record: next, begun };
}

const joinable = (profileId: string | null, canJoin: Hearing['canJoin']): string | null =>
  profileId !== null && canJoin(profileId) ? profileId : null;

function boughtBy(chain: Chain, first: TransactionFact, products: SoldProducts) {
  const product = soldProduct(products, chain.store, first);
  const periodDays = periodDaysOf(chain, product?.period ?? null);
  return {
    at: originallyPurchasedAt(first),
    product: product?.id ?? first.productId,
    plan: first.kind === 'one_time' ? 'one-time' : planOfPeriod(product?.period ?? null, periodDays),
    periodDays,
    trialDays: first.phase === 'trial' ? daysOf(first) : 0,
  };
}

/** A record of money, and the model whose log it goes to. */
interface UnsentMoney extends Learned {
  readonly record: MoneyRecord;
}

/** Records of the money of a chain's starts that their models' logs do not have yet. */
export function unsentMoneyOf(record: ChainRecord, chainId: string): readonly UnsentMoney[] {
  const sent = [...record.sent];
  const unsent: UnsentMoney[] = [];
  const send = (model: string | null, money: readonly MoneyRecord[]) => {
    if (model === null) return;
    unsent.push(...money.map((one) => ({ model, record: one })));
    sent.push(...money.map(({ id }) => id));
  };
  const stretches = recordedStretches(record, chainId);
  for (const { chain, start } of stretches)
    if (start?.status === 'credited') send(start.model, newMoneyOf(chain, sent, { chainId, start: start.id }));
  for (const { id, model, boughtAt } of joinedStarts(record, chainId, stretches)) {
    const { chain, start } = stretches.findLast((stretch) => stretch.boughtAt <= boughtAt) ?? stretches[0]!;
    // What was charged of it last pays until then.
    const renewal = unsent.find(
      ({ record: one }) => one.kind === 'charge' && one.chain === start?.id && one.at > boughtAt,
    );
    const end = renewal === undefined ? endOf(chain, id) : endAt(id, renewal.record.at);
    if (end !== null && !hasEnded(sent, id)) send(model, [end]);
  }
  return unsent;
}

/** The chain that money is of, and the start that it follows: the chain's own id, unless it was bought again. */
interface Follows {
  readonly chainId: string;
  readonly start: string;
}

/**
 * Records of a stretch's money, of its next charge and of its end that the log does not have yet; money in the order of
 * the ledger. A movement is told once of its chain, whichever start it follows by now.
 */
export function newMoneyOf(chain: Chain, sent: readonly string[], follows: Follows): readonly MoneyRecord[] {
  const { start } = follows;
  const known = new Set(sent);
  const told = new Set<string>();
  const records = chain.movements.map((row) => {
    if (isBeside(chain, chain.transactions[row.transactionId])) return besideOf(follows, row);
    const what = `${row.type} ${row.transactionId}`;
    const isFirst = !told.has(what);
    told.add(what);
    const other = isFirst && row.type === 'charge' ? otherPeriodOf(chain, chain.transactions[row.transactionId]) : null;
    const paysFor = other === null ? {} : { periodDays: other };
    if (row.usd !== null) return { ...moneyOf(follows, row, Number(row.usd), isFirst), ...paysFor };
    const record = unvaluedOf(follows, row, isFirst);
    return record && { ...record, ...paysFor };
  });
  return [...records, nextChargeOf(chain, start, sent), turnOf(chain, follows, sent)]
    .filter((record) => record !== null)
    .filter(({ id }) => !known.has(id));
}

const movementRecordId = ({ chainId }: Follows, { movementId }: Pick<Movement, 'movementId'>) =>
  `${chainId}/${movementId}`;

/** What was paid or given back of it, once it has a value: neither a payment of a period nor one less of them. */
const besideOf = (follows: Follows, row: Movement): MoneyRecord | null =>
  row.usd === null
    ? null
    : { ...wordOf(follows.start, movementRecordId(follows, row), row.time), usd: Number(row.usd) };

/** What a store tells that is no payment of a period. */
const wordOf = (chain: string, id: string, at: number) =>
  ({ type: 'money', id, chain, at, kind: 'extra', usd: 0, nextChargeUsd: null }) as const;

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

/**
 * A second charge of a transaction mends the first one, as a second refund does: a payment is made once, and refunded once,
 * unless that is reversed.
 * @param isFirst whether it is the transaction's first of its type
 */
function moneyOf(follows: Follows, row: Movement, usd: number, isFirst: boolean): MoneyRecord {
  const { type, time: at } = row;
  const id = movementRecordId(follows, row);
  const record = { type: 'money', id, chain: follows.start, at, nextChargeUsd: null } as const;
  if (isFirst && type === 'charge' && usd >= 0) return { ...record, kind: 'charge', usd };
  if (isFirst && type === 'refund' && usd <= 0) return { ...record, kind: 'refund', usd: -usd };
  if (isFirst && type === 'refund_reversed' && usd >= 0) return { ...record, kind: 'extra', usd, reverses: true };
  return { ...record, kind: 'extra', usd };
}

/**
 * A charge or refund in a currency that has no rate yet: without them, who pays there would seem never to pay, or never to
 * get it back. The record that tells its USD has the movement's own id.
 */
function unvaluedOf(follows: Follows, row: Movement, isFirst: boolean) {
  const { type, time: at, amount } = row;
  const valuedBy = movementRecordId(follows, row);
  const record = {
    type: 'money',
    id: `${valuedBy}/unvalued`,
    chain: follows.start,
    at,
    usd: 0,
    nextChargeUsd: null,
    valuedBy,
  } as const;
  if (!isFirst) return null;
  if (type === 'charge') return { ...record, kind: 'extra' } as const;
  return type === 'refund' && microsOf(amount) < 0n ? ({ ...record, kind: 'refund' } as const) : null;
}

/**
 * What the store says that is charged next, with all that falls due then, once for each price that it told after
 * another one. It is no money itself: an older learner adds nothing. One that costs nothing says nothing of those after
 * it.
 */
function nextChargeOf(subscribed: Chain, start: string, sent: readonly string[]): MoneyRecord | null {
  const { renewalUsd, observedAt: at } = subscribed;
  if (!renewsAsItBegan(subscribed)) return null;
  const prices = nextCharged(subscribed).flatMap(({ renewalPrice }) => renewalPrice ?? []);
  if (prices.length === 0 || renewalUsd === undefined || !(Number(renewalUsd) > 0)) return null;
  const told = sent.filter((id) => id.startsWith(`${start}/next/`));
  const price = prices.map(({ amount, currency }) => `${amount} ${currency}`).join(' + ');
  if (told.at(-1)?.endsWith(`/${price}`)) return null;
  return { ...wordOf(start, `${start}/next/${told.length}/${price}`, at), nextChargeUsd: Number(renewalUsd) };
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
function turnOf(known: Chain, follows: Follows, sent: readonly string[]): MoneyRecord | null {
  const { start } = follows;
  const [end, ended, renews] = [endOf(known, start), endedOf(start), renewsOf(start)];
  const charges = known.movements.filter(({ type }) => type === 'charge');
  const goesOn = new Set(charges.map((row) => movementRecordId(follows, row)));
  const last = sent.findLast((id) => id.startsWith(ended) || id.startsWith(renews) || goesOn.has(id));
  if (!last?.startsWith(ended)) return end;
  if (end !== null || known.subscription === null) return null;
  const at = Math.max(known.observedAt, Number(last.slice(ended.length)));
  return { ...wordOf(start, `${renews}${at}`, at), renews: true };
}

/** A later charge takes it back, and so does the word that it renews again. */
function endOf(known: Chain, start: string): MoneyRecord | null {
  const { subscription, observedAt, replacedAt } = known;
  if (replacedAt !== null) return endAt(start, replacedAt);
  if (subscription === null) return null;
  const { status, willRenew, expiresAt } = subscription;
  // Of a period that was given back the end is still to come.
  if (status === 'expired' || status === 'revoked') return endAt(start, Math.min(observedAt, expiresAt ?? observedAt));
  return willRenew ? null : endAt(start, unsubscribedAt(known) ?? observedAt);
}

const endedOf = (start: string) => `${start}/ended/`;
const renewsOf = (start: string) => `${start}/renews/`;

const endAt = (start: string, at: number) =>
  ({ ...wordOf(start, `${endedOf(start)}${at}`, at), kind: 'ended' }) satisfies MoneyRecord;

/** Whether that is the last that was told of it. */
function hasEnded(sent: readonly string[], start: string): boolean {
  const [ended, renews] = [endedOf(start), renewsOf(start)];
  return sent.findLast((id) => id.startsWith(ended) || id.startsWith(renews))?.startsWith(ended) ?? false;
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
