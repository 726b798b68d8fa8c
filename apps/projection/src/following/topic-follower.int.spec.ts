import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction, type Transaction } from '@paywright/event-sourcing';
import {
  ClaimLost,
  InfrastructureFault,
  type BatchResult,
  type OutgoingMessage,
  type Rewind,
} from '@paywright/messaging';
import type pg from 'pg';
import { personalProjection } from '../personal/personal.projection.ts';
import { profileProjection } from '../profile/profile.projection.ts';
import { purchasesProjection } from '../purchases/purchases.projection.ts';
import { attributeSet, created, eventRecord, profileA, profileB, received, updated } from '../testing/event-log.ts';
import { purchaseChain } from '../testing/purchase-log.ts';
import { clock, deadLetters, follow, rowsOf, storedOffset, testReadModel } from '../testing/read-model.ts';
import { TopicFollowers } from '../topic-followers.ts';
import { loadParked, retryParked } from './retry-parked.ts';

const profile = profileProjection(new Set());
const a1 = eventRecord('profile', profileA, 1, created(profileA, { country: 'DE' }));
const a2 = eventRecord('profile', profileA, 2, updated(profileA, { country: 'FR' }));
const a3 = eventRecord('profile', profileA, 3, attributeSet(profileA, 'goal', 'sleep'));
const a4 = eventRecord('profile', profileA, 4, updated(profileA, { locale: 'de' }));
const a5 = eventRecord('profile', profileA, 5, updated(profileA, { locale: 'fr' }));
const b1 = eventRecord('profile', profileB, 1, created(profileB));
const b2 = eventRecord('profile', profileB, 2, updated(profileB, { country: 'IT' }));
const unreadable = { ...a2, headers: { ...a2.headers, ce_type: 'ProfileUpdated.v9' } };
const reason = 'Its source publishes no event of this type and version.';
/** Longer than an index takes, and not to be compressed. */
const longText = randomBytes(2_250).toString('base64');

const { pool } = await testReadModel();

const versions = async () => (await rowsOf(pool, 'profile')).map(({ version }) => version);
const retryKey = (key: string) =>
  inTransaction(pool, async (transaction) => {
    const queue = await loadParked(transaction, profile.topic, key);
    return retryParked(transaction, profile, queue, { actor: 'ops', now: clock.now() });
  });
/** What the consumer does with rewinds, but the reading. */
const make = (rewinds: readonly Rewind[] | undefined) => rewinds?.forEach(({ onMade }) => onMade?.());
const timelineLength = async () => (await rowsOf(pool, 'profile_event')).length;

const settled = async () => {
  const { rows } = await pool.query('select status, blocks, attempts, settled_by from dead_letter order by seq');
  return rows;
};

