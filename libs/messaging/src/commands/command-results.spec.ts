import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CustomAttributeSet, topics, type Command, type Outcome, type RecordedEvent } from '@paywright/contracts';
import { received } from '../testing/messages.ts';
import { commandResults } from './command-results.ts';

const profileId = randomUUID();
const command = (id: string = randomUUID()): Command => ({
  id,
  type: 'SetCustomAttributes',
  version: 1,
  appId: 1,
  key: profileId,
  issuedAt: 1,
  deadline: 2,
  body: {},
});
const messageOf = ({ id }: Command, partition = '5') => received({ headers: { id, 'reply-partition': partition } });
const event = (streamVersion: number): RecordedEvent => ({
  ...CustomAttributeSet.of({ appId: 1, profileId, attributeId: randomUUID(), key: 'k', value: 'v' }),
  id: randomUUID(),
  stream: profileId,
  streamVersion,
  time: 0,
  correlationId: 'c',
  causationId: 'c',
});
const accepted = (of: Command, versions: number[]): Outcome => ({
  kind: 'accepted',
  command: of,
  events: versions.map(event),
  reply: `{"status":"accepted","of":"${of.id}"}`,
  state: {},
  personal: null,
});
const results = (outcomes: Outcome[], messages = outcomes.map((outcome) => messageOf(outcome.command))) =>
  commandResults(topics.profileCommands, 'profile', outcomes, messages);

describe('commandResults', () => {
  it('publishes events by version and the stored reply, byte for byte, to the partition that waits', () => {
    const one = command();
    const { publish, deadLetters } = results([accepted(one, [3, 4])]);
    expect(deadLetters).toEqual([]);
    expect(publish.map(({ topic }) => topic)).toEqual([
      topics.profileEvents,
      topics.profileEvents,
      topics.gatewayReplies,
    ]);
    expect(publish.slice(0, 2).map(({ key, headers }) => [key, headers['ce_streamversion']])).toEqual([
      [profileId, '3'],
      [profileId, '4'],
    ]);
    expect(publish[2]).toEqual({
      topic: topics.gatewayReplies,
      partition: 5,
      headers: { id: one.id, status: 'accepted', stream: profileId, 'stream-version': '4' },
      value: `{"status":"accepted","of":"${one.id}"}`,
    });
  });

  it('buries what is too long for its topic where nobody hears the refusal', () => {
    const reply = JSON.stringify({ status: 'refused', refusal: { code: 'PAYLOAD_TOO_LARGE', message: 'Too long.' } });
    const refused: Outcome = { kind: 'refused', command: command(), reply };
    const unheard = received({ headers: { id: refused.command.id } });
    expect(results([refused], [unheard])).toEqual({
      publish: [],
      deadLetters: [{ message: unheard, reason: 'Too long.' }],
    });
    expect(results([refused]).deadLetters).toEqual([]);
    const byRule = reply.replace('PAYLOAD_TOO_LARGE', 'PROFILE_NOT_FOUND');
    expect(results([{ ...refused, reply: byRule }], [unheard]).deadLetters).toEqual([]);
  });

  it('publishes the personal record that a command changed, keyed by the profile', () => {
    const personal = { appId: 1, profileId, version: 3, fields: { email: 'someone@example.com' } };
    const { publish } = results([{ ...accepted(command(), [3]), personal } as Outcome]);
    const record = publish.find(({ topic }) => topic === topics.profilePersonal);
    expect(record).toEqual({
      topic: topics.profilePersonal,
      key: profileId,
      headers: {},
      value: JSON.stringify(personal),
    });
    const others = publish.filter((one) => one !== record);
    expect(JSON.stringify(others)).not.toContain('someone');
  });

  it('publishes a tombstone with its version where no personal field is left', () => {
    const personal = { appId: 1, profileId, version: 4, fields: {} };
    const { publish } = results([{ ...accepted(command(), [4]), personal } as Outcome]);
    expect(publish.find(({ topic }) => topic === topics.profilePersonal)).toEqual({
      topic: topics.profilePersonal,
      key: profileId,
      headers: { app: '1', version: '4' },
      value: null,
    });
  });

  it('answers a refusal, buries a failure, and says nothing to an expired command', () => {
    const [refused, failed, expired] = [command(), command(), command()];
    const { publish, deadLetters } = results([
      { kind: 'refused', command: refused, reply: 'no' },
      { kind: 'failed', command: failed, reason: 'a defect' },
      { kind: 'expired', command: expired },
    ]);
    expect(publish.map(({ headers, value }) => [headers['id'], value])).toEqual([[refused.id, 'no']]);
    expect(deadLetters).toEqual([{ message: messageOf(failed), reason: 'a defect' }]);
  });

  it('publishes once and answers everyone when two sent the same command', () => {
    const one = command();
    const outcome = accepted(one, [1]);
    const { publish } = results([outcome, outcome], [messageOf(one, '5'), messageOf(one, '6')]);
    expect(publish.filter(({ topic }) => topic === topics.profileEvents)).toHaveLength(1);
    const replies = publish.filter(({ topic }) => topic === topics.gatewayReplies);
    expect(replies.map(({ partition }) => partition)).toEqual([5, 6]);
  });

  it('answers nobody where nobody waits', () => {
    const one = command();
    expect(results([accepted(one, [])], [received({ headers: { id: one.id } })]).publish).toEqual([]);
  });
});
