import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Observation } from '@paywright/contracts';
import { notificationPayload, renewalPayload, transactionPayload, type Fields } from '../testing/app-store-payloads.ts';
import { AppStorePki } from '../testing/app-store-pki.ts';
import { appStoreWorld, inTime, noon, type AppStoreWorld } from './testing/app-store-world.ts';

let world: AppStoreWorld;
beforeAll(async () => {
  world = await appStoreWorld();
});
afterAll(() => world.stop());
beforeEach(() => {
  world.production.calls.length = 0;
});

const day = 86_400_000;
const read = (body: string | Uint8Array) => world.store.readNotification(body, inTime());
const bodyOf = (payload: object, pki = world.pki) => JSON.stringify({ signedPayload: pki.sign(payload) });
const fault = (kind: string) => ({ name: 'StoreFault', kind });

interface Parts {
  readonly transaction?: Fields | null;
  readonly renewal?: Fields | null;
  readonly data?: Fields;
  readonly outer?: Fields;
}

/** A notification with both of its parts, each with fields replaced or, for null, left out. */
function bodyWith(type: string, { transaction = {}, renewal = {}, data = {}, outer = {} }: Parts = {}): string {
  const { pki } = world;
  const signed = {
    ...(transaction && { signedTransactionInfo: pki.sign(transactionPayload(noon, transaction)) }),
    ...(renewal && { signedRenewalInfo: pki.sign(renewalPayload(noon, renewal)) }),
  };
  return bodyOf(notificationPayload(noon, type, { ...signed, ...data }, outer));
}
const observed = async (type: string, parts?: Parts) => (await read(bodyWith(type, parts))).observation;

describe('a notification', () => {
  it('is told of with what its own parts say, and the store is not asked', async () => {
    const notification = await read(
      new TextEncoder().encode(bodyWith('SUBSCRIBED', { outer: { subtype: 'INITIAL_BUY' } })),
    );
    expect(notification).toMatchObject({
      notificationId: '002e14d5-51f5-4503-b5a8-c3a1af68eb20',
      type: 'SUBSCRIBED',
      subtype: 'INITIAL_BUY',
      environment: 'production',
      observation: {
        originalId: '1000',
        subscription: { status: 'active' },
        transactions: [{ transactionId: '2000' }],
      },
    });
    expect(Observation.parse(notification.observation)).toEqual(notification.observation);
    expect(world.production.calls).toEqual([]);
  });

  it('is of the sandbox, if all of it is', async () => {
    const sandbox = { environment: 'Sandbox' };
    const data = { ...sandbox, appAppleId: undefined };
    const notification = await read(bodyWith('DID_RENEW', { transaction: sandbox, renewal: sandbox, data }));
    expect(notification).toMatchObject({ environment: 'sandbox', observation: { environment: 'sandbox' } });
  });

  it.each(['TEST', 'PRICE_INCREASE', 'REFUND_DECLINED', 'CONSUMPTION_REQUEST', 'METADATA_UPDATE', 'SOMETHING_NEW'])(
    'of type %s says nothing that we use',
    async (type) => expect(await observed(type)).toBeNull(),
  );

  it.each(['MIGRATION', 'MIGRATE'])(
    'of type %s tells of the subscription that another was turned into, and leaves that to Apple',
    async (type) => {
      const migrated = { originalTransactionId: '5000', transactionId: '5000', previousOriginalTransactionId: '1000' };
      const told = await observed(type, { transaction: migrated, renewal: { originalTransactionId: '5000' } });
      expect(told).toMatchObject({ originalId: '5000', replaces: [], subscription: { status: 'active' } });
    },
  );

  it('without a transaction says nothing of a chain, renewal info or not', async () => {
    expect(await observed('DID_RENEW', { transaction: null })).toBeNull();
    const summary = { bundleId: 'com.example', appAppleId: 1234, environment: 'Production' };
    expect(await observed('RENEWAL_EXTENSION', { outer: { data: undefined, summary } })).toBeNull();
  });

  it('without renewal info tells of its transaction alone', async () => {
    expect(await observed('DID_RENEW', { renewal: null })).toMatchObject({
      subscription: null,
      transactions: [{ kind: 'subscription' }],
    });
  });

  it('of a one-time purchase has no subscription', async () => {
    const transaction = {
      type: 'Consumable',
      productId: 'coins100',
      expiresDate: undefined,
      originalTransactionId: '2000',
    };
    expect(await observed('ONE_TIME_CHARGE', { transaction, renewal: null })).toMatchObject({
      subscription: null,
      transactions: [{ kind: 'one_time', productId: 'coins100' }],
    });
  });
});

