import { randomUUID } from 'node:crypto';
import type { App } from './clients.ts';
import { accepted } from './expectations.ts';
import type { Json } from './http.ts';

export const device = { country: 'DE', device: 'Pixel 9', os: 'Android 16', platform: 'android' };
export const deviceV2 = { ...device, appVersion: '1.2.3' };

/** Echoed in v1 answers; none of them is anybody's. */
export const optionalFields = {
  locale: 'en-GB',
  currency: 'EUR',
  appVersion: '4.5.6',
  appBuild: '789',
  advertisingId: 'ad-1',
  ip: '192.0.2.7',
  idfa: 'idfa-1',
  email: 'nobody@example.com',
  phone: '+10000000000',
  username: 'nobody',
  gender: 'none',
};
/** Taken in v1, and in no answer. */
export const otherOptionalFields = {
  storeCountry: 'FR',
  timezone: 'Europe/Paris',
  osVersion: '16',
  sessionId: 'session-1',
};

/** A customer user id that nobody has had. */
export const someone = (): string => `user-${randomUUID()}`;

/** A profile that was just created through v1; `data` of the answer. */
export const newProfile = async (app: App, fields: object = {}): Promise<Json> =>
  accepted(await app.v1('/profiles', { ...device, ...fields }), 201);

export const newProfileId = async (app: App, fields: object = {}): Promise<string> =>
  (await newProfile(app, fields)).profileId;

/** A paywall just fetched through v1; `data` of the answer. */
export const fetchPaywall = async (
  app: App,
  profileId: string,
  placementId: string,
  fields: object = {},
): Promise<Json> => accepted(await app.v1('/paywalls', { profileId, placementId, ...fields }), 200);

/** A view with all four explicit fields. */
export const shownEvent = (profileId: string, fields: object = {}) => ({
  eventType: 'paywall_shown',
  profileId,
  paywallId: 1,
  placementId: 'plain',
  isExperiment: false,
  aiPricingModelId: 1,
  ...fields,
});
