import assert from 'node:assert/strict';
import type { Answer, Json } from './http.ts';

const show = ({ status, text }: Answer): string => `${status} ${text.slice(0, 600)}`;
const stackTrace = /\n\s+at |node_modules|\.ts:\d+|\.js:\d+/;

/** The `data` of a success with this status (any of 200 and 201 if none is given), its envelope checked. */
export function accepted(answer: Answer, status?: number): Json {
  if (status === undefined) assert.ok([200, 201].includes(answer.status), `a success was expected: ${show(answer)}`);
  else assert.equal(answer.status, status, show(answer));
  assert.equal(answer.body?.ok, true, `the envelope has ok: true: ${show(answer)}`);
  return answer.body.data;
}

/** A refusal with the error envelope; `mentions` must be found in its message. Returns the body. */
export function refused(answer: Answer, status: number, code: string, ...mentions: (string | RegExp)[]): Json {
  assert.equal(answer.status, status, show(answer));
  assert.equal(typeof answer.body?.error, 'string', `error is a text: ${show(answer)}`);
  assert.equal(answer.body.code, code, show(answer));
  assert.doesNotMatch(answer.text, stackTrace);
  for (const mention of mentions)
    if (typeof mention === 'string') assert.ok(answer.body.error.includes(mention), `${mention} in: ${show(answer)}`);
    else assert.match(answer.body.error, mention);
  return answer.body;
}

/** 400 VALIDATION_FAILED with a message that names the field. */
export const invalid = (answer: Answer, field: string): Json => refused(answer, 400, 'VALIDATION_FAILED', field);

/**
 * No fault of the server's and nothing of its inside: what holds for any request at all. A store that does not answer
 * is its own fault.
 */
export function withstood(answer: Answer): void {
  const isStoresFault = answer.status === 503 && answer.body?.code === 'STORE_UNAVAILABLE';
  assert.ok(answer.status < 500 || isStoresFault, `a request may not break the server: ${show(answer)}`);
  assert.doesNotMatch(answer.text, stackTrace);
  if (answer.status >= 400) {
    assert.equal(typeof answer.body?.error, 'string', show(answer));
    assert.match(answer.body.code, /^[A-Z][A-Z0-9_]*$/, show(answer));
  }
}

/** The same status and the same bytes. */
export function identical(answer: Answer, first: Answer): void {
  assert.equal(answer.status, first.status, `${show(answer)} after ${show(first)}`);
  assert.equal(answer.text, first.text);
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/** What `look` finds as soon as it finds something; fails after `withinMs`. For what is promised soon, not at once. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | null | undefined>,
  withinMs = 10_000,
): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += 100) {
    const found = await look();
    if (found !== null && found !== undefined) return found;
    assert.ok(waitedMs < withinMs, `${what} did not come within ${withinMs} ms`);
    await pause(100);
  }
}

/** Runs `work` for 0 … count − 1, at most `limit` at a time; results in order. */
export async function inParallel<T>(count: number, limit: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, count) }, lane));
  return results;
}