describe('the offset', () => {
  it('moves with the rows', async () => {
    const follower = follow(pool, profile);
    expect(await follower.claim(0)).toBe('0');
    expect(await follower.handle(received([a1, a2, b1]))).toEqual({ publish: [], deadLetters: [] });
    expect(await storedOffset(pool)).toBe('3');
    expect(await versions()).toEqual([2, 1]);
  });

  it('skips what is below it', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await follower.handle(received([a1, a2]));
    await follower.handle(received([a1, a2, a3]));
    expect(await storedOffset(pool)).toBe('3');
    expect(await versions()).toEqual([3]);
  });

  it('stays where it is when the rows cannot be written', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await pool.query('alter table profile_event rename to away');
    await expect(follower.handle(received([a1]))).rejects.toThrow(InfrastructureFault);
    await pool.query('alter table away rename to profile_event');
    expect([await storedOffset(pool), await versions()]).toEqual(['0', []]);
    await follower.handle(received([a1]));
    expect([await storedOffset(pool), await versions()]).toEqual(['1', [1]]);
  });

  describe('that fell back', () => {
    const sentBack = { rewinds: [{ partition: 0, offset: '0' }] };
    const fallenBack = async () => {
      const follower = follow(pool, profile);
      await follower.claim(0);
      await follower.handle(received([a1]));
      await pool.query('update projection_offset set next_offset = 0');
      await pool.query('truncate profile, profile_event');
      return follower;
    };

    it('is what a batch above it is sent back to', async () => {
      const follower = await fallenBack();
      const result = await follower.handle(received([a2], 1));
      expect(result).toMatchObject(sentBack);
      make(result.rewinds);
      expect(await follower.handle(received([a1, a2]))).not.toHaveProperty('rewinds');
      expect(await versions()).toEqual([2]);
    });

    it('is so however often that batch comes again, while nobody went back', async () => {
      const follower = await fallenBack();
      expect(await follower.handle(received([a2], 1))).toMatchObject(sentBack);
      expect(await follower.handle(received([a2], 1))).toMatchObject(sentBack);
      expect([await versions(), await storedOffset(pool)]).toEqual([[], '0']);
    });

    it('is so once, where the log no longer has what was lost', async () => {
      const follower = await fallenBack();
      make((await follower.handle(received([b1], 1))).rewinds);
      expect(await follower.handle(received([b1], 1))).not.toHaveProperty('rewinds');
      expect([await versions(), await storedOffset(pool)]).toEqual([[1], '2']);
    });
  });

  it('sends back also what is left of a batch, where it falls behind what was committed of it', async () => {
    const events = Array.from({ length: 1_001 }, (_, index) =>
      eventRecord('profile', profileA, index + 1, index === 0 ? created(profileA) : attributeSet(profileA, 'n', '1')),
    );
    let transactions = 0;
    const crashing = {
      query: pool.query.bind(pool),
      connect: async () => {
        if (++transactions === 2) await pool.query('update projection_offset set next_offset = 0');
        return pool.connect();
      },
    } as pg.Pool;
    const follower = follow(crashing, profile);
    await follower.claim(0);
    expect(await follower.handle(received(events))).toMatchObject({ rewinds: [{ partition: 0, offset: '0' }] });
    expect(await storedOffset(pool)).toBe('0');
  });

  it('passes over what the log no longer has', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    expect(await follower.handle(received([a1], 5))).not.toHaveProperty('rewinds');
    expect(await storedOffset(pool)).toBe('6');
  });

  it('begins again in another cluster, where the versions drop what is known', async () => {
    const before = follow(pool, profile);
    await before.claim(0);
    await before.handle(received([a1, a2]));
    const after = follow(pool, profile, { clusterId: 'another cluster' });
    expect(await after.claim(0)).toBe('0');
    await after.handle(received([a1, a2, a3]));
    expect([await versions(), await timelineLength()]).toEqual([[3], 3]);
  });
});

describe('what the database has lost', () => {
  const lost = [{ topic: 'profile.events', partition: 0, offset: '1' }];
  const handledTwo = async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await follower.handle(received([a1, a2]));
    return follower;
  };
  const fallBack = () => pool.query('update projection_offset set next_offset = 1');

  it('is found by its offset, until it is read again', async () => {
    const follower = await handledTwo();
    expect(await follower.findLost([0])).toEqual([]);
    await fallBack();
    make(await follower.findLost([0]));
    expect(await follower.findLost([0])).toEqual([]);
    await follower.handle(received([a2, a3], 1));
    expect([await versions(), await storedOffset(pool)]).toEqual([[3], '3']);
    expect(await follower.findLost([0])).toEqual([]);
  });

  it('is asked for of the partitions that one has', async () => {
    const follower = await handledTwo();
    await fallBack();
    expect(await follower.findLost([])).toEqual([]);
    expect(await follower.findLost([1])).toEqual([]);
    expect(await follower.findLost([0, 1])).toMatchObject(lost);
  });

  it('is found again, where another topic could not be asked, so that nobody went back', async () => {
    const follower = await handledTwo();
    let fault: Error | undefined = new Error('away');
    const other = {
      ...{ topic: personalProjection.topic, awaited: true },
      claim: async () => '0',
      handle: async (): Promise<BatchResult> => ({ publish: [], deadLetters: [] }),
      findLost: async () => {
        if (fault) throw fault;
        return [];
      },
    };
    const followers = new TopicFollowers([follower, other]);
    const partitions = [profile.topic, other.topic].map((topic) => ({ topic, partition: 0 }));
    await fallBack();
    await expect(followers.findLost(partitions)).rejects.toThrow('away');
    fault = undefined;
    expect(await followers.findLost(partitions)).toMatchObject(lost);
  });

  it('is everything, where the offset itself is gone', async () => {
    const follower = await handledTwo();
    await pool.query('truncate projection_offset');
    expect(await follower.findLost([0])).toMatchObject([{ ...lost[0], offset: '0' }]);
  });

  it('is not passed over by a batch that comes in between', async () => {
    const follower = await handledTwo();
    await fallBack();
    make(await follower.findLost([0]));
    expect(await follower.handle(received([a3], 2))).toMatchObject({ rewinds: lost });
    expect(await storedOffset(pool)).toBe('1');
  });
});

