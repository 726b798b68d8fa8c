import type { ReceivedMessage } from '@paywright/messaging';
import { z } from 'zod';

/** Postgres' text holds no NUL; and what is empty names nothing. */
const inDatabase = (text: string | undefined): string | null =>
  text === undefined || text === '' || text.includes('\0') ? null : text;

/** The id of the command or event that a message carries; null where it names none. */
export const messageIdOf = ({ headers }: Pick<ReceivedMessage, 'headers'>): string | null =>
  inDatabase(headers['id'] ?? headers['ce_id']);

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
