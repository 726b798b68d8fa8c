import { CatalogDocument, keyKinds, SelectionContext, targets } from '@paywright/contracts';
import { z } from 'zod';
import {
  answered,
  boolean,
  integer,
  listOf,
  number,
  oneOf,
  orNull,
  ref,
  sent,
  sentAlone,
  text,
  time,
  uuid,
  type Schema,
} from '../json-schema.ts';
import { paywallId } from './profile-schemas.ts';

const anything = (description: string): Schema => ({ description });
const numbers = (description: string): Schema => ({
  type: 'object',
  description,
  additionalProperties: { type: 'integer' },
});

/** A schema of the message contracts; `$schema` is the document's own. */
function contract(schema: z.ZodType, io: 'input' | 'output', description: string): Schema {
  const json = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      if (io === 'output' || !(zodSchema instanceof z.ZodObject)) return;
      jsonSchema.required = requiredOf(zodSchema);
      for (const name of emptyAsNull(zodSchema)) jsonSchema.properties![name] = orEmpty(jsonSchema.properties![name]!);
    },
  });
  delete json.$schema;
  return { ...json, description };
}

/** Zod does not see that a preprocessed field may be left out; a paywall's `externalId` is taken from its id. */
const requiredOf = ({ shape }: z.ZodObject): string[] =>
  Object.entries(shape)
    .filter(([name, field]) => name !== 'externalId' && !z.safeParse(field, undefined).success)
    .map(([name]) => name);

/** Nor that it takes an empty text for null. */
const emptyAsNull = ({ shape }: z.ZodObject): string[] =>
  Object.entries(shape)
    .filter(([, field]) => z.safeParse(field, '').data === null)
    .map(([name]) => name);

type JsonSchema = z.core.JSONSchema._JSONSchema;
function orEmpty(schema: JsonSchema): JsonSchema {
  if (typeof schema !== 'object') return schema;
  const { description, ...described } = schema;
  return { ...(description !== undefined && { description }), anyOf: [described, { const: '' }] };
}

const path = listOf(
  answered('A step', {
    placementId: text('Placement'),
    target: oneOf(targets, 'What was drawn there'),
    weight: orNull(number('Weight of what was drawn; null without a draw')),
  }),
  'From the requested placement to the one that served',
);

const decision = {
  id: uuid('The decision'),
  time: time('When it was made'),
  placementId: text('The requested placement'),
  target: oneOf(targets, 'What was drawn there'),
  paywallId,
  externalId: text('The variant by its external name'),
  isExperiment: boolean('Whether the AI model of the requested placement was drawn'),
  aiPricingModelId: orNull(integer('The model of the requested placement')),
  modelVersion: orNull(text('Version of the model that chose; null where none chose')),
  catalogRevision: integer('Revision of the catalog'),
  fallback: orNull(text('Why the gateway answered in place of selection; null if it did not')),
  superseded: boolean('Whether the client was answered by another decision'),
};

const probability = orNull(number('With which the model chose it; null where none chose', { minimum: 0, maximum: 1 }));

const replayedOutcome = (description: string): Schema =>
  answered(description, { paywallId, externalId: decision.externalId, probability, path });

/** What is sent of apps and keys. */
export const appSchemas: Readonly<Record<string, Schema>> = {
  CreateApp: sentAlone('A new app', ['name'], {
    name: text('Its name', { minLength: 1, maxLength: 255, examples: ['Demo'] }),
  }),
  IssueKey: sentAlone('A new key', ['kind'], { kind: oneOf(keyKinds, 'What it is for') }),
};

