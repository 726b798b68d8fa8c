import type { AutoRenewalObserved } from '@paywright/contracts';
import type { Chain } from './chain.ts';

/** What a store said of renewal at a moment. */
export type RenewalWord = Pick<AutoRenewalObserved['body'], 'observedAt' | 'willRenew' | 'unsubscribedAt'>;

/** The chain after a word on renewal: of each kind the latest, so words may come in any order, and twice. */
export function withRenewal(chain: Chain, { observedAt, willRenew, unsubscribedAt }: RenewalWord): Chain {
  return {
    ...chain,
    ...(willRenew && { renewingAt: later(chain.renewingAt, observedAt) }),
    ...(unsubscribedAt !== null && { switchedOffAt: later(chain.switchedOffAt, unsubscribedAt) }),
  };
}

const later = (known: number | undefined, told: number): number => Math.max(known ?? told, told);

/** Whether the word can change when renewal was switched off, now or after others. */
export function isNewsOfRenewal(
  { renewingAt = -1, switchedOffAt = -1 }: Chain,
  { observedAt, willRenew, unsubscribedAt }: RenewalWord,
): boolean {
  return willRenew
    ? observedAt > renewingAt
    : unsubscribedAt !== null && unsubscribedAt > Math.max(renewingAt, switchedOffAt);
}

/**
 * When renewal was switched off, if it is off and the store told. The App Store says it once, in a notification, so what
 * it says later without a time is dated by that, unless it renewed in between. Others say it each time or never.
 */
export function unsubscribedAt({ store, subscription, renewingAt = -1, switchedOffAt = -1 }: Chain): number | null {
  if (subscription === null) return null;
  const { willRenew, unsubscribedAt: told } = subscription;
  if (store !== 'app_store' || willRenew || told !== null) return told;
  return switchedOffAt > renewingAt ? switchedOffAt : null;
}