describe('an event published again', () => {
  it('is dropped', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await follower.handle(received([a1, a2, a1, b1, a2, a3, a3]));
    expect([await versions(), await timelineLength()]).toEqual([[3, 1], 4]);
  });

  it('does harm where the stream version is not looked at', async () => {
    const follower = follow(pool, profileProjection(new Set(['projection-without-stream-version'])));
    await follower.claim(0);
    const { deadLetters: letters } = await follower.handle(received([a1, a2, a1]));
    expect([letters.length, await versions()]).not.toEqual([0, [2]]);
  });
});

/** Why Kafka is made anew when either of the two was restored: docs/backup.md. */
describe('a log and a database of different moments', () => {
  it('make new events pass for repeats, where the store that gives their versions is the older one', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    const versionGivenAgain = eventRecord('profile', profileA, 2, updated(profileA, { country: 'IT' }));
    const result = await follower.handle(received([a1, a2, versionGivenAgain]));
    expect([result.deadLetters, await versions(), await timelineLength()]).toEqual([[], [2], 2]);
  });

  it('make new records pass for read ones, where the log is the older one', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await follower.handle(received([a1, a2]));
    const result = await follower.handle(received([a3], 1));
    expect([result.deadLetters, await versions(), await storedOffset(pool)]).toEqual([[], [2], '2']);
  });
});

describe('an owner', () => {
  it('writes nothing once another one has claimed the partition', async () => {
    const first = follow(pool, profile);
    await first.claim(0);
    await first.handle(received([a1]));
    const second = follow(pool, profile);
    expect(await second.claim(0)).toBe('1');
    await expect(first.handle(received([a2], 1))).rejects.toThrow('another owner');
    await second.handle(received([a2, a3], 1));
    expect(await versions()).toEqual([3]);
    expect(await storedOffset(pool)).toBe('3');
  });

  it('writes again once it has claimed the partition again, where the database was restored from before its claim', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await pool.query('update projection_offset set owner_epoch = owner_epoch - 1');
    await expect(follower.handle(received([a1]))).rejects.toThrow(ClaimLost);
    await follower.claim(0);
    await follower.handle(received([a1]));
    expect(await versions()).toEqual([1]);
  });

  it('is the one of the last claim, where an earlier one is still to be answered', async () => {
    const held = Promise.withResolvers<void>();
    let questions = 0;
    const slow = {
      connect: pool.connect.bind(pool),
      query: async (text: string, values: unknown[]) => {
        const isHeld = ++questions === 2; // the first claim's, for the keys that wait
        const answer = await pool.query(text, values);
        if (isHeld) await held.promise;
        return answer;
      },
    } as pg.Pool;
    const follower = follow(slow, profile);
    const first = follower.claim(0);
    while (questions < 2) await new Promise((resolve) => setImmediate(resolve));
    const second = follower.claim(0);
    await Promise.race([second, delay(200)]);
    held.resolve();
    await Promise.all([first, second]);
    await follower.handle(received([a1]));
    expect(await versions()).toEqual([1]);
  });

  it('goes on writing where there is no fence', async () => {
    const first = follow(pool, profile, { defects: ['no-fencing'] });
    await first.claim(0);
    await follow(pool, profile).claim(0);
    await first.handle(received([a1]));
    expect(await versions()).toEqual([1]);
  });
});

