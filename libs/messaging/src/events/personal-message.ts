import { topics, type PersonalRecord } from '@paywright/contracts';
import type { OutgoingMessage } from '../message.ts';

/**
 * A record of `profile.personal`. Nothing is kept where nothing is left: a tombstone, which still tells in its headers the app
 * and the version of the stream.
 */
export function personalMessage(personal: PersonalRecord): OutgoingMessage {
  const { appId, profileId, version, fields } = personal;
  const record = { topic: topics.profilePersonal, key: profileId };
  if (Object.keys(fields).length > 0) return { ...record, headers: {}, value: JSON.stringify(personal) };
  return { ...record, headers: { app: String(appId), version: String(version) }, value: null };
}
