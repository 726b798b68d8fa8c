import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deriveKey } from '@paywright/platform';
import { SessionTokens } from '@paywright/session-token';
import type { Product } from '@paywright/testing';
import { Admin, App } from '../conformance/clients.ts';
import type { Json } from '../conformance/http.ts';
import type { History } from '../faults/history.ts';
import { Load } from '../faults/load.ts';
import { Simulator } from '../purchases/simulator.ts';
import { dataOf } from '../purchases/world.ts';

const clients = 4;
const placementId = 'onboarding';
const productId = 'stillwater.premium.monthly';
const device = { country: 'DE', device: 'iPhone17,1', os: 'iOS 26.0', platform: 'ios' };

const keyOf = (product: Product): string => product.runtime().demo?.secretKey ?? '';
const appOf = (product: Product) => new App(product.gateway, keyOf(product));

/** Clients that write down in the history what they were told. */
export function startLoad(product: Product, history: History): Load {
  const { masterKey }: { masterKey: string } = JSON.parse(readFileSync(join(product.dataDir, 'secrets.json'), 'utf8'));
  const tokens = new SessionTokens([{ id: 1, secret: deriveKey(masterKey, 'session-token') }]);
  const decisionOf = (paywallSessionId: string) => {
    const verification = tokens.verify(paywallSessionId);
    if (!verification.ok) throw new Error(`The gateway gave a token that does not verify: ${verification.fault}`);
    return verification.claims;
  };
  const target = { gateways: () => [product.gateway], secretKey: keyOf(product), placementId, decisionOf };
  return new Load(target, history, clients);
}

/** Writes once more to profiles that the history has, of which each is to be acknowledged. */
export async function writeOn(product: Product, { profiles }: History): Promise<void> {
  for (const { profileId, attributeWrites } of profiles.slice(0, 10)) {
    const marker = randomUUID();
    dataOf(
      await appOf(product).v1('/profiles/custom-attributes', { profileId, custom: { key: 'step', value: marker } }),
    );
    attributeWrites.push({ marker, outcome: 'acknowledged' });
  }
}

/** Somebody with a name, an address and a subscription that is paid. */
export async function newBuyer(product: Product, email = 'buyer@example.com'): Promise<string> {
  const person = { ...device, customerUserId: randomUUID(), email };
  const { profileId } = dataOf(await appOf(product).v1('/profiles', person));
  await buy(product, profileId);
  return profileId;
}

const adminOf = (product: Product) => new Admin(product.gateway, product.runtime().adminToken ?? '');
const pathOf = (product: Product, profileId: string) => `/apps/${product.runtime().demo?.appId}/profiles/${profileId}`;

export async function erase(product: Product, profileId: string): Promise<void> {
  const { status } = await adminOf(product).delete(pathOf(product, profileId));
  if (status !== 202) throw new Error(`Not erased: ${status}`);
}

/** The address of somebody, as the admin API shows it; null if it knows nobody. */
export async function addressOf(product: Product, profileId: string): Promise<string | null> {
  const { status, body } = await adminOf(product).get(pathOf(product, profileId));
  return status === 404 ? null : body.data.email;
}

/** A purchase in the simulated App Store, which is asked about it: by credentials that the master key opens. */
export async function buy(product: Product, profileId: string): Promise<void> {
  const { simulator, demo } = product.runtime();
  const sale = { appId: demo?.appId, productId, price: '9.99', currency: 'USD', notify: false };
  const bought = await new Simulator(simulator ?? '').call('POST', '/app-store/purchases', sale);
  const { transactionId, originalTransactionId } = bought;
  const receipt = { profileId, productId, transactionId, originalTransactionId };
  dataOf(await appOf(product).v1('/purchases/apple-store/validate', receipt));
}

/** What the admin API shows of profiles: themselves, their timelines, decisions and ledgers. */
export async function shownOf(product: Product, profileIds: readonly string[]): Promise<Json> {
  const shown: Json = {};
  for (const profileId of profileIds)
    for (const part of ['', '/timeline', '/decisions', '/ledger']) {
      const path = pathOf(product, profileId) + part;
      shown[path] = dataOf(await adminOf(product).get(path));
    }
  return shown;
}

/** A purchase's entry in the ledger, as it is shown. */
export const ledgerOf = (shown: Json, profileId: string): readonly Json[] =>
  Object.entries<readonly Json[]>(shown).find(([path]) => path.endsWith(`${profileId}/ledger`))?.[1] ?? [];
