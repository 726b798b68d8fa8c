import { time } from './example-ids.ts';

const pem = '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n';

export const appStoreCredentials = {
  issuerId: '57246542-96fe-1a63-e053-0824d011072a',
  keyId: '2X9R4HXF34',
  privateKey: pem,
  appAppleId: 1234567890,
};
export const playStoreCredentials = {
  serviceAccount: { client_email: 'reader@example.iam.gserviceaccount.com', private_key: pem },
  pushAudience: 'https://paywright.example.com/notifications/1/play-store',
  pushServiceAccountEmail: 'push@example.iam.gserviceaccount.com',
};
export const stripeCredentials = { apiKey: 'rk_live_…', webhookSecrets: ['whsec_…'] };

export const storeCredentials = {
  appStore: {
    setAt: time,
    lastCheck: { time, ok: true, message: 'The App Store takes the credentials.' },
  },
  playStore: { setAt: time, lastCheck: null },
  stripe: null,
};
export const credentialsCheck = { ok: false, message: 'Stripe refused the API key.' };
