import type { Command, DomainEvent, RecordedEvent } from '@paywright/contracts';
import type { Decider, EventLog } from '@paywright/event-sourcing';
import { personalMessage, PublishFailed, toCloudEvent, type OutgoingMessage, type Service } from '@paywright/messaging';
import { untilAnswered, type Patience } from '@paywright/platform';
import { publications } from './publications.ts';
import type { WriteServiceParts } from './write-service.ts';

/**
 * Days of work are not begun anew because a broker is away for a minute. What is stored of the messages is then there
 * twice, as where a service repeats a batch, and who follows the topic drops it by its version.
 */
const patience: Patience = {
  pause: { firstMs: 100, lastMs: 5_000 },
  passes: (error) => error instanceof PublishFailed && error.retriable,
};

export interface Republication<C extends Command, S, E extends DomainEvent> {
  readonly service: Service;
  readonly log: Pick<EventLog, 'events' | 'streams' | 'personal'>;
  readonly decider: Pick<Decider<C, S, E>, 'initialState' | 'evolve'>;
  readonly extraRecords?: WriteServiceParts<C, S, E>['extraRecords'];
  readonly withoutExtraRecords?: WriteServiceParts<C, S, E>['withoutExtraRecords'];
  /** A stored event in the version that the code knows. */
  readonly upcast: (event: RecordedEvent) => RecordedEvent;
  /** Resolves once the messages are stored for good. */
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
  /** Told each time how many events are published so far. */
  readonly onEvents?: (published: number) => void;
}

/** How many records were published, by what they are. */
export interface Republished {
  readonly events: number;
  readonly personal: number;
  readonly extra: number;
}

/**
 * Fills the service's topics with all that its store holds: events as they are stored, what is personal now, and the
 * records that events led to beside them. What follows is read while something is published.
 */
export async function republish<C extends Command, S, E extends DomainEvent>(
  republication: Republication<C, S, E>,
): Promise<Republished> {
  const { service, log, extraRecords, withoutExtraRecords = [], publish, onEvents } = republication;
  const publishAll = async (
    messages: AsyncIterable<readonly OutgoingMessage[]>,
    onPublished?: (count: number) => void,
  ) => {
    let count = 0;
    let published = Promise.resolve();
    for await (const some of publications(messages)) {
      await published;
      published = untilAnswered(() => publish(some), patience).then(() => {
        count += some.length;
        onPublished?.(count);
      });
      published.catch(() => undefined); // it is thrown where it is awaited
    }
    await published;
    return count;
  };
  const untold = new Set<string>(withoutExtraRecords);
  const told = new Set<string>();
  const messageOf = (event: RecordedEvent) => {
    if (extraRecords && !untold.has(event.type)) told.add(event.stream);
    return toCloudEvent(service, event, event.stream);
  };
  return {
    events: await publishAll(each(log.events(), messageOf), onEvents),
    personal: await publishAll(each(log.personal(), personalMessage)),
    extra: await publishAll(extraRecordsOfStreams([...told], republication)),
  };
}

async function* each<Item>(
  pages: AsyncIterable<readonly Item[]>,
  toMessage: (item: Item) => OutgoingMessage,
): AsyncGenerator<readonly OutgoingMessage[]> {
  for await (const page of pages) for (const item of page) yield [toMessage(item)];
}

/** Folds one stream after the other, so that no more than one state is held. */
async function* extraRecordsOfStreams<C extends Command, S, E extends DomainEvent>(
  streams: readonly string[],
  { log, decider: { initialState, evolve }, extraRecords, upcast }: Republication<C, S, E>,
): AsyncGenerator<readonly OutgoingMessage[]> {
  if (!extraRecords || streams.length === 0) return;
  let stream = '';
  let state = initialState;
  for await (const page of log.streams(streams))
    for (const stored of page) {
      if (stored.stream !== stream) [stream, state] = [stored.stream, initialState];
      // The store of a service holds its decider's events alone.
      const event = upcast(stored) as RecordedEvent<E>;
      state = evolve(state, event as DomainEvent as E);
      yield extraRecords({ events: [event], state });
    }
}
