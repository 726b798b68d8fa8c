import assert from 'node:assert/strict';
import { newProfileId, someone } from '../bodies.ts';
import { section } from '../case.ts';
import type { App } from '../clients.ts';
import { accepted, inParallel, invalid, refused } from '../expectations.ts';
import type { Json } from '../http.ts';

const one = section('v1 /profiles/custom-attributes');
const many = section('v1 /profiles/custom-attributes-all');
const v2 = section('v2 /custom-attributes');
const path = '/profiles/custom-attributes';
const emoji = '\u{1f600}';

const set = (app: App, profileId: string, key: string, value: string) =>
  app.v1(path, { profileId, custom: { key, value } });
const setAll = (app: App, profileId: string, custom: unknown) => app.v1(`${path}-all`, { profileId, custom });
const numbered = (count: number, prefix = 'k') =>
  Array.from({ length: count }, (_, index) => ({ key: `${prefix}${index}`, value: 'v' }));
const byKey = (attributes: Json[]) => [...attributes].sort((a, b) => (a.key < b.key ? -1 : 1));

/** The profile's attributes as v1 shows them. */
const stored = async (app: App, customerUserId: string): Promise<Json[]> =>
  accepted(await app.v1('/profiles', { customerUserId }), 200).custom;

/** Entries that no route takes, each with the field that its message must name. */
const faultyEntries: readonly [unknown, string][] = [
  [{ value: 'v' }, 'key'],
  [{ key: null, value: 'v' }, 'key'],
  [{ key: '', value: 'v' }, 'key'],
  [{ key: 'k'.repeat(101), value: 'v' }, 'key'],
  [{ key: 7, value: 'v' }, 'key'],
  [{ key: 'k' }, 'value'],
  [{ key: 'k', value: null }, 'value'],
  [{ key: 'k', value: 'v'.repeat(1001) }, 'value'],
  [{ key: 'k', value: 7 }, 'value'],
  [{ key: 'k', value: false }, 'value'],
  [{ key: 'k', value: { deep: 1 } }, 'value'],
  ['k=v', 'custom'],
  [null, 'custom'],
];

