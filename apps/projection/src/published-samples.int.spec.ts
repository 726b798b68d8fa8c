import { expect, it } from '@jest/globals';
import { publishedSamples } from '@paywright/contracts/testing';
import { eventTopicOf, services } from '@paywright/messaging';
import { eventsOf } from '@paywright/contracts';
import { derivedId } from '@paywright/platform';
import { allProjections } from './projections.ts';
import { appId, created, eventRecord } from './testing/event-log.ts';
import { rowsAfter, storedOffset, testReadModel } from './testing/read-model.ts';

const { pool } = await testReadModel();

it.each(publishedSamples())('projects $type version $version as it was published once', async (sample) => {
  const service = services.find((each) => eventsOf[eventTopicOf[each]].some(({ type }) => type === sample.type))!;
  const projection = allProjections(new Set()).find(({ topic }) => topic === eventTopicOf[service])!;
  const body = sample.body as Record<string, unknown>;
  const key = body['chainId'] ?? body['profileId'];
  const stream = service === 'catalog' ? String(appId) : typeof key === 'string' ? key : derivedId('model');
  const needsProfile = service === 'profile' && sample.type !== 'ProfileCreated';
  const before = needsProfile ? [eventRecord('profile', stream, 1, created(stream))] : [];
  const record = eventRecord(service, stream, before.length + 1, sample);
  await rowsAfter(pool, projection, [...before, record], []); // none is a dead letter
  expect(await storedOffset(pool)).toBe(String(before.length + 1));
});
