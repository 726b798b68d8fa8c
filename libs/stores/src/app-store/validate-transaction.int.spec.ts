import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Observation } from '@paywright/contracts';
import { ManualClock } from '@paywright/platform';
import type { AppStoreApiServer } from '../testing/app-store-api-server.ts';
import { exampleApp, renewalPayload, transactionPayload } from '../testing/app-store-payloads.ts';
import { AppStorePki } from '../testing/app-store-pki.ts';
import type { AnswerFault } from '../testing/loopback-server.ts';
import { AppStore } from './app-store.ts';
import { appStoreWorld, credentials, inTime, noon, type AppStoreWorld } from './testing/app-store-world.ts';

let world: AppStoreWorld;
beforeEach(async () => {
  world = await appStoreWorld();
});
afterEach(() => world.stop());

const bought = { transactionId: '2000', originalTransactionId: '1000', productId: 'pro.monthly' };
const validate = (over = {}, signal = inTime()) => world.store.validate({ ...bought, ...over }, signal);
const fault = (kind: string) => ({ name: 'StoreFault', kind });
/** The question about the transaction, not the one about its subscription that comes before. */
const on = /transactions/;
const paths = ({ calls }: AppStoreApiServer) => calls.map(({ path }) => path);

describe('a transaction that the store has', () => {
  it('is observed with its subscription, by one call with a valid bearer', async () => {
    world.sells({ appAccountToken: '7E3FB20B-4CDB-47CC-936D-99D65F608138' });
    const observation = await validate();
    expect(Observation.parse(observation)).toEqual(observation);
    expect(observation).toMatchObject({
      store: 'app_store',
      environment: 'production',
      originalId: '1000',
      observedAt: noon,
      account: '7e3fb20b-4cdb-47cc-936d-99d65f608138',
      subscription: { status: 'active', willRenew: true, transactionId: '2000', expiresAt: noon + 30 * 86_400_000 },
      transactions: [{ transactionId: '2000', phase: 'regular', price: { amount: '9.99', currency: 'USD' } }],
      refunds: [],
    });
    expect(world.production.calls).toEqual([{ method: 'GET', path: '/inApps/v1/subscriptions/1000', status: 200 }]);
    expect(world.sandbox.calls).toEqual([]);
  });

  it('is asked for by itself where it is not the newest of its subscription', async () => {
    world.sells();
    world.sells({ transactionId: '2001' });
    const { transactions } = await validate();
    expect(transactions.map(({ transactionId }) => transactionId)).toEqual(['2001', '2000']);
    expect(paths(world.production).slice(0, 2)).toEqual([
      '/inApps/v1/subscriptions/1000',
      '/inApps/v1/transactions/2000',
    ]);
  });

  it('is a fact beside the newest one of its subscription', async () => {
    world.sells({ transactionId: '2001' });
    world.production.transactions.set('2000', world.pki.sign(transactionPayload(noon - 40 * 86_400_000)));
    const { transactions, subscription, observedAt } = await validate();
    expect(transactions.map(({ transactionId }) => transactionId)).toEqual(['2001', '2000']);
    expect(subscription?.transactionId).toBe('2001');
    expect(observedAt).toBe(noon);
  });

  it('renews what was bought anew, if its renewal info says so', async () => {
    const renewal = { transactionReason: 'RENEWAL', originalPurchaseDate: noon - 40 * 86_400_000 };
    world.sells(renewal, { recentSubscriptionStartDate: noon - 10 * 86_400_000 });
    expect((await validate()).transactions[0]?.originallyPurchasedAt).toBe(noon - 10 * 86_400_000);
  });

  it('needs one call if it is no subscription and the client says so', async () => {
    world.sells({ type: 'Non-Consumable', productId: 'lifetime', expiresDate: undefined });
    const oneTime = { subscription: null, transactions: [{ kind: 'one_time', expiresAt: null }] };
    expect(await validate({ productId: 'lifetime', isSubscription: false })).toMatchObject(oneTime);
    expect(paths(world.production)).toEqual(['/inApps/v1/transactions/2000']);
    expect(await validate({ productId: 'lifetime' })).toMatchObject(oneTime);
  });

  it('is the sandbox’s, if production does not know it or refuses the key', async () => {
    world.sells({ environment: 'Sandbox' });
    await expect(validate()).resolves.toMatchObject({ environment: 'sandbox' });
    world.production.faults.push({ kind: 'refused', on });
    await expect(validate()).resolves.toMatchObject({ environment: 'sandbox' });
    world.production.faults.push({ kind: 'broken', on });
    await expect(validate()).resolves.toMatchObject({ environment: 'sandbox' });
  });

  it('is looked for first where the client says, and is what the store says', async () => {
    world.sells();
    const observation = await validate({ environment: 'sandbox' });
    expect(observation.environment).toBe('production');
    expect(paths(world.sandbox)).toEqual(['/inApps/v1/subscriptions/1000', '/inApps/v1/transactions/2000']);
  });

  it('is told of by reconciliation where it is the newest: of before the app was connected nothing is', async () => {
    const year = 365 * 86_400_000;
    world.sells({ transactionId: '1000', purchaseDate: noon - 2 * year, expiresDate: noon - year, price: 59990 });
    world.sells({ transactionId: '2000' });
    const { transactions, subscription } = await world.store.observe('1000', 'production', inTime());
    expect(transactions.map(({ transactionId }) => transactionId)).toEqual(['2000']);
    expect(subscription).toMatchObject({ transactionId: '2000' });
  });

  it('is looked for by reconciliation too, refunded or not', async () => {
    world.sells({ transactionId: '1000', revocationDate: noon, revocationReason: 1 }, {}, 5);
    const observed = await world.store.observe('1000', 'production', inTime());
    expect(observed).toMatchObject({
      subscription: { status: 'revoked', cancellationReason: 'refund' },
      refunds: [{ transactionId: '1000', refundedAt: noon, amount: null, reason: 'issue' }],
    });
    await expect(world.store.observe('1000', 'sandbox', inTime())).rejects.toMatchObject(fault('not-found'));
  });
});

