import { type CustomAttribute, CustomAttributeSet, refuse, type SetCustomAttributes } from '@paywright/contracts';
import type { Decision } from '@paywright/event-sourcing';
import { isOfBeforeErasure } from './is-of-before-erasure.ts';
import type { ProfileEvent, ProfileState } from './profile.ts';
import { profileNotFound } from './refusals.ts';

const maxAttributes = 100;

/**
 * Sets attributes by key, all or none; of a key given twice the last counts, at the place of the first.
 * @returns one event a changed attribute, or PROFILE_NOT_FOUND (also: of another app), TOO_MANY_ATTRIBUTES
 */
export function setCustomAttributes(command: SetCustomAttributes, state: ProfileState): Decision<ProfileEvent> {
  const { appId, key: profileId, body } = command;
  if (state.status !== 'present' || state.appId !== appId || isOfBeforeErasure(command, state)) return profileNotFound;

  const held = new Map([...state.attributes.values()].map((attribute) => [attribute.key, attribute]));
  const wanted = [...new Map(body.attributes.map((attribute) => [attribute.key, attribute])).values()];
  const added = wanted.filter(({ key }) => !held.has(key));
  if (held.size + added.length > maxAttributes) {
    return refuse('TOO_MANY_ATTRIBUTES', `custom: a profile holds at most ${maxAttributes} attributes.`);
  }
  const attributes = wanted.map(({ id, key, value }): CustomAttribute => ({ id: held.get(key)?.id ?? id, key, value }));
  return {
    events: attributes
      .filter(({ key, value }) => held.get(key)?.value !== value)
      .map(({ id: attributeId, key, value }) => CustomAttributeSet.of({ appId, profileId, attributeId, key, value })),
    reply: { created: added.length > 0, attributes },
  };
}
