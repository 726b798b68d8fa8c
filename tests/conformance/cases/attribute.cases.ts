import assert from 'node:assert/strict';
import {
  attributesPath,
  byKey,
  emoji,
  faultyEntries,
  numberedEntries,
  setAttribute,
  setAttributes,
  storedAttributes,
} from '../attributes.ts';
import { newProfileId, someone } from '../bodies.ts';
import { section } from '../case.ts';
import { accepted, inParallel, invalid, refused } from '../expectations.ts';

const one = section('v1 /profiles/custom-attributes');

export const attributeCases = [
  one.withKey('POST answers 201 with id, key and value', async (app) => {
    const data = accepted(await setAttribute(app, await newProfileId(app), 'goal', 'sleep'), 201);
    assert.deepEqual(Object.keys(data).sort(), ['id', 'key', 'value']);
    assert.ok(typeof data.id === 'string' && data.id.length > 0);
    assert.deepEqual([data.key, data.value], ['goal', 'sleep']);
  }),
  one.withKey('Adding a key that exists sets its value and returns the same id, with 200', async (app) => {
    const profileId = await newProfileId(app);
    const first = accepted(await setAttribute(app, profileId, 'goal', 'sleep'), 201);
    assert.deepEqual(accepted(await setAttribute(app, profileId, 'goal', 'focus'), 200), { ...first, value: 'focus' });
  }),
  one.withKey('customerUserId is used when profileId is absent', async (app) => {
    const customerUserId = someone();
    await newProfileId(app, { customerUserId });
    const attribute = accepted(await app.v1(attributesPath, { customerUserId, custom: { key: 'a', value: 'b' } }), 201);
    assert.deepEqual(await storedAttributes(app, customerUserId), [attribute]);
  }),
  one.withKey('An unknown profile: 404 PROFILE_NOT_FOUND', async (app) => {
    const custom = { key: 'a', value: 'b' };
    for (const who of [
      { profileId: 'none' },
      { profileId: '00000000-0000-4000-8000-000000000000' },
      { customerUserId: someone() },
    ])
      refused(await app.v1(attributesPath, { ...who, custom }), 404, 'PROFILE_NOT_FOUND');
  }),
  one.withKey('9a: an empty profileId or customerUserId: 400', async (app) => {
    for (const field of ['profileId', 'customerUserId'])
      invalid(await app.v1(attributesPath, { [field]: '', custom: { key: 'a', value: 'b' } }), field);
  }),
  one.withKey('Strings only, key 1 to 100, value 0 to 1000 code points, else 400', async (app) => {
    const profileId = await newProfileId(app);
    for (const [custom, field] of faultyEntries) invalid(await app.v1(attributesPath, { profileId, custom }), field);
    invalid(await app.v1(attributesPath, { profileId }), 'custom');
    invalid(await app.v1(attributesPath, { profileId, custom: [] }), 'custom');
    accepted(await setAttribute(app, profileId, emoji.repeat(100), emoji.repeat(1000)), 201);
    assert.equal(accepted(await setAttribute(app, profileId, 'empty', ''), 201).value, '');
  }),
  one.withKey('Bad input stores nothing', async (app) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    for (const [custom] of faultyEntries)
      assert.equal((await app.v1(attributesPath, { profileId, custom })).status, 400);
    assert.deepEqual(await storedAttributes(app, customerUserId), []);
  }),
  one.withKey('PUT reads attrId from the top level or from custom', async (app) => {
    const profileId = await newProfileId(app);
    const { id } = accepted(await setAttribute(app, profileId, 'goal', 'sleep'));
    const custom = { key: 'goal', value: '1' };
    for (const body of [
      { attrId: id, custom },
      { custom: { ...custom, attrId: id } },
      { attrId: id, custom: { ...custom, attrId: id } },
    ])
      assert.deepEqual(accepted(await app.v1Put(attributesPath, { profileId, ...body }), 200), { id, ...custom });
  }),
  one.withKey('PUT with both attrIds and different, or none: 400', async (app) => {
    const profileId = await newProfileId(app);
    const { id } = accepted(await setAttribute(app, profileId, 'goal', 'sleep'));
    const custom = { key: 'goal', value: '1' };
    invalid(
      await app.v1Put(attributesPath, { profileId, attrId: id, custom: { ...custom, attrId: 'other' } }),
      'attrId',
    );
    invalid(await app.v1Put(attributesPath, { profileId, custom }), 'attrId');
    for (const attrId of [7, {}, null])
      invalid(await app.v1Put(attributesPath, { profileId, attrId, custom }), 'attrId');
  }),
  one.withKey('PUT with a faulty custom: 400', async (app) => {
    const profileId = await newProfileId(app);
    const { id } = accepted(await setAttribute(app, profileId, 'goal', 'sleep'));
    for (const [custom, field] of faultyEntries)
      invalid(await app.v1Put(attributesPath, { profileId, attrId: id, custom }), field);
  }),
  one.withKey('PUT of an unknown attrId: 404 ATTRIBUTE_NOT_FOUND', async (app) => {
    const profileId = await newProfileId(app);
    for (const attrId of ['none', '00000000-0000-4000-8000-000000000000'])
      refused(
        await app.v1Put(attributesPath, { profileId, attrId, custom: { key: 'a', value: 'b' } }),
        404,
        'ATTRIBUTE_NOT_FOUND',
      );
  }),
  one.withKey('An update may rename the key', async (app) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    const { id } = accepted(await setAttribute(app, profileId, 'goal', 'sleep'));
    accepted(await app.v1Put(attributesPath, { profileId, attrId: id, custom: { key: 'aim', value: 'focus' } }), 200);
    assert.deepEqual(await storedAttributes(app, customerUserId), [{ id, key: 'aim', value: 'focus' }]);
    assert.notEqual(accepted(await setAttribute(app, profileId, 'goal', 'new'), 201).id, id);
  }),
  one.withKey("A rename onto another attribute's key: 422 ATTRIBUTE_KEY_TAKEN, nothing stored", async (app) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    const before = byKey(accepted(await setAttributes(app, profileId, numberedEntries(2))));
    const rename = { profileId, attrId: before[0].id, custom: { key: 'k1', value: 'other' } };
    refused(await app.v1Put(attributesPath, rename), 422, 'ATTRIBUTE_KEY_TAKEN', 'k');
    assert.deepEqual(byKey(await storedAttributes(app, customerUserId)), before);
  }),
  one.withKey('At most 100 attributes a profile: 422 TOO_MANY_ATTRIBUTES', async (app) => {
    const profileId = await newProfileId(app);
    assert.equal(accepted(await setAttributes(app, profileId, numberedEntries(100)), 201).length, 100);
    refused(await setAttribute(app, profileId, 'one more', 'v'), 422, 'TOO_MANY_ATTRIBUTES');
    accepted(await setAttribute(app, profileId, 'k7', 'changed'), 200);
  }),
  one.withKey('Simultaneous adding of one key gives one id', async (app) => {
    const profileId = await newProfileId(app);
    const answers = await inParallel(8, 8, (index) => setAttribute(app, profileId, 'goal', String(index)));
    const ids = answers.map((answer) => accepted(answer).id);
    assert.ok(typeof ids[0] === 'string' && new Set(ids).size === 1);
  }),
];
