import { generateKeyPairSync } from 'node:crypto';
import type { CredentialsOf } from '../stored-credentials.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Credentials of the right form, that open nothing. */
export const exampleCredentials: CredentialsOf = {
  app_store: {
    issuerId: '57246542-96fe-1a63-e053-0824d011072a',
    keyId: '2X9R4HXF34',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    appAppleId: 1234,
  },
  play_store: {
    serviceAccount: { client_email: 'reader@example.iam.gserviceaccount.com', private_key: 'play-private-key' },
    pushAudience: 'https://example.com/push',
    pushServiceAccountEmail: 'push@example.iam.gserviceaccount.com',
  },
  stripe: { apiKey: 'sk_live_example', webhookSecrets: ['whsec_example_1', 'whsec_example_2'] },
};

/** Every secret in them, as a leak would show it. */
export const secretsOfExample: readonly string[] = [
  exampleCredentials.app_store.privateKey.split('\n')[1] ?? '',
  exampleCredentials.play_store.serviceAccount.private_key,
  exampleCredentials.stripe.apiKey,
  ...exampleCredentials.stripe.webhookSecrets,
];
