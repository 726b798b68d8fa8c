import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { topics } from '@paywright/contracts';
import fc from 'fast-check';
import { received } from '../testing/messages.ts';
import { decodeCommands } from './decode-commands.ts';

const now = 1_700_000_000_000;
const headers = {
  id: randomUUID(),
  type: 'SaveProfile',
  version: '1',
  app: '7',
  'issued-at': String(now),
  deadline: String(now + 5_000),
  'reply-partition': '3',
};
const value = Buffer.from(JSON.stringify({ fields: { country: 'DE' }, personal: { email: 'someone@example.com' } }));
const valid = received({ key: 'profile', headers, value, timestamp: now + 40 });
const decode = (message: Partial<typeof valid>) => decodeCommands(topics.profileCommands, [{ ...valid, ...message }]);
const withHeaders = (given: Record<string, string>) => decode({ headers: { ...headers, ...given } });

describe('decodeCommands', () => {
  it('makes commands of messages', () => {
    expect(decode({})).toEqual({
      deadLetters: [],
      messages: [valid],
      commands: [
        {
          id: headers.id,
          type: 'SaveProfile',
          version: 1,
          appId: 7,
          key: 'profile',
          issuedAt: now,
          deadline: now + 5_000,
          body: { fields: { country: 'DE' }, personal: { email: 'someone@example.com' } },
        },
      ],
    });
  });

  it('keeps the commands beside a bad one, in order', () => {
    const ids = [randomUUID(), randomUUID()];
    const [first, last] = ids.map((id) => ({ ...valid, headers: { ...headers, id } }));
    const bad = { ...valid, value: null };
    if (!first || !last) throw new Error('no messages');
    const { commands, messages, deadLetters } = decodeCommands(topics.profileCommands, [first, bad, last]);
    expect(messages).toEqual([first, last]);
    expect(commands.map(({ id }) => id)).toEqual(ids);
    expect(deadLetters).toEqual([{ message: bad, reason: 'The message has no body.' }]);
  });

  it.each([
    ['no key', { key: null }],
    ['a body that is not JSON', { value: Buffer.from('{"email":"someone@example.com"') }],
    ['a body of another shape', { value: Buffer.from('{"fields":{"country":"someone@example.com"},"personal":{}}') }],
    ['no headers', { headers: {} }],
    ['an unknown type', { headers: { ...headers, type: 'ServePaywall' } }],
    ['an unknown version', { headers: { ...headers, version: '2' } }],
    ['an id that is none', { headers: { ...headers, id: 'someone@example.com' } }],
    ['a deadline that is none', { headers: { ...headers, deadline: '-1' } }],
  ])('makes a dead letter of %s, whose reason repeats no value', (_, message) => {
    const { commands, deadLetters } = decode(message);
    expect(commands).toEqual([]);
    expect(deadLetters).toHaveLength(1);
    expect(deadLetters[0]?.reason).not.toContain('someone');
  });

  it('names the faulty field', () => {
    const [deadLetter] = decode({ value: Buffer.from('{"fields":{"country":"Germany"},"personal":{}}') }).deadLetters;
    expect(deadLetter?.reason).toContain('fields.country');
  });

  it('takes a command that nobody waits for', () => {
    const { id, type, version, app, 'issued-at': issuedAt, deadline } = headers;
    const without = { id, type, version, app, 'issued-at': issuedAt, deadline };
    expect(decode({ headers: without }).commands).toHaveLength(1);
    expect(withHeaders({ traceparent: 'trace' }).commands[0]?.traceparent).toBe('trace');
  });

  it('never throws, and loses no message', () => {
    const text = fc.oneof(fc.string(), fc.json(), fc.constant('1'));
    const anyHeaders = fc.dictionary(fc.constantFrom(...Object.keys(headers)), text);
    fc.assert(
      fc.property(anyHeaders, fc.uint8Array(), fc.boolean(), (random, bytes, whole) => {
        const message = { headers: whole ? { ...headers, ...random } : random, value: Buffer.from(bytes) };
        const { commands, deadLetters } = decode(message);
        expect(commands.length + deadLetters.length).toBe(1);
      }),
    );
  });
});
