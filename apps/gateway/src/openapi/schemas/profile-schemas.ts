import { platforms } from '@paywright/contracts';
import { profileStates } from '@paywright/purchases';
import {
  answered,
  boolean,
  integer,
  ipAddress,
  listOf,
  mapOf,
  number,
  oneOf,
  orNull,
  ref,
  sent,
  text,
  time,
  uuid,
  type Schema,
} from '../json-schema.ts';

const short = { minLength: 1, maxLength: 255 };
const optional = (description: string, more: Schema = {}): Schema =>
  orNull(text(description, { maxLength: 255, ...more }));
const country = text('ISO 3166-1 alpha-2 code, in any case', { pattern: '^[A-Za-z]{2}$', examples: ['DE'] });
const countryV2 = text('ISO 3166-1 alpha-2 code, or upper-case alpha-3 code', {
  pattern: '^([A-Za-z]{2}|[A-Z]{3})$',
  examples: ['DE', 'DEU'],
});
const platform = oneOf(platforms, 'Where the app runs');

const deviceContext = {
  country,
  device: text('Device model', { ...short, examples: ['Pixel 9'] }),
  os: text('Operating system and version', { ...short, examples: ['Android 16'] }),
  platform,
};

/** Optional in both generations, and kept by both. */
const described = {
  locale: optional('Locale code'),
  appBuild: optional('Build number'),
  advertisingId: optional('Advertising id; personal, and best left out'),
  idfa: optional('Personal, and best left out'),
  email: optional('Personal, and best left out'),
  phone: optional('Personal, and best left out'),
  username: optional('Personal, and best left out'),
  gender: optional('Personal, and best left out'),
};

export const identification = {
  profileId: orNull(text('The profile; goes before customerUserId', short)),
  customerUserId: orNull(text('Your own user id; names the profile where profileId is absent', short)),
};

const attribute = {
  key: text('Name of the attribute', { minLength: 1, maxLength: 100, examples: ['goal'] }),
  value: text('Value of the attribute', { maxLength: 1000, examples: ['sleep'] }),
};

const unused = (description: string): Schema => ({ description, type: 'null' });

export const profileSchemas: Readonly<Record<string, Schema>> = {
  SaveProfileV1: sent(
    'A profile. country, device, os and platform are required, unless customerUserId is the only field.',
    [],
    {
      customerUserId: orNull(text('Your own user id; the same id is the same profile', short)),
      ...deviceContext,
      appVersion: optional('Version of the app'),
      ...described,
      ip: optional('IPv4 or IPv6 address of the user', ipAddress),
      currency: optional('ISO 4217 code'),
      storeCountry: optional('Country of the store account'),
      timezone: optional('IANA time zone'),
      osVersion: optional('Version of the operating system'),
      sessionId: optional('Session id'),
    },
  ),
  SaveProfileV2: sent(
    'A profile. Unknown fields are left out without an error.',
    ['country', 'device', 'os', 'platform', 'appVersion'],
    {
      appUserId: orNull(text('Your own user id; the same id is the same profile', short)),
      ...deviceContext,
      country: countryV2,
      appVersion: text('Version of the app', short),
      ...described,
      ipAddress: optional('IPv4 or IPv6 address of the user', ipAddress),
    },
  ),
  ProfileV1: answered('A profile as v1 shows it; null where nothing is known', {
    profileId: uuid('Keep it: it names the user in every later request'),
    customerUserId: orNull(text('Your own user id')),
    country: orNull(country),
    locale: orNull(text('Locale code')),
    currency: orNull(text('ISO 4217 code')),
    device: orNull(text('Device model')),
    os: orNull(text('Operating system and version')),
    platform: orNull(platform),
    createdDate: time('The same as createdAt'),
    linkedProfileIds: unused('Always null'),
    migrationProfileId: unused('Always null'),
    createdAt: time('When the profile was created'),
    ipCountry: unused('Always null'),
    appleConsumptionConsent: unused('Always null'),
    birthday: unused('Always null'),
    age: unused('Always null'),
    advertisingId: orNull(text('Advertising id')),
    appBuild: orNull(text('Build number')),
    appVersion: orNull(text('Version of the app')),
    ip: orNull(text('IP address as given')),
    idfa: orNull(text('As given')),
    email: orNull(text('As given')),
    phone: orNull(text('As given')),
    gender: orNull(text('As given')),
    username: orNull(text('As given')),
    serviceSdkVersion: unused('Always null'),
    custom: listOf(ref('CustomAttribute'), 'Custom attributes'),
    paid: boolean(
      'Whether a period runs that was paid for, or the grace after one, or a lifetime purchase is held. A trial was not paid for, nor a period that cost nothing',
    ),
    state: oneOf(profileStates, 'Where the user stands with subscriptions; of several the first of this list'),
    totalRevenueUsd: number('Revenue after refunds, in USD, rounded to cents'),
    accessLevels: mapOf(ref('Access'), 'By access level of the catalog'),
    subscriptions: mapOf(ref('Access'), 'By product of the store'),
    nonSubscriptions: mapOf(ref('NonSubscription'), 'By product of the store'),
  }),
  ProfileV2: answered('A profile as v2 shows it; null where nothing is known', {
    profileId: uuid('Keep it: it names the user in every later request'),
    appUserId: orNull(text('Your own user id')),
    country: orNull(country),
    locale: orNull(text('Locale code')),
    ip: orNull(text('IP address as given')),
    device: orNull(text('Device model')),
    os: orNull(text('Operating system and version')),
    platform: orNull(platform),
    appVersion: orNull(text('Version of the app')),
    appBuild: orNull(text('Build number')),
    advertisingId: orNull(text('Advertising id')),
    createdAt: time('When the profile was created'),
    updatedAt: time('When the profile last changed'),
  }),
  CustomAttribute: answered('A custom attribute', { id: uuid('Sent as attrId in an update'), ...attribute }),
  SetAttributeV1: sent('One custom attribute', ['custom'], {
    ...identification,
    custom: sent('The attribute', ['key', 'value'], attribute),
  }),
  UpdateAttributeV1: sent('A custom attribute that exists: its value, or its key too', ['custom'], {
    ...identification,
    attrId: orNull(text('Id of the attribute; may stand in custom instead')),
    custom: sent('The attribute', ['key', 'value'], { attrId: orNull(text('Id of the attribute')), ...attribute }),
  }),
  SetAttributesV1: sent('Custom attributes, taken whole or not at all', ['custom'], {
    ...identification,
    custom: listOf(
      sent('An attribute', ['key', 'value'], attribute),
      'The attributes; of a repeated key the last counts',
      { minItems: 1, maxItems: 500 },
    ),
  }),
  SetAttributesV2: sent('Custom attributes, taken whole or not at all', ['profileId', 'custom'], {
    profileId: text('The profile', short),
    custom: listOf(
      sent('An attribute', ['key', 'value'], attribute),
      'The attributes; of a repeated key the last counts',
      { minItems: 1, maxItems: 500 },
    ),
  }),
};

export const paywallId = integer('Number of the paywall; sent as paywallId with events', { examples: [12] });
