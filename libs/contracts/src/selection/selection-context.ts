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
  country: text,
  storeCountry: text,
  locale: text,
  currency: text,
  device: text,
  os: text,
  osVersion: text,
  platform: text,
  appVersion: text,
  appBuild: text,
  timezone: text,
  attributionSource: text,
  store: z.enum(stores).nullable(),
  /** Milliseconds since the epoch, of the profile's creation. */
  profileCreatedAt: z.int(),
  custom: recordOf(z.string()),
});
export type SelectionContext = z.output<typeof SelectionContext>;
