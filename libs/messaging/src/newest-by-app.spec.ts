import { expect, it } from '@jest/globals';
import { CatalogDocument, type AppSnapshot } from '@paywright/contracts';
import fc from 'fast-check';
import { NewestByApp } from './newest-by-app.ts';

const snapshot = (appId: number, version: number, name = 'App'): AppSnapshot => ({
  ...{ appId, version, name, createdAt: 0, keys: [], revision: 0 },
  document: CatalogDocument.parse({}),
  archivedProducts: [],
  ids: { paywalls: {}, models: {}, products: {}, paywallProducts: {} },
  paywallRevisions: {},
});
const versions = () => new NewestByApp<number>(({ version }) => version);

it('holds each app’s newest, in whatever order they come', () => {
  const told = fc.array(fc.record({ appId: fc.integer({ min: 1, max: 3 }), version: fc.integer({ min: 1, max: 9 }) }));
  fc.assert(
    fc.property(told, (snapshots) => {
      const [apps, newest] = [versions(), new Map<number, number>()];
      for (const { appId, version } of snapshots) {
        expect(apps.apply(snapshot(appId, version))).toBe(version > (newest.get(appId) ?? 0));
        newest.set(appId, Math.max(version, newest.get(appId) ?? 0));
        expect(apps.find(appId)).toBe(newest.get(appId));
      }
      expect(new Map(apps.all())).toEqual(newest);
    }),
  );
});

it('takes a version again that a newer edition of the code tells, and none of a former one', () => {
  const apps = new NewestByApp<string>(({ name }) => name);
  const told = (version: number, name: string, edition?: number) =>
    apps.apply({ ...snapshot(1, version, name), ...(edition !== undefined && { edition }) });
  expect([told(3, 'first'), told(3, 'again', 0), told(3, 'more', 1), told(3, 'first'), told(3, 'more', 1)]).toEqual([
    ...[true, false, true, false, false],
  ]);
  expect(apps.find(1)).toBe('more');
  expect([told(2, 'older', 2), told(4, 'of a former edition beside it')]).toEqual([false, true]);
  expect(apps.find(1)).toBe('of a former edition beside it');
});

it('makes a view of the one before, and keeps that where it cannot', () => {
  const apps = new NewestByApp<string>(({ name }, known = '') => {
    if (name === 'bad') throw new RangeError(name);
    return known + name;
  });
  apps.apply(snapshot(1, 1, 'a'));
  expect(() => apps.apply(snapshot(1, 2, 'bad'))).toThrow(RangeError);
  expect(apps.find(1)).toBe('a');
  apps.apply(snapshot(1, 2, 'b'));
  expect([apps.find(1), apps.find(2)]).toEqual(['ab', undefined]);
});

it('tells when a view is what somebody waits for, or that the time is over', async () => {
  const apps = versions();
  const waits = [
    apps.reached(1, (version) => version >= 2, 5_000),
    apps.reached(1, (version) => version >= 4, 20),
    apps.reached(2, () => true, 20),
  ];
  apps.apply(snapshot(1, 1));
  apps.apply(snapshot(1, 3));
  expect(await Promise.all(waits)).toEqual([true, false, false]);
  expect(await apps.reached(1, (version) => version === 3, 0)).toBe(true);
});
