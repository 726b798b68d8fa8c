import type { AnyCommandDefinition } from '@paywright/contracts';
import type { CommandToSend } from '@paywright/messaging';
import type { Caller } from '../http/caller.ts';

/**
 * The command that a caller's request becomes.
 * @param key the profile, or the chain of purchases: one stream, one partition
 */
export const commandFrom = <D extends AnyCommandDefinition>(
  { app, commandId, requestId, traceparent }: Caller,
  key: string,
  body: CommandToSend<D>['body'],
  deadlineMs: number,
): CommandToSend<D> => ({ id: commandId, appId: app.id, key, body, deadlineMs, traceparent, requestId });
