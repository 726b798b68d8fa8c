import type { Command, DomainEvent, RecordedEvent } from '@paywright/contracts';
import type { EventLog, StreamStates } from '@paywright/event-sourcing';
import type { OutgoingMessage } from '@paywright/messaging';
import type { WriteServiceParts } from './write-service.ts';

export interface StreamTelling<C extends Command, S, E extends DomainEvent> {
  readonly log: Pick<EventLog, 'newestOf'>;
  readonly states: Pick<StreamStates<C, S, E>, 'load'>;
  readonly extraRecords: NonNullable<WriteServiceParts<C, S, E>['extraRecords']>;
  /** A stored event in the version that the code knows. */
  readonly upcast: (event: RecordedEvent) => RecordedEvent;
}

/**
 * What the newest event of a stream led to on a topic. Nothing if the stream cannot be read, so that the others are told,
 * or grew meanwhile: then a newer record is on its way.
 */
export async function stateRecords<C extends Command, S, E extends DomainEvent>(
  topic: string,
  stream: string,
  { log, states, extraRecords, upcast }: StreamTelling<C, S, E>,
): Promise<readonly OutgoingMessage[]> {
  const newest = await log.newestOf(stream);
  const loaded = (await states.load([stream])).get(stream);
  if (!newest || !loaded || loaded.defect !== null || loaded.version !== newest.streamVersion) return [];
  // The store of a service holds its decider's events alone.
  const events = [upcast(newest) as RecordedEvent<E>];
  return extraRecords({ events, state: loaded.state }).filter((record) => record.topic === topic);
}
