import {
  refuse,
  type Command,
  type DomainEvent,
  type Outcome,
  type PersonalFieldChanges,
  type PersonalRecord,
  type RecordedEvent,
  type Refusal,
  type Reply,
} from '@paywright/contracts';
import { type Accepted, type Decider, decide, isRefusal } from './decider.ts';
import { describeDefect } from './defect-description.ts';
import { eventId } from './event-id.ts';
import type {
  Append,
  InboxEntry,
  PersonalChange,
  PersonalFieldsKept,
  StoredOutcome,
  StreamSnapshot,
} from './event-store.ts';
import { afterChange, heldPersonal, notRead, nothingHeld } from './held-personal.ts';
import type { StreamState } from './stream-states.ts';

export interface Batch<C extends Command, S> {
  /** In log order, an id once only. */
  readonly commands: readonly C[];
  /** Those that were met before. */
  readonly met: ReadonlyMap<string, StoredOutcome>;
  /** Those that nobody waits for any more. */
  readonly expired: ReadonlySet<string>;
  /** The states of all their streams. */
  readonly streams: ReadonlyMap<string, StreamState<S>>;
  /** What is personal of those streams of which it was read. */
  readonly personal: ReadonlyMap<string, PersonalFieldsKept>;
  /** In a body, as JSON: a longer event is refused. Stored, it could never be published. */
  readonly mostEventBytes: number;
  /** The store's before the states were read. */
  readonly epoch: number;
}

export interface BatchDecision<C extends Command, S, E extends DomainEvent> {
  /** By command id. */
  readonly outcomes: ReadonlyMap<string, Outcome<C, S, E>>;
  /** Commands whose outcome lacks the personal record that they changed, until it is stored. */
  readonly personalChanged: ReadonlySet<string>;
  readonly append: Append & { readonly epoch: number };
  readonly streams: ReadonlyMap<string, StreamState<S>>;
}

/** Decides commands one after the other; those of one stream see each other's events. */
export function decideBatch<C extends Command, S, E extends DomainEvent>(
  decider: Decider<C, S, E>,
  { commands, met, expired, streams: before, personal: kept, mostEventBytes, epoch }: Batch<C, S>,
): BatchDecision<C, S, E> {
  const streams = new Map(before);
  const outcomes = new Map<string, Outcome<C, S, E>>();
  const inbox: InboxEntry[] = [];
  const events: RecordedEvent<E>[] = [];
  const held = new Map(kept);
  const personal = new Map<string, PersonalChange>();
  const personalChanged = new Set<string>();

  for (const command of commands) {
    const { id: commandId, key: stream } = command;
    const stored = met.get(commandId);
    if (!stored && expired.has(commandId)) {
      outcomes.set(commandId, { kind: 'expired', command });
      continue;
    }
    const current = streams.get(stream)!;
    const heldNow = held.get(stream) ?? (current.version === 0 ? nothingHeld : null);
    const { outcome, after, changes } = stored
      ? { outcome: repeatedOutcome<C, S, E>(command, stored, current), after: current }
      : decideOne(decider, command, { current, held: heldNow, mostEventBytes });
    outcomes.set(commandId, outcome);
    if (stored || outcome.kind === 'failed' || outcome.kind === 'expired') continue;

    streams.set(stream, after);
    inbox.push({
      commandId,
      stream,
      firstVersion: current.version + 1,
      lastVersion: after.version,
      reply: outcome.reply,
    });
    if (outcome.kind === 'accepted') events.push(...outcome.events);
    if (!changes) continue;
    personalChanged.add(commandId);
    const change = personalChange(stream, after.version, changes, personal.get(stream));
    personal.set(stream, change);
    if (heldNow || change.erased) held.set(stream, afterChange(heldNow ?? nothingHeld, change));
  }

  const snapshots = inbox.length > 0 ? dueSnapshots(decider, streams) : [];
  for (const { stream, version } of snapshots) {
    streams.set(stream, { ...streams.get(stream)!, snapshotVersion: version });
  }
  const append = { inbox, events, personal: [...personal.values()], snapshots, epoch };
  return { outcomes, personalChanged, append, streams };
}

interface Decided<C extends Command, S, E extends DomainEvent> {
  readonly outcome: Outcome<C, S, E>;
  readonly after: StreamState<S>;
  readonly changes?: PersonalFieldChanges | 'erased' | undefined;
}

/** What a command is decided on; `held` is null where it was not read. */
interface Standing<S> {
  readonly current: StreamState<S>;
  readonly held: PersonalFieldsKept | null;
  readonly mostEventBytes: number;
}

