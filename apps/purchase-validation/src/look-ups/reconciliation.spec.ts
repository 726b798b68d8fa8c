import { expect, it } from '@jest/globals';
import { createLogger, ManualClock, Metrics } from '@paywright/platform';
import { askedAtATime } from '../asking/store-guard.ts';
import { chainId, now, observe, observed } from '../domain/testing/purchases.ts';
import { LookUpPace, type Room } from './look-up-pace.ts';
import { longestPauseMs, notReadPauseMs } from './next-look.ts';
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
    lookUps: { claimDue: async () => ({ looks: [{ appId: 1, chainId, subject }], shut: [], unread: [] }) },
    questions: { about: async () => answer },
    observed: {
      commandBody: async () => ({ answer, body: observe(observed()).body, missing: [] }),
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
      claimDue: async () => ({ looks, shut: [], unread: [] }),
      end: async ({ chainId }: { chainId: string }) => void done.push(chainId),
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

it('claims no more of an app than its store is asked at a time: what waited for its turn would have less than all of its time', async () => {
  const claimed: Room[] = [];
  const reconciliation = new Reconciliation({
    apps: { appIds: () => [1, 2] },
    lookUps: {
      claimDue: async (_now: number, _leaseMs: number, _limit: number, rooms: readonly Room[]) => {
        claimed.push(...rooms);
        return { looks: [], shut: [], unread: [] };
      },
    },
    ...{ clock: new ManualClock(now), metrics: new Metrics(), pace: new LookUpPace(10 * askedAtATime) },
  } as unknown as ReconciliationOptions);
  await reconciliation.lookUpDue();
  expect(claimed).toHaveLength(6);
  for (const { most } of claimed) expect(most).toBe(askedAtATime);
});

it('puts off what nobody has the key of, and says so once', async () => {
  const [putOff, lines]: [unknown[], string[]] = [[], []];
  const shut = ['a', 'b'].map((chain) => ({ appId: 1, chainId: chain }));
  const reconciliation = new Reconciliation({
    apps: { appIds: () => [1] },
    lookUps: {
      claimDue: async () => ({ looks: [], shut, unread: [] }),
      lookAt: async ({ chainId: chain }: { chainId: string }, at: number) => void putOff.push([chain, at]),
    },
    logger: createLogger({ service: 'test', level: 'error' }, { write: (line) => void lines.push(line) }),
    ...{ clock: new ManualClock(now), metrics: new Metrics(), pace: new LookUpPace(10) },
  } as unknown as ReconciliationOptions);
  await reconciliation.lookUpDue();
  expect(putOff).toEqual([
    ['a', now + longestPauseMs],
    ['b', now + longestPauseMs],
  ]);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ count: 2, appIds: [1], message: expect.stringContaining('MASTER_KEY_FORMER') }),
  ]);
});

it('leaves what a newer release wrote to that one, for a while, and says so', async () => {
  const [putOff, lines]: [unknown[], string[]] = [[], []];
  const reconciliation = new Reconciliation({
    apps: { appIds: () => [1] },
    lookUps: {
      claimDue: async () => ({ looks: [], shut: [], unread: [{ appId: 1, chainId: 'a' }] }),
      lookAt: async ({ chainId: chain }: { chainId: string }, at: number) => void putOff.push([chain, at]),
    },
    logger: createLogger({ service: 'test', level: 'warn' }, { write: (line) => void lines.push(line) }),
    ...{ clock: new ManualClock(now), metrics: new Metrics(), pace: new LookUpPace(10) },
  } as unknown as ReconciliationOptions);
  expect(await reconciliation.lookUpDue()).toBe(1);
  expect(putOff).toEqual([['a', now + notReadPauseMs]]);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'warn',
      count: 1,
      appIds: [1],
      message: expect.stringContaining('newer release'),
    }),
  ]);
});
