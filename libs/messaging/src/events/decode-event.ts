import {
  eventsOf,
  type AnyEventDefinition,
  type DomainEvent,
  type EventOf,
  type EventTopic,
  type RecordedEvent,
} from '@paywright/contracts';
import { z } from 'zod';
import { decodeBody, faultsOf } from '../decode-body.ts';
import { UndecodableMessage } from '../errors.ts';
import type { ReceivedMessage } from '../message.ts';
import { eventTopicOf, services, type Service } from '../services.ts';
import { cloudEventType, sourceOf } from './cloud-event.ts';

type PublicEvent = EventOf<(typeof eventsOf)[EventTopic][number]>;
type Received<E> = E extends DomainEvent ? RecordedEvent<E> & { readonly service: Service } : never;

/** Any event of any topic, told apart by `type`; with the service that published it. */
export type ReceivedEvent = Received<PublicEvent>;

/** Transforms would take as long again as all checks do: what is not text is made of it behind them. */
const CloudEventHeaders = z.object({
  ce_specversion: z.literal('1.0'),
  ce_id: z.uuid(),
  ce_source: z.string(),
  ce_type: z.string(),
  ce_time: z.iso.datetime(),
  ce_subject: z.string().min(1),
  ce_streamversion: z.string().regex(/^[1-9]\d{0,8}$/),
  ce_correlationid: z.string(),
  ce_causationid: z.string(),
});

/** How the body of one version is checked, and read as the version that the code knows. */
interface Reading {
  readonly service: Service;
  /** The service's `ce_source`. */
  readonly source: string;
  readonly definition: AnyEventDefinition;
  readonly schema: z.ZodType;
  readonly read: (body: unknown) => unknown;
}

/** By `ce_type`. */
const readingsOf = (definitions: readonly AnyEventDefinition[]): ReadonlyMap<string, Reading> =>
  new Map(
    definitions.flatMap((definition) => {
      const { type, version, body: schema, others } = definition;
      const service = publisherOf(type);
      const published = { service, source: sourceOf(service), definition };
      const known: Reading = { ...published, schema, read: (body) => body };
      return [
        [cloudEventType(type, version), known] as const,
        ...others.map(
          ({ read, ...other }) =>
            [cloudEventType(type, other.version), { ...published, schema: other.body, read }] as const,
        ),
      ];
    }),
  );

function publisherOf(type: string): Service {
  const publisher = services.find((service) => eventsOf[eventTopicOf[service]].some((known) => known.type === type));
  if (!publisher) throw new TypeError(`No service publishes ${type}`);
  return publisher;
}

/** @returns what reads these events, as `decodeEvent` does */
export function eventDecoder(definitions: readonly AnyEventDefinition[]): (message: ReceivedMessage) => ReceivedEvent {
  const readings = readingsOf(definitions);
  return ({ headers, value }) => {
    const { success, data, error } = CloudEventHeaders.safeParse(headers);
    if (!success) throw new UndecodableMessage(`The headers are not those of an event: ${faultsOf(error)}.`);
    const reading = readings.get(data.ce_type);
    if (reading?.source !== data.ce_source)
      throw new UndecodableMessage('Its source publishes no event of this type and version.');
    return {
      service: reading.service,
      id: data.ce_id,
      stream: data.ce_subject,
      streamVersion: Number(data.ce_streamversion),
      time: Date.parse(data.ce_time),
      correlationId: data.ce_correlationid,
      causationId: data.ce_causationid,
      type: reading.definition.type,
      version: reading.definition.version,
      body: reading.read(decodeBody(reading.schema, value)),
    } as ReceivedEvent;
  };
}

/**
 * The event that a message of an events topic carries, whole and valid, in the version that the code knows.
 * @throws UndecodableMessage, whose message is a dead letter's reason: not our headers, an unknown type or version,
 * or a body that is not what its type promises
 */
export const decodeEvent: (message: ReceivedMessage) => ReceivedEvent = eventDecoder(Object.values(eventsOf).flat());
