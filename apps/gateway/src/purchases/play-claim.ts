import type { ValidatePurchase } from '@paywright/contracts';
import { validationFailed } from '../http/api-error.ts';
import type { PlayPurchaseDto } from './play-purchase.dto.ts';

type PlayClaim = Extract<ValidatePurchase['body']['purchase'], { store: 'play_store' }>;

/**
 * The purchase token, in whichever of its two fields it came.
 * @throws ApiError 400 if it is in neither, or differs
 */
export function purchaseTokenOf(dto: PlayPurchaseDto): string {
  const [purchaseToken, token] = [dto.purchaseToken || null, dto.token || null];
  if (purchaseToken !== null && token !== null && purchaseToken !== token)
    throw validationFailed('purchaseToken and token must be the same where both are given.');
  const given = purchaseToken ?? token;
  if (given === null) throw validationFailed('purchaseToken or token must be given.');
  return given;
}

/**
 * What the client takes the purchase for, by `isSubscription` and by the offer that it sends; null if it does not
 * say, or says both.
 * @throws ApiError 400 if it sends both offers
 */
export function kindOf(dto: PlayPurchaseDto): PlayClaim['kind'] {
  const { isSubscription, subscriptionOfferDetails, oneTimePurchaseOfferDetails } = dto;
  const [isOfSubscription, isOfOneTime] = [subscriptionOfferDetails != null, oneTimePurchaseOfferDetails != null];
  if (isOfSubscription && isOfOneTime)
    throw validationFailed('Only one of subscriptionOfferDetails and oneTimePurchaseOfferDetails may be given.');
  const saysSubscription = isOfSubscription || isSubscription === true;
  const saysOneTime = isOfOneTime || isSubscription === false;
  if (saysSubscription === saysOneTime) return null;
  return saysSubscription ? 'subscription' : 'one_time';
}

/** Whether a pricing phase costs nothing; null without phases. */
export function hasTrialPhase({ subscriptionOfferDetails }: PlayPurchaseDto): boolean | null {
  const phases = subscriptionOfferDetails?.pricingPhases ?? [];
  return phases.length === 0 ? null : phases.some(({ priceAmountMicros }) => priceAmountMicros === 0);
}
