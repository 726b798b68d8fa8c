import assert from 'node:assert/strict';
import { fetchPaywall, newProfileId } from '../bodies.ts';
import { section } from '../case.ts';
import { soundCatalog } from '../catalog.ts';
import { accepted } from '../expectations.ts';
import { freshCatalog, paywallsWith, renamed } from '../fresh-catalog.ts';

const identity = section('admin-api.md: integers and revisions of a catalog');

export const catalogIntegerCases = [
  identity.withAdmin('Integers are given out once for each id, never change, and come back with it', async (own) => {
    const { put } = await freshCatalog(own);
    const first = accepted(await put(soundCatalog), 200).ids;
    const without = {
      ...soundCatalog,
      products: [],
      paywalls: [
        { id: 'plain', name: 'Plain' },
        { id: 'newcomer', name: 'New' },
      ],
      models: [],
      placements: [],
    };
    const second = accepted(await put(without), 200).ids;
    assert.equal(second.paywalls.plain, first.paywalls.plain);
    assert.ok(!Object.values(first.paywalls).includes(second.paywalls.newcomer));
    const { ids } = accepted(await put(soundCatalog), 200);
    assert.deepEqual(ids, first);
  }),
  identity.withAdmin(
    'The integer of an attachment stays with its paywall, product and offers, wherever it stands',
    async (own) => {
      const { put } = await freshCatalog(own);
      const before = accepted(await put(soundCatalog), 200).ids.paywallProducts;
      const reversed = paywallsWith((paywall) => ({ ...paywall, products: [...paywall.products].reverse() }));
      const after = accepted(await put(reversed), 200).ids.paywallProducts;
      assert.deepEqual(
        [0, 1, 2, 3].map((position) => after[`calm/${position}`]),
        [3, 2, 1, 0].map((position) => before[`calm/${position}`]),
      );
    },
  ),
  identity.withAdmin('Equal attachments are numbered in order', async (own) => {
    const { put } = await freshCatalog(own);
    const twice = [{ product: 'yearly' }, { product: 'yearly' }];
    const document = {
      ...soundCatalog,
      paywalls: [...soundCatalog.paywalls, { id: 'twice', name: 'Twice', products: twice }],
    };
    const { paywallProducts } = accepted(await put(document), 200).ids;
    assert.ok(paywallProducts['twice/0'] < paywallProducts['twice/1']);
  }),
  identity.withAdmin('revision of a paywall rises when that paywall changes', async (own) => {
    const { app, put } = await freshCatalog(own);
    const profileId = await newProfileId(app);
    const revision = async (placementId: string) => (await fetchPaywall(app, profileId, placementId)).revision;
    accepted(await put(soundCatalog), 200);
    const before = [await revision('plain'), await revision('below')];
    accepted(await put(renamed('bold', 'Bolder')), 200);
    const after = [await revision('plain'), await revision('below')];
    assert.equal(after[0], before[0]);
    assert.ok(after[1] > before[1]);
  }),
  identity.withAdmin('"" for a base plan or an offer equals null', async (own) => {
    const { put } = await freshCatalog(own);
    accepted(await put(soundCatalog), 200);
    const products = soundCatalog.products.map((product) =>
      product.id === 'coins' ? { ...product, playStore: { productId: 'ps-coins', basePlanId: null } } : product,
    );
    assert.deepEqual(accepted(await put({ ...soundCatalog, products }), 200).changes, []);
  }),
];
