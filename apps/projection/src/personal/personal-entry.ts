import { PersonalRecord } from '@paywright/contracts';
import { UndecodableMessage, type ReceivedMessage } from '@paywright/messaging';
import { z } from 'zod';

/** What a record says of a profile. `record` without fields: erased; null: erased by whoever does not tell since when. */
export interface PersonalEntry {
  readonly profileId: string;
  readonly record: PersonalRecord | null;
}

const Key = z.uuid();
const TombstoneHeaders = z.object({ app: z.coerce.number().int(), version: z.coerce.number().int().min(1) });

/**
 * Understands a record of `profile.personal`.
 * @throws UndecodableMessage that names the place of the fault, and no value: the values are personal
 */
export function decodePersonal({ key, headers, value }: ReceivedMessage): PersonalEntry {
  const profileId = Key.safeParse(key);
  if (!profileId.success) throw new UndecodableMessage('The key is no profile id.');
  if (value === null) return { profileId: profileId.data, record: erasedRecord(profileId.data, headers) };
  const record = PersonalRecord.safeParse(parseJson(value));
  if (!record.success) throw new UndecodableMessage(`Faulty: ${faultyPaths(record.error)}.`);
  if (record.data.profileId !== profileId.data) throw new UndecodableMessage('profileId is not the key of the record.');
  return { profileId: profileId.data, record: record.data };
}

function erasedRecord(profileId: string, headers: ReceivedMessage['headers']): PersonalRecord | null {
  const told = TombstoneHeaders.safeParse(headers);
  return told.success ? { appId: told.data.app, profileId, version: told.data.version, fields: {} } : null;
}

function parseJson(value: Buffer): unknown {
  try {
    return JSON.parse(value.toString());
  } catch {
    throw new UndecodableMessage('The record is not JSON.');
  }
}

/** Where, never what. */
const faultyPaths = ({ issues }: z.ZodError) => issues.map(({ path }) => path.join('.') || '(all)').join(', ');
