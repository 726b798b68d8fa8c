import { LRUCache } from 'lru-cache';
import type { Command, DomainEvent, RecordedEvent } from '@paywright/contracts';
import type { Decider } from './decider.ts';
import { describeDefect } from './defect-description.ts';
import type { EventStore, StoredStream } from './event-store.ts';

/** A stream's state at a version; 0 before its first event. */
export interface StreamState<S> {
  readonly version: number;
  readonly state: S;
  /** Version of the snapshot it was folded from, or that was written since; 0 without one. */
  readonly snapshotVersion: number;
  /** Why the stream cannot be read, if it cannot: a defect, such as an upcaster that throws. */
  readonly defect: string | null;
}

/**
 * Folded streams, the last used ones kept in memory. What is remembered may be behind the store, when another
 * instance wrote: an append finds that out by the version, but a decision without events must be made on
 * loaded states.
 */
export class StreamStates<C extends Command, S, E extends DomainEvent> {
  readonly #decider: Decider<C, S, E>;
  readonly #store: EventStore;
  readonly #upcast: (event: RecordedEvent) => RecordedEvent;
  readonly #remembered: LRUCache<string, StreamState<S>>;
  #epoch = 0;

  constructor(
    decider: Decider<C, S, E>,
    store: EventStore,
    upcast: (event: RecordedEvent) => RecordedEvent,
    size: number,
  ) {
    this.#decider = decider;
    this.#store = store;
    this.#upcast = upcast;
    this.#remembered = new LRUCache({ max: size });
  }

  /** What is remembered from before the store's epoch may never have been. */
  recall(stream: string): StreamState<S> | undefined {
    if (this.#epoch !== this.#store.epoch) {
      this.#remembered.clear();
      this.#epoch = this.#store.epoch;
    }
    return this.#remembered.get(stream);
  }

  /** @param epoch the store's before the state was read; one that is over by now may never have been */
  remember(stream: string, state: StreamState<S>, epoch: number): void {
    if (epoch === this.#store.epoch) this.#remembered.set(stream, state);
  }

  forget(streams: Iterable<string>): void {
    for (const stream of streams) this.#remembered.delete(stream);
  }

  async load(streams: readonly string[]): Promise<ReadonlyMap<string, StreamState<S>>> {
    if (streams.length === 0) return new Map();
    const stored = await this.#store.load(streams, this.#decider.snapshot?.code ?? null);
    return new Map(streams.map((stream) => [stream, this.#fold(stored.get(stream))]));
  }

  #fold(stored: StoredStream | undefined): StreamState<S> {
    const { initialState, evolve, snapshot: kept } = this.#decider;
    if (!stored) return { version: 0, state: initialState, snapshotVersion: 0, defect: null };
    const { snapshot, events } = stored;
    const snapshotVersion = snapshot?.version ?? 0;
    const version = events.at(-1)?.streamVersion ?? snapshotVersion;
    const missing = missingVersion(snapshotVersion, events);
    if (missing !== null) {
      const defect = `The stream has no version ${missing}.`;
      return { version, state: initialState, snapshotVersion, defect };
    }
    try {
      const start = snapshot && kept ? kept.decode(snapshot.state) : initialState;
      // The store gives back what was appended, and upcasters its newest shape.
      const state = events.reduce((state, event) => evolve(state, this.#upcast(event) as RecordedEvent & E), start);
      return { version, state, snapshotVersion, defect: null };
    } catch (error) {
      return { version, state: initialState, snapshotVersion, defect: describeDefect(error) };
    }
  }
}

/** The first one that is not there between events that follow a version. */
function missingVersion(before: number, events: readonly RecordedEvent[]): number | null {
  const index = events.findIndex(({ streamVersion }, position) => streamVersion !== before + position + 1);
  return index < 0 ? null : before + index + 1;
}
