import type { ObservePurchase } from '@paywright/contracts';
import { type Chain, emptyChain, evolveChain, type PurchaseEvent } from '@paywright/purchases';

/** A chain, and what was recorded of it and is not to be recorded again. */
export interface PurchaseStream {
  readonly chain: Chain;
  /** `profileId transactionId` of each validation. */
  readonly validations: ReadonlySet<string>;
  readonly notificationIds: ReadonlySet<string>;
  /** When its owner claimed it last as somebody new, in milliseconds; null without an owner. */
  readonly ownedSince: number | null;
  /** By profiles that owned it until they were erased: when that was, in milliseconds. */
  readonly releasedAt: ReadonlyMap<string, number>;
}

export const emptyStream: PurchaseStream = {
  chain: emptyChain,
  validations: new Set(),
  notificationIds: new Set(),
  ownedSince: null,
  releasedAt: new Map(),
};

export function evolve(stream: PurchaseStream, event: PurchaseEvent): PurchaseStream {
  const chain = evolveChain(stream.chain, event);
  switch (event.type) {
    case 'PurchaseValidated':
      return { ...stream, chain, validations: new Set(stream.validations).add(validationKey(event.body)) };
    case 'NotificationReceived':
      return { ...stream, chain, notificationIds: new Set(stream.notificationIds).add(event.body.notificationId) };
    case 'PurchaseClaimed':
      return { ...stream, chain, ownedSince: event.body.claimedAt };
    case 'PurchaseReleased': {
      const { formerProfileId, releasedAt } = event.body;
      const released = new Map(stream.releasedAt).set(formerProfileId, releasedAt);
      return { ...stream, chain, ownedSince: null, releasedAt: released };
    }
    default:
      return { ...stream, chain };
  }
}

export const validationKey = ({ profileId, transactionId }: Validation): string =>
  `${profileId} ${transactionId ?? ''}`;

interface Validation {
  readonly profileId: string;
  readonly transactionId: string | null;
}

/** Part of a decision: what follows from the command for the stream as the parts before left it. */
export type Step = (command: ObservePurchase, stream: PurchaseStream) => readonly PurchaseEvent[];

/** What every event that an observation leads to carries. */
export const observedIn = ({ appId, key: chainId, body }: ObservePurchase, { owner }: Chain) => ({
  appId,
  chainId,
  profileId: owner,
  store: body.observation.store,
  environment: body.observation.environment,
});
