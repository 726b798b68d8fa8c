import { z } from 'zod';
import { recordOf } from '../record-of.ts';

/** A paywall request's `store`, in v1. */
export const stores = ['app_store', 'play_store', 'stripe'] as const;

const text = z.string().nullable();

/**
 * What is known of the user when a paywall is chosen, after the request's overrides: the device context and
 * the custom attributes, none of the personal fields. Absent is null.
 */
export const SelectionContext = z.object({
  country: text.describe('ISO 3166-1 alpha-2 code'),
  storeCountry: text.describe('ISO 3166-1 alpha-2 code of the store account'),
  locale: text.describe('Locale code'),
  currency: text.describe('ISO 4217 code'),
  device: text.describe('Device model'),
  os: text.describe('Operating system'),
  osVersion: text.describe('Version of the operating system'),
  platform: text.describe('Platform'),
  appVersion: text.describe('Version of the app'),
  appBuild: text.describe('Build number'),
  timezone: text.describe('IANA time zone'),
  attributionSource: text.describe('Where the user came from'),
  store: z.enum(stores).nullable().describe('Store that the request names'),
  profileCreatedAt: z.int().describe('When the profile was created, in milliseconds since the epoch'),
  custom: recordOf(z.string(), 'Custom attributes, by key'),
});
export type SelectionContext = z.output<typeof SelectionContext>;
