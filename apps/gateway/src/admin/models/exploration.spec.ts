import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Weighing } from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';
import { reportSchemas } from '../../openapi/schemas/report-schemas.ts';
import { adminGateway, viewerToken, type AdminGateway } from '../testing/admin-gateway.ts';
import { context } from '../testing/decision-records.ts';
import { startedAt } from '../testing/surroundings.ts';
import { ExplorationSums } from './exploration.ts';

type Told = Pick<Weighing, 'candidates' | 'calibration'>;
const asPromised = { alpha: 0, beta: 1, horizonDays: 180 };

const told = (chances: readonly number[], values: readonly number[] | null, calibration = asPromised): Told => ({
  candidates: chances.map((probability, place) => ({
    ...{ paywall: `p${place}`, score: 0, variance: null, probability, propensity: probability },
    value: values?.[place] ?? null,
  })),
  ...(values === null ? {} : { calibration }),
});

const meansOf = (decisions: readonly Told[]) => {
  const sums = new ExplorationSums();
  for (const decision of decisions) sums.add(decision);
  return sums.means();
};

describe('exploration', () => {
  it('of what is shown evenly is of all candidates, and expects nothing before it has learned', () =>
    expect(meansOf([told([0.25, 0.25, 0.25, 0.25], null)])).toEqual({
      ...{ decisions: 1, withoutChoice: 0, candidates: 4, effectiveCandidates: expect.closeTo(4, 12) },
      ...{ evenShare: 1, expected: null },
    }));

  it('costs what the best would bring more than what is drawn', () =>
    expect(meansOf([told([0.01, 0.79, 0.2], [0.1, 0.5, 0.4])])).toMatchObject({
      evenShare: expect.closeTo(0.03, 12),
      effectiveCandidates: expect.closeTo(Math.exp(-(0.01 * Math.log(0.01) + 0.79 * Math.log(0.79) + 0.2 * Math.log(0.2))), 12), // prettier-ignore
      expected: { decisions: 1, bestUsd: 0.5, drawnUsd: expect.closeTo(0.476, 12), bestShare: 0.79 },
    }));

  it('tells USD as the decision’s own sentence does, drawn to what came of earlier promises', () => {
    const half = { alpha: Math.log(0.5), beta: 1, horizonDays: 180 };
    expect(meansOf([told([0.5, 0.5], [0.2, 0.6], half)]).expected).toMatchObject({
      bestUsd: expect.closeTo(0.3, 12),
      drawnUsd: expect.closeTo(0.2, 12),
    });
  });

  it('is a mean of decisions, those that had something to choose from', () => {
    const decisions = [told([1], [3]), told([0.5, 0.5], null), told([0.1, 0.9], [1, 2]), told([0.3, 0.7], [4, 2])];
    expect(meansOf(decisions)).toMatchObject({
      ...{ decisions: 3, withoutChoice: 1, candidates: 2, evenShare: expect.closeTo((1 + 0.2 + 0.6) / 3, 12) },
      expected: { decisions: 2, bestUsd: 3, drawnUsd: expect.closeTo(2.25, 12), bestShare: expect.closeTo(0.6, 12) },
    });
  });

  it('takes a chance of nothing for none', () =>
    expect(meansOf([told([0, 1], [1, 2])])).toMatchObject({ effectiveCandidates: 1, evenShare: 0 }));

  it('is empty without decisions', () =>
    expect(meansOf([])).toEqual({
      ...{ decisions: 0, withoutChoice: 0, candidates: null, effectiveCandidates: null, evenShare: null, expected: null }, // prettier-ignore
    }));
});

describe('GET exploration', () => {
  let gateway: AdminGateway;
  beforeAll(async () => (gateway = await adminGateway()));
  beforeEach(async () => {
    gateway.reset();
    await gateway.createApp();
    await gateway.call('PUT', '/apps/1/catalog', { body: exampleCatalog });
    const weighing: Weighing = {
      ...{ model: 'main', policy: 'learned-1:x', aiWeight: 9, baselineWeight: 1, baselinePaywall: 'calm' },
      ...{ baselinePropensity: 0.1, utcOffsetMinutes: null, ...told([0.25, 0.75], [0.2, 0.4]) },
    };
    gateway.readModel.weighed = Array.from({ length: 450 }, (_, index) => ({
      ...{ profileId: `p${index}`, time: startedAt - 1, paywall: 'p0', placementId: 'onboarding', usd: '0' },
      ...{ weighing: () => weighing, context: () => context },
    }));
  });
  afterAll(() => gateway.close());
  const explored = (query = '', model = 'main') =>
    gateway.call('GET', `/apps/1/models/${model}/exploration${query}`, { token: viewerToken });

  it('tells of the decisions of the last 30 days, as it is described', async () => {
    const { data } = (await explored()).body;
    expect(data).toMatchObject({
      ...{ decisions: 450, isWhole: true, evenShare: 0.5, to: new Date(startedAt).toISOString() },
      expected: { decisions: 450, bestUsd: expect.closeTo(0.4, 9), drawnUsd: expect.closeTo(0.35, 9) },
    });
    expect(gateway.readModel.weighedRequests).toMatchObject([
      { from: startedAt - 30 * 86_400_000, to: startedAt, withContext: false, limit: 20_000 },
    ]);
    const described = Object.keys(Object(reportSchemas['Exploration']?.['properties']));
    expect(Object.keys(data).sort()).toEqual(described.sort());
  });

  it('refuses other models and periods that end before they begin', async () => {
    expect((await explored('', 'x')).body.code).toBe('MODEL_NOT_FOUND');
    expect((await explored('?from=2026-01-02&to=2026-01-01')).body.code).toBe('VALIDATION_FAILED');
  });
});