describe('a batch of several partitions', () => {
  const other = (records: readonly OutgoingMessage[], firstOffset = 0) =>
    received(records, firstOffset).map((message) => ({ ...message, partition: 1 }));
  const offsets = async () => {
    const { rows } = await pool.query('select partition, next_offset from projection_offset order by partition');
    return rows.map(({ partition, next_offset }) => [partition, next_offset]);
  };
  const followBoth = async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await follower.claim(1);
    return follower;
  };

  it('is one transaction, which moves the offset of each', async () => {
    const follower = await followBoth();
    await follower.handle([...received([a1, a2]), ...other([b1])]);
    expect([await versions(), await offsets()]).toEqual([
      [2, 1],
      [
        [0, '2'],
        [1, '1'],
      ],
    ]);
    const { rows } = await pool.query('select count(distinct xmin::text)::int as writers from projection_offset');
    expect(rows).toEqual([{ writers: 1 }]);
  });

  it('writes what is ours, and leaves a partition that another one has claimed', async () => {
    const first = await followBoth();
    await follow(pool, profile).claim(1);
    await expect(first.handle([...received([a1]), ...other([b1])])).rejects.toThrow('Partition 1 of profile.events');
    expect([await versions(), await offsets()]).toEqual([
      [1],
      [
        [0, '1'],
        [1, '0'],
      ],
    ]);
  });

  it('sends back the one whose stored offset is behind it', async () => {
    const follower = await followBoth();
    await follower.handle([...received([a1]), ...other([b1])]);
    await pool.query('update projection_offset set next_offset = 0 where partition = 1');
    await pool.query('delete from profile where profile_id = $1', [profileB]);
    const later = eventRecord('profile', profileB, 2, updated(profileB, { country: 'FR' }));
    const { rewinds } = await follower.handle([...received([a2], 1), ...other([later], 1)]);
    expect(rewinds).toMatchObject([{ topic: 'profile.events', partition: 1, offset: '0' }]);
    expect([await versions(), await offsets()]).toEqual([
      [2],
      [
        [0, '2'],
        [1, '0'],
      ],
    ]);
  });

  it('sends it back also when it comes again by itself, since the other one has another owner', async () => {
    const follower = await followBoth();
    await follower.handle(received([a1]));
    await pool.query('update projection_offset set next_offset = 0 where partition = 0');
    await pool.query('truncate profile, profile_event');
    await follow(pool, profile).claim(1);
    await expect(follower.handle([...received([a2], 1), ...other([b1])])).rejects.toThrow(InfrastructureFault);
    expect(await follower.handle(received([a2], 1))).toMatchObject({ rewinds: [{ partition: 0, offset: '0' }] });
    expect((await offsets())[0]).toEqual([0, '0']);
  });

  it('finds the record that the database refuses, and takes all others', async () => {
    const follower = await followBoth();
    const refused = eventRecord('profile', profileA, 2, attributeSet(profileA, 'aim', 'a\0b'));
    const { deadLetters: letters } = await follower.handle([...received([a1, refused]), ...other([b1])]);
    expect(letters).toMatchObject([{ message: { partition: 0, offset: '1' } }]);
    expect([await versions(), await offsets()]).toEqual([
      [1, 1],
      [
        [0, '2'],
        [1, '1'],
      ],
    ]);
  });

  it('takes one by one what the database refuses only together', async () => {
    const oneOnly: typeof profile = {
      ...profile,
      apply: async (transaction, records) => {
        const offsets = records.map(({ message }) => message.offset);
        await transaction.query({ text: 'select (select * from unnest($1::text[]))', values: [offsets] });
        return profile.apply(transaction, records);
      },
    };
    const follower = follow(pool, oneOnly);
    await follower.claim(0);
    expect(await follower.handle(received([a1, a2, a3]))).toMatchObject({ deadLetters: [] });
    expect(await versions()).toEqual([3]);
  });

  it('is taken in transactions of bounded size, of each partition in order', async () => {
    const follower = await followBoth();
    const events = (id: string) =>
      Array.from({ length: 700 }, (_, index) =>
        eventRecord('profile', id, index + 1, index === 0 ? created(id) : attributeSet(id, 'n', String(index))),
      );
    await follower.handle([...received(events(profileA)), ...other(events(profileB))]);
    expect([await versions(), await timelineLength()]).toEqual([[700, 700], 1_400]);
  });
});

