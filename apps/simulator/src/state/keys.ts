import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { makeAppStoreChain } from '@paywright/stores/testing';
import { z } from 'zod';
import type { Records } from './records.ts';
import { pemOf } from './simulated-app.ts';

/** The keys of the stores themselves. Secret. */
const StoreKeys = z.object({
  /** What the App Store signs with: certificates as base64 of DER, the key as PEM. */
  appStore: z.object({ root: z.string(), intermediate: z.string(), leaf: z.string(), leafKey: z.string() }),
  /** What Google signs push tokens with; PEM. */
  push: z.object({ keyId: z.string(), privateKey: z.string(), publicKey: z.string() }),
});
export type StoreKeys = z.output<typeof StoreKeys>;

/** The stores' keys: those that were made at the first start. */
export async function storeKeys(records: Records): Promise<StoreKeys> {
  const [known] = records.all('keys');
  if (known !== undefined) return StoreKeys.parse(known);
  const push = pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }));
  const keys: StoreKeys = { appStore: await makeAppStoreChain(), push: { keyId: randomUUID(), ...push } };
  records.put('keys', 'stores', keys);
  return keys;
}
