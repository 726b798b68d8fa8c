import type { Command, DomainEvent, RecordedEvent } from '@paywright/contracts';
import type { Decider, EventLog } from '@paywright/event-sourcing';
import { personalMessage, toCloudEvent, type OutgoingMessage, type Service } from '@paywright/messaging';
import type { WriteServiceParts } from './write-service.ts';

export interface Republication<C extends Command, S, E extends DomainEvent> {
  readonly service: Service;
  readonly log: Pick<EventLog, 'events' | 'streams' | 'personal'>;
  readonly decider: Pick<Decider<C, S, E>, 'initialState' | 'evolve'>;
  readonly extraRecords?: WriteServiceParts<C, S, E>['extraRecords'];
  /** A stored event in the version that the code knows. */
  readonly upcast: (event: RecordedEvent) => RecordedEvent;
  /** Resolves once the messages are stored for good. */
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
}

/** How many records were published, by what they are. */
export interface Republished {
  readonly events: number;
  readonly personal: number;
  readonly extra: number;
}

/**
 * Fills the service's topics with all that its store holds: events as they are stored, what is personal now, and the
 * records that events led to beside them.
 */
export async function republish<C extends Command, S, E extends DomainEvent>(
  republication: Republication<C, S, E>,
): Promise<Republished> {
  const { service, log, publish } = republication;
  const count = { events: 0, personal: 0, extra: 0 };
  for await (const page of log.events()) {
    await publish(page.map((event) => toCloudEvent(service, event, event.stream)));
    count.events += page.length;
  }
  for await (const page of log.personal()) {
    await publish(page.map(personalMessage));
    count.personal += page.length;
  }
  for await (const records of extraRecordsOf(republication)) {
    await publish(records);
    count.extra += records.length;
  }
  return count;
}

/** Folds one stream after the other, so that no more than one state is held. */
async function* extraRecordsOf<C extends Command, S, E extends DomainEvent>({
  log,
  decider: { initialState, evolve },
  extraRecords,
  upcast,
}: Republication<C, S, E>): AsyncGenerator<readonly OutgoingMessage[]> {
  if (!extraRecords) return;
  let stream = '';
  let state = initialState;
  for await (const page of log.streams()) {
    const records: OutgoingMessage[] = [];
    for (const stored of page) {
      if (stored.stream !== stream) [stream, state] = [stored.stream, initialState];
      // The store of a service holds its decider's events alone.
      const event = upcast(stored) as RecordedEvent<E>;
      state = evolve(state, event as DomainEvent as E);
      records.push(...extraRecords({ events: [event], state }));
    }
    yield records;
  }
}
