import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { makeAppStoreChain } from '@paywright/stores/testing';
import { z } from 'zod';
import type { Records } from './records.ts';
import { pemOf } from './simulated-app.ts';

/** The keys of the stores themselves. Secret. */
const StoreKeys = z.object({
  /** What the App Store signs with: certificates as base64 of DER, the key as PEM. */
  appStore: z.object({
    root: z.string(),
    intermediate: z.string(),
    leaf: z.string(),
    leafKey: z.string(),
    ocspSigners: z
      .array(z.object({ issuer: z.string(), certificate: z.string(), key: z.string() }))
      .readonly()
      .exactOptional(),
  }),
  /** Where the certificates say that their issuers tell of revocations; those of former builds do not say it. */
  ocspUrl: z.string().optional(),
  /** What Google signs push tokens with; PEM. */
  push: z.object({ keyId: z.string(), privateKey: z.string(), publicKey: z.string() }),
});
export type StoreKeys = z.output<typeof StoreKeys>;

/** The stores' keys: those that were made at the first start. @param ocspUrl for certificates that are made now */
export async function storeKeys(records: Records, ocspUrl: string): Promise<StoreKeys> {
  const [known] = records.all('keys');
  if (known !== undefined) return StoreKeys.parse(known);
  const push = pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }));
  const appStore = await makeAppStoreChain({ ocspUrl });
  const keys: StoreKeys = { appStore, ocspUrl, push: { keyId: randomUUID(), ...push } };
  records.put('keys', 'stores', keys);
  return keys;
}
