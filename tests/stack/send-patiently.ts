import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 90_000;
const json = { 'content-type': 'application/json' };

/**
 * Posts JSON until it is answered with 2xx, as careful clients and stores do; gateways take turns.
 * @param gateways base addresses of those that run now
 * @returns the answer's text
 * @throws Error if it is refused with 4xx, or not taken within 90 s
 */
export const postPatiently = (
  gateways: () => readonly string[],
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<string> => sendPatiently('POST', gateways, path, body, headers);

/** The same with another method. */
export async function sendPatiently(
  method: string,
  gateways: () => readonly string[],
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const until = performance.now() + patienceMs;
  for (let attempt = 0; ; attempt++) {
    const running = gateways();
    const gateway = running[attempt % running.length] ?? '';
    const answer = await fetch(`${gateway}${path}`, { method, headers: { ...json, ...headers }, body }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => ({ status: 0, text: '' }),
    );
    if (answer.status >= 200 && answer.status < 300) return answer.text;
    if (answer.status >= 400 && answer.status < 500) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    if (performance.now() > until) throw new Error(`${path} was not taken within ${patienceMs / 1000} s`);
    await sleep(100);
  }
}
