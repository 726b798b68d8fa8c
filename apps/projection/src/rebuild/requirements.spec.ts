import { expect, it } from '@jest/globals';
import { requireWholeTopics } from './requirements.ts';
import { RebuildRefused } from './schemas.ts';

const whole = { topic: 'profile.events', partition: 0, first: 0n, end: 9n };
const cut = { topic: 'profile.events', partition: 3, first: 120n, end: 900n };

it('is content with topics that begin with their first record', () => {
  expect(() => requireWholeTopics([whole, { ...whole, partition: 1, end: 0n }])).not.toThrow();
});

it('names the partitions whose beginning was deleted', () => {
  expect(() => requireWholeTopics([whole, cut])).toThrow(RebuildRefused);
  expect(() => requireWholeTopics([whole, cut])).toThrow('\n  profile.events/3 begins at 120\n');
});
