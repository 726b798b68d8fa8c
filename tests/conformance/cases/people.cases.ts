import assert from 'node:assert/strict';
import { device, fetchPaywall, newProfile, newProfileId, shownEvent, someone } from '../bodies.ts';
import { section } from '../case.ts';
import { accepted, eventually, refused, timestamp, uuid } from '../expectations.ts';
import { onlyDecision, timeline } from '../timeline.ts';
import { freshCatalog } from './catalog.cases.ts';
import type { Json } from '../http.ts';

const people = section('admin-api.md: people');
const decisions = section('admin-api.md: decisions');
const noProfile = '00000000-0000-4000-8000-000000000000';
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

export const peopleCases = [
  people.withAdmin(
    'GET …/profiles/{profileId} answers the v1 profile; what a 2xx acknowledged is visible to the next request',
    async ({ admin, app, appId }) => {
      for (let round = 0; round < 10; round++) {
        const profile = await newProfile(app, { customerUserId: someone(), email: 'nobody@example.com' });
        assert.deepEqual(accepted(await admin.get(`/apps/${appId}/profiles/${profile.profileId}`), 200), profile);
        const [custom] = [
          accepted(
            await app.v1('/profiles/custom-attributes', {
              profileId: profile.profileId,
              custom: { key: 'a', value: String(round) },
            }),
            201,
          ),
        ];
        assert.deepEqual(accepted(await admin.get(`/apps/${appId}/profiles/${profile.profileId}`)).custom, [custom]);
      }
    },
  ),
  people.withAdmin(
    'Profiles by customerUserId, by profile id and by the beginning of a customer user id',
    async ({ admin, app, appId }) => {
      const customerUserId = someone();
      const profile = await newProfile(app, { customerUserId });
      for (const query of [
        `customerUserId=${customerUserId}`,
        `query=${profile.profileId}`,
        `query=${customerUserId}`,
        `query=${customerUserId.slice(0, -4)}`,
      ])
        assert.deepEqual(accepted(await admin.get(`/apps/${appId}/profiles?${query}`), 200), [profile], query);
      for (const query of [
        `customerUserId=${customerUserId.slice(0, -4)}`,
        `query=${someone()}`,
        'query=%25',
        'query=user_',
      ])
        assert.deepEqual(accepted(await admin.get(`/apps/${appId}/profiles?${query}`), 200), [], query);
    },
  ),
  people.withAdmin('An unknown profile is 404, one of another app too', async ({ admin, appId, otherApp }) => {
    for (const profileId of [noProfile, 'none', await newProfileId(otherApp)])
      for (const part of ['', '/timeline', '/decisions'])
        refused(await admin.get(`/apps/${appId}/profiles/${profileId}${part}`), 404, 'PROFILE_NOT_FOUND');
  }),
  people.withAdmin(
    'timeline: every event of every service about this profile, newest first; each event of a batch is an entry',
    async (own) => {
      const profileId = await newProfileId(own.app);
      accepted(
        await own.app.v1('/profiles/custom-attributes', { profileId, custom: { key: 'goal', value: 'sleep' } }),
        201,
      );
      await fetchPaywall(own.app, profileId, 'plain');
      accepted(await own.app.v1('/events', [shownEvent(profileId), { eventType: 'closed', profileId }]), 200);
      const entries = await eventually('five entries', async () => {
        const found = await timeline(own, profileId);
        return found.length >= 5 ? found : null;
      });
      assert.equal(entries.length, 5);
      for (const entry of entries) {
        assert.deepEqual(Object.keys(entry).sort(), ['data', 'id', 'service', 'time', 'type']);
        assert.match(entry.time, timestamp);
      }
      assert.equal(new Set(entries.map(({ id }) => id)).size, 5);
      assert.deepEqual(new Set(entries.map(({ service }) => service)), new Set(['profile', 'selection', 'impression']));
      const times = entries.map(({ time }) => time);
      assert.deepEqual(times, [...times].sort().reverse());
    },
  ),
  people.withAdmin('timeline: pages by cursor without gap or repeat', async (own) => {
    const profileId = await newProfileId(own.app);
    accepted(
      await own.app.v1(
        '/events',
        Array.from({ length: 30 }, () => ({ eventType: 'opened', profileId })),
      ),
      200,
    );
    const all = await eventually('31 entries', async () => {
      const found = await timeline(own, profileId);
      return found.length >= 31 ? found : null;
    });
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await own.admin.get(
        `/apps/${own.appId}/profiles/${profileId}/timeline?limit=7${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      seen.push(...accepted(answer, 200).map(({ id }: Json) => id));
      cursor = answer.body.nextCursor;
    }
    assert.deepEqual(
      seen,
      all.map(({ id }) => id),
    );
  }),

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
    for (const id of [noProfile, 'none']) {
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
