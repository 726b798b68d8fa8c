import { expect, it } from '@jest/globals';
import { profileShownIn } from './profile-shown-in.ts';

const profileId = '0190a5b0-0000-7000-8000-000000000001';
const other = '0190a5b0-0000-7000-8000-000000000002';

it('is the profile of an answer', () =>
  expect(profileShownIn(JSON.stringify({ ok: true, data: { profileId, email: 'a@example.org' } }))).toBe(profileId));

it('is not what a client wrote into a field', () => {
  const data = { note: `"profileId":"${other}"`, profileId };
  expect(profileShownIn(JSON.stringify({ ok: true, data }))).toBe(profileId);
});

it.each(['', '{}', '{"profileId":null}', '{"profileId":"ann"}'])('is nobody in %j', (body) =>
  expect(profileShownIn(body)).toBeNull(),
);
