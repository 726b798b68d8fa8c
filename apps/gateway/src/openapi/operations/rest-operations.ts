import type { ErrorCode } from '@paywright/contracts';
import { dataOf } from '../envelopes.ts';
import * as examples from '../examples.ts';
import { ref, type Schema } from '../json-schema.ts';
import { appStorePurchase, playPurchase } from '../purchase-examples.ts';
import type { Answered, Operation, Parameter } from '../operation.ts';

/** What every route of the REST API can refuse with. */
const everywhere: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'MALFORMED_JSON',
  'INVALID_API_KEY',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_KEY_REUSED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  description: 'The same key and body give the same answer again, for 24 hours',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
};

interface RestRoute extends Pick<Operation, 'id' | 'tag' | 'summary' | 'description' | 'answers'> {
  readonly body: { readonly schema: Schema; readonly example: unknown };
  readonly refusals?: readonly ErrorCode[];
}

const rest = ({ refusals = [], ...route }: RestRoute): Operation => ({
  ...route,
  headers: [idempotencyKey],
  refusals: [...everywhere, ...refusals],
  security: 'secretKey',
});

const answer = (description: string, schema: Schema, example: unknown): Answered => ({
  description,
  schema: dataOf(schema),
  example: { ok: true, data: example },
});

/** Of routes that may create something. */
const savedOrCreated = (schema: Schema, example: unknown) => ({
  200: answer('It existed, and was changed', schema, example),
  201: answer('It was created', schema, example),
});
const listOf = (schema: Schema): Schema => ({ type: 'array', items: schema });

const ofPurchases: readonly ErrorCode[] = [
  'PROFILE_NOT_FOUND',
  'STORE_NOT_CONFIGURED',
  'TRANSACTION_NOT_FOUND',
  'PRODUCT_MISMATCH',
  'TRANSACTION_REVOKED',
  'PURCHASE_PENDING',
  'ACCOUNT_MISMATCH',
  'PURCHASE_BELONGS_TO_ANOTHER_PROFILE',
  'STORE_UNAVAILABLE',
];
const purchaseDescription =
  'The store is asked, and what it says counts. Send the paywall fields as the paywall was answered. What a store ' +
  'said is not kept under an Idempotency-Key: the next request asks it again.';

