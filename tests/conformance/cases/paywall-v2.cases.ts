import assert from 'node:assert/strict';
import { newProfileId, someone } from '../bodies.ts';
import { checkCommon, commonFields } from '../paywall-shape.ts';
import { section } from '../case.ts';
import { calmPaywallProducts } from '../expected-paywalls.ts';
import { accepted, invalid, refused } from '../expectations.ts';
import type { Json } from '../http.ts';

const v2 = section('v2 /paywall');
const fieldsV2 = [...commonFields, 'paywallProducts'];
const noProfile = '00000000-0000-4000-8000-000000000000';

export const paywallV2Cases = [
  v2.withPlacement('Answers 200 with the common fields and paywallProducts', async ({ app, placement }) => {
    const paywall = accepted(
      await app.v2('/paywall', { profileId: await newProfileId(app), placementId: placement }),
      200,
    );
    for (const field of fieldsV2) assert.ok(field in paywall, field);
    assert.ok(!('sourceProducts' in paywall) && Array.isArray(paywall.paywallProducts));
    checkCommon(paywall);
  }),
  v2.withAdmin(
    'paywallProducts: a block for each store that sells the product, else null; empty base plan and offer are null',
    async ({ app, ids }) => {
      const paywall = accepted(
        await app.v2('/paywall', { profileId: await newProfileId(app), placementId: 'plain' }),
        200,
      );
      assert.deepEqual(paywall.paywallProducts, calmPaywallProducts(ids));
      assert.equal(paywall.id, ids.paywalls.calm);
    },
  ),
  v2.withAdmin(
    'The same product attached twice under different offers has two paywallProductIds',
    async ({ app, ids }) => {
      const { paywallProducts } = accepted(
        await app.v2('/paywall', { profileId: await newProfileId(app), placementId: 'below' }),
      );
      const shown = paywallProducts.map((product: Json) => [product.paywallProductId, product.playStore.offerId]);
      assert.deepEqual(shown, [
        [ids.paywallProducts['bold/0'], null],
        [ids.paywallProducts['bold/1'], 'ps-intro'],
      ]);
      assert.notEqual(ids.paywallProducts['bold/0'], ids.paywallProducts['bold/1']);
    },
  ),
  v2.withPlacement('profileId is required', async ({ app, placement }) => {
    const customer = someone();
    await newProfileId(app, { customerUserId: customer });
    for (const who of [
      {},
      { customerUserId: customer },
      { appUserId: customer },
      { profileId: null },
      { profileId: '' },
      { profileId: 7 },
    ])
      invalid(await app.v2('/paywall', { ...who, placementId: placement }), 'profileId');
    refused(await app.v2('/paywall', { profileId: noProfile, placementId: placement }), 404, 'PROFILE_NOT_FOUND');
  }),
];
