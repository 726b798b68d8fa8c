import {
  answered,
  boolean,
  integer,
  listOf,
  orNull,
  ref,
  sent,
  sentAlone,
  text,
  time,
  type Schema,
} from '../json-schema.ts';

const check = {
  ok: boolean('Whether the store takes the credentials'),
  message: text('What it says, or what is wrong, in one sentence'),
};

/** What is sent of store credentials, and the little that is ever shown of them. */
export const credentialsSchemas: Readonly<Record<string, Schema>> = {
  AppStoreCredentials: sentAlone(
    'A key of the App Store Server API, and the app’s number',
    ['issuerId', 'keyId', 'privateKey', 'appAppleId'],
    {
      issuerId: text('The issuer id of App Store Connect', { minLength: 1, maxLength: 255 }),
      keyId: text('The id of the key', { minLength: 1, maxLength: 255 }),
      privateKey: text('The text of the .p8 file: a P-256 key in PEM', { maxLength: 4096 }),
      appAppleId: integer('The app’s number in App Store Connect', { minimum: 1 }),
    },
  ),
  PlayStoreCredentials: sentAlone('A service account, and who pushes notifications', ['serviceAccount'], {
    serviceAccount: {
      description: 'Google’s key file, as an object or as its text',
      anyOf: [
        text('The text of the file'),
        sent('The file', ['client_email', 'private_key'], {
          client_email: text('The account'),
          private_key: text('Its RSA key in PEM'),
          private_key_id: text('The id of the key'),
          token_uri: text('Where it is exchanged for access tokens', { format: 'uri' }),
        }),
      ],
    },
    pushAudience: orNull(text('The audience of the push subscription; without it no notification is taken')),
    pushServiceAccountEmail: orNull(text('The account of the push subscription; without it no notification is taken')),
  }),
  StripeCredentials: sentAlone('A key of Stripe’s API, and what signs its webhooks', ['apiKey', 'webhookSecrets'], {
    apiKey: text('A secret or a restricted key', { minLength: 1, maxLength: 512 }),
    webhookSecrets: listOf(
      text('A secret', { minLength: 1, maxLength: 512 }),
      'Any one of them will do, so that one can be replaced by another',
      { maxItems: 20 },
    ),
  }),
  StoreCredentials: answered('For which stores the app has credentials; null where it has none', {
    appStore: orNull(ref('CredentialsState')),
    playStore: orNull(ref('CredentialsState')),
    stripe: orNull(ref('CredentialsState')),
  }),
  CredentialsState: answered('What may be shown of credentials', {
    setAt: time('When they were set'),
    lastCheck: {
      anyOf: [answered('The last check of them', { time: time('When'), ...check }), { type: 'null' }],
    },
  }),
  CredentialsCheck: answered('What the store says of the credentials', check),
};
