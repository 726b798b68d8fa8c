import type {
  CustomAttribute,
  CustomAttributeSet,
  EraseProfile,
  ProfileCreated,
  ProfileErased,
  ProfileUpdated,
  SaveProfile,
  SetCustomAttributes,
  UpdateCustomAttribute,
} from '@paywright/contracts';
import type { Decider } from '@paywright/event-sourcing';
import { eraseProfile } from './erase-profile.ts';
import { profileSnapshot } from './profile-snapshot.ts';
import { saveProfile } from './save-profile.ts';
import { setCustomAttributes } from './set-custom-attributes.ts';
import { updateCustomAttribute } from './update-custom-attribute.ts';

export type ProfileCommand = SaveProfile | SetCustomAttributes | UpdateCustomAttribute | EraseProfile;
export type ProfileEvent = ProfileCreated | ProfileUpdated | CustomAttributeSet | ProfileErased;

export interface PresentProfile {
  readonly status: 'present';
  readonly appId: number;
  readonly fields: ProfileCreated['body']['fields'];
  /** By id, which an attribute keeps when its key changes. */
  readonly attributes: ReadonlyMap<string, CustomAttribute>;
  /** When the customer's former profile was erased; null if there was none. */
  readonly erasedAt: number | null;
}
/** There was a profile until `erasedAt`, in milliseconds since the epoch: the stream goes on if its customer comes back. */
export interface ErasedProfile {
  readonly status: 'erased';
  readonly appId: number;
  readonly erasedAt: number;
}
/** What rules need to know of a profile; its personal fields are not known here. */
export type ProfileState = { readonly status: 'absent' } | PresentProfile | ErasedProfile;

function evolve(state: ProfileState, event: ProfileEvent): ProfileState {
  if (event.type === 'ProfileCreated') {
    const { appId, fields } = event.body;
    const erasedAt = state.status === 'absent' ? null : state.erasedAt;
    return { status: 'present', appId, fields, attributes: new Map(), erasedAt };
  }
  if (state.status !== 'present') return state;
  switch (event.type) {
    case 'ProfileUpdated':
      return { ...state, fields: applied(state.fields, event.body.changes) };
    case 'CustomAttributeSet': {
      const { attributeId: id, key, value } = event.body;
      return { ...state, attributes: new Map(state.attributes).set(id, { id, key, value }) };
    }
    case 'ProfileErased':
      // One that comes late brings back nothing that a newer one keeps out.
      return { status: 'erased', appId: state.appId, erasedAt: Math.max(event.body.erasedAt, state.erasedAt ?? 0) };
    default:
      event satisfies never;
      return state;
  }
}

/** The fields with these values; null clears one. */
function applied(
  fields: PresentProfile['fields'],
  changes: ProfileUpdated['body']['changes'],
): PresentProfile['fields'] {
  const after: Record<string, string | null | undefined> = { ...fields, ...changes };
  for (const [name, value] of Object.entries(after)) if (value === null) delete after[name];
  return after; // nothing but fields and changes, without null
}

export const profileDecider: Decider<ProfileCommand, ProfileState, ProfileEvent> = {
  initialState: { status: 'absent' },
  evolve,
  decide: {
    SaveProfile: saveProfile,
    SetCustomAttributes: setCustomAttributes,
    UpdateCustomAttribute: updateCustomAttribute,
    EraseProfile: eraseProfile,
  },
  asksPersonal: ['SaveProfile'],
  snapshot: profileSnapshot,
};
