import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { boughtAtPlay } from '../bought.ts';
import type { Letter } from '../post-office.ts';
import { aMomentMs, expectRefused } from '../refused.ts';
import { eventually } from '../simulator.ts';
import type { World } from '../world.ts';

const jsonOnly = { 'content-type': 'application/json' };

/** Notifications that Google has not sent to this app: refused, and nothing is stored of them. */
export function forgedPlayStoreCases(world: () => World): void {
  let letter: Letter;
  let strangers: Letter;
  let profileId = '';
  beforeAll(async () => {
    profileId = await world().newProfile();
    const token = await boughtAtPlay(world(), { notify: true, obfuscatedAccountId: profileId });
    await eventually(async () => expect(await world().profile(profileId)).toMatchObject({ state: 'subscribed' }));
    [letter] = (await world().post.holding(() =>
      world().simulator.act('play-store', token.purchaseToken, 'cancel'),
    )) as [Letter];
    [strangers] = (await world().post.holding(
      async () => void (await boughtAtPlay(world(), { notify: true }, world().b)),
    )) as [Letter];
  });
  const withToken = (token: string): Letter => ({
    ...letter,
    headers: { ...jsonOnly, authorization: `Bearer ${token}` },
  });

  it('refuses tokens that Google did not make for this app', async () => {
    const [header, claims, signature] = letter.headers['authorization']!.replace('Bearer ', '').split('.');
    const [, , otherSignature] = strangers.headers['authorization']!.replace('Bearer ', '').split('.');
    const content = JSON.parse(Buffer.from(claims!, 'base64url').toString());
    const altered = Buffer.from(JSON.stringify({ ...content, email: 'thief@p.iam' })).toString('base64url');
    const noneHeader = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    const forged = [
      withToken(new UnsecuredJWT(content).encode()),
      withToken(`${noneHeader}.${claims}.${signature}`),
      withToken(`${header}.${claims}.${otherSignature}`),
      withToken(`${header}.${altered}.${signature}`),
      withToken(''),
      { ...letter, headers: jsonOnly },
      // Genuine, and made for the address of app B.
      { ...letter, headers: strangers.headers },
    ];
    await expectRefused(world(), profileId, forged, 401);
  });

  it('refuses a token when its time is over', async () => {
    await world().simulator.advance('PT3H');
    await expectRefused(world(), profileId, [letter], 401);
  });

  it('does nothing with the package of another app, and tells the store no fault', async () => {
    const [fresh] = await world().post.holding(async () => void (await boughtAtPlay(world(), { notify: true })));
    const before = await world().everything(profileId);
    const answer = await world().post.deliver({ ...fresh!, body: strangers.body });
    expect(answer.status).toBeLessThan(300);
    await delay(aMomentMs);
    expect(await world().everything(profileId)).toEqual(before);
  });

  it('refuses what is no notification', async () => {
    const [fresh] = await world().post.holding(async () => void (await boughtAtPlay(world(), { notify: true })));
    for (const body of ['', '{', '{}', '{"message":{"data":"!"}}', '{"message":{"data":"e30=","messageId":"1"}}'])
      expect(await world().post.deliver({ ...fresh!, body: Buffer.from(body) })).toMatchObject({ status: 400 });
  });
}
