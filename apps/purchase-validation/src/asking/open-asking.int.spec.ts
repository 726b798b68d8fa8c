import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createKafka } from '@paywright/messaging';
import { createLogger, kafkaAddress, loadConfig, Metrics, noTracer, SystemClock } from '@paywright/platform';
import { freePort, loopback, testDatabase, type TestDatabase } from '@paywright/testing';
import { purchaseValidationConfig } from '../config.ts';
import { openAsking } from './open-asking.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('read-model');
  await database.addSchema('purchase_validation', 'purchase-validation');
  await database.addSchema('store_credentials', 'store-credentials');
});
afterAll(async () => database[Symbol.asyncDispose]());

/** A port that leads to the database. */
async function leadTo(url: URL, port: number): Promise<Server> {
  const server = createServer((client) => {
    const onward = connect(Number(url.port || 5432), url.hostname);
    client.pipe(onward).pipe(client);
    for (const socket of [client, onward]) socket.on('error', () => undefined);
  });
  await once(server.listen(port, loopback), 'listening');
  return server;
}

async function untilTold(lines: readonly string[]): Promise<void> {
  while (lines.length === 0) await delay(10);
}

it('starts once the database answers on its own connections too', async () => {
  const port = await freePort();
  const url = new URL(database.url);
  url.host = `${loopback}:${port}`;
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level: 'warn' }, { write: (line) => void lines.push(line) });
  const config = loadConfig(purchaseValidationConfig, {
    DATABASE_URL: url.href,
    KAFKA_BROKERS: 'nowhere:9092',
    MASTER_KEY: 'm'.repeat(32),
  });
  const kafka = createKafka({ ...kafkaAddress(config), clientId: 'test', logger });
  const context = { config, kafka, clock: new SystemClock(), logger, metrics: new Metrics(), tracer: noTracer };
  await database.pool.query(
    `insert into profile_personal values ('5c0ffee0-0000-8000-8000-000000000000', 1, 1, '{}', 'ann')`,
  );

  const started = expect(openAsking(context).start(new AbortController().signal)).rejects.toThrow(
    'MASTER_KEY: is not the key that the profile ids in this database were made with',
  );
  await Promise.race([started, untilTold(lines)]);
  const server = await leadTo(new URL(database.url), port);
  await started;

  expect(lines[0]).toContain('The database does not answer yet: waiting for it');
  server.close();
});
