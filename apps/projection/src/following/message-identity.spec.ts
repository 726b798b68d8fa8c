import { describe, expect, it } from '@jest/globals';
import { appOf, messageIdOf } from './message-identity.ts';

const message = (headers: Record<string, string>, value: string | null = null) => ({
  headers,
  value: value === null ? null : Buffer.from(value),
});

describe('what a message says of itself', () => {
  it.each([
    ['a command', { id: 'c', app: '7' }, null, 'c', 7],
    ['an event', { ce_id: 'e' }, '{"appId": 8}', 'e', 8],
    ['an app that is none', { app: '0' }, '{"appId": -1}', null, null],
    ['a body that is no JSON', {}, '{', null, null],
    ['a body that is no object', {}, 'null', null, null],
    ['no body', {}, null, null, null],
    ['an empty id', { id: '' }, null, null, null],
    ['an id that no text column holds', { id: 'a\0b' }, null, null, null],
    ['an id that an index holds', { id: 'ä'.repeat(500) }, null, 'ä'.repeat(500), null],
    ['an id that no index holds', { id: 'ä'.repeat(501) }, null, null, null],
  ])('of %s', (_, headers: Record<string, string>, value, id, app) => {
    expect([messageIdOf(message(headers)), appOf(message(headers, value))]).toEqual([id, app]);
  });
});
