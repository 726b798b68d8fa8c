import type { ErrorCode } from '@paywright/contracts';
import { dataOf } from '../envelopes.ts';
import { sent, text } from '../json-schema.ts';
import type { Content, Operation, Parameter } from '../operation.ts';

const refusals: readonly ErrorCode[] = [
  'NOTIFICATION_INVALID',
  'APP_NOT_FOUND',
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'STORE_UNAVAILABLE',
];

interface Notifications {
  readonly id: string;
  readonly store: string;
  readonly description: string;
  readonly body: Content;
  readonly headers?: readonly Parameter[];
  readonly refusals?: readonly ErrorCode[];
}

const notifications = (route: Notifications): Operation => ({
  id: route.id,
  tag: 'Store notifications',
  summary: `Take a notification of ${route.store}`,
  description: route.description,
  ...(route.headers && { headers: route.headers }),
  body: route.body,
  answers: {
    200: {
      description: 'It is kept, or there is nothing to do about it',
      schema: dataOf({ type: 'object' }),
      example: { ok: true, data: {} },
    },
  },
  refusals: [...refusals, ...(route.refusals ?? [])],
  passing: ['STORE_NOT_CONFIGURED'],
  security: null,
});

/** Where the stores post to, by path and method. */
export const notificationOperations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/notifications/{appId}/app-store': {
    post: notifications({
      id: 'takeAppStoreNotification',
      store: 'the App Store',
      description: 'App Store Server Notifications, version 2. Apple’s signature is verified, and that of every part.',
      body: {
        schema: sent('As Apple sends it', ['signedPayload'], { signedPayload: text('Signed by Apple: a JWS') }),
        example: { signedPayload: 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln' },
      },
    }),
  },
  '/notifications/{appId}/play-store': {
    post: notifications({
      id: 'takePlayNotification',
      store: 'Google Play',
      description:
        'Real-time developer notifications, pushed by Pub/Sub with authentication: `Authorization` is a Bearer that ' +
        'Google signed for the app’s pushAudience and pushServiceAccountEmail. One of another app is dropped.',
      body: {
        schema: sent('As Pub/Sub pushes it', ['message'], {
          message: sent('The message', ['messageId', 'data'], {
            messageId: text('Its id'),
            data: text('The notification: JSON in base64', { contentEncoding: 'base64' }),
          }),
        }),
        example: { message: { messageId: '136969346945', data: 'e30=' } },
      },
      refusals: ['NOTIFICATION_UNAUTHORIZED'],
    }),
  },
  '/notifications/{appId}/stripe': {
    post: notifications({
      id: 'takeStripeNotification',
      store: 'Stripe',
      description: 'Webhook events, signed with one of the app’s webhookSecrets.',
      headers: [
        { name: 'Stripe-Signature', description: 'Time and signature of the body', schema: { type: 'string' } },
      ],
      body: {
        schema: sent('As Stripe sends it', ['id', 'type'], { id: text('The event'), type: text('Its type') }),
        example: { id: 'evt_1', type: 'invoice.paid' },
      },
    }),
  },
};
