import { describe, expect, it } from '@jest/globals';
import { deadLetterTopic, groups, ProfileErased, topics } from '@paywright/contracts';
import { Metrics } from '@paywright/platform';
import { personalProjection } from '../personal/personal.projection.ts';
import { profileProjection } from '../profile/profile.projection.ts';
import { answerOf, askedToDiscard, askedToRetry, openDesk } from '../testing/dead-letter-desk.ts';
import {
  appId,
  attributeSet,
  created,
  eventRecord,
  personalRecord,
  profileA,
  profileB,
  received,
  updated,
} from '../testing/event-log.ts';
import { follow, rowsOf, testReadModel } from '../testing/read-model.ts';
import { DeadLetterCounts } from './dead-letter-counts.ts';
import type { SourceLog } from './folded-letters.ts';

const profile = profileProjection(new Set());
const a1 = eventRecord('profile', profileA, 1, created(profileA, { country: 'DE' }));
const a2 = eventRecord('profile', profileA, 2, updated(profileA, { country: 'FR' }));
const a3 = eventRecord('profile', profileA, 3, attributeSet(profileA, 'goal', 'sleep'));
const a4 = eventRecord('profile', profileA, 4, updated(profileA, { locale: 'de' }));
const b1 = eventRecord('profile', profileB, 1, created(profileB));
const newer = (record: typeof a2) => ({ ...record, headers: { ...record.headers, ce_type: 'ProfileUpdated.v9' } });

const { pool } = await testReadModel();

const versions = async () => (await rowsOf(pool, 'profile')).map(({ version }) => version);
const letters = async () => {
  const { rows } = await pool.query<{ seq: string; status: string; attempts: number; error: string | null }>(
    'select seq, status, attempts, error from dead_letter order by "offset"',
  );
  return rows;
};
const idOf = async (index: number) => Number((await letters())[index]?.seq);
/** What a newer version of the code would do. */
const mend = (record: typeof a2) =>
  pool.query(`update dead_letter set headers = $1 where "offset" = $2`, [
    JSON.stringify(record.headers),
    record === a2 ? 1 : 2,
  ]);

/** 1 is folded in; 2 cannot be read; 3 and 4 wait behind it. */
async function parkedProfile(log = [a1, newer(a2), a3, a4, b1]) {
  const follower = follow(pool, profile);
  await follower.claim(0);
  await follower.handle(received(log));
  expect(await versions()).toEqual([1, 1]);
  return follower;
}

