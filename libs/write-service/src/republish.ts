import type { Command, DomainEvent, RecordedEvent } from '@paywright/contracts';
import type { Decider, EventLog } from '@paywright/event-sourcing';
import { personalMessage, toCloudEvent, type OutgoingMessage, type Service } from '@paywright/messaging';
import { publications } from './publications.ts';
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
  const publishAll = async (messages: AsyncIterable<readonly OutgoingMessage[]>) => {
    let count = 0;
    for await (const some of publications(messages)) {
      await publish(some);
      count += some.length;
    }
    return count;
  };
  return {
    events: await publishAll(each(log.events(), (event) => toCloudEvent(service, event, event.stream))),
    personal: await publishAll(each(log.personal(), personalMessage)),
    extra: await publishAll(extraRecordsOf(republication)),
  };
}

async function* each<Item>(
  pages: AsyncIterable<readonly Item[]>,
  toMessage: (item: Item) => OutgoingMessage,
): AsyncGenerator<readonly OutgoingMessage[]> {
  for await (const page of pages) for (const item of page) yield [toMessage(item)];
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
  for await (const page of log.streams())
    for (const stored of page) {
      if (stored.stream !== stream) [stream, state] = [stored.stream, initialState];
      // The store of a service holds its decider's events alone.
      const event = upcast(stored) as RecordedEvent<E>;
      state = evolve(state, event as DomainEvent as E);
      yield extraRecords({ events: [event], state });
    }
}
