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

  /**
   * A long stream bit by bit: all of it at once, as where a new version of the code reads no former snapshot, can be more
   * than the database gives in the time of a statement, and than there is memory for.
   */
  async load(streams: readonly string[]): Promise<ReadonlyMap<string, StreamState<S>>> {
    if (streams.length === 0) return new Map();
    const { code = null, every: most = eventsAtATime } = this.#decider.snapshot ?? {};
    const stored = await this.#store.load(streams, code, most);
    const states = new Map(streams.map((stream) => [stream, this.#begin(stored.get(stream))]));
    for (const stream of streams)
      if (stored.get(stream)?.events.length === most)
        states.set(stream, await this.#foldRest(stream, states.get(stream)!, most));
    return states;
  }

  async #foldRest(stream: string, begun: StreamState<S>, most: number): Promise<StreamState<S>> {
    let state = begun;
    for (let read = most; read === most && state.defect === null;) {
      const events = await this.#store.eventsAfter(stream, state.version, most);
      state = this.#fold(state, events);
      read = events.length;
    }
    return state;
  }

  #begin(stored: StoredStream | undefined): StreamState<S> {
    const { initialState: state, snapshot: kept } = this.#decider;
    if (!stored) return { version: 0, state, snapshotVersion: 0, defect: null };
    const { snapshot, events } = stored;
    const { version } = snapshot ?? { version: 0 };
    const start = { version, state, snapshotVersion: version, defect: null };
    try {
      return this.#fold(snapshot && kept ? { ...start, state: kept.decode(snapshot.state) } : start, events);
    } catch (error) {
      return { ...start, version: lastVersion(events) ?? version, defect: describeDefect(error) };
    }
  }

  #fold(before: StreamState<S>, events: readonly RecordedEvent[]): StreamState<S> {
    const { initialState, evolve } = this.#decider;
    const version = lastVersion(events) ?? before.version;
    const missing = missingVersion(before.version, events);
    if (missing !== null)
      return { ...before, version, state: initialState, defect: `The stream has no version ${missing}.` };
    try {
      // The store gives back what was appended, and upcasters its newest shape.
      const fold = (state: S, event: RecordedEvent) => evolve(state, this.#upcast(event) as RecordedEvent & E);
      return { ...before, version, state: events.reduce(fold, before.state) };
    } catch (error) {
      return { ...before, version, state: initialState, defect: describeDefect(error) };
    }
  }
}

/** Of a stream without snapshots: such streams are short. */
const eventsAtATime = 1_000;

const lastVersion = (events: readonly RecordedEvent[]) => events.at(-1)?.streamVersion;

/** The first one that is not there between events that follow a version. */
function missingVersion(before: number, events: readonly RecordedEvent[]): number | null {
  const index = events.findIndex(({ streamVersion }, position) => streamVersion !== before + position + 1);
  return index < 0 ? null : before + index + 1;
}
