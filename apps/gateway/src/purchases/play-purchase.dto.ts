import {
  OptionalEntries,
  OptionalEntry,
  OptionalSafeInteger,
  OptionalNumber,
  OptionalText,
} from '../validation/fields.ts';
import { ReportedPurchaseDto } from './reported-purchase.dto.ts';

type Optional = string | null;

const maxTokenLength = 4096;
const maxPhases = 500;

class PricingPhaseDto {
  @OptionalNumber() priceAmountMicros?: number | null;
  @OptionalText() currencyCode?: Optional;
  @OptionalText() billingPeriod?: Optional;
  @OptionalNumber() recurrenceMode?: number | null;
  @OptionalNumber() billingCycleCount?: number | null;
}

/** The store's own data decides what was bought: of what the client says here, only a phase that costs nothing is kept. */
class SubscriptionOfferDto {
  @OptionalText() basePlanId?: Optional;
  @OptionalText() offerId?: Optional;
  @OptionalText(maxTokenLength) offerToken?: Optional;
  @OptionalEntries(() => PricingPhaseDto, maxPhases) pricingPhases?: PricingPhaseDto[] | null;
}

class OneTimeOfferDto {
  @OptionalNumber() priceAmountMicros?: number | null;
  @OptionalText() currencyCode?: Optional;
}

/** v1 `POST /purchases/play-store/validate`. */
export class PlayPurchaseDto extends ReportedPurchaseDto {
  @OptionalText(maxTokenLength) purchaseToken?: Optional;
  @OptionalText(maxTokenLength) token?: Optional;
  @OptionalSafeInteger() abTestId?: number | null;
  @OptionalEntry(() => SubscriptionOfferDto) subscriptionOfferDetails?: SubscriptionOfferDto | null;
  @OptionalEntry(() => OneTimeOfferDto) oneTimePurchaseOfferDetails?: OneTimeOfferDto | null;
}
