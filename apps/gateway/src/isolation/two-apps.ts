import { randomBytes } from 'node:crypto';
import {
  EraseProfile,
  FreezeModel,
  LimitModelShare,
  RevokeKey,
  SaveProfile,
  SetCustomAttributes,
  UpdateCustomAttribute,
  type AppSnapshot,
} from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';
import { derivedId } from '@paywright/platform';
import {
  CatalogQueries,
  DeadLetterQueries,
  DecisionQueries,
  ExportQueries,
  ModelQueries,
  PlacementReportQueries,
  ProfileQueries,
  PurchaseQueries,
  TimelineQueries,
  type Queryable,
} from '@paywright/read-model';
import { SessionTokens } from '@paywright/session-token';
import { exampleCredentials } from '@paywright/store-credentials/testing';
import { testDatabase } from '@paywright/testing';
import { otherSecretKey, secondApp, secretKey, startTestGateway, startOfTime } from '../testing/test-gateway.ts';
import type { Outcome, SentCommand } from '../testing/fake-backend.ts';
import { ids as catalogIds } from '../admin/testing/decision-records.ts';
import { insertOwnedRows } from './owned-rows.ts';
import type { Caller, Ids, Request } from './foreign-ids.ts';

/** In every row of the second app: an answer to the first that holds it shows what is not the first's. */
export const sentinel = 'sentinel-of-the-second-app';

/** Ids that name nothing, of the same form. */
const unknownTokens = new SessionTokens([{ id: 1, secret: randomBytes(32) }]);

const renamed = <Named extends { readonly id: string }>(entries: readonly Named[], id: string): Named[] => [
  ...entries,
  ...entries.slice(0, 1).map((entry) => ({ ...entry, id })),
];

/** The example, and a placement and a model that the first app's catalog does not have. */
const secondDocument = {
  ...exampleCatalog,
  models: renamed(exampleCatalog.models, 'model-b'),
  placements: renamed(exampleCatalog.placements, 'placement-b'),
};

const secondIds = { ...catalogIds, models: { ...catalogIds.models, 'model-b': 2 } };

const secondSnapshot: AppSnapshot = {
  ...secondApp,
  version: 2,
  revision: 7,
  document: secondDocument,
  ids: { ...secondApp.ids, models: { ...secondApp.ids.models, 'model-b': 4 } },
  keys: [...secondApp.keys, ...secondApp.keys.map((key) => ({ ...key, keyId: 9, sha256: '0'.repeat(64) }))],
};

