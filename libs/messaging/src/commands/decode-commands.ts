import { commandsOf, type AnyCommandDefinition, type CommandOf, type CommandTopic } from '@paywright/contracts';
import { decodeBody, faultsOf } from '../decode-body.ts';
import { UndecodableMessage, describeError } from '../errors.ts';
import type { DeadLetter, ReceivedMessage } from '../message.ts';
import { CommandHeaders } from './command-headers.ts';

/** Any command of a topic. */
export type CommandOn<T extends CommandTopic> = CommandOf<(typeof commandsOf)[T][number]>;

export interface DecodedCommands<T extends CommandTopic> {
  readonly commands: readonly CommandOn<T>[];
  /** Those of the commands, in their order. */
  readonly messages: readonly ReceivedMessage[];
  readonly deadLetters: readonly DeadLetter[];
}

/**
 * A batch's commands in offset order, and what is none: unknown types and versions, faulty headers or bodies. Never
 * throws.
 */
export function decodeCommands<T extends CommandTopic>(
  topic: T,
  messages: readonly ReceivedMessage[],
): DecodedCommands<T> {
  const commands: CommandOn<T>[] = [];
  const decoded: ReceivedMessage[] = [];
  const deadLetters: DeadLetter[] = [];
  const definitions: readonly AnyCommandDefinition[] = commandsOf[topic];
  for (const message of messages) {
    try {
      commands.push(decodeCommand(definitions, message) as CommandOn<T>);
      decoded.push(message);
    } catch (error) {
      const reason = error instanceof UndecodableMessage ? error.message : describeError(error);
      deadLetters.push({ message, reason });
    }
  }
  return { commands, messages: decoded, deadLetters };
}

function decodeCommand(definitions: readonly AnyCommandDefinition[], message: ReceivedMessage) {
  const { key, value } = message;
  if (!key) throw new UndecodableMessage('The message has no key.');
  const headers = decodeHeaders(message);
  const { id, type, version, app: appId, 'issued-at': issuedAt, deadline, traceparent } = headers;
  const definition = definitions.find((known) => known.type === type && known.version === version);
  if (!definition) throw new UndecodableMessage(`No command of this topic has this type and version ${version}.`);
  return {
    id,
    type,
    version,
    appId,
    key,
    issuedAt,
    deadline,
    traceparent,
    requestId: headers['request-id'],
    body: decodeBody(definition.body, value),
  };
}

function decodeHeaders({ headers }: ReceivedMessage): CommandHeaders {
  const { success, data, error } = CommandHeaders.safeParse(headers);
  if (!success) throw new UndecodableMessage(`The headers are not those of a command: ${faultsOf(error)}.`);
  return data;
}
