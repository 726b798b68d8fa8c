import { expect, it } from '@jest/globals';
import { ConfigurationError } from './config.ts';
import { refusePlainConnections, type Connections } from './plain-connections.ts';

const tls = 'postgres://u:sentinel@db.example.com/paywright?sslmode=verify-full';
const safe: Connections = {
  NODE_ENV: 'production',
  DATABASE_URL: tls,
  KAFKA_BROKERS: ['b1.example.com:9093', 'b2.example.com:9093'],
  KAFKA_SSL: true,
};
const faultsOf = (changes: Partial<Connections>) => {
  try {
    refusePlainConnections({ ...safe, ...changes });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    expect(error.message).not.toContain('sentinel');
    return error.faults.map(({ variable }) => variable);
  }
};
const database = (rest: string) => ({ DATABASE_URL: `postgres://u:sentinel@${rest}` });
const kafka = (...KAFKA_BROKERS: string[]) => ({ KAFKA_BROKERS, KAFKA_SSL: false });

it('takes what is encrypted and proves its name', () => {
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf(database('db.example.com/p?sslmode=disable&sslmode=verify-full'))).toEqual([]);
});

it.each([
  ['a database in the clear', database('db.example.com/p'), ['DATABASE_URL']],
  ['TLS switched off', database('db.example.com/p?sslmode=disable'), ['DATABASE_URL']],
  ['a certificate that nobody checks', database('db.example.com/p?sslmode=no-verify'), ['DATABASE_URL']],
  ['a mode that may not check the name', database('db.example.com/p?sslmode=require'), ['DATABASE_URL']],
  ['a host behind a loopback name', database('localhost/p?host=db.example.com'), ['DATABASE_URL']],
  [
    'TLS switched off by a later mode',
    database('db.example.com/p?sslmode=verify-full&sslmode=disable'),
    ['DATABASE_URL'],
  ],
  ['a host behind one on loopback', database('x/p?host=localhost&host=db.example.com'), ['DATABASE_URL']],
  ['a host beside an empty one', database('db.example.com/p?host='), ['DATABASE_URL']],
  ['a host that PGHOST may name', { DATABASE_URL: 'postgres:///p' }, ['DATABASE_URL']],
  ['the same behind a password', database('/p'), ['DATABASE_URL']],
  ['brokers in the clear', kafka('127.0.0.1:9092', 'b.example.com:9092'), ['KAFKA_SSL']],
  ['a name that begins like loopback', kafka('127.0.0.1.example.com:9092'), ['KAFKA_SSL']],
  ['both', { ...database('10.0.0.1/p'), ...kafka('10.0.0.2:9092') }, ['DATABASE_URL', 'KAFKA_SSL']],
])('refuses %s', (_, changes, variables) => {
  expect(faultsOf(changes)).toEqual(variables);
  expect(faultsOf({ ...changes, NODE_ENV: 'development' })).toEqual([]);
});

it('takes loopback and Unix sockets in the clear', () => {
  for (const host of ['localhost', '127.0.0.1:5432', '[::1]']) expect(faultsOf(database(`${host}/p`))).toEqual([]);
  for (const rest of ['x/p?host=/var/run/postgresql', '/p?host=/var/run/postgresql', '%2Fvar%2Frun%2Fpostgresql/p'])
    expect(faultsOf(database(rest))).toEqual([]);
  expect(faultsOf(kafka('127.0.0.1:9092', 'localhost:9092', '[::1]:9092'))).toEqual([]);
});

it('takes the hosts whose network is trusted, and no others', () => {
  const PLAINTEXT_HOSTS = ['postgres', 'kafka'];
  expect(faultsOf({ PLAINTEXT_HOSTS, ...database('postgres:5432/p'), ...kafka('kafka:9092') })).toEqual([]);
  expect(faultsOf({ PLAINTEXT_HOSTS, ...kafka('kafka:9092', 'kafka-2:9092') })).toEqual(['KAFKA_SSL']);
});
