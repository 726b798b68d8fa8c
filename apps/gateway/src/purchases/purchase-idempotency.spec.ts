import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { nobody, PurchaseClient, refusalIn, storesNo } from '../testing/purchase-client.ts';
import { otherSecretKey, startTestGateway, v1, type TestGateway } from '../testing/test-gateway.ts';

let gateway: TestGateway;
let client: PurchaseClient;
let keys = 0;
let keyed: Record<string, string>;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  client = await PurchaseClient.startedOver(gateway);
  keyed = { 'idempotency-key': `purchase-${(keys += 1)}` };
});
afterAll(() => gateway.app.close());

it('a purchase is asked for once', async () => {
  const first = await client.appStore({}, keyed);
  expect((await client.appStore({}, keyed)).body).toBe(first.body);
  expect(client.asked).toHaveLength(1);
});

it.each([...storesNo, 'STORE_UNAVAILABLE'] as const)(
  'the store is asked again after %s, by a command of its own',
  async (code) => {
    client.refuseWith(code);
    expect((await client.play({}, keyed)).json().code).toBe(code);
    client.sell();
    expect((await client.play({}, keyed)).statusCode).toBe(200);
    const [first, second] = client.asked;
    expect(second?.id).not.toBe(first?.id);
  },
);

it('credentials count as soon as they are there', async () => {
  const headers = { ...keyed, authorization: otherSecretKey };
  const customer = { profileId: null, customerUserId: 'u' };
  await gateway.request('POST', `${v1}/profiles`, { customerUserId: 'u' }, { authorization: otherSecretKey });
  expect((await client.appStore(customer, headers)).json().code).toBe('STORE_NOT_CONFIGURED');
  const { credentials } = gateway.parts;
  await credentials.put(2, 'app_store', credentials.find(1, 'app_store')!);
  expect((await client.appStore(customer, headers)).statusCode).toBe(200);
  await credentials.remove(2, 'app_store');
});

it.each([
  [400, 'VALIDATION_FAILED', () => client.appStore({ productId: null }, keyed)],
  [404, 'PROFILE_NOT_FOUND', () => client.appStore({ profileId: nobody }, keyed)],
  [422, 'PURCHASE_BELONGS_TO_ANOTHER_PROFILE', () => client.appStore({}, keyed)],
] as const)('a %d %s is kept', async (status, code, send) => {
  client.refuseWith('PURCHASE_BELONGS_TO_ANOTHER_PROFILE');
  const first = await send();
  expect(refusalIn(first)).toEqual([status, code]);
  const before = client.asked.length;
  expect((await send()).body).toBe(first.body);
  expect(client.asked).toHaveLength(before);
});

it('another body is refused, also after a no that is not kept', async () => {
  client.refuseWith('TRANSACTION_NOT_FOUND');
  await client.appStore({}, keyed);
  expect(refusalIn(await client.appStore({ price: 1 }, keyed))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
});
