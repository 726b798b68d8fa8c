import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decide } from '../decide.ts';
import { fieldValues } from '../features/field-values.ts';
import { replayDecision } from '../replay-decision.ts';
import { noFacts } from '../features/no-facts.ts';
import { sketch } from '../testing/catalogs.ts';
import { fineBestArm } from '../testing/fine-best-arm.ts';
import { candidatesOf, sampleModel } from '../testing/sample-model.ts';
import { bestArm } from './best-arm.ts';
import { choiceVersions, floorOf } from './explore.ts';
import { learnedPolicy } from './learned-policy.ts';

const model = sampleModel();
const { snapshot } = model;
const policy = learnedPolicy('abc', snapshot);
const candidates = candidatesOf(4);
const at = Date.UTC(2026, 0, 1, 13);
const contextOf = (facts: Partial<typeof noFacts>) => ({ facts: { ...noFacts, ...facts }, at, placementId: 'a' });
const context = contextOf({ country: 'C1', os: 'os', osVersion: '2.1' });
const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, one) => all + one, 0);

describe('a learned policy', () => {
  it('scores by the sums of the models, as the snapshot rounds them', () => {
    const { scores, variances, values } = policy.choose(context, candidates);
    const active = Int32Array.from(model.encoder.encode(fieldValues(context, null)));
    const { starts, values: payouts } = model;
    model.table.forEach((arm, row) => {
      const of = (block: typeof starts.weights.arms, from: number) => {
        const total = { mean: 0, variance: 0 };
        block.addTo(total, from, active);
        return { mean: total.mean, tempered: 0.05 * total.variance };
      };
      const alone = (token: number) => {
        const first = { mean: 0, variance: 0 };
        payouts.weights.tokens.addTo(first, token, Int32Array.of(0));
        return { mean: first.mean, tempered: 0.05 * first.variance };
      };
      const parts = [
        of(starts.weights.arms, row),
        ...arm.design.map((token) => of(starts.weights.tokens, token)),
        of(payouts.weights.arms, row),
        ...arm.design.map(alone),
      ];
      expect(scores[row]).toBeCloseTo(sum(parts.map(({ mean }) => mean)), 6);
      expect(variances[row]).toBeCloseTo(sum(parts.map(({ tempered }) => tempered)), 8);
      const known = { row, design: arm.design };
      expect(Math.log(values[row] ?? NaN)).toBeCloseTo(starts.score(active, known) + payouts.score(active, known), 5);
    });
  });

  it('shows each as often as it is the best of its normals, floor added', () => {
    const { scores, variances, probabilities } = policy.choose(context, candidates);
    const fine = fineBestArm([...scores], [...variances]).map((best) => 0.01 + 0.96 * best);
    probabilities.forEach((probability, index) => expect(probability).toBeCloseTo(fine[index] ?? NaN, 2));
    expect(probabilities.indexOf(Math.max(...probabilities))).toBe(scores.indexOf(Math.max(...scores)));
    expect(new Set(probabilities).size).toBe(4);
  });

  it('keeps sum and floor for any context and number of candidates, and no number is NaN', () => {
    const text = fc.option(fc.string());
    const facts = fc.record({
      country: text,
      os: text,
      osVersion: text,
      custom: fc.dictionary(fc.string(), fc.string()),
    });
    fc.assert(
      fc.property(facts, fc.integer({ min: 1, max: 200 }), fc.maxSafeInteger(), (known, count, time) => {
        const choice = policy.choose({ ...contextOf(known), at: time }, candidatesOf(count));
        expect(Math.abs(sum(choice.probabilities) - 1)).toBeLessThan(1e-12);
        expect(choice.probabilities.every((one) => one >= floorOf(count, snapshot.exposures) * (1 - 1e-12))).toBe(true);
        for (const numbers of [choice.scores, choice.variances, choice.values]) {
          expect(numbers.every(Number.isFinite)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('gives a candidate that it has not met what its tokens taught, and the prior’s doubt', () => {
    const designOf = (paywall: string) => (paywall === 'new' ? ['plan:year', 'trial:yes', 'plan:decade'] : undefined);
    const [first = { paywall: '', paywallId: 0, externalId: '' }] = candidates;
    const list = [first, { paywall: 'new', paywallId: 50, externalId: 'new' }];
    const { scores, variances } = learnedPolicy('abc', snapshot, { designOf }).choose(context, list);
    const active = Int32Array.from(model.encoder.encode(fieldValues(context, null)));
    const total = { mean: 0, variance: 0 };
    for (const token of [1, 2]) {
      model.starts.weights.tokens.addTo(total, token, active);
      model.values.weights.tokens.addTo(total, token, Int32Array.of(0));
    }
    expect(scores[1]).toBeCloseTo(total.mean, 6);
    expect(variances[1]).toBeGreaterThan(variances[0] ?? NaN);
  });

  const sold = (...design: readonly string[]) =>
    learnedPolicy('abc', snapshot, { designOf: (paywall) => (paywall === 'p0' ? design : undefined) });

  it.each([[['plan:year']], [['plan:week']], [['plan:week', 'trial:yes']], [['plan:week', 'trial:no', 'plan:decade']]])(
    'takes a paywall whose products changed for a new one: %j',
    (design) => {
      const unmet = learnedPolicy('abc', snapshot, {
        designOf: (paywall) => (paywall === 'unmet' ? design : undefined),
      });
      const others = candidates.slice(1);
      const fresh = unmet.choose(context, [{ paywall: 'unmet', paywallId: 50, externalId: 'unmet' }, ...others]);
      expect(sold(...design).choose(context, candidates)).toEqual(fresh);
      expect(fresh.variances[0]).toBeGreaterThan(policy.choose(context, candidates).variances[0] ?? NaN);
    },
  );

  it('knows a paywall again whose products are what they were', () =>
    expect(sold('plan:week', 'trial:no').choose(context, candidates)).toEqual(policy.choose(context, candidates)));

  it('is even while it has learned nothing', () => {
    const fresh = learnedPolicy('new', sampleModel({ exposures: 0 }).snapshot);
    for (const share of fresh.choose(context, candidates).probabilities) expect(share).toBeCloseTo(0.25, 12);
  });

  it('without exploration takes the greatest score, and says so in its version', () => {
    const greedy = learnedPolicy('abc', snapshot, { exploration: 'off' });
    const { scores, probabilities } = greedy.choose(context, candidates);
    expect(probabilities[scores.indexOf(Math.max(...scores))]).toBe(1);
    expect(sum(probabilities)).toBe(1);
    expect([policy.version, greedy.version]).toEqual(['learned-2:abc', 'learned-2-greedy:abc']);
  });

  it.each(choiceVersions)('chooses by the rule of %s, and says so in its version', (version) => {
    const seasoned = learnedPolicy('abc', { ...snapshot, exposures: 1_000_000 }, { version });
    const { probabilities, scores } = seasoned.choose(context, candidates);
    const floor = floorOf(4, 1_000_000, version);
    const best = new Float64Array(4);
    bestArm(scores, policy.choose(context, candidates).variances, best);
    probabilities.forEach((share, index) => expect(share).toBeCloseTo(floor + (1 - 4 * floor) * best[index]!, 12));
    expect(seasoned.version).toBe(`${version}:abc`);
  });

  it('knows the user’s clock by the offset it is told', () => {
    const asked: string[] = [];
    const local = learnedPolicy('abc', snapshot, {
      utcOffsetOf: (timezone) => (asked.push(timezone), -780),
    });
    const inTokyo = contextOf({ timezone: 'Asia/Tokyo' });
    expect(local.choose(inTokyo, candidates)).toEqual(policy.choose({ ...inTokyo, at: at - 780 * 60_000 }, candidates));
    expect(local.choose(context, candidates)).toEqual(policy.choose(context, candidates));
    expect(asked).toEqual(['Asia/Tokyo']);
  });

  it('decides and is replayed to the same bits', () => {
    const names = ['p0', 'p1', 'p2', 'p3'];
    const catalog = sketch({ a: { traffic: [{ target: 'ai_model', weight: 1 }], candidates: names } });
    const { facts } = context;
    for (let index = 0; index < 200; index++) {
      const request = { placementId: 'a', seed: `seed-${index}`, baselineOnly: false, facts, at };
      const decision = decide(request, catalog, () => policy);
      if (decision.kind !== 'served') throw new Error(decision.kind);
      const record = {
        ...decision,
        ...request,
        context: facts,
        target: decision.path[0].target,
        paywall: decision.paywall.paywall,
      };
      expect(replayDecision(record, at, catalog, () => learnedPolicy('abc', structuredClone(snapshot))).same).toBe(
        true,
      );
    }
  });
});
