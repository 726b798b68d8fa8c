import { describe, expect, it } from '@jest/globals';
import { CatalogDocument } from '@paywright/contracts';
import { catalogDocuments } from '@paywright/contracts/testing';
import fc from 'fast-check';
import { snapshotOf } from '../testing/test-gateway.ts';
import { compileCatalog } from './compiled-catalog.ts';

const served = { isExperiment: true, aiPricingModelId: 4, paywallSessionId: 'token' };

const document = CatalogDocument.parse({
  products: [
    { id: 'all', name: 'All', period: 'yearly', isConsumable: true, appStore: { productId: 'a' } },
    { id: 'play', name: 'Play', period: 'weekly', playStore: { productId: 'p', basePlanId: '' } },
    { id: 'web', name: 'Web', period: 'once', web2wave: { productId: 'w' }, custom: { productId: 'c' } },
  ],
  paywalls: [
    {
      id: 'wall',
      externalId: 'Wall "1"',
      name: 'Wall',
      remoteConfigs: '{"a":"\u2028"}',
      products: [
        { product: 'web' },
        {
          product: 'all',
          appStore: { offerId: 'o', offerType: 'free_trial', promotionalOfferId: 'po', winBackOfferId: 'w' },
          playStore: { offerId: 'unused' },
        },
        { product: 'play', playStore: { offerId: '' } },
        { product: 'all' },
      ],
    },
  ],
  placements: [{ id: 'place', name: 'Place', baseline: 'wall' }],
});
const ids = {
  paywalls: { wall: 1 },
  models: {},
  products: { all: 10, play: 11, web: 12 },
  paywallProducts: { 'wall/0': 20, 'wall/1': 21, 'wall/2': 22, 'wall/3': 23 },
};
const catalog = compileCatalog(snapshotOf(1, [], { document, ids, paywallRevisions: { wall: 6 } }));
const views = catalog.paywalls.get('wall')?.views;
const v1 = JSON.parse(views?.v1(null, 'place', served) ?? 'null').data;
const v2 = JSON.parse(views?.v2(served) ?? 'null').data;

describe('v1', () => {
  it('has the paywall’s own fields, as they are', () =>
    expect(v1).toMatchObject({
      ...{
        id: 1,
        externalId: 'Wall "1"',
        name: 'Wall',
        remoteConfigs: '{"a":"\u2028"}',
        revision: 6,
        placementId: 'place',
      },
      ...served,
    }));

  it('lists what a store of v1 sells, by attachment: twice what is attached twice', () => {
    const listed = v1.sourceProducts.map((one: { store: string; productId: string; offerId: string | null }) => [
      one.store,
      one.productId,
      one.offerId,
    ]);
    expect(listed).toEqual([
      ['app_store', 'a', 'o'],
      ['play_store', 'p', null],
      ['app_store', 'a', null],
    ]);
  });

  it('gives the App Store’s offer fields to the App Store alone, and an empty base plan as null', () => {
    expect(v1.sourceProducts).toMatchObject([
      {
        appStoreOfferType: 'free_trial',
        promotionalOfferId: 'po',
        winBackOfferId: 'w',
        offerIds: ['o'],
        basePlanId: null,
      },
      { appStoreOfferType: null, promotionalOfferId: null, winBackOfferId: null, offerIds: [], basePlanId: null },
      { appStoreOfferType: null, offerIds: [], serviceProductId: 10, isConsumable: true },
    ]);
  });
});

describe('v2', () => {
  it('has a block a store, null where it is not sold', () =>
    expect(v2.paywallProducts).toEqual([
      {
        ...{ paywallProductId: 20, name: 'Web', period: 'once', appStore: null, playStore: null, stripe: null },
        ...{ web2wave: { productId: 'w' }, custom: { productId: 'c' } },
      },
      {
        ...{
          paywallProductId: 21,
          name: 'All',
          period: 'yearly',
          playStore: null,
          stripe: null,
          web2wave: null,
          custom: null,
        },
        appStore: { productId: 'a', offerId: 'o', promotionalOfferId: 'po', offerType: 'free_trial' },
      },
      {
        ...{
          paywallProductId: 22,
          name: 'Play',
          period: 'weekly',
          appStore: null,
          stripe: null,
          web2wave: null,
          custom: null,
        },
        playStore: { productId: 'p', basePlanId: null, offerId: null },
      },
      {
        ...{
          paywallProductId: 23,
          name: 'All',
          period: 'yearly',
          playStore: null,
          stripe: null,
          web2wave: null,
          custom: null,
        },
        appStore: { productId: 'a', offerId: null, promotionalOfferId: null, offerType: null },
      },
    ]));

  it('has an integer of days where Stripe’s product has no trial', () => {
    const stripe = { productId: 'prod_1', priceId: 'price_1' };
    const products = document.products.map((product) => ({ ...product, stripe }));
    const { paywalls } = compileCatalog(
      snapshotOf(1, [], { document: CatalogDocument.parse({ ...document, products }), ids }),
    );
    const { data } = JSON.parse(paywalls.get('wall')?.views.v2(served) ?? 'null');
    expect(data.paywallProducts[0].stripe).toEqual({ ...stripe, trialPeriodDays: 0 });
  });

  it('has no field of v1 alone', () => {
    expect(Object.keys(v2).sort()).toEqual(
      ['aiPricingModelId', 'externalId', 'id', 'isExperiment', 'name', 'paywallProducts', 'paywallSessionId'].sort(),
    );
  });
});

it('has every placement and paywall of any catalog, its Baseline included', () =>
  fc.assert(
    fc.property(catalogDocuments, (any) => {
      const numbered = (names: readonly { id: string }[]) => Object.fromEntries(names.map(({ id }, i) => [id, i + 1]));
      const positions = any.paywalls.flatMap(({ id, products }) => products.map((_, i) => ({ id: `${id}/${i}` })));
      const integers = {
        ...{ paywalls: numbered(any.paywalls), models: numbered(any.models), products: numbered(any.products) },
        paywallProducts: numbered(positions),
      };
      const compiled = compileCatalog(snapshotOf(1, [], { document: any, ids: integers, paywallRevisions: {} }));
      expect([...compiled.paywalls.keys()]).toEqual(any.paywalls.map(({ id }) => id));
      for (const { id, baseline, model } of any.placements) {
        const placement = compiled.placements.get(id);
        expect(placement?.baseline.id).toBe(baseline);
        expect(placement?.aiPricingModelId).toBe(model === null ? null : integers.models[model]);
      }
      for (const { views: all } of compiled.paywalls.values()) {
        const { sourceProducts } = JSON.parse(all.v1(null, 'p', served)).data;
        const perStore = (['app_store', 'play_store', 'stripe'] as const).flatMap(
          (store) => JSON.parse(all.v1(store, 'p', served)).data.sourceProducts,
        );
        expect(perStore).toHaveLength(sourceProducts.length);
        expect(JSON.parse(all.v2(served)).ok).toBe(true);
      }
    }),
  ));
