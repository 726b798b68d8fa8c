import type {
  MoneyMoved,
  MoneyShareTold,
  MoneyValued,
  PurchaseAttributed,
  PurchaseClaimed,
  SubscriptionChanged,
} from '@paywright/contracts';
import { unsubscribedAt, withRenewal } from './auto-renewal.ts';
import type { Chain, Movement } from './chain.ts';
import type { PurchaseEvent } from './purchase-event.ts';

/** The chain after the event. Never throws. */
export function evolveChain(before: Chain, event: PurchaseEvent): Chain {
  const chain = placed(before, event);
  switch (event.type) {
    case 'PurchaseClaimed':
      return claimed(chain, event.body);
    case 'PurchaseAttributed':
      return attributed(chain, event.body);
    case 'TransactionObserved': {
      const { transaction, originalTransactionId } = event.body;
      const transactions = { ...chain.transactions, [transaction.transactionId]: transaction };
      return { ...chain, originalTransactionId: chain.originalTransactionId ?? originalTransactionId, transactions };
    }
    case 'TransactionRefunded':
      return { ...chain, refunds: { ...chain.refunds, [event.body.refund.refundId]: event.body.refund } };
    case 'RefundReversed':
      return { ...chain, reversedAt: { ...chain.reversedAt, [event.body.transactionId]: event.body.reversedAt } };
    case 'RefundFailed':
      return { ...chain, failedRefunds: { ...chain.failedRefunds, [event.body.refundId]: event.body.observedAt } };
    case 'TransactionRevoked':
      return { ...chain, revokedAt: { ...chain.revokedAt, [event.body.transactionId]: event.body.observedAt } };
    case 'SubscriptionChanged':
      return changed(chain, event.body);
    case 'SubscriptionConfirmed': {
      const { observedAt } = event.body;
      const confirmed = { ...chain, observedAt };
      return chain.subscription ? withRenewal(confirmed, { observedAt, ...chain.subscription }) : confirmed;
    }
    case 'AutoRenewalObserved':
      return withRenewal(chain, event.body);
    case 'MoneyMoved':
      return { ...chain, movements: [...chain.movements, movementOf(event.body)] };
    case 'MoneyValued':
      return { ...chain, movements: valued(chain.movements, event.body) };
    case 'MoneyShareTold':
      return { ...chain, movements: shared(chain.movements, event.body) };
    case 'PurchaseReplaced':
      return { ...chain, replacedAt: event.body.replacedAt };
    case 'PurchaseReleased':
      return { ...chain, owner: null };
    case 'PurchaseValidated':
    case 'NotificationReceived':
      return chain;
    default:
      event satisfies never;
      return chain;
  }
}

function changed(chain: Chain, { subscription, addOns, observedAt, renewalUsd }: SubscriptionChanged['body']): Chain {
  return withRenewal(present({ ...chain, subscription, addOns, observedAt, renewalUsd }), {
    observedAt,
    ...subscription,
  });
}

/** Without keys of what is absent: a chain that was kept as JSON in between has the same text as one that was not. */
const present = (chain: Chain): Chain =>
  Object.fromEntries(Object.entries(chain).filter(([, value]) => value !== undefined)) as Chain;

function placed(chain: Chain, { body }: PurchaseEvent): Chain {
  const environment = chain.environment ?? ('environment' in body ? body.environment : null);
  if (chain.store !== null && environment === chain.environment) return chain;
  return { ...chain, chainId: body.chainId, store: body.store, environment };
}

function claimed(chain: Chain, body: PurchaseClaimed['body']): Chain {
  const { profileId, formerProfileId, payerProfileId, claimedAt: at } = body;
  const left = [...chain.formerOwners, ...(formerProfileId === null ? [] : [formerProfileId])];
  const formerOwners = [...new Set(left)].filter((former) => former !== profileId);
  const claimed = { ...chain, owner: profileId, payer: payerProfileId, formerOwners };
  if (formerProfileId === null) return claimed;
  const { subscription, addOns } = chain;
  const dated = subscription && { ...subscription, unsubscribedAt: unsubscribedAt(chain) };
  const taken = { at, subscription: dated, addOns };
  return { ...claimed, takenOver: { ...chain.takenOver, [formerProfileId]: taken } };
}

function attributed(chain: Chain, { origin, transactionId }: PurchaseAttributed['body']): Chain {
  if (chain.origin === null)
    return { ...chain, origin, ...(transactionId !== null && { attributedWith: transactionId }) };
  return { ...chain, laterOrigins: { ...chain.laterOrigins, [transactionId ?? '']: origin } };
}

function movementOf(body: MoneyMoved['body']): Movement {
  const { movementId, type, transactionId, time, originalTime, amount, currency, usd, rate, storeShare } = body;
  return { movementId, type, transactionId, time, originalTime, amount, currency, usd, rate, storeShare };
}

const valued = (movements: readonly Movement[], { movementId, usd, rate }: MoneyValued['body']) =>
  movements.map((movement) => (movement.movementId === movementId ? { ...movement, usd, rate } : movement));

const shared = (movements: readonly Movement[], { movementId, storeShare }: MoneyShareTold['body']) =>
  movements.map((movement) => (movement.movementId === movementId ? { ...movement, storeShare } : movement));
