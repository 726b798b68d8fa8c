import type { Phase } from '@paywright/contracts';
import type { PlayLineItem, PlayOrder } from './play-answers.ts';

type OrderPeriod = NonNullable<NonNullable<PlayOrder['lineItems']>[number]['subscriptionDetails']>;

const phaseOfWord: Record<OrderPeriod['offerPhase'], Phase | null> = {
  BASE: 'regular',
  INTRODUCTORY: 'intro',
  FREE_TRIAL: 'trial',
  unknown: null,
};

/** The phase that a subscription's line is in; null where Google does not say. A trial bridged by proration is a trial. */
export function phaseOfLine({ offerPhase }: PlayLineItem): Phase | null {
  if (offerPhase?.freeTrial) return 'trial';
  if (offerPhase?.introductoryPrice) return 'intro';
  if (offerPhase?.prorationPeriod)
    return offerPhase.prorationPeriod.originalOfferPhaseType === 'FREE_TRIAL' ? 'trial' : 'prorated';
  return offerPhase?.basePrice ? 'regular' : null;
}

/** The phase that an order paid for, by its details or, older, by its one word; null where Google does not say. */
export function phaseOfOrder({ offerPhase, offerPhaseDetails }: OrderPeriod): Phase | null {
  if (offerPhaseDetails?.freeTrialDetails) return 'trial';
  if (offerPhaseDetails?.introductoryPriceDetails) return 'intro';
  if (offerPhaseDetails?.prorationPeriodDetails)
    return offerPhaseDetails.prorationPeriodDetails.originalOfferPhase === 'FREE_TRIAL' ? 'trial' : 'prorated';
  if (offerPhaseDetails?.baseDetails) return 'regular';
  return phaseOfWord[offerPhase];
}
