import { z } from 'zod';
import type { AnyEventDefinition } from '../message.ts';
import { AppSnapshot } from '../catalog/app-snapshot.ts';
import { PersonalRecord } from '../profile/profile-fields.ts';
import { commandsOf, eventsOf } from '../registry.ts';
import { topics } from '../topics.ts';

export type JsonSchema = Record<string, unknown>;

/** What `ce_dataschema` names, and where the schema lies under libs/contracts/schemas. */
export const eventSchemaPath = (definition: Pick<AnyEventDefinition, 'type' | 'version'>): string =>
  `events/${definition.type}.v${definition.version}.json`;

/**
 * The JSON Schema of every message, by the path of its file.
 * Those under `events/` are published: they may only change compatibly.
 */
export function jsonSchemas(): ReadonlyMap<string, JsonSchema> {
  const schemas = new Map<string, JsonSchema>();
  for (const [topic, definitions] of Object.entries(eventsOf))
    for (const { type, version, body } of definitions.flatMap(versionsOf))
      schemas.set(
        eventSchemaPath({ type, version }),
        openSchema(body, `${type}.v${version}`, `Data of an event on ${topic}.`),
      );
  for (const [topic, definitions] of Object.entries(commandsOf))
    for (const { type, version, body, reply } of definitions) {
      schemas.set(`commands/${type}.v${version}.json`, openSchema(body, `${type}.v${version}`, `Command on ${topic}.`));
      schemas.set(`replies/${type}.v${version}.json`, openSchema(reply, `${type}.v${version}.reply`, 'Reply body.'));
    }
  schemas.set(
    'records/PersonalRecord.json',
    openSchema(PersonalRecord, 'PersonalRecord', `On ${topics.profilePersonal}.`),
  );
  schemas.set('records/AppSnapshot.json', openSchema(AppSnapshot, 'AppSnapshot', `On ${topics.catalogSnapshots}.`));
  return schemas;
}

/** Every version of an event that is read. */
export const versionsOf = ({
  type,
  version,
  body,
  others,
}: AnyEventDefinition): readonly { readonly type: string; readonly version: number; readonly body: z.ZodType }[] => [
  { type, version, body },
  ...others.map((other) => ({ type, version: other.version, body: other.body })),
];

/** The content model is open: a reader ignores properties that it does not know. */
const openSchema = (schema: z.ZodType, title: string, description: string): JsonSchema => ({
  title,
  description,
  ...z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }),
});
