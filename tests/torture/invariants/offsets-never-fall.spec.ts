import { expect, it } from '@jest/globals';
import { offsetsNeverFall } from './offsets-never-fall.ts';

const place = 'profile.events/0';
const at = (stored: number, committed = -1, era = 'a') => ({
  era,
  stored: new Map([[place, stored]]),
  committed: new Map([[place, committed]]),
});

it('lets offsets be that rise, and Kafka’s that follow', () => {
  expect(offsetsNeverFall([at(3, 2), at(3, 3), at(7, 3)])).toEqual([]);
});

it('tells of an offset that falls', () => {
  expect(offsetsNeverFall([at(3), at(2)])).toMatchObject([
    { invariant: 'I6', sentence: `${place} of the read model fell from 3 to 2` },
  ]);
});

it('tells of Kafka’s where it is ahead', () => {
  expect(offsetsNeverFall([at(3, 3), at(4, 5)])).toMatchObject([
    { sentence: `${place}: Kafka has 5, and the read model 4` },
  ]);
});

it('tells of Kafka’s where the read model knows nothing of the place', () => {
  expect(offsetsNeverFall([{ ...at(0, 1), stored: new Map() }])).toMatchObject([
    { sentence: `${place}: Kafka has 1, and the read model 0` },
  ]);
});

it('lets offsets fall in a crash of the database, and Kafka be ahead from then on', () => {
  expect(offsetsNeverFall([at(5, 4), at(2, 6, 'b'), at(4, 6, 'b'), at(8, 7, 'b'), at(8, 9, 'b')])).toEqual([]);
});

it('tells of an offset that falls behind a crash', () => {
  expect(offsetsNeverFall([at(5, 5), at(4, 5, 'b'), at(3, 5, 'b')])).toMatchObject([
    { sentence: `${place} of the read model fell from 4 to 3` },
  ]);
});
