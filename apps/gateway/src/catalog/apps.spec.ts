import { describe, expect, it } from '@jest/globals';
import {
  firstApp,
  otherSecretKey,
  publicKey,
  revokedKey,
  secondApp,
  secretKey,
  startOfTime,
} from '../testing/test-gateway.ts';
import { Apps } from './apps.ts';

const both = () => {
  const apps = new Apps();
  apps.apply(secondApp);
  apps.apply(firstApp);
  return apps;
};

describe('keys', () => {
  it('open their own app', () => {
    const apps = both();
    expect([apps.bySecretKey(secretKey)?.app.id, apps.bySecretKey(otherSecretKey)?.app.id]).toEqual([1, 2]);
  });

  it.each([publicKey, revokedKey, '', 'secret', ` ${secretKey}`])('do not open with %j', (key) => {
    expect(both().bySecretKey(key)).toBeUndefined();
  });

  it('stop to open when they are revoked, and open from when they are issued', () => {
    const apps = new Apps();
    apps.apply({ ...firstApp, keys: [] });
    expect(apps.bySecretKey(secretKey)).toBeUndefined();
    apps.apply({ ...firstApp, version: 2 });
    expect(apps.bySecretKey(secretKey)?.app.id).toBe(1);
    apps.apply({ ...firstApp, version: 3, keys: firstApp.keys.map((key) => ({ ...key, revokedAt: startOfTime })) });
    expect(apps.bySecretKey(secretKey)).toBeUndefined();
  });

  it('open side by side, the old one and the new, until one is revoked', () => {
    const apps = new Apps();
    const [old] = firstApp.keys;
    const [next] = secondApp.keys;
    const keys = [old!, { ...next!, keyId: 9 }];
    apps.apply({ ...firstApp, keys });
    expect([secretKey, otherSecretKey].map((key) => apps.bySecretKey(key)?.keyName)).toEqual(['1/1', '1/9']);
    const revoked = keys.map((key) => (key === old ? { ...key, revokedAt: startOfTime } : key));
    apps.apply({ ...firstApp, version: 2, keys: revoked });
    expect([secretKey, otherSecretKey].map((key) => apps.bySecretKey(key)?.keyName)).toEqual([undefined, '1/9']);
  });
});

describe('snapshots', () => {
  it('are listed by app', () =>
    expect(
      both()
        .all()
        .map(({ id }) => id),
    ).toEqual([1, 2]));

  it('that are not newer change nothing', () => {
    const apps = new Apps();
    apps.apply({ ...firstApp, version: 5, name: 'new' });
    apps.apply({ ...firstApp, version: 5, name: 'same version' });
    apps.apply({ ...firstApp, version: 4, name: 'old' });
    expect(apps.find(1)?.snapshot.name).toBe('new');
  });

  it('leave the last catalogs to be looked up', () => {
    const apps = new Apps();
    for (let revision = 1; revision <= 20; revision += 1) apps.apply({ ...firstApp, version: revision, revision });
    const app = apps.find(1);
    expect([app?.catalog.revision, app?.catalogAt(20)?.revision, app?.catalogAt(13)?.revision]).toEqual([20, 20, 13]);
    expect([app?.catalogAt(12), app?.catalogAt(21)]).toEqual([undefined, undefined]);
  });

  it('of keys alone compile nothing anew', () => {
    const apps = both();
    const before = apps.find(1)?.catalog;
    apps.apply({ ...firstApp, version: 2, name: 'renamed' });
    expect(apps.find(1)?.catalog).toBe(before);
    expect(apps.find(1)?.snapshot.name).toBe('renamed');
  });
});

describe('waiting', () => {
  it('ends at once for what is there', async () => {
    expect(await both().reached(1, 1, 0)).toBe(true);
    expect(await both().reachedRevision(1, 1, 0)).toBe(true);
  });

  it('ends when the version comes, of this app', async () => {
    const apps = both();
    const reached = apps.reached(1, 3, 5_000);
    const revision = apps.reachedRevision(7, 2, 5_000);
    apps.apply({ ...secondApp, version: 3 });
    apps.apply({ ...firstApp, version: 2 });
    const undecided = await Promise.race([reached, Promise.resolve('waiting')]);
    apps.apply({ ...firstApp, version: 4 });
    apps.apply({ ...firstApp, appId: 7, revision: 2 });
    expect([undecided, await reached, await revision]).toEqual(['waiting', true, true]);
  });

  it('ends with the time', async () => expect(await both().reached(1, 2, 5)).toBe(false));
});
