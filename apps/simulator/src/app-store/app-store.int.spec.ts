import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Records } from '../state/records.ts';
import { SimulatorState } from '../state/simulator-state.ts';
import { inTime, simulatedWorld, type SimulatedWorld } from '../testing/simulated-world.ts';

let world: SimulatedWorld;
beforeAll(async () => {
  world = await simulatedWorld();
});
afterAll(() => world.end());

const day = 86_400_000;
const monthly = { productId: 'pro.monthly', price: 9.99, currency: 'USD' };

async function buy(fields: object = {}) {
  const { transactionId = '', originalTransactionId = '' } = await world.post('/app-store/purchases', {
    ...monthly,
    ...fields,
  });
  return { transactionId, originalTransactionId, productId: 'pro.monthly' };
}
const observe = (id: string) => world.appStore.observe(id, 'production', inTime());
const act = (id: string, action: string, body: object = {}) => world.post(`/app-store/purchases/${id}/${action}`, body);

describe('the simulated App Store', () => {
  it('sells what the real library validates', async () => {
    const account = 'b1e0e7a4-9b1f-4a34-8f0b-0d3f1c6c2c11';
    const sold = await buy({ appAccountToken: account });
    const observation = await world.appStore.validate(sold, inTime());
    expect(observation).toMatchObject({ environment: 'production', originalId: sold.originalTransactionId, account });
    expect(observation.subscription).toMatchObject({ status: 'active', willRenew: true });
    expect(observation.transactions[0]?.price).toEqual({ amount: '9.99', currency: 'USD' });
    expect(world.heardOf(sold.originalTransactionId)).toEqual(['SUBSCRIBED/INITIAL_BUY']);
  });

  it('sells in the sandbox, where production knows nothing of it', async () => {
    const sold = await buy({ environment: 'sandbox' });
    expect((await world.appStore.validate(sold, inTime())).environment).toBe('sandbox');
    await expect(observe(sold.originalTransactionId)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('turns a trial into months, each a transaction of its own, signed at its time', async () => {
    const bought = world.clock.now();
    const sold = await buy({ offerType: 'free_trial' });
    const { subscription: began } = await world.appStore.validate(sold, inTime());
    expect(began).toMatchObject({ status: 'trial', renewalPrice: { amount: '9.99', currency: 'USD' } });
    await world.advance('P40D');
    expect(world.heardOf(sold.originalTransactionId)).toEqual(['SUBSCRIBED/INITIAL_BUY', 'DID_RENEW', 'DID_RENEW']);
    const { transactions, subscription } = await observe(sold.originalTransactionId);
    expect(transactions.map(({ transactionId }) => transactionId)).toContain(String(BigInt(sold.transactionId) + 2n));
    expect(subscription).toMatchObject({ status: 'active' });
    expect(subscription!.expiresAt! - bought).toBeGreaterThan(60 * day);
    const late = world.gateway.received.at(-1)!;
    const { observation } = await world.appStore.readNotification(late.body, inTime());
    expect(observation!.observedAt).toBeGreaterThanOrEqual(subscription!.startsAt);
    expect(observation!.observedAt).toBeLessThan(subscription!.startsAt + day);
  });

  it('lets a customer go, and come back before the end', async () => {
    const { originalTransactionId: id } = await buy();
    await act(id, 'cancel');
    expect((await observe(id)).subscription).toMatchObject({ status: 'active', willRenew: false });
    await act(id, 'uncancel');
    expect((await observe(id)).subscription).toMatchObject({ willRenew: true });
    await act(id, 'cancel');
    await world.advance('P31D');
    const { subscription } = await observe(id);
    expect(subscription).toMatchObject({ status: 'expired', cancellationReason: 'voluntarily_cancelled' });
    const switched = (word: string) => `DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_${word}`;
    expect(world.heardOf(id).slice(1)).toEqual([
      switched('DISABLED'),
      switched('ENABLED'),
      switched('DISABLED'),
      'EXPIRED/VOLUNTARY',
    ]);
  });

  it('sells again soon after the end: the customer bought it, and what follows renews the first', async () => {
    const bought = world.clock.now();
    const { originalTransactionId: id } = await buy();
    await act(id, 'expire');
    await world.advance('P9D');
    await act(id, 'renew');
    expect(world.heardOf(id).at(-1)).toBe('SUBSCRIBED/RESUBSCRIBE');
    const begun = async () => (await observe(id)).transactions.map((one) => one.originallyPurchasedAt)[0];
    expect(await begun()).toBeUndefined();
    await world.advance('P32D');
    expect(Math.abs((await begun())! - bought)).toBeLessThan(day);
  });

  it('sells anew long after the end: what follows renews that', async () => {
    const { originalTransactionId: id } = await buy();
    await act(id, 'expire');
    await world.advance('P90D');
    const back = world.clock.now();
    await act(id, 'renew');
    const begun = async () => (await observe(id)).transactions.map((one) => one.originallyPurchasedAt)[0];
    expect(await begun()).toBeUndefined();
    await world.advance('P32D');
    expect(Math.abs((await begun())! - back)).toBeLessThan(day);
  });

  it('waits for its money: grace, retry, and the end', async () => {
    const { originalTransactionId: id } = await buy();
    await act(id, 'fail-billing');
    await world.advance('P32D');
    const { subscription } = await observe(id);
    expect(subscription).toMatchObject({ status: 'grace' });
    expect(subscription!.graceExpiresAt! - subscription!.expiresAt!).toBe(16 * day);
    await world.advance('P16D');
    expect((await observe(id)).subscription?.status).toBe('billing_retry');
    await world.advance('P45D');
    expect((await observe(id)).subscription).toMatchObject({ status: 'expired', cancellationReason: 'billing_error' });
    const story = ['DID_FAIL_TO_RENEW/GRACE_PERIOD', 'GRACE_PERIOD_EXPIRED', 'EXPIRED/BILLING_RETRY'];
    expect(world.heardOf(id).slice(1)).toEqual(story);
  });

  it('is paid late, and goes on in the old rhythm', async () => {
    const { originalTransactionId: id } = await buy();
    const { expiresAt } = (await observe(id)).subscription!;
    await act(id, 'fail-billing');
    await world.advance('P33D');
    await act(id, 'recover-billing');
    expect((await observe(id)).subscription).toMatchObject({ status: 'active', startsAt: expiresAt });
    expect(world.heardOf(id)).toEqual([
      'SUBSCRIBED/INITIAL_BUY',
      'DID_FAIL_TO_RENEW/GRACE_PERIOD',
      'DID_RENEW/BILLING_RECOVERY',
    ]);
  });

  it('gives money back, and takes it again', async () => {
    const { originalTransactionId: id } = await buy();
    await act(id, 'refund');
    const refunded = await observe(id);
    expect(refunded.subscription?.status).toBe('revoked');
    expect(refunded.refunds).toMatchObject([{ transactionId: id }]);
    await act(id, 'reverse-refund');
    expect((await observe(id)).subscription?.status).toBe('active');
    expect(world.heardOf(id)).toEqual(['SUBSCRIBED/INITIAL_BUY', 'REFUND', 'REFUND_REVERSED']);
  });

  it('sells several pieces in one transaction, which has the price of all, and gives a part of it back', async () => {
    const { originalTransactionId: id } = await buy({ type: 'consumable', price: '1.99', quantity: 3 });
    expect((await observe(id)).transactions).toMatchObject([{ kind: 'one_time', price: { amount: '5.97' } }]);
    await act(id, 'refund', { percent: 50 });
    const { refunds } = await observe(id);
    expect(refunds).toMatchObject([{ transactionId: id }]);
    expect(Number(refunds[0]?.amount?.amount)).toBeCloseTo(2.99, 3);
  });

  it('knows upgrades, downgrades, price increases, family access and the end at once', async () => {
    const { originalTransactionId: up } = await buy();
    await act(up, 'upgrade', { productId: 'pro.yearly', price: '59.99', period: 'P1Y' });
    expect((await observe(up)).subscription).toMatchObject({ productId: 'pro.yearly', status: 'active' });
    const { originalTransactionId: down } = await buy();
    await act(down, 'downgrade', { productId: 'basic.monthly', price: '4.99' });
    expect((await observe(down)).subscription).toMatchObject({ productId: 'pro.monthly', renewsAs: 'basic.monthly' });
    const { originalTransactionId: dear } = await buy();
    await act(dear, 'price-increase', { price: '14.99', consented: false });
    const { originalTransactionId: family } = await buy({ familyShared: true });
    await act(family, 'revoke');
    expect((await observe(family)).revokedTransactions).toEqual([family]);
    await world.advance('P31D');
    expect((await observe(down)).transactions[0]).toMatchObject({
      productId: 'basic.monthly',
      price: { amount: '4.99' },
    });
    expect((await observe(dear)).subscription?.cancellationReason).toBe('price_increase');
    await act(down, 'expire');
    expect((await observe(down)).subscription).toMatchObject({ status: 'expired', cancellationReason: 'unknown' });
  });

  it('sells once what is no subscription', async () => {
    const { transactionId } = await world.post('/app-store/purchases', {
      productId: 'coins',
      price: 1.99,
      type: 'consumable',
    });
    const claimed = { transactionId: transactionId!, originalTransactionId: transactionId!, productId: 'coins' };
    const { subscription, transactions } = await world.appStore.validate(claimed, inTime());
    expect([subscription, transactions[0]?.kind, world.heardOf(transactionId)]).toEqual([
      null,
      'one_time',
      ['ONE_TIME_CHARGE'],
    ]);
  });

  it('tells of its notifications as far back as Apple does', async () => {
    const now = world.clock.now();
    const read = (environment: 'production' | 'sandbox', days: number) =>
      world.appStore.notificationHistory({ environment, from: now - days * day, to: now, after: null }, inTime());
    for (const [environment, keptDays] of [['production', 180] as const, ['sandbox', 30] as const]) {
      await expect(read(environment, keptDays - 1)).resolves.toMatchObject({ notifications: expect.any(Array) });
      await expect(read(environment, keptDays + 1)).rejects.toMatchObject({ kind: 'unavailable' });
    }
  });

  it('refuses a key that is not the app’s, and has no pause', async () => {
    const { originalTransactionId: id } = await buy();
    const bearer = { authorization: 'Bearer e30.e30.e30' };
    const { status } = await fetch(`${world.server.url}/app-store-api/production/inApps/v1/transactions/${id}`, {
      headers: bearer,
    });
    const paused = await world.call('POST', `/app-store/purchases/${id}/pause`);
    expect([status, paused.status, paused.body['error']]).toEqual([401, 409, 'This store has no pause.']);
  });
});

describe('the issuers of its certificates', () => {
  const certificates = (status: string, certificate = 'leaf') =>
    world.post('/app-store/certificates', { certificate, status });
  const ask = async () => world.askingAppStore.validate(await buy(), inTime());

  it('say that they are good, until they are told otherwise', async () => {
    await expect(ask()).resolves.toMatchObject({ subscription: { status: 'active' } });
    expect(await certificates('revoked')).toEqual({ leaf: 'revoked', intermediate: 'good' });
    await expect(ask()).resolves.toMatchObject({ environment: 'production' }); // for a quarter of an hour
    await world.advance('PT15M');
    await expect(ask()).rejects.toMatchObject({ name: 'StoreFault' });
    await certificates('good');
    await certificates('unknown', 'intermediate');
    await expect(ask()).rejects.toMatchObject({ name: 'StoreFault' });
    await certificates('good', 'intermediate');
    await expect(ask()).resolves.toMatchObject({ environment: 'production' });
  });

  it('are silent when the store is', async () => {
    await world.advance('PT15M');
    const sold = await buy();
    await world.askingAppStore.validate(sold, inTime());
    const asked = () => world.simulator.journal.last(50, (entry) => entry['path'] === '/ocsp');
    expect(asked().map(({ status }) => status)).toContain(200);
    await world.advance('PT15M');
    // The first answer is the store's own, the two behind it the issuers'.
    await world.post('/faults', { store: 'app-store', kind: 'slow', delayMs: 0 });
    await world.post('/faults', { store: 'app-store', kind: 'html', count: 2 });
    await expect(world.askingAppStore.validate(sold, inTime())).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(world.askingAppStore.validate(sold, inTime())).resolves.toMatchObject({
      environment: 'production',
    });
  });

  it('refuse what is no question, and what is no status', async () => {
    expect(await world.call('POST', '/ocsp', { no: 'question' })).toMatchObject({
      ...{ status: 400, body: { code: 'MALFORMED_OCSP' } },
    });
    expect(await world.call('POST', '/app-store/certificates', { status: 'bad' })).toMatchObject({ status: 400 });
    expect((await world.call('GET', '/app-store/certificates')).body).toEqual({ leaf: 'good', intermediate: 'good' });
  });

  it('are at the same address when it is started again', async () => {
    const first = await simulatedWorld();
    const { port } = first.server;
    await first.end({ keeps: true });
    const again = await simulatedWorld(first.folder);
    expect(again.server.port).toBe(port);
    const { transactionId = '', originalTransactionId = '' } = await again.post('/app-store/purchases', monthly);
    const sold = { transactionId, originalTransactionId, productId: 'pro.monthly' };
    const asked = again.askingAppStore.validate(sold, inTime());
    await expect(asked).resolves.toMatchObject({ environment: 'production' });
    await again.end();
  });

  it('are at the address that is served, if the port that was chosen before they were made is taken', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
    const state = new SimulatorState(new Records(folder));
    state.set({ port: world.server.port });
    state.close();
    const other = await simulatedWorld(folder);
    expect(other.server.port).not.toBe(world.server.port);
    expect(other.simulator.keys.ocspUrl).toBe(`${other.server.url}/ocsp`);
    await other.end();
  });
});