describe('a retry of a dead letter of the projection', () => {
  it('folds it in, and then all that waits behind it, in order', async () => {
    const follower = await parkedProfile();
    await mend(a2);
    const id = await idOf(0);
    expect(await answerOf(openDesk(pool), askedToRetry(id))).toEqual({
      id,
      status: 'retried',
      reason: null,
      attempts: 2,
      released: 2,
      parked: 0,
      nextDeadLetter: null,
      skippedVersion: null,
    });
    const [shown] = await rowsOf(pool, 'profile');
    expect(shown).toMatchObject({ version: 4, fields: { country: 'FR', locale: 'de' } });
    expect(await letters()).toMatchObject([{ status: 'retried', attempts: 2 }]);
    await follower.handle(received([eventRecord('profile', profileA, 5, updated(profileA, {}))], 5));
    expect(await versions()).toEqual([5, 1]);
  });

  it('frees the key in what is counted, though no further record of it comes', async () => {
    const metrics = new Metrics();
    const counts = new DeadLetterCounts(pool, metrics);
    const blockedKeys = async () => {
      await counts.refresh();
      const { values = [] } =
        (await metrics.registry.getSingleMetric('paywright_projection_blocked_keys')?.get()) ?? {};
      return values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels['topic'], value]);
    };
    expect(await blockedKeys()).toEqual([]);
    await parkedProfile();
    expect(await blockedKeys()).toEqual([[topics.profileEvents, 1]]);
    await mend(a2);
    await answerOf(openDesk(pool), askedToRetry(await idOf(0)));
    expect(await blockedKeys()).toEqual([]);
  });

  it('tells what failed again also where the command comes again, since the telling may have failed', async () => {
    await parkedProfile();
    const command = askedToRetry(await idOf(0));
    const desk = openDesk(pool);
    const first = await desk.handle([command]);
    expect(first.publish).toHaveLength(2);
    const again = await desk.handle([command]);
    const inFirst = ({ topic, key, headers, value }: (typeof first.publish)[number]) => {
      return { topic, key, headers, value: String(value) };
    };
    expect(again.publish.map(inFirst)).toEqual(first.publish.map(inFirst));
    expect((await letters())[0]).toMatchObject({ status: 'open', attempts: 2 });
  });

  it('leaves all as it was when it fails again, and counts the attempt', async () => {
    await parkedProfile();
    const id = await idOf(0);
    const reason = 'Its source publishes no event of this type and version.';
    const outcome = { status: 'open', reason, attempts: 2, released: 0, parked: 2, nextDeadLetter: id };
    const { publish } = await openDesk(pool).handle([askedToRetry(id)]);
    expect(JSON.parse(String(publish.at(-1)?.value)).body).toMatchObject(outcome);
    expect(publish[0]).toMatchObject({
      topic: deadLetterTopic(groups.projection),
      headers: { 'dead-letter-offset': '1', 'dead-letter-reason': reason },
    });
    expect(await letters()).toMatchObject([
      { status: 'open', attempts: 2 },
      { status: 'open', attempts: 0, error: null },
      { status: 'open', attempts: 0, error: null },
    ]);
    expect(await versions()).toEqual([1, 1]);
  });

  it('makes a dead letter of what fails behind it, and lets the rest wait for that', async () => {
    await parkedProfile([a1, newer(a2), newer(a3), a4, b1]);
    await mend(a2);
    const [first, second] = [await idOf(0), await idOf(1)];
    const outcome = { status: 'retried', released: 0, parked: 1, nextDeadLetter: second };
    expect(await answerOf(openDesk(pool), askedToRetry(first))).toMatchObject(outcome);
    expect(await versions()).toEqual([2, 1]);
    expect(await letters()).toMatchObject([
      { status: 'retried' },
      { status: 'open', attempts: 1, error: expect.any(String) },
      { status: 'open', error: null },
    ]);
    await mend(a3);
    expect(await answerOf(openDesk(pool), askedToRetry(second))).toMatchObject({ status: 'retried', released: 1 });
    expect(await versions()).toEqual([4, 1]);
  });

  /** As a version before left it, which did not look for what came late. */
  async function lateBehindGap() {
    const follower = await parkedProfile([a1, a3, a4, b1]);
    await pool.query(
      `insert into dead_letter (consumer, key, topic, partition, "offset", app_id, message_id, headers, recorded_at, payload,
         blocks, attempts)
       select consumer, key, topic, partition, 4, app_id, 'late', $1, recorded_at, $2, true, 0
       from dead_letter where error is not null`,
      [JSON.stringify(a2.headers), a2.value],
    );
    await pool.query('update projection_offset set next_offset = 5');
    return follower;
  }

  it('folds in first what came late, though it waits behind the gap', async () => {
    await lateBehindGap();
    const outcome = { status: 'retried', reason: null, released: 2, parked: 0, nextDeadLetter: null };
    expect(await answerOf(openDesk(pool), askedToRetry(await idOf(0)))).toMatchObject(outcome);
    expect(await versions()).toEqual([4, 1]);
    expect(await letters()).toMatchObject([{ status: 'retried' }]);
  });

  it('tells which one fails before it, if what came late does', async () => {
    await lateBehindGap();
    await pool.query('update dead_letter set headers = $1 where "offset" = 4', [JSON.stringify(newer(a2).headers)]);
    const [first, late] = [await idOf(0), await idOf(2)];
    const outcome = { status: 'open', reason: expect.any(String), released: 0, parked: 2, nextDeadLetter: late };
    expect(await answerOf(openDesk(pool), askedToRetry(first))).toMatchObject(outcome);
    expect(await versions()).toEqual([1, 1]);
    expect(await letters()).toMatchObject([{ status: 'open' }, { error: null }, { status: 'open', attempts: 1 }]);
  });

  it('lacks what is discarded alone, where the version before it came late', async () => {
    await lateBehindGap();
    const outcome = { status: 'discarded', released: 2, skippedVersion: 3, nextDeadLetter: null };
    expect(await answerOf(openDesk(pool), askedToDiscard(await idOf(0)))).toMatchObject(outcome);
    const [shown] = await rowsOf(pool, 'profile');
    expect(shown).toMatchObject({ version: 4, fields: { country: 'FR', locale: 'de' } });
  });

  it('answers a command that comes again as before, and does nothing twice', async () => {
    await parkedProfile();
    await mend(a2);
    const command = askedToRetry(await idOf(0));
    const first = await openDesk(pool).handle([command]);
    const again = await openDesk(pool).handle([command]);
    expect(again.publish).toEqual(first.publish);
    expect(await rowsOf(pool, 'audit')).toHaveLength(1);
    expect(await rowsOf(pool, 'profile_event')).toHaveLength(5);
  });

  it('is done once when two ask at once', async () => {
    await parkedProfile();
    await mend(a2);
    const id = await idOf(0);
    const answers = await Promise.all([1, 2, 3].map(() => answerOf(openDesk(pool), askedToRetry(id))));
    expect(answers.filter((answer) => 'status' in answer)).toHaveLength(1);
    expect(answers.filter((answer) => 'code' in answer && answer.code === 'DEAD_LETTER_SETTLED')).toHaveLength(2);
    expect(await versions()).toEqual([4, 1]);
  });

  it('loses nothing while the projection goes on with the same key', async () => {
    const follower = await parkedProfile();
    await mend(a2);
    const more = Array.from({ length: 30 }, (_, index) =>
      eventRecord('profile', profileA, 5 + index, attributeSet(profileA, 'n', String(index))),
    );
    const going = (async () => {
      for (const [index, record] of more.entries()) await follower.handle(received([record], 5 + index));
    })();
    await answerOf(openDesk(pool), askedToRetry(await idOf(0)));
    await going;
    expect(await versions()).toEqual([34, 1]);
    expect(await letters()).toHaveLength(1);
  });

  it('is refused to what only waits, and to what is unknown', async () => {
    await parkedProfile();
    expect(await answerOf(openDesk(pool), askedToRetry(await idOf(1)))).toMatchObject({ code: 'DEAD_LETTER_WAITS' });
    expect(await answerOf(openDesk(pool), askedToRetry(999_999))).toMatchObject({ code: 'DEAD_LETTER_NOT_FOUND' });
  });

  it('leaves nothing behind when the process dies before it is committed', async () => {
    await parkedProfile();
    await mend(a2);
    const id = await idOf(0);
    await pool.query('alter table audit rename to away');
    await expect(openDesk(pool).handle([askedToRetry(id)])).rejects.toThrow();
    await pool.query('alter table away rename to audit');
    expect([await versions(), (await letters()).length]).toEqual([[1, 1], 3]);
    expect(await answerOf(openDesk(pool), askedToRetry(id))).toMatchObject({ status: 'retried', released: 2 });
  });
});

