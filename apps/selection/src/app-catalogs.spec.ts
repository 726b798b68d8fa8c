import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleCatalog } from '@paywright/contracts/testing';
import { appSnapshot } from '@paywright/selection-models/testing';
import { AppCatalogs } from './app-catalogs.ts';
import { awaitCatalogs } from './await-catalogs.ts';
import { serve } from './testing/selection-commands.ts';

describe('AppCatalogs', () => {
  it('holds the newest catalog of each app', () => {
    const catalogs = new AppCatalogs();
    catalogs.apply(appSnapshot(1, 1));
    catalogs.apply(appSnapshot(3, 2));
    catalogs.apply(appSnapshot(2, 1));
    catalogs.apply(appSnapshot(1, 7, { appId: 2 }));
    expect([catalogs.find(1)?.revision, catalogs.find(2)?.revision, catalogs.find(3)]).toEqual([2, 7, undefined]);
    expect(catalogs.find(1)?.placements.get('onboarding')?.baseline.paywallId).toBe(1);
  });

  it('keeps what it compiled while only keys change', () => {
    const catalogs = new AppCatalogs();
    catalogs.apply(appSnapshot(1, 1));
    const compiled = catalogs.find(1);
    catalogs.apply(appSnapshot(2, 1));
    expect(catalogs.find(1)).toBe(compiled);
  });

  it('keeps the catalog it had when the next one names what is not there', () => {
    const catalogs = new AppCatalogs();
    catalogs.apply(appSnapshot(1, 1));
    const broken = appSnapshot(2, 2, { document: { ...exampleCatalog, paywalls: [] } });
    expect(() => catalogs.apply(broken)).toThrow(RangeError);
    expect(catalogs.find(1)?.revision).toBe(1);
  });

  it('knows which models an app’s placements use now', () => {
    const catalogs = new AppCatalogs();
    const uses = () => [catalogs.usesModel(1, 'main'), catalogs.usesModel(1, 'other'), catalogs.usesModel(2, 'main')];
    expect(uses()).toEqual([false, false, false]);
    catalogs.apply(appSnapshot(1, 1));
    expect(uses()).toEqual([true, false, false]);
    const placements = exampleCatalog.placements.map((placement) => ({ ...placement, model: null }));
    catalogs.apply(appSnapshot(2, 2, { document: { ...exampleCatalog, placements } }));
    expect(uses()).toEqual([false, false, false]);
  });

  it('waits for a revision, and no longer than told', async () => {
    const catalogs = new AppCatalogs();
    const soon = catalogs.reached(1, 2, 5_000);
    const never = catalogs.reached(1, 3, 30);
    const other = catalogs.reached(2, 2, 30);
    catalogs.apply(appSnapshot(1, 1));
    catalogs.apply(appSnapshot(2, 2));
    expect(await Promise.all([soon, never, other])).toEqual([true, false, false]);
    expect(await catalogs.reached(1, 1, 0)).toBe(true);
  });
});

describe('awaitCatalogs', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** Whether it has ended by now. */
  const hasEnded = (work: Promise<void>) => Promise.race([work.then(() => true), turn(false)]);

  it('gives a batch the newest revision that any of it needs', async () => {
    const catalogs = new AppCatalogs();
    catalogs.apply(appSnapshot(1, 1));
    const waiting = awaitCatalogs(
      catalogs,
      [2, 1].map((catalogRevision) => serve({ catalogRevision })),
    );
    expect(await hasEnded(waiting)).toBe(false);
    catalogs.apply(appSnapshot(2, 2));
    expect(await hasEnded(waiting)).toBe(true);
  });

  it('goes on without a catalog that does not come', async () => {
    const waiting = awaitCatalogs(new AppCatalogs(), [serve()]);
    mock.timers.tick(199);
    expect(await hasEnded(waiting)).toBe(false);
    mock.timers.tick(1);
    expect(await hasEnded(waiting)).toBe(true);
  });
});
