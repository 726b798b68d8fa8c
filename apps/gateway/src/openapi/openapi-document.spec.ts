import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { purchaseViewOf, soldProducts } from '@paywright/purchases';
import type { PlacementReportRow } from '@paywright/read-model';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { getMetadataStorage } from 'class-validator';
import { CreateAppDto, IssueKeyDto } from '../admin/apps/apps.dto.ts';
import { LimitShareDto } from '../admin/models/models.dto.ts';
import { appView } from '../admin/apps/app-view.ts';
import { decisionExplanation, decisionView } from '../admin/decisions/decision-view.ts';
import { modelView } from '../admin/models/model-view.ts';
import { ledgerEntryView } from '../admin/people/ledger-entry-view.ts';
import { placementReportView } from '../admin/reports/placement-report-view.ts';
import { adminGateway } from '../admin/testing/admin-gateway.ts';
import { decisionRow, profile } from '../admin/testing/decision-records.ts';
import { ledgerRow } from '../admin/testing/ledger-row.ts';
import { credentialsView } from '../admin/credentials/credentials-view.ts';
import { paywallViewsOf } from '../catalog/paywall-views.ts';
import {
  SetAttributesV1Dto,
  SetAttributesV2Dto,
  SetAttributeV1Dto,
  UpdateAttributeV1Dto,
} from '../custom-attributes/custom-attribute.dto.ts';
import { EventDto } from '../events/event.dto.ts';
import { PaywallRequestV1Dto, PaywallRequestV2Dto } from '../paywalls/paywall-request.dto.ts';
import { profileViewV1 } from '../profiles/profile-view-v1.ts';
import { profileViewV2 } from '../profiles/profile-view-v2.ts';
import { SaveProfileV1Dto } from '../profiles/save-profile-v1.dto.ts';
import { SaveProfileV2Dto } from '../profiles/save-profile-v2.dto.ts';
import { AppStorePurchaseDto } from '../purchases/app-store-purchase.dto.ts';
import { PlayPurchaseDto } from '../purchases/play-purchase.dto.ts';
import { subscribedChain } from '../testing/purchased-chain.ts';
import { firstApp, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';
import { compileDto } from '../validation/compile-dto.ts';
import { describedOperations, openapiDocument } from './openapi-document.ts';

interface Document {
  readonly paths: Record<
    string,
    Record<string, { description?: string; parameters: object[]; responses: Record<string, object> }>
  >;
  readonly components: { readonly schemas: Record<string, SomeSchema> };
}
const document = openapiDocument() as Document;

/** Optimizing takes longer than it saves for the few values that each schema is asked about. */
const code = { optimize: false };
const ajv = new Ajv2020({ strict: false, allErrors: true, code });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

/** By the text of the schema: most operations refuse with the same one. */
const validators = new Map<string, ValidateFunction>();

/** What is wrong with a value by a schema of the document; nothing, if all is well. */
function faults(value: unknown, schema: object) {
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text.replaceAll('"#/', '"document#/')));
  validators.set(text, validate);
  validate(JSON.parse(JSON.stringify(value)));
  return validate.errors ?? [];
}

interface SomeSchema {
  readonly description?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, SomeSchema>>;
  readonly items?: SomeSchema;
  readonly anyOf?: readonly SomeSchema[];
  readonly oneOf?: readonly SomeSchema[];
}
const choicesOf = ({ anyOf = [], oneOf = [] }: SomeSchema) => [...anyOf, ...oneOf];

/** Whether a reader is told what it is: itself, or by one of the things that it may be. */
const isDescribed = (schema: SomeSchema): boolean =>
  ['description', '$ref', 'const'].some((keyword) => keyword in schema) || choicesOf(schema).some(isDescribed);

