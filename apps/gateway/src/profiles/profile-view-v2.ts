import type { ProfileRow } from '@paywright/read-model';

/** A profile as v2 shows it: what v2 stores, null where nothing is. */
export const profileViewV2 = ({ profileId, fields, personal, createdAt, updatedAt }: ProfileRow): object => ({
  profileId,
  appUserId: personal.customerUserId ?? null,
  country: fields.country ?? null,
  locale: fields.locale ?? null,
  ip: personal.ip ?? null,
  device: fields.device ?? null,
  os: fields.os ?? null,
  platform: fields.platform ?? null,
  appVersion: fields.appVersion ?? null,
  appBuild: fields.appBuild ?? null,
  advertisingId: personal.advertisingId ?? null,
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
});
