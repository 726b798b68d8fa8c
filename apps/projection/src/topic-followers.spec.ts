import { expect, it } from '@jest/globals';
import { TopicFollowers } from './topic-followers.ts';

it('ends no claim before all that were begun with it have ended, though one of them fails', async () => {
  const answered = Promise.withResolvers<string>();
  const follower = (topic: string, claim: () => Promise<string>) => ({
    ...{ topic, claim, awaited: false },
    findLost: async () => [],
    handle: async () => ({ publish: [], deadLetters: [] }),
  });
  const followers = new TopicFollowers([
    follower('failing', () => Promise.reject(new Error('The database is away.'))),
    follower('slow', () => answered.promise),
  ]);
  let hasEnded = false;
  const claiming = followers.claim(['failing', 'slow'].map((topic) => ({ topic, partition: 0 })));
  const ended = claiming.catch((error: unknown) => error).finally(() => (hasEnded = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(hasEnded).toBe(false);
  answered.resolve('0');
  expect(await ended).toEqual(new Error('The database is away.'));
});
