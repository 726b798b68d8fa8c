import { expect, it } from '@jest/globals';
import { InfrastructureFault, personalMessage, PublishFailed, type OutgoingMessage } from '@paywright/messaging';
import { appId, profileA, profileB, received } from '../testing/event-log.ts';
import { clear, follow, rowsOf, storedOffset, testReadModel } from '../testing/read-model.ts';
import { toldNewest } from './told-newest.ts';

const { pool } = await testReadModel();

const record = (version: number, email?: string, profileId = profileA): OutgoingMessage =>
  personalMessage({ appId, profileId, version, fields: email === undefined ? {} : { email } });

/** What is written behind each of the batches, which come one after the other. */
async function writtenBehind(...batches: readonly (readonly OutgoingMessage[])[]) {
  const written: OutgoingMessage[][] = [];
  const publish = async (messages: readonly OutgoingMessage[]) => void written.at(-1)!.push(...messages);
  const follower = follow(pool, toldNewest(publish));
  await follower.claim(0);
  let offset = 0;
  for (const batch of batches) {
    written.push([]);
    await follower.handle(received(batch, offset));
    offset += batch.length;
  }
  return written;
}

it('writes the tombstone again behind a record of before it, in the same batch or later', async () => {
  expect(await writtenBehind([record(1, 'a@x.y'), record(2)], [record(1, 'a@x.y')])).toEqual([[], [record(2)]]);
  await clear(pool);
  expect(await writtenBehind([record(2), record(1, 'a@x.y')])).toEqual([[record(2)]]);
});

it('writes the newest record again behind an older one, of its own profile alone', async () => {
  expect(await writtenBehind([record(3, 'new@x.y'), record(1, 'b@x.y', profileB)], [record(2, 'old@x.y')])).toEqual([
    [],
    [record(3, 'new@x.y')],
  ]);
});

it('writes nothing where the newest comes last, or again, or cannot be read', async () => {
  const broken = { ...record(1, 'a@x.y'), value: 'broken' };
  expect(await writtenBehind([record(1, 'a@x.y')], [record(2, 'b@x.y')], [record(2, 'b@x.y'), broken])).toEqual([
    [],
    [],
    [],
  ]);
});

it('has written the tombstone when it is killed behind the commit, since nobody reads the older record again', async () => {
  const topic = [record(1, 'a@x.y'), record(2), record(1, 'a@x.y')];
  const projection = toldNewest(async (messages) => void topic.push(...messages));
  const first = follow(pool, projection);
  await first.claim(0);
  await first.handle(received(topic.slice(0, 2)));
  const dying = follow(pool, projection, {
    failpoint: (name) => {
      if (name === 'after_projection_commit') throw new Error('killed');
    },
  });
  await dying.claim(0);
  await expect(dying.handle(received(topic.slice(2), 2))).rejects.toThrow();

  const next = follow(pool, projection);
  expect(await next.claim(0)).toBe('3');
  await next.handle(received(topic.slice(3), 3));
  expect(topic.at(-1)).toEqual(record(2));
});

it('does not pass over the older record while the topic does not take the newer one', async () => {
  let refusal: Error | null = new PublishFailed(new Error('no right'), false);
  const topic: OutgoingMessage[] = [record(2), record(1, 'a@x.y')];
  const publish = async (messages: readonly OutgoingMessage[]) => {
    if (refusal) throw refusal;
    topic.push(...messages);
  };
  const follower = follow(pool, toldNewest(publish));
  await follower.claim(0);
  await expect(follower.handle(received(topic))).rejects.toThrow(InfrastructureFault);
  expect([await storedOffset(pool), await rowsOf(pool, 'profile_personal')]).toEqual(['0', []]);
  refusal = null;
  await follower.handle(received(topic));
  expect([await storedOffset(pool), topic.at(-1)]).toEqual(['2', record(2)]);
});
