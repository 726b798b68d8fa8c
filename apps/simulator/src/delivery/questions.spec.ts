import { expect, it } from '@jest/globals';
import type { Notification } from './notification.ts';
import { Questions } from './questions.ts';

const notification: Notification = {
  ...{ id: 'n', store: 'play-store', appId: 1, environment: 'production', purchaseId: 'token', label: 'RENEWED' },
  ...{ body: '', writtenAt: 0, dueAt: 0, attempts: [] },
};
async function waitedFor(questions: Questions, since: number, mostMs = Infinity): Promise<number> {
  const begun = performance.now();
  await questions.untilAsked(notification, since, mostMs);
  return performance.now() - begun;
}

it('waits until the purchase is asked after, and not for another one', async () => {
  const questions = new Questions();
  setTimeout(() => questions.asked('other'), 20);
  setTimeout(() => questions.asked('token'), 120);
  expect(await waitedFor(questions, performance.now())).toBeGreaterThan(110);
});

it('does not wait for a question that has come since', async () => {
  const questions = new Questions();
  const since = performance.now();
  questions.asked('token');
  expect(await waitedFor(questions, since)).toBeLessThan(50);
});

it('waits less and less where nobody asks, and long again once somebody did', async () => {
  const questions = new Questions();
  const waits: number[] = [];
  for (let round = 0; round < 4; round += 1) waits.push(await waitedFor(questions, performance.now()));
  expect(waits[0]).toBeGreaterThan(1_900);
  expect(waits[3]).toBeLessThan(200);
  setTimeout(() => questions.asked('token'), 10);
  await waitedFor(questions, performance.now());
  setTimeout(() => questions.asked('token'), 700);
  expect(await waitedFor(questions, performance.now())).toBeGreaterThan(600);
});

it('lets everybody go at the end', async () => {
  const questions = new Questions();
  setTimeout(() => questions.stop(), 20);
  expect(await waitedFor(questions, performance.now())).toBeLessThan(1_000);
  expect(await waitedFor(questions, performance.now())).toBeLessThan(50);
});

it('waits no longer than it is told to, and learns nothing of that', async () => {
  const questions = new Questions();
  expect(await waitedFor(questions, performance.now(), 30)).toBeLessThan(1_000);
  expect(await waitedFor(questions, performance.now())).toBeGreaterThan(1_900);
});
