import type { ErrorCode } from '@paywright/contracts';
import { dataOf, pageOf } from '../envelopes.ts';
import * as examples from '../examples.ts';
import { ref, type Schema } from '../json-schema.ts';
import { erasedProfile, exportedProfile } from '../people-examples.ts';
import { ledgerEntry } from '../purchase-examples.ts';
import type { Answered, Operation, Parameter } from '../operation.ts';

const everywhere: readonly ErrorCode[] = [
  'INVALID_ADMIN_TOKEN',
  'VALIDATION_FAILED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
const ofWrites: readonly ErrorCode[] = ['FORBIDDEN', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE', 'MALFORMED_JSON'];

type Route = Pick<
  Operation,
  'id' | 'tag' | 'summary' | 'description' | 'query' | 'headers' | 'body' | 'answers' | 'unchanged'
> & {
  readonly refusals?: readonly ErrorCode[];
};

/** A route that reads. */
export const read = ({ refusals = [], ...route }: Route): Operation => ({
  ...route,
  refusals: [...everywhere, ...refusals],
  security: 'adminToken',
});
/** A route that a viewer may not take. */
export const write = ({ refusals = [], ...route }: Route): Operation =>
  read({ ...route, refusals: [...ofWrites, ...refusals] });

const searched: Schema = { type: 'string', minLength: 1, maxLength: 255 };
const paging: readonly Parameter[] = [
  {
    name: 'limit',
    description: 'How many at most',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  },
  { name: 'cursor', description: 'The nextCursor of the page before', schema: { type: 'string', minLength: 1 } },
];

/** A list, a page at a time. */
export const list = ({ query = [], ...route }: Omit<Route, 'answers'>, schema: Schema, example: unknown): Operation =>
  read({
    ...route,
    query: [...query, ...paging],
    answers: {
      200: { description: 'A page', schema: pageOf(schema), example: { ok: true, data: [example], nextCursor: null } },
    },
  });

export const answer = (description: string, schema: Schema, example: unknown): Answered => ({
  description,
  schema: dataOf(schema),
  example: { ok: true, data: example },
});

const flag = (name: string, description: string): Parameter => ({
  name,
  description,
  schema: { type: 'boolean', default: false },
});

const revisionTag = { ETag: { description: 'The revision, in quotes', schema: { type: 'string', examples: ['"3"'] } } };

const apps = 'Apps and keys';
const catalog = 'Catalog';
const people = 'People and decisions';

/** The admin API, by path and method. */
export const adminOperations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/admin/v1/apps': {
    get: list({ id: 'listApps', tag: apps, summary: 'List the apps' }, ref('App'), examples.app),
    post: write({
      id: 'createApp',
      tag: apps,
      summary: 'Create an app',
      body: { schema: ref('CreateApp'), example: { name: 'Demo' } },
      answers: { 201: answer('The app, with its keys', ref('CreatedApp'), examples.createdApp) },
    }),
  },
  '/admin/v1/apps/{appId}': {
    get: read({
      id: 'getApp',
      tag: apps,
      summary: 'Read an app',
      answers: { 200: answer('The app', ref('App'), examples.app) },
      refusals: ['APP_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/keys': {
    post: write({
      id: 'issueKey',
      tag: apps,
      summary: 'Issue a key',
      description: 'It works beside the others, which stay valid until they are revoked.',
      body: { schema: ref('IssueKey'), example: { kind: 'secret' } },
      answers: { 201: answer('The key', ref('IssuedKey'), examples.issuedKey) },
      refusals: ['APP_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/keys/{keyId}': {
    delete: write({
      id: 'revokeKey',
      tag: apps,
      summary: 'Revoke a key',
      answers: { 200: answer('When it was revoked', ref('RevokedKey'), examples.revokedKey) },
      refusals: ['APP_NOT_FOUND', 'KEY_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/catalog': {
    get: read({
      id: 'getCatalog',
      tag: catalog,
      summary: 'Read the catalog',
      headers: [
        {
          name: 'If-None-Match',
          description: 'The revision that is known: "3". If it is the newest, the answer is 304, without the document',
          schema: { type: 'string' },
        },
      ],
      answers: { 200: { ...answer('The catalog', ref('Catalog'), examples.catalog), headers: revisionTag } },
      unchanged: 'That revision is the newest',
      refusals: ['APP_NOT_FOUND'],
    }),
    put: write({
      id: 'replaceCatalog',
      tag: catalog,
      summary: 'Replace the catalog',
      description: 'The document is applied whole, up to 8 MiB. Every fault is named at once, in details.',
      query: [flag('dryRun', 'The same answer, and nothing stored'), flag('force', 'Store a circular allocation too')],
      headers: [
        { name: 'If-Match', description: 'The revision that must be stored: "3", 3 or *', schema: { type: 'string' } },
      ],
      body: { schema: ref('CatalogDocument'), example: examples.catalogDocument },
      answers: { 200: answer('What changed', ref('ReplacedCatalog'), examples.replacedCatalog) },
      refusals: ['APP_NOT_FOUND', 'CIRCULAR_PLACEMENT_ALLOCATION', 'REVISION_CONFLICT'],
    }),
  },
  '/admin/v1/apps/{appId}/catalog/revisions': {
    get: list(
      { id: 'listRevisions', tag: catalog, summary: 'List the revisions of the catalog', refusals: ['APP_NOT_FOUND'] },
      ref('CatalogRevision'),
      examples.catalogRevision,
    ),
  },
  '/admin/v1/apps/{appId}/catalog/revisions/{revision}': {
    get: read({
      id: 'getRevision',
      tag: catalog,
      summary: 'Read the catalog as it was',
      description: 'To go back to it, put it.',
      answers: { 200: answer('The catalog of that revision', ref('Catalog'), examples.catalog) },
      refusals: ['APP_NOT_FOUND', 'REVISION_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/profiles': {
    get: list(
      {
        id: 'findProfiles',
        tag: people,
        summary: 'Find profiles',
        description: 'By one of customerUserId and query.',
        query: [
          { name: 'customerUserId', description: 'Your own user id, whole', schema: searched },
          { name: 'query', description: 'A profile id, or the beginning of your user id', schema: searched },
        ],
        refusals: ['APP_NOT_FOUND'],
      },
      ref('ProfileV1'),
      examples.profileV1,
    ),
  },
  '/admin/v1/apps/{appId}/profiles/{profileId}': {
    get: read({
      id: 'getProfile',
      tag: people,
      summary: 'Read a profile',
      answers: { 200: answer('The profile', ref('ProfileV1'), examples.profileV1) },
      refusals: ['APP_NOT_FOUND', 'PROFILE_NOT_FOUND'],
    }),
    delete: write({
      id: 'eraseProfile',
      tag: people,
      summary: 'Forget a person',
      description:
        'The profile is gone from every answer at once, and its personal fields for good from tables and topics; topics ' +
        'are compacted within days. Money that it moved stays, without a person. Repeated, it answers the same. Whoever ' +
        'comes back begins anew, and is forgotten again where it is repeated after that.',
      answers: { 202: answer('The profile is erased', ref('ErasedProfile'), erasedProfile) },
      refusals: ['APP_NOT_FOUND', 'PROFILE_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/profiles/{profileId}/export': {
    get: read({
      id: 'exportProfile',
      tag: people,
      summary: 'Export all that is kept about a person',
      description:
        'One document, to be saved as a file, which is written while it is read: one that was broken off is no JSON.',
      answers: {
        200: {
          ...answer('All that is kept', ref('ExportedProfile'), exportedProfile),
          headers: {
            'Content-Disposition': { description: 'A name for the file', schema: { type: 'string' } },
          },
        },
      },
      refusals: ['APP_NOT_FOUND', 'PROFILE_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/profiles/{profileId}/timeline': {
    get: list(
      {
        id: 'getTimeline',
        tag: people,
        summary: 'List all that happened to a profile, newest first',
        refusals: ['APP_NOT_FOUND', 'PROFILE_NOT_FOUND'],
      },
      ref('TimelineEntry'),
      examples.timelineEntry,
    ),
  },
  '/admin/v1/apps/{appId}/profiles/{profileId}/ledger': {
    get: list(
      {
        id: 'getLedger',
        tag: people,
        summary: 'List the money that the purchases of a profile moved, newest first',
        description: 'What it paid stays with it, also after its purchases went to another profile.',
        refusals: ['APP_NOT_FOUND', 'PROFILE_NOT_FOUND'],
      },
      ref('LedgerEntry'),
      ledgerEntry,
    ),
  },
  '/admin/v1/apps/{appId}/profiles/{profileId}/decisions': {
    get: list(
      {
        id: 'listDecisions',
        tag: people,
        summary: 'List the decisions for a profile, newest first',
        refusals: ['APP_NOT_FOUND', 'PROFILE_NOT_FOUND'],
      },
      ref('Decision'),
      examples.decision,
    ),
  },
  '/admin/v1/apps/{appId}/decisions/{decisionId}': {
    get: read({
      id: 'explainDecision',
      tag: people,
      summary: 'Explain a decision',
      answers: { 200: answer('Why the user saw what they saw', ref('ExplainedDecision'), examples.explainedDecision) },
      refusals: ['APP_NOT_FOUND', 'DECISION_NOT_FOUND'],
    }),
  },
  '/admin/v1/apps/{appId}/decisions/{decisionId}/replay': {
    post: write({
      id: 'replayDecision',
      tag: people,
      summary: 'Make a decision again from its record',
      answers: { 200: answer('Whether the same came out', ref('ReplayedDecision'), examples.replayedDecision) },
      refusals: ['APP_NOT_FOUND', 'DECISION_NOT_FOUND'],
    }),
  },
  '/admin/v1/audit': {
    get: list(
      { id: 'listAudit', tag: 'Audit', summary: 'List all changes, newest first' },
      ref('AuditEntry'),
      examples.auditEntry,
    ),
  },
};
