export { chainIdOf, modelStreamOf, notificationCommandId } from './chain/chain-id.ts';
export { isNewsOfRenewal, unsubscribedAt } from './chain/auto-renewal.ts';
export {
  buysPeriod,
  type Chain,
  costsSomething,
  currentTransaction,
  emptyChain,
  type Movement,
  originallyPurchasedAt,
  type SubscriptionWithAddOns,
  tookPlaceOf,
  transactionsOf,
} from './chain/chain.ts';
export { evolveChain } from './chain/evolve-chain.ts';
export { linesOf, nextCharged, partOf, subscriptionsOf } from './chain/lines.ts';
export type { PurchaseEvent } from './chain/purchase-event.ts';
export {
  isOfPurchase,
  isPaidBack,
  isRefunded,
  isRevoked,
  refundedMicros,
  standingRefunds,
  withdraws,
} from './chain/refunds.ts';
export { awaitsOrigin, isBoughtAgain, originsOf, type Stretch, stretchesOf, withObserved } from './chain/stretches.ts';
export { decimalOfMicros, microsOf, timesRate } from './money/decimal.ts';
export {
  type ExchangeRateTable,
  mergeExchangeRates,
  newestDayOf,
  newestQuotedDay,
  parseExchangeRates,
  usdPerUnit,
  utcDay,
} from './money/exchange-rates.ts';
export type { AccessEntry } from './view/access-entry.ts';
export type { NonSubscriptionEntry } from './view/non-subscriptions.ts';
export { type ProfileState, profileStates } from './view/profile-state.ts';
export { type PurchaseView, purchaseViewOf } from './view/purchase-view.ts';
export { type Product, type SoldProducts, soldProduct, soldProducts } from './view/sold-product.ts';
