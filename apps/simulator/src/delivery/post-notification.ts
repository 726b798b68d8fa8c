import { setTimeout as delay } from 'node:timers/promises';
import type { Notification } from './notification.ts';

const answerTimeoutMs = 10_000;
/** A gateway that is just being started again is waited for: to the stores that would be an outage of months. */
const patienceMs = 5_000;
const pauseMs = 100;

/** @returns the status of the answer; null if there was none */
export async function postNotification(
  { store, body, appId }: Notification,
  gateway: string,
  headers: () => Promise<Record<string, string>>,
  ending: AbortSignal,
): Promise<number | null> {
  const url = `${gateway}/notifications/${appId}/${store}`;
  const end = performance.now() + patienceMs;
  for (;;) {
    const status = await post(url, body, await headers(), ending);
    if (status !== 'unreachable') return status;
    if (ending.aborted || performance.now() > end) return null;
    await delay(pauseMs);
  }
}

async function post(url: string, body: string, headers: Record<string, string>, ending: AbortSignal) {
  const late = AbortSignal.timeout(answerTimeoutMs);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([ending, late]),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return late.aborted ? null : 'unreachable';
  }
}
