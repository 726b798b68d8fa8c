import { PurchaseEnvironment } from '@paywright/contracts';
import {
  OptionalBoolean,
  OptionalIdentifier,
  OptionalInteger,
  OptionalNumber,
  OptionalOneOf,
  OptionalText,
  Text,
} from '../validation/fields.ts';

type Optional = string | null;

/** What a client says of a purchase in any store. */
export class ReportedPurchaseDto {
  @Text() productId!: string;
  @OptionalIdentifier() profileId?: Optional;
  @OptionalIdentifier() customerUserId?: Optional;
  @OptionalInteger() paywallId?: number | null;
  @OptionalIdentifier() placementId?: Optional;
  @OptionalBoolean() isExperiment?: boolean | null;
  @OptionalInteger() aiPricingModelId?: number | null;
  @OptionalOneOf(PurchaseEnvironment.options) environment?: PurchaseEnvironment | '' | null;
  @OptionalBoolean() isSubscription?: boolean | null;
  @OptionalNumber() price?: number | null;
  @OptionalText() currency?: Optional;
}
