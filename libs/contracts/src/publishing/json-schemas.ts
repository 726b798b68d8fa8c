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
    for (const definition of definitions.flatMap(versionsOf))
      schemas.set(eventSchemaPath(definition), eventSchema(definition, `${definition.description} On ${topic}.`));
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
  description,
  body,
  others,
}: AnyEventDefinition): readonly Omit<AnyEventDefinition, 'kind' | 'others'>[] => [
  { type, version, description, body },
  ...others.map((other) => ({ type, version: other.version, description, body: other.body })),
];

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/**
 * The schema of an event.
 * @throws if the body demands what JSON Schema does not show: no comparison of schemas would find it, and an event that was
 *   published before, or by the next version, could not be read
 */
export function eventSchema(
  { type, version, body }: { readonly type: string; readonly version: number; readonly body: z.ZodType },
  description: string,
): JsonSchema {
  const title = `${type}.v${version}`;
  return openSchema(body, title, description, ({ zodSchema, path }) => {
    const place = [title, ...path].join('/');
    const hidden = hiddenDemand(zodSchema, place);
    if (hidden) throw new Error(`${place} ${hidden}: readers of an event take what they do not know.`);
  });
}

/** Published like this, and never tightened. */
const knownRefinements = new Set([
  'CatalogReplaced.v1/properties/document/properties/paywalls/items/properties/remoteConfigs',
]);

function hiddenDemand({ _zod: { def } }: z.core.$ZodTypes, place: string): string | null {
  if (def.type === 'object' && def.catchall?._zod.def.type === 'never') return 'is a strict object';
  const isRefined = def.checks?.some(({ _zod }) => _zod.def.check === 'custom') ?? false;
  return isRefined && !knownRefinements.has(place) ? 'is refined by code' : null;
}

/** The content model is open: a reader ignores properties that it does not know. */
const openSchema = (schema: z.ZodType, title: string, description: string, check?: Override): JsonSchema => ({
  title,
  description,
  ...z.toJSONSchema(schema, {
    override: (context) => {
      check?.(context);
      if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
    },
  }),
});
