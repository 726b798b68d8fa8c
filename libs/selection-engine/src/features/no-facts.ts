import type { ContextFacts } from '../policy.ts';

/** A context of which nothing is known. */
export const noFacts: ContextFacts = {
  country: null,
  storeCountry: null,
  locale: null,
  currency: null,
  device: null,
  os: null,
  osVersion: null,
  platform: null,
  appVersion: null,
  appBuild: null,
  timezone: null,
  attributionSource: null,
  store: null,
  profileCreatedAt: 0,
  custom: {},
};
