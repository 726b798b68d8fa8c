import { platforms, type SaveProfile } from '@paywright/contracts';
import { ValidateIf } from 'class-validator';
import { countryOfAlpha2 } from '../validation/country.ts';
import { CountryAlpha2, OneOf, OptionalIdentifier, OptionalIp, OptionalText, Text } from '../validation/fields.ts';
import { orNull } from '../validation/text.ts';

type Platform = (typeof platforms)[number];
type Optional = string | null;

/** The required set, unless the body has a customer user id and no other field of a profile. */
const RequiredSet = () => ValidateIf((body: object) => !isCustomerUserIdAlone(body));

/** The body of v1 `POST /profiles`. */
export class SaveProfileV1Dto {
  @OptionalIdentifier() customerUserId?: Optional;
  @RequiredSet() @CountryAlpha2() country?: string;
  @RequiredSet() @Text() device?: string;
  @RequiredSet() @Text() os?: string;
  @RequiredSet() @OneOf(platforms) platform?: Platform;
  @OptionalText() appVersion?: Optional;
  @OptionalText() locale?: Optional;
  @OptionalText() appBuild?: Optional;
  @OptionalText() advertisingId?: Optional;
  @OptionalIp() ip?: Optional;
  @OptionalText() idfa?: Optional;
  @OptionalText() email?: Optional;
  @OptionalText() phone?: Optional;
  @OptionalText() username?: Optional;
  @OptionalText() gender?: Optional;
  @OptionalText() currency?: Optional;
  @OptionalText() storeCountry?: Optional;
  @OptionalText() timezone?: Optional;
  @OptionalText() osVersion?: Optional;
  @OptionalText() sessionId?: Optional;
}

const otherFields = [
  ...['country', 'device', 'os', 'platform', 'appVersion', 'locale', 'appBuild', 'advertisingId', 'ip', 'idfa'],
  ...['email', 'phone', 'username', 'gender', 'currency', 'storeCountry', 'timezone', 'osVersion', 'sessionId'],
];

/** A null counts as a field that is present. */
function isCustomerUserIdAlone(body: object): boolean {
  const fieldOf = (name: string): unknown => Reflect.get(body, name);
  return fieldOf('customerUserId') != null && otherFields.every((name) => fieldOf(name) === undefined);
}

/** The changes that the body asks for: null clears, what is absent stays. */
export function profileChangesV1(dto: SaveProfileV1Dto): SaveProfile['body'] {
  return {
    fields: {
      country: dto.country === undefined ? undefined : countryOfAlpha2(dto.country),
      storeCountry: orNull(dto.storeCountry),
      locale: orNull(dto.locale),
      currency: orNull(dto.currency),
      device: dto.device,
      os: dto.os,
      osVersion: orNull(dto.osVersion),
      platform: dto.platform,
      appVersion: orNull(dto.appVersion),
      appBuild: orNull(dto.appBuild),
      timezone: orNull(dto.timezone),
      sessionId: orNull(dto.sessionId),
    },
    personal: {
      customerUserId: dto.customerUserId ?? undefined,
      email: orNull(dto.email),
      phone: orNull(dto.phone),
      username: orNull(dto.username),
      gender: orNull(dto.gender),
      idfa: orNull(dto.idfa),
      advertisingId: orNull(dto.advertisingId),
      ip: orNull(dto.ip),
    },
  };
}
