import type { Action } from '../model/act.ts';
import type { Terms } from '../model/life.ts';
import type { Currency, OneTimeProduct, Store } from './market.ts';

/** Which of a customer's two purchases something is about. */
export type Kind = 'subscription' | 'one_time';

/** Something that a customer, the customer's app or the store does on a day. */
export type Deed =
  /** `isShared`: somebody else of the family did, in the App Store. */
  | { readonly do: 'subscribe'; readonly terms: Terms; readonly withTrial: boolean; readonly isShared?: boolean }
  /** `quantity`: so many pieces at once, each at the price; one where it is absent. */
  | { readonly do: 'buy'; readonly product: OneTimeProduct; readonly price: string; readonly quantity?: number }
  /** The app has it validated: under the customer's first profile, or, restoring it, under a second. */
  | { readonly do: 'report'; readonly kind: Kind; readonly profile: 'first' | 'second' }
  | { readonly do: 'act'; readonly kind: Kind; readonly action: Action; readonly terms?: Terms };

export interface Step {
  /** Full days since the year began. */
  readonly day: number;
  readonly deed: Deed;
}

export interface Customer {
  readonly index: number;
  readonly store: Store;
  readonly currency: Currency;
  readonly isSandbox: boolean;
  readonly story: string;
  /** Whether the store tells whose it is, so that no report is needed. */
  readonly isNamedByStore: boolean;
  /** Whether the app fetched a paywall before and reports what it came of. */
  readonly isAttributed: boolean;
  /** In the order of their days. */
  readonly steps: readonly Step[];
}
