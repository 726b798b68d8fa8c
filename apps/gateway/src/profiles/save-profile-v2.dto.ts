import { platforms, type SaveProfile } from '@paywright/contracts';
import { countryOfAlpha2Or3 } from '../validation/country.ts';
import { CountryAlpha2Or3, OneOf, OptionalIdentifier, OptionalIp, OptionalText, Text } from '../validation/fields.ts';
import { orNull } from '../validation/text.ts';

type Platform = (typeof platforms)[number];
type Optional = string | null;

/** The body of v2 `POST /profiles`. What v2 accepts without storing it (currency, timezone, …) is not here. */
export class SaveProfileV2Dto {
  @OptionalIdentifier() appUserId?: Optional;
  @CountryAlpha2Or3() country!: string;
  @Text() device!: string;
  @Text() os!: string;
  @OneOf(platforms) platform!: Platform;
  @Text() appVersion!: string;
  @OptionalText() locale?: Optional;
  @OptionalText() appBuild?: Optional;
  @OptionalText() advertisingId?: Optional;
  @OptionalIp() ipAddress?: Optional;
  @OptionalText() idfa?: Optional;
  @OptionalText() email?: Optional;
  @OptionalText() phone?: Optional;
  @OptionalText() username?: Optional;
  @OptionalText() gender?: Optional;
}

/** The changes that the body asks for: null clears, what is absent stays. */
export function profileChangesV2(dto: SaveProfileV2Dto): SaveProfile['body'] {
  return {
    fields: {
      country: countryOfAlpha2Or3(dto.country),
      locale: orNull(dto.locale),
      device: dto.device,
      os: dto.os,
      platform: dto.platform,
      appVersion: dto.appVersion,
      appBuild: orNull(dto.appBuild),
    },
    personal: {
      customerUserId: dto.appUserId ?? undefined,
      email: orNull(dto.email),
      phone: orNull(dto.phone),
      username: orNull(dto.username),
      gender: orNull(dto.gender),
      idfa: orNull(dto.idfa),
      advertisingId: orNull(dto.advertisingId),
      ip: orNull(dto.ipAddress),
    },
  };
}