describe('a crash behind the commit', () => {
  const crash = () => {
    throw new Error('killed');
  };

  it('costs nothing', async () => {
    const crashing = follow(pool, profile, { failpoint: crash });
    await crashing.claim(0);
    await expect(crashing.handle(received([a1]))).rejects.toThrow();
    const next = follow(pool, profile);
    expect(await next.claim(0)).toBe('1');
    expect(await versions()).toEqual([1]);
  });

  it('loses rows where the offset is committed by itself', async () => {
    const crashing = follow(pool, profile, {
      failpoint: crash,
      defects: ['projection-offset-outside-transaction'],
    });
    await crashing.claim(0);
    await expect(crashing.handle(received([a1]))).rejects.toThrow();
    expect([await storedOffset(pool), await versions()]).toEqual(['1', []]);
  });
});

describe('an event that cannot be read', () => {
  it('is a dead letter, and what follows of its key waits behind it', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    const result = await follower.handle(received([a1, unreadable, a3, b1]));
    expect(result.deadLetters).toMatchObject([{ message: { offset: '1' }, reason }]);
    expect(await deadLetters(pool)).toEqual([
      ['1', reason],
      ['2', null],
    ]);
    expect([await versions(), await storedOffset(pool)]).toEqual([[1, 1], '4']);
  });

  it('holds its key up also for the next owner', async () => {
    const first = follow(pool, profile);
    await first.claim(0);
    await first.handle(received([a1, unreadable]));
    const second = follow(pool, profile);
    await second.claim(0);
    await second.handle(received([a3], 2));
    expect((await deadLetters(pool)).map(([offset]) => offset)).toEqual(['1', '2']);
  });

  it.each(['open', 'discarded'])(
    'of a log that is made anew is kept where one of another record is %s',
    async (status) => {
      const follower = follow(pool, profile);
      await follower.claim(0);
      await follower.handle(received([a1, unreadable]));
      await pool.query('update dead_letter set status = $1, blocks = $2', [status, status === 'open']);
      await follower.claim(0, true);
      await follower.handle(received([b1, { ...b2, headers: { ...b2.headers, ce_type: 'ProfileUpdated.v9' } }]));
      const { rows } = await pool.query('select key, headers, message_id, status, blocks, attempts from dead_letter');
      const { ce_id: id } = b2.headers;
      expect(rows).toMatchObject([
        { key: profileB, headers: { ce_id: id }, message_id: id, status: 'open', blocks: true, attempts: 1 },
      ]);
    },
  );

  it('is told again when its batch comes again, since its mirror may be missing', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await follower.handle(received([a1, unreadable, a3]));
    const again = await follower.handle(received([a1, unreadable, a3]));
    expect(again.deadLetters).toMatchObject([{ message: { offset: '1' }, reason }]);
    expect(await deadLetters(pool)).toHaveLength(2);
  });

  it('is folded in when it is retried, with all that waits, and frees its key', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await follower.handle(received([a1, unreadable, a3]));
    await pool.query('update dead_letter set headers = $1 where error is not null', [JSON.stringify(a2.headers)]);
    expect(await retryKey(profileA)).toEqual({ applied: 2, waiting: 0, failed: null });
    await follower.handle(received([eventRecord('profile', profileA, 4, updated(profileA, { locale: 'de' }))], 3));
    expect([await versions(), await deadLetters(pool)]).toEqual([[4], [['1', reason]]]);
    expect(await settled()).toEqual([{ status: 'retried', blocks: false, attempts: 2, settled_by: 'ops' }]);
  });

  it('stays where it is when it fails again', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await follower.handle(received([a1, unreadable, a3]));
    expect(await retryKey(profileA)).toMatchObject({ applied: 0, waiting: 2, failed: { reason } });
    expect(await settled()).toMatchObject([
      { status: 'open', attempts: 2 },
      { status: 'open', attempts: 0 },
    ]);
  });

  it('is folded in when it is retried up to the next one that fails, in few steps though many wait', async () => {
    const count = 200;
    const log = Array.from({ length: count }, (_, index) =>
      eventRecord('profile', profileA, index + 1, index === 0 ? created(profileA) : attributeSet(profileA, 'n', '1')),
    );
    const follower = follow(pool, profile);
    await follower.claim(0);
    const last = { ...log.at(-1)!, headers: { ...log.at(-1)!.headers, ce_type: 'ProfileUpdated.v9' } };
    await follower.handle(received([log[0]!, { ...unreadable, value: log[1]!.value }, ...log.slice(2, -1), last]));
    await pool.query('update dead_letter set headers = $1 where "offset" = 1', [JSON.stringify(log[1]!.headers)]);
    let savepoints = 0;
    const result = await inTransaction(pool, async (transaction) => {
      const counting = {
        query: (...question: unknown[]) => {
          if (question[0] === 'savepoint retried') savepoints += 1;
          return Reflect.apply(transaction.query, transaction, question);
        },
      } as Transaction;
      const queue = await loadParked(counting, profile.topic, profileA);
      return retryParked(counting, profile, queue, { actor: 'ops', now: clock.now() });
    });
    expect(result).toMatchObject({ applied: count - 2, waiting: 1, failed: { reason } });
    expect(await versions()).toEqual([count - 1]);
    expect(savepoints).toBeLessThan(20);
  });

  it('with a key that no text column holds holds nobody up', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    const nul = { ...unreadable, key: 'a\0b', headers: { odd: '\0' } };
    const { deadLetters: letters } = await follower.handle(received([nul, nul, b1]));
    expect([letters.length, await versions()]).toEqual([2, [1]]);
  });

  it('with a key or an id that no index holds holds nobody up', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    const longKey = { ...unreadable, key: longText };
    const longId = { ...unreadable, headers: { ...unreadable.headers, ce_id: longText } };
    const { deadLetters: letters } = await follower.handle(received([a1, longKey, longKey, longId, b1]));
    expect([letters.length, await versions(), await storedOffset(pool)]).toEqual([3, [1, 1], '5']);
    const { rows } = await pool.query('select key, blocks, message_id from dead_letter order by "offset"');
    expect(rows).toMatchObject([
      { key: null, blocks: false },
      { key: null, blocks: false },
      { key: profileA, blocks: true, message_id: null },
    ]);
  });

  it('lets what follows pass where nothing is parked', async () => {
    const broken = follow(pool, profileProjection(new Set(['no-parking'])));
    await broken.claim(0);
    await broken.handle(received([a1, unreadable, a3]));
    expect(await versions()).toEqual([3]);
  });
});