/** Where, at any depth, a field says nothing of itself. */
function undescribedFields(schema: SomeSchema, place: string): readonly string[] {
  const fields = Object.entries(schema.properties ?? {});
  return [
    ...fields.filter(([, field]) => !isDescribed(field)).map(([name]) => `${place}.${name}`),
    ...fields.flatMap(([name, field]) => undescribedFields(field, `${place}.${name}`)),
    ...(schema.items ? undescribedFields(schema.items, `${place}[]`) : []),
    ...choicesOf(schema).flatMap((choice) => undescribedFields(choice, place)),
  ];
}
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const operations = Object.entries(describedOperations).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ route: `${method} ${path}`, ...operation })),
);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, every reference included', async () => {
    const validator = new Validator({ code });
    const answered = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    const { valid, errors } = await validator.validate(answered);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  it('gives every operation an id of its own', () =>
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length));

  it('says which parameter of a query a request cannot do without', () => {
    const required = operations.flatMap(({ route, query = [] }) =>
      query.filter((parameter) => parameter.required).map(({ name }) => `${route}?${name}`),
    );
    expect(required).toEqual(['get /admin/v1/apps/{appId}/models/{modelId}/evaluation?policy']);
    const { get } = document.paths['/admin/v1/apps/{appId}/models/{modelId}/evaluation']!;
    expect(get?.parameters).toContainEqual(expect.objectContaining({ name: 'policy', in: 'query', required: true }));
    expect(get?.parameters).toContainEqual(expect.objectContaining({ name: 'days', in: 'query', required: false }));
  });

  it('says of every field what it is', () => {
    const undescribed = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      undescribedFields(schema, name),
    );
    expect(undescribed).toEqual([]);
  });

  it('says of a report that takes too long that its 503 has no Retry-After, and what to ask for instead', () => {
    for (const path of ['', '/days'].map((days) => `/admin/v1/apps/{appId}/reports/placements/{placementId}${days}`)) {
      const { get } = document.paths[path]!;
      expect(get?.description).toContain('503 without Retry-After: ask for a shorter period');
      expect(get?.responses['503']).toMatchObject({
        headers: { 'Retry-After': { description: expect.stringContaining('without it'), required: false } },
      });
    }
  });

  it('says what is answered without a body', () => {
    const { get } = document.paths['/admin/v1/apps/{appId}/catalog']!;
    expect(get?.responses['304']).toEqual({ description: 'That revision is the newest' });
    expect(get?.parameters).toContainEqual(expect.objectContaining({ name: 'If-None-Match', in: 'header' }));
  });

  it.each(operations)('has examples for $route that are what they say', ({ body, answers }) => {
    for (const { schema, example } of [...(body ? [body] : []), ...Object.values(answers)])
      expect(faults(example, schema)).toEqual([]);
  });
});

describe('what clients send', () => {
  it.each<[string, new () => object, unknown]>([
    ['SaveProfileV1', SaveProfileV1Dto, '/api/v1/web-api/profiles'],
    ['SaveProfileV2', SaveProfileV2Dto, '/v2/profiles'],
    ['SetAttributeV1', SetAttributeV1Dto, '/api/v1/web-api/profiles/custom-attributes'],
    ['UpdateAttributeV1', UpdateAttributeV1Dto, null],
    ['SetAttributesV1', SetAttributesV1Dto, '/api/v1/web-api/profiles/custom-attributes-all'],
    ['SetAttributesV2', SetAttributesV2Dto, '/v2/custom-attributes'],
    ['PaywallRequestV1', PaywallRequestV1Dto, '/api/v1/web-api/paywalls'],
    ['PaywallRequestV2', PaywallRequestV2Dto, '/v2/paywall'],
    ['Event', EventDto, null],
    ['AppStorePurchase', AppStorePurchaseDto, '/api/v1/web-api/purchases/apple-store/validate'],
    ['PlayPurchase', PlayPurchaseDto, '/api/v1/web-api/purchases/play-store/validate'],
    ['CreateApp', CreateAppDto, '/admin/v1/apps'],
    ['IssueKey', IssueKeyDto, '/admin/v1/apps/{appId}/keys'],
    ['LimitShare', LimitShareDto, null],
  ])('has in %s the fields that are read, and an example that is accepted', (name, Dto, path) => {
    const read = getMetadataStorage().getTargetValidationMetadatas(Dto, '', false, false);
    const fields = Object.keys(document.components.schemas[name]?.properties ?? {});
    expect(fields.sort()).toEqual([...new Set(read.map(({ propertyName }) => propertyName))].sort());
    const example = typeof path === 'string' ? describedOperations[path]?.['post']?.body?.example : undefined;
    if (example !== undefined) expect(() => compileDto(Dto)(example)).not.toThrow();
  });
});

