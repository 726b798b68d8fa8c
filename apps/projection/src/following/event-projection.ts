import { eventsOf, type EventTopic } from '@paywright/contracts';
import {
  cloudEventType,
  decodeEvent,
  UndecodableMessage,
  type ReceivedEvent,
  type ReceivedMessage,
} from '@paywright/messaging';
import type { Transaction } from '@paywright/event-sourcing';
import type { Queryable, ShownKind } from '@paywright/read-model';
import type { ProjectionDefects } from '../defects.ts';
import { findContradictions, type EventsAt, type TellContradictions } from './contradictions.ts';
import { loadSkippedVersions } from './dead-letters.ts';
import type { Decoded, Projection } from './projection.ts';
import { sift, type Placed, type Sifted } from './sift.ts';

/** The events of a topic, told apart by their type. */
export type EventOn<T extends EventTopic> = Extract<ReceivedEvent, { type: (typeof eventsOf)[T][number]['type'] }>;

/** How the events of a topic change rows. */
export interface EventFold<T extends EventTopic, Entry extends Placed, Row extends { readonly version: number }> {
  readonly topic: T;
  /** As what somebody waits to see these rows; null: nobody does. */
  readonly awaited: ShownKind | null;
  /** See `Projection`; false if absent. */
  readonly waitsForDisk?: boolean;
  /**
   * What the rows need of an event. A chunk's entries live as long as its transaction: the less they hold, the
   * less there is for the garbage collector. `json` is the event's body as published, in
   * the version that the code knows.
   */
  readonly read: (event: EventOn<T>, json: Buffer) => Entry;
  /** The rows that guard these streams, by stream: `version` is that of the last event they show. */
  readonly load: (database: Queryable, streams: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  /** What is shown already at the places of events that come again. */
  readonly eventsAt: EventsAt;
  /** Sends the statements that apply events, which continue their streams without a gap. */
  readonly store: (
    database: Transaction,
    entries: readonly Entry[],
    rows: ReadonlyMap<string, Row>,
  ) => void | Promise<void>;
}

/**
 * A projection of events that come in the order of their streams, each applied once.
 * @param tell of what is not applied though it is no repeat
 * @param decoded reads what the topic holds
 */
export function eventProjection<T extends EventTopic, Entry extends Placed, Row extends { readonly version: number }>(
  { topic, awaited, waitsForDisk = false, read, load, eventsAt, store }: EventFold<T, Entry, Row>,
  defects: ProjectionDefects,
  tell: TellContradictions = () => undefined,
  decoded: typeof decodeEvent = decodeEvent,
): Projection<Entry> {
  const guarded = !defects.has('projection-without-stream-version');
  const parking = !defects.has('no-parking');
  return {
    topic,
    ordered: parking,
    awaited: awaited && { kind: awaited, versionOf: ({ stream, streamVersion }) => [stream, streamVersion] },
    waitsForDisk,
    payloadKept: true,
    decode: (message) => {
      const event = followed(decoded(message), message, topic);
      return read(event, jsonOf(event, message));
    },
    apply: async (database, records) => {
      const rows = await load(database, [...new Set(records.map(({ entry }) => entry.stream))]);
      const { fresh, known, early } = guarded
        ? await siftStored(database, topic, records, rows)
        : { fresh: records, known: [], early: [] };
      const contradictions = await findContradictions(database, entriesOf(known), entriesOf(fresh), eventsAt);
      if (contradictions.length > 0) tell(topic, contradictions);
      const applied = parking ? fresh : [...fresh, ...early.map(({ item }) => item)];
      if (applied.length > 0) await store(database, entriesOf(applied), rows);
      if (!parking) return [];
      return early.map(({ item: { message, entry }, missing }) => ({
        message,
        reason: missing === null ? null : `Gap: version ${entry.streamVersion} came where ${missing} is next.`,
      }));
    },
  };
}

/** What was discarded is asked for only where something seems to be missing. */
async function siftStored<Entry extends Placed>(
  database: Queryable,
  topic: string,
  records: readonly Decoded<Entry>[],
  rows: ReadonlyMap<string, { readonly version: number }>,
): Promise<Sifted<Decoded<Entry>>> {
  const sifted = sift(records, rows);
  if (sifted.early.length === 0) return sifted;
  const streams = new Set(sifted.early.map(({ item }) => item.entry.stream));
  const skipped = await loadSkippedVersions(database, topic, [...streams]);
  return skipped.size > 0 ? sift(records, rows, skipped) : sifted;
}

const entriesOf = <Entry>(records: readonly { readonly entry: Entry }[]) => records.map(({ entry }) => entry);

function followed<T extends EventTopic>(event: ReceivedEvent, { key }: ReceivedMessage, topic: T): EventOn<T> {
  if (!isOn(event, topic)) throw new UndecodableMessage('Its type belongs to another topic.');
  if (event.stream !== key) throw new UndecodableMessage('ce_subject is not the key of the record.');
  return event;
}

/** Rows are parsed with the definition that the code knows: what was published in another version is kept as it was read. */
function jsonOf({ type, version, body }: ReceivedEvent, { headers, value }: ReceivedMessage): Buffer {
  if (value === null) throw new UndecodableMessage('The message has no body.');
  return headers['ce_type'] === cloudEventType(type, version) ? value : Buffer.from(JSON.stringify(body));
}

const isOn = <T extends EventTopic>(event: ReceivedEvent, topic: T): event is EventOn<T> =>
  eventsOf[topic].some(({ type }) => type === event.type);
