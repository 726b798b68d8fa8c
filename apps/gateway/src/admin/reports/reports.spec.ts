import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ReportTooLong, type PlacementReportRow } from '@paywright/read-model';
import { exampleCatalog } from '@paywright/contracts/testing';
import { adminGateway, viewerToken, type AdminGateway } from '../testing/admin-gateway.ts';
import { startedAt } from '../testing/surroundings.ts';

let gateway: AdminGateway;
beforeAll(async () => (gateway = await adminGateway()));
beforeEach(async () => {
  gateway.reset();
  await gateway.createApp();
  await gateway.call('PUT', '/apps/1/catalog', { body: exampleCatalog });
});
afterAll(() => gateway.close());

const path = '/apps/1/reports/placements/onboarding';
const day = 86_400_000;
const spread = { profiles: 1_000, payers: 40, squaredSurplus: 4_000, cubedSurplus: 40_000 };
const ai: PlacementReportRow = {
  ...{ target: 'ai_model', paywallId: null, externalId: null, requests: 1_200, uniqueImpressions: 1_000 },
  ...{ conversions: 41, revenueUsd: '399.6', unvaluedCurrencies: ['SAR', 'TWD'], usdPerImpression: '0.399600', spread },
  ...{ draws: 1_150, usdPerDraw: '0.340000', drawSpread: { ...spread, payers: 38 }, comparison: null },
};
const calm: PlacementReportRow = { ...ai, paywallId: 1, externalId: 'calm_v1', spread: { ...spread, payers: 29 } };
const unseen: PlacementReportRow = { ...calm, paywallId: 2, uniqueImpressions: 0, usdPerImpression: null, draws: 0, usdPerDraw: null }; // prettier-ignore

describe('GET days of a placement', () => {
  const figures = {
    ...{ target: 'ai_model' as const, requests: 12, draws: 10, uniqueImpressions: 9, conversions: 2 },
    ...{ drawConversions: 1, revenueUsd: '19.98', drawRevenueUsd: '9.99' },
  };

  it('has each day with its targets, and the comparison as of its end', async () => {
    const baseline = { ...figures, target: 'baseline' as const };
    const compared = { draws: 10, payers: 40, usdPerDraw: '1.998000' };
    const comparison = {
      ...{ ai: compared, baseline: { ...compared, usdPerDraw: '1.500000' }, usdPerDraw: '0.498000' },
      spread: { profiles: 1_000, payers: 40, squaredSurplus: 0.04, cubedSurplus: 0 },
    };
    gateway.readModel.reportDays = [
      { day: '2025-12-30', targets: [figures, baseline], comparison: null },
      { day: '2026-01-01', targets: [baseline], comparison },
    ];
    const { status, body } = await gateway.call('GET', `${path}/days?model=main&from=2025-12-30`, {
      token: viewerToken,
    });
    expect([status, body.data]).toEqual([
      200,
      {
        ...{ placementId: 'onboarding', model: 'main' },
        ...{ from: '2025-12-30T00:00:00.000Z', to: new Date(startedAt).toISOString() },
        days: [
          { day: '2025-12-30', targets: [figures, baseline], comparison: null },
          {
            ...{ day: '2026-01-01', targets: [baseline] },
            comparison: {
              aiModel: { draws: 10, usdPerDraw: '1.998000' },
              baseline: { draws: 10, usdPerDraw: '1.500000' },
              difference: {
                usd: '0.498000',
                low: expect.stringMatching(/^0\.1/),
                high: expect.stringMatching(/^0\.8/),
              },
            },
          },
        ],
      },
    ]);
    expect(gateway.readModel.periods).toMatchObject([{ placementId: 'onboarding', model: 1 }]);
  });

  it('is empty where nothing was served, and unknown where there is no placement', async () => {
    expect((await gateway.call('GET', `${path}/days`)).body.data.days).toEqual([]);
    expect((await gateway.call('GET', '/apps/1/reports/placements/none/days')).body.code).toBe('PLACEMENT_NOT_FOUND');
  });
});

