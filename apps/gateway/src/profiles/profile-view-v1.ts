import type { PurchaseView } from '@paywright/purchases';
import type { ProfileRow } from '@paywright/read-model';

export type ProfileViewV1 = ReturnType<typeof profileViewV1>;

/** A profile as v1 shows it: every field of the full form, null where nothing is known. */
export function profileViewV1(
  { profileId, fields, personal, custom, createdAt }: ProfileRow,
  { paid, state, totalRevenueUsd, accessLevels, subscriptions, nonSubscriptions }: PurchaseView,
) {
  const created = new Date(createdAt).toISOString();
  return {
    profileId,
    customerUserId: personal.customerUserId ?? null,
    country: fields.country ?? null,
    locale: fields.locale ?? null,
    currency: fields.currency ?? null,
    device: fields.device ?? null,
    os: fields.os ?? null,
    platform: fields.platform ?? null,
    createdDate: created,
    linkedProfileIds: null,
    migrationProfileId: null,
    createdAt: created,
    ipCountry: null,
    appleConsumptionConsent: null,
    birthday: null,
    age: null,
    advertisingId: personal.advertisingId ?? null,
    appBuild: fields.appBuild ?? null,
    appVersion: fields.appVersion ?? null,
    ip: personal.ip ?? null,
    idfa: personal.idfa ?? null,
    email: personal.email ?? null,
    phone: personal.phone ?? null,
    gender: personal.gender ?? null,
    username: personal.username ?? null,
    serviceSdkVersion: null,
    custom: custom.map(({ id, key, value }) => ({ id, key, value })),
    paid,
    state,
    totalRevenueUsd,
    accessLevels,
    subscriptions,
    nonSubscriptions,
  };
}