it('that the customer will not commit for another year switches off no renewal of the months that are left', async () => {
  const told = { transaction: { billingPlanType: 'MONTHLY' }, outer: { subtype: 'AUTO_RENEW_DISABLED' } };
  const renewal = { autoRenewStatus: 1, commitmentInfo: { commitmentAutoRenewStatus: 0 } };
  const goesOn = { status: 'active', willRenew: true, unsubscribedAt: null, cancellationReason: null };
  expect(await observed('DID_CHANGE_RENEWAL_STATUS', { ...told, renewal })).toMatchObject({ subscription: goesOn });
});

describe('a notification that is refused', () => {
  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"signedPayload":7}',
    '{"signedPayload":"x"}',
    '{"signedPayload":"a.b.c"',
    '\uFEFF{',
  ])('is malformed: %j', async (body) => expect(read(body)).rejects.toMatchObject(fault('notification-invalid')));

  it('was signed by another root, or changed', async () => {
    const foreign = await AppStorePki.create();
    const payload = notificationPayload(noon, 'TEST');
    await expect(read(bodyOf(payload, foreign))).rejects.toMatchObject(fault('notification-unauthorized'));
    const [header, , signature] = world.pki.sign(payload).split('.') as [string, string, string];
    const other = world.pki.sign({ ...payload, notificationType: 'REFUND' }).split('.')[1]!;
    const swapped = JSON.stringify({ signedPayload: [header, other, signature].join('.') });
    await expect(read(swapped)).rejects.toMatchObject(fault('notification-unauthorized'));
  });

  it.each<[string, Parts, string]>([
    ['is about another app', { data: { bundleId: 'com.other' } }, 'bundle-mismatch'],
    ['is about another app by its number', { data: { appAppleId: 4321 } }, 'bundle-mismatch'],
    ['has another app’s transaction inside', { transaction: { bundleId: 'com.other' } }, 'bundle-mismatch'],
    ['has a sandbox transaction inside', { transaction: { environment: 'Sandbox' } }, 'notification-invalid'],
    ['has sandbox renewal info inside', { renewal: { environment: 'Sandbox' } }, 'notification-invalid'],
    ['has another chain’s renewal info', { renewal: { originalTransactionId: '1' } }, 'notification-invalid'],
    ['lacks what it must have', { transaction: { transactionId: undefined } }, 'notification-invalid'],
    ['says sandbox for production’s parts', { data: { environment: 'Sandbox' } }, 'notification-invalid'],
  ])('%s', async (_, parts, kind) => {
    await expect(read(bodyWith('DID_RENEW', parts))).rejects.toMatchObject(fault(kind));
  });

  it('has a forged transaction inside, or one without a signature', async () => {
    const foreign = await AppStorePki.create();
    const forged = foreign.sign(transactionPayload(noon));
    const none = [{ alg: 'none', x5c: world.pki.x5c }, transactionPayload(noon)]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    for (const signedTransactionInfo of [forged, `${none}.AA`])
      await expect(read(bodyWith('REFUND', { data: { signedTransactionInfo } }))).rejects.toMatchObject(
        fault('notification-unauthorized'),
      );
    const signedRenewalInfo = foreign.sign(renewalPayload(noon));
    await expect(read(bodyWith('DID_RENEW', { data: { signedRenewalInfo } }))).rejects.toMatchObject(
      fault('notification-unauthorized'),
    );
  });
});

