import type { ReceivedMessage } from '../message.ts';

/** A message as from the broker; what is not given is plain. */
export const received = (given: Partial<ReceivedMessage> = {}): ReceivedMessage => ({
  topic: 'profile.commands',
  partition: 0,
  offset: '0',
  key: 'key',
  headers: {},
  value: Buffer.from('{}'),
  timestamp: 1_700_000_000_000,
  ...given,
});
