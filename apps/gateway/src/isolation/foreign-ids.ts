import type { ErrorCode } from '@paywright/contracts';
import { saveProfileV2 } from '../openapi/examples.ts';

/** One of everything that belongs to an app and that a request can name. */
export interface Ids {
  readonly profileId: string;
  readonly customerUserId: string;
  /** Another: of a person who may be a customer of several apps. */
  readonly sharedUserId: string;
  readonly attributeId: string;
  readonly decisionId: string;
  readonly placementId: string;
  readonly modelId: string;
  readonly keyId: number;
  readonly revision: number;
  /** paywallSessionId */
  readonly token: string;
  readonly transactionId: string;
  readonly purchaseToken: string;
  /** Behind a profile, in a list of profiles. */
  readonly searchCursor: string;
}

/** The app that asks, and a profile of its own. */
export interface Caller {
  readonly appId: number;
  readonly profileId: string;
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly body?: unknown;
}

export interface ForeignId {
  /** What is named that is another app's. */
  readonly names: keyof Ids;
  /** With which it is refused; null where an app may have the same: then it is answered as one that nobody has. */
  readonly refusal: ErrorCode | null;
  /** Of an unknown one, where the API tells the two apart. */
  readonly ofUnknown?: ErrorCode;
  readonly body?: (ids: Ids, caller: Caller) => unknown;
  readonly query?: (ids: Ids) => string;
}

const profile = (body: ForeignId['body']): ForeignId => ({
  names: 'profileId',
  refusal: 'PROFILE_NOT_FOUND',
  ...(body && { body }),
});
const inPath = (names: keyof Ids, refusal: ErrorCode): readonly ForeignId[] => [{ names, refusal }];
const custom = { key: 'goal', value: 'sleep' };
const sold = { productId: 'premium' };
const bought = ({ transactionId }: Ids) => ({ ...sold, transactionId, originalTransactionId: transactionId });
const search = (names: 'customerUserId' | 'profileId' | 'searchCursor', query: (ids: Ids) => string): ForeignId => ({
  names,
  refusal: null,
  query,
});

/** A body of v2 `POST /profiles`. */
export const personV2 = (appUserId: string) => ({ ...saveProfileV2, appUserId });

const paywalls: readonly ForeignId[] = [
  profile(({ profileId }) => ({ profileId, placementId: 'onboarding' })),
  {
    names: 'placementId',
    refusal: 'PLACEMENT_NOT_FOUND',
    body: ({ placementId }, { profileId }) => ({ profileId, placementId }),
  },
  {
    names: 'customerUserId',
    refusal: 'PROFILE_NOT_FOUND',
    body: ({ customerUserId }) => ({ customerUserId, placementId: 'onboarding' }),
  },
];

/**
 * By route, in words of the OpenAPI document: every id that may be another app's; or why a route names none.
 * A route that is missing here fails the test.
 */
