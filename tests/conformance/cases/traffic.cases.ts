import assert from 'node:assert/strict';
import { fetchPaywall, newProfileId, someone } from '../bodies.ts';
import { section } from '../case.ts';
import { soundCatalog, splitWeights } from '../catalog.ts';
import { App, type Admin } from '../clients.ts';
import { accepted, inParallel, pause, refused } from '../expectations.ts';
import { createApp } from '../preparation.ts';
import type { Json } from '../http.ts';

const traffic = section('decisions.md, 32 to 35: traffic control');
const sticky = section('decisions.md, 40: stickiness');

/**
 * Pearson's statistic of counts against weights. With two degrees of freedom it passes `bound` about once in
 * 270,000 right runs.
 */
function chiSquare(counts: Record<string, number>, weights: Record<string, number>): number {
  const draws = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  return Object.entries(weights).reduce((sum, [name, weight]) => {
    const expected = (draws * weight) / total;
    return sum + ((counts[name] ?? 0) - expected) ** 2 / expected;
  }, 0);
}
const bound = 25;
const draws = 600;

/** What a fetch led to, for comparison. */
const outcome = ({ externalId, isExperiment }: Json): string => `${externalId} ${isExperiment}`;

async function circle(app: App, placementId: string, chain: string): Promise<void> {
  const profileId = await newProfileId(app);
  const message = `Circular placement allocation detected: ${chain}`;
  for (const answer of [
    await app.v1('/paywalls', { profileId, placementId }),
    await app.v2('/paywall', { profileId, placementId }),
  ])
    assert.equal(refused(answer, 422, 'CIRCULAR_PLACEMENT_ALLOCATION').error, message);
}

/** An app whose one sticky model has these candidates; `apply` changes them. */
async function stickyApp(admin: Admin, url: (key: string) => App) {
  const { id, secretKey } = await createApp(admin);
  const apply = async (candidates: string[]) => {
    const models = soundCatalog.models.map((model) => ({ ...model, candidates }));
    accepted(await admin.put(`/apps/${id}/catalog`, { ...soundCatalog, models }), 200);
  };
  return { app: url(secretKey), apply };
}

