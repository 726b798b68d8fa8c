import type {
  AutoRenewalObserved,
  MoneyMoved,
  MoneyShareTold,
  MoneyValued,
  NotificationReceived,
  PurchaseAttributed,
  PurchaseClaimed,
  PurchaseReleased,
  PurchaseReplaced,
  PurchaseValidated,
  RefundFailed,
  RefundReversed,
  SubscriptionChanged,
  SubscriptionConfirmed,
  TransactionObserved,
  TransactionRefunded,
  TransactionRevoked,
} from '@paywright/contracts';

/** All that happens to a chain of purchases. */
export type PurchaseEvent =
  | PurchaseValidated
  | PurchaseClaimed
  | PurchaseAttributed
  | TransactionObserved
  | TransactionRefunded
  | RefundReversed
  | RefundFailed
  | TransactionRevoked
  | SubscriptionChanged
  | SubscriptionConfirmed
  | AutoRenewalObserved
  | MoneyMoved
  | MoneyValued
  | MoneyShareTold
  | PurchaseReplaced
  | PurchaseReleased
  | NotificationReceived;
