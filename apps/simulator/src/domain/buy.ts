import { addDuration } from '@paywright/platform';
import { ofPieces } from './amounts.ts';
import { tell } from './life-cycle.ts';
import {
  withAddOns,
  type Happening,
  type Offer,
  type Period,
  type Purchase,
  type StoreName,
  type Terms,
  type Waits,
} from './purchase.ts';

/** How long the stores wait for their money unless a purchase says otherwise. */
export const usualWaits: Readonly<Record<StoreName, Waits>> = {
  'app-store': { grace: 'P16D', retry: 'P44D' },
  'play-store': { grace: 'P7D', retry: 'P30D' },
  stripe: { grace: 'P21D', retry: null },
};

/** What is bought, and by whom. */
export interface Sale extends Pick<
  Purchase,
  | 'store'
  | 'id'
  | 'kind'
  | 'appId'
  | 'environment'
  | 'currency'
  | 'country'
  | 'account'
  | 'metadata'
  | 'customerId'
  | 'isConsumable'
  | 'quantity'
  | 'isFamilyShared'
  | 'notifies'
  | 'waits'
> {
  readonly terms: Terms;
  readonly offer: Offer | null;
}

/** A new purchase, with its first period paid. */
export function buy({ terms, offer, ...sale }: Sale, at: number): Happening {
  const isOneTime = sale.kind === 'one-time';
  const price = ofPieces(offer?.price ?? terms.price, sale.quantity ?? 1);
  const first: Period = {
    ...{ number: 0, terms, phase: offer?.phase ?? 'regular', startsAt: at, paidAt: at, refunds: [], isUpgraded: false },
    // An offer is the plan's alone, but for Stripe's trial, which is the whole subscription's.
    amount: offer && sale.store === 'stripe' ? offer.price : withAddOns(price, terms),
    endsAt: isOneTime ? null : addDuration(at, offer?.period ?? terms.period),
  };
  const purchase: Purchase = {
    ...sale,
    ...{ terms, offer, nextTerms: null, awaitsConsent: false, anchor: { at, periods: 1 }, standing: 'running' },
    ...{ until: null, willRenew: !isOneTime, chargesFail: false, pausesFor: null, cancelledAt: null, endedAt: null },
    ...{ endReason: null, periods: [first], replaces: null, replacedBy: null, isAcknowledged: false, newsCount: 0 },
  };
  return tell(purchase, 'bought', at);
}
