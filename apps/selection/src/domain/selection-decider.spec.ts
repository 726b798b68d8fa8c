import { describe, expect, it } from '@jest/globals';
import { DecisionSuperseded, PaywallServed, type ServePaywall } from '@paywright/contracts';
import { decide, isRefusal } from '@paywright/event-sourcing';
import { specification } from '@paywright/event-sourcing/testing';
import { ManualClock } from '@paywright/platform';
import { replayDecision, uniformPolicy, type EngineCatalog } from '@paywright/selection-engine';
import { context, issuedAt } from '@paywright/selection-models/testing';
import { catalogOf, fallBack, model, placement, profileId, serve } from '../testing/selection-commands.ts';
import { selectionDecider } from './selection-decider.ts';
import { initialState } from './selection-state.ts';

const deciderOver = (catalog: EngineCatalog | undefined) =>
  selectionDecider({ catalogOf: () => catalog, policyOf: () => uniformPolicy, clock: new ManualClock(issuedAt + 7) });
const over = (catalog: EngineCatalog | undefined) => specification(deciderOver(catalog)).given([]);

const ai = { target: 'ai_model', weight: 3 };
const onboarding = catalogOf({
  models: [model('main', [ai], { abTestId: 9 })],
  placements: [placement('onboarding', 'main'), placement('settings', null)],
});

const command = serve();
const reply = {
  decisionId: command.id,
  placementId: 'onboarding',
  paywall: 'plain',
  paywallId: 3,
  catalogRevision: 4,
  isExperiment: false,
  aiPricingModelId: 11,
  abTestId: 9,
};
const baselineServed = PaywallServed.of({
  ...reply,
  appId: 1,
  profileId,
  externalId: 'plain_v1',
  target: 'baseline',
  path: [{ placementId: 'onboarding', target: 'baseline', weight: null }],
  modelVersion: null,
  candidates: [],
  probability: null,
  seed: command.id,
  context,
  latencyMs: 7,
  stickyUntil: null,
  stickyTo: null,
  fallback: null,
});

/** The body of the one event that a command of a new profile leads to. */
function decided(serving: ServePaywall): PaywallServed['body'] {
  const decision = decide(deciderOver(onboarding), serving, initialState);
  if (isRefusal(decision)) throw new Error(decision.message);
  const [served, ...more] = decision.events;
  expect(more).toEqual([]);
  if (served?.type !== 'PaywallServed') throw new Error('nothing was served');
  return served.body;
}

describe('ServePaywall', () => {
  it('records all that is needed to explain, replay and learn from a choice', () => {
    const served = decided(command);
    expect(PaywallServed.body.parse(served)).toEqual(served);
    const paywall = served.paywall === 'calm' ? { paywall: 'calm', paywallId: 1 } : { paywall: 'bold', paywallId: 2 };
    expect(served).toEqual({
      ...baselineServed.body,
      ...paywall,
      externalId: `${paywall.paywall}_v1`,
      isExperiment: true,
      target: 'ai_model',
      path: [{ placementId: 'onboarding', target: 'ai_model', weight: 3 }],
      modelVersion: 'uniform-1',
      candidates: [
        { paywall: 'calm', paywallId: 1, externalId: 'calm_v1', score: 0, probability: 0.5 },
        { paywall: 'bold', paywallId: 2, externalId: 'bold_v1', score: 0, probability: 0.5 },
      ],
      probability: 0.5,
      weighing: expect.objectContaining({ model: 'main', policy: 'uniform-1', aiWeight: 3, baselinePropensity: 0 }),
    });
  });

  it('is replayed from its record', () => {
    for (let times = 0; times < 50; times++) {
      expect(replayDecision(decided(serve()), issuedAt, onboarding, () => uniformPolicy).same).toBe(true);
    }
  });

  it('serves Baseline for Baseline alone, naming the model that it did not ask', () => {
    over(onboarding)
      .when({ ...command, body: { ...command.body, baselineOnly: true } })
      .then([baselineServed])
      .thenReply(reply);
  });

  it('serves the baseline of a placement without a model', () => {
    over(onboarding)
      .when(serve({ id: command.id, placementId: 'settings' }))
      .thenReply({ ...reply, placementId: 'settings', aiPricingModelId: null, abTestId: null });
  });

  it('keeps model and placement of the request on the way through another placement', () => {
    const led = catalogOf({
      models: [
        model('main', [{ target: 'placement', placement: 'settings', weight: 1 }], { abTestId: 9 }),
        model('other', [ai], { candidates: ['bold'], abTestId: 10 }),
      ],
      placements: [placement('onboarding', 'main'), placement('settings', 'other')],
    });
    over(led)
      .when(command)
      .thenReply({ ...reply, paywall: 'bold', paywallId: 2 });
  });

  it('names the circle that was drawn', () => {
    const traffic = (to: string) => [{ target: 'placement', placement: to, weight: 1 }];
    const circle = catalogOf({
      models: [model('x', traffic('a')), model('a', traffic('b')), model('b', traffic('a'))],
      placements: ['x', 'a', 'b'].map((id) => placement(id, id)),
    });
    over(circle)
      .when(serve({ placementId: 'x' }))
      .thenRefused('CIRCULAR_PLACEMENT_ALLOCATION', 'Circular placement allocation detected: x -> a -> b -> a');
    over(circle)
      .when(serve({ placementId: 'a' }))
      .thenRefused('CIRCULAR_PLACEMENT_ALLOCATION', 'Circular placement allocation detected: a -> b -> a');
  });

  it('knows the placements of its catalog', () => {
    over(onboarding)
      .when(serve({ placementId: 'other' }))
      .thenRefused('PLACEMENT_NOT_FOUND');
  });

  it('answers by no catalog that is older than asked', () => {
    over(onboarding)
      .when(serve({ catalogRevision: 5 }))
      .thenRefused('SERVICE_UNAVAILABLE');
    over(undefined).when(command).thenRefused('SERVICE_UNAVAILABLE');
    over(onboarding)
      .when(serve({ id: command.id, catalogRevision: 1, baselineOnly: true }))
      .thenReply(reply);
  });
});

describe('RecordFallback', () => {
  const fallback = fallBack(command.id);
  const superseded = DecisionSuperseded.of({
    appId: 1,
    profileId,
    decisionId: command.id,
    supersededBy: fallback.id,
  });
  const recorded = PaywallServed.of({
    ...baselineServed.body,
    abTestId: null,
    decisionId: fallback.id,
    seed: fallback.id,
    latencyMs: 1_000,
    fallback: 'deadline',
  });
  const { given } = specification(deciderOver(onboarding));

  it('records what the gateway served, and that a decision made before counts for nothing', () => {
    given([baselineServed]).when(fallback).then([recorded, superseded]).thenReply({});
  });

  it('says so of a decision that is still to come, which is then recorded all the same', () => {
    given([]).when(fallback).then([recorded, superseded]);
    given([recorded, superseded])
      .when({ ...command, body: { ...command.body, baselineOnly: true } })
      .then([baselineServed]);
  });

  it('is replayed from its record', () => {
    expect(replayDecision(recorded.body, issuedAt, onboarding, () => uniformPolicy).same).toBe(true);
  });
});
