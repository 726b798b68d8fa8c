import { errorSchemas } from './envelopes.ts';
import { ref, type Schema } from './json-schema.ts';
import { operationObject, type Operation } from './operation.ts';
import { adminOperations } from './operations/admin-operations.ts';
import { credentialsOperations } from './operations/credentials-operations.ts';
import { deadLetterOperations } from './operations/dead-letter-operations.ts';
import { notificationOperations } from './operations/notification-operations.ts';
import { reportOperations } from './operations/report-operations.ts';
import { restOperations } from './operations/rest-operations.ts';
import { adminSchemas, appSchemas } from './schemas/admin-schemas.ts';
import { credentialsSchemas } from './schemas/credentials-schemas.ts';
import { deadLetterSchemas } from './schemas/dead-letter-schemas.ts';
import { paywallSchemas } from './schemas/paywall-schemas.ts';
import { profileSchemas } from './schemas/profile-schemas.ts';
import { peopleSchemas } from './schemas/people-schemas.ts';
import { purchaseSchemas } from './schemas/purchase-schemas.ts';
import { reportSchemas } from './schemas/report-schemas.ts';

const description = `Paywright chooses, for each user, which paywall to show.

**REST API** (v1 and v2): for your apps' servers, opened by an app's secret key, raw in \`Authorization\`.
**Admin API**: configuration, look-ups and reports, opened by an admin token as a Bearer.
**Store notifications**: for the stores, whose signatures open them.

A successful answer is \`{"ok": true, "data": …}\`, any other \`{"error": "…", "code": "…"}\`. Besides what each route lists,
an unknown path is answered with 404 \`ROUTE_NOT_FOUND\`, another method with 405 \`METHOD_NOT_ALLOWED\`.`;

const readySchemas: Readonly<Record<string, Schema>> = {
  ...errorSchemas,
  ...profileSchemas,
  ...paywallSchemas,
  ...purchaseSchemas,
  ...appSchemas,
  ...peopleSchemas,
  ...credentialsSchemas,
  ...deadLetterSchemas,
  ...reportSchemas,
};

/** Every route of the gateway, as OpenAPI 3.1 describes it. */
export const openapiDocument = (): object => ({
  openapi: '3.1.0',
  info: {
    title: 'Paywright',
    version: '1.0.0',
    description,
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  tags: [
    { name: 'REST v1', description: 'For your servers' },
    { name: 'REST v2', description: 'For your servers, with a block for each store' },
    { name: 'Apps and keys', description: 'Admin: who may use the REST API' },
    { name: 'Catalog', description: 'Admin: what can be shown, and how traffic is split' },
    { name: 'Store credentials', description: 'Admin: what opens the stores' },
    { name: 'People and decisions', description: 'Admin: who saw what, and why' },
    { name: 'Reports and models', description: 'Admin: what earned how much, and what the AI models do' },
    { name: 'Audit', description: 'Admin: who changed what' },
    { name: 'Dead letters', description: 'Admin: what nobody could handle' },
    { name: 'Store notifications', description: 'For the stores: what happened to purchases' },
  ],
  paths: Object.fromEntries(
    Object.entries(describedOperations).map(([path, methods]) => [path, pathObject(path, methods)]),
  ),
  components: {
    schemas: { ...readySchemas, ...adminSchemas() },
    securitySchemes: {
      secretKey: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: "An app's secret key, without a prefix",
      },
      adminToken: { type: 'http', scheme: 'bearer', description: 'An admin token of ADMIN_TOKENS' },
    },
  },
});

/** By path and method, in small letters. */
export const describedOperations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  ...restOperations,
  ...adminOperations,
  ...credentialsOperations,
  ...deadLetterOperations,
  ...reportOperations,
  ...notificationOperations,
};

/** What the body of a route may have; null where others are ignored, or the route itself says what is wrong. */
export function bodyFieldsOf({ body }: Operation): readonly string[] | null {
  if (body === undefined) return [];
  const [, schema] = Object.entries(readySchemas).find(([name]) => ref(name)['$ref'] === body.schema['$ref']) ?? [];
  return schema?.['additionalProperties'] === false ? Object.keys(schema['properties'] ?? {}) : null;
}

const pathObject = (path: string, methods: Readonly<Record<string, Operation>>) =>
  Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, operationObject(path, operation)]));
