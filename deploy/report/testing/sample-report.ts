import type { Report } from '../report.ts';

const figures = (requests: number, mean: string | null, low: string | null = null, high: string | null = null) => ({
  ...{
    requests,
    draws: mean === null ? 0 : requests,
    uniqueImpressions: mean === null ? 0 : Math.round(requests * 0.8),
    conversions: Math.round(requests / 40),
  },
  ...{
    payers: Math.round(requests / 60),
    drawPayers: low === null ? 12 : Math.round(requests / 65),
    revenueUsd: '3410.52',
    unvaluedCurrencies: [],
  },
  revenuePerImpression: mean === null ? null : { usd: (Number(mean) * 1.25).toFixed(6), low: null, high: null },
  revenuePerDraw: mean === null ? null : { usd: mean, low, high },
});

const ofDay = (target: string, draws: number, conversions: number, usd: number) => ({
  ...{ target, requests: draws + 2, draws, uniqueImpressions: draws - 30, conversions: conversions + 1 },
  ...{ drawConversions: conversions, revenueUsd: String(usd + 9.99), drawRevenueUsd: String(usd) },
});

/** The first days have too few who paid. */
const untilDay = (index: number) => {
  const difference = 0.019 + (0.2 * Math.cos(index)) / index;
  const [low, high] = [difference - 0.6 / Math.sqrt(index), difference + 0.6 / Math.sqrt(index)];
  const told = (value: number) => (index < 6 ? null : value.toFixed(6));
  return {
    aiModel: { draws: 400 * (index + 1), usdPerDraw: (0.312 + difference).toFixed(6) },
    baseline: { draws: 45 * (index + 1), usdPerDraw: '0.312000' },
    difference: { usd: difference.toFixed(6), low: told(low), high: told(high) },
  };
};

const evaluation = (policy: string, value: number | null, refusal: string | null = null) => ({
  ...{ policy, from: '2026-01-01T00:00:00.000Z', to: '2026-02-16T00:00:00.000Z', days: 14 },
  usdPerDecision: value === null ? null : { value, low: value - 0.06, high: value + 0.07 },
  ...{ refusal, effectiveSampleSize: value === null ? 84.2 : 3_120.4, decisions: 9_804, earning: 133, caution: null },
});

/** An app with a model of three candidates, whose guard has tripped once. */
export const sampleReport: Report = {
  app: 'Demo <app>',
  traffic: ['ai_model', 'baseline'],
  isServed: true,
  model: {
    asOf: '2026-03-01T10:00:00.000Z',
    ...{
      id: 'main',
      name: 'Main',
      state: 'learning',
      version: 'learned-1:9f86d081',
      learnedUntil: '2026-03-01T10:00:00.000Z',
    },
    ...{ decisionsLearned: 9_212, starts: 301, driftAlarms: 0 },
    promises: [
      { exposures: 3_012.4, promisedUsd: 0.118, broughtUsd: 0.131 },
      { exposures: 2_987.1, promisedUsd: 0.305, broughtUsd: 0.288 },
      { exposures: 3_001.7, promisedUsd: 0.664, broughtUsd: 0.671 },
    ],
    concentration: { promised: 0.334, brought: 0.332 },
    candidates: [
      { paywall: 'calm', externalId: 'calm_v1', isCandidate: true, drawn: 6_020, shown: 5_212, share: 0.602 },
      { paywall: 'bold', externalId: 'bold', isCandidate: true, drawn: 3_580, shown: 3_100, share: 0.358 },
      { paywall: 'old', externalId: null, isCandidate: false, drawn: 400, shown: 380, share: 0.04 },
    ],
    guardrail: {
      ...{
        aiShare: 1,
        verdict: 'open',
        since: '2026-02-10T08:00:00.000Z',
        exposures: { aiModel: 7_100, baseline: 820 },
        startsCompared: { aiModel: 301, baseline: 24 },
        sampleRatio: { aiShare: 0.8965, expectedAiShare: 0.9, isOff: false },
      },
      ...{
        starts: { difference: 0.002, low: -0.011, high: 0.015 },
        usd: { difference: 0.031, low: -0.114, high: 0.176 },
        outlook: [
          { share: 0.5, usd: 0.21, exposures: 0 },
          { share: 0.2, usd: 0.084, exposures: 11_300 },
          { share: 0.1, usd: 0.042, exposures: 68_000 },
          { share: 0.05, usd: 0.021, exposures: 390_000 },
        ],
      },
    },
    changes: [
      { time: '2026-02-10T08:00:00.000Z', type: 'ModelGuardReleased', actor: 'ops', aiShare: 1, formerAiShare: 0.5 },
      { time: '2026-01-20T08:00:00.000Z', type: 'ModelGuardTripped', actor: null, aiShare: 0.5, formerAiShare: 1 },
    ],
  },
  exploration: {
    ...{ from: '2026-01-30T00:00:00.000Z', to: '2026-03-01T10:00:00.000Z', isWhole: false, decisions: 13_780 },
    ...{ candidates: 2.4, effectiveCandidates: 1.72, evenShare: 0.031 },
    expected: { decisions: 13_780, bestUsd: 0.41, drawnUsd: 0.369, bestShare: 0.871 },
  },
  placements: [
    {
      ...{ placementId: 'onboarding', model: 'main', from: '2026-01-30T00:00:00.000Z', to: '2026-03-01T10:00:00.000Z' },
      targets: [
        {
          ...{ target: 'ai_model', ...figures(12_400, '0.348012', '0.281204', '0.436371') },
          paywalls: [
            { paywallId: 12, externalId: 'calm_v1', ...figures(7_900, '0.390100', '0.301200', '0.520110') },
            { paywallId: 13, externalId: 'bold & brave', ...figures(4_500, '0.274900') },
          ],
        },
        {
          ...{ target: 'baseline', ...figures(1_380, '0.312400', '0.190300', '0.560800') },
          paywalls: [{ paywallId: 12, externalId: 'calm_v1', ...figures(1_380, '0.312400', '0.190300', '0.560800') }],
        },
        { target: 'placement', ...figures(40, null), paywalls: [] },
      ],
      days: Array.from({ length: 31 }, (_, index) => ({
        day: new Date(Date.UTC(2026, 0, 30) + index * 86_400_000).toISOString().slice(0, 10),
        targets: [
          ofDay('ai_model', 400, 8 + (index % 5), 121.5 + 4 * index),
          // Nothing was drawn of Baseline on two days.
          ...(index % 15 === 9 ? [] : [ofDay('baseline', 45, index % 3, 15 + (index % 4))]),
        ],
        comparison: index === 0 ? null : untilDay(index),
      })),
      comparison: {
        aiModel: { draws: 12_400, usdPerDraw: '0.331000' },
        baseline: { draws: 1_380, usdPerDraw: '0.312000' },
        difference: { usd: '0.019000', low: '-0.093000', high: '0.122000' },
      },
    },
  ],
  evaluations: [
    evaluation('ai', 0.301),
    evaluation('baseline', 0.262),
    evaluation('uniform', 0.271),
    {
      ...evaluation('current', 0.33),
      caution: 'The model has learned from these decisions, so the estimate leans in its favour.',
    },
    evaluation('paywall:calm', 0.29),
    evaluation(
      'paywall:bold',
      null,
      'The 9804 decisions tell as much of this policy as 84 of its own would; below 200 there is no estimate.',
    ),
  ],
};
