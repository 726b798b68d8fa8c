import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DecisionRow } from '@paywright/read-model';
import { adminGateway, type AdminGateway } from '../testing/admin-gateway.ts';
import { startedAt } from '../testing/surroundings.ts';
import { context, decisionRow, ids, profileId, revision, withTraffic } from '../testing/decision-records.ts';

let gateway: AdminGateway;
beforeAll(async () => (gateway = await adminGateway()));
beforeEach(async () => {
  gateway.reset();
  await gateway.createApp();
});
afterAll(() => gateway.close());

const id = '0190a5b0-0000-7000-8000-00000000000a';
const firstId = '0190a5b0-0000-7000-8000-00000000000b';
const aiAlone = withTraffic({ target: 'ai_model', weight: 90 });

/** The decisions that there are, and the catalog that they were made by. */
function recorded(rows: readonly DecisionRow[], document = aiAlone) {
  gateway.readModel.decisions = rows;
  gateway.readModel.revisions = [{ revision, time: startedAt, actor: 'ops', document, ids }];
}
const replay = async () => (await gateway.call('POST', `/apps/1/decisions/${id}/replay`)).body.data;

describe('GET decision', () => {
  it('explains it', async () => {
    const row = decisionRow(id, {}, aiAlone);
    recorded([row]);
    gateway.readModel.shownAt = startedAt;
    gateway.readModel.earned = { conversions: 2, revenueUsd: '12.345678' };
    const { body } = await gateway.call('GET', `/apps/1/decisions/${id}`);
    const { decision } = row;
    expect(body.data).toEqual({
      id,
      time: new Date(startedAt).toISOString(),
      placementId: 'onboarding',
      target: 'ai_model',
      paywallId: decision.paywallId,
      externalId: decision.externalId,
      isExperiment: true,
      aiPricingModelId: 1,
      modelVersion: 'uniform-1',
      catalogRevision: 1,
      fallback: null,
      superseded: false,
      profileId,
      context,
      path: [{ placementId: 'onboarding', target: 'ai_model', weight: 90 }],
      candidates: [
        { paywallId: 1, externalId: 'calm_v1', score: 0, probability: 0.5 },
        { paywallId: 2, externalId: 'bold', score: 0, probability: 0.5 },
      ],
      probability: 0.5,
      seed: id,
      latencyMs: 4,
      stickyTo: null,
      outcome: { shownAt: new Date(startedAt).toISOString(), conversions: 2, revenueUsd: '12.345678' },
      sentence: expect.stringContaining('with probability 50%'),
    });
  });

  it.each([`/apps/1/decisions/${firstId}`, '/apps/1/decisions/x'])('knows no %s', async (path) => {
    recorded([decisionRow(id)]);
    expect(await gateway.call('GET', path)).toMatchObject({ status: 404, body: { code: 'DECISION_NOT_FOUND' } });
    expect((await gateway.call('POST', `${path}/replay`)).body.code).toBe('DECISION_NOT_FOUND');
  });
});

describe('POST replay', () => {
  it('decides the same again, from the record and the catalog of its revision', async () => {
    const row = decisionRow(id, {}, aiAlone);
    recorded([row]);
    const { paywallId, externalId, path } = row.decision;
    const outcome = { paywallId, externalId, probability: 0.5, path };
    expect(await replay()).toEqual({
      same: true,
      decisionId: id,
      catalogRevision: 1,
      modelVersion: 'uniform-1',
      recorded: outcome,
      replayed: outcome,
    });
  });

  it('sees a record that was tampered with', async () => {
    const row = decisionRow(id, {}, aiAlone);
    const other = row.decision.paywallId === 1 ? { paywall: 'bold', paywallId: 2 } : { paywall: 'calm', paywallId: 1 };
    recorded([decisionRow(id, other, aiAlone)]);
    expect(await replay()).toMatchObject({ same: false, recorded: { paywallId: other.paywallId } });
  });

  it('replays in place of a sticky decision the one that it repeats', async () => {
    const first = decisionRow(firstId, {}, aiAlone);
    const { paywall, paywallId, externalId } = first.decision;
    const sticky = decisionRow(id, { paywall, paywallId, externalId, stickyTo: firstId }, aiAlone);
    recorded([sticky, first]);
    expect(await replay()).toMatchObject({ same: true, decisionId: firstId });
    recorded([{ ...sticky, decision: { ...sticky.decision, paywall: 'other' } }, first]);
    expect(await replay()).toMatchObject({ same: false });
    recorded([sticky]);
    expect((await gateway.call('POST', `/apps/1/decisions/${id}/replay`)).status).toBe(503);
  });

  it('goes by the catalog of the decision, in force or not', async () => {
    recorded([decisionRow(id, {}, aiAlone)]);
    for (const document of [aiAlone, withTraffic({ target: 'baseline', weight: 1 })]) {
      await gateway.call('PUT', '/apps/1/catalog', { body: document });
      expect(await replay()).toMatchObject({ same: true, catalogRevision: 1 });
    }
    expect(gateway.apps.find(1)?.snapshot.revision).toBe(2);
    gateway.readModel.revisions = [];
    expect((await gateway.call('POST', `/apps/1/decisions/${id}/replay`)).status).toBe(503);
  });
});
