import type { RecordedEvent } from '@paywright/contracts';
import {
  type Append,
  AppendConflict,
  type CommandPlace,
  EventStore,
  type InboxEntry,
  type PersonalFieldsKept,
  type StoredOutcome,
  type StoredStream,
  type StreamSnapshot,
} from '../event-store.ts';
import { afterChange, nothingHeld } from '../held-personal.ts';

/** A store without a database: the same promises, none of the durability. */
export class InMemoryEventStore extends EventStore {
  readonly #events = new Map<string, RecordedEvent[]>();
  readonly #inbox = new Map<string, InboxEntry>();
  readonly #personal = new Map<string, PersonalFieldsKept>();
  readonly #snapshots = new Map<string, StreamSnapshot>();
  readonly #eventIds = new Set<string>();

  override get epoch(): number {
    return 0;
  }

  override async findOutcomes(commands: readonly CommandPlace[]): Promise<ReadonlyMap<string, StoredOutcome>> {
    const outcomes = new Map<string, StoredOutcome>();
    for (const place of commands) {
      const entry = this.#inbox.get(keyOf(place));
      if (!entry) continue;
      const { commandId, stream, firstVersion, lastVersion, reply } = entry;
      const events = this.#eventsOf(stream).slice(firstVersion - 1, lastVersion);
      outcomes.set(commandId, { reply, events: structuredClone(events), personal: this.#personal.get(stream) ?? null });
    }
    return outcomes;
  }

  override async load(streams: readonly string[], snapshotCode: string | null, most = Infinity) {
    const stored = new Map<string, StoredStream>();
    for (const stream of streams) {
      const kept = this.#snapshots.get(stream);
      const snapshot = kept && kept.code === snapshotCode ? structuredClone(kept) : null;
      const events = this.#copyOf(stream, snapshot?.version ?? 0, most);
      if (snapshot || events.length > 0) stored.set(stream, { snapshot, events });
    }
    return stored;
  }

  override async eventsAfter(stream: string, version: number, most: number) {
    return this.#copyOf(stream, version, most);
  }

  override async findPersonal(streams: readonly string[]) {
    return new Map([...this.#personal].filter(([stream]) => streams.includes(stream)));
  }

  override async hasEvent(stream: string, id: string): Promise<boolean> {
    return this.#eventsOf(stream).some((event) => event.id === id);
  }

  override async append({ inbox, events, personal, snapshots }: Append) {
    this.#check(inbox, events);
    for (const entry of inbox) this.#inbox.set(keyOf(entry), entry);
    for (const event of structuredClone(events)) {
      this.#events.set(event.stream, [...this.#eventsOf(event.stream), event]);
      this.#eventIds.add(event.id);
    }
    for (const snapshot of structuredClone(snapshots)) this.#snapshots.set(snapshot.stream, snapshot);
    const changed = new Map<string, PersonalFieldsKept>();
    for (const change of personal)
      changed.set(change.stream, afterChange(this.#personal.get(change.stream) ?? nothingHeld, change));
    for (const [stream, kept] of changed) this.#personal.set(stream, kept);
    return changed;
  }

  override async forgetCommandsOlderThan(): Promise<number> {
    const forgotten = this.#inbox.size; // it keeps no times: all of them are old
    this.#inbox.clear();
    return forgotten;
  }

  #eventsOf(stream: string): readonly RecordedEvent[] {
    return this.#events.get(stream) ?? [];
  }

  #copyOf(stream: string, after: number, most: number): readonly RecordedEvent[] {
    return structuredClone(this.#eventsOf(stream).slice(after, after + most));
  }

  #check(inbox: readonly InboxEntry[], events: readonly RecordedEvent[]): void {
    const next = new Map<string, number>();
    for (const { id, stream, streamVersion } of events) {
      const expected = next.get(stream) ?? this.#eventsOf(stream).length + 1;
      if (streamVersion !== expected || this.#eventIds.has(id)) throw new AppendConflict(`event ${stream}`);
      next.set(stream, expected + 1);
    }
    if (inbox.some((entry) => this.#inbox.has(keyOf(entry)))) throw new AppendConflict('inbox');
  }
}

const keyOf = ({ commandId, stream }: CommandPlace): string => `${commandId} ${stream}`;
