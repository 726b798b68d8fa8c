import { expect, it } from '@jest/globals';
import { retriedCommand } from './retried-command.ts';

it('is the same command, for nobody who waits, and with all the time there is', () => {
  const headers = { id: 'c', type: 'SaveProfile', version: '1', app: '7', 'issued-at': '1000', deadline: '6000' };
  const value = Buffer.from('{}');
  const place = { topic: 'profile.commands', partition: 3, offset: '9', timestamp: 1_000 };
  const again = retriedCommand({ ...place, key: 'p', headers: { ...headers, 'reply-partition': '5' }, value });
  expect(again).toEqual({
    topic: 'profile.commands',
    key: 'p',
    headers: { ...headers, deadline: '999999999999999' },
    value,
  });
});
