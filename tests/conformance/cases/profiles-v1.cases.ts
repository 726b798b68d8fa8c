import assert from 'node:assert/strict';
import { device, newProfile, newProfileId, someone } from '../bodies.ts';
import { section } from '../case.ts';
import { accepted, inParallel, invalid, timestamp, uuid } from '../expectations.ts';

const profiles = section('v1 profiles');
const platforms = ['android', 'ios', 'ipados', 'tvos', 'macos', 'watchos', 'visionos', 'stripe'];

/** Echoed in v1 answers; none of them is anybody's. */
const optionalFields = {
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
const otherOptionalFields = { storeCountry: 'FR', timezone: 'Europe/Paris', osVersion: '16', sessionId: 'session-1' };
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
  profiles.withKey('11: customerUserId alone is accepted: a profile without device context', async (app) => {
    const customerUserId = someone();
    const profile = accepted(await app.v1('/profiles', { customerUserId }), 201);
    assert.match(profile.profileId, uuid);
    for (const field of Object.keys(device)) assert.equal(profile[field], null, field);
    assert.equal(accepted(await app.v1('/profiles', { customerUserId }), 200).profileId, profile.profileId);
    assert.equal(
      accepted(await app.v1('/profiles', { customerUserId, unmodelled: 1 }), 200).profileId,
      profile.profileId,
    );
  }),
  profiles.withKey(
    '11: with any other modelled field the required set applies, also for a profile that exists',
    async (app) => {
      const customerUserId = someone();
      invalid(await app.v1('/profiles', { customerUserId, email: 'nobody@example.com' }), 'country');
      accepted(await app.v1('/profiles', { customerUserId, ...device }), 201);
      invalid(await app.v1('/profiles', { customerUserId, locale: 'de' }), 'country');
      invalid(await app.v1('/profiles', { customerUserId, ...device, os: undefined }), 'os');
    },
  ),
  profiles.withKey('9a: for 11 null counts as present', async (app) => {
    invalid(await app.v1('/profiles', { customerUserId: someone(), locale: null }), 'country');
  }),
  profiles.withKey('An empty object: 400', async (app) => {
    invalid(await app.v1('/profiles', {}), 'country');
  }),
  profiles.withKey('7: 201 when a profile was created, else 200', async (app) => {
    const body = { ...device, customerUserId: someone() };
    accepted(await app.v1('/profiles', body), 201);
    accepted(await app.v1('/profiles', body), 200);
  }),
  profiles.withKey(
    '12: the same customerUserId again is the same profile: given fields replace, absent optional ones stay',
    async (app) => {
      const customerUserId = someone();
      const first = await newProfile(app, { customerUserId, ...optionalFields });
      const second = accepted(
        await app.v1('/profiles', { ...device, customerUserId, os: 'Android 17', email: 'new@example.com' }),
        200,
      );
      assert.deepEqual(second, { ...first, os: 'Android 17', email: 'new@example.com' });
    },
  ),
  profiles.withKey('12: two simultaneous first requests give one profile', async (app) => {
    const body = { ...device, customerUserId: someone() };
    const answers = await inParallel(10, 10, () => app.v1('/profiles', body));
    assert.equal(new Set(answers.map((answer) => accepted(answer).profileId)).size, 1);
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  }),
  profiles.withKey('12: v1 and v2 share profiles', async (app) => {
    const customer = someone();
    const first = await newProfile(app, { customerUserId: customer });
    const second = accepted(await app.v2('/profiles', { ...device, appVersion: '2', appUserId: customer }), 200);
    assert.equal(second.profileId, first.profileId);
    assert.equal(second.createdAt, first.createdAt);
    assert.equal(accepted(await app.v1('/profiles', { customerUserId: customer }), 200).appVersion, '2');
  }),
  profiles.withKey(
    '9a: null for an optional field is as absent, save on an existing profile, where it clears',
    async (app) => {
      const customerUserId = someone();
      assert.equal((await newProfile(app, { customerUserId, email: null, locale: 'de' })).email, null);
      const cleared = accepted(await app.v1('/profiles', { ...device, customerUserId, locale: null }), 200);
      assert.equal(cleared.locale, null);
    },
  ),
  profiles.withKey('9a: empty text is a fault for an identifier, else as null', async (app) => {
    invalid(await app.v1('/profiles', { ...device, customerUserId: '' }), 'customerUserId');
    const customerUserId = someone();
    assert.equal((await newProfile(app, { customerUserId, email: '', gender: 'none' })).email, null);
    assert.equal(accepted(await app.v1('/profiles', { ...device, customerUserId, gender: '' }), 200).gender, null);
  }),
  profiles.withKey('9a: a null customerUserId is as absent', async (app) => {
    const first = await newProfileId(app, { customerUserId: null });
    assert.notEqual(await newProfileId(app, { customerUserId: null }), first);
  }),
  profiles.withKey('9a: texts up to 255 code points, else 400', async (app) => {
    const long = '\u{1f600}'.repeat(255);
    for (const field of ['device', 'os', 'locale', 'email', 'appBuild', 'username'])
      assert.equal((await newProfile(app, { [field]: long }))[field], long, field);
    const customerUserId = someone().padEnd(254, 'x') + '\u{1f600}';
    assert.equal((await newProfile(app, { customerUserId })).customerUserId, customerUserId);
    for (const field of [
      'device',
      'os',
      'locale',
      'email',
      'appBuild',
      'username',
      'customerUserId',
      ...Object.keys(otherOptionalFields),
    ])
      invalid(await app.v1('/profiles', { ...device, [field]: 'x'.repeat(256) }), field);
  }),
];
