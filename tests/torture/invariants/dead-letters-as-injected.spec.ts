import { expect, it } from '@jest/globals';
import { unlikeInjected } from './dead-letters-as-injected.ts';

const injected = [{ group: 'profile', key: 'a' }];
const letter = (group: string, key: string | null) => ({ group, key, error: 'unreadable' });
const found = (...letters: readonly ReturnType<typeof letter>[]) => unlikeInjected(letters, injected);

it('lets each poison be a dead letter once', () => expect(found(letter('profile', 'a'))).toEqual([]));

it('lets what is not certain be a dead letter once, or none', () => {
  const unsure = [{ group: 'profile', key: 'a', isCertain: false }];
  expect(unlikeInjected([], unsure)).toEqual([]);
  expect(unlikeInjected([letter('profile', 'a')], unsure)).toEqual([]);
  expect(unlikeInjected([letter('profile', 'a'), letter('profile', 'a')], unsure)).toMatchObject([{ kind: 'doubled' }]);
});

it.each([
  ['no dead letter', [], 'lost'],
  ['a dead letter twice', [letter('profile', 'a'), letter('profile', 'a')], 'doubled'],
  ['one of another group too', [letter('profile', 'a'), letter('selection', 'a')], 'wrong'],
  ['a dead letter beside another', [letter('profile', 'a'), letter('profile', 'b')], 'wrong'],
  ['a dead letter beside one without a key', [letter('profile', 'a'), letter('profile', null)], 'wrong'],
] as const)('tells of poison that is %s', (_, letters, kind) =>
  expect(found(...letters)).toMatchObject([{ invariant: 'I11', kind }]),
);
