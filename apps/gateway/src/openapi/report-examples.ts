const time = '2026-01-02T03:04:05.678Z';
const version = 'learned-2:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const figures = {
  requests: 12_400,
  draws: 12_310,
  uniqueImpressions: 9_800,
  conversions: 312,
  payers: 140,
  drawPayers: 131,
  revenueUsd: '3410.52',
  unvaluedCurrencies: ['TWD'],
  revenuePerImpression: { usd: '0.348012', low: '0.281204', high: '0.436371' },
  revenuePerDraw: { usd: '0.277053', low: '0.223864', high: '0.347396' },
};

export const placementReport = {
  placementId: 'onboarding',
  model: null,
  from: '2025-12-03T03:04:05.678Z',
  to: time,
  targets: [
    { target: 'ai_model', ...figures, paywalls: [{ paywallId: 12, externalId: 'calm_v1', ...figures }] },
    {
      target: 'baseline',
      requests: 20,
      draws: 20,
      uniqueImpressions: 0,
      conversions: 0,
      payers: 0,
      drawPayers: 0,
      revenueUsd: '0',
      unvaluedCurrencies: [],
      revenuePerImpression: null,
      revenuePerDraw: { usd: '0.000000', low: null, high: null },
      paywalls: [],
    },
  ],
  comparison: {
    aiModel: { draws: 12_310, usdPerDraw: '0.277053' },
    baseline: { draws: 20, usdPerDraw: '0.000000' },
    difference: { usd: '0.277053', low: null, high: null },
  },
};

export const placementDays = {
  placementId: 'onboarding',
  model: null,
  from: '2025-12-03T03:04:05.678Z',
  to: time,
  days: [
    {
      day: '2025-12-03',
      targets: [
        {
          ...{ target: 'ai_model', requests: 410, draws: 402, uniqueImpressions: 371 },
          ...{ conversions: 14, drawConversions: 13, revenueUsd: '131.88', drawRevenueUsd: '121.89' },
        },
      ],
      comparison: {
        aiModel: { draws: 402, usdPerDraw: '0.303209' },
        baseline: { draws: 38, usdPerDraw: '0.262895' },
        difference: { usd: '0.040314', low: null, high: null },
      },
    },
  ],
};

export const model = {
  asOf: time,
  id: 'main',
  name: 'Main',
  aiPricingModelId: 3,
  state: 'learning',
  version,
  learnedUntil: time,
  decisionsLearned: 9_212,
  starts: 301,
  candidates: [
    {
      paywall: 'calm',
      paywallId: 12,
      externalId: 'calm_v1',
      isCandidate: true,
      drawn: 10_020,
      shown: 9_212,
      share: 1,
    },
  ],
  guardrail: {
    aiShare: 0.5,
    verdict: 'open',
    since: time,
    exposures: { aiModel: 4_100, baseline: 4_420 },
    startsCompared: { aiModel: 164, baseline: 168 },
    sampleRatio: { aiShare: 0.4812, expectedAiShare: 0.4737, isOff: false },
    starts: { difference: 0.002, low: -0.011, high: 0.015 },
    usd: { difference: 0.031, low: -0.114, high: 0.176 },
    outlook: [
      { share: 0.5, usd: 0.21, exposures: 0 },
      { share: 0.2, usd: 0.084, exposures: 31_400 },
      { share: 0.1, usd: 0.042, exposures: 190_000 },
      { share: 0.05, usd: 0.021, exposures: 940_000 },
    ],
  },
  driftAlarms: 0,
  promises: [
    { exposures: 4_105.2, promisedUsd: 0.183, broughtUsd: 0.176 },
    { exposures: 4_088.9, promisedUsd: 0.412, broughtUsd: 0.425 },
  ],
  concentration: { promised: 0.193, brought: 0.207 },
  lastRebuild: {
    dueAt: time,
    isPromoted: true,
    losses: { live: 0.1421, rebuilt: 0.1418 },
    judgedDecisions: 310,
    decisionsLearned: 9_180,
  },
  changes: [
    {
      time,
      type: 'ModelGuardTripped',
      actor: null,
      aiShare: 0.5,
      formerAiShare: 1,
      evidence: { starts: { difference: -0.01, halfWidth: 0.008 }, usd: null, exposures: 16_250 },
    },
  ],
};

export const evaluation = {
  policy: 'uniform',
  modelVersion: null,
  from: '2025-10-04T03:04:05.678Z',
  to: '2025-12-19T03:04:05.678Z',
  days: 14,
  isWhole: true,
  usdPerDecision: { value: 0.271, low: 0.203, high: 0.339 },
  refusal: null,
  effectiveSampleSize: 3_120.4,
  greatestWeight: 18.2,
  decisions: 9_804,
  earning: 133,
  notOffered: 0,
  neverShown: 0,
  caution: null,
};

export const exploration = {
  from: '2025-12-03T03:04:05.678Z',
  to: time,
  isWhole: true,
  decisions: 9_804,
  withoutChoice: 0,
  candidates: 8,
  effectiveCandidates: 2.31,
  evenShare: 0.082,
  expected: { decisions: 9_612, bestUsd: 0.412, drawnUsd: 0.371, bestShare: 0.684 },
};