/** The whole gateway, over the real read model, with the rows of two apps in it. The services answer as theirs would. */
export async function twoApps() {
  const [readModel, learner, asking] = await Promise.all([
    testDatabase('read-model'),
    testDatabase('selection-learning'),
    testDatabase('purchase-validation'),
  ]);
  const ownerOf = (text: string) =>
    text.includes('selection_learning.') ? learner : text.includes('purchase_validation.') ? asking : readModel;
  const statements: string[] = [];
  const database = {
    query: (statement: string | { readonly text: string }, values?: unknown[]) => {
      const text = typeof statement === 'string' ? statement : statement.text;
      statements.push(text);
      return ownerOf(text).pool.query(statement, values);
    },
  } as unknown as Queryable;
  const gateway = await startTestGateway({
    profiles: new ProfileQueries(database),
    timeline: new TimelineQueries(database),
    decisions: new DecisionQueries(database),
    deadLetters: new DeadLetterQueries(database),
    exports: new ExportQueries(database),
    catalogs: new CatalogQueries(database),
    models: new ModelQueries(database),
    reports: new PlacementReportQueries(database),
    purchases: new PurchaseQueries(database),
  });
  const { parts, backend } = gateway;
  parts.apps.apply(secondSnapshot);
  for (const store of ['app_store', 'play_store'] as const)
    await parts.credentials.put(2, store, exampleCredentials[store]);

  const people = ['customer-1', 'another-2'].map((customerUserId, index) => ({
    appId: index + 1,
    profileId: parts.profileIds.ofCustomer(index + 1, customerUserId),
    decisionId: derivedId(`decision ${index + 1}`),
    customerUserId,
  }));
  const [first, second] = [people[0]!, people[1]!];
  await insertOwnedRows(readModel.pool, { ...first, mark: 'of-the-first-app', document: exampleCatalog, catalogIds });
  await insertOwnedRows(readModel.pool, { ...second, mark: sentinel, document: secondDocument, catalogIds: secondIds });

  for (const [{ appId, profileId }, customerId] of [
    [first, 'of-the-first-app'],
    [second, sentinel],
  ] as const)
    await asking.pool.query('insert into stripe_customer (app_id, customer_id, profile_id) values ($1, $2, $3)', [
      ...[appId, customerId, profileId],
    ]);

  /** What the profile service knows: whose a profile is. */
  const ofItsApp = async ({ key, appId }: SentCommand, outcome: Outcome): Promise<Outcome> => {
    const { rows } = await readModel.pool.query<{ app_id: number }>(
      'select app_id from profile where profile_id = $1',
      [key],
    );
    if (rows[0]?.app_id === appId) return outcome;
    return { refusal: { code: 'PROFILE_NOT_FOUND', message: 'profileId names no profile of this app.' } };
  };
  const attribute = { id: derivedId('attribute 2'), key: 'goal', value: 'sleep' };
  backend.on(SetCustomAttributes, (sent) => ofItsApp(sent, { reply: { created: true, attributes: [attribute] } }));
  backend.on(UpdateCustomAttribute, (sent) => ofItsApp(sent, { reply: { attribute } }));
  backend.on(EraseProfile, (sent) => ofItsApp(sent, { reply: { erasedAt: startOfTime } }));
  backend.on(FreezeModel, () => ({ reply: { isFrozen: true } }));
  backend.on(LimitModelShare, () => ({ reply: { aiShare: 1 } }));
  backend.on(RevokeKey, ({ appId, body }) => {
    const { keyId } = RevokeKey.body.parse(body);
    const keys = parts.apps.find(appId)?.snapshot.keys ?? [];
    return keys.some((key) => key.keyId === keyId)
      ? { reply: { revokedAt: startOfTime } }
      : { refusal: { code: 'KEY_NOT_FOUND', message: 'keyId names no key of this app.' } };
  });
  backend.on(SaveProfile, async ({ key, appId, body }) => {
    const { personal } = SaveProfile.body.parse(body);
    await readModel.pool.query(
      `insert into profile (profile_id, app_id, version, fields, custom, created_at, updated_at)
       values ($1, $2, 1, '{}', '[]', $3, $3) on conflict do nothing`,
      [key, appId, new Date(startOfTime)],
    );
    await readModel.pool.query(`insert into profile_personal values ($1, $2, 1, $3, $4) on conflict do nothing`, [
      key,
      appId,
      JSON.stringify(personal),
      personal.customerUserId,
    ]);
    return { reply: { created: true } };
  });

  const claims = {
    ...{ placementId: 'placement-b', paywallId: 12, aiPricingModelId: 3, abTestId: null, isExperiment: true },
    ...{ appId: 2, profileId: second.profileId, decisionId: second.decisionId, issuedAt: startOfTime },
  };
  const cursorBehind = (profileId: string) =>
    Buffer.from(JSON.stringify(['profiles', profileId])).toString('base64url');
  const foreign: Ids = {
    ...second,
    sharedUserId: 'shared-2',
    attributeId: attribute.id,
    placementId: 'placement-b',
    modelId: 'model-b',
    keyId: 9,
    revision: 7,
    token: parts.tokens.issue(claims),
    transactionId: '2000000000000002',
    purchaseToken: 'purchase-token-of-b',
    searchCursor: cursorBehind(second.profileId),
  };
  const unknown: Ids = {
    profileId: derivedId('nobody'),
    decisionId: derivedId('nothing'),
    customerUserId: 'another-3',
    sharedUserId: 'shared-3',
    attributeId: derivedId('no attribute'),
    placementId: 'placement-c',
    modelId: 'model-c',
    keyId: 8,
    revision: 8,
    token: unknownTokens.issue(claims),
    transactionId: '2000000000000003',
    purchaseToken: 'purchase-token-of-c',
    searchCursor: cursorBehind(derivedId('nobody')),
  };

  const keys = new Map([
    [1, secretKey],
    [2, otherSecretKey],
  ]);
  /** As a client of the app sends it, or its operator. `asked` are the statements that the answer took. */
  async function ask({ appId }: Caller, { method, url, body }: Request, headers: Record<string, string> = {}) {
    statements.length = 0;
    const sentBefore = backend.sent.length;
    const isAdmin = url.startsWith('/admin/');
    const response = await gateway.inject({
      method,
      url,
      headers: {
        authorization: isAdmin ? 'Bearer admin-token' : (keys.get(appId) ?? ''),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    return { response, asked: [...statements].sort(), sent: backend.sent.slice(sentBefore) };
  }

  const person = { customerUserId: foreign.sharedUserId, username: sentinel };
  await ask(second, { method: 'POST', url: '/api/v1/web-api/profiles', body: person });

  return {
    gateway,
    first: first as Caller,
    second: second as Caller,
    foreign,
    unknown,
    ask,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await Promise.all([readModel, learner, asking].map((database) => database[Symbol.asyncDispose]()));
    },
  };
}

export type TwoApps = Awaited<ReturnType<typeof twoApps>>;
