import type { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';
import type { PersonalRecord } from './profile/profile-fields.ts';

/** What a command asks of one service. The name and version are literals on the wire and never change. */
export interface CommandDefinition<Type extends string, Body extends z.ZodType, Reply extends z.ZodType> {
  readonly kind: 'command';
  readonly type: Type;
  readonly version: number;
  readonly body: Body;
  readonly reply: Reply;
}

/**
 * Another version of an event, and how it is read: an older one that was published, or a newer one that the next release
 * is to write and this one must understand.
 */
export interface OtherVersion<Body extends z.ZodType = z.ZodType> {
  readonly version: number;
  readonly body: z.ZodType;
  /** The body as the definition's own version has it. */
  readonly read: (body: unknown) => z.output<Body>;
}

/** What happened. Published for ever, so a definition may only change compatibly. */
export interface EventDefinition<Type extends string, Body extends z.ZodType> {
  readonly kind: 'event';
  readonly type: Type;
  readonly version: number;
  /** What happened, in a sentence or a few, for whoever reads the topic. */
  readonly description: string;
  readonly body: Body;
  readonly others: readonly OtherVersion<Body>[];
  readonly of: (body: z.output<Body>) => { type: Type; version: number; body: z.output<Body> };
}

export const defineCommand = <Type extends string, Body extends z.ZodType, Reply extends z.ZodType>(
  type: Type,
  version: number,
  body: Body,
  reply: Reply,
): CommandDefinition<Type, Body, Reply> => ({ kind: 'command', type, version, body, reply });

/**
 * @param description what happened, for whoever reads the topic: its schema has it
 * @param others the versions that are read besides, and never written
 */
export const defineEvent = <Type extends string, Body extends z.ZodType>(
  type: Type,
  version: number,
  description: string,
  body: Body,
  others: readonly OtherVersion<Body>[] = [],
): EventDefinition<Type, Body> => ({
  kind: 'event',
  type,
  version,
  description,
  body,
  others,
  of: (value) => ({ type, version, body: value }),
});

/**
 * A command as its service decides it.
 * `key` is the Kafka key and the stream; `issuedAt` is the business time of all that follows from it;
 * after `deadline` nobody waits for the answer (both in milliseconds since the epoch).
 */
export interface Command<Type extends string = string, Body = unknown> {
  readonly id: string;
  readonly type: Type;
  readonly version: number;
  readonly appId: number;
  readonly key: string;
  readonly issuedAt: number;
  readonly deadline: number;
  readonly traceparent?: string | undefined;
  /** The request that it came from, where that has another id: what log lines name. */
  readonly requestId?: string | undefined;
  readonly body: Body;
}

/** An event before it has a place in a stream. */
export interface DomainEvent<Type extends string = string, Body = unknown> {
  readonly type: Type;
  readonly version: number;
  readonly body: Body;
}

/** An event in its stream. `time` is in milliseconds since the epoch; versions are 1, 2, 3 … without a gap. */
export interface RecordedEvent<E extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly stream: string;
  readonly streamVersion: number;
  readonly time: number;
  readonly correlationId: string;
  readonly causationId: string;
  readonly type: E['type'];
  readonly version: E['version'];
  readonly body: E['body'];
}

/** A rule's no. The message is an English sentence that says what to mend and names the field. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

export const refuse = (code: ErrorCode, message: string): Refusal => ({ code, message });

/**
 * What a command's service answers. `streamVersion` is the stream's version that the client's next request
 * must see; `personalVersion` the version of the personal record, when the command changed it or gave what
 * it has.
 */
export type Reply<Body = unknown> =
  | {
      readonly status: 'accepted';
      readonly streamVersion: number;
      readonly personalVersion?: number;
      readonly body: Body;
    }
  | { readonly status: 'refused'; readonly refusal: Refusal }
  | { readonly status: 'failed'; readonly reason: string };

export type CommandOf<D> =
  D extends CommandDefinition<infer Type, infer Body, z.ZodType> ? Command<Type, z.output<Body>> : never;
export type EventOf<D> = D extends EventDefinition<infer Type, infer Body> ? DomainEvent<Type, z.output<Body>> : never;
export type ReplyOf<D> =
  D extends CommandDefinition<string, z.ZodType, infer ReplySchema> ? z.output<ReplySchema> : never;

export type AnyCommandDefinition = CommandDefinition<string, z.ZodType, z.ZodType>;
/** Without `of`, which takes the body of one event alone. */
export type AnyEventDefinition = Omit<EventDefinition<string, z.ZodType>, 'of'>;

/**
 * What became of a command, for the transport to tell. `reply` is the JSON text of a Reply: stored, and
 * repeated byte for byte. `personal` is the personal record to publish, when the command changed it;
 * `state` the stream's state after it. A command that expired unseen gets no reply; a failed one goes to the
 * dead letters.
 */
export type Outcome<C extends Command = Command, S = unknown, E extends DomainEvent = DomainEvent> =
  | {
      readonly kind: 'accepted';
      readonly command: C;
      readonly events: readonly RecordedEvent<E>[];
      readonly reply: string;
      readonly state: S;
      readonly personal: PersonalRecord | null;
    }
  | { readonly kind: 'refused'; readonly command: C; readonly reply: string }
  | { readonly kind: 'failed'; readonly command: C; readonly reason: string }
  | { readonly kind: 'expired'; readonly command: C };
