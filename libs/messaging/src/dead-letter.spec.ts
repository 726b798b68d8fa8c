import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { topics } from '@paywright/contracts';
import { deadLettersOfCommands, deadLettersOfFollower } from './dead-letter.ts';
import { received } from './testing/messages.ts';

const id = randomUUID();
const personal = received({
  headers: { id, type: 'SaveProfile', 'reply-partition': '4', 'x-email': 'someone@example.com' },
  value: Buffer.from('{"email":"someone@example.com"}'),
});

describe('the dead letter of a command', () => {
  it('holds where it was and what is wrong, and nothing of the body', () => {
    const [letter] = deadLettersOfCommands('profile')({ message: personal, reason: 'bad' });
    expect(letter).toMatchObject({
      topic: 'profile.dead-letter',
      key: 'key',
      value: '',
      headers: {
        id,
        type: 'SaveProfile',
        'dead-letter-topic': 'profile.commands',
        'dead-letter-partition': '0',
        'dead-letter-offset': '0',
        'dead-letter-key': 'key',
        'dead-letter-reason': 'bad',
        'dead-letter-payload-length': '31',
      },
    });
    expect(letter?.headers['dead-letter-payload-sha256']).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(letter)).not.toContain('someone');
  });

  it('comes with a reply to whoever waits', () => {
    const [, reply] = deadLettersOfCommands('profile')({ message: personal, reason: 'bad' });
    expect(reply).toEqual({
      topic: topics.gatewayReplies,
      partition: 4,
      headers: { id },
      value: '{"status":"failed","reason":"bad"}',
    });
  });

  it('comes alone where nobody can be told', () => {
    for (const headers of [{}, { id }, { 'reply-partition': '4' }, { id, 'reply-partition': 'first' }] as const)
      expect(deadLettersOfCommands('profile')({ message: received({ headers }), reason: 'bad' })).toHaveLength(1);
  });

  it('is keyed by its place if it had no key, and can be told from an empty one', () => {
    const [letter] = deadLettersOfCommands('profile')({ message: received({ key: null, value: null }), reason: 'bad' });
    expect(letter).toMatchObject({
      key: 'profile.commands/0',
      headers: { 'dead-letter-key': '', 'dead-letter-payload-length': '0' },
    });
  });
});

describe('the dead letter of a follower', () => {
  const letterOf = (topic: string) =>
    deadLettersOfFollower('projection')({ message: { ...personal, topic }, reason: 'bad' });

  it('carries the payload of an event, and is nobody’s reply', () => {
    const letters = letterOf(topics.profileEvents);
    expect(letters).toHaveLength(1);
    expect(letters[0]).toMatchObject({ topic: 'projection.dead-letter', value: personal.value });
  });

  it('has the headers of the event, and none that are not ours', () => {
    const message = received({ headers: { ce_type: 'ProfileCreated', 'x-email': 'someone@example.com' } });
    const [letter] = deadLettersOfFollower('projection')({ message, reason: 'bad' });
    expect(letter?.headers).toMatchObject({ ce_type: 'ProfileCreated', 'dead-letter-reason': 'bad' });
    expect(letter?.headers).not.toHaveProperty('x-email');
  });

  it('carries no payload of a topic that may hold personal fields', () => {
    expect(JSON.stringify(letterOf(topics.profilePersonal))).not.toContain('someone');
  });
});
