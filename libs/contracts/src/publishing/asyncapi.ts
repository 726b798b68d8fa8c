import { z } from 'zod';
import type { AnyEventDefinition } from '../message.ts';
import { PersonalRecord } from '../profile/profile-fields.ts';
import { eventsOf } from '../registry.ts';
import { topics } from '../topics.ts';
import { eventSchemaPath, versionsOf } from './json-schemas.ts';

const header = (description: string, example: string) => ({ type: 'string', description, examples: [example] });

/** CloudEvents 1.0 in Kafka binary mode: the envelope is in the record's headers. */
const cloudEventHeaders = {
  type: 'object',
  required: ['ce_specversion', 'ce_id', 'ce_source', 'ce_type', 'ce_time', 'ce_subject', 'ce_streamversion'],
  properties: {
    ce_specversion: { type: 'string', const: '1.0' },
    ce_id: header('The event. A record published again has the same id.', '0192f0c1-6a52-7c7e-9a51-8f2d3f0a7b11'),
    ce_source: header('The service that recorded it.', '/paywright/profile'),
    ce_type: header('Name and version.', 'ProfileCreated.v1'),
    ce_time: header('When it happened, ISO 8601 in UTC.', '2026-01-02T03:04:05.678Z'),
    ce_subject: header('The stream that it belongs to.', '0192f0c1-6a52-7c7e-9a51-8f2d3f0a7b11'),
    ce_dataschema: header('The JSON Schema of the data.', 'urn:paywright:event:ProfileCreated:1'),
    ce_partitionkey: header('The key of the record.', '0192f0c1-6a52-7c7e-9a51-8f2d3f0a7b11'),
    ce_streamversion: header('1, 2, 3 … in the stream: repeats are dropped by it.', '7'),
    ce_correlationid: header('The request that began it.', '0192f0c1-6a52-7c7e-9a51-8f2d3f0a7b11'),
    ce_causationid: header('The command that it follows from.', '0192f0c1-6a52-7c7e-9a51-8f2d3f0a7b11'),
    'content-type': { type: 'string', const: 'application/json' },
    traceparent: header('W3C trace context.', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
  },
};

/** What is left of a personal record. */
const tombstoneHeaders = {
  type: 'object',
  required: ['app', 'version'],
  properties: {
    app: header('The app of the profile.', '1'),
    version: header('The stream version of the profile event that left no personal field.', '7'),
  },
};

const descriptions: Record<keyof typeof eventsOf, string> = {
  [topics.profileEvents]:
    'Who a user is: device context and custom attributes, never personal fields. Key: profile id.',
  [topics.catalogEvents]: 'What can be shown: apps, keys, catalogs. Key: app id.',
  [topics.selectionEvents]:
    'Which paywall was chosen, and why. Key: profile id. What guards and people did to models. Key: id of the model.',
  [topics.impressionEvents]: 'What clients report: paywalls shown and custom events. Key: profile id.',
  [topics.purchaseEvents]:
    'What was bought, how it stands and every movement of its money, as the stores told it. Key: id of the chain of purchases.',
};

const messageName = ({ type, version }: Pick<AnyEventDefinition, 'type' | 'version'>) => `${type}.v${version}`;

/** The AsyncAPI 3.0 document of the topics that analysts may read. Schemas are referred to by file. */
export function asyncApiDocument(version: string): object {
  const events = Object.entries(eventsOf).map(
    ([topic, definitions]) => [topic, definitions.flatMap(versionsOf)] as const,
  );
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Paywright topics',
      version,
      description:
        'Events are delivered at least once, in stream order for each key once repeats are dropped, and kept for ever. ' +
        'Schemas only change compatibly: a reader ignores properties that it does not know.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    channels: {
      ...Object.fromEntries(
        events.map(([topic, definitions]) => [
          topic,
          {
            address: topic,
            description: descriptions[topic as keyof typeof eventsOf],
            messages: Object.fromEntries(
              definitions.map((d) => [messageName(d), { $ref: `#/components/messages/${messageName(d)}` }]),
            ),
          },
        ]),
      ),
      [topics.profilePersonal]: {
        address: topics.profilePersonal,
        description: 'Compacted: the newest personal record of each profile; a tombstone erases it. Key: profile id.',
        messages: {
          PersonalRecord: { $ref: '#/components/messages/PersonalRecord' },
          PersonalTombstone: { $ref: '#/components/messages/PersonalTombstone' },
        },
      },
    },
    operations: Object.fromEntries(
      [...events.map(([topic]) => topic), topics.profilePersonal].map((topic) => [
        `read-${topic}`,
        { action: 'send', channel: { $ref: `#/channels/${topic}` } },
      ]),
    ),
    components: {
      messages: {
        ...Object.fromEntries(
          events.flatMap(([, definitions]) =>
            definitions.map((definition) => [
              messageName(definition),
              {
                name: messageName(definition),
                description: definition.description,
                headers: { $ref: '#/components/schemas/cloudEventHeaders' },
                payload: { $ref: `./${eventSchemaPath(definition)}` },
              },
            ]),
          ),
        ),
        PersonalRecord: { name: 'PersonalRecord', payload: z.toJSONSchema(PersonalRecord) },
        PersonalTombstone: { name: 'PersonalTombstone', headers: tombstoneHeaders, payload: { type: 'null' } },
      },
      schemas: { cloudEventHeaders },
    },
  };
}