describe('other faults of events', () => {
  it('what no index holds is a dead letter, and the others go on', async () => {
    const follower = follow(pool, purchasesProjection(new Set()));
    await follower.claim(0);
    const [odd, other] = [purchaseChain('1000'), purchaseChain('1001')];
    const records = [...odd.log(odd.moved(longText)), ...other.log(other.moved('m0'))];
    const { deadLetters: letters } = await follower.handle(received(records));
    expect(letters).toMatchObject([{ message: { offset: '0' }, reason: expect.stringContaining('54000') }]);
    expect(await rowsOf(pool, 'ledger_entry')).toMatchObject([{ movement_id: 'm0' }]);
  });

  it('a gap stops its key, and says what is missing', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await follower.handle(received([a1, a3, b1, a4]));
    expect(await deadLetters(pool)).toEqual([
      ['1', 'Gap: version 3 came where 2 is next.'],
      ['3', null],
    ]);
    expect(await versions()).toEqual([1, 1]);
  });

  it.each([
    ['in a batch of its own', [[a1, a3, a4], [a2], [a5]], 1],
    ['in the batch of the gap', [[a1, a3, a2, a4], [a5]], 0],
    ['after more than one gap', [[a1, a4], [a3], [a5], [a2]], 2],
  ])('the missing version that comes late closes the gap, %s', async (_, batches, told) => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    let offset = 0;
    let letters = 0;
    for (const batch of batches) {
      letters += (await follower.handle(received(batch, offset))).deadLetters.length;
      offset += batch.length;
    }
    expect([letters, await versions(), await timelineLength()]).toEqual([told, [5], 5]);
    expect(new Set((await settled()).map(({ status, blocks }) => `${status} ${blocks}`))).toEqual(
      new Set(['retried false']),
    );
  });

  it('the missing version is told as a dead letter when it comes late and cannot be read', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await follower.handle(received([a1, a3]));
    const { deadLetters: letters } = await follower.handle(received([unreadable], 2));
    expect(letters).toMatchObject([{ message: { offset: '2' }, reason }]);
    expect(await deadLetters(pool)).toEqual([
      ['1', 'Gap: version 3 came where 2 is next.'],
      ['2', reason],
    ]);
    expect((await follower.handle(received([a4], 3))).deadLetters).toEqual([]);
  });

  it('a gap that closes as far as the next dead letter leaves that one to be told, and not its own', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    const unreadable4 = { ...a4, headers: { ...a4.headers, ce_type: 'ProfileUpdated.v9' } };
    const { deadLetters: letters } = await follower.handle(received([a1, a3, a2, unreadable4, a5]));
    expect(letters).toMatchObject([{ message: { offset: '3' }, reason }]);
    expect([await versions(), (await settled()).map(({ status }) => status)]).toEqual([
      [3],
      ['retried', 'open', 'open'],
    ]);
  });

  it('a dead letter that a closed gap finds among what waited before is told', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    const unreadable4 = { ...a4, headers: { ...a4.headers, ce_type: 'ProfileUpdated.v9' } };
    await follower.handle(received([a1, a3]));
    expect((await follower.handle(received([unreadable4], 2))).deadLetters).toEqual([]);
    const { deadLetters: letters } = await follower.handle(received([a2], 3));
    expect(letters).toMatchObject([{ message: { offset: '2', value: received([a4])[0]!.value }, reason }]);
    expect(await versions()).toEqual([3]);
  });

  it('a version that comes late is no help where another one is missing, and counts once', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    await follower.handle(received([a1, a4, a1, a3, a3]));
    expect(await versions()).toEqual([1]);
    await follower.handle(received([a2], 5));
    expect([await versions(), await timelineLength()]).toEqual([[4], 4]);
  });

  it('what the database refuses is found among many, and the others go on', async () => {
    const follower = follow(pool, profile);
    await follower.claim(0);
    const refused = eventRecord('profile', profileA, 2, attributeSet(profileA, 'aim', 'a\0b'));
    const { deadLetters: letters } = await follower.handle(received([a1, refused, a3, b1]));
    expect(letters).toMatchObject([{ message: { offset: '1' }, reason: expect.stringContaining('22P05') }]);
    expect([await versions(), await storedOffset(pool)]).toEqual([[1, 1], '4']);
  });
});
