import { describe, expect, it } from '@jest/globals';
import { ManualClock, SystemClock } from '@paywright/platform';
import { storeSettings, storesConfig } from '@paywright/stores';
import { z } from 'zod';
import { StoreAccess } from './store-access.ts';
import { exampleCredentials } from './testing/example-credentials.ts';
import { InMemoryCredentialsBook } from './testing/in-memory-credentials-book.ts';

const settings = storeSettings({ ...z.object(storesConfig).parse({}), NODE_ENV: 'test' });

function opened() {
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  const book = new InMemoryCredentialsBook(clock);
  return { book, access: new StoreAccess({ book, settings, clock, wallClock: new SystemClock() }) };
}

describe('StoreAccess', () => {
  it('has no client where there are no credentials', () => {
    const { access } = opened();
    expect([access.appStore(1, 'com.example'), access.playStore(1, 'com.example'), access.stripe(1)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  const cases = [
    ['app_store', (access: StoreAccess, appId: number) => access.appStore(appId, 'com.example')],
    ['play_store', (access: StoreAccess, appId: number) => access.playStore(appId, 'com.example')],
    ['stripe', (access: StoreAccess, appId: number) => access.stripe(appId)],
  ] as const;

  it.each(cases)('keeps the client of %s for an app until its credentials change', async (store, clientOf) => {
    const { book, access } = opened();
    await book.put(1, store, exampleCredentials[store]);
    await book.put(2, store, exampleCredentials[store]);
    const client = clientOf(access, 1);
    expect(client).not.toBeNull();
    expect(clientOf(access, 1)).toBe(client);
    expect(clientOf(access, 2)).not.toBe(client);
    await book.put(1, store, exampleCredentials[store]);
    expect(clientOf(access, 1)).not.toBe(client);
    await book.remove(1, store);
    expect(clientOf(access, 1)).toBeNull();
  });

  it('makes another client when the app has another name at the store', async () => {
    const { book, access } = opened();
    await book.put(1, 'app_store', exampleCredentials.app_store);
    await book.put(1, 'play_store', exampleCredentials.play_store);
    const before = [access.appStore(1, 'com.example'), access.playStore(1, 'com.example')];
    expect(access.appStore(1, 'com.other')).not.toBe(before[0]);
    expect(access.playStore(1, 'com.other')).not.toBe(before[1]);
  });
});
