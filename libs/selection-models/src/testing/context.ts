import type { SelectionContext } from '@paywright/contracts';

export const issuedAt = Date.UTC(2026, 0, 1);
export const hourMs = 3_600_000;

export const context: SelectionContext = {
  country: 'DE',
  storeCountry: null,
  locale: 'de',
  currency: null,
  device: 'Pixel 9',
  os: 'Android 16',
  osVersion: null,
  platform: 'android',
  appVersion: null,
  appBuild: null,
  timezone: null,
  attributionSource: null,
  store: null,
  profileCreatedAt: issuedAt - hourMs,
  custom: { goal: 'sleep' },
};
