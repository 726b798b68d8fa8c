import type { ReceivedMessage } from '@paywright/messaging';
import { z } from 'zod';

/** In bytes: an index takes rows of up to 2,704, and no key or id of ours is longer than 100. */
const longestIndexed = 1_000;

/**
 * A text for a column that is indexed. Null where Postgres would refuse it, since it is too long or has a NUL; and what is empty
 * names nothing.
 */
export const indexedText = (text: string | null | undefined): string | null =>
  !text || text.includes('\0') || Buffer.byteLength(text) > longestIndexed ? null : text;

/** The id of the command or event that a message carries; null where it names none. */
export const messageIdOf = ({ headers }: Pick<ReceivedMessage, 'headers'>): string | null =>
  indexedText(headers['id'] ?? headers['ce_id']);

/** The version that a record claims to be of its stream; null if it is no event of it. */
export function versionOf({ key, headers }: Pick<ReceivedMessage, 'key' | 'headers'>): number | null {
  const version = headers['ce_streamversion'] ?? '';
  return headers['ce_subject'] === key && /^[1-9]\d{0,8}$/.test(version) ? Number(version) : null;
}

const AppId = z.coerce.number().int().min(1).max(2_147_483_647);
const WithApp = z.object({ appId: AppId });

/** The app that a message is of, as its header or its body says; null where neither does. Never throws. */
export function appOf({ headers, value }: Pick<ReceivedMessage, 'headers' | 'value'>): number | null {
  const header = AppId.safeParse(headers['app']);
  if (header.success) return header.data;
  try {
    return WithApp.safeParse(JSON.parse(String(value))).data?.appId ?? null;
  } catch {
    return null;
  }
}
