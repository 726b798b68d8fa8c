import type { StoreName } from './domain/purchase.ts';
import { playPushKeys } from '@paywright/stores/testing';
import { ok, type Answer, type Call } from './http/call.ts';
import type { Simulator } from './simulator.ts';

/** What a call on one of the stores is about, and who answers it. */
export interface StoreCall {
  readonly store: StoreName;
  readonly answer: () => Promise<Answer>;
}

/** Where the stores' interfaces are. The libraries of Google and Stripe take no path before it: both are at the root. */
export const storePaths = {
  appStore: { production: '/app-store-api/production', sandbox: '/app-store-api/sandbox' },
  ocsp: '/ocsp',
  playStore: '/androidpublisher',
  googleToken: '/token',
  googleKeys: '/oauth2/v3/certs',
  stripe: '/v1',
} as const;

/** The calls of the stores' own interfaces; null for a call that is none of them. */
export function storeCall(simulator: Simulator, call: Call, url: string): StoreCall | null {
  const { appStore, revocations, playStore, stripe, keys } = simulator;
  const { path } = call;
  for (const environment of ['production', 'sandbox'] as const) {
    const base = storePaths.appStore[environment];
    if (path.startsWith(`${base}/`))
      return { store: 'app-store', answer: () => appStore[environment].answer(call, path.slice(base.length)) };
  }
  if (path === storePaths.ocsp && call.method === 'POST')
    return { store: 'app-store', answer: async () => revocations.answer(call) };
  const play = (answer: () => Answer | Promise<Answer>): StoreCall => ({
    store: 'play-store',
    answer: async () => answer(),
  });
  if (path.startsWith(`${storePaths.playStore}/`)) return play(() => playStore.answer(call));
  if (path === storePaths.googleToken && call.method === 'POST')
    return play(() => playStore.exchange(call, `${url}${storePaths.googleToken}`));
  if (path === storePaths.googleKeys)
    return play(async () => ok(await playPushKeys(keys.push.keyId, keys.push.publicKey)));
  if (path.startsWith(`${storePaths.stripe}/`)) return { store: 'stripe', answer: async () => stripe.answer(call) };
  return null;
}
