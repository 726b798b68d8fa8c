import { afterAll, expect, it } from '@jest/globals';
import { createLogger, derivedId, Metrics } from '@paywright/platform';
import { decisionsProjection } from '../decisions/decisions.projection.ts';
import { openReadModel } from '../open-read-model.ts';
import { personalProjection } from '../personal/personal.projection.ts';
import { profileProjection } from '../profile/profile.projection.ts';
import { noteCommits, notedCommits } from '../testing/commits.ts';
import { appId, created, eventRecord, personalRecord, profileA, served } from '../testing/event-log.ts';
import { rowsAfter, testReadModel } from '../testing/read-model.ts';

const { url } = await testReadModel();
const pool = openReadModel(url, { logger: createLogger({ service: 'test', level: 'error' }), metrics: new Metrics() });
afterAll(() => pool.end());

const noDefects = new Set<never>();

it('waits until profiles are on the disk, without whom a request is refused, and not until decisions are', async () => {
  for (const table of ['profile', 'profile_personal', 'profile_event'] as const) await noteCommits(pool, table);

  const profile = eventRecord('profile', profileA, 1, created(profileA));
  await rowsAfter(pool, profileProjection(noDefects), [profile], []);
  const personal = personalRecord(profileA, { appId, profileId: profileA, version: 1, fields: {} });
  await rowsAfter(pool, personalProjection, [personal], []);
  const decision = eventRecord('selection', profileA, 1, served(profileA, derivedId('decision')));
  await rowsAfter(pool, decisionsProjection(noDefects), [decision], []);

  expect(await notedCommits(pool, 'profile')).toEqual(['on']);
  expect(await notedCommits(pool, 'profile_personal')).toEqual(['on']);
  expect(await notedCommits(pool, 'profile_event')).toEqual(['on', 'off']);
});