export const attributeCases = [
  one.withKey('POST answers 201 with id, key and value', async (app) => {
    const data = accepted(await set(app, await newProfileId(app), 'goal', 'sleep'), 201);
    assert.deepEqual(Object.keys(data).sort(), ['id', 'key', 'value']);
    assert.ok(typeof data.id === 'string' && data.id.length > 0);
    assert.deepEqual([data.key, data.value], ['goal', 'sleep']);
  }),
  one.withKey('Adding a key that exists sets its value and returns the same id, with 200', async (app) => {
    const profileId = await newProfileId(app);
    const first = accepted(await set(app, profileId, 'goal', 'sleep'), 201);
    assert.deepEqual(accepted(await set(app, profileId, 'goal', 'focus'), 200), { ...first, value: 'focus' });
  }),
  one.withKey('customerUserId is used when profileId is absent', async (app) => {
    const customerUserId = someone();
    await newProfileId(app, { customerUserId });
    const attribute = accepted(await app.v1(path, { customerUserId, custom: { key: 'a', value: 'b' } }), 201);
    assert.deepEqual(await stored(app, customerUserId), [attribute]);
  }),
  one.withKey('An unknown profile: 404 PROFILE_NOT_FOUND', async (app) => {
    const custom = { key: 'a', value: 'b' };
    for (const who of [
      { profileId: 'none' },
      { profileId: '00000000-0000-4000-8000-000000000000' },
      { customerUserId: someone() },
    ])
      refused(await app.v1(path, { ...who, custom }), 404, 'PROFILE_NOT_FOUND');
  }),
  one.withKey('9a: an empty profileId or customerUserId: 400', async (app) => {
    for (const field of ['profileId', 'customerUserId'])
      invalid(await app.v1(path, { [field]: '', custom: { key: 'a', value: 'b' } }), field);
  }),
  one.withKey('Strings only, key 1 to 100, value 0 to 1000 code points, else 400', async (app) => {
    const profileId = await newProfileId(app);
    for (const [custom, field] of faultyEntries) invalid(await app.v1(path, { profileId, custom }), field);
    invalid(await app.v1(path, { profileId }), 'custom');
    invalid(await app.v1(path, { profileId, custom: [] }), 'custom');
    accepted(await set(app, profileId, emoji.repeat(100), emoji.repeat(1000)), 201);
    assert.equal(accepted(await set(app, profileId, 'empty', ''), 201).value, '');
  }),
  one.withKey('Bad input stores nothing', async (app) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    for (const [custom] of faultyEntries) assert.equal((await app.v1(path, { profileId, custom })).status, 400);
    assert.deepEqual(await stored(app, customerUserId), []);
  }),
  one.withKey('PUT reads attrId from the top level or from custom', async (app) => {
    const profileId = await newProfileId(app);
    const { id } = accepted(await set(app, profileId, 'goal', 'sleep'));
    const custom = { key: 'goal', value: '1' };
    for (const body of [
      { attrId: id, custom },
      { custom: { ...custom, attrId: id } },
      { attrId: id, custom: { ...custom, attrId: id } },
    ])
      assert.deepEqual(accepted(await app.v1Put(path, { profileId, ...body }), 200), { id, ...custom });
  }),
  one.withKey('PUT with both attrIds and different, or none: 400', async (app) => {
    const profileId = await newProfileId(app);
    const { id } = accepted(await set(app, profileId, 'goal', 'sleep'));
    const custom = { key: 'goal', value: '1' };
    invalid(await app.v1Put(path, { profileId, attrId: id, custom: { ...custom, attrId: 'other' } }), 'attrId');
    invalid(await app.v1Put(path, { profileId, custom }), 'attrId');
    for (const attrId of [7, {}, null]) invalid(await app.v1Put(path, { profileId, attrId, custom }), 'attrId');
  }),
  one.withKey('PUT with a faulty custom: 400', async (app) => {
    const profileId = await newProfileId(app);
    const { id } = accepted(await set(app, profileId, 'goal', 'sleep'));
    for (const [custom, field] of faultyEntries)
      invalid(await app.v1Put(path, { profileId, attrId: id, custom }), field);
  }),
  one.withKey('PUT of an unknown attrId: 404 ATTRIBUTE_NOT_FOUND', async (app) => {
    const profileId = await newProfileId(app);
    for (const attrId of ['none', '00000000-0000-4000-8000-000000000000'])
      refused(
        await app.v1Put(path, { profileId, attrId, custom: { key: 'a', value: 'b' } }),
        404,
        'ATTRIBUTE_NOT_FOUND',
      );
  }),
  one.withKey('An update may rename the key', async (app) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    const { id } = accepted(await set(app, profileId, 'goal', 'sleep'));
    accepted(await app.v1Put(path, { profileId, attrId: id, custom: { key: 'aim', value: 'focus' } }), 200);
    assert.deepEqual(await stored(app, customerUserId), [{ id, key: 'aim', value: 'focus' }]);
    assert.notEqual(accepted(await set(app, profileId, 'goal', 'new'), 201).id, id);
  }),
  one.withKey("A rename onto another attribute's key: 422 ATTRIBUTE_KEY_TAKEN, nothing stored", async (app) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    const before = byKey(accepted(await setAll(app, profileId, numbered(2))));
    const rename = { profileId, attrId: before[0].id, custom: { key: 'k1', value: 'other' } };
    refused(await app.v1Put(path, rename), 422, 'ATTRIBUTE_KEY_TAKEN', 'k');
    assert.deepEqual(byKey(await stored(app, customerUserId)), before);
  }),
  one.withKey('At most 100 attributes a profile: 422 TOO_MANY_ATTRIBUTES', async (app) => {
    const profileId = await newProfileId(app);
    assert.equal(accepted(await setAll(app, profileId, numbered(100)), 201).length, 100);
    refused(await set(app, profileId, 'one more', 'v'), 422, 'TOO_MANY_ATTRIBUTES');
    accepted(await set(app, profileId, 'k7', 'changed'), 200);
  }),
  one.withKey('Simultaneous adding of one key gives one id', async (app) => {
    const profileId = await newProfileId(app);
    const answers = await inParallel(8, 8, (index) => set(app, profileId, 'goal', String(index)));
    const ids = answers.map((answer) => accepted(answer).id);
    assert.ok(typeof ids[0] === 'string' && new Set(ids).size === 1);
  }),

  many.withKey('Answers an entry for each key; 201 when an attribute was created, else 200', async (app) => {
    const profileId = await newProfileId(app);
    const first = accepted(await setAll(app, profileId, numbered(3)), 201);
    assert.deepEqual(
      byKey(first).map(({ key, value }) => ({ key, value })),
      numbered(3),
    );
    const again = numbered(3).map(({ key }) => ({ key, value: 'changed' }));
    const second = accepted(await setAll(app, profileId, again), 200);
    assert.deepEqual(
      byKey(second),
      byKey(first).map((entry) => ({ ...entry, value: 'changed' })),
    );
    accepted(await setAll(app, profileId, [...again, { key: 'new', value: '' }]), 201);
  }),
  many.withKey('1 to 500 entries, else 400', async (app) => {
    const profileId = await newProfileId(app);
    for (const custom of [[], numbered(501), undefined, null, {}, 'text'])
      invalid(await setAll(app, profileId, custom), 'custom');
    const repeated = Array.from({ length: 500 }, (_, index) => ({ key: `k${index % 5}`, value: String(index) }));
    assert.equal(accepted(await setAll(app, profileId, repeated), 201).length, 5);
  }),
  many.withKey('Taken whole or not at all', async (app) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    for (const [faulty, field] of faultyEntries)
      invalid(await setAll(app, profileId, [{ key: 'good', value: 'v' }, faulty]), field);
    refused(await setAll(app, profileId, numbered(101)), 422, 'TOO_MANY_ATTRIBUTES');
    assert.deepEqual(await stored(app, customerUserId), []);
  }),
  many.withKey('A repeated key: the last one wins, one entry back', async (app) => {
    const profileId = await newProfileId(app);
    const custom = [
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
      { key: 'a', value: '3' },
    ];
    const data = byKey(accepted(await setAll(app, profileId, custom), 201));
    assert.deepEqual(
      data.map(({ key, value }) => [key, value]),
      [
        ['a', '3'],
        ['b', '2'],
      ],
    );
  }),
  many.withKey('An unknown profile: 404 PROFILE_NOT_FOUND', async (app) => {
    refused(await setAll(app, 'none', numbered(1)), 404, 'PROFILE_NOT_FOUND');
  }),

  v2.withKey('Sets attributes by profileId: 201 with id, key and value of each, then 200', async (app) => {
    const profileId = await newProfileId(app);
    const data = accepted(await app.v2('/custom-attributes', { profileId, custom: numbered(2) }), 201);
    assert.deepEqual(
      byKey(data).map(({ key, value }) => ({ key, value })),
      numbered(2),
    );
    assert.deepEqual(
      byKey(accepted(await app.v2('/custom-attributes', { profileId, custom: numbered(2) }), 200)),
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
      invalid(await app.v2('/custom-attributes', { ...who, custom: numbered(1) }), 'profileId');
  }),
  v2.withKey('1 to 500 entries, taken whole or not at all', async (app) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    for (const custom of [[], numbered(501), undefined, null, {}])
      invalid(await app.v2('/custom-attributes', { profileId, custom }), 'custom');
    for (const [faulty, field] of faultyEntries)
      invalid(await app.v2('/custom-attributes', { profileId, custom: [{ key: 'good', value: 'v' }, faulty] }), field);
    refused(await app.v2('/custom-attributes', { profileId, custom: numbered(101) }), 422, 'TOO_MANY_ATTRIBUTES');
    assert.deepEqual(await stored(app, customerUserId), []);
  }),
  v2.withKey('v1 and v2 share the attributes and their ids', async (app) => {
    const profileId = await newProfileId(app);
    const { id } = accepted(await set(app, profileId, 'goal', 'sleep'), 201);
    const [again] = accepted(
      await app.v2('/custom-attributes', { profileId, custom: [{ key: 'goal', value: 'focus' }] }),
      200,
    );
    assert.deepEqual(again, { id, key: 'goal', value: 'focus' });
  }),
  v2.withKey('An unknown profile: 404 PROFILE_NOT_FOUND', async (app) => {
    refused(await app.v2('/custom-attributes', { profileId: 'none', custom: numbered(1) }), 404, 'PROFILE_NOT_FOUND');
  }),
];
