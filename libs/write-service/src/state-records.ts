import type { DomainEvent, RecordedEvent } from '@paywright/contracts';
import type { Decider, EventStore } from '@paywright/event-sourcing';
import type { OutgoingMessage } from '@paywright/messaging';
import type { WriteServiceParts } from './write-service.ts';

export interface StreamTelling<S, E extends DomainEvent> {
  readonly store: Pick<EventStore, 'load'>;
  readonly decider: Pick<Decider<never, S, E>, 'initialState' | 'evolve'>;
  readonly extraRecords: NonNullable<WriteServiceParts<never, S, E>['extraRecords']>;
  /** A stored event in the version that the code knows. */
  readonly upcast: (event: RecordedEvent) => RecordedEvent;
}

/** What the newest event of a stream led to on a topic. It is folded from all its events, as the store has them now. */
export async function stateRecords<S, E extends DomainEvent>(
  topic: string,
  stream: string,
  { store, decider: { initialState, evolve }, extraRecords, upcast }: StreamTelling<S, E>,
): Promise<readonly OutgoingMessage[]> {
  const stored = await store.load([stream], null);
  // The store of a service holds its decider's events alone.
  const events = (stored.get(stream)?.events ?? []).map((event) => upcast(event) as RecordedEvent<E>);
  const state = events.reduce((before, event) => evolve(before, event as DomainEvent as E), initialState);
  return extraRecords({ events: events.slice(-1), state }).filter((record) => record.topic === topic);
}
