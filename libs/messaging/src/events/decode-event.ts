import { eventsOf, type DomainEvent, type EventOf, type EventTopic, type RecordedEvent } from '@paywright/contracts';
import { z } from 'zod';
import { decodeBody, faultsOf } from '../decode-body.ts';
import { UndecodableMessage } from '../errors.ts';
import type { ReceivedMessage } from '../message.ts';
import { eventTopicOf, services, type Service } from '../services.ts';
import { cloudEventType } from './cloud-event.ts';

type PublicEvent = EventOf<(typeof eventsOf)[EventTopic][number]>;
type Received<E> = E extends DomainEvent ? RecordedEvent<E> & { readonly service: Service } : never;

/** Any event of any topic, told apart by `type`; with the service that published it. */
export type ReceivedEvent = Received<PublicEvent>;

const CloudEventHeaders = z.object({
  ce_specversion: z.literal('1.0'),
  ce_id: z.uuid(),
  ce_source: z
    .string()
    .transform((source) => source.replace(/^\/paywright\//, ''))
    .pipe(z.enum(services)),
  ce_type: z.string(),
  ce_time: z.iso.datetime().transform((text) => Date.parse(text)),
  ce_subject: z.string().min(1),
  ce_streamversion: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number),
  ce_correlationid: z.string(),
  ce_causationid: z.string(),
});

const definitions = new Map(
  Object.values(eventsOf)
    .flat()
    .map((definition) => [cloudEventType(definition.type, definition.version), definition] as const),
);

/**
 * The event that a message of an events topic carries, whole and valid.
 * @throws UndecodableMessage, whose message is a dead letter's reason: not our headers, an unknown type or version,
 * or a body that is not what its type promises
 */
export function decodeEvent({ headers, value }: ReceivedMessage): ReceivedEvent {
  const { success, data, error } = CloudEventHeaders.safeParse(headers);
  if (!success) throw new UndecodableMessage(`The headers are not those of an event: ${faultsOf(error)}.`);
  const definition = definitions.get(data.ce_type);
  if (!definition || !publishes(data.ce_source, definition.type))
    throw new UndecodableMessage('Its source publishes no event of this type and version.');
  return {
    service: data.ce_source,
    id: data.ce_id,
    stream: data.ce_subject,
    streamVersion: data.ce_streamversion,
    time: data.ce_time,
    correlationId: data.ce_correlationid,
    causationId: data.ce_causationid,
    type: definition.type,
    version: definition.version,
    body: decodeBody(definition.body, value),
  } as ReceivedEvent;
}

const publishes = (service: Service, type: string): boolean =>
  eventsOf[eventTopicOf[service]].some((definition) => definition.type === type);
