import { NotificationReceived, type ObservePurchase } from '@paywright/contracts';
import type { Decision } from '@paywright/event-sourcing';
import type { PurchaseEvent } from '@paywright/purchases';
import { bookMoney, valueMoney } from './book-money.ts';
import { attachByAccount, attribute, isOfChain, recordValidation, refuseClaim, takeOwnership } from './claim.ts';
import { observeFailures, observeRefunds, observeReversals } from './observe-refunds.ts';
import { observeSubscription } from './observe-subscription.ts';
import { observeTransactions } from './observe-transactions.ts';
import { underFirstIds } from './one-purchase-one-id.ts';
import { evolve, type PurchaseStream, type Step } from './purchase-stream.ts';
import { isErased } from './release-purchase.ts';

const valueBooked: Step = ({ appId, key: chainId, body }, { chain }) =>
  valueMoney({ appId, chainId }, chain, body.rates);

/** Whose it is comes first, so that all that follows carries the owner; money last, when all facts are there. */
const steps: readonly Step[] = [
  attachByAccount,
  recordValidation,
  takeOwnership,
  attribute,
  observeTransactions,
  observeRefunds,
  observeFailures,
  observeReversals,
  observeSubscription,
  bookMoney,
  valueBooked,
];

/**
 * Takes in what a store said of the chain. State and money are functions of the set of facts: their order, doubles
 * and, once a later fact holds what they held, losses do not matter.
 * @returns refused: PROFILE_NOT_FOUND (erased meanwhile), TRANSACTION_NOT_FOUND (in another environment),
 * PURCHASE_PENDING, TRANSACTION_REVOKED, ACCOUNT_MISMATCH, PURCHASE_BELONGS_TO_ANOTHER_PROFILE. Only a claim is refused, and then nothing is recorded.
 */
export function observePurchase(given: ObservePurchase, before: PurchaseStream): Decision<PurchaseEvent> {
  const command = underFirstIds(withoutErasedAccount(given, before), before.chain);
  const refusal = refuseClaim(command, before);
  if (refusal) return refusal;
  const events: PurchaseEvent[] = [];
  let stream = before;
  for (const step of isOfChain(command.body.observation, before.chain) ? steps : []) {
    const more = step(command, stream);
    events.push(...more);
    stream = more.reduce(evolve, stream);
  }
  events.push(
    ...notificationOf(
      command,
      stream,
      events.some(({ type }) => type !== 'SubscriptionConfirmed'),
    ),
  );
  return { events, reply: { chainId: command.key, profileId: stream.chain.owner } };
}

/** The store's data may have named who was erased since. */
function withoutErasedAccount(command: ObservePurchase, stream: PurchaseStream): ObservePurchase {
  if (!isErased(command, stream, command.body.accountProfileId)) return command;
  return { ...command, body: { ...command.body, accountProfileId: null } };
}

function notificationOf(command: ObservePurchase, { chain, notificationIds }: PurchaseStream, hadEffect: boolean) {
  const { notification } = command.body;
  if (!notification || notificationIds.has(notification.notificationId)) return [];
  const { appId, key: chainId, body } = command;
  const { store } = body.observation;
  return [NotificationReceived.of({ appId, chainId, profileId: chain.owner, store, ...notification, hadEffect })];
}
