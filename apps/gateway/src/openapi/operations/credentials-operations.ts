import type { ErrorCode } from '@paywright/contracts';
import * as examples from '../credentials-examples.ts';
import { ref } from '../json-schema.ts';
import type { Content, Operation } from '../operation.ts';
import { answer, read, write } from './admin-operations.ts';

const tag = 'Store credentials';
const unknownApp: readonly ErrorCode[] = ['APP_NOT_FOUND'];
const state = {
  200: answer('For which stores the app has credentials', ref('StoreCredentials'), examples.storeCredentials),
};

/** The routes of one store. */
const ofStore = (segment: string, name: string, store: string, body: Content) => ({
  [`/admin/v1/apps/{appId}/credentials/${segment}`]: {
    put: write({
      id: `set${name}Credentials`,
      tag,
      summary: `Set the credentials for ${store}`,
      description: 'Their form is checked, and every fault named in details; whether they work, a check tells.',
      body,
      answers: state,
      refusals: unknownApp,
    }),
    delete: write({
      id: `remove${name}Credentials`,
      tag,
      summary: `Remove the credentials for ${store}`,
      answers: state,
      refusals: unknownApp,
    }),
  },
  [`/admin/v1/apps/{appId}/credentials/${segment}/check`]: {
    post: write({
      id: `check${name}Credentials`,
      tag,
      summary: `Ask ${store} whether it takes the credentials`,
      answers: { 200: answer('What it says', ref('CredentialsCheck'), examples.credentialsCheck) },
      refusals: ['STORE_NOT_CONFIGURED', ...unknownApp],
    }),
  },
});

/** The admin API's routes of store credentials, by path and method. */
export const credentialsOperations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/admin/v1/apps/{appId}/credentials': {
    get: read({
      id: 'getCredentials',
      tag,
      summary: 'Read for which stores the app has credentials',
      description: 'They themselves are never shown.',
      answers: state,
      refusals: unknownApp,
    }),
  },
  ...ofStore('app-store', 'AppStore', 'the App Store', {
    schema: ref('AppStoreCredentials'),
    example: examples.appStoreCredentials,
  }),
  ...ofStore('play-store', 'PlayStore', 'Google Play', {
    schema: ref('PlayStoreCredentials'),
    example: examples.playStoreCredentials,
  }),
  ...ofStore('stripe', 'Stripe', 'Stripe', {
    schema: ref('StripeCredentials'),
    example: examples.stripeCredentials,
  }),
};