function decideOne<C extends Command, S, E extends DomainEvent>(
  decider: Decider<C, S, E>,
  command: C,
  { current, held, mostEventBytes }: Standing<S>,
): Decided<C, S, E> {
  if (current.defect) return { outcome: { kind: 'failed', command, reason: current.defect }, after: current };
  try {
    const decision = decide(decider, command, current.state, held === null ? notRead : heldPersonal(held));
    if (isRefusal(decision)) return refused(command, decision, current);
    const tooLong = tooLongEvent(decision.events, mostEventBytes);
    if (tooLong) return refused(command, tooLong, current);
    return accept(decider, command, decision, { current, held });
  } catch (error) {
    return { outcome: { kind: 'failed', command, reason: describeDefect(error) }, after: current };
  }
}

const refused = <C extends Command, S, E extends DomainEvent>(
  command: C,
  { code, message }: Refusal,
  current: StreamState<S>,
): Decided<C, S, E> => ({
  outcome: { kind: 'refused', command, reply: replyText({ status: 'refused', refusal: { code, message } }) },
  after: current,
});

function tooLongEvent(events: readonly DomainEvent[], most: number): Refusal | null {
  for (const { body } of events) {
    const bytes = Buffer.byteLength(JSON.stringify(body));
    if (bytes > most)
      return refuse('PAYLOAD_TOO_LARGE', `What the request leads to takes ${bytes} bytes, and may take ${most}.`);
  }
  return null;
}

function accept<C extends Command, S, E extends DomainEvent>(
  decider: Decider<C, S, E>,
  command: C,
  { events: happened, reply: body, personal }: Accepted<E>,
  { current, held }: Pick<Standing<S>, 'current' | 'held'>,
): Decided<C, S, E> {
  const changes = personal === 'unchanged' ? undefined : personal;
  if (changes && happened.length === 0) throw new TypeError('personal fields changed without an event');
  const events = happened.map((event, index) => record(event, command, index, current.version + index + 1));
  const streamVersion = current.version + events.length;
  const state = happened.reduce(decider.evolve, current.state);
  const personalVersion = changes ? streamVersion : personal === 'unchanged' ? (held?.version ?? 0) : 0;
  const reply = replyText({ status: 'accepted', streamVersion, ...(personalVersion > 0 && { personalVersion }), body });
  return {
    outcome: { kind: 'accepted', command, events, reply, state, personal: null },
    after: { ...current, version: streamVersion, state },
    changes,
  };
}

const record = <E extends DomainEvent>(
  { type, version, body }: E,
  { id: commandId, key: stream, issuedAt: time, traceparent }: Command,
  index: number,
  streamVersion: number,
): RecordedEvent<E> => ({
  id: eventId(commandId, index),
  stream,
  streamVersion,
  time,
  correlationId: traceparent?.split('-')[1] ?? commandId, // the trace: all that one request led to
  causationId: commandId,
  type,
  version,
  body,
});

const replyText = (reply: Reply): string => JSON.stringify(reply);

/** What a command changes of its stream's personal fields, together with what the batch's commands before it did. */
function personalChange(
  stream: string,
  version: number,
  changes: PersonalFieldChanges | 'erased',
  earlier: PersonalChange | undefined,
): PersonalChange {
  if (changes === 'erased') return { stream, version, erased: true, changes: {} };
  return { stream, version, erased: earlier?.erased ?? false, changes: { ...earlier?.changes, ...changes } };
}

/** A command met before is not decided again: its events are published again, its reply is given again. */
function repeatedOutcome<C extends Command, S, E extends DomainEvent>(
  command: C,
  { reply, events, personal }: StoredOutcome,
  { state }: StreamState<S>,
): Outcome<C, S, E> {
  const told = JSON.parse(reply) as Reply; // the text is ours
  if (told.status !== 'accepted') return { kind: 'refused', command, reply };
  const changedPersonal = told.personalVersion !== undefined && personal;
  return {
    kind: 'accepted',
    command,
    events: events as readonly RecordedEvent<E>[], // as they were published before
    reply,
    state,
    personal: changedPersonal ? personalRecord(command, personal) : null,
  };
}

/** The personal record to publish. */
export const personalRecord = (
  { appId, key: profileId }: Command,
  { version, fields }: Pick<PersonalRecord, 'version' | 'fields'>,
): PersonalRecord => ({ appId, profileId, version, fields });

function dueSnapshots<C extends Command, S, E extends DomainEvent>(
  { snapshot }: Decider<C, S, E>,
  streams: ReadonlyMap<string, StreamState<S>>,
): readonly StreamSnapshot[] {
  if (!snapshot) return [];
  const { code, every, encode } = snapshot;
  return [...streams]
    .filter(([, { version, snapshotVersion, defect }]) => !defect && version - snapshotVersion >= every)
    .map(([stream, { version, state }]) => ({ stream, version, code, state: encode(state) }));
}
