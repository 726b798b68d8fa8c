import assert from 'node:assert/strict';
import { device, fetchPaywall, newProfileId, someone } from '../bodies.ts';
import { section } from '../case.ts';
import { accepted, eventually, refused, timestamp, uuid } from '../expectations.ts';
import { onlyDecision } from '../timeline.ts';
import { freshCatalog } from '../fresh-catalog.ts';
import type { Json } from '../http.ts';

const decisions = section('admin-api.md: decisions');
const noDecision = '00000000-0000-4000-8000-000000000000';
const rowFields = [
  ...['id', 'time', 'placementId', 'target', 'paywallId', 'externalId', 'isExperiment', 'aiPricingModelId'],
  ...['modelVersion', 'catalogRevision', 'fallback', 'superseded'],
];
const detailFields = [
  'profileId',
  'context',
  'path',
  'candidates',
  'probability',
  'seed',
  'latencyMs',
  'outcome',
  'sentence',
];

export const decisionCases = [
  decisions.withAdmin('Every paywall fetch is a decision of its profile', async ({ admin, app, appId }) => {
    const profileId = await newProfileId(app);
    const paywalls = [];
    for (const placementId of ['plain', 'calm-only', 'base'])
      paywalls.push(await fetchPaywall(app, profileId, placementId));
    const rows = await eventually('three decisions', async () => {
      const found = accepted(await admin.get(`/apps/${appId}/profiles/${profileId}/decisions`), 200);
      return found.length >= 3 ? found : null;
    });
    for (const row of rows) {
      assert.deepEqual(Object.keys(row).sort(), [...rowFields].sort());
      assert.match(row.id, uuid);
      assert.deepEqual([row.fallback, row.superseded], [null, false]);
    }
    const shown = (row: Json) =>
      [row.placementId, row.paywallId ?? row.id, row.externalId, row.isExperiment, row.aiPricingModelId].join();
    assert.deepEqual(
      rows.map(shown).sort(),
      paywalls.map(({ id, ...paywall }) => shown({ ...paywall, paywallId: id })).sort(),
    );
    assert.deepEqual(rows.map(({ target }: Json) => target).sort(), ['ai_model', 'baseline', 'baseline']);
  }),
  decisions.withAdmin('GET /apps/{appId}/decisions/{decisionId} says why', async (own) => {
    const profileId = await newProfileId(own.app);
    const paywall = await fetchPaywall(own.app, profileId, 'ai');
    const decision = await onlyDecision(own, profileId);
    for (const field of [...rowFields, ...detailFields]) assert.ok(field in decision, field);
    assert.deepEqual([decision.profileId, decision.paywallId, decision.target], [profileId, paywall.id, 'ai_model']);
    assert.ok(decision.sentence.length > 0 && decision.latencyMs >= 0);
    const sum = decision.candidates.reduce((total: number, { probability }: Json) => total + probability, 0);
    assert.ok(Math.abs(sum - 1) < 1e-9, 'the candidates’ probabilities add up to 1');
    const chosen = decision.candidates.find(({ paywallId }: Json) => paywallId === paywall.id);
    assert.equal(chosen.probability, decision.probability);
    assert.deepEqual(decision.candidates.map(({ externalId }: Json) => externalId).sort(), [
      'bold',
      'calm_v1',
      'plain',
    ]);
  }),
  decisions.withAdmin('path: from the requested placement to the one that served', async (own) => {
    const profileId = await newProfileId(own.app);
    await fetchPaywall(own.app, profileId, 'via');
    const { path, target, placementId } = await onlyDecision(own, profileId);
    assert.deepEqual(
      path.map((step: Json) => [step.placementId, step.target]),
      [
        ['via', 'placement'],
        ['calm-only', 'ai_model'],
      ],
    );
    assert.deepEqual([target, placementId], ['placement', 'via']);
  }),
  decisions.withAdmin(
    'The attributes that a 2xx acknowledged are part of the context of every paywall request that starts after it',
    async (own) => {
      for (let round = 0; round < 5; round++) {
        const profileId = await newProfileId(own.app);
        accepted(
          await own.app.v2('/custom-attributes', { profileId, custom: [{ key: 'goal', value: `goal-${round}` }] }),
          201,
        );
        await fetchPaywall(own.app, profileId, 'ai');
        assert.ok(JSON.stringify((await onlyDecision(own, profileId)).context).includes(`goal-${round}`));
      }
    },
  ),
  decisions.withAdmin('decisions.md, 36: overrides replace the profile’s value for this decision only', async (own) => {
    const customerUserId = someone();
    const [overridden, plain] = [await newProfileId(own.app, { customerUserId }), await newProfileId(own.app)];
    const overrides = {
      locale: 'xx-1',
      country: 'fr',
      deviceTypeModel: 'Device-2',
      osVersion: 'Version-3',
      attributionSource: 'Source-4',
    };
    await fetchPaywall(own.app, overridden, 'ai', overrides);
    await fetchPaywall(own.app, plain, 'ai');
    const [text, without] = [
      JSON.stringify((await onlyDecision(own, overridden)).context),
      JSON.stringify((await onlyDecision(own, plain)).context),
    ];
    for (const value of ['xx-1', 'FR', 'Device-2', 'Version-3', 'Source-4'])
      assert.ok(text.includes(`"${value}"`), `${value} in ${text}`);
    assert.ok(!text.includes(`"${device.country}"`) && without.includes(`"${device.country}"`));
    assert.equal(accepted(await own.app.v1('/profiles', { customerUserId })).country, device.country);
  }),
  decisions.withAdmin('An identified person is not in the context', async (own) => {
    const customerUserId = someone();
    const profileId = await newProfileId(own.app, { customerUserId, email: 'nobody@example.com', ip: '192.0.2.77' });
    await fetchPaywall(own.app, profileId, 'ai', { ip: '192.0.2.78' });
    const text = JSON.stringify(await onlyDecision(own, profileId));
    for (const personal of [customerUserId, 'nobody@example.com', '192.0.2.77', '192.0.2.78'])
      assert.ok(!text.includes(personal), personal);
  }),
  decisions.withAdmin('outcome.shownAt: when a view with its token came', async (own) => {
    const profileId = await newProfileId(own.app);
    const { paywallSessionId } = await fetchPaywall(own.app, profileId, 'ai');
    assert.equal((await onlyDecision(own, profileId)).outcome.shownAt, null);
    accepted(await own.app.v1('/events', [{ eventType: 'paywall_shown', profileId, paywallSessionId }]), 200);
    const shownAt = await eventually('shownAt', async () => (await onlyDecision(own, profileId)).outcome.shownAt);
    assert.match(shownAt, timestamp);
  }),
  decisions.withAdmin('replay decides again from the record: the same', async (own) => {
    for (const placementId of ['ai', 'split', 'via', 'plain', 'base']) {
      const profileId = await newProfileId(own.app);
      await fetchPaywall(own.app, profileId, placementId);
      const { id } = await onlyDecision(own, profileId);
      assert.equal(
        accepted(await own.admin.post(`/apps/${own.appId}/decisions/${id}/replay`), 200).same,
        true,
        placementId,
      );
    }
  }),
  decisions.withAdmin('An unknown decision: 404 DECISION_NOT_FOUND, one of another app too', async (own) => {
    for (const id of [noDecision, 'none']) {
      refused(await own.admin.get(`/apps/${own.appId}/decisions/${id}`), 404, 'DECISION_NOT_FOUND');
      refused(await own.admin.post(`/apps/${own.appId}/decisions/${id}/replay`), 404, 'DECISION_NOT_FOUND');
    }
  }),
  decisions.withAdmin(
    'An object removed while decisions name it is archived: reports still know its name',
    async (own) => {
      const { id: appId, app, put } = await freshCatalog(own);
      accepted(
        await put({
          paywalls: [{ id: 'old', externalId: 'old_v1', name: 'Old' }],
          placements: [{ id: 'x', name: 'X', baseline: 'old' }],
        }),
        200,
      );
      const profileId = await newProfileId(app);
      await fetchPaywall(app, profileId, 'x');
      accepted(
        await put({ paywalls: [{ id: 'new', name: 'New' }], placements: [{ id: 'y', name: 'Y', baseline: 'new' }] }),
        200,
      );
      const decision = await onlyDecision({ ...own, appId, app }, profileId);
      assert.deepEqual([decision.externalId, decision.placementId], ['old_v1', 'x']);
    },
  ),
];
