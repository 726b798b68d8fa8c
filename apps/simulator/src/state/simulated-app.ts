import { generateKeyPairSync, randomBytes, randomUUID, type KeyPairKeyObjectResult } from 'node:crypto';
import { z } from 'zod';

/** What the simulated stores know of a product; what is left out of a purchase is taken from here. */
export const SimulatedProduct = z.strictObject({
  productId: z.string().min(1).max(255),
  /** Play's base plan, Stripe's price. */
  planId: z.string().min(1).max(255).nullish(),
  /** ISO 8601 duration; null: bought once. */
  period: z
    .string()
    .regex(/^P(?=\d)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?$/, 'must be a duration such as P1M')
    .nullable(),
});

/** An app at all three stores, with the keys that it has there. Secret but for the ids and names. */
export const SimulatedApp = z.object({
  appId: z.int(),
  bundleId: z.string(),
  packageName: z.string(),
  /** Base address of the gateway that is notified; null: nobody is. */
  gateway: z.string().nullable(),
  products: z.array(SimulatedProduct),
  appStore: z.object({
    issuerId: z.string(),
    keyId: z.string(),
    privateKey: z.string(),
    publicKey: z.string(),
    appAppleId: z.int(),
  }),
  playStore: z.object({
    clientEmail: z.string(),
    privateKeyId: z.string(),
    privateKey: z.string(),
    publicKey: z.string(),
    pushAudience: z.string(),
    pushServiceAccountEmail: z.string(),
  }),
  stripe: z.object({ apiKey: z.string(), webhookSecret: z.string() }),
});
export type SimulatedApp = z.output<typeof SimulatedApp>;

export type AppRegistration = Pick<SimulatedApp, 'appId' | 'bundleId' | 'packageName' | 'gateway' | 'products'>;

/** A new app with keys of its own. */
export function newApp(registration: AppRegistration): SimulatedApp {
  const { appId } = registration;
  const project = `simulated-app-${appId}.iam.gserviceaccount.com`;
  return {
    ...registration,
    appStore: {
      issuerId: randomUUID(),
      keyId: randomBytes(5).toString('hex').toUpperCase(),
      ...pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
      appAppleId: 6_400_000_000 + appId,
    },
    playStore: {
      clientEmail: `validator@${project}`,
      privateKeyId: randomBytes(20).toString('hex'),
      ...pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 })),
      pushAudience: `https://paywright.example/apps/${appId}`,
      pushServiceAccountEmail: `push@${project}`,
    },
    stripe: {
      apiKey: `sk_live_${randomBytes(24).toString('hex')}`,
      webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
    },
  };
}

/** Both halves of a key as PEM. */
export const pemOf = ({ privateKey, publicKey }: KeyPairKeyObjectResult) => ({
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
});

/** What a gateway must be given for the app: the bodies of the admin API's credentials, by store. */
export function credentialsOf({ appStore, playStore, stripe }: SimulatedApp, simulatorUrl: string) {
  const { issuerId, keyId, privateKey, appAppleId } = appStore;
  return {
    appStore: { issuerId, keyId, privateKey, appAppleId },
    playStore: {
      serviceAccount: {
        type: 'service_account',
        client_email: playStore.clientEmail,
        private_key_id: playStore.privateKeyId,
        private_key: playStore.privateKey,
        token_uri: `${simulatorUrl}/token`,
      },
      pushAudience: playStore.pushAudience,
      pushServiceAccountEmail: playStore.pushServiceAccountEmail,
    },
    stripe: { apiKey: stripe.apiKey, webhookSecrets: [stripe.webhookSecret] },
  };
}
