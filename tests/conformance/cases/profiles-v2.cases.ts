import assert from 'node:assert/strict';
import { device, deviceV2, newProfile, someone } from '../bodies.ts';
import { section } from '../case.ts';
import { accepted, invalid, refused, timestamp, uuid } from '../expectations.ts';

const profiles = section('v2 profiles');
const places = section('decisions.md, 14 and 15: country and ip');
const fieldsV2 = [
  ...['profileId', 'appUserId', 'country', 'locale', 'ip', 'device', 'os', 'platform', 'appVersion', 'appBuild'],
  ...['advertisingId', 'createdAt', 'updatedAt'],
];
const notStored = {
  currency: 'EUR',
  billingCountry: 'FR',
  timezone: 'UTC',
  osVersion: '1',
  sessionId: 's',
  pushToken: 'p',
};
const countryMessage = 'country must be a 2-letter ISO 3166-1 alpha-2 code or an uppercase 3-letter alpha-3 code';

export const profileV2Cases = [
  profiles.withKey('POST /profiles answers 201 with the v2 fields and no others', async (app) => {
    const profile = accepted(await app.v2('/profiles', deviceV2), 201);
    assert.deepEqual(Object.keys(profile).sort(), [...fieldsV2].sort());
    assert.match(profile.profileId, uuid);
    assert.match(profile.createdAt, timestamp);
    assert.match(profile.updatedAt, timestamp);
  }),
  profiles.withKey('17: absent optional fields are null', async (app) => {
    const profile = accepted(await app.v2('/profiles', deviceV2), 201);
    for (const field of ['appUserId', 'locale', 'ip', 'appBuild', 'advertisingId'])
      assert.equal(profile[field], null, field);
  }),
  profiles.withKey('country, device, os, platform and appVersion are required', async (app) => {
    for (const field of Object.keys(deviceV2))
      for (const value of [undefined, null, '']) {
        const { error } = refused(await app.v2('/profiles', { ...deviceV2, [field]: value }), 400, 'VALIDATION_FAILED');
        assert.ok(error.includes(field), error);
      }
  }),
  profiles.withKey('Given fields are echoed; ipAddress is returned as ip', async (app) => {
    const optional = { appUserId: someone(), locale: 'de-DE', appBuild: '12', advertisingId: 'ad-2' };
    const profile = accepted(await app.v2('/profiles', { ...deviceV2, ...optional, ipAddress: '2001:db8::1' }), 201);
    for (const [field, value] of Object.entries({ ...deviceV2, ...optional }))
      assert.equal(profile[field], value, field);
    assert.equal(profile.ip, '2001:db8::1');
    assert.ok(!('ipAddress' in profile));
  }),
  profiles.withKey(
    'currency, billingCountry, timezone, osVersion, sessionId and pushToken are accepted, not stored and never returned',
    async (app) => {
      const appUserId = someone();
      const profile = accepted(await app.v2('/profiles', { ...deviceV2, ...notStored, appUserId }), 201);
      for (const field of Object.keys(notStored)) assert.ok(!(field in profile), field);
      assert.equal(accepted(await app.v1('/profiles', { customerUserId: appUserId }), 200).currency, null);
    },
  ),
  profiles.withKey('Any field the service does not model is stripped without error, whatever it holds', async (app) => {
    const odd = Object.fromEntries(Object.keys(notStored).map((field) => [field, { not: ['a', 'text'] }]));
    accepted(await app.v2('/profiles', { ...deviceV2, ...odd, appUserID: 7, ip: 'nonsense' }), 201);
  }),
  profiles.withKey('A misspelled field name fails silently', async (app) => {
    const { locale } = accepted(await app.v2('/profiles', { ...deviceV2, Locale: 'de' }), 201);
    assert.equal(locale, null);
  }),
  profiles.withKey('The v1 name customerUserId means nothing in v2', async (app) => {
    const body = { ...deviceV2, customerUserId: someone() };
    const first = accepted(await app.v2('/profiles', body), 201);
    assert.notEqual(accepted(await app.v2('/profiles', body), 201).profileId, first.profileId);
  }),
  profiles.withKey(
    '12: the same appUserId again: 200, given fields replace, absent optional ones stay',
    async (app) => {
      const appUserId = someone();
      const first = accepted(await app.v2('/profiles', { ...deviceV2, appUserId, locale: 'de', appBuild: '1' }), 201);
      const second = accepted(
        await app.v2('/profiles', { ...deviceV2, appUserId, appVersion: '2', appBuild: '2' }),
        200,
      );
      const { updatedAt } = second;
      assert.deepEqual(second, { ...first, appVersion: '2', appBuild: '2', updatedAt });
      assert.ok(updatedAt >= first.updatedAt);
    },
  ),
  profiles.withKey('appUserId alone is not enough in v2', async (app) => {
    refused(await app.v2('/profiles', { appUserId: someone() }), 400, 'VALIDATION_FAILED');
  }),
  profiles.withKey('9a: an empty appUserId: 400; one of 256 code points: 400', async (app) => {
    for (const appUserId of ['', 'x'.repeat(256)])
      invalid(await app.v2('/profiles', { ...deviceV2, appUserId }), 'appUserId');
  }),
  profiles.withKey('9a: null clears on an existing profile', async (app) => {
    const appUserId = someone();
    accepted(await app.v2('/profiles', { ...deviceV2, appUserId, locale: 'de', ipAddress: '192.0.2.1' }), 201);
    const cleared = accepted(await app.v2('/profiles', { ...deviceV2, appUserId, locale: null, ipAddress: '' }), 200);
    assert.deepEqual([cleared.locale, cleared.ip], [null, null]);
  }),

  places.withKey('Alpha-2 in any case is accepted and stored in upper case', async (app) => {
    for (const country of ['de', 'De', 'DE', 'xk', 'GB', 'tw']) {
      assert.equal((await newProfile(app, { country })).country, country.toUpperCase());
      assert.equal(accepted(await app.v2('/profiles', { ...deviceV2, country })).country, country.toUpperCase());
    }
  }),
  places.withKey('Only assigned ISO 3166-1 codes', async (app) => {
    for (const country of ['ZZ', 'UK', 'EU', 'AN', 'SU', 'XX', 'D', 'D1', 'DEUT', ' DE', 'Germany']) {
      invalid(await app.v1('/profiles', { ...device, country }), 'country');
      refused(await app.v2('/profiles', { ...deviceV2, country }), 400, 'VALIDATION_FAILED', countryMessage);
    }
  }),
  places.withKey('v1: alpha-2 only', async (app) => {
    for (const country of ['DEU', 'USA', 'XKX']) invalid(await app.v1('/profiles', { ...device, country }), 'country');
  }),
  places.withKey('v2: also upper-case alpha-3, mapped to alpha-2', async (app) => {
    for (const [alpha3, alpha2] of [
      ['DEU', 'DE'],
      ['USA', 'US'],
      ['XKX', 'XK'],
      ['JPN', 'JP'],
    ] as const)
      assert.equal(accepted(await app.v2('/profiles', { ...deviceV2, country: alpha3 })).country, alpha2);
  }),
  places.withKey('v2: the named message for an unmappable alpha-3 code or a malformed value', async (app) => {
    for (const country of ['ZZZ', 'usa', 'Deu', 'ANT', 'DE\u0000', 49, true, ['DE'], {}])
      assert.equal(
        refused(await app.v2('/profiles', { ...deviceV2, country }), 400, 'VALIDATION_FAILED').error,
        countryMessage,
      );
  }),
  places.withKey('ip: IPv4 or IPv6, else 400', async (app) => {
    for (const ip of ['192.0.2.1', '255.255.255.255', '::1', '2001:db8::ff00:42:8329']) {
      assert.equal((await newProfile(app, { ip })).ip, ip);
      assert.equal(accepted(await app.v2('/profiles', { ...deviceV2, ipAddress: ip })).ip, ip);
    }
    for (const ip of ['192.0.2', '256.1.1.1', 'localhost', '1.2.3.4.5', '2001:db8:::1', '192.0.2.1/24', ' 192.0.2.1']) {
      invalid(await app.v1('/profiles', { ...device, ip }), 'ip');
      invalid(await app.v2('/profiles', { ...deviceV2, ipAddress: ip }), 'ipAddress');
    }
  }),
  places.withKey('ip is never taken from the connection', async (app) => {
    const forwarded = { 'x-forwarded-for': '192.0.2.9', forwarded: 'for=192.0.2.9', 'x-real-ip': '192.0.2.9' };
    assert.equal(accepted(await app.v1('/profiles', device, forwarded)).ip, null);
    assert.equal(accepted(await app.v2('/profiles', deviceV2, forwarded)).ip, null);
  }),
];
