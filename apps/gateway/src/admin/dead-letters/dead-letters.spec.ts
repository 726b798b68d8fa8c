import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { adminGateway, viewerToken, type AdminGateway } from '../testing/admin-gateway.ts';
import { deadLetter, parkedKey } from '../testing/fake-dead-letters.ts';

let gateway: AdminGateway;
beforeAll(async () => (gateway = await adminGateway()));
beforeEach(() => {
  gateway.reset();
  gateway.deadLetters.letters = [
    deadLetter,
    { ...deadLetter, id: 11, group: 'profile', topic: 'profile.commands', appId: 2, status: 'retried' },
  ];
  gateway.deadLetters.keys = [parkedKey];
});
afterAll(() => gateway.close());

const idsOf = ({ body }: Awaited<ReturnType<AdminGateway['call']>>) => body.data.map(({ id }: { id: number }) => id);

describe('the list of dead letters', () => {
  it('shows them newest first, page by page, with times and reasons', async () => {
    const first = await gateway.call('GET', '/dead-letters?limit=1');
    expect(first.body).toMatchObject({
      ok: true,
      data: [{ id: 12, group: 'projection', status: 'open', failedAt: '2026-01-01T12:00:00.000Z', settledAt: null }],
      nextCursor: expect.any(String),
    });
    expect(first.body.data[0]).not.toHaveProperty('headers');
    expect(idsOf(await gateway.call('GET', `/dead-letters?limit=1&cursor=${first.body.nextCursor}`))).toEqual([11]);
  });

  it.each([
    ['group=profile', [11]],
    ['topic=profile.events', [12]],
    ['appId=2', [11]],
    ['appId=2147483647', []],
    ['status=open', [12]],
    ['group=projection&status=retried', []],
  ])('shows those of %s', async (query, ids) => {
    expect(idsOf(await gateway.call('GET', `/dead-letters?${query}`))).toEqual(ids);
  });

  it.each([
    ['status=closed', 'status must be one of open, retried, discarded.'],
    ['appId=0', 'appId must be an integer from 1 to 2147483647.'],
    ['appId=2147483648', 'appId must be an integer from 1 to 2147483647.'],
    ['group=', 'group must be a text of 1 to 255 characters.'],
    ['topic=a&topic=b', 'topic must be a text of 1 to 255 characters.'],
    ['cursor=x', expect.any(String)],
    ['limit=0', expect.any(String)],
  ])('refuses %s', async (query, error) => {
    const refused = { status: 400, body: { code: 'VALIDATION_FAILED', error } };
    expect(await gateway.call('GET', `/dead-letters?${query}`)).toMatchObject(refused);
  });
});

describe('one dead letter', () => {
  it('is shown in full, without the headers of strangers', async () => {
    const { body } = await gateway.call('GET', '/dead-letters/12');
    expect(body.data).toMatchObject({
      id: 12,
      reason: deadLetter.reason,
      parked: 2,
      payload: '{"appId":1}',
      actions: [],
    });
    expect(body.data.headers).toEqual({ ce_type: 'ProfileUpdated.v9' });
  });

  it.each(['13', '0', 'x', '1e3', '-1', '99999999999999999999'])('is not found under %s', async (id) => {
    for (const [method, path] of [
      ['GET', `/dead-letters/${id}`],
      ...(id === '13' ? [] : ([['POST', `/dead-letters/${id}/retry`]] as const)),
    ] as const)
      expect(await gateway.call(method, path)).toMatchObject({
        status: 404,
        body: { code: 'DEAD_LETTER_NOT_FOUND', error: expect.stringMatching(/^deadLetterId /) },
      });
  });
});

it('lists the keys that stand still', async () => {
  expect((await gateway.call('GET', '/dead-letters/parked?group=projection')).body).toEqual({
    ok: true,
    data: [{ ...parkedKey, since: '2026-01-01T12:00:00.000Z' }],
    nextCursor: null,
  });
});

describe('an action', () => {
  it.each([
    ['retry', 'RetryDeadLetter', 'retried', null],
    ['discard', 'DiscardDeadLetter', 'discarded', 2],
  ])('%s is asked of the projection, in the name of the token', async (action, type, status, skippedVersion) => {
    const answer = await gateway.call('POST', `/dead-letters/12/${action}`);
    expect(answer).toMatchObject({ status: 200, body: { ok: true, data: { id: 12, status, skippedVersion } } });
    const requestId = answer.headers['x-request-id'];
    expect(gateway.deadLetters.asked).toEqual([
      { type, id: expect.any(String), key: '12', body: { actor: 'ops', deadLetterId: 12 }, requestId },
    ]);
  });

  it.each([
    ['DEAD_LETTER_SETTLED', 409],
    ['DEAD_LETTER_WAITS', 409],
    ['DEAD_LETTER_NOT_RETRIABLE', 409],
    ['DEAD_LETTER_NOT_DISCARDABLE', 409],
    ['DEAD_LETTER_NOT_FOUND', 404],
  ] as const)('is answered with what the projection refuses: %s', async (code, status) => {
    gateway.deadLetters.refusal = { code, message: 'Because.' };
    const answer = await gateway.call('POST', '/dead-letters/12/retry');
    expect(answer).toMatchObject({ status, body: { code, error: 'Because.' } });
  });
});

it('lets a viewer read, and act on nothing', async () => {
  const viewer = { token: viewerToken };
  for (const path of ['/dead-letters', '/dead-letters/12', '/dead-letters/parked'])
    expect((await gateway.call('GET', path, viewer)).status).toBe(200);
  for (const action of ['retry', 'discard'])
    expect(await gateway.call('POST', `/dead-letters/12/${action}`, viewer)).toMatchObject({ status: 403 });
  expect(gateway.deadLetters.asked).toEqual([]);
});
