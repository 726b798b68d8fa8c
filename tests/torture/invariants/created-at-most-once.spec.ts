import { expect, it } from '@jest/globals';
import type { UnacknowledgedCreation } from '../../faults/history.ts';
import { createdAtMostOnce } from './created-at-most-once.ts';

const created = (stream: string, version = 1) => ({
  ...{ id: `${stream}/${version}`, service: 'profile', stream, version },
  ...{ type: 'ProfileCreated', body: {} },
});

const found = (outcome: UnacknowledgedCreation['outcome'], streams: readonly string[], stored = streams) =>
  createdAtMostOnce(
    { unacknowledgedCreations: [{ customerUserId: 'user-1', outcome }] },
    {
      stored: stored.map((stream, index) =>
        created(stream, stored.slice(0, index + 1).filter((s) => s === stream).length),
      ),
      customers: new Map(streams.length === 0 ? [] : [['user-1', streams]]),
    },
  );

it.each([[[]], [['a']]])('lets a creation without an answer be %j', (streams) =>
  expect(found('unknown', streams)).toEqual([]),
);

it.each([
  ['two profiles', ['a', 'b'], ['a', 'b']],
  ['one that was created twice', ['a'], ['a', 'a']],
])('tells of a creation without an answer that became %s', (_, streams, stored) =>
  expect(found('unknown', streams, stored)).toMatchObject([{ invariant: 'I2', kind: 'doubled' }]),
);

it('tells of a creation that was refused, and is stored', () => {
  expect(found('refused', [])).toEqual([]);
  expect(found('refused', ['a'])).toMatchObject([{ invariant: 'I3', kind: 'doubled' }]);
});