describe('a transaction that is refused', () => {
  it.each([
    ['unknown to both environments', {}, 'not-found', { transactionId: '9' }],
    ['of another product', {}, 'product-mismatch', { productId: 'pro.yearly' }],
    ['of another chain', {}, 'original-transaction-mismatch', { originalTransactionId: '1001' }],
    ['of another app', { bundleId: 'com.other' }, 'bundle-mismatch', {}],
    ['revoked', { revocationDate: noon }, 'revoked', {}],
    ['of a type of product that is new to us', { type: 'Lease' }, 'unavailable', {}],
    ['without its period', { expiresDate: undefined }, 'unavailable', {}],
  ])('is one %s', async (_, sold, kind, claimed) => {
    world.sells(sold);
    await expect(validate(claimed)).rejects.toMatchObject(fault(kind));
  });

  it.each([
    ['transactionId', {}, { transactionId: '9' }],
    ['productId', {}, { productId: 'pro.yearly' }],
    ['originalTransactionId', {}, { originalTransactionId: '1001' }],
    ['app.bundleId', { bundleId: 'com.other' }, {}],
  ])('says that it is %s that does not fit', async (field, sold, claimed) => {
    world.sells(sold);
    await expect(validate(claimed)).rejects.toThrow(field);
  });

  it.each(['', '../../../x?y=1', '1'.repeat(33), '12a', '1 ', '%2e', '٣'])(
    'has no id %j, and is not asked for',
    async (id) => {
      await expect(validate({ transactionId: id })).rejects.toMatchObject(fault('not-found'));
      await expect(world.store.observe(id, 'production', inTime())).rejects.toMatchObject(fault('not-found'));
      expect([...world.production.calls, ...world.sandbox.calls]).toEqual([]);
    },
  );

  it.each(['none', '../1000', '1'.repeat(33)])('is of another chain than %j, which is not asked for', async (id) => {
    world.sells();
    await expect(validate({ originalTransactionId: id })).rejects.toMatchObject(fault('original-transaction-mismatch'));
    expect(paths(world.production)[0]).toBe('/inApps/v1/transactions/2000');
  });

  it('is another than was asked for, of another environment, or signed by someone else', async () => {
    world.sells();
    const answerWith = (jws: string) => world.production.transactions.set('2000', jws);
    answerWith(world.pki.sign(transactionPayload(noon, { transactionId: '2001' })));
    await expect(validate({ isSubscription: false })).rejects.toMatchObject(fault('unavailable'));
    answerWith(world.pki.sign(transactionPayload(noon, { environment: 'Sandbox' })));
    await expect(validate({ isSubscription: false })).rejects.toMatchObject(fault('unavailable'));
    answerWith((await AppStorePki.create()).sign(transactionPayload(noon)));
    await expect(validate({ isSubscription: false })).rejects.toMatchObject(fault('unavailable'));
  });

  it('comes with a subscription that is left out, or whose parts are of another chain', async () => {
    world.sells();
    const { pki, production } = world;
    const entry = (over: object, transaction = {}, renewal = {}) => ({
      originalTransactionId: '1000',
      status: 1,
      signedTransactionInfo: pki.sign(transactionPayload(noon, transaction)),
      signedRenewalInfo: pki.sign(renewalPayload(noon, renewal)),
      ...over,
    });
    const wrong = [
      entry({ originalTransactionId: '1001' }),
      entry({ signedRenewalInfo: undefined }),
      entry({ signedTransactionInfo: undefined }),
      entry({}, { originalTransactionId: '1001' }),
      entry({}, { originalTransactionId: '1001' }, { originalTransactionId: '1001' }),
      entry({}, {}, { originalTransactionId: '1001' }),
      entry({ signedRenewalInfo: pki.sign(transactionPayload(noon)) }),
    ];
    for (const last of wrong) {
      production.subscriptions.set('1000', [last]);
      await expect(validate()).rejects.toMatchObject(fault('unavailable'));
    }
    production.subscriptions.set('1000', [...wrong.slice(0, 1), entry({})]);
    await expect(validate()).resolves.toMatchObject({ originalId: '1000' });
  });
});

