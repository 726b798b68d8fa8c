import type { PersonalFieldChanges } from '@paywright/contracts';
import type { PersonalChange, PersonalFieldsKept } from './event-store.ts';

/** What a rule may know of its stream's personal fields: no value of any. Of those that were not read it is told no. */
export interface HeldPersonal {
  /** Whether all that is given is so already: null says that there is no such field, absent says nothing. */
  readonly isAs: (given: PersonalFieldChanges) => boolean;
  /** Whether there is no other field than those that are given. */
  readonly isWithin: (given: PersonalFieldChanges) => boolean;
}

export const notRead: HeldPersonal = { isAs: () => false, isWithin: () => false };

/** Of a stream without any. */
export const nothingHeld: PersonalFieldsKept = { version: 0, fields: {} };

export function heldPersonal({ fields }: PersonalFieldsKept): HeldPersonal {
  const held: PersonalFieldChanges = fields;
  const names = Object.keys(fields) as (keyof PersonalFieldChanges)[];
  return {
    isAs: (given) =>
      (Object.keys(given) as typeof names).every(
        (name) => given[name] === undefined || given[name] === (held[name] ?? null),
      ),
    isWithin: (given) => names.every((name) => given[name] != null),
  };
}

/** What is personal after a change, as the store will have it. */
export function afterChange(
  before: PersonalFieldsKept,
  { version, erased, changes }: PersonalChange,
): PersonalFieldsKept {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const merged = { ...(erased ? {} : before.fields), ...Object.fromEntries(given) };
  return { version, fields: Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) };
}
