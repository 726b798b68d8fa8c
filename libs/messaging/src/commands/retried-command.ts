import type { OutgoingMessage, ReceivedMessage } from '../message.ts';
import { never } from './follow-up.ts';

/**
 * A command as it is sent once more, behind what its topic holds by now: of the same id, so that the inbox knows it if
 * it was carried out after all, for nobody who waits, and worth doing however late.
 * @param message with a key, which decides its partition as it did before
 */
export function retriedCommand({ topic, key, headers, value }: ReceivedMessage & { key: string }): OutgoingMessage {
  const kept = Object.entries(headers).filter(([name]) => name !== 'reply-partition');
  return { topic, key, headers: { ...Object.fromEntries(kept), deadline: String(never) }, value };
}