export const trafficCases = [
  traffic.withAdmin('32: the draw follows the model’s weights, per request and not per user', async ({ app }) => {
    const profileIds = await inParallel(5, 5, () => newProfileId(app));
    const counts: Record<string, number> = {};
    await inParallel(draws, 16, async (index) => {
      const paywall = await fetchPaywall(app, profileIds[index % profileIds.length]!, 'split');
      const id = paywall.externalId === 'calm_v1' ? 'calm' : paywall.externalId;
      counts[id] = (counts[id] ?? 0) + 1;
      assert.equal(paywall.isExperiment, id === 'calm', 'true only when the AI target served');
    });
    assert.ok(chiSquare(counts, splitWeights) < bound, `${draws} draws by 6:3:1 came out as ${JSON.stringify(counts)}`);
  }),
  traffic.withAdmin('32: one profile’s consecutive responses are not a stable assignment', async ({ app }) => {
    const profileId = await newProfileId(app);
    const seen = new Set(await inParallel(60, 8, async () => outcome(await fetchPaywall(app, profileId, 'split'))));
    assert.ok(seen.size > 1, `60 fetches all gave ${[...seen].join()}`);
  }),
  traffic.withAdmin('isExperiment is true when the AI model target served', async ({ app, ids }) => {
    const { id, isExperiment, aiPricingModelId } = await fetchPaywall(app, await newProfileId(app), 'calm-only');
    assert.deepEqual([id, isExperiment, aiPricingModelId], [ids.paywalls.calm, true, ids.models['calm-only']]);
  }),
  traffic.withAdmin('The AI target serves only its candidates', async ({ app, ids }) => {
    const profileId = await newProfileId(app);
    const seen = await inParallel(40, 8, async () => (await fetchPaywall(app, profileId, 'sticky')).id);
    for (const id of seen) assert.ok([ids.paywalls.calm, ids.paywalls.bold, ids.paywalls.plain].includes(id));
  }),
  traffic.withAdmin('35: isExperiment outside the AI target is false, always present', async ({ app, ids }) => {
    for (const fetch of [
      (id: string) => app.v1('/paywalls', { profileId: id, placementId: 'base' }),
      (id: string) => app.v2('/paywall', { profileId: id, placementId: 'base' }),
    ]) {
      const paywall = accepted(await fetch(await newProfileId(app)), 200);
      assert.deepEqual(
        [paywall.id, paywall.isExperiment, paywall.aiPricingModelId],
        [ids.paywalls.bold, false, ids.models.base],
      );
    }
  }),
  traffic.withAdmin(
    '32: the Placement target runs the named placement’s own draw; model and placement stay the requested ones, isExperiment is false',
    async ({ app, ids }) => {
      const paywall = await fetchPaywall(app, await newProfileId(app), 'via');
      assert.equal(paywall.id, ids.paywalls.calm, 'what the AI target of calm-only serves');
      assert.deepEqual(
        [paywall.placementId, paywall.aiPricingModelId, paywall.isExperiment],
        ['via', ids.models.via, false],
      );
    },
  ),
  traffic.withAdmin(
    '33: a placement without a model serves its baseline; aiPricingModelId null, isExperiment false',
    async ({ app, ids }) => {
      const paywall = await fetchPaywall(app, await newProfileId(app), 'plain');
      assert.deepEqual([paywall.id, paywall.aiPricingModelId, paywall.isExperiment], [ids.paywalls.calm, null, false]);
    },
  ),
  traffic.withAdmin('34: a circle of two: 422 with the chain from the requested placement', async ({ app }) => {
    await circle(app, 'circle-a', 'circle-a -> circle-b -> circle-a');
    await circle(app, 'circle-b', 'circle-b -> circle-a -> circle-b');
  }),
  traffic.withAdmin('34: an allocation to itself', async ({ app }) => {
    await circle(app, 'circle-self', 'circle-self -> circle-self');
  }),
  traffic.withAdmin('34: entered from outside, the chain ends at the first placement that repeats', async ({ app }) => {
    await circle(app, 'circle-entry', 'circle-entry -> circle-a -> circle-b -> circle-a');
  }),

  sticky.withAdmin(
    'With stickyFor a profile keeps target and paywall of its first decision, isExperiment included',
    async ({ app }) => {
      const firsts = await inParallel(24, 6, async () => {
        const profileId = await newProfileId(app);
        const first = await fetchPaywall(app, profileId, 'sticky');
        const later = await inParallel(8, 4, () => fetchPaywall(app, profileId, 'sticky'));
        assert.deepEqual(new Set(later.map(outcome)), new Set([outcome(first)]));
        assert.equal(new Set([first, ...later].map(({ paywallSessionId }) => paywallSessionId)).size, 9);
        return outcome(first);
      });
      assert.ok(new Set(firsts).size > 1, 'profiles are drawn apart');
    },
  ),
  sticky.withAdmin('For that time from the first decision', async ({ app }) => {
    const repeated = await inParallel(24, 8, async () => {
      const profileId = await newProfileId(app);
      const first = outcome(await fetchPaywall(app, profileId, 'brief'));
      await pause(1_300);
      return outcome(await fetchPaywall(app, profileId, 'brief')) === first;
    });
    assert.ok(repeated.includes(false), 'after the time some of 24 profiles are drawn otherwise');
  }),
  sticky.withAdmin('A fetch by customerUserId alone is no first decision and stays Baseline', async ({ app, ids }) => {
    const outcomes = await inParallel(24, 8, async () => {
      const customerUserId = someone();
      const profileId = await newProfileId(app, { customerUserId });
      const byCustomer = () => app.v1('/paywalls', { customerUserId, placementId: 'sticky' });
      assert.equal(accepted(await byCustomer()).id, ids.paywalls.plain);
      const first = await fetchPaywall(app, profileId, 'sticky');
      assert.equal(accepted(await byCustomer()).id, ids.paywalls.plain);
      return first.isExperiment;
    });
    assert.ok(outcomes.includes(true), 'a Baseline answer before did not stick');
  }),
  sticky.withAdmin('While the paywall can still be served there', async ({ admin, app }) => {
    const own = await stickyApp(admin, (key) => new App(app.url, key));
    await own.apply(['calm']);
    const profileIds = await inParallel(24, 6, () => newProfileId(own.app));
    const kept = [];
    for (const profileId of profileIds)
      if ((await fetchPaywall(own.app, profileId, 'sticky')).isExperiment) kept.push(profileId);
    assert.ok(kept.length > 0);
    await own.apply(['bold']);
    for (const profileId of kept)
      assert.notEqual((await fetchPaywall(own.app, profileId, 'sticky')).externalId, 'calm_v1');
  }),
];
