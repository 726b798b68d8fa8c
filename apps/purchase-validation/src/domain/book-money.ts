import {
  type ExchangeRate,
  MoneyMoved,
  MoneyShareTold,
  MoneyValued,
  type ObservePurchase,
  type PurchaseOrigin,
  type TransactionFact,
} from '@paywright/contracts';
import {
  type Chain,
  decimalOfMicros,
  microsOf,
  type Movement,
  originsOf,
  timesRate,
  transactionsOf,
} from '@paywright/purchases';
import { missingRows, type Row } from './missing-rows.ts';
import { observedIn, type Step } from './purchase-stream.ts';
import { ratedBy, rateOnDay } from './rate-on-day.ts';
import { untoldShare } from './store-share.ts';

/**
 * The rows that the ledger lacks for what is known of the chain's transactions and refunds: what was booked before,
 * in whatever order, is taken off what there should be. The store's share goes with the charge, or is told of it later.
 */
export const bookMoney: Step = (command, { chain }) => {
  const originOf = originsOf(chain);
  return transactionsOf(chain).flatMap((fact) => bookTransaction(command, chain, fact, originOf(fact.transactionId)));
};

function bookTransaction(
  command: ObservePurchase,
  chain: Chain,
  fact: TransactionFact,
  origin: PurchaseOrigin | null,
): readonly MoneyEvent[] {
  const booked = chain.movements.filter(({ transactionId }) => transactionId === fact.transactionId);
  const missing = missingMovements(command, chain, fact, booked);
  const share = untoldShare(fact, [...booked, ...missing]);
  const { productId, isEstimate } = fact;
  const { originalTransactionId, payer: payerProfileId } = chain;
  const known = { originalTransactionId, productId, isEstimate, payerProfileId, origin };
  const observed = observedIn(command, chain);
  const moved = missing.map((row) =>
    MoneyMoved.of({ ...observed, ...known, ...row, ...(row.movementId === share?.movementId && share) }),
  );
  if (!share || missing.some(({ movementId }) => movementId === share.movementId)) return moved;
  const { appId, chainId, profileId, store } = observed;
  return [...moved, MoneyShareTold.of({ appId, chainId, profileId, store, ...share })];
}

type MoneyEvent = MoneyMoved | MoneyShareTold;
type MissingMovement = Movement & Pick<Row, 'refundOf'>;

function missingMovements(
  { body: { observation, rates } }: ObservePurchase,
  chain: Chain,
  fact: TransactionFact,
  booked: readonly Movement[],
): readonly MissingMovement[] {
  const { transactionId } = fact;
  const rows: Movement[] = [...booked];
  return missingRows(chain, fact, booked, observation.observedAt).map(({ amount, ...missing }) => {
    const row = { ...missing, transactionId, amount: decimalOfMicros(amount) };
    const rate = rateOf(chain, row, rates);
    const movement = { ...row, rate, usd: rate === null ? null : usdOf(rows, row, rate) };
    rows.push(movement);
    return movement;
  });
}

/** Values the rows that had no rate and have one now. */
export function valueMoney(
  place: { readonly appId: number; readonly chainId: string },
  chain: Chain,
  rates: readonly ExchangeRate[],
): readonly MoneyValued[] {
  const { store, owner: profileId, movements } = chain;
  if (!store) return [];
  return movements.flatMap((row, index) => {
    const rate = row.usd === null ? rateOf(chain, row, rates) : null;
    if (rate === null) return [];
    const { movementId, transactionId } = row;
    const before = movements.slice(0, index).filter((earlier) => earlier.transactionId === transactionId);
    return [MoneyValued.of({ ...place, profileId, store, movementId, usd: usdOf(before, row, rate), rate })];
  });
}

type Unvalued = Omit<Movement, 'usd' | 'rate'>;

/** The rate that the transaction's money of that currency and day was booked at, else that of the day of purchase. */
function rateOf({ movements }: Chain, row: Unvalued, rates: readonly ExchangeRate[]): string | null {
  const { transactionId, currency, originalTime } = row;
  const booked = movements.find(
    (earlier) => earlier.transactionId === transactionId && earlier.rate !== null && ratedBy(earlier) === ratedBy(row),
  );
  return booked?.rate ?? rateOnDay(rates, currency, originalTime);
}

/**
 * A row's USD, such that the USD of all charges of a transaction at one rate is that of their sum, and that of its
 * refunds too: what is rounded once cannot drift apart over parts.
 * @param before the transaction's earlier rows
 */
function usdOf(before: readonly Unvalued[], row: Unvalued, rate: string): string {
  const sum = before
    .filter((earlier) => ratedBy(earlier) === ratedBy(row) && (earlier.type === 'charge') === (row.type === 'charge'))
    .reduce((total, { amount }) => total + microsOf(amount), 0n);
  return decimalOfMicros(timesRate(sum + microsOf(row.amount), rate) - timesRate(sum, rate));
}