describe('what happened to the subscription', () => {
  it.each<[string, Parts, object]>([
    ['SUBSCRIBED', { transaction: { offerDiscountType: 'FREE_TRIAL', price: 0, offerType: 1 } }, { status: 'trial' }],
    ['DID_FAIL_TO_RENEW', { data: { status: 3 } }, { status: 'billing_retry', billingIssueAt: noon }],
    ['GRACE_PERIOD_EXPIRED', { data: { status: 3 } }, { status: 'billing_retry', graceExpiresAt: null }],
    [
      'DID_FAIL_TO_RENEW',
      { data: { status: 4 }, renewal: { gracePeriodExpiresDate: noon + 46 * day }, outer: { subtype: 'GRACE_PERIOD' } },
      { status: 'grace', graceExpiresAt: noon + 46 * day, willRenew: true },
    ],
    [
      'DID_CHANGE_RENEWAL_STATUS',
      { renewal: { autoRenewStatus: 0 }, outer: { subtype: 'AUTO_RENEW_DISABLED' } },
      { status: 'active', willRenew: false, unsubscribedAt: noon, cancellationReason: 'voluntarily_cancelled' },
    ],
    [
      'DID_CHANGE_RENEWAL_STATUS',
      { outer: { subtype: 'AUTO_RENEW_ENABLED' } },
      { willRenew: true, unsubscribedAt: null, cancellationReason: null },
    ],
    [
      'DID_CHANGE_RENEWAL_PREF',
      { renewal: { autoRenewProductId: 'pro.yearly' }, outer: { subtype: 'DOWNGRADE' } },
      { productId: 'pro.monthly', renewsAs: 'pro.yearly' },
    ],
    [
      'EXPIRED',
      { data: { status: 2 }, renewal: { autoRenewStatus: 0 }, outer: { subtype: 'PRICE_INCREASE' } },
      { status: 'expired', willRenew: false, cancellationReason: 'price_increase' },
    ],
    ['RENEWAL_EXTENDED', { transaction: { expiresDate: noon + 60 * day } }, { expiresAt: noon + 60 * day }],
    ['DID_RENEW', { data: { status: 77 } }, { status: 'unknown' }],
  ])('%s %j', async (type, parts, subscription) => {
    expect(await observed(type, parts)).toMatchObject({ subscription });
  });

  it('REFUND of the current period ends it, of an earlier one or an upgraded one does not', async () => {
    const revoked = { revocationDate: noon, revocationReason: 0 };
    const current = await observed('REFUND', { transaction: revoked, data: { status: 5 } });
    expect(current).toMatchObject({
      subscription: { status: 'revoked', willRenew: false, cancellationReason: 'refund' },
      refunds: [{ refundId: `2000:${noon}`, transactionId: '2000', amount: null, reason: 'other' }],
    });
    const earlier = { ...revoked, purchaseDate: noon - 60 * day, expiresDate: noon - 30 * day };
    for (const status of [1, 2, 3, 4, undefined])
      expect(await observed('REFUND', { transaction: earlier, data: { status } })).toMatchObject({
        subscription: null,
        refunds: [{ transactionId: '2000' }],
      });
    // A purchase since goes on, though the refunded period would not be over yet.
    expect(await observed('REFUND', { transaction: revoked, data: { status: 1 } })).toMatchObject({
      subscription: null,
    });
    const upgraded = { ...revoked, isUpgraded: true, revocationType: 'REFUND_PRORATED', revocationPercentage: 50_000 };
    expect(await observed('REFUND', { transaction: upgraded })).toMatchObject({
      subscription: null,
      transactions: [{ isUpgraded: true }],
      refunds: [{ amount: { amount: '4.995', currency: 'USD' } }],
    });
  });

  it('REFUND without a status ends the period that it was signed in', async () => {
    const transaction = { revocationDate: noon };
    expect(await observed('REFUND', { transaction, data: { status: undefined } })).toMatchObject({
      subscription: { status: 'revoked' },
    });
  });

  it('REFUND_REVERSED brings it back', async () => {
    expect(await observed('REFUND_REVERSED')).toMatchObject({
      subscription: { status: 'active' },
      reversedRefunds: ['2000'],
      refunds: [],
    });
  });

  it('REVOKE ends family access without money', async () => {
    const transaction = { inAppOwnershipType: 'FAMILY_SHARED', revocationDate: noon };
    expect(await observed('REVOKE', { transaction, data: { status: 5 } })).toMatchObject({
      subscription: { status: 'revoked', cancellationReason: 'unknown' },
      transactions: [{ isFamilyShared: true, price: { amount: '0' } }],
      refunds: [],
      revokedTransactions: ['2000'],
    });
  });
});

describe('a grace period without its end', () => {
  const parts = { data: { status: 4 }, outer: { subtype: 'GRACE_PERIOD' } };

  it('is asked for again', async () => {
    world.sells({}, { gracePeriodExpiresDate: noon + 33 * day }, 4);
    expect(await observed('DID_FAIL_TO_RENEW', parts)).toMatchObject({
      subscription: { status: 'grace', graceExpiresAt: noon + 33 * day },
    });
    expect(world.production.calls).toHaveLength(1);
  });

  it.each(['broken', 'slow'] as const)('counts from the period’s end if the store is %s', async (kind) => {
    world.production.faults.push({ kind });
    expect(await observed('DID_FAIL_TO_RENEW', parts)).toMatchObject({
      subscription: { status: 'grace', graceExpiresAt: noon + 33 * day },
    });
  });
});
