import type { Observation } from '@paywright/contracts';
import type { LookUpSubject } from '../look-ups/look-up-subject.ts';
import type { Way } from '../look-ups/next-look.ts';

/** By what a buyer is known at Stripe, beside the profile in its metadata, and which paywall the app says that it saw. */
export interface StripeBuyer {
  /** For look-ups alone, as the next one. */
  readonly customerId: string | null;
  readonly customerUserId: string | null;
  /** `unread`: what it says is no id. */
  readonly paywallId: number | 'unread' | null;
}

/** What a store said of a chain, and where the chain is kept. */
export interface Answer {
  readonly observation: Observation;
  readonly chainId: string;
  /** Asked for by a purchase token that a newer one has replaced. */
  readonly isReplaced: boolean;
  /** Other chains whose place this one took. */
  readonly replacedChains: readonly string[];
  readonly buyer: StripeBuyer | null;
  /** Whether the store was asked, or told it by itself. */
  readonly by: Way;
  /** How the chain is asked for again. */
  readonly subject: LookUpSubject;
  /** How it is asked about again for what may come yet: each order that Google did not show, money on its way back. */
  readonly unsettled: readonly LookUpSubject[];
  /** Chains that the same news is about: they are asked about too. */
  readonly others: readonly { readonly chainId: string; readonly subject: LookUpSubject }[];
}
