import assert from 'node:assert/strict';
import { fetchPaywall, newProfileId, someone } from '../bodies.ts';
import { checkCommon, commonFields } from '../paywall-shape.ts';
import { section } from '../case.ts';
import { calmSourceProducts } from '../expected-paywalls.ts';
import { accepted, invalid, refused } from '../expectations.ts';

const v1 = section('v1 /paywalls');
const fieldsV1 = [...commonFields, 'remoteConfigs', 'revision', 'placementId', 'sourceProducts'];
const noProfile = '00000000-0000-4000-8000-000000000000';

/** No field anywhere in it is a price. */
function hasNoPrice(value: unknown): void {
  assert.doesNotMatch(JSON.stringify(value), /"[a-zA-Z]*(price|amount|currency)(?!Id)[a-zA-Z]*":/i);
}

export const paywallV1Cases = [
  v1.withPlacement('Answers 200 with the common fields and those of v1', async ({ app, placement }) => {
    const paywall = await fetchPaywall(app, await newProfileId(app), placement);
    assert.deepEqual(Object.keys(paywall).sort(), [...fieldsV1].sort());
    checkCommon(paywall);
    assert.equal(paywall.placementId, placement);
    assert.ok(Number.isInteger(paywall.revision) && Array.isArray(paywall.sourceProducts));
    assert.ok(paywall.remoteConfigs === null || typeof paywall.remoteConfigs === 'string');
  }),
  v1.withPlacement('A paywall response has no price field', async ({ app, placement }) => {
    const profileId = await newProfileId(app);
    hasNoPrice(await fetchPaywall(app, profileId, placement));
    hasNoPrice(accepted(await app.v2('/paywall', { profileId, placementId: placement })));
  }),
  v1.withAdmin('The paywall is the catalog’s: id, externalId, name, remoteConfigs', async ({ app, ids }) => {
    const calm = await fetchPaywall(app, await newProfileId(app), 'plain');
    assert.deepEqual(
      [calm.id, calm.externalId, calm.name, calm.remoteConfigs],
      [ids.paywalls.calm, 'calm_v1', 'Calm', '{"theme":"dark"}'],
    );
    const bold = await fetchPaywall(app, await newProfileId(app), 'below');
    assert.deepEqual([bold.id, bold.externalId, bold.remoteConfigs], [ids.paywalls.bold, 'bold', null]);
  }),
  v1.withAdmin(
    '37, 38: without store an entry for each of app_store, play_store, stripe that sells the product, by attachment, then store',
    async ({ app, ids }) => {
      const { sourceProducts } = await fetchPaywall(app, await newProfileId(app), 'plain');
      assert.deepEqual(sourceProducts, calmSourceProducts(ids));
    },
  ),
  v1.withAdmin('37: store filters sourceProducts to that store', async ({ app, ids }) => {
    const profileId = await newProfileId(app);
    for (const store of ['app_store', 'play_store', 'stripe']) {
      const { sourceProducts } = await fetchPaywall(app, profileId, 'plain', { store });
      assert.deepEqual(
        sourceProducts,
        calmSourceProducts(ids).filter((product) => product.store === store),
      );
    }
  }),
  v1.withPlacement('store is one of app_store, play_store and stripe, else 400', async ({ app, placement }) => {
    const profileId = await newProfileId(app);
    for (const store of ['web2wave', 'App_Store', 7, ['stripe']])
      invalid(await app.v1('/paywalls', { profileId, placementId: placement, store }), 'store');
    accepted(await app.v1('/paywalls', { profileId, placementId: placement, store: null }), 200);
  }),
  v1.withAdmin('A paywall without products has an empty list', async ({ app }) => {
    const customerUserId = someone();
    await newProfileId(app, { customerUserId });
    const { sourceProducts } = accepted(await app.v1('/paywalls', { customerUserId, placementId: 'ai' }));
    assert.deepEqual(sourceProducts, []);
  }),
  v1.withKey('30: an unknown placement: 404 PLACEMENT_NOT_FOUND', async (app) => {
    const profileId = await newProfileId(app);
    refused(await app.v1('/paywalls', { profileId, placementId: 'no such placement' }), 404, 'PLACEMENT_NOT_FOUND');
    refused(await app.v2('/paywall', { profileId, placementId: 'no such placement' }), 404, 'PLACEMENT_NOT_FOUND');
  }),
  v1.withPlacement('30: an unknown profile: 404 PROFILE_NOT_FOUND; neither id: 400', async ({ app, placement }) => {
    for (const who of [{ profileId: noProfile }, { profileId: 'any other text' }, { customerUserId: someone() }])
      refused(await app.v1('/paywalls', { ...who, placementId: placement }), 404, 'PROFILE_NOT_FOUND');
    invalid(await app.v1('/paywalls', { placementId: placement }), 'profileId');
  }),
  v1.withKey('placementId is required, a text of 1 to 255 code points', async (app) => {
    const profileId = await newProfileId(app);
    for (const placementId of [undefined, null, '', 7, 'x'.repeat(256)]) {
      invalid(await app.v1('/paywalls', { profileId, placementId }), 'placementId');
      invalid(await app.v2('/paywall', { profileId, placementId }), 'placementId');
    }
  }),
  v1.withAdmin('31: with customerUserId only the profile is served the Baseline target', async ({ app, ids }) => {
    const customerUserId = someone();
    await newProfileId(app, { customerUserId });
    for (const [placementId, model] of [
      ['calm-only', 'calm-only'],
      ['ai', 'ai'],
      ['via', 'via'],
    ] as const) {
      const paywall = accepted(await app.v1('/paywalls', { customerUserId, placementId }), 200);
      assert.deepEqual(
        [paywall.id, paywall.isExperiment, paywall.aiPricingModelId],
        [ids.paywalls.plain, false, ids.models[model]],
      );
    }
  }),
  v1.withAdmin('With both ids profileId is used: the AI target', async ({ app, ids }) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    const { id, isExperiment } = await fetchPaywall(app, profileId, 'calm-only', { customerUserId });
    assert.deepEqual([id, isExperiment], [ids.paywalls.calm, true]);
  }),
  v1.withPlacement(
    'Each fetch has a paywallSessionId of its own, of at most 4096 characters',
    async ({ app, placement }) => {
      const profileId = await newProfileId(app);
      const tokens = new Set<string>();
      for (let fetch = 0; fetch < 5; fetch++)
        tokens.add((await fetchPaywall(app, profileId, placement)).paywallSessionId);
      assert.equal(tokens.size, 5);
      for (const token of tokens) assert.ok(token.length <= 4096);
    },
  ),
  v1.withPlacement('36: overrides are optional; an invalid country or ip: 400', async ({ app, placement }) => {
    const request = { profileId: await newProfileId(app), placementId: placement };
    const overrides = {
      locale: 'fr',
      country: 'fr',
      ip: '192.0.2.4',
      deviceTypeModel: 'x',
      osVersion: '9',
      languageLocale: 'fr-FR',
      attributionSource: 'referral',
    };
    for (const fetch of [app.v1.bind(app, '/paywalls'), app.v2.bind(app, '/paywall')]) {
      accepted(await fetch({ ...request, ...overrides }), 200);
      for (const country of ['ZZ', 'Germany', 4])
        refused(await fetch({ ...request, country }), 400, 'VALIDATION_FAILED', 'country');
      for (const ip of ['localhost', '1.2.3', 4]) invalid(await fetch({ ...request, ip }), 'ip');
      for (const name of Object.keys(overrides)) accepted(await fetch({ ...request, [name]: null }), 200);
    }
  }),
];
