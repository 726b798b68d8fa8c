import { expect, it } from '@jest/globals';
import { ManualClock, Metrics } from '@paywright/platform';
import { StoreFault } from '@paywright/stores';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreGuard } from '../asking/store-guard.ts';
import { chainId, now, observe, observed } from '../domain/testing/purchases.ts';
import { LookUpPace, type Room } from './look-up-pace.ts';
import { Reconciliation, type ReconciliationOptions } from './reconciliation.ts';

it('asks again for what it could not publish: the next time is noted behind it', async () => {
  const subject = { store: 'play_store', purchaseToken: 't', kind: 'subscription', orderId: null } as const;
  const done: string[] = [];
  const note = (what: string) => async () => void done.push(what);
  const publish = async (messages: readonly unknown[]) => {
    done.push(`publish ${messages.length}`);
    if (done.length === 1) throw new Error('The broker is away.');
  };
  const answer = {
    ...{ observation: observed(), chainId, subject },
    ...{ isReplaced: false, replacedChains: [], buyer: null },
  };
  const reconciliation = new Reconciliation({
    apps: { appIds: () => [1] },
    lookUps: { claimDue: async () => [{ appId: 1, chainId, subject }] },
    questions: { about: async () => answer },
    observed: {
      commandBody: async () => ({ body: observe(observed()).body, missing: [] }),
      keep: note('keep'),
      replacements: () => [],
    },
    ...{ publish, clock: new ManualClock(now), metrics: new Metrics(), pace: new LookUpPace(10) },
  } as unknown as ReconciliationOptions);
  await expect(reconciliation.lookUpDue()).rejects.toThrow('The broker is away.');
  await reconciliation.lookUpDue();
  expect(done).toEqual(['publish 1', 'publish 1', 'keep']);
});

it('loses none of the others where one fails: all are done when it is told', async () => {
  const looks = ['a', 'b', 'c'].map((purchaseToken) => ({
    ...{ appId: 1, chainId: purchaseToken },
    subject: { store: 'play_store', purchaseToken, kind: 'subscription', orderId: null } as const,
  }));
  const done: string[] = [];
  const reconciliation = new Reconciliation({
    apps: { appIds: () => [1] },
    lookUps: {
      claimDue: async () => looks,
      lookAt: async ({ chainId }: { chainId: string }) => void done.push(chainId),
    },
    questions: {
      about: async (_appId: number, { purchaseToken }: { purchaseToken: string }) => {
        if (purchaseToken === 'a') throw new TypeError('ours');
        await new Promise((resolve) => setImmediate(resolve));
        return null;
      },
    },
    ...{ clock: new ManualClock(now), metrics: new Metrics(), pace: new LookUpPace(10) },
  } as unknown as ReconciliationOptions);
  await expect(reconciliation.lookUpDue()).rejects.toThrow('ours');
  expect(done).toEqual(['b', 'c']);
});

it('asks a store about no more at a time than it is asked: what waited could not be answered in time any more', async () => {
  const guard = new StoreGuard(new Metrics());
  const unanswered: string[] = [];
  const subject = { store: 'play_store', purchaseToken: 't', kind: 'subscription', orderId: null } as const;
  const reconciliation = new Reconciliation({
    apps: { appIds: () => [1] },
    lookUps: {
      claimDue: async (_now: number, _leaseMs: number, limit: number, rooms: readonly Room[]) => {
        const most = rooms.find(({ store }) => store === subject.store)?.most ?? 0;
        return Array.from({ length: Math.min(limit, most) }, () => ({ appId: 1, chainId, subject }));
      },
      lookAt: async () => undefined,
      unanswered: async (_look: unknown, _now: number, fault: string) => void unanswered.push(fault),
    },
    questions: {
      about: (appId: number, { store }: typeof subject, deadlineMs: number) =>
        guard.ask({ appId, store, asker: 'look-ups' }, deadlineMs / 25, (signal) =>
          delay(deadlineMs / 25 / 1.6, null, { signal }).catch(() => {
            throw new StoreFault('unavailable', 'The store did not answer in time.');
          }),
        ),
    },
    ...{ clock: new ManualClock(now), metrics: new Metrics(), pace: new LookUpPace(25) },
  } as unknown as ReconciliationOptions);
  expect(await reconciliation.lookUpDue()).toBeGreaterThan(10);
  expect(unanswered).toEqual([]);
});