describe('GET report of a placement', () => {
  it('has targets with their paywalls, and an interval where enough people paid', async () => {
    gateway.readModel.reportRows = [ai, calm, unseen];
    const { status, body } = await gateway.call('GET', path, { token: viewerToken });
    const figures = {
      requests: 1_200,
      draws: 1_150,
      uniqueImpressions: 1_000,
      conversions: 41,
      drawPayers: 38,
      revenueUsd: '399.6',
      unvaluedCurrencies: ['SAR', 'TWD'],
    };
    const revenuePerDraw = { usd: '0.340000', low: expect.any(String), high: expect.any(String) };
    expect(status).toBe(200);
    expect(body.data).toEqual({
      placementId: 'onboarding',
      model: null,
      from: new Date(startedAt - 30 * day).toISOString(),
      to: new Date(startedAt).toISOString(),
      targets: [
        {
          ...{ target: 'ai_model', ...figures, payers: 40 },
          revenuePerImpression: { usd: '0.399600', low: expect.any(String), high: expect.any(String) },
          revenuePerDraw,
          paywalls: [
            {
              ...{ paywallId: 1, externalId: 'calm_v1', ...figures, payers: 29 },
              revenuePerImpression: { usd: '0.399600', low: null, high: null },
              revenuePerDraw,
            },
            expect.objectContaining({ paywallId: 2, revenuePerImpression: null, revenuePerDraw: null }),
          ],
        },
      ],
      comparison: null,
    });
    const { low, high } = body.data.targets[0].revenuePerImpression;
    expect(Number(low)).toBeLessThan(0.3996);
    expect(Number(high) - 0.3996).toBeGreaterThan(0.3996 - Number(low));
  });

  it('has no interval of revenue below 0, which is what nobody’s paying brings', async () => {
    // Nearly all of it is one profile's.
    const ofOne = { ...spread, squaredSurplus: 159_600, cubedSurplus: 63_700_000 };
    gateway.readModel.reportRows = [{ ...ai, spread: ofOne, drawSpread: ofOne }];
    const { revenuePerImpression, revenuePerDraw } = (await gateway.call('GET', path)).body.data.targets[0];
    expect([revenuePerImpression.low, revenuePerDraw.low]).toEqual(['0.000000', '0.000000']);
    // Refunds by another day's exchange rate may be more than what was charged.
    gateway.readModel.reportRows = [{ ...ai, usdPerImpression: '-0.001000' }];
    const { body } = await gateway.call('GET', path);
    expect(Number(body.data.targets[0].revenuePerImpression.low)).toBeLessThan(-0.001);
  });

  it.each([
    [30, { usd: '0.030000', low: expect.any(String), high: expect.any(String) }],
    [29.9, { usd: '0.030000', low: null, high: null }],
  ])(
    'compares AI with Baseline, with an interval where as many as %f that weigh alike paid',
    async (payers, difference) => {
      const compared = {
        ...{ ai: { draws: 1_100, payers: 38, usdPerDraw: '0.330000' }, usdPerDraw: '0.030000' },
        ...{ baseline: { draws: 120, payers, usdPerDraw: '0.300000' } },
        spread: { profiles: 1_000, payers, squaredSurplus: 0.0004, cubedSurplus: 1e-6 },
      };
      gateway.readModel.reportRows = [{ ...ai, comparison: compared }, calm];
      const { body } = await gateway.call('GET', path);
      expect(body.data.comparison).toEqual({
        aiModel: { draws: 1_100, usdPerDraw: '0.330000' },
        baseline: { draws: 120, usdPerDraw: '0.300000' },
        difference,
      });
      if (payers < 30) return;
      // An error is .02: ± .04, and somewhat more above.
      const { low, high } = body.data.comparison.difference;
      expect(Number(low)).toBeCloseTo(-0.008, 2);
      expect(Number(high)).toBeCloseTo(0.071, 2);
    },
  );

  it.each([
    ['', startedAt - 30 * day, startedAt],
    ['?from=2025-12-01', Date.UTC(2025, 11, 1), startedAt],
    ['?to=2025-12-31T12:00:00%2B02:00', Date.UTC(2025, 11, 1, 10), Date.UTC(2025, 11, 31, 10)],
    ['?from=2025-01-01&to=2025-01-02', Date.UTC(2025, 0, 1), Date.UTC(2025, 0, 2)],
  ])('asks with "%s" for that time', async (query, from, to) => {
    await gateway.call('GET', `${path}${query}`);
    expect(gateway.readModel.periods).toEqual([{ appId: 1, placementId: 'onboarding', from, to }]);
  });

  it.each([
    ['?from=yesterday', /^from must be a day/],
    ['?from=2026-01-01T10:00', /^from must be a day/],
    ['?to=2026-13-01', /^to must be a day/],
    ['?from=2025-02-30', /^from must be a day/],
    ['?to=2025-01-01&to=2025-01-02', /^to must be a day/],
    ['?from=2026-01-02&to=2026-01-02', /^from must be before to/],
    ['?from=2030-01-01', /^from must be before now, where there is no to/],
  ])('refuses "%s"', async (query, error) => {
    const { status, body } = await gateway.call('GET', `${path}${query}`);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error).toMatch(error);
  });

  it('asks for one of the models that the placement had, by its id, also where the catalog has it no more', async () => {
    gateway.readModel.archived.models.set('former', { name: 'Former', externalId: null, number: 7 });
    gateway.readModel.reportRows = [ai];
    const asked = ['', '?model=main', '?model=former'].map(async (query) => await gateway.call('GET', path + query));
    const answers = await Promise.all(asked);
    expect(answers.map(({ status, body }) => [status, body.data.model])).toEqual([
      [200, null],
      [200, 'main'],
      [200, 'former'],
    ]);
    expect(gateway.readModel.periods.map(({ model }) => model).sort()).toEqual([1, 7, undefined]);
  });

  it.each([
    ['?model=unknown', 404, 'MODEL_NOT_FOUND', 'model names no model of this app; its catalog has main.'],
    ['?model=constructor', 404, 'MODEL_NOT_FOUND', 'model names no model of this app; its catalog has main.'],
    ['?model=%00', 404, 'MODEL_NOT_FOUND', 'model names no model of this app; its catalog has main.'],
    ['?model=', 400, 'VALIDATION_FAILED', "model must be one model's id."],
    ['?model=a&model=b', 400, 'VALIDATION_FAILED', "model must be one model's id."],
  ])('refuses "%s"', async (query, status, code, error) => {
    expect(await gateway.call('GET', `${path}${query}`)).toMatchObject({ status, body: { code, error } });
    expect(gateway.readModel.periods).toEqual([]);
  });

  it('says what to ask for where it takes too long, since the same request would again', async () => {
    gateway.readModel.reportRows = new ReportTooLong();
    expect(await gateway.call('GET', path)).toMatchObject({
      status: 503,
      body: {
        code: 'SERVICE_UNAVAILABLE',
        error: 'The report takes too long: ask for a shorter period, with from and to.',
      },
      headers: expect.not.objectContaining({ 'retry-after': expect.anything() }) as unknown,
    });
  });

  it('knows a placement that is gone while decisions name it', async () => {
    const gone = '/apps/1/reports/placements/gone';
    expect(await gateway.call('GET', gone)).toMatchObject({
      status: 404,
      body: { code: 'PLACEMENT_NOT_FOUND', error: expect.stringMatching(/; its catalog has \w.*\.$/) },
    });
    gateway.readModel.reportRows = [ai];
    expect((await gateway.call('GET', gone)).status).toBe(200);
    expect((await gateway.call('GET', '/apps/9/reports/placements/onboarding')).body.code).toBe('APP_NOT_FOUND');
  });
});
