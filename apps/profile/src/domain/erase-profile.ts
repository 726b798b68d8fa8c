import { ProfileErased, type EraseProfile } from '@paywright/contracts';
import type { Decision } from '@paywright/event-sourcing';
import type { ProfileEvent, ProfileState } from './profile.ts';
import { profileNotFound } from './refusals.ts';

/**
 * Forgets the person: all personal fields, and the profile with them. Of one that is erased already nothing is left to forget.
 * @returns one event, none if it is erased already, or PROFILE_NOT_FOUND (also: of another app)
 */
export function eraseProfile(command: EraseProfile, state: ProfileState): Decision<ProfileEvent> {
  const { appId, key: profileId, issuedAt: erasedAt, body } = command;
  if (state.status === 'absent' || state.appId !== appId) return profileNotFound;
  if (state.status === 'erased') return { events: [], reply: { erasedAt: state.erasedAt } };
  return {
    events: [ProfileErased.of({ appId, profileId, actor: body.actor, erasedAt })],
    reply: { erasedAt },
    personal: 'erased',
  };
}
