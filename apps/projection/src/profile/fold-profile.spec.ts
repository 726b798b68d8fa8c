import { describe, expect, it } from '@jest/globals';
import { decodeEvent } from '@paywright/messaging';
import { ProfileErased, type DomainEvent } from '@paywright/contracts';
import { derivedId } from '@paywright/platform';
import { appId, attributeSet, created, eventRecord, profileA, received, updated } from '../testing/event-log.ts';
import { foldProfile, type Profile, type ProfileEvent } from './fold-profile.ts';

function isProfileEvent(event: { service: string }): event is ProfileEvent {
  return event.service === 'profile';
}

/** The events, one after the other, as they come from the topic. */
function fold(...events: readonly DomainEvent[]): Profile | undefined {
  const records = received(events.map((event, index) => eventRecord('profile', profileA, index + 1, event)));
  return records
    .map((message) => decodeEvent(message))
    .filter(isProfileEvent)
    .reduce<Profile | undefined>(foldProfile, undefined);
}

describe('foldProfile', () => {
  it('is what the profile was created with', () =>
    expect(fold(created(profileA, { country: 'DE' }))).toEqual({
      appId,
      version: 1,
      fields: { country: 'DE' },
      custom: [],
      createdAt: Date.UTC(2026, 0, 1, 0, 0, 1),
      updatedAt: Date.UTC(2026, 0, 1, 0, 0, 1),
      erasure: null,
    }));

  it('is nothing once it is erased, and begins anew with what it is created with then', () => {
    const erased = ProfileErased.of({ appId, profileId: profileA, actor: 'ops', erasedAt: 7 });
    const before = [created(profileA, { country: 'DE' }), attributeSet(profileA, 'goal', 'sleep'), erased];
    const erasure = { version: 3, at: 7 };
    expect(fold(...before)).toMatchObject({ version: 3, fields: {}, custom: [], erasure });
    expect(fold(...before, created(profileA, { locale: 'fr' }))).toMatchObject({
      ...{ version: 4, fields: { locale: 'fr' }, custom: [], erasure },
      createdAt: Date.UTC(2026, 0, 1, 0, 0, 4),
    });
  });

  it('replaces the fields that changed, and forgets those that were cleared', () =>
    expect(
      fold(created(profileA, { country: 'DE', locale: 'de' }), updated(profileA, { country: 'FR', locale: null })),
    ).toMatchObject({ version: 2, fields: { country: 'FR' }, updatedAt: Date.UTC(2026, 0, 1, 0, 0, 2) }));

  it('keeps custom attributes in order of creation, whatever is set later', () => {
    const profile = fold(
      created(profileA),
      attributeSet(profileA, 'goal', 'sleep'),
      attributeSet(profileA, 'age', '30'),
      attributeSet(profileA, 'goal', 'focus'),
    );
    expect(profile?.custom).toEqual([
      { id: derivedId('goal'), key: 'goal', value: 'focus' },
      { id: derivedId('age'), key: 'age', value: '30' },
    ]);
  });

  it('keeps the place of an attribute whose key changes', () => {
    const renamed = attributeSet(profileA, 'goal', 'sleep');
    const profile = fold(created(profileA), renamed, attributeSet(profileA, 'age', '30'), {
      ...renamed,
      body: { ...renamed.body, key: 'aim' },
    });
    expect(profile?.custom.map(({ key }) => key)).toEqual(['aim', 'age']);
  });
});