describe('discarding a dead letter of the projection', () => {
  it('goes on behind it, says which version is lacking, and keeps who did it', async () => {
    const follower = await parkedProfile();
    const id = await idOf(0);
    const outcome = { status: 'discarded', released: 2, parked: 0, skippedVersion: 2, nextDeadLetter: null };
    expect(await answerOf(openDesk(pool), askedToDiscard(id))).toMatchObject(outcome);
    const [shown] = await rowsOf(pool, 'profile');
    expect(shown).toMatchObject({ version: 4, fields: { country: 'DE', locale: 'de' } });
    expect(await rowsOf(pool, 'audit')).toMatchObject([
      {
        actor: 'ops',
        action: 'DeadLetterDiscarded',
        app_id: appId,
        before: { status: 'open' },
        after: { id, ...outcome },
      },
    ]);
    await follower.handle(received([eventRecord('profile', profileA, 5, updated(profileA, {}))], 5));
    expect(await versions()).toEqual([5, 1]);
  });

  it('goes on behind a gap, which the answer names', async () => {
    await parkedProfile([a1, a3, a4, b1]);
    expect(await answerOf(openDesk(pool), askedToDiscard(await idOf(0)))).toMatchObject({ skippedVersion: 3 });
    expect(await versions()).toEqual([4, 1]);
  });

  it('skips nothing where the record was no event of its stream', async () => {
    const foreign = { ...a2, headers: { 'content-type': 'text/plain' } };
    await parkedProfile([a1, foreign, a2, b1]);
    expect(await answerOf(openDesk(pool), askedToDiscard(await idOf(0)))).toMatchObject({ skippedVersion: null });
    expect(await versions()).toEqual([2, 1]);
  });

  it('skips that version alone: a later gap is a dead letter still', async () => {
    const a6 = eventRecord('profile', profileA, 6, updated(profileA, {}));
    await parkedProfile([a1, newer(a2), a3, a6, b1]);
    const next = await idOf(2);
    const outcome = { released: 1, parked: 0, nextDeadLetter: next };
    expect(await answerOf(openDesk(pool), askedToDiscard(await idOf(0)))).toMatchObject(outcome);
    expect((await letters())[1]?.error).toBe('Gap: version 6 came where 4 is next.');
  });

  it('is done once, and not after a retry', async () => {
    await parkedProfile();
    const id = await idOf(0);
    expect(await answerOf(openDesk(pool), askedToDiscard(id))).toMatchObject({ status: 'discarded' });
    for (const message of [askedToDiscard(id), askedToRetry(id)])
      expect(await answerOf(openDesk(pool), message)).toMatchObject({ code: 'DEAD_LETTER_SETTLED' });
  });

  it.each(['ProfileErased.v1', 'ProfileErased.v9'])('is refused of %s, which can be retried alone', async (type) => {
    const erased = ProfileErased.of({ appId, profileId: profileA, actor: 'ops', erasedAt: Date.UTC(2026, 0, 1) });
    const record = eventRecord('profile', profileA, 2, erased);
    await parkedProfile([a1, { ...record, headers: { ...record.headers, ce_type: type }, value: '{' }, a3, b1]);
    const id = await idOf(0);
    expect(await answerOf(openDesk(pool), askedToDiscard(id))).toMatchObject({ code: 'DEAD_LETTER_NOT_DISCARDABLE' });
    expect([await versions(), await letters()]).toMatchObject([
      [1, 1],
      [{ status: 'open' }, { status: 'open' }],
    ]);
    await pool.query('update dead_letter set headers = $1, payload = $2 where seq = $3', [
      JSON.stringify(record.headers),
      record.value,
      id,
    ]);
    expect(await answerOf(openDesk(pool), askedToRetry(id))).toMatchObject({ status: 'retried' });
    expect((await rowsOf(pool, 'profile'))[0]).toMatchObject({ erased_version: 2 });
  });

  it('is open again if the log is read from its beginning, and it fails again', async () => {
    const follower = await parkedProfile();
    await answerOf(openDesk(pool), askedToDiscard(await idOf(0)));
    await pool.query('truncate profile, profile_event');
    await pool.query('update projection_offset set next_offset = 0');
    await follower.claim(0);
    await follower.handle(received([a1, newer(a2), a3, a4, b1]));
    expect((await letters())[0]).toMatchObject({ status: 'open', attempts: 2 });
    expect(await versions()).toEqual([1, 1]);
  });
});

