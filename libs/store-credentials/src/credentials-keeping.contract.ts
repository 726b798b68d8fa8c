import { describe, expect, it } from '@jest/globals';
import type { ManualClock } from '@paywright/platform';
import { purchaseStores } from '@paywright/contracts';
import { exampleCredentials } from './testing/example-credentials.ts';
import type { CredentialsKeeping } from './testing/in-memory-credentials-book.ts';

/** What the real book and the one in memory have in common. Every test takes an app of its own. */
export function credentialsKeepingContract(open: () => { book: CredentialsKeeping; clock: ManualClock }): void {
  let apps = 0;
  const scene = () => ({ ...open(), appId: ++apps });
  const none = { appStore: null, playStore: null, stripe: null };
  const renewed = { ...exampleCredentials.stripe, apiKey: 'sk_live_renewed' };

  describe('credentials of an app', () => {
    it('are none at first', () => {
      const { book, appId } = scene();
      expect(purchaseStores.map((store) => book.find(appId, store))).toEqual([null, null, null]);
      expect(book.summaries(appId)).toEqual(none);
    });

    it.each(purchaseStores)('for %s are found as they were put, by that app and store alone', async (store) => {
      const { book, appId, clock } = scene();
      await book.put(appId, store, exampleCredentials[store]);
      expect(book.find(appId, store)).toEqual(exampleCredentials[store]);
      for (const other of purchaseStores.filter((each) => each !== store)) expect(book.find(appId, other)).toBeNull();
      expect(book.find(appId + 1_000, store)).toBeNull();
      const shown = Object.values(book.summaries(appId)).filter((summary) => summary !== null);
      expect(shown).toEqual([{ setAt: clock.now(), lastCheck: null }]);
    });

    it('are the same object until others take their place', async () => {
      const { book, appId, clock } = scene();
      await book.put(appId, 'stripe', exampleCredentials.stripe);
      await book.put(appId, 'app_store', exampleCredentials.app_store);
      const first = book.find(appId, 'stripe');
      await book.put(appId, 'play_store', exampleCredentials.play_store);
      expect(book.find(appId, 'stripe')).toBe(first);
      clock.advance(1_000);
      await book.put(appId, 'stripe', renewed);
      expect(book.find(appId, 'stripe')).toEqual(renewed);
      expect(book.summaries(appId).stripe).toEqual({ setAt: clock.now(), lastCheck: null });
    });

    it('are gone when they are removed, once', async () => {
      const { book, appId } = scene();
      await book.put(appId, 'stripe', exampleCredentials.stripe);
      expect([await book.remove(appId, 'stripe'), await book.remove(appId, 'stripe')]).toEqual([true, false]);
      expect(book.find(appId, 'stripe')).toBeNull();
      expect(book.summaries(appId)).toEqual(none);
    });

    it('show what the store said of them, and nothing that it said of those before', async () => {
      const { book, appId, clock } = scene();
      await book.put(appId, 'stripe', exampleCredentials.stripe);
      const credentials = book.find(appId, 'stripe')!;
      const setAt = clock.now();
      clock.advance(5_000);
      await book.recordCheck(appId, 'stripe', { credentials, ok: false, message: 'Stripe refused the API key.' });
      const lastCheck = { time: clock.now(), ok: false, message: 'Stripe refused the API key.' };
      expect(book.summaries(appId).stripe).toEqual({ setAt, lastCheck });
      expect(book.find(appId, 'stripe')).toBe(credentials);

      await book.put(appId, 'stripe', renewed);
      await book.recordCheck(appId, 'stripe', { credentials, ok: true, message: 'Stripe takes the API key.' });
      expect(book.summaries(appId).stripe).toEqual({ setAt: clock.now(), lastCheck: null });
    });
  });
}
