import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { catalogDocuments, exampleCatalog, exampleCatalogJson as example } from '../testing/catalog.ts';
import { findCatalogFaults } from './find-catalog-faults.ts';

const [onboarding, settings] = example.placements;
const [calm, bold] = example.paywalls;
const [main] = example.models;
const [monthly] = example.products;

const faultsOf = (json: unknown) => findCatalogFaults(json).faults.map(({ path, message }) => `${path} ${message}`);

describe('findCatalogFaults', () => {
  it('reads a sound document and fills in every default', () => {
    expect(findCatalogFaults(example)).toEqual({ document: exampleCatalog, faults: [], circles: [] });
    expect(exampleCatalog.models[0]).toMatchObject({ horizonDays: 180, abTestId: null });
    expect(exampleCatalog.paywalls[1]).toMatchObject({ externalId: 'bold', remoteConfigs: null });
  });

  it('ignores the revision that was read with the document', () =>
    expect(findCatalogFaults({ ...example, revision: 'any' }).document).toEqual(exampleCatalog));

  it('takes null for whatever may be left out, and an empty offer for none', () => {
    const paywall = { ...calm, products: [{ product: monthly.id, appStore: null, playStore: { offerId: '' } }] };
    const { document } = findCatalogFaults({
      ...example,
      app: null,
      accessLevels: [{ id: 'premium' }],
      paywalls: [paywall, bold],
    });
    expect(document?.app.restorePolicy).toBe('transfer');
    expect(document?.paywalls[0]?.products[0]?.playStore).toEqual({ offerId: null });
  });

  it('refuses a model of which a decision would be too long to be told', () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `paywall-${index}`);
    const named = (candidates: readonly string[]) => ({
      paywalls: ids.map((id) => ({ id, name: id })),
      models: [{ ...main, candidates, traffic: [{ target: 'ai_model', weight: 1 }] }],
    });
    expect(faultsOf(named(ids.slice(0, 2_500)))).toEqual([]);
    expect(faultsOf(named(ids))).toEqual([
      '/models/main/candidates may take 1846670 bytes of each decision with their figures, and at most 1048576 are left for them',
    ]);
  });

  it('names every fault at once, by the ids of the objects', () =>
    expect(
      faultsOf({
        ...example,
        note: 1,
        app: { restorePolicy: 'perhaps' },
        products: [monthly, { id: 'bad id', name: '', period: 'x'.repeat(41), accessLevel: 'gold' }],
        paywalls: [calm, { ...bold, name: 7, colour: 'red', products: [{ product: 'yearly' }] }, 5],
        models: [
          { ...main, candidates: ['calm', 'loud', 'calm'], horizonDays: 731, traffic: [{ target: 'luck', weight: 0 }] },
        ],
        placements: [onboarding, settings, { id: 'home', name: 'Home', model: 'other', stickyFor: '7 days' }],
      }).sort(),
    ).toEqual(
      [
        '/app/restorePolicy must be one of transfer, keep',
        '/models/main/candidates/1 names no paywall: "loud"',
        '/models/main/candidates/2 is a candidate already',
        '/models/main/horizonDays must be at most 730',
        '/models/main/traffic/0/target must be one of ai_model, baseline, placement',
        '/models/main/traffic/0/weight must be greater than 0',
        '/note is not a known field',
        '/paywalls/2 must be an object',
        '/paywalls/bold/colour is not a known field',
        '/paywalls/bold/name must be a text',
        '/paywalls/bold/products/0/product names no product: "yearly"',
        '/placements/home/baseline is required',
        '/placements/home/model names no model: "other"',
        '/placements/home/stickyFor must be an ISO 8601 duration such as P7D or PT12H',
        '/products/1/accessLevel names no access level: "gold"',
        '/products/1/id must be 1 to 64 of A-Za-z0-9._-, and not __proto__',
        '/products/1/name must be 1 to 255 characters of valid Unicode',
        '/products/1/period must be 1 to 40 characters of valid Unicode',
      ].sort(),
    ));

  it('names the id alone of a paywall that has none to be called by', () => {
    const faultsOfId = (given: object) => faultsOf({ ...example, placements: [], models: [], paywalls: [{ name: 'C', ...given }] }); // prettier-ignore
    for (const given of [{}, { id: 5 }, { id: '' }, { id: null }])
      expect(faultsOfId(given)).toEqual([expect.stringMatching(/^\/paywalls\/0\/id /)]);
  });

  it('finds ids given twice in a list, and takes one id in two lists', () => {
    expect(faultsOf({ ...example, paywalls: [calm, bold, calm] })).toEqual([
      '/paywalls/calm/id is the id of another paywall too',
    ]);
    expect(faultsOf({ ...example, accessLevels: [{ id: 'premium' }, { id: 'calm' }] })).toEqual([]);
  });

  it.each([
    [
      'a weight of 0',
      { traffic: [{ target: 'baseline', weight: 0 }] },
      '/models/main/traffic/0/weight must be greater than 0',
    ],
    ['no traffic', { traffic: [] }, '/models/main/traffic must have at least one entry'],
    ['no candidates', { candidates: [] }, '/models/main/candidates must have at least one entry'],
    ['candidates left out', { candidates: undefined }, '/models/main/candidates is required'],
    ['half a day', { horizonDays: 0.5 }, '/models/main/horizonDays must be an integer'],
    [
      'weights beyond all numbers',
      {
        traffic: [
          { target: 'ai_model', weight: 1e308 },
          { target: 'baseline', weight: 1e308 },
        ],
      },
      '/models/main/traffic has weights too large to add up',
    ],
    [
      'traffic to nowhere',
      { traffic: [{ target: 'placement', placement: 'gone', weight: 1 }] },
      '/models/main/traffic/0/placement names no placement: "gone"',
    ],
  ])('refuses %s', (_, change, fault) =>
    expect(faultsOf({ ...example, models: [{ ...main, ...change }] })).toEqual([fault]),
  );

  it('refuses what PostgreSQL cannot hold, and counts characters, not UTF-16 units', () => {
    const named = (name: string) => faultsOf({ ...example, placements: [{ ...settings, name }, onboarding] });
    expect(named('🙂'.repeat(255))).toEqual([]);
    const refused = ['/placements/settings/name must be 1 to 255 characters of valid Unicode'];
    for (const name of ['🙂'.repeat(256), 'a\0b', '\ud83d']) expect(named(name)).toEqual(refused);
    expect(faultsOf({ ...example, paywalls: [{ ...calm, remoteConfigs: '\0' }, bold] })).toHaveLength(1);
    expect(faultsOf({ ...example, paywalls: [{ ...calm, remoteConfigs: 'é'.repeat(32769) }, bold] })).toEqual([
      '/paywalls/calm/remoteConfigs must be at most 64 KiB',
    ]);
  });

  it('lists circular allocations apart from faults, at the entry that closes the circle', () => {
    const model = { ...main, traffic: [...main.traffic, { target: 'placement', placement: 'onboarding', weight: 1 }] };
    expect(findCatalogFaults({ ...example, models: [model] })).toMatchObject({
      faults: [],
      circles: [
        { path: '/models/main/traffic/3', message: 'Circular placement allocation detected: onboarding -> onboarding' },
      ],
    });
  });

  it('lists circular allocations beside faults', () => {
    const { faults, circles, document } = findCatalogFaults({
      models: [5, { id: 'm', traffic: [null, { target: 'placement', placement: 'p' }] }],
      placements: [{ id: 'p', model: 'm' }],
    });
    expect(document).toBeNull();
    expect(faults.length).toBeGreaterThan(3);
    expect(circles).toEqual([
      { path: '/models/m/traffic/1', message: 'Circular placement allocation detected: p -> p' },
    ]);
  });

  it('answers any JSON: a document, or faults, each at a place', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(exampleCatalog)), (value, list) => {
        for (const json of [value, { [list]: value }, { [list]: [value] }, { ...example, [list]: [value, value] }]) {
          const { document, faults } = findCatalogFaults(json);
          expect(document === null).toBe(faults.length > 0);
          for (const { path } of faults) expect(path).toMatch(/^(\/.*)?$/s);
        }
      }),
    );
  });

  it('finds nothing wrong with a document that it made itself', () =>
    fc.assert(
      fc.property(catalogDocuments, (document) => {
        expect(findCatalogFaults(document)).toMatchObject({ document, faults: [] });
      }),
    ));
});
