import { z } from 'zod';

export const platforms = ['android', 'ios', 'ipados', 'tvos', 'macos', 'watchos', 'visionos', 'stripe'] as const;

const text = z.string().max(255);

/** The device context of a profile: what events may carry. Country codes are ISO 3166-1 alpha-2, upper case. */
export const ProfileFields = z.object({
  country: z.string().length(2),
  storeCountry: text,
  locale: text,
  currency: text,
  device: text,
  os: text,
  osVersion: text,
  platform: z.enum(platforms),
  appVersion: text,
  appBuild: text,
  timezone: text,
  sessionId: text,
});
export type ProfileFields = z.output<typeof ProfileFields>;

/** What identifies a person: kept out of every event, in the personal table and topic alone. */
export const PersonalFields = z.object({
  customerUserId: text,
  email: text,
  phone: text,
  username: text,
  gender: text,
  idfa: text,
  advertisingId: text,
  ip: text,
});
export type PersonalFields = z.output<typeof PersonalFields>;

/** A field that is absent stays as it is; null clears it. */
export const ProfileFieldChanges = z.object(
  Object.fromEntries(
    Object.entries(ProfileFields.shape).map(([name, schema]) => [name, schema.nullable().optional()]),
  ) as {
    [Name in keyof ProfileFields]: z.ZodOptional<z.ZodNullable<(typeof ProfileFields.shape)[Name]>>;
  },
);
export type ProfileFieldChanges = z.output<typeof ProfileFieldChanges>;

export const PersonalFieldChanges = z.object(
  Object.fromEntries(
    Object.entries(PersonalFields.shape).map(([name, schema]) => [name, schema.nullable().optional()]),
  ) as {
    [Name in keyof PersonalFields]: z.ZodOptional<z.ZodNullable<(typeof PersonalFields.shape)[Name]>>;
  },
);
export type PersonalFieldChanges = z.output<typeof PersonalFieldChanges>;

/**
 * The value of `profile.personal`, keyed by profile id. `version` is the stream version of the profile event that changed it
 * last. Where no field is left, the record is a tombstone, with app and version in its headers `app` and `version`.
 */
export const PersonalRecord = z.object({
  appId: z.int(),
  profileId: z.uuid(),
  version: z.int().min(1),
  fields: PersonalFields.partial(),
});
export type PersonalRecord = z.output<typeof PersonalRecord>;
