import { type ObservePurchase, PurchaseReleased, type ReleasePurchase } from '@paywright/contracts';
import type { Accepted } from '@paywright/event-sourcing';
import type { PurchaseEvent } from '@paywright/purchases';
import type { PurchaseStream } from './purchase-stream.ts';

/** Makes the chain nobody's, if it is the erased profile's: an app that keeps purchases would refuse all others for ever. */
export function releasePurchase(
  { appId, key: chainId, body: { profileId: formerProfileId, releasedAt } }: ReleasePurchase,
  { chain: { owner, store } }: PurchaseStream,
): Accepted<PurchaseEvent> {
  if (owner !== formerProfileId || store === null) return { events: [], reply: {} };
  return {
    events: [PurchaseReleased.of({ appId, chainId, profileId: null, store, formerProfileId, releasedAt })],
    reply: {},
  };
}

/** Whether the profile was erased since the command was issued: what comes late must not give it the chain back. */
export const isErased = (
  { issuedAt }: ObservePurchase,
  { releasedAt }: PurchaseStream,
  profileId: string | null,
): boolean => profileId !== null && issuedAt <= (releasedAt.get(profileId) ?? -Infinity);
