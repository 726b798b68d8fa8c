import type {
  MoneyMoved,
  PurchaseEnvironment,
  PurchaseOrigin,
  RefundFact,
  Store,
  SubscriptionChanged,
  SubscriptionFact,
  TransactionFact,
} from '@paywright/contracts';

/** A row of the ledger; of `usd`, `rate` and `storeShare` the newest values. */
export type Movement = Pick<
  MoneyMoved['body'],
  | 'movementId'
  | 'type'
  | 'transactionId'
  | 'time'
  | 'originalTime'
  | 'amount'
  | 'currency'
  | 'usd'
  | 'rate'
  | 'storeShare'
>;

/** A subscription, and those that were bought with it: each has dates, renewal and access of its own. */
export interface SubscriptionWithAddOns {
  readonly subscription: SubscriptionFact | null;
  /** By product; absent where there is none. */
  readonly addOns?: readonly SubscriptionFact[] | undefined;
}

/** A subscription as it was when another profile took it over, and when that was. */
export interface TakenOver extends SubscriptionWithAddOns {
  readonly at: number;
}

/**
 * What is known of a chain of purchases: facts, of which state, access and money at any moment follow. It is plain
 * JSON, so it can be kept as it is. Times are milliseconds; records are by transaction id, or by refund id.
 */
export interface Chain extends SubscriptionWithAddOns {
  readonly chainId: string | null;
  /** null before the first event, as environment before the first observation. */
  readonly store: Store | null;
  readonly environment: PurchaseEnvironment | null;
  readonly originalTransactionId: string | null;
  /** Whose access it is: nobody's before the first claim, and after its owner was erased. */
  readonly owner: string | null;
  /** Of whom others took it over; not who was erased. */
  readonly formerOwners: readonly string[];
  /** What each of them had when it went to another; absent where that was not kept yet. */
  readonly takenOver?: Readonly<Record<string, TakenOver>>;
  /** Whose money it is: the first owner, for ever. */
  readonly payer: string | null;
  readonly origin: PurchaseOrigin | null;
  /** The transaction that the client named with it; absent where it named none. */
  readonly attributedWith?: string;
  /** By the transaction that was named: what it came of when it was bought again. Absent: it was not, or nobody told. */
  readonly laterOrigins?: Readonly<Record<string, PurchaseOrigin>>;
  /** What the next period costs with all add-ons, in USD; absent where nothing renews, or nobody knows. */
  readonly renewalUsd?: SubscriptionChanged['body']['renewalUsd'];
  /** When the store last said that it renews, and the latest time that it was switched off at: see unsubscribedAt. */
  readonly renewingAt?: number;
  readonly switchedOffAt?: number | undefined;
  /** When the store said the newest of the subscription. */
  readonly observedAt: number;
  readonly replacedAt: number | null;
  readonly transactions: Readonly<Record<string, TransactionFact>>;
  readonly refunds: Readonly<Record<string, RefundFact>>;
  readonly revokedAt: Readonly<Record<string, number>>;
  readonly reversedAt: Readonly<Record<string, number>>;
  /** By refund id: when the store said that it came to nothing; absent where none did. */
  readonly failedRefunds?: Readonly<Record<string, number>>;
  readonly movements: readonly Movement[];
}

export const emptyChain: Chain = {
  chainId: null,
  store: null,
  environment: null,
  originalTransactionId: null,
  owner: null,
  formerOwners: [],
  payer: null,
  origin: null,
  subscription: null,
  observedAt: 0,
  replacedAt: null,
  transactions: {},
  refunds: {},
  revokedAt: {},
  reversedAt: {},
  movements: [],
};

/** The chain's transactions, in the order of purchase. */
export const transactionsOf = ({ transactions }: Chain): readonly TransactionFact[] =>
  Object.values(transactions).sort((a, b) => a.purchasedAt - b.purchasedAt || a.startsAt - b.startsAt);

/** Whether it is more than money: the period that it names was bought by it. */
export const buysPeriod = ({ buysPeriod: isBought = true }: TransactionFact): boolean => isBought;

/** Whether it is known that it was not for nothing. */
export const costsSomething = ({ price }: Pick<TransactionFact, 'price'>): boolean => Number(price?.amount ?? 0) > 0;

/** Whether it was neither a trial nor for nothing, as far as the store says. */
export const isPaidFor = ({ phase, isFree }: TransactionFact): boolean => phase !== 'trial' && isFree !== true;

/** Those that bought a period of the subscription, in the order of purchase. */
export const periodsOf = (chain: Chain): readonly TransactionFact[] =>
  transactionsOf(chain).filter((transaction) => transaction.kind === 'subscription' && buysPeriod(transaction));

/** When the purchase was made that the transaction belongs to: a renewal is its subscription's. */
export const originallyPurchasedAt = (transaction: TransactionFact): number =>
  transaction.originallyPurchasedAt ?? transaction.purchasedAt;

/**
 * Whether it began while another plan ran: that its place was taken need not be told of the former one.
 * @param before what was bought last before it
 */
export function tookPlaceOf(before: TransactionFact, { productId, basePlanId, ...bought }: TransactionFact): boolean {
  const isOther = before.productId !== productId || before.basePlanId !== basePlanId;
  const isRunning = before.isUpgraded || bought.startsAt < (before.expiresAt ?? Infinity);
  return isOther && isRunning && bought.originallyPurchasedAt === undefined;
}

/** The transaction of the subscription's current period, if the store told of it. */
export const currentTransaction = ({ subscription, transactions }: Chain): TransactionFact | null =>
  transactions[subscription?.transactionId ?? ''] ?? null;
