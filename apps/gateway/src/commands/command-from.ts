import type { AnyCommandDefinition } from '@paywright/contracts';
import type { CommandToSend } from '@paywright/messaging';
import type { Caller } from '../http/caller.ts';

/** The request that a command comes from, whoever sent it. */
export type Origin = Pick<Caller, 'commandId' | 'requestId' | 'traceparent'>;

/** What the request asks for. The `key` is the stream's, and so the partition's. */
export type Asked<D extends AnyCommandDefinition> = Pick<CommandToSend<D>, 'appId' | 'key' | 'body' | 'deadlineMs'>;

/** The command that a request becomes. */
export const commandFrom = <D extends AnyCommandDefinition>(
  { commandId, requestId, traceparent }: Origin,
  { appId, key, body, deadlineMs }: Asked<D>,
): CommandToSend<D> => ({ id: commandId, appId, key, body, deadlineMs, traceparent, requestId });
