import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AnswerFault } from '../testing/loopback-server.ts';
import { rsaKey } from '../testing/play-api-server.ts';
import { playProduct } from '../testing/play-purchases.ts';
import { claim, now, token, PlayScene } from '../testing/play-scene.ts';

let scene: PlayScene;
beforeEach(async () => {
  scene = await PlayScene.start();
});
afterEach(() => scene.stop());

describe('playStore, when Google is not well', () => {
  const passing: AnswerFault[] = ['refused', 'forbidden', 'too-many', 'broken', 'html', 'garbage', 'slow', 'reset'];

  it.each(passing)('is unavailable when the purchase is %s, and asks once', async (kind) => {
    scene.sold();
    scene.google.faults.push({ kind, on: /subscriptionsv2/ });
    expect(await scene.faultOf(scene.store({ timeoutMs: 500 }).validate(claim))).toBe('unavailable');
    expect(scene.google.calls.filter(({ path }) => path.includes('subscriptionsv2'))).toHaveLength(1);
  });

  it('is left alone for as long as it says, once it was asked too much', async () => {
    scene.sold();
    scene.google.faults.push({ kind: 'too-many', on: /orders/ });
    await expect(scene.store().validate(claim)).rejects.toMatchObject({ kind: 'unavailable', restMs: 7_000 });
  });

  it.each(passing.filter((kind) => kind !== 'forbidden'))('is unavailable when the order is %s', async (kind) => {
    scene.sold();
    scene.google.faults.push({ kind, on: /orders/ });
    expect(await scene.faultOf(scene.store({ timeoutMs: 500 }).validate(claim))).toBe('unavailable');
  });

  it.each(passing.filter((kind) => kind !== 'slow'))(
    'is unavailable when the token endpoint is %s, and exchanges anew afterwards',
    async (kind) => {
      scene.sold();
      const play = scene.store({ timeoutMs: 500 });
      scene.google.faults.push({ kind, on: /^\/token/ });
      expect(await scene.faultOf(play.validate(claim))).toBe('unavailable');
      expect((await play.validate(claim)).subscription?.status).toBe('active');
    },
  );

  it('waits for a slow token endpoint no longer than for the rest, and tries it again', async () => {
    scene.sold();
    const play = scene.store({ timeoutMs: 200 });
    scene.google.faults.push({ kind: 'slow', on: /^\/token/ });
    expect(await scene.faultOf(play.validate(claim))).toBe('unavailable');
    // The exchange began a moment after the call and ends a moment after it: whoever comes between shares its end.
    const next = await play.validate(claim).catch(() => scene.store().validate(claim));
    expect(next.subscription?.status).toBe('active');
  });

  it.each(['forbidden', 'unpermitted'] as const)(
    'tells of a purchase whose order the account is %s to see, by its list price, and keeps its access token',
    async (kind) => {
      scene.sold();
      const play = scene.store();
      scene.google.faults.push({ kind, on: /orders/ });
      const [{ price, isEstimate } = {}] = (await play.validate(claim)).transactions;
      expect([price?.amount, isEstimate]).toEqual(['9.99', true]);
      await play.validate(claim);
      expect(scene.google.exchanges).toBe(1);
    },
  );

  it('asks for another access token after one was refused', async () => {
    scene.sold();
    const play = scene.store();
    await play.validate(claim);
    scene.google.revokeTokens();
    expect(await scene.faultOf(play.validate(claim))).toBe('unavailable');
    expect((await play.validate(claim)).subscription?.status).toBe('active');
    expect(scene.google.exchanges).toBe(2);
  });

  it.each([/^\/token/, /subscriptionsv2/, /orders/])(
    'ends when it is told to, whichever call is unanswered for an hour: here %s',
    async (on) => {
      scene.sold();
      scene.google.faults.push({ kind: 'slow', on });
      const deadline = new AbortController();
      const patient = scene.store({ timeoutMs: 3_600_000 }, {}, deadline.signal);
      const fault = scene.faultOf(patient.validate(claim));
      while (!scene.google.calls.some(({ path, status }) => on.test(path) && status === null)) await turn();
      deadline.abort();
      expect(await fault).toBe('unavailable');
    },
  );

  it.each([/subscriptionsv2/, /orders/, /^\/token/])('follows no redirect of %s', async (on) => {
    scene.sold();
    scene.google.faults.push({ kind: 'moved', on });
    expect(await scene.faultOf(scene.store({ timeoutMs: 500 }).validate(claim))).toBe('unavailable');
    expect(scene.google.calls.filter(({ path }) => path === '/moved')).toEqual([]);
  });

  it('never calls a token endpoint that is not allowed', async () => {
    scene.sold();
    expect(
      await scene.faultOf(scene.store({ tokenUris: ['https://oauth2.googleapis.com/token'] }).validate(claim)),
    ).toBe('unavailable');
    expect(await scene.faultOf(scene.store({}, { token_uri: undefined }).validate(claim))).toBe('unavailable');
    expect(scene.google.calls).toEqual([]);
  });

  it('is unavailable with a key that is none, or another’s', async () => {
    expect(
      await scene.faultOf(
        scene
          .store({}, { private_key: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----' })
          .validate(claim),
      ),
    ).toBe('unavailable');
    expect(await scene.faultOf(scene.store({}, { private_key: rsaKey() }).validate(claim))).toBe('unavailable');
  });
});

describe('playStore, the rest', () => {
  it('acknowledges purchases of both kinds', async () => {
    scene.sold();
    scene.google.products.set('coins', playProduct('coins100', 'GPA.2', now));
    expect(await scene.store().acknowledge('subscription', 'pro.monthly', token)).toBe(true);
    expect(await scene.store().acknowledge('one_time', 'coins100', 'coins')).toBe(true);
    expect(scene.google.acknowledged).toEqual([token, 'coins']);
  });

  it('knows which purchases wait to be acknowledged', async () => {
    const coins = { purchaseToken: 'coins', productId: 'coins100', kind: 'one_time' } as const;
    scene.sold();
    scene.google.products.set('coins', playProduct('coins100', 'GPA.2', now));
    const waiting = () => Promise.all([claim, coins].map((each) => scene.store().awaitsAcknowledgement(each)));
    expect(await waiting()).toEqual([true, true]);
    await scene.store().acknowledge('subscription', 'pro.monthly', token);
    await scene.store().acknowledge('one_time', 'coins100', 'coins');
    expect(await waiting()).toEqual([false, false]);
    scene.sold({ acknowledgementState: null });
    scene.google.products.set('coins', playProduct('coins100', 'GPA.2', now, { purchaseStateContext: {} }));
    expect(await waiting()).toEqual([false, false]);
  });

  it.each(['malformed', 'not-found', 'gone'] as const)(
    'has nothing to acknowledge where Google says %s',
    async (kind) => {
      scene.google.faults.push({ kind, on: /:acknowledge$/ });
      expect(await scene.store().acknowledge('one_time', 'coins100', 'coins')).toBe(false);
    },
  );

  it.each(['refused', 'too-many', 'broken', 'reset'] as const)(
    'is unavailable when the acknowledgement is %s',
    async (kind) => {
      scene.google.faults.push({ kind, on: /:acknowledge$/ });
      expect(await scene.faultOf(scene.store().acknowledge('one_time', 'coins100', 'coins'))).toBe('unavailable');
    },
  );

  it('checks the credentials, and says in a sentence what is wrong', async () => {
    expect(await scene.store().checkCredentials()).toEqual({
      ok: true,
      message: 'Google Play takes the service account.',
    });
    for (const kind of ['forbidden', 'unpermitted'] as const) {
      scene.google.faults.push({ kind, on: /voided/ });
      expect(await scene.store().checkCredentials()).toMatchObject({
        ok: true,
        message: expect.stringContaining('estimates'),
      });
    }
    scene.google.faults.push({ kind: 'forbidden', on: /voided/ }, { kind: 'forbidden', on: /subscriptionsv2/ });
    expect((await scene.store().checkCredentials()).ok).toBe(false);
    for (const kind of ['refused', 'not-found', 'broken', 'reset'] as const) {
      scene.google.faults.push({ kind, on: /voided/ });
      expect((await scene.store().checkCredentials()).ok).toBe(false);
    }
    expect((await scene.store({}, { private_key: 'no key' }).checkCredentials()).message).toContain('private key');
  });

  it('lists the purchases of which some pieces were given back', async () => {
    const piece = { purchaseToken: 't1', orderId: 'GPA.1', voidedTimeMillis: String(now), voidedQuantity: 2 };
    scene.google.voided.push(piece);
    expect(await scene.store().voidedPurchases(now)).toEqual({
      voided: [{ purchaseToken: 't1', orderId: 'GPA.1', voidedAt: now, voids: 'part' }],
      next: null,
    });
  });

  it('lists the voided purchases of both kinds, page by page', async () => {
    scene.google.pageSize = 2;
    for (let index = 0; index < 5; index++)
      scene.google.voided.push({
        purchaseToken: `t${index}`,
        orderId: `GPA.${index}`,
        voidedTimeMillis: String(now + index),
      });
    const first = await scene.store().voidedPurchases(now + 1);
    const second = await scene.store().voidedPurchases(now + 1, first.next);
    const listed = (index: number) => ({
      purchaseToken: `t${index}`,
      orderId: `GPA.${index}`,
      voidedAt: now + index,
      voids: 'all',
    });
    expect([first.voided, second]).toEqual([[1, 2].map(listed), { voided: [3, 4].map(listed), next: null }]);
  });
});
