import { expect, it } from '@jest/globals';
import { letStoreAnswer, scriptedTransaction } from '../scripted-transaction.ts';
import type { World } from '../world.ts';

/** D9, and what else an answer must be before it is believed: about what was asked, whole, and signed by Apple. */
export function forgedAnswerCases(world: () => World): void {
  it.each([
    ['another bundle', { bundleId: 'com.other' }, 422, 'BUNDLE_MISMATCH'],
    ['another product', { productId: 'pro.yearly' }, 422, 'PRODUCT_MISMATCH'],
    ['another chain', { originalTransactionId: '12345' }, 422, 'ORIGINAL_TRANSACTION_MISMATCH'],
    ['another transaction', { transactionId: '12345' }, 503, 'STORE_UNAVAILABLE'],
    ['a sandbox purchase in production', { environment: 'Sandbox' }, 503, 'STORE_UNAVAILABLE'],
    ['a price that is a text', { price: '9990' }, 503, 'STORE_UNAVAILABLE'],
  ])('D9 refuses %s', async (_, changed, status, code) => {
    const profileId = await world().newProfile();
    const before = await world().everything(profileId);
    const transaction = await scriptedTransaction(world(), changed);
    await letStoreAnswer(world(), transaction, world().signers.trusted);
    const { transactionId } = transaction;
    const report = { productId: 'pro.monthly', transactionId, originalTransactionId: transactionId, profileId };
    expect(await world().validateAppStore(report)).toMatchObject({ status, body: { code } });
    expect(await world().everything(profileId)).toEqual(before);
  });

  it('refuses what another root has signed', async () => {
    const profileId = await world().newProfile();
    const transaction = await scriptedTransaction(world());
    await letStoreAnswer(world(), transaction, world().signers.foreign);
    const { transactionId } = transaction;
    const report = { productId: 'pro.monthly', transactionId, originalTransactionId: transactionId, profileId };
    expect(await world().validateAppStore(report)).toMatchObject({
      status: 503,
      body: { code: 'STORE_UNAVAILABLE' },
    });
    expect(await world().profile(profileId)).toMatchObject({ state: 'never-subscribed', totalRevenueUsd: 0 });
  });
}
