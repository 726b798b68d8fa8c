import { CustomAttributeSet, refuse, type UpdateCustomAttribute } from '@paywright/contracts';
import type { Decision } from '@paywright/event-sourcing';
import { isOfBeforeErasure } from './is-of-before-erasure.ts';
import type { ProfileEvent, ProfileState } from './profile.ts';
import { profileNotFound } from './refusals.ts';

/**
 * Changes key and value of the attribute with this id.
 * @returns one event, none if it is so already, or PROFILE_NOT_FOUND (also: of another app),
 * ATTRIBUTE_NOT_FOUND, ATTRIBUTE_KEY_TAKEN (by another attribute)
 */
export function updateCustomAttribute(command: UpdateCustomAttribute, state: ProfileState): Decision<ProfileEvent> {
  const { appId, key: profileId, body } = command;
  if (state.status !== 'present' || state.appId !== appId || isOfBeforeErasure(command, state)) return profileNotFound;

  const { id: attributeId, key, value } = body;
  const held = state.attributes.get(attributeId);
  if (!held) return refuse('ATTRIBUTE_NOT_FOUND', 'attrId names no attribute of this profile.');
  const isTaken = [...state.attributes.values()].some((other) => other.key === key && other.id !== attributeId);
  if (isTaken) {
    return refuse('ATTRIBUTE_KEY_TAKEN', 'custom.key is already the key of another attribute of this profile.');
  }
  const unchanged = held.key === key && held.value === value;
  return {
    events: unchanged ? [] : [CustomAttributeSet.of({ appId, profileId, attributeId, key, value })],
    reply: { attribute: { id: attributeId, key, value } },
  };
}
