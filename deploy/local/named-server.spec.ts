import { expect, it } from '@jest/globals';
import { connect, type LookupFunction } from 'node:net';
import { atNamedServer } from './named-server.ts';

const refused = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })); // prettier-ignore

it('says which variable names the server that does not answer', async () => {
  const message = 'DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1';
  await expect(atNamedServer('DATABASE_URL', 'postgres://a', refused)).rejects.toThrow(message);
  const givenUp = () => refused().catch((cause: unknown) => Promise.reject(new Error('Connection error', { cause })));
  await expect(atNamedServer('KAFKA_BROKERS', 'a:1', givenUp)).rejects.toThrow('KAFKA_BROKERS: Connection error');
});

it('says it of each address that the name has', async () => {
  const addresses = ['::1', '127.0.0.1'].map((address) => ({ address, family: address === '::1' ? 6 : 4 }));
  const unanswered = () =>
    new Promise((_resolve, reject) => {
      const lookup: LookupFunction = (_name, _options, tell) => tell(null, addresses);
      connect({ host: 'localhost', port: 1, lookup, autoSelectFamily: true }).on('error', reject);
    });
  await expect(atNamedServer('DATABASE_URL', 'postgres://localhost:1', unanswered)).rejects.toThrow(
    /^DATABASE_URL: connect E\w+ ::1:1.*, connect ECONNREFUSED 127.0.0.1:1$/,
  );
});

it('blames no variable where nobody named a server, or something else is wrong', async () => {
  await expect(atNamedServer('DATABASE_URL', undefined, refused)).rejects.toThrow(/^connect/);
  const other = new TypeError('no server’s fault');
  await expect(atNamedServer('DATABASE_URL', 'postgres://a', () => Promise.reject(other))).rejects.toBe(other);
});
