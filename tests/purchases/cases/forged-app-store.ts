import { beforeAll, expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { boughtInAppStore } from '../bought.ts';
import type { Letter } from '../post-office.ts';
import { expectRefused } from '../refused.ts';
import {
  notificationOf,
  scriptedTransaction,
  type Envelope,
  type ScriptedTransaction,
} from '../scripted-transaction.ts';
import { eventually } from '../simulator.ts';
import type { World } from '../world.ts';

/** Notifications that the App Store has not sent: refused, and nothing is stored of them. */
export function forgedAppStoreCases(world: () => World): void {
  const toAppStore = (signedPayload: string, appId = world().a.appId): Letter => ({
    path: `/notifications/${appId}/app-store`,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ signedPayload })),
  });

  let profileId = '';
  beforeAll(async () => {
    profileId = await world().newProfile();
  });
  /** A purchase by that profile, if one believed it. */
  const bought = (changed: Record<string, unknown> = {}): Promise<ScriptedTransaction> =>
    scriptedTransaction(world(), { appAccountToken: profileId, ...changed });

  it('takes what a trusted root has signed: the cases below differ in one thing each', async () => {
    const buyer = await world().newProfile();
    const transaction = await scriptedTransaction(world(), { appAccountToken: buyer });
    const payload = await notificationOf(world(), transaction, { signer: world().signers.trusted });
    expect((await world().post.deliver(toAppStore(payload))).status).toBeLessThan(300);
    await eventually(async () =>
      expect(await world().profile(buyer)).toMatchObject({ state: 'subscribed', totalRevenueUsd: 9.99 }),
    );
  });

  it.each<[string, (signers: World['signers']) => Partial<Envelope>, Record<string, unknown>]>([
    ['another root', ({ foreign }) => ({ signer: foreign }), {}],
    ['a certificate that has expired', ({ expired }) => ({ signer: expired }), {}],
    ['another bundle within', () => ({}), { bundleId: 'com.other' }],
    ['another bundle without', () => ({ data: { bundleId: 'com.other' } }), {}],
    ['another App Store id', () => ({ data: { appAppleId: 99 } }), {}],
    [
      'a sandbox purchase in a production notification',
      () => ({ data: { environment: 'Production' } }),
      { environment: 'Sandbox' },
    ],
    ['a date that is missing', () => ({}), { signedDate: undefined }],
    ['no transaction id', () => ({}), { transactionId: undefined }],
  ])('refuses %s', async (_, envelope, changed) => {
    const { trusted } = world().signers;
    const payload = await notificationOf(world(), await bought(changed), {
      signer: trusted,
      ...envelope(world().signers),
    });
    await expectRefused(world(), profileId, [toAppStore(payload)], 400);
  });

  it('refuses a signature over something else, none at all, and bytes that changed', async () => {
    const { trusted, foreign } = world().signers;
    const [one, other] = [await bought(), await bought()];
    const [header, claims, signature] = (await notificationOf(world(), one, { signer: trusted })).split('.');
    const [, , otherSignature] = (await notificationOf(world(), other, { signer: trusted })).split('.');
    const content = JSON.parse(Buffer.from(claims!, 'base64url').toString());
    const flipped = `${claims!.slice(0, 40)}${claims![40] === 'A' ? 'B' : 'A'}${claims!.slice(41)}`;
    const unsigned = new UnsecuredJWT(content).encode();
    const noneHeader = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const trustedChain = JSON.parse(Buffer.from(header!, 'base64url').toString()).x5c;
    const foreignWithOurChain = await foreign.sign(content, { x5c: trustedChain });
    const forged = [
      `${header}.${claims}.${otherSignature}`,
      `${header}.${flipped}.${signature}`,
      `${header}.${claims}.`,
      `${noneHeader}.${claims}.${signature}`,
      unsigned,
      foreignWithOurChain,
    ];
    await expectRefused(
      world(),
      profileId,
      forged.map((payload) => toAppStore(payload)),
      400,
    );
  });

  it('refuses an inner transaction that somebody else has signed', async () => {
    const transaction = await bought();
    const signedTransactionInfo = await world().signers.foreign.sign(transaction.claims);
    const envelope = { signer: world().signers.trusted, data: { signedTransactionInfo } };
    await expectRefused(world(), profileId, [toAppStore(await notificationOf(world(), transaction, envelope))], 400);
  });

  it('refuses the notification of another app', async () => {
    const [letter] = await world().post.holding(
      async () => void (await boughtInAppStore(world(), { notify: true, appAccountToken: profileId }, world().b)),
    );
    await expectRefused(world(), profileId, [{ ...letter!, path: `/notifications/${world().a.appId}/app-store` }], 400);
  });

  it('refuses what is no notification, and an app that is none', async () => {
    const nonsense = ['', '{', '{}', '[]', '{"signedPayload":7}', '{"signedPayload":"a.b.c"}'].map((body): Letter => ({
      ...toAppStore(''),
      body: Buffer.from(body),
    }));
    const before = await world().everything(profileId);
    for (const letter of nonsense) expect((await world().post.deliver(letter)).status).toBe(400);
    expect(await world().everything(profileId)).toEqual(before);
    const nowhere = await world().post.deliver(toAppStore('a.b.c', 999_999));
    expect(nowhere).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } });
  });
}
