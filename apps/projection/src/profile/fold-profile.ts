import type {
  CustomAttribute,
  CustomAttributeSet,
  ProfileCreated,
  ProfileFieldChanges,
  topics,
} from '@paywright/contracts';
import type { EventOn } from '../following/event-projection.ts';

export type ProfileEvent = EventOn<typeof topics.profileEvents>;
type Fields = ProfileCreated['body']['fields'];

/** A row of `profile`. Times are milliseconds since the epoch. */
export interface Profile {
  readonly appId: number;
  readonly version: number;
  readonly fields: Fields;
  /** In order of creation. */
  readonly custom: readonly CustomAttribute[];
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The last erasure, if there was one: where it is the newest event, there is no profile. */
  readonly erasure: { readonly version: number; readonly at: number } | null;
}

/** The profile after an event. Never throws; without a profile the event is its first. */
export function foldProfile(profile: Profile | undefined, event: ProfileEvent): Profile {
  const { streamVersion: version, time: updatedAt, body } = event;
  const before = profile ?? { appId: body.appId, fields: {}, custom: [], createdAt: updatedAt, erasure: null };
  const after = { ...before, version, updatedAt };
  switch (event.type) {
    case 'ProfileCreated':
      return { ...after, fields: event.body.fields, createdAt: updatedAt };
    case 'ProfileUpdated':
      return { ...after, fields: changeFields(after.fields, event.body.changes) };
    case 'CustomAttributeSet':
      return { ...after, custom: setAttribute(after.custom, event.body) };
    case 'ProfileErased':
      return { ...after, fields: {}, custom: [], erasure: { version, at: event.body.erasedAt } };
    default:
      event satisfies never;
      return after;
  }
}

/** Null clears a field: then it is absent. */
function changeFields(fields: Fields, changes: ProfileFieldChanges): Fields {
  const changed: Record<string, unknown> = { ...fields, ...changes };
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null && value !== undefined));
}

/** An attribute keeps its place and its id, when its value or its key changes. */
function setAttribute(
  custom: readonly CustomAttribute[],
  { attributeId: id, key, value }: CustomAttributeSet['body'],
): readonly CustomAttribute[] {
  const known = custom.some((attribute) => attribute.id === id);
  if (!known) return [...custom, { id, key, value }];
  return custom.map((attribute) => (attribute.id === id ? { id, key, value } : attribute));
}
