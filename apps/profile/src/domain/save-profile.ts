import { presentFields, ProfileCreated, ProfileUpdated, type SaveProfile } from '@paywright/contracts';
import type { Accepted, Decision } from '@paywright/event-sourcing';
import { isOfBeforeErasure } from './is-of-before-erasure.ts';
import type { PresentProfile, ProfileEvent, ProfileState } from './profile.ts';
import { profileNotFound } from './refusals.ts';

/**
 * Creates the profile, or changes the given fields of the one that exists; null clears a field. An erased one begins anew when
 * its customer comes back; what was sent before the erasure, and comes late, brings nothing back.
 * @returns one event, none if nothing changed, or PROFILE_NOT_FOUND (of another app, or late)
 */
export function saveProfile(command: SaveProfile, state: ProfileState): Decision<ProfileEvent> {
  if (state.status === 'absent') return createProfile(command);
  if (state.appId !== command.appId || isOfBeforeErasure(command, state)) return profileNotFound;
  return state.status === 'present' ? updateProfile(command, state) : createProfile(command);
}

function createProfile({ appId, key: profileId, issuedAt, body }: SaveProfile): Accepted<ProfileEvent> {
  const fields = presentFields(body.fields);
  const personal = presentFields(body.personal);
  const isPersonal = Object.keys(personal).length > 0;
  return {
    events: [ProfileCreated.of({ appId, profileId, fields, personal: isPersonal })],
    reply: { created: true, createdAt: issuedAt },
    ...(isPersonal && { personal }),
  };
}

/** Personal fields are stored where no rule can see them: each that is given counts as a change. */
function updateProfile({ appId, key: profileId, body }: SaveProfile, state: PresentProfile): Accepted<ProfileEvent> {
  const changes = changed(body.fields, state.fields);
  const isPersonal = Object.values(body.personal).some((value) => value !== undefined);
  const nothing = Object.keys(changes).length === 0 && !isPersonal;
  return {
    events: nothing ? [] : [ProfileUpdated.of({ appId, profileId, changes, personal: isPersonal })],
    reply: { created: false },
    ...(isPersonal && { personal: body.personal }),
  };
}

/** The fields that are given and differ from the stored ones, where absent is null. */
const changed = <Fields extends object>(given: Fields, stored: Partial<Record<keyof Fields, unknown>>): Fields =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => value !== undefined && value !== (stored[name as keyof Fields] ?? null),
    ),
  ) as Fields;
