import { randomUUID } from 'node:crypto';
import { postPatiently } from '../stack/send-patiently.ts';
import type { Stack } from '../stack/stack.ts';

/** With what profiles are made. */
export const device = { country: 'DE', device: 'Pixel 9', os: 'Android 15', platform: 'android' };

/**
 * Sends a request as the app does, until it is taken, which counts once.
 * @param path below the base of the first generation
 * @returns the answer's `data`, which has what the request asks for
 */
export async function postAsApp(
  { gateways, app }: Stack,
  path: string,
  body: unknown,
): Promise<Record<string, string>> {
  const headers = { authorization: app.secretKey, 'idempotency-key': randomUUID() };
  const answer = await postPatiently(() => gateways, `/api/v1/web-api${path}`, JSON.stringify(body), headers);
  return (JSON.parse(answer || '{}') as { data?: Record<string, string> }).data ?? {};
}