describe('a dead letter of a personal record', () => {
  const faulty = personalRecord(profileA, null);
  const [mended] = received([
    personalRecord(profileA, { appId, profileId: profileA, version: 1, fields: { customerUserId: 'c-1' } }),
  ]);
  const sourceOf = (findNewest: SourceLog['findNewest']): SourceLog => ({ find: async () => null, findNewest });

  async function faultyPersonal() {
    const follower = follow(pool, personalProjection);
    await follower.claim(0);
    await follower.handle(received([{ ...faulty, value: '{' }]));
    return { follower, id: await idOf(0) };
  }

  it('is read again from its topic, and folded in while it is the newest of its key', async () => {
    const { id } = await faultyPersonal();
    const source = sourceOf(async () => ({ record: mended ?? null, next: '1' }));
    expect(await answerOf(openDesk(pool, { source }), askedToRetry(id))).toMatchObject({ status: 'retried' });
    expect(await rowsOf(pool, 'profile_personal')).toMatchObject([{ customer_user_id: 'c-1' }]);
    expect(await answerOf(openDesk(pool), askedToRetry(id))).toMatchObject({ code: 'DEAD_LETTER_SETTLED' });
  });

  it('holds up nobody while its topic is read', async () => {
    const { follower, id } = await faultyPersonal();
    const other = { appId, profileId: profileB, version: 1, fields: { customerUserId: 'c-2' } };
    const source = sourceOf(async () => {
      await follower.handle(received([personalRecord(profileB, other)], 1));
      return { record: mended ?? null, next: '2' };
    });
    expect(await answerOf(openDesk(pool, { source }), askedToRetry(id))).toMatchObject({ status: 'retried' });
    expect(await rowsOf(pool, 'profile_personal')).toMatchObject([
      { customer_user_id: 'c-1' },
      { customer_user_id: 'c-2' },
    ]);
  });

  it.each([
    ['a newer record of its key', profileA, { code: 'DEAD_LETTER_NOT_RETRIABLE' }, []],
    ['a record of another key', profileB, { status: 'retried' }, [{ customer_user_id: 'c-1' }]],
  ])('looks at what was folded in since its topic was read: %s', async (_, key, answer, rows) => {
    const { follower, id } = await faultyPersonal();
    const log = received([personalRecord(key, null)], 1);
    const asked: unknown[] = [];
    const source = sourceOf(async ({ offset, end }, wanted) => {
      asked.push([offset, end]);
      if (end !== undefined) return { record: log.find(({ key }) => key === wanted) ?? null, next: end };
      await follower.handle(log);
      return { record: mended ?? null, next: '1' };
    });
    expect(await answerOf(openDesk(pool, { source }), askedToRetry(id))).toMatchObject(answer);
    expect(asked).toEqual([
      ['0', undefined],
      ['1', '2'],
    ]);
    expect(await rowsOf(pool, 'profile_personal')).toMatchObject(rows);
  });

  it.each([
    ['a newer record has replaced it', received([faulty], 1)[0] ?? null],
    ['its topic holds it no more', null],
  ])('is refused when %s: nothing that was erased comes back', async (_, record) => {
    const { id } = await faultyPersonal();
    const source = sourceOf(async () => ({ record, next: '2' }));
    const answer = await answerOf(openDesk(pool, { source }), askedToRetry(id));
    expect(answer).toMatchObject({ code: 'DEAD_LETTER_NOT_RETRIABLE' });
    expect(await rowsOf(pool, 'profile_personal')).toEqual([]);
    expect(await answerOf(openDesk(pool), askedToDiscard(id))).toMatchObject({ status: 'discarded' });
  });
});
