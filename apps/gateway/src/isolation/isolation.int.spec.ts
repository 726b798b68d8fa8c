import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describedOperations } from '../openapi/openapi-document.ts';
import { foreignIds, personV2, requestOf, type ForeignId, type Ids } from './foreign-ids.ts';
import { sentinel, twoApps, type TwoApps } from './two-apps.ts';

let apps: TwoApps;
beforeAll(async () => {
  apps = await twoApps();
});
afterAll(() => apps[Symbol.asyncDispose]());

const cases = Object.entries(foreignIds).flatMap(([route, ids]) =>
  typeof ids === 'string' ? [] : ids.map((one) => ({ route, names: one.names, one })),
);
const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const ofThisRequest = new Set(['x-request-id', 'date', 'ratelimit', 'content-length']);

/** What whoever asks can tell two answers apart by, but for what was asked and when. */
async function answerTo(route: string, one: ForeignId, ids: Ids) {
  const { response, asked, sent } = await apps.ask(apps.first, requestOf(route, one, apps.first, ids));
  expect(response.body).not.toContain(sentinel);
  const named = (text: string, [name, id]: [string, unknown]) =>
    typeof id === 'string' ? text.replaceAll(id, `<${name}>`) : text;
  return {
    code: response.statusCode < 300 ? null : response.json().code,
    status: response.statusCode,
    body: Object.entries(ids).reduce(named, response.body).replaceAll(uuids, '<uuid>'),
    headers: Object.entries(response.headers).filter(([name]) => !ofThisRequest.has(name)),
    // Time is made of these: the same statements, and the same commands.
    asked,
    sent: sent.map(({ type, appId }) => ({ type, appId })),
  };
}

/** All that the second app's own reads show. */
async function shownToItsOwner(): Promise<readonly string[]> {
  const reads = cases.filter(({ route }) => route.startsWith('get '));
  const answers: string[] = [];
  for (const { route, one } of reads) {
    const { response } = await apps.ask(apps.second, requestOf(route, one, apps.second, apps.foreign));
    expect([route, response.statusCode]).toEqual([route, 200]);
    answers.push(response.body);
  }
  return answers;
}

it('has a case for every route, and for nothing else', () => {
  const routes = Object.entries(describedOperations).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(Object.keys(foreignIds).sort()).toEqual(routes.sort());
});

describe('an id of another app', () => {
  it.each(cases)('at $route ($names) is one that nobody has', async ({ route, one }) => {
    const [ofAnother, ofNobody] = [await answerTo(route, one, apps.foreign), await answerTo(route, one, apps.unknown)];
    expect(ofAnother.code).toBe(one.refusal);
    if (one.ofUnknown === undefined) return expect(ofAnother).toEqual(ofNobody);
    expect(ofNobody).toMatchObject({ code: one.ofUnknown, status: ofAnother.status, sent: ofAnother.sent });
  });

  it.each(cases)('at $route ($names) is its own app’s', async ({ route, one }) => {
    const { response } = await apps.ask(apps.second, requestOf(route, one, apps.second, apps.foreign));
    expect([200, 201, 202]).toContain(response.statusCode);
  });
});

it('changes nothing of the app that it belongs to, and sends no command about its things', async () => {
  const before = await shownToItsOwner();
  const keys = new Set<string>();
  for (const { route, one } of cases) {
    const { sent } = await apps.ask(apps.first, requestOf(route, one, apps.first, apps.foreign));
    for (const { type, appId, key } of sent) {
      expect([type, appId]).toEqual([type, 1]);
      keys.add(key);
    }
  }
  expect(keys.size).toBeGreaterThan(3);
  expect(await shownToItsOwner()).toEqual(before);
  expect(before.join()).toContain(sentinel);
});

it('gives no answer that is kept for another app’s request of the same key', async () => {
  const request = { method: 'POST', url: '/v2/profiles', body: personV2('with-a-key') } as const;
  const key = { 'idempotency-key': 'one-key' };
  const theirs = await apps.ask(apps.second, request, key);
  const again = await apps.ask(apps.second, request, key);
  const ours = await apps.ask(apps.first, request, key);
  expect(again.response.json()).toEqual(theirs.response.json());
  expect(ours.response.json().data.profileId).not.toBe(theirs.response.json().data.profileId);
});
