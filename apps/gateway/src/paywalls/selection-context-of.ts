import type { SelectionContext } from '@paywright/contracts';
import type { ImpersonalProfileRow } from '@paywright/read-model';
import type { Store } from '../catalog/source-products.ts';

/** What a request says instead of the profile; absent, null and empty leave the profile's value. */
export interface ContextOverrides {
  readonly locale?: string | null;
  readonly languageLocale?: string | null;
  readonly country?: string | null;
  readonly deviceTypeModel?: string | null;
  readonly osVersion?: string | null;
  readonly attributionSource?: string | null;
  readonly store?: Store | '' | null;
}

/** What may be known of the user when a paywall is chosen. No personal field goes in. */
export function selectionContextOf(profile: ImpersonalProfileRow, overrides: ContextOverrides): SelectionContext {
  const { fields } = profile;
  return {
    country: overrides.country || (fields.country ?? null),
    storeCountry: fields.storeCountry ?? null,
    locale: overrides.locale || overrides.languageLocale || (fields.locale ?? null),
    currency: fields.currency ?? null,
    device: overrides.deviceTypeModel || (fields.device ?? null),
    os: fields.os ?? null,
    osVersion: overrides.osVersion || (fields.osVersion ?? null),
    platform: fields.platform ?? null,
    appVersion: fields.appVersion ?? null,
    appBuild: fields.appBuild ?? null,
    timezone: fields.timezone ?? null,
    attributionSource: overrides.attributionSource || null,
    store: overrides.store || null,
    profileCreatedAt: profile.createdAt,
    custom: Object.fromEntries(profile.custom.map(({ key, value }) => [key, value])),
  };
}
