import assert from 'node:assert/strict';
import { section } from '../case.ts';
import { soundCatalog } from '../catalog.ts';
import { accepted, refused } from '../expectations.ts';
import { freshCatalog } from '../fresh-catalog.ts';
import type { Json } from '../http.ts';

const faults = section('admin-api.md: faults of a catalog');
const paths = (answer: Json): string[] => answer.details.map(({ path }: Json) => path);

type Lists = Record<'accessLevels' | 'products' | 'paywalls' | 'models' | 'placements', Json[]>;

/** The sound document after a change, and the path of the one fault that the change makes. */
const faulty: readonly [string, (lists: Lists) => void, string][] = [
  ['an unknown field', ({ paywalls }) => (paywalls[0].colour = 'blue'), '/paywalls/calm'],
  ['an unknown field at the top', (lists) => Object.assign(lists, { colours: [] }), ''],
  ['a missing baseline', ({ placements }) => delete placements[0].baseline, '/placements/ai/baseline'],
  ['missing candidates', ({ models }) => delete models[0].candidates, '/models/ai/candidates'],
  ['missing traffic', ({ models }) => delete models[0].traffic, '/models/ai/traffic'],
  ['empty traffic', ({ models }) => (models[0].traffic = []), '/models/ai/traffic'],
  ['a weight of 0', ({ models }) => (models[0].traffic[0].weight = 0), '/models/ai/traffic/0/weight'],
  ['a negative weight', ({ models }) => (models[0].traffic[0].weight = -1), '/models/ai/traffic/0/weight'],
  ['an unknown target', ({ models }) => (models[0].traffic[0].target = 'chance'), '/models/ai/traffic/0/target'],
  ['a horizon of 0 days', ({ models }) => (models[0].horizonDays = 0), '/models/ai/horizonDays'],
  ['a horizon of 731 days', ({ models }) => (models[0].horizonDays = 731), '/models/ai/horizonDays'],
  ['a duration that is none', ({ placements }) => (placements[0].stickyFor = '1 day'), '/placements/ai/stickyFor'],
  [
    'a long offerType',
    ({ paywalls }) => (paywalls[0].products[0].appStore.offerType = 'x'.repeat(65)),
    '/paywalls/calm/products/0/appStore/offerType',
  ],
  ['a long externalId', ({ paywalls }) => (paywalls[0].externalId = 'x'.repeat(256)), '/paywalls/calm/externalId'],
  ['an empty externalId', ({ paywalls }) => (paywalls[0].externalId = ''), '/paywalls/calm/externalId'],
  [
    'remoteConfigs over 64 KiB',
    ({ paywalls }) => (paywalls[0].remoteConfigs = 'x'.repeat(65_537)),
    '/paywalls/calm/remoteConfigs',
  ],
  [
    'remoteConfigs that are no text',
    ({ paywalls }) => (paywalls[0].remoteConfigs = {}),
    '/paywalls/calm/remoteConfigs',
  ],
  ['a long period', ({ products }) => (products[0].period = 'x'.repeat(41)), '/products/monthly/period'],
  ['an unknown access level', ({ products }) => (products[0].accessLevel = 'none'), '/products/monthly/accessLevel'],
  [
    'an unknown product',
    ({ paywalls }) => (paywalls[0].products[1].product = 'none'),
    '/paywalls/calm/products/1/product',
  ],
  ['an unknown candidate', ({ models }) => (models[0].candidates[1] = 'none'), '/models/ai/candidates/1'],
  [
    'an unknown placement in traffic',
    ({ models }) => (models[3].traffic[2].placement = 'none'),
    '/models/split/traffic/2/placement',
  ],
  ['an unknown baseline', ({ placements }) => (placements[0].baseline = 'none'), '/placements/ai/baseline'],
  ['an unknown model', ({ placements }) => (placements[0].model = 'none'), '/placements/ai/model'],
];

const changed = (change: (lists: Lists) => void) => {
  const document: Lists = structuredClone(soundCatalog);
  change(document);
  return document;
};

