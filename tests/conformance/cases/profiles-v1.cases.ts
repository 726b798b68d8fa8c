import assert from 'node:assert/strict';
import { device, newProfile, someone, optionalFields, otherOptionalFields } from '../bodies.ts';
import { section } from '../case.ts';
import { accepted, invalid, timestamp, uuid } from '../expectations.ts';

const profiles = section('v1 profiles');
const platforms = ['android', 'ios', 'ipados', 'tvos', 'macos', 'watchos', 'visionos', 'stripe'];

const neverGiven = [
  'linkedProfileIds',
  'migrationProfileId',
  'ipCountry',
  'appleConsumptionConsent',
  'birthday',
  'age',
  'serviceSdkVersion',
];

export const profileV1Cases = [
  profiles.withKey('POST /profiles answers the profile with a unique profileId', async (app) => {
    const [first, second] = [await newProfile(app), await newProfile(app)];
    assert.match(first.profileId, uuid);
    assert.notEqual(first.profileId, second.profileId);
  }),
  profiles.withKey('country, device, os and platform are required', async (app) => {
    for (const field of Object.keys(device))
      invalid(await app.v1('/profiles', { ...device, [field]: undefined }), field);
  }),
  profiles.withKey('A required field that is null or empty: 400', async (app) => {
    for (const field of Object.keys(device))
      for (const value of [null, '']) invalid(await app.v1('/profiles', { ...device, [field]: value }), field);
  }),
  profiles.withKey('platform is one of the platform enum', async (app) => {
    for (const platform of platforms) assert.equal((await newProfile(app, { platform })).platform, platform);
    for (const platform of ['iOS', 'windows', 'android '])
      invalid(await app.v1('/profiles', { ...device, platform }), 'platform');
  }),
  profiles.withKey('Fields are texts: another type is refused by name', async (app) => {
    const texts = [
      ...Object.keys(device),
      ...Object.keys({ ...optionalFields, ...otherOptionalFields }),
      'customerUserId',
    ];
    for (const field of texts)
      for (const value of [7, true, {}, ['x']])
        invalid(await app.v1('/profiles', { ...device, [field]: value }), field);
  }),
  profiles.withKey('All faults are refused without storing the profile', async (app) => {
    const customerUserId = someone();
    invalid(await app.v1('/profiles', { ...device, customerUserId, platform: 'windows' }), 'platform');
    accepted(await app.v1('/profiles', { ...device, customerUserId }), 201);
  }),
  profiles.withKey('Request values are echoed', async (app) => {
    const customerUserId = someone();
    const given = { ...device, ...optionalFields, customerUserId };
    const profile = accepted(await app.v1('/profiles', { ...given, ...otherOptionalFields }), 201);
    for (const [field, value] of Object.entries(given)) assert.equal(profile[field], value, field);
  }),
  profiles.withKey('16: every field of the full form is present; unknown is null', async (app) => {
    const profile = await newProfile(app);
    for (const field of ['customerUserId', ...Object.keys(optionalFields), ...neverGiven])
      assert.equal(profile[field], null, `${field} is null`);
  }),
  profiles.withKey(
    '16: custom is an array; accessLevels, subscriptions and nonSubscriptions are objects; empty on creation',
    async (app) => {
      const { custom, accessLevels, subscriptions, nonSubscriptions } = await newProfile(app);
      assert.deepEqual(
        { custom, accessLevels, subscriptions, nonSubscriptions },
        { custom: [], accessLevels: {}, subscriptions: {}, nonSubscriptions: {} },
      );
    },
  ),
  profiles.withKey('16: createdDate equals createdAt', async (app) => {
    const { createdAt, createdDate } = await newProfile(app);
    assert.match(createdAt, timestamp);
    assert.equal(createdDate, createdAt);
  }),
  profiles.withKey('18 to 20: who bought nothing is never-subscribed, not paid, with a revenue of 0', async (app) => {
    const { state, paid, totalRevenueUsd } = await newProfile(app);
    assert.deepEqual({ state, paid, totalRevenueUsd }, { state: 'never-subscribed', paid: false, totalRevenueUsd: 0 });
  }),
  profiles.withKey('10: v1 appVersion is optional', async (app) => {
    assert.equal((await newProfile(app)).appVersion, null);
  }),
  profiles.withKey('An empty object: 400', async (app) => {
    invalid(await app.v1('/profiles', {}), 'country');
  }),
];
