import {
  Matching,
  OptionalBoolean,
  OptionalIdentifier,
  OptionalInteger,
  OptionalSafeInteger,
} from '../validation/fields.ts';

const maxTokenLength = 4096;

/** One event of v1 `POST /events`. Explicit fields give way to what a token attests. */
export class EventDto {
  @Matching(/^[a-z0-9_]{1,64}$/, 'must be 1 to 64 of a-z, 0-9 and _.') eventType!: string;
  @OptionalIdentifier() profileId?: string | null;
  @OptionalIdentifier() customerUserId?: string | null;
  @OptionalIdentifier(maxTokenLength) paywallSessionId?: string | null;
  @OptionalInteger() paywallId?: number | null;
  @OptionalIdentifier() placementId?: string | null;
  @OptionalBoolean() isExperiment?: boolean | null;
  @OptionalInteger() aiPricingModelId?: number | null;
  @OptionalSafeInteger() abTestId?: number | null;
}
