import { AppSnapshot } from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';

/** A snapshot of app 1 with the example catalog, unless said otherwise. */
export const appSnapshot = (version: number, revision: number, change: Partial<AppSnapshot> = {}): AppSnapshot =>
  AppSnapshot.parse({
    appId: 1,
    version,
    name: 'App',
    createdAt: 0,
    keys: [],
    revision,
    document: exampleCatalog,
    ids: { paywalls: { calm: 1, bold: 2 }, models: { main: 1 }, products: {}, paywallProducts: {} },
    paywallRevisions: {},
    ...change,
  });
