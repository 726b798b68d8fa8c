import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  CustomAttributeSet,
  EraseProfile,
  ProfileCreated,
  ProfileErased,
  ProfileUpdated,
  SaveProfile,
  SetCustomAttributes,
  UpdateCustomAttribute,
} from '@paywright/contracts';
import { commandFor, specification } from '@paywright/event-sourcing/testing';
import { profileDecider } from './profile.ts';

const { given } = specification(profileDecider);

const profileId = randomUUID();
const [idA, idB, idC] = [randomUUID(), randomUUID(), randomUUID()];
const inApp = { appId: 1, profileId };

const created = ProfileCreated.of({ ...inApp, fields: { country: 'DE', device: 'Pixel 9' }, personal: false });
const attributeSet = (attributeId: string, key: string, value: string) =>
  CustomAttributeSet.of({ ...inApp, attributeId, key, value });
const updated = (changes: ProfileUpdated['body']['changes'], personal = false) =>
  ProfileUpdated.of({ ...inApp, changes, personal });

const save = (body: Partial<SaveProfile['body']>, appId = 1) =>
  commandFor(SaveProfile, { key: profileId, appId, body: { fields: {}, personal: {}, ...body } });
const setAttributes = (attributes: readonly [id: string, key: string, value: string][], appId = 1) =>
  commandFor(SetCustomAttributes, {
    key: profileId,
    appId,
    body: { attributes: attributes.map(([id, key, value]) => ({ id, key, value })) },
  });
const updateAttribute = (id: string, key: string, value: string, appId = 1) =>
  commandFor(UpdateCustomAttribute, { key: profileId, appId, body: { id, key, value } });

const notFound = 'profileId (v1: or customerUserId) names no profile of this app.';

describe('SaveProfile', () => {
  it('creates a profile of what has a value', () => {
    given([])
      .when(save({ fields: { country: 'DE', device: 'Pixel 9', locale: null }, personal: { email: null } }))
      .then([created])
      .thenReply({ created: true, createdAt: Date.UTC(2026, 0, 1) })
      .thenPersonal(undefined);
  });

  it('creates a profile of nothing', () => {
    given([])
      .when(save({}))
      .then([ProfileCreated.of({ ...inApp, fields: {}, personal: false })])
      .thenReply({ created: true, createdAt: Date.UTC(2026, 0, 1) });
  });

  it('keeps personal fields out of the event, and marks that there are some', () => {
    given([])
      .when(save({ personal: { customerUserId: 'user-1', ip: '192.0.2.1', phone: null } }))
      .then([ProfileCreated.of({ ...inApp, fields: {}, personal: true })])
      .thenPersonal({ customerUserId: 'user-1', ip: '192.0.2.1' });
  });

  it('changes given fields that differ; absent ones stay', () => {
    given([created])
      .when(save({ fields: { country: 'AT', device: 'Pixel 9', locale: 'de-AT' } }))
      .then([updated({ country: 'AT', locale: 'de-AT' })])
      .thenReply({ created: false });
  });

  it('clears a stored field by null', () => {
    given([created])
      .when(save({ fields: { country: null, locale: null } }))
      .then([updated({ country: null })]);
  });

  it('has nothing to tell when nothing changed', () => {
    given([created])
      .when(save({ fields: { country: 'DE', locale: null } }))
      .thenNothing()
      .thenReply({ created: false, allPersonalGiven: true })
      .thenPersonal(undefined);
  });

  it('takes back a field that was cleared', () => {
    given([created, updated({ country: null })])
      .when(save({ fields: { country: 'DE' } }))
      .then([updated({ country: 'DE' })]);
  });

  it('changes personal fields where one that is given differs, null too', () => {
    for (const held of [{}, { username: 'b' }, { email: 'a@example.org', username: 'a' }])
      given([created], held)
        .when(save({ personal: { email: null, username: 'a' } }))
        .then([updated({}, true)])
        .thenPersonal({ email: null, username: 'a' });
  });

  it('has nothing to tell when all that is personal is as it was given, and says whether there is more', () => {
    const personal = { customerUserId: 'user-1', email: null, phone: undefined };
    for (const [held, allPersonalGiven] of [
      [{ customerUserId: 'user-1' }, true],
      [{ customerUserId: 'user-1', phone: '1' }, false],
    ] as const)
      given([created], held)
        .when(save({ fields: { country: 'DE' }, personal }))
        .thenNothing()
        .thenReply({ created: false, allPersonalGiven })
        .thenPersonal('unchanged');
  });

  it('marks no personal record where only other fields differ', () => {
    given([created], { customerUserId: 'user-1' })
      .when(save({ fields: { country: 'AT' }, personal: { customerUserId: 'user-1' } }))
      .then([updated({ country: 'AT' })])
      .thenReply({ created: false })
      .thenPersonal('unchanged');
  });

  it('does not see a profile of another app', () => {
    given([created]).when(save({}, 2)).thenRefused('PROFILE_NOT_FOUND', notFound);
  });
});

