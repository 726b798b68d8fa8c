import { expect, it } from '@jest/globals';
import { ManualClock, Metrics } from '@paywright/platform';
import { chainId, now, observe, observed } from '../domain/testing/purchases.ts';
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
    lookUps: { claimDue: async () => [{ appId: 1, chainId, subject }] },
    questions: { about: async () => answer },
    observed: {
      commandBody: async () => ({ body: observe(observed()).body, missing: [] }),
      keep: note('keep'),
      replacements: () => [],
    },
    ...{ publish, clock: new ManualClock(now), metrics: new Metrics() },
  } as unknown as ReconciliationOptions);
  await expect(reconciliation.lookUpDue()).rejects.toThrow('The broker is away.');
  await reconciliation.lookUpDue();
  expect(done).toEqual(['publish 1', 'publish 1', 'keep']);
});
