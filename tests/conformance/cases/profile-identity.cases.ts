import assert from 'node:assert/strict';
import { device, newProfile, newProfileId, someone, optionalFields, otherOptionalFields } from '../bodies.ts';
import { section } from '../case.ts';
import { accepted, inParallel, invalid, uuid } from '../expectations.ts';

const profiles = section('v1 profiles: who is who, and what is kept');

export const profileIdentityCases = [
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
