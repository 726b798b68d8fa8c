import { CustomAttribute, ProfileFields } from '@paywright/contracts';
import type { Snapshot } from '@paywright/event-sourcing';
import { z } from 'zod';
import type { ProfileState } from './profile.ts';

const Encoded = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('absent') }),
  z.strictObject({
    status: z.literal('present'),
    appId: z.int(),
    fields: ProfileFields.partial(),
    attributes: z.array(CustomAttribute),
    erasedAt: z.int().nullable(),
  }),
  z.strictObject({ status: z.literal('erased'), appId: z.int(), erasedAt: z.int() }),
]);

/** An app may save its users' profiles at each start: such a stream grows for years. */
export const profileSnapshot: Snapshot<ProfileState> = {
  code: 'profile-3',
  every: 100,
  encode: (state) => (state.status === 'present' ? { ...state, attributes: [...state.attributes.values()] } : state),
  decode: (json) => {
    const state = Encoded.parse(json);
    if (state.status !== 'present') return state;
    return { ...state, attributes: new Map(state.attributes.map((each) => [each.id, each])) };
  },
};