describe('SetCustomAttributes', () => {
  it('adds attributes with the ids given', () => {
    given([created])
      .when(
        setAttributes([
          [idA, 'goal', 'sleep'],
          [idB, 'age', ''],
        ]),
      )
      .then([attributeSet(idA, 'goal', 'sleep'), attributeSet(idB, 'age', '')])
      .thenReply({
        created: true,
        attributes: [
          { id: idA, key: 'goal', value: 'sleep' },
          { id: idB, key: 'age', value: '' },
        ],
      });
  });

  it('keeps the id of a key it holds', () => {
    given([created, attributeSet(idA, 'goal', 'sleep')])
      .when(setAttributes([[idB, 'goal', 'focus']]))
      .then([attributeSet(idA, 'goal', 'focus')])
      .thenReply({ created: false, attributes: [{ id: idA, key: 'goal', value: 'focus' }] });
  });

  it('says created when any of them is new', () => {
    given([created, attributeSet(idA, 'goal', 'sleep')])
      .when(
        setAttributes([
          [idB, 'goal', 'focus'],
          [idC, 'age', '30'],
        ]),
      )
      .thenReply({
        created: true,
        attributes: [
          { id: idA, key: 'goal', value: 'focus' },
          { id: idC, key: 'age', value: '30' },
        ],
      });
  });

  it('takes the last of a repeated key, once, at the place of the first', () => {
    given([created])
      .when(
        setAttributes([
          [idA, 'goal', 'sleep'],
          [idB, 'age', '30'],
          [idC, 'goal', 'focus'],
        ]),
      )
      .then([attributeSet(idC, 'goal', 'focus'), attributeSet(idB, 'age', '30')]);
  });

  it('has nothing to tell when the values are those it holds', () => {
    given([created, attributeSet(idA, 'goal', 'sleep')])
      .when(setAttributes([[idB, 'goal', 'sleep']]))
      .thenNothing()
      .thenReply({ created: false, attributes: [{ id: idA, key: 'goal', value: 'sleep' }] });
  });

  it('holds 100 attributes, and not one more', () => {
    const held = Array.from({ length: 99 }, (_, n) => attributeSet(randomUUID(), `key ${n}`, 'a'));
    given([created, ...held])
      .when(
        setAttributes([
          [idA, 'key 0', 'b'],
          [idB, 'one more', 'a'],
        ]),
      )
      .then([attributeSet(held[0]!.body.attributeId, 'key 0', 'b'), attributeSet(idB, 'one more', 'a')]);
    given([created, ...held])
      .when(
        setAttributes([
          [idA, 'one more', 'b'],
          [idB, 'and another', 'a'],
        ]),
      )
      .thenRefused('TOO_MANY_ATTRIBUTES', 'custom: a profile holds at most 100 attributes.');
  });

  it('knows a key by its newest name', () => {
    given([created, attributeSet(idA, 'goal', 'sleep'), attributeSet(idA, 'aim', 'sleep')])
      .when(
        setAttributes([
          [idB, 'goal', 'focus'],
          [idC, 'aim', 'rest'],
        ]),
      )
      .then([attributeSet(idB, 'goal', 'focus'), attributeSet(idA, 'aim', 'rest')]);
  });

  it('does not see a profile that is unknown or of another app', () => {
    given([])
      .when(setAttributes([[idA, 'goal', 'sleep']]))
      .thenRefused('PROFILE_NOT_FOUND', notFound);
    given([created])
      .when(setAttributes([[idA, 'goal', 'sleep']], 2))
      .thenRefused('PROFILE_NOT_FOUND', notFound);
  });
});

