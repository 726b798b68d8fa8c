import { expect, it } from '@jest/globals';
import type { PaywallServed } from '@paywright/contracts';
import { derivedId } from '@paywright/platform';
import { eventRecord, profileA, served, superseded } from '../testing/event-log.ts';
import { rowsAfter, testReadModel } from '../testing/read-model.ts';
import { decisionsProjection } from './decisions.projection.ts';

const { pool } = await testReadModel();
const projection = decisionsProjection(new Set());
const tables = ['decision', 'superseded_decision', 'profile_event'] as const;
const decisionId = derivedId('decision');

const weighingWith = (weights: { readonly aiWeight: number; readonly baselineWeight: number }) => ({
  ...{ model: 'main', policy: 'uniform-1', baselinePaywall: 'calm', baselinePropensity: 0.5 },
  ...{ utcOffsetMinutes: null, candidates: [], ...weights },
});
const log = (changes: readonly Partial<PaywallServed['body']>[]) => [
  ...changes.map((change, index) =>
    eventRecord('selection', profileA, index + 1, served(profileA, derivedId(`${index}`), change)),
  ),
  eventRecord('selection', profileA, changes.length + 1, superseded(profileA, derivedId('0'))),
];

it('has what reports ask of a decision', async () => {
  const changes = {
    ...{ target: 'ai_model' as const, aiPricingModelId: 3, stickyUntil: 9, stickyTo: derivedId('first') },
    path: [{ placementId: 'onboarding', target: 'ai_model' as const, weight: 90 }],
    weighing: weighingWith({ aiWeight: 90, baselineWeight: 0.1 }),
  };
  const records = [eventRecord('selection', profileA, 1, served(profileA, decisionId, changes))];
  const [rows] = await rowsAfter(pool, projection, records, tables);
  expect(rows).toEqual([
    {
      ...{ profile_id: profileA, decision_id: decisionId, version: 1, time: new Date('2026-01-01T00:00:01Z') },
      ...{
        app_id: 7,
        placement_id: 'onboarding',
        target: 'ai_model',
        paywall_id: 12,
        external_id: 'calm_v1',
        model: 3,
      },
      ...{ is_drawn: true, ai_weight: 90, baseline_weight: 0.1, is_kept: true, sticky_to: derivedId('first') },
    },
  ]);
});

it('has no weights of a draw that led on to another placement', async () => {
  const path = ['onboarding', 'settings'].map((placementId) => ({
    placementId,
    target: 'placement' as const,
    weight: 1,
  }));
  const records = log([{ path, weighing: weighingWith({ aiWeight: 1, baselineWeight: 1 }) }]);
  const [rows] = await rowsAfter(pool, projection, records, tables);
  expect(rows).toMatchObject([{ is_drawn: true, ai_weight: null, baseline_weight: null }]);
});

it('knows what was superseded, whether its decision comes before, later or never', async () => {
  const served1 = served(profileA, decisionId);
  const orders = [[served1, superseded(profileA, decisionId)], [superseded(profileA, decisionId), served1], [superseded(profileA, decisionId)]]; // prettier-ignore
  for (const events of orders) {
    const records = events.map((event, index) => eventRecord('selection', profileA, index + 1, event));
    const [, rows] = await rowsAfter(pool, projection, records, tables, { sizes: [1] });
    expect(rows).toEqual([{ profile_id: profileA, decision_id: decisionId }]);
  }
});
