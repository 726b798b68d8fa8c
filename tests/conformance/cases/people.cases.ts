import assert from 'node:assert/strict';
import { fetchPaywall, newProfile, newProfileId, shownEvent, someone } from '../bodies.ts';
import { section } from '../case.ts';
import { accepted, eventually, refused, timestamp } from '../expectations.ts';
import { timeline } from '../timeline.ts';
import type { Json } from '../http.ts';

const people = section('admin-api.md: people');
const noProfile = '00000000-0000-4000-8000-000000000000';

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
      for (const part of ['', '/timeline', '/ledger', '/decisions'])
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
];