describe('UpdateCustomAttribute', () => {
  const held = [created, attributeSet(idA, 'goal', 'sleep'), attributeSet(idB, 'age', '30')];

  it('changes the value', () => {
    given(held)
      .when(updateAttribute(idA, 'goal', 'focus'))
      .then([attributeSet(idA, 'goal', 'focus')])
      .thenReply({ attribute: { id: idA, key: 'goal', value: 'focus' } });
  });

  it('renames the key', () => {
    given(held)
      .when(updateAttribute(idA, 'aim', 'sleep'))
      .then([attributeSet(idA, 'aim', 'sleep')]);
  });

  it('may take a key that was given up', () => {
    given([...held, attributeSet(idB, 'years', '30')])
      .when(updateAttribute(idA, 'age', 'sleep'))
      .then([attributeSet(idA, 'age', 'sleep')]);
  });

  it('has nothing to tell when it is so already', () => {
    given(held)
      .when(updateAttribute(idA, 'goal', 'sleep'))
      .thenNothing()
      .thenReply({ attribute: { id: idA, key: 'goal', value: 'sleep' } });
  });

  it('does not take the key of another attribute', () => {
    given(held)
      .when(updateAttribute(idA, 'age', 'sleep'))
      .thenRefused('ATTRIBUTE_KEY_TAKEN', 'custom.key is already the key of another attribute of this profile.');
  });

  it.each([idC, 'no id at all'])('does not know the attribute %s', (id) => {
    given(held)
      .when(updateAttribute(id, 'goal', 'focus'))
      .thenRefused('ATTRIBUTE_NOT_FOUND', 'attrId names no attribute of this profile.');
  });

  it('does not see a profile that is unknown or of another app', () => {
    given([])
      .when(updateAttribute(idA, 'goal', 'focus'))
      .thenRefused('PROFILE_NOT_FOUND', notFound);
    given(held)
      .when(updateAttribute(idA, 'goal', 'focus', 2))
      .thenRefused('PROFILE_NOT_FOUND', notFound);
  });
});