describe('a number that clients send', () => {
  it.each(['Event', 'AppStorePurchase', 'PlayPurchase'])('has 32 bits where it is one of ours, in %s', (schema) => {
    for (const field of ['paywallId', 'aiPricingModelId']) {
      const number = named(`${schema}/properties/${field}`);
      for (const right of [2 ** 31 - 1, -(2 ** 31), null]) expect(faults(right, number)).toEqual([]);
      for (const wrong of [2 ** 31, -(2 ** 31) - 1]) expect(faults(wrong, number)).not.toEqual([]);
    }
  });

  it.each(['Event', 'PlayPurchase'])('may be any below 2^53 where it is a test of their own, in %s', (schema) => {
    const number = named(`${schema}/properties/abTestId`);
    expect(faults(Number.MAX_SAFE_INTEGER, number)).toEqual([]);
    expect(faults(2 ** 53, number)).not.toEqual([]);
  });

  it.each(['AppStorePurchase', 'PlayPurchase'])('is below 10^18 where it is a price, in %s', (schema) => {
    const price = named(`${schema}/properties/price`);
    for (const right of [9.99, -1, 9e17, null]) expect(faults(right, price)).toEqual([]);
    for (const wrong of [1e18, -1e18]) expect(faults(wrong, price)).not.toEqual([]);
  });
});

describe('a catalog that clients send', () => {
  const store = { productId: 'premium', basePlanId: '' };
  const product = { id: 'premium', name: 'Premium', period: 'monthly', playStore: store };
  const attached = { product: 'premium', appStore: { offerId: '', promotionalOfferId: '', winBackOfferId: '' } };
  const paywall = { id: 'calm', name: 'Calm', products: [{ ...attached, playStore: { offerId: '' } }] };
  const catalog = { products: [product], paywalls: [paywall] };

  it('may have an empty base plan or offer, which is none', () => {
    expect(faults(catalog, named('CatalogDocument'))).toEqual([]);
  });

  it('has no other empty id', () => {
    const nameless = { ...product, playStore: { productId: '' } };
    expect(faults({ products: [nameless] }, named('CatalogDocument'))).not.toEqual([]);
  });

  it('is not answered so', () => {
    expect(faults(store, named('Catalog/properties/products/items/properties/playStore'))).not.toEqual([]);
  });
});

describe('a country that clients send', () => {
  const fieldOf = (schema: string) => named(`${schema}/properties/country`);

  it.each(['SaveProfileV1', 'PaywallRequestV1'])('is of two letters in %s', (schema) => {
    expect(faults('de', fieldOf(schema))).toEqual([]);
    for (const wrong of ['DEU', 'D', '49']) expect(faults(wrong, fieldOf(schema))).not.toEqual([]);
  });

  it.each(['SaveProfileV2', 'PaywallRequestV2'])('may have three upper-case letters in %s', (schema) => {
    for (const right of ['de', 'DEU']) expect(faults(right, fieldOf(schema))).toEqual([]);
    for (const wrong of ['deu', 'D', '49']) expect(faults(wrong, fieldOf(schema))).not.toEqual([]);
  });

  it.each(['PaywallRequestV1', 'PaywallRequestV2'])('is none where it is empty in %s', (schema) => {
    for (const none of ['', null]) expect(faults(none, fieldOf(schema))).toEqual([]);
  });
});