/** Made when they are asked for: writing the contracts as JSON Schema takes a while. */
export const adminSchemas = (): Readonly<Record<string, Schema>> => ({
  CreatedApp: answered('The app with its keys, which are shown this once', {
    id: integer('The app'),
    name: text('Its name'),
    secretKey: text('Opens the REST API; keep it on your servers'),
    publicKey: text('For the app itself'),
  }),
  App: answered('An app', {
    id: integer('The app'),
    name: text('Its name'),
    createdAt: time('When it was created'),
    keys: listOf(ref('AppKey'), 'Its keys, revoked ones too'),
  }),
  AppKey: answered('A key, by how it begins', {
    id: integer('The key'),
    kind: oneOf(keyKinds, 'What it is for'),
    prefix: text('Its first characters'),
    createdAt: time('When it was issued'),
    revokedAt: orNull(time('When it was revoked; null while it works')),
  }),
  IssuedKey: answered('The key, which is shown this once', {
    id: integer('The key'),
    kind: oneOf(keyKinds, 'What it is for'),
    key: text('The key itself'),
    prefix: text('Its first characters'),
    createdAt: time('When it was issued'),
  }),
  RevokedKey: answered('A key that opens nothing any more', {
    id: integer('The key'),
    revokedAt: time('When it was revoked'),
  }),
  CatalogDocument: contract(
    CatalogDocument,
    'input',
    'What an app can show, and how its traffic is split: one document, applied whole. `revision` is ignored.',
  ),
  Catalog: contract(
    z.strictObject({
      ...CatalogDocument.shape,
      revision: z.int().min(0).describe('The revision; 0: none was put yet'),
    }),
    'output',
    'The catalog with every default, and its revision: 0 before the first.',
  ),
  ReplacedCatalog: answered('What the catalog is now, or would be', {
    revision: integer('The revision; the stored one if nothing changes'),
    changes: listOf(
      answered('A change', {
        op: oneOf(['add', 'change', 'remove'], 'What happens'),
        path: text("JSON Pointer with an object's id in place of its index", { examples: ['/paywalls/calm/name'] }),
        before: anything('What was there; null where nothing was'),
        after: anything('What is there; null where nothing is'),
      }),
      'One for each field of an object that stays, one for each whole object that comes or goes',
    ),
    warnings: listOf(text('A warning'), 'What is allowed, and yet most likely a mistake'),
    ids: answered('The numbers that the REST API knows the objects by', {
      paywalls: numbers('By paywall'),
      models: numbers('By model'),
      products: numbers('By product'),
      paywallProducts: numbers('By paywall and position, such as calm/0'),
    }),
  }),
  CatalogRevision: answered('A revision in the history', {
    revision: integer('The revision'),
    time: time('When it was stored'),
    actor: text('Name of the admin token that stored it'),
  }),
  TimelineEntry: answered('Something that happened', {
    id: text('The event'),
    type: text('Its type: of the service, or of the client that reported it', {
      examples: ['ProfileCreated', 'paywall_shown'],
    }),
    time: time('When it happened'),
    service: text('The service that recorded it', { examples: ['profile'] }),
    data: anything('The event itself, without personal fields'),
  }),
  Decision: answered('A decision', decision),
  ExplainedDecision: answered('A decision with all that explains it', {
    ...decision,
    profileId: uuid('For whom it was made'),
    context: contract(SelectionContext, 'output', 'What was known of the user'),
    path,
    candidates: listOf(
      answered('A candidate', {
        paywallId,
        externalId: decision.externalId,
        score: number('What the model made of it'),
        probability: number('With which it would be chosen', { minimum: 0, maximum: 1 }),
      }),
      'What the model could choose from; empty where none chose',
    ),
    probability,
    seed: text('Of all its draws'),
    latencyMs: integer('Time that selection took, in milliseconds'),
    stickyTo: orNull(uuid('The earlier decision that it repeats; null if it drew itself')),
    outcome: answered('What came of it', {
      shownAt: orNull(time('When the paywall was first reported as shown')),
      conversions: integer('Purchases that are attributed to it'),
      revenueUsd: text('Their revenue in USD after refunds, a decimal number', { examples: ['9.99'] }),
    }),
    sentence: text('The explanation in plain English'),
  }),
  ReplayedDecision: answered('A decision made again from its record', {
    same: boolean('Whether the same came out: the same way, weights and paywall, bit for bit'),
    decisionId: uuid('The decision that was made again: where one repeats an earlier one, that one'),
    catalogRevision: integer('Revision of the catalog'),
    modelVersion: orNull(text('Version of the model')),
    recorded: replayedOutcome('What the record says'),
    replayed: {
      anyOf: [replayedOutcome('What came out now'), sent('Nothing was served now', ['kind'], { kind: text('Why') })],
    },
  }),
  AuditEntry: answered('A change that an admin token made', {
    id: text('The event'),
    time: time('When it was made'),
    actor: text('Name of the token'),
    action: text('What was done', { examples: ['CatalogReplaced'] }),
    appId: orNull(integer('The app; null of what is of none')),
    before: anything('What was there'),
    after: anything('What is there, without secrets'),
  }),
});
