import { z } from 'zod';
import { appId, profileId } from '../event-fields.ts';

export const platforms = ['android', 'ios', 'ipados', 'tvos', 'macos', 'watchos', 'visionos', 'stripe'] as const;

const text = z.string().max(255);

/** The device context of a profile: what events may carry. */
export const ProfileFields = z.object({
  country: z.string().length(2).describe('ISO 3166-1 alpha-2 code, upper case'),
  storeCountry: text.describe('Country of the store account'),
  locale: text.describe('Locale code'),
  currency: text.describe('ISO 4217 code'),
  device: text.describe('Device model'),
  os: text.describe('Operating system'),
  osVersion: text.describe('Version of the operating system'),
  platform: z.enum(platforms).describe('Platform'),
  appVersion: text.describe('Version of the app'),
  appBuild: text.describe('Build number'),
  timezone: text.describe('IANA time zone'),
  sessionId: text.describe("The app's session"),
});
export type ProfileFields = z.output<typeof ProfileFields>;

/** What identifies a person: kept out of every event, in the personal table and topic alone. */
export const PersonalFields = z.object({
  customerUserId: text.describe("The user, by the app's own id"),
  email: text.describe('E-mail address'),
  phone: text.describe('Telephone number'),
  username: text.describe('User name'),
  gender: text.describe('Gender'),
  idfa: text.describe("Apple's advertising id"),
  advertisingId: text.describe("Google's advertising id"),
  ip: text.describe('IP address'),
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
 * The value of `profile.personal`, keyed by profile id. Where no field is left, the record is a tombstone, with app and
 * version in its headers `app` and `version`.
 */
export const PersonalRecord = z.object({
  appId,
  profileId,
  version: z.int().min(1).describe('Stream version of the profile event that changed it last'),
  fields: PersonalFields.partial().describe('Those that are known'),
});
export type PersonalRecord = z.output<typeof PersonalRecord>;