/** The REST API, both generations, by path and method. */
export const restOperations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/api/v1/web-api/profiles': {
    post: rest({
      id: 'saveProfileV1',
      tag: 'REST v1',
      summary: 'Create or change a profile',
      description: 'The same customerUserId is the same profile: given fields replace stored ones, absent ones stay.',
      body: { schema: ref('SaveProfileV1'), example: examples.saveProfileV1 },
      answers: savedOrCreated(ref('ProfileV1'), examples.profileV1),
    }),
  },
  '/api/v1/web-api/profiles/custom-attributes': {
    post: rest({
      id: 'setAttributeV1',
      tag: 'REST v1',
      summary: 'Set a custom attribute',
      body: { schema: ref('SetAttributeV1'), example: examples.setAttributeV1 },
      answers: savedOrCreated(ref('CustomAttribute'), examples.attribute),
      refusals: ['PROFILE_NOT_FOUND', 'TOO_MANY_ATTRIBUTES'],
    }),
    put: rest({
      id: 'updateAttributeV1',
      tag: 'REST v1',
      summary: 'Update a custom attribute by its id',
      body: { schema: ref('UpdateAttributeV1'), example: examples.updateAttributeV1 },
      answers: { 200: answer('It was updated', ref('CustomAttribute'), examples.attribute) },
      refusals: ['PROFILE_NOT_FOUND', 'ATTRIBUTE_NOT_FOUND', 'ATTRIBUTE_KEY_TAKEN'],
    }),
  },
  '/api/v1/web-api/profiles/custom-attributes-all': {
    post: rest({
      id: 'setAttributesV1',
      tag: 'REST v1',
      summary: 'Set several custom attributes',
      body: { schema: ref('SetAttributesV1'), example: examples.setAttributesV1 },
      answers: savedOrCreated(listOf(ref('CustomAttribute')), [examples.attribute]),
      refusals: ['PROFILE_NOT_FOUND', 'TOO_MANY_ATTRIBUTES'],
    }),
  },
  '/api/v1/web-api/paywalls': {
    post: rest({
      id: 'fetchPaywallV1',
      tag: 'REST v1',
      summary: 'Fetch the paywall to show',
      description: 'The target is drawn for each request. Fetch early, and keep the answer until it is shown.',
      body: { schema: ref('PaywallRequestV1'), example: examples.paywallRequest },
      answers: { 200: answer('The paywall', ref('PaywallV1'), examples.paywallV1) },
      refusals: ['PROFILE_NOT_FOUND', 'PLACEMENT_NOT_FOUND', 'CIRCULAR_PLACEMENT_ALLOCATION'],
    }),
  },
  '/api/v1/web-api/events': {
    post: rest({
      id: 'reportEventsV1',
      tag: 'REST v1',
      summary: 'Report events',
      description: 'One batch of one profile, stored whole or not at all.',
      body: { schema: { ...listOf(ref('Event')), minItems: 1, maxItems: 500 }, example: examples.events },
      answers: {
        200: {
          description: 'The batch is stored',
          schema: { type: 'object', properties: { ok: { const: true } }, required: ['ok'] },
          example: { ok: true },
        },
      },
      refusals: [
        'SESSION_TOKEN_INVALID',
        'SESSION_TOKEN_WRONG_APP',
        'SESSION_TOKEN_UNSUPPORTED_VERSION',
        'SESSION_TOKEN_EXPIRED',
        'MIXED_PROFILE_IDENTIFIERS',
        'PROFILE_NOT_FOUND',
      ],
    }),
  },
  '/api/v1/web-api/purchases/apple-store/validate': {
    post: rest({
      id: 'validateAppStorePurchase',
      tag: 'REST v1',
      summary: 'Have a purchase in the App Store confirmed',
      description: purchaseDescription,
      body: { schema: ref('AppStorePurchase'), example: appStorePurchase },
      answers: { 200: answer('The profile, with what it bought', ref('ProfileV1'), examples.profileV1) },
      refusals: [...ofPurchases, 'BUNDLE_MISMATCH', 'ORIGINAL_TRANSACTION_MISMATCH'],
    }),
  },
  '/api/v1/web-api/purchases/play-store/validate': {
    post: rest({
      id: 'validatePlayPurchase',
      tag: 'REST v1',
      summary: 'Have a purchase on Google Play confirmed',
      description: purchaseDescription,
      body: { schema: ref('PlayPurchase'), example: playPurchase },
      answers: { 200: answer('The profile, with what it bought', ref('ProfileV1'), examples.profileV1) },
      refusals: ofPurchases,
    }),
  },
  '/v2/profiles': {
    post: rest({
      id: 'saveProfileV2',
      tag: 'REST v2',
      summary: 'Create or change a profile',
      body: { schema: ref('SaveProfileV2'), example: examples.saveProfileV2 },
      answers: savedOrCreated(ref('ProfileV2'), examples.profileV2),
    }),
  },
  '/v2/custom-attributes': {
    post: rest({
      id: 'setAttributesV2',
      tag: 'REST v2',
      summary: 'Set custom attributes',
      body: { schema: ref('SetAttributesV2'), example: examples.setAttributesV2 },
      answers: savedOrCreated(listOf(ref('CustomAttribute')), [examples.attribute]),
      refusals: ['PROFILE_NOT_FOUND', 'TOO_MANY_ATTRIBUTES'],
    }),
  },
  '/v2/paywall': {
    post: rest({
      id: 'fetchPaywallV2',
      tag: 'REST v2',
      summary: 'Fetch the paywall to show',
      body: { schema: ref('PaywallRequestV2'), example: examples.paywallRequest },
      answers: { 200: answer('The paywall', ref('PaywallV2'), examples.paywallV2) },
      refusals: ['PROFILE_NOT_FOUND', 'PLACEMENT_NOT_FOUND', 'CIRCULAR_PLACEMENT_ALLOCATION'],
    }),
  },
};
