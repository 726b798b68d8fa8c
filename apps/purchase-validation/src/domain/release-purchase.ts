import { type ObservePurchase, PurchaseReleased, type ReleasePurchase } from '@paywright/contracts';
import type { Accepted } from '@paywright/event-sourcing';
import type { PurchaseEvent } from '@paywright/purchases';
import type { PurchaseStream } from './purchase-stream.ts';

/**
 * Makes the chain nobody's, if it is the erased profile's: an app that keeps purchases would refuse all others for ever.
 * What its person has claimed since coming back stays theirs: the release may come late.
 */
export function releasePurchase(
  { appId, key: chainId, body: { profileId: formerProfileId, releasedAt, profileCreatedAt = null } }: ReleasePurchase,
  { chain: { owner, store }, ownedSince }: PurchaseStream,
): Accepted<PurchaseEvent> {
  if (owner !== formerProfileId || store === null || isOwnedSince(profileCreatedAt, ownedSince))
    return { events: [], reply: {} };
  return {
    events: [PurchaseReleased.of({ appId, chainId, profileId: null, store, formerProfileId, releasedAt })],
    reply: {},
  };
}

/** Whether the owner of `ownedSince` is the profile that was created then, and not one that was erased before. */
export const isOwnedSince = (profileCreatedAt: number | null, ownedSince: number | null): boolean =>
  profileCreatedAt !== null && ownedSince !== null && ownedSince >= profileCreatedAt;

/** Whether the profile was erased since the command was issued: what comes late must not give it the chain back. */
export const isErased = (
  { issuedAt }: ObservePurchase,
  { releasedAt }: PurchaseStream,
  profileId: string | null,
): boolean => profileId !== null && issuedAt <= (releasedAt.get(profileId) ?? -Infinity);
