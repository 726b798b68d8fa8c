import type { RecordedEvent } from '@paywright/contracts';
import type { OutgoingMessage, ReceivedMessage } from '../message.ts';
import { eventTopicOf, type Service } from '../services.ts';

export const sourceOf = (service: Service): string => `/paywright/${service}`;

/** `ce_type`: the event's name with its version. */
export const cloudEventType = (type: string, version: number): string => `${type}.v${version}`;

/** `ce_dataschema`: names the JSON Schema of the event's body. */
const dataSchemaOf = (type: string, version: number): string => `urn:paywright:event:${type}:${version}`;

/** When the event of a message happened, in milliseconds since the epoch; null if its headers do not tell. */
export function eventTimeOf({ headers }: Pick<ReceivedMessage, 'headers'>): number | null {
  const time = Date.parse(headers['ce_time'] ?? '');
  return Number.isNaN(time) ? null : time;
}

/**
 * An event as it is published: CloudEvents 1.0 in Kafka binary mode, keyed by its stream.
 * @param traceparent of the command that led to it
 */
export function toCloudEvent(
  service: Service,
  event: RecordedEvent,
  key: string,
  traceparent?: string,
): OutgoingMessage {
  return {
    topic: eventTopicOf[service],
    key,
    headers: {
      ce_specversion: '1.0',
      ce_id: event.id,
      ce_source: sourceOf(service),
      ce_type: cloudEventType(event.type, event.version),
      ce_time: new Date(event.time).toISOString(),
      ce_subject: event.stream,
      ce_dataschema: dataSchemaOf(event.type, event.version),
      ce_partitionkey: key,
      ce_streamversion: String(event.streamVersion),
      ce_correlationid: event.correlationId,
      ce_causationid: event.causationId,
      'content-type': 'application/json',
      ...(traceparent !== undefined && { traceparent }),
    },
    value: JSON.stringify(event.body),
  };
}
