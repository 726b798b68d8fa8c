import assert from 'node:assert/strict';
import { byKey, faultyEntries, numberedEntries, setAttribute, setAttributes, storedAttributes } from '../attributes.ts';
import { newProfileId, someone } from '../bodies.ts';
import { section } from '../case.ts';
import { accepted, invalid, refused } from '../expectations.ts';

const many = section('v1 /profiles/custom-attributes-all');
const v2 = section('v2 /custom-attributes');

export const attributeListCases = [
  many.withKey('Answers an entry for each key; 201 when an attribute was created, else 200', async (app) => {
    const profileId = await newProfileId(app);
    const first = accepted(await setAttributes(app, profileId, numberedEntries(3)), 201);
    assert.deepEqual(
      byKey(first).map(({ key, value }) => ({ key, value })),
      numberedEntries(3),
    );
    const again = numberedEntries(3).map(({ key }) => ({ key, value: 'changed' }));
    const second = accepted(await setAttributes(app, profileId, again), 200);
    assert.deepEqual(
      byKey(second),
      byKey(first).map((entry) => ({ ...entry, value: 'changed' })),
    );
    accepted(await setAttributes(app, profileId, [...again, { key: 'new', value: '' }]), 201);
  }),
  many.withKey('1 to 500 entries, else 400', async (app) => {
    const profileId = await newProfileId(app);
    for (const custom of [[], numberedEntries(501), undefined, null, {}, 'text'])
      invalid(await setAttributes(app, profileId, custom), 'custom');
    const repeated = Array.from({ length: 500 }, (_, index) => ({ key: `k${index % 5}`, value: String(index) }));
    assert.equal(accepted(await setAttributes(app, profileId, repeated), 201).length, 5);
  }),
  many.withKey('Taken whole or not at all', async (app) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    for (const [faulty, field] of faultyEntries)
      invalid(await setAttributes(app, profileId, [{ key: 'good', value: 'v' }, faulty]), field);
    refused(await setAttributes(app, profileId, numberedEntries(101)), 422, 'TOO_MANY_ATTRIBUTES');
    assert.deepEqual(await storedAttributes(app, customerUserId), []);
  }),
  many.withKey('A repeated key: the last one wins, one entry back', async (app) => {
    const profileId = await newProfileId(app);
    const custom = [
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
      { key: 'a', value: '3' },
    ];
    const data = byKey(accepted(await setAttributes(app, profileId, custom), 201));
    assert.deepEqual(
      data.map(({ key, value }) => [key, value]),
      [
        ['a', '3'],
        ['b', '2'],
      ],
    );
  }),
  many.withKey('An unknown profile: 404 PROFILE_NOT_FOUND', async (app) => {
    refused(await setAttributes(app, 'none', numberedEntries(1)), 404, 'PROFILE_NOT_FOUND');
  }),

  v2.withKey('Sets attributes by profileId: 201 with id, key and value of each, then 200', async (app) => {
    const profileId = await newProfileId(app);
    const data = accepted(await app.v2('/custom-attributes', { profileId, custom: numberedEntries(2) }), 201);
    assert.deepEqual(
      byKey(data).map(({ key, value }) => ({ key, value })),
      numberedEntries(2),
    );
    assert.deepEqual(
      byKey(accepted(await app.v2('/custom-attributes', { profileId, custom: numberedEntries(2) }), 200)),
      byKey(data),
    );
  }),
  v2.withKey('profileId is required: the v1 and v2 names of a customer user id are stripped', async (app) => {
    const customer = someone();
    await newProfileId(app, { customerUserId: customer });
    for (const who of [
      {},
      { customerUserId: customer },
      { appUserId: customer },
      { profileId: null },
      { profileId: '' },
      { profileId: 7 },
    ])
      invalid(await app.v2('/custom-attributes', { ...who, custom: numberedEntries(1) }), 'profileId');
  }),
  v2.withKey('1 to 500 entries, taken whole or not at all', async (app) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    for (const custom of [[], numberedEntries(501), undefined, null, {}])
      invalid(await app.v2('/custom-attributes', { profileId, custom }), 'custom');
    for (const [faulty, field] of faultyEntries)
      invalid(await app.v2('/custom-attributes', { profileId, custom: [{ key: 'good', value: 'v' }, faulty] }), field);
    refused(
      await app.v2('/custom-attributes', { profileId, custom: numberedEntries(101) }),
      422,
      'TOO_MANY_ATTRIBUTES',
    );
    assert.deepEqual(await storedAttributes(app, customerUserId), []);
  }),
  v2.withKey('v1 and v2 share the attributes and their ids', async (app) => {
    const profileId = await newProfileId(app);
    const { id } = accepted(await setAttribute(app, profileId, 'goal', 'sleep'), 201);
    const [again] = accepted(
      await app.v2('/custom-attributes', { profileId, custom: [{ key: 'goal', value: 'focus' }] }),
      200,
    );
    assert.deepEqual(again, { id, key: 'goal', value: 'focus' });
  }),
  v2.withKey('An unknown profile: 404 PROFILE_NOT_FOUND', async (app) => {
    refused(
      await app.v2('/custom-attributes', { profileId: 'none', custom: numberedEntries(1) }),
      404,
      'PROFILE_NOT_FOUND',
    );
  }),
];
