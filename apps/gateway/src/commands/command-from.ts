import type { AnyCommandDefinition } from '@paywright/contracts';
import type { CommandToSend } from '@paywright/messaging';
import type { Caller } from '../http/caller.ts';

/** The command that a caller's request becomes. Its key is the profile: one stream, one partition. */
export const commandFrom = <D extends AnyCommandDefinition>(
  { app, commandId, traceparent }: Caller,
  profileId: string,
  body: CommandToSend<D>['body'],
  deadlineMs: number,
): CommandToSend<D> => ({ id: commandId, appId: app.id, key: profileId, body, deadlineMs, traceparent });