describe('EraseProfile', () => {
  const erasedAt = Date.UTC(2026, 0, 1);
  const erased = ProfileErased.of({ ...inApp, actor: 'ops', erasedAt });
  const erase = (issuedAt = erasedAt, appId = 1) =>
    commandFor(EraseProfile, { key: profileId, appId, issuedAt, body: { actor: 'ops' } });
  const saveAt = (issuedAt: number, body: Partial<SaveProfile['body']>, appId = 1) =>
    commandFor(SaveProfile, { key: profileId, appId, issuedAt, body: { fields: {}, personal: {}, ...body } });

  it('tells when and by whom, and erases all that is personal', () => {
    given([created, attributeSet(idA, 'goal', 'sleep')])
      .when(erase())
      .then([erased])
      .thenReply({ erasedAt })
      .thenPersonal('erased');
  });

  it('has nothing to tell of what is erased already, and answers as before', () => {
    given([created, erased])
      .when(erase(erasedAt + 5_000))
      .thenNothing()
      .thenReply({ erasedAt })
      .thenPersonal(undefined);
  });

  it('does not know a profile that never was, nor one of another app, erased or not', () => {
    given([]).when(erase()).thenRefused('PROFILE_NOT_FOUND', notFound);
    given([created]).when(erase(erasedAt, 2)).thenRefused('PROFILE_NOT_FOUND', notFound);
    given([created, erased]).when(erase(erasedAt, 2)).thenRefused('PROFILE_NOT_FOUND', notFound);
  });

  it('leaves nothing that attributes could be set on', () => {
    given([created, attributeSet(idA, 'goal', 'sleep'), erased])
      .when(setAttributes([[idB, 'goal', 'focus']]))
      .thenRefused('PROFILE_NOT_FOUND', notFound);
    given([created, attributeSet(idA, 'goal', 'sleep'), erased])
      .when(updateAttribute(idA, 'goal', 'focus'))
      .thenRefused('PROFILE_NOT_FOUND', notFound);
  });

  it('lets the customer come back with what is given then, and nothing of before', () => {
    const anew = ProfileCreated.of({ ...inApp, fields: { locale: 'de' }, personal: true });
    given([created, attributeSet(idA, 'goal', 'sleep'), erased])
      .when(saveAt(erasedAt + 1, { fields: { locale: 'de', device: null }, personal: { customerUserId: 'user-1' } }))
      .then([anew])
      .thenReply({ created: true, createdAt: erasedAt + 1 })
      .thenPersonal({ customerUserId: 'user-1' });
    given([created, attributeSet(idA, 'goal', 'sleep'), erased, anew])
      .when({ ...setAttributes([[idB, 'goal', 'focus']]), issuedAt: erasedAt + 2 })
      .then([attributeSet(idB, 'goal', 'focus')])
      .thenReply({ created: true, attributes: [{ id: idB, key: 'goal', value: 'focus' }] });
  });

  it('lets nothing come back that was sent before it and comes late', () => {
    given([created, erased])
      .when(saveAt(erasedAt, { personal: { email: 'late@example.org' } }))
      .thenRefused('PROFILE_NOT_FOUND', notFound);
  });

  it('lets nothing of before it come late to the profile that its customer has anew', () => {
    const anew = ProfileCreated.of({ ...inApp, fields: {}, personal: false });
    const back = given([created, erased, anew, attributeSet(idA, 'goal', 'sleep')]);
    const late = [
      saveAt(erasedAt, { personal: { email: 'late@example.org' } }),
      { ...setAttributes([[idB, 'diary', 'late']]), issuedAt: erasedAt },
      { ...updateAttribute(idA, 'goal', 'late'), issuedAt: erasedAt },
    ];
    for (const command of late) back.when(command).thenRefused('PROFILE_NOT_FOUND', notFound);
    back
      .when({ ...setAttributes([[idB, 'diary', 'new']]), issuedAt: erasedAt + 1 })
      .then([attributeSet(idB, 'diary', 'new')]);
  });

  it('does not let another app in', () => {
    given([created, erased])
      .when(saveAt(erasedAt + 1, {}, 2))
      .thenRefused('PROFILE_NOT_FOUND', notFound);
  });

  it('keeps out what was sent before it also where an older erasure comes late', () => {
    const anew = ProfileCreated.of({ ...inApp, fields: {}, personal: false });
    const late = ProfileErased.of({ ...inApp, actor: 'ops', erasedAt: erasedAt - 5 });
    given([created, erased, anew, late])
      .when(saveAt(erasedAt, { personal: { email: 'late@example.org' } }))
      .thenRefused('PROFILE_NOT_FOUND', notFound);
  });

  it('can be asked for again of who came back', () => {
    const anew = ProfileCreated.of({ ...inApp, fields: {}, personal: false });
    given([created, erased, anew])
      .when(erase(erasedAt + 9))
      .then([ProfileErased.of({ ...inApp, actor: 'ops', erasedAt: erasedAt + 9 })])
      .thenPersonal('erased');
  });
});

it('leaves a state that no profile has as it is', () => {
  const erased = { status: 'erased', appId: 1, erasedAt: 1 } as const;
  for (const state of [{ status: 'absent' }, erased] as const)
    expect(profileDecider.evolve(state, attributeSet(idA, 'goal', 'sleep'))).toEqual(state);
});
