import { CustomAttribute, ProfileFields } from '@paywright/contracts';
import type { Snapshot } from '@paywright/event-sourcing';
import { z } from 'zod';
import type { ProfileState } from './profile.ts';

const Encoded = z.strictObject({
  appId: z.int(),
  fields: ProfileFields.partial(),
  attributes: z.array(CustomAttribute),
});

/** An app may save its users' profiles at each start: such a stream grows for years. */
export const profileSnapshot: Snapshot<ProfileState> = {
  code: 'profile-1',
  every: 100,
  encode: (state) =>
    state.status === 'absent'
      ? null
      : { appId: state.appId, fields: state.fields, attributes: [...state.attributes.values()] },
  decode: (json) => {
    if (json === null) return { status: 'absent' };
    const { appId, fields, attributes } = Encoded.parse(json);
    return { status: 'present', appId, fields, attributes: new Map(attributes.map((each) => [each.id, each])) };
  },
};