describe('a store that does not answer', () => {
  /** A call whose kept connection is reset is made once more. */
  const faults = (kind: AnswerFault) => Array.from({ length: kind === 'reset' ? 2 : 1 }, () => ({ kind, on }));
  const passing: AnswerFault[] = ['too-many', 'broken', 'html', 'garbage', 'reset', 'not-found', 'gone'];

  it.each<[AnswerFault | null, AnswerFault | null, string]>([
    [null, null, 'not-found'],
    ['refused', 'refused', 'unavailable'],
    ['refused', null, 'unavailable'],
    [null, 'refused', 'unavailable'],
    ...passing.map((kind): [AnswerFault, null, string] => [kind, null, 'unavailable']),
    ...passing.map((kind): [null, AnswerFault, string] => [null, kind, 'unavailable']),
  ])(
    'in production %s and in the sandbox %s (null: does not know it), is %s',
    async (inProduction, inSandbox, kind) => {
      if (inProduction) world.production.faults.push(...faults(inProduction));
      if (inSandbox) world.sandbox.faults.push(...faults(inSandbox));
      await expect(validate()).rejects.toMatchObject(fault(kind));
      // An answer without a transaction is one, if a useless one: only a missing answer is looked for elsewhere.
      expect(world.sandbox.calls).toHaveLength(inProduction === 'garbage' ? 0 : 1);
    },
  );

  it('is left alone for a minute, once it was asked too much', async () => {
    const tooMany = { ...fault('unavailable'), restMs: 60_000 };
    world.production.faults.push({ kind: 'too-many' });
    await expect(validate()).rejects.toMatchObject(tooMany);
    world.sells();
    world.production.faults.push({ kind: 'too-many', on: /subscriptions/ });
    await expect(validate()).rejects.toMatchObject(tooMany);
  });

  it('fails a subscription whose state is not told', async () => {
    world.sells();
    world.production.subscriptions.clear();
    await expect(validate()).rejects.toMatchObject(fault('unavailable'));
  });

  it('is given up when the time is over, not later', async () => {
    world.production.faults.push({ kind: 'slow' });
    await expect(validate({}, AbortSignal.timeout(100))).rejects.toMatchObject(fault('unavailable'));
    expect(world.sandbox.calls).toEqual([]);
  });

  it('is not called after the time is over', async () => {
    await expect(validate({}, AbortSignal.abort())).rejects.toMatchObject(fault('unavailable'));
    expect(world.production.calls).toEqual([]);
  });
});

describe('credentials', () => {
  const storeWith = (over: object) =>
    new AppStore({ ...exampleApp, ...credentials, ...over }, world.settings, new ManualClock(noon));

  it.each(['', 'no key', credentials.privateKey.replace(/\w{20}/, 'A')])('cannot sign with %#', async (privateKey) => {
    const store = storeWith({ privateKey });
    await expect(store.validate(bought, inTime())).rejects.toMatchObject(fault('not-configured'));
    expect(world.production.calls).toEqual([]);
  });

  it.each([{ keyId: 'KEY2' }, { issuerId: 'issuer-2' }])('are refused with %j', async (over) => {
    world.sells();
    await expect(storeWith(over).validate(bought, inTime())).rejects.toMatchObject(fault('unavailable'));
    expect(world.production.calls.map(({ status }) => status)).toEqual([401, 401]);
  });
});
