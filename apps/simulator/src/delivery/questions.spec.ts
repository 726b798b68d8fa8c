import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Notification } from './notification.ts';
import { Questions } from './questions.ts';

const notification: Notification = {
  ...{ id: 'n', store: 'play-store', appId: 1, environment: 'production', purchaseId: 'token', label: 'RENEWED' },
  ...{ body: '', writtenAt: 0, dueAt: 0, attempts: [] },
};
/** How far the clock must go until the wait is over, in steps of 10 ms. */
async function waitedFor(questions: Questions, since: number, mostMs = Infinity): Promise<number> {
  let [over, waitedMs] = [false, 0];
  void questions.untilAsked(notification, since, mostMs).then(() => (over = true));
  for (await turn(); !over; await turn()) {
    mock.timers.tick(10);
    waitedMs += 10;
  }
  return waitedMs;
}

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

it('waits until the purchase is asked after, and not for another one', async () => {
  const questions = new Questions();
  setTimeout(() => questions.asked('other'), 20);
  setTimeout(() => questions.asked('token'), 120);
  expect(await waitedFor(questions, performance.now())).toBe(120);
});

it('does not wait for a question that has come since', async () => {
  const questions = new Questions();
  const since = performance.now();
  questions.asked('token');
  expect(await waitedFor(questions, since)).toBe(0);
});

it('waits less and less where nobody asks, and long again once somebody did', async () => {
  const questions = new Questions();
  const waits: number[] = [];
  for (let round = 0; round < 6; round += 1) waits.push(await waitedFor(questions, performance.now()));
  expect(waits).toEqual([2_000, 500, 130, 40, 20, 20]); // the last ones in whole steps
  setTimeout(() => questions.asked('token'), 10);
  await waitedFor(questions, performance.now());
  setTimeout(() => questions.asked('token'), 19_000);
  expect(await waitedFor(questions, performance.now())).toBe(19_000);
  expect(await waitedFor(questions, performance.now())).toBe(20_000);
});

it('lets everybody go at the end', async () => {
  const questions = new Questions();
  setTimeout(() => questions.stop(), 20);
  expect(await waitedFor(questions, performance.now())).toBe(20);
  expect(await waitedFor(questions, performance.now())).toBe(0);
});

it('waits no longer than it is told to, and learns nothing of that', async () => {
  const questions = new Questions();
  expect(await waitedFor(questions, performance.now(), 30)).toBe(30);
  expect(await waitedFor(questions, performance.now())).toBe(2_000);
});
