import { type Append, type CommandPlace, EventStore, isConflict } from '@paywright/event-sourcing';
import { tracedPart, type Metrics, type Tracer } from '@paywright/platform';

const appendSpan = {
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'append' },
} as const;

/** An event store whose appends, conflicts and inbox hits are counted; of recorded traces the appends are told of. */
export class MeasuredEventStore extends EventStore {
  readonly #store: EventStore;
  readonly #tracer: Tracer;
  readonly #appendSeconds;
  readonly #appendedEvents;
  readonly #conflicts;
  readonly #inboxHits;

  constructor(store: EventStore, metrics: Metrics, tracer: Tracer) {
    super();
    this.#store = store;
    this.#tracer = tracer;
    this.#appendSeconds = metrics.histogram('event_store_append_seconds', 'Time of an append, its wait included');
    this.#appendedEvents = metrics.counter('event_store_events_total', 'Events appended');
    this.#conflicts = metrics.counter('event_store_conflicts_total', 'Appends that another writer or a repeat undid');
    this.#inboxHits = metrics.counter('event_store_inbox_hits_total', 'Commands that had been met before');
  }

  override get epoch(): number {
    return this.#store.epoch;
  }

  override async append(append: Append) {
    const stop = this.#appendSeconds.startTimer();
    try {
      const kept = await tracedPart(this.#tracer, 'append events', appendSpan, () => this.#store.append(append));
      this.#appendedEvents.inc(append.events.length);
      return kept;
    } catch (error) {
      if (isConflict(error)) this.#conflicts.inc();
      throw error;
    } finally {
      stop();
    }
  }

  override async findOutcomes(commands: readonly CommandPlace[]) {
    const outcomes = await this.#store.findOutcomes(commands);
    this.#inboxHits.inc(outcomes.size);
    return outcomes;
  }

  override load(...parameters: Parameters<EventStore['load']>) {
    return this.#store.load(...parameters);
  }

  override eventsAfter(...parameters: Parameters<EventStore['eventsAfter']>) {
    return this.#store.eventsAfter(...parameters);
  }

  override findPersonal(...parameters: Parameters<EventStore['findPersonal']>) {
    return this.#store.findPersonal(...parameters);
  }

  override hasEvent(...parameters: Parameters<EventStore['hasEvent']>) {
    return this.#store.hasEvent(...parameters);
  }

  override forgetCommandsOlderThan(ms: number) {
    return this.#store.forgetCommandsOlderThan(ms);
  }
}
