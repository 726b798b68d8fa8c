import {
  NotificationReceived,
  type ObservePurchase,
  PurchaseReplaced,
  type RecordNotification,
  type ReleasePurchase,
  type ReplacePurchase,
  type ValueMovements,
} from '@paywright/contracts';
import type { Accepted, Decider } from '@paywright/event-sourcing';
import type { PurchaseEvent } from '@paywright/purchases';
import { valueMoney } from './book-money.ts';
import { observePurchase } from './observe-purchase.ts';
import { emptyStream, evolve, type PurchaseStream } from './purchase-stream.ts';
import { releasePurchase } from './release-purchase.ts';

export type PurchaseCommand = ObservePurchase | ReplacePurchase | ReleasePurchase | ValueMovements | RecordNotification;

/** A chain ends once, also one that is yet to be heard of: its store may call it active for a while. */
function replacePurchase(
  { appId, key: chainId, body }: ReplacePurchase,
  { chain }: PurchaseStream,
): Accepted<PurchaseEvent> {
  if (chain.replacedAt !== null || body.byChainId === chainId) return { events: [], reply: {} };
  return { events: [PurchaseReplaced.of({ appId, chainId, profileId: chain.owner, ...body })], reply: {} };
}

function valueMovements(
  { appId, key: chainId, body }: ValueMovements,
  { chain }: PurchaseStream,
): Accepted<PurchaseEvent> {
  const events = valueMoney({ appId, chainId }, chain, body.rates);
  const without = chain.movements.filter(({ usd }) => usd === null).length;
  return { events, reply: { stillWithoutRate: without - events.length } };
}

function recordNotification(
  { appId, key: chainId, body: { store, notification } }: RecordNotification,
  { chain, notificationIds }: PurchaseStream,
): Accepted<PurchaseEvent> {
  if (notificationIds.has(notification.notificationId)) return { events: [], reply: {} };
  const received = { appId, chainId, profileId: chain.owner, store, ...notification, hadEffect: false };
  return { events: [NotificationReceived.of(received)], reply: {} };
}

export const purchaseDecider: Decider<PurchaseCommand, PurchaseStream, PurchaseEvent> = {
  initialState: emptyStream,
  evolve,
  decide: {
    ObservePurchase: observePurchase,
    ReplacePurchase: replacePurchase,
    ReleasePurchase: releasePurchase,
    ValueMovements: valueMovements,
    RecordNotification: recordNotification,
  },
};
