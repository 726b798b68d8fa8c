import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decide, type EngineDecision } from './decide.ts';
import { findServable } from './find-servable.ts';
import type { EngineCatalog, TrafficShare } from './engine-catalog.ts';
import type { Policy } from './policy.ts';
import { replayDecision, type DecisionRecord } from './replay-decision.ts';
import { noFacts } from './features/no-facts.ts';
import { catalogs, sketch } from './testing/catalogs.ts';
import { chiSquareDeviate } from './testing/chi-square.ts';
import { uniformPolicy } from './uniform-policy.ts';

const at = Date.UTC(2026, 0, 1);
const decideBy = (
  catalog: EngineCatalog,
  placementId: string,
  seed: string,
  { policy = uniformPolicy, baselineOnly = false } = {},
) => decide({ placementId, seed, baselineOnly, facts: noFacts, at }, catalog, () => policy);

const served = (decision: EngineDecision) => {
  if (decision.kind !== 'served') throw new Error(`was ${decision.kind}`);
  return decision;
};
const countBy = <T>(draws: number, of: (seed: string) => T) => {
  const counts = new Map<T, number>();
  for (let index = 0; index < draws; index++) {
    const key = of(`seed-${index}`);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

const ai = (weight = 1): TrafficShare => ({ target: 'ai_model', weight });
const baseline = (weight = 1): TrafficShare => ({ target: 'baseline', weight });
const to = (placement: string, weight = 1): TrafficShare => ({ target: 'placement', placement, weight });

describe('traffic', () => {
  it('is split by the weights, at every placement', () => {
    const catalog = sketch({
      a: { traffic: [ai(6), baseline(1.5), to('b', 2.5)] },
      b: { traffic: [ai(1), baseline(3)] },
    });
    const counts = countBy(40_000, (seed) =>
      served(decideBy(catalog, 'a', seed))
        .path.map(({ target }) => target)
        .join('>'),
    );
    const ways = ['ai_model', 'baseline', 'placement>ai_model', 'placement>baseline'];
    expect([...counts.keys()].sort()).toEqual(ways);
    const deviate = chiSquareDeviate(
      ways.map((way) => counts.get(way) ?? 0),
      [6, 1.5, 2.5 * 0.25, 2.5 * 0.75],
    );
    expect(Math.abs(deviate)).toBeLessThan(4);
  });

  it('gives Baseline undrawn where a placement has no model', () => {
    expect(decideBy(sketch({ a: {} }), 'a', 'any')).toMatchObject({
      kind: 'served',
      paywall: { paywall: 'p0', paywallId: 11, externalId: 'p0-external' },
      path: [{ placementId: 'a', target: 'baseline', weight: null }],
      model: null,
      isExperiment: false,
      probability: null,
      modelVersion: null,
      candidates: [],
    });
  });

  it('gives Baseline undrawn for Baseline alone, whatever the traffic, and still names the model', () => {
    fc.assert(
      fc.property(catalogs, fc.constantFrom('a', 'b'), fc.uuid(), (catalog, placementId, seed) => {
        const { model, baseline: paywall } = catalog.placements.get(placementId) ?? { model: null };
        expect(decideBy(catalog, placementId, seed, { baselineOnly: true })).toMatchObject({
          paywall,
          model,
          isExperiment: false,
          path: [{ placementId, target: 'baseline', weight: null }],
        });
      }),
    );
  });

  it('is an experiment by the requested placement’s own draw, whatever served below it', () => {
    const catalog = sketch({ a: { traffic: [to('b')] }, b: { traffic: [ai()], candidates: ['p3'] } });
    expect(decideBy(catalog, 'a', 'any')).toMatchObject({
      isExperiment: false,
      model: { id: 'a-model' },
      paywall: { paywall: 'p3' },
      probability: 1,
      path: [
        { placementId: 'a', target: 'placement', weight: 1 },
        { placementId: 'b', target: 'ai_model' },
      ],
    });
    expect(decideBy(catalog, 'b', 'any')).toMatchObject({ isExperiment: true, model: { id: 'b-model' } });
  });

  it('finds a circle from the requested placement to the first that repeats', () => {
    const catalog = sketch({ x: { traffic: [to('a')] }, a: { traffic: [to('b')] }, b: { traffic: [to('a')] } });
    expect(decideBy(catalog, 'a', 's')).toEqual({ kind: 'circular', chain: ['a', 'b', 'a'] });
    expect(decideBy(catalog, 'x', 's')).toEqual({ kind: 'circular', chain: ['x', 'a', 'b', 'a'] });
    expect(decideBy(sketch({ a: { traffic: [to('a')] } }), 'a', 's')).toEqual({ kind: 'circular', chain: ['a', 'a'] });
  });

  it('meets a circle only when it is drawn', () => {
    const catalog = sketch({ a: { traffic: [to('b', 1), baseline(3)] }, b: { traffic: [to('a')] } });
    const counts = countBy(20_000, (seed) => decideBy(catalog, 'a', seed).kind);
    expect(Math.abs(chiSquareDeviate([counts.get('circular') ?? 0, counts.get('served') ?? 0], [1, 3]))).toBeLessThan(
      4,
    );
  });

  it('knows no other placement', () => {
    expect(decideBy(sketch({ a: {} }), 'constructor', 's')).toEqual({ kind: 'unknown-placement' });
  });
});

describe('choice', () => {
  const skewed: Policy = {
    version: 'skewed-1',
    choose: (_, candidates) => {
      const raw = candidates.map(({ paywallId }) => paywallId ** 2);
      const total = raw.reduce((sum, one) => sum + one, 0);
      return { scores: Float64Array.from(raw), probabilities: Float64Array.from(raw, (one) => one / total) };
    },
  };

  it.each([uniformPolicy, skewed])('draws as often as it logs ($version), nested placements too', (policy) => {
    const candidates = ['p4', 'p1', 'p2'];
    const catalog = sketch({ a: { traffic: [to('b')] }, b: { traffic: [ai()], candidates } });
    for (const placementId of ['a', 'b']) {
      const logged = served(decideBy(catalog, placementId, 'any', { policy })).candidates;
      expect(logged.map(({ paywall }) => paywall)).toEqual(['p1', 'p2', 'p4']);
      const ofPaywall = new Map(logged.map(({ paywall, probability }) => [paywall, probability]));
      let otherwiseLogged = 0;
      const counts = countBy(20_000, (seed) => {
        const { paywall, probability } = served(decideBy(catalog, placementId, seed, { policy }));
        if (probability !== ofPaywall.get(paywall.paywall)) otherwiseLogged++;
        return paywall.paywall;
      });
      expect(otherwiseLogged).toBe(0);
      const drawn = logged.map(({ paywall }) => counts.get(paywall) ?? 0);
      expect(
        Math.abs(
          chiSquareDeviate(
            drawn,
            logged.map(({ probability }) => probability),
          ),
        ),
      ).toBeLessThan(4);
    }
  });

  it('chooses independently of the draw of the target', () => {
    const catalog = sketch({ a: { traffic: [ai(), baseline()] } });
    const counts = countBy(40_000, (seed) => served(decideBy(catalog, 'a', seed)).paywall.paywall);
    const drawn = ['p0', 'p1', 'p2'].map((paywall) => counts.get(paywall) ?? 0);
    expect(Math.abs(chiSquareDeviate(drawn, [2, 1, 1]))).toBeLessThan(4);
  });

  it('hands the policy what is known, and the placement that serves', () => {
    const seen: unknown[] = [];
    const watching: Policy = {
      version: 'watching',
      choose: (context, candidates) => (seen.push(context), uniformPolicy.choose(context, candidates)),
    };
    decideBy(sketch({ a: { traffic: [to('b')] }, b: { traffic: [ai()] } }), 'a', 's', { policy: watching });
    expect(seen).toEqual([{ facts: noFacts, at, placementId: 'b' }]);
  });
});

describe('every decision', () => {
  const requests = fc.tuple(catalogs, fc.constantFrom('a', 'b', 'c', 'd'), fc.uuid(), fc.boolean());

  const recordOf = (placementId: string, seed: string, decision: ReturnType<typeof served>): DecisionRecord => ({
    ...decision,
    placementId,
    paywall: decision.paywall.paywall,
    target: decision.path[0].target,
    seed,
    context: noFacts,
  });

  it('is made again from its record, after JSON too', () => {
    fc.assert(
      fc.property(requests, ([catalog, placementId, seed, baselineOnly]) => {
        const decision = decideBy(catalog, placementId, seed, { baselineOnly });
        expect(decideBy(catalog, placementId, seed, { baselineOnly })).toEqual(decision);
        fc.pre(decision.kind === 'served');
        const record: DecisionRecord = JSON.parse(JSON.stringify(recordOf(placementId, seed, decision)));
        expect(replayDecision(record, at, catalog, () => uniformPolicy)).toEqual({ same: true, decision });
        const altered = { ...record, paywall: 'another' };
        expect(replayDecision(altered, at, catalog, () => uniformPolicy).same).toBe(false);
        const otherVersion = { ...uniformPolicy, version: 'uniform-2' };
        const replayed = replayDecision(record, at, catalog, () => otherVersion);
        expect(replayed.same).toBe(record.modelVersion === null);
      }),
    );
  });

  it('serves what can be served, or has a circle to show', () => {
    fc.assert(
      fc.property(requests, ([catalog, placementId, seed]) => {
        const decision = decideBy(catalog, placementId, seed);
        if (decision.kind === 'circular') {
          const repeated = decision.chain.at(-1);
          expect(decision.chain[0]).toBe(placementId);
          expect(new Set(decision.chain).size).toBe(decision.chain.length - 1);
          expect(decision.chain.filter((id) => id === repeated)).toHaveLength(2);
          return;
        }
        const { path, paywall, candidates, probability } = served(decision);
        expect(findServable(catalog, placementId, path[0].target, paywall.paywall)).toEqual(paywall);
        const chosen = candidates.find((candidate) => candidate.paywall === paywall.paywall);
        expect(chosen?.probability ?? null).toBe(probability);
        expect(probability === null).toBe(path.at(-1)?.target === 'baseline');
      }),
    );
  });

  it('can serve nothing that no seed serves', () => {
    const catalog = sketch({
      a: { traffic: [ai(), to('b')], candidates: ['p1'] },
      b: { traffic: [to('a'), baseline()], baseline: 'p3' },
    });
    const reachable = (['ai_model', 'baseline', 'placement'] as const).flatMap((target) =>
      ['p0', 'p1', 'p2', 'p3', 'p4']
        .filter((paywall) => findServable(catalog, 'a', target, paywall) !== null)
        .map((p) => [target, p]),
    );
    expect(reachable).toEqual([
      ['ai_model', 'p1'],
      ['placement', 'p3'],
    ]);
  });
});
