import { stores } from '@paywright/contracts';
import {
  Identifier,
  OptionalCountryAlpha2,
  OptionalCountryAlpha2Or3,
  OptionalIdentifier,
  OptionalIp,
  OptionalOneOf,
  OptionalText,
} from '../validation/fields.ts';
import type { Store } from '../catalog/source-products.ts';

type Optional = string | null;

/** What replaces the profile's values for one decision. `ip` is checked and, being personal, goes nowhere. */
class OverridesDto {
  @OptionalText() locale?: Optional;
  @OptionalText() languageLocale?: Optional;
  @OptionalIp() ip?: Optional;
  @OptionalText() deviceTypeModel?: Optional;
  @OptionalText() osVersion?: Optional;
  @OptionalText() attributionSource?: Optional;
}

/** v1 `POST /paywalls`. */
export class PaywallRequestV1Dto extends OverridesDto {
  @Identifier() placementId!: string;
  @OptionalIdentifier() profileId?: Optional;
  @OptionalIdentifier() customerUserId?: Optional;
  @OptionalCountryAlpha2() country?: Optional;
  @OptionalOneOf(stores) store?: Store | '' | null;
}

/** v2 `POST /paywall`. */
export class PaywallRequestV2Dto extends OverridesDto {
  @Identifier() placementId!: string;
  @Identifier() profileId!: string;
  @OptionalCountryAlpha2Or3() country?: Optional;
}