describe('what clients are answered', () => {
  const boughtAt = profile.createdAt;
  const sold = { store: 'app_store', productId: 'premium.monthly' } as const;
  const subscribed = subscribedChain('0190a5b0-0000-8000-8000-00000000000c', profile.profileId, sold, boughtAt);
  const [transaction] = Object.values(subscribed.transactions);
  const oneTime = { ...transaction!, kind: 'one_time' as const, expiresAt: null };
  const chains = [subscribed, { ...subscribed, subscription: null, transactions: { 2000: oneTime } }];
  const [paywall] = firstApp.document.paywalls;
  const views = paywallViewsOf(paywall!, 12, firstApp);
  const served = { isExperiment: true, aiPricingModelId: null, paywallSessionId: 'token' };
  const bought = purchaseViewOf(profile.profileId, chains, soldProducts(firstApp), boughtAt);
  const row = decisionRow('0190a5b0-0000-7000-8000-00000000000a');

  const unchecked = { setAt: boughtAt, lastCheck: null };
  const checked = { setAt: boughtAt, lastCheck: { time: boughtAt, ok: true, message: 'Yes.' } };

  const frozen = { time: boughtAt, type: 'ModelFrozen', body: { appId: 1, model: 'main', actor: 'ops' } } as const;
  const period = { appId: 1, placementId: 'onboarding', from: 0, to: boughtAt };
  const earned: PlacementReportRow = {
    ...{ target: 'ai_model', paywallId: null, externalId: null, requests: 9, uniqueImpressions: 8, conversions: 1 },
    ...{ revenueUsd: '9.99', unvaluedCurrencies: ['TWD'], usdPerImpression: '1.248750' },
    spread: { profiles: 8, payers: 1, squaredSurplus: 87, cubedSurplus: 655 },
    ...{ draws: 9, usdPerDraw: '1.110000', drawSpread: { profiles: 9, payers: 1, squaredSurplus: 88, cubedSurplus: 691 } }, // prettier-ignore
    comparison: {
      ai: { draws: 9, payers: 1, usdPerDraw: '1.110000' },
      ...{ baseline: { draws: 2, payers: 0, usdPerDraw: '0.000000' }, usdPerDraw: '1.110000' },
      spread: { profiles: 9, payers: 0, squaredSurplus: 1, cubedSurplus: 0.3 },
    },
  };

  const main = { model: 'main', learned: null, former: null, formerPaywalls: new Map() };

  it.each<[string, unknown]>([
    ['ProfileV1', profileViewV1(profile, bought)],
    ['ProfileV2', profileViewV2(profile)],
    ['PaywallV1', JSON.parse(views.v1(null, 'onboarding', served)).data],
    ['PaywallV2', JSON.parse(views.v2(served)).data],
    ['App', appView(firstApp)],
    ['Catalog', { ...firstApp.document, revision: 1 }],
    ['Decision', decisionView(row)],
    ['ExplainedDecision', decisionExplanation(row, { shownAt: null, conversions: 0, revenueUsd: '0' })],
    ['LedgerEntry', ledgerEntryView(ledgerRow)],
    ['Model', modelView({ ...main, snapshot: firstApp, changes: [frozen] }, 0)],
    [
      'PlacementReport',
      placementReportView({ ...period, model: null }, [earned, { ...earned, paywallId: 12, externalId: 'calm' }]),
    ],
    ['StoreCredentials', credentialsView({ appStore: checked, playStore: unchecked, stripe: null })],
  ])('is a %s', (name, value) => expect(faults(value, named(name))).toEqual([]));
});

describe('what is exported', () => {
  it('is an ExportedProfile', async () => {
    const gateway = await adminGateway();
    await gateway.createApp();
    const { profileId, createdAt: time } = profile;
    const chain = subscribedChain(
      '0190a5b0-0000-8000-8000-00000000000c',
      profileId,
      { store: 'app_store', productId: 'premium.monthly' },
      time,
    );
    const event = { id: profileId, type: 'ProfileCreated', service: 'profile', stream: profileId, version: 1 };
    Object.assign(gateway.readModel, {
      profiles: [profile],
      chains: new Map([[profileId, [chain]]]),
      impressions: [{ paywallId: 1, placementId: null, decisionId: null, firstShownAt: time }],
      ledger: [ledgerRow],
      decisions: [decisionRow('0190a5b0-0000-7000-8000-00000000000a')],
      events: [{ ...event, time, data: {} }],
    });
    const { data } = (await gateway.call('GET', `/apps/1/profiles/${profileId}/export`)).body;
    await gateway.close();
    for (const list of ['purchases', 'impressions', 'ledger', 'decisions', 'events'])
      expect(data[list]).toHaveLength(1);
    expect(faults(data, named('ExportedProfile'))).toEqual([]);
  });
});

describe('the gateway', () => {
  let gateway: TestGateway;
  beforeAll(async () => (gateway = await startTestGateway()));
  afterAll(async () => gateway[Symbol.asyncDispose]());
  const get = (url: string) => gateway.inject({ method: 'GET', url });

  it('has every described route, and describes every route that it has', () => {
    const { paths } = SwaggerModule.createDocument(gateway.app, new DocumentBuilder().build());
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(routes.sort()).toEqual(operations.map(({ route }) => route).sort());
  });

  it('answers the document without a key', async () => {
    const response = await get('/openapi.json');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('shows a page that loads from the gateway alone', async () => {
    const page = await get('/docs');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    const loaded = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(loaded.length).toBeGreaterThan(3);
    for (const url of loaded) expect([url, (await get(url)).statusCode]).toEqual([url, 200]);
  });

  it.each(['/docs/package.json', '/docs/../package.json', '/docs/%2e%2e/package.json'])(
    'shows nothing else: %s',
    async (url) => {
      expect((await get(url)).statusCode).toBe(404);
    },
  );
});