export const foreignIds: Readonly<Record<string, readonly ForeignId[] | string>> = {
  'post /api/v1/web-api/profiles': [
    { names: 'sharedUserId', refusal: null, body: ({ sharedUserId }) => ({ customerUserId: sharedUserId }) },
  ],
  'post /api/v1/web-api/profiles/custom-attributes': [profile(({ profileId }) => ({ profileId, custom }))],
  'put /api/v1/web-api/profiles/custom-attributes': [
    profile(({ profileId, attributeId }) => ({ profileId, attrId: attributeId, custom })),
  ],
  'post /api/v1/web-api/profiles/custom-attributes-all': [
    profile(({ profileId }) => ({ profileId, custom: [custom] })),
  ],
  'post /api/v1/web-api/paywalls': paywalls,
  'post /api/v1/web-api/events': [
    profile(({ profileId }) => [{ eventType: 'dismissed', profileId }]),
    {
      names: 'customerUserId',
      refusal: 'PROFILE_NOT_FOUND',
      body: ({ customerUserId }) => [{ eventType: 'dismissed', customerUserId }],
    },
    {
      names: 'token',
      refusal: 'SESSION_TOKEN_WRONG_APP',
      ofUnknown: 'SESSION_TOKEN_INVALID', // who holds a token knows already that it is one
      body: ({ token }, { profileId }) => [{ eventType: 'dismissed', profileId, paywallSessionId: token }],
    },
  ],
  'post /api/v1/web-api/purchases/apple-store/validate': [
    profile((ids) => ({ profileId: ids.profileId, ...bought(ids) })),
    { names: 'transactionId', refusal: null, body: (ids, { profileId }) => ({ profileId, ...bought(ids) }) },
  ],
  'post /api/v1/web-api/purchases/play-store/validate': [
    profile(({ profileId, purchaseToken }) => ({ profileId, ...sold, purchaseToken })),
    {
      names: 'purchaseToken',
      refusal: null,
      body: ({ purchaseToken }, { profileId }) => ({ profileId, ...sold, purchaseToken }),
    },
  ],
  'post /v2/profiles': [{ names: 'sharedUserId', refusal: null, body: ({ sharedUserId }) => personV2(sharedUserId) }],
  'post /v2/custom-attributes': [profile(({ profileId }) => ({ profileId, custom: [custom] }))],
  'post /v2/paywall': paywalls.filter(({ names }) => names !== 'customerUserId'),

  'get /admin/v1/apps': 'lists every app: an admin token is the operator’s, of all apps',
  'post /admin/v1/apps': 'makes an app',
  'get /admin/v1/apps/{appId}': 'names the app alone',
  'post /admin/v1/apps/{appId}/keys': 'names the app alone',
  'delete /admin/v1/apps/{appId}/keys/{keyId}': inPath('keyId', 'KEY_NOT_FOUND'),
  'get /admin/v1/apps/{appId}/catalog': 'names the app alone',
  'put /admin/v1/apps/{appId}/catalog': 'names of a document are of the document: integers are given out for each app',
  'get /admin/v1/apps/{appId}/catalog/revisions': 'names the app alone',
  'get /admin/v1/apps/{appId}/catalog/revisions/{revision}': inPath('revision', 'REVISION_NOT_FOUND'),
  'get /admin/v1/apps/{appId}/profiles': [
    search('customerUserId', ({ customerUserId }) => `customerUserId=${customerUserId}`),
    search('customerUserId', ({ customerUserId }) => `query=${customerUserId}`),
    search('profileId', ({ profileId }) => `query=${profileId}`),
    search('searchCursor', ({ searchCursor }) => `query=c&cursor=${searchCursor}`),
  ],
  'get /admin/v1/apps/{appId}/profiles/{profileId}': inPath('profileId', 'PROFILE_NOT_FOUND'),
  'get /admin/v1/apps/{appId}/profiles/{profileId}/export': inPath('profileId', 'PROFILE_NOT_FOUND'),
  'get /admin/v1/apps/{appId}/profiles/{profileId}/timeline': inPath('profileId', 'PROFILE_NOT_FOUND'),
  'get /admin/v1/apps/{appId}/profiles/{profileId}/ledger': inPath('profileId', 'PROFILE_NOT_FOUND'),
  'get /admin/v1/apps/{appId}/profiles/{profileId}/decisions': inPath('profileId', 'PROFILE_NOT_FOUND'),
  'delete /admin/v1/apps/{appId}/profiles/{profileId}': inPath('profileId', 'PROFILE_NOT_FOUND'),
  'get /admin/v1/apps/{appId}/decisions/{decisionId}': inPath('decisionId', 'DECISION_NOT_FOUND'),
  'post /admin/v1/apps/{appId}/decisions/{decisionId}/replay': inPath('decisionId', 'DECISION_NOT_FOUND'),
  'get /admin/v1/audit': 'lists what was done to every app: an admin token is the operator’s, of all apps',
  'get /admin/v1/apps/{appId}/credentials': 'names the app alone',
  ...Object.fromEntries(
    ['app-store', 'play-store', 'stripe'].flatMap((store) => [
      [`put /admin/v1/apps/{appId}/credentials/${store}`, 'names the app and a store'],
      [`delete /admin/v1/apps/{appId}/credentials/${store}`, 'names the app and a store'],
      [`post /admin/v1/apps/{appId}/credentials/${store}/check`, 'names the app and a store'],
    ]),
  ),
  'get /admin/v1/dead-letters': 'dead letters are the operator’s, of all apps',
  'get /admin/v1/dead-letters/parked': 'dead letters are the operator’s, of all apps',
  'get /admin/v1/dead-letters/{deadLetterId}': 'dead letters are the operator’s, of all apps',
  'post /admin/v1/dead-letters/{deadLetterId}/retry': 'dead letters are the operator’s, of all apps',
  'post /admin/v1/dead-letters/{deadLetterId}/discard': 'dead letters are the operator’s, of all apps',
  'get /admin/v1/apps/{appId}/reports/placements/{placementId}': inPath('placementId', 'PLACEMENT_NOT_FOUND'),
  'get /admin/v1/apps/{appId}/reports/placements/{placementId}/days': inPath('placementId', 'PLACEMENT_NOT_FOUND'),
  'get /admin/v1/apps/{appId}/models/{modelId}': inPath('modelId', 'MODEL_NOT_FOUND'),
  'get /admin/v1/apps/{appId}/models/{modelId}/evaluation': [
    { names: 'modelId', refusal: 'MODEL_NOT_FOUND', query: () => 'policy=uniform' },
  ],
  'get /admin/v1/apps/{appId}/models/{modelId}/exploration': inPath('modelId', 'MODEL_NOT_FOUND'),
  'post /admin/v1/apps/{appId}/models/{modelId}/freeze': inPath('modelId', 'MODEL_NOT_FOUND'),
  'post /admin/v1/apps/{appId}/models/{modelId}/unfreeze': inPath('modelId', 'MODEL_NOT_FOUND'),
  'put /admin/v1/apps/{appId}/models/{modelId}/ai-share': [
    { names: 'modelId', refusal: 'MODEL_NOT_FOUND', body: () => ({ aiShare: 0.5 }) },
  ],
  'post /admin/v1/apps/{appId}/models/{modelId}/restore-share': inPath('modelId', 'MODEL_NOT_FOUND'),
  'post /notifications/{appId}/app-store':
    'opened by Apple’s signature: notifications for another app are in its own tests',
  'post /notifications/{appId}/play-store': 'opened by Google’s signature: as above',
  'post /notifications/{appId}/stripe': 'opened by the app’s own webhook secret: as above',
};

/** The request of a case, as the app's client or operator sends it. */
export function requestOf(route: string, { body, query }: ForeignId, caller: Caller, ids: Ids): Request {
  const [method = '', path = ''] = route.split(' ');
  const values: Readonly<Record<string, unknown>> = { ...ids, appId: caller.appId };
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  const sent = body?.(ids, caller);
  return {
    method: method.toUpperCase() as Request['method'],
    url: query === undefined ? url : `${url}?${query(ids)}`,
    ...(sent !== undefined && { body: sent }),
  };
}