export const catalogFaultCases = [
  ...faulty.map(([what, change, path]) =>
    faults.withAdmin(`400 with the JSON Pointer of ${what}`, async (own) => {
      const { get, put } = await freshCatalog(own);
      const refusal = refused(await put(changed(change)), 400, 'VALIDATION_FAILED');
      assert.ok(
        paths(refusal).some((found) => found === path || found.startsWith(`${path}/`)),
        `${path} in ${paths(refusal).join()}`,
      );
      for (const { message } of refusal.details) assert.ok(message.length > 0);
      assert.equal(accepted(await get()).revision, 0);
    }),
  ),
  faults.withAdmin('ids: 1 to 64 of A-Za-z0-9._-, unique within its list', async (own) => {
    const { put } = await freshCatalog(own);
    for (const id of ['', 'x'.repeat(65), 'with space', 'ü', 'a/b']) {
      const refusal = refused(await put({ paywalls: [{ id, name: 'P' }] }), 400, 'VALIDATION_FAILED');
      assert.ok(
        paths(refusal).some((path) => path.startsWith('/paywalls/')),
        paths(refusal).join(),
      );
    }
    refused(await put({ accessLevels: [{ id: 'a' }, { id: 'a' }] }), 400, 'VALIDATION_FAILED');
    accepted(
      await put({
        paywalls: [
          { id: 'x'.repeat(64), name: 'P' },
          { id: 'A-z_0.9', name: 'Q' },
        ],
      }),
      200,
    );
  }),
  faults.withAdmin('The limits themselves are taken', async (own) => {
    const { put } = await freshCatalog(own);
    const document = changed(({ products, paywalls, models, placements }) => {
      products[0].period = 'x'.repeat(40);
      paywalls[0].externalId = 'x'.repeat(255);
      paywalls[0].remoteConfigs = 'x'.repeat(65_536);
      paywalls[0].products[0].appStore.offerType = 'x'.repeat(64);
      Object.assign(models[0], { horizonDays: 730, traffic: [{ target: 'ai_model', weight: 0.001 }] });
      placements[0].stickyFor = 'P1Y2M3DT4H5M6S';
    });
    accepted(await put(document), 200);
  }),
  faults.withAdmin('Every fault is named at once', async (own) => {
    const { put } = await freshCatalog(own);
    const chosen = faulty.filter(([what]) =>
      /weight of 0|long period|unknown product|unknown baseline|720|duration/.test(what),
    );
    const document = changed((lists) => chosen.forEach(([, change]) => change(lists)));
    const found = paths(refused(await put(document), 400, 'VALIDATION_FAILED'));
    for (const [what, , path] of chosen) assert.ok(found.includes(path), `${what}: ${path} in ${found.join()}`);
  }),
  faults.withAdmin('A circle alone: 422 with its placements in the message; among other faults: 400', async (own) => {
    const { put } = await freshCatalog(own);
    const circle = changed(({ models }) => (models[4].traffic[0].placement = 'via'));
    const alone = refused(await put(circle), 422, 'CIRCULAR_PLACEMENT_ALLOCATION');
    assert.ok(alone.details.length > 0 && JSON.stringify(alone).includes('via -> via'));
    circle.products[0].period = '';
    const among = refused(await put(circle), 400, 'VALIDATION_FAILED');
    assert.ok(
      paths(among).includes('/products/monthly/period') && JSON.stringify(among.details).includes('via -> via'),
    );
  }),
  faults.withAdmin('force=true stores nothing that has other faults', async (own) => {
    const { put } = await freshCatalog(own);
    refused(
      await put({ placements: [{ id: 'a', name: 'A', baseline: 'none' }] }, '?force=true'),
      400,
      'VALIDATION_FAILED',
    );
  }),
  faults.withAdmin('A document that is no object: 400', async (own) => {
    const { put } = await freshCatalog(own);
    for (const document of ['[]', 'null', '7', '"x"', '{"paywalls":{}}', '{"paywalls":[7]}'])
      refused(await put(document), 400, 'VALIDATION_FAILED');
  }),
];
