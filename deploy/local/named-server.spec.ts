import { expect, it } from '@jest/globals';
import { atNamedServer } from './named-server.ts';

const refused = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })); // prettier-ignore

it('says which variable names the server that does not answer', async () => {
  const message = 'DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1';
  await expect(atNamedServer('DATABASE_URL', 'postgres://a', refused)).rejects.toThrow(message);
  const givenUp = () => refused().catch((cause: unknown) => Promise.reject(new Error('Connection error', { cause })));
  await expect(atNamedServer('KAFKA_BROKERS', 'a:1', givenUp)).rejects.toThrow('KAFKA_BROKERS: Connection error');
});

it('blames no variable where nobody named a server, or something else is wrong', async () => {
  await expect(atNamedServer('DATABASE_URL', undefined, refused)).rejects.toThrow(/^connect/);
  const other = new TypeError('no server’s fault');
  await expect(atNamedServer('DATABASE_URL', 'postgres://a', () => Promise.reject(other))).rejects.toBe(other);
});
