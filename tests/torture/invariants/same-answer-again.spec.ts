import { expect, it } from '@jest/globals';
import { sameAnswerAgain } from './same-answer-again.ts';

const first = '201 {"data":{"a":1,"b":2}}';
const found = (again: string) => sameAnswerAgain({ answersAgain: [{ request: '/profiles key', first, again }] });

it('lets the same bytes be', () => expect(found(first)).toEqual([]));

it.each(['200 {"data":{"a":1,"b":2}}', '201 {"data":{"b":2,"a":1}}', '409 {"ok":false}'])(
  'tells of an answer that is %s when it is asked for again',
  (again) => expect(found(again)).toMatchObject([{ invariant: 'I9', sentence: expect.stringContaining(again) }]),
);
