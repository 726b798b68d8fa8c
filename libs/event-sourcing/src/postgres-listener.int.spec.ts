import { once, EventEmitter } from 'node:events';
import { afterAll, beforeEach, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { createPool } from './pool.ts';
import { PostgresListener } from './postgres-listener.ts';

const databaseUrl = process.env['TEST_DATABASE_URL']!;
const [channel, marker] = ['Told "here"', 'listener_spec'];
const admin = createPool({ databaseUrl, schema: 'public', max: 1 });
let pool: Pool;
let listener: PostgresListener;
/** What the listener tells, as events. */
let told: EventEmitter;

beforeEach(() => {
  pool = createPool({ databaseUrl, schema: marker, max: 2 });
  told = new EventEmitter();
  listener = new PostgresListener(pool, channel, {
    onNotification: (text) => told.emit('notification', text),
    onLost: () => told.emit('lost'),
    onReplaced: () => told.emit('replaced'),
  });
});
afterAll(() => admin.end());

const notify = (text: string) => admin.query('select pg_notify($1, $2)', [channel, text]);
const close = async () => {
  listener.stop();
  await pool.end();
};

it('tells what comes, also over a connection that took the place of one that was lost', async () => {
  await listener.start();
  const first = once(told, 'notification');
  await notify('one');
  expect(await first).toEqual(['one']);

  const [lost, replaced] = [once(told, 'lost'), once(told, 'replaced')];
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
    `paywright-${marker}`,
  ]);
  await Promise.all([lost, replaced]);
  const second = once(told, 'notification');
  await notify('two');
  expect(await second).toEqual(['two']);
  await close();
});

it('holds one connection though it is started twice, as whoever starts it with something else may try again', async () => {
  await listener.start();
  await listener.start();
  expect(pool.totalCount).toBe(1);
  await close();
});

it('takes no other connection once it is stopped', async () => {
  await listener.start();
  const events: string[] = [];
  for (const event of ['lost', 'replaced']) told.on(event, () => events.push(event));
  await close(); // ends only when nobody holds a connection of the pool
  expect(pool.totalCount).toBe(0);
  expect(events).toEqual([]);
});
