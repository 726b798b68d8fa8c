import { presentFields, ProfileCreated, ProfileUpdated, type SaveProfile } from '@paywright/contracts';
import type { Accepted, Decision, HeldPersonal } from '@paywright/event-sourcing';
import { isOfBeforeErasure } from './is-of-before-erasure.ts';
import type { PresentProfile, ProfileEvent, ProfileState } from './profile.ts';
import { profileNotFound } from './refusals.ts';

/**
 * Creates the profile, or changes the given fields of the one that exists; null clears a field. An erased one begins anew when
 * its customer comes back; what was sent before the erasure, and comes late, brings nothing back.
 * @returns one event, none if nothing changed, or PROFILE_NOT_FOUND (of another app, or late)
 */
export function saveProfile(command: SaveProfile, state: ProfileState, held: HeldPersonal): Decision<ProfileEvent> {
  if (state.status === 'absent') return createProfile(command);
  if (state.appId !== command.appId || isOfBeforeErasure(command, state)) return profileNotFound;
  return state.status === 'present' ? updateProfile(command, state, held) : createProfile(command);
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

/** An app may save a profile at each start as it is: that is no change, and must not make the stream longer. */
function updateProfile(
  { appId, key: profileId, body: { fields, personal } }: SaveProfile,
  state: PresentProfile,
  held: HeldPersonal,
): Accepted<ProfileEvent> {
  const changes = changed(fields, state.fields);
  const isPersonal = Object.values(personal).some((value) => value !== undefined);
  const isPersonalChanged = isPersonal && !held.isAs(personal);
  const told = isPersonal && { personal: isPersonalChanged ? personal : ('unchanged' as const) };
  if (Object.keys(changes).length === 0 && !isPersonalChanged)
    return { events: [], reply: { created: false, allPersonalGiven: held.isWithin(personal) }, ...told };
  return {
    events: [ProfileUpdated.of({ appId, profileId, changes, personal: isPersonalChanged })],
    reply: { created: false },
    ...told,
  };
}

/** The fields that are given and differ from the stored ones, where absent is null. */
const changed = <Fields extends object>(given: Fields, stored: Partial<Record<keyof Fields, unknown>>): Fields =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => value !== undefined && value !== (stored[name as keyof Fields] ?? null),
    ),
  ) as Fields;
