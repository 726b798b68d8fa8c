import { ToldError, untilAnswered, type Patience } from '@paywright/platform';
import { z } from 'zod';

const Envelope = z.object({ data: z.unknown() });
const Refusal = z.object({ error: z.string() });

/** An answer of the admin API that is not the expected one. */
export class UnexpectedAnswer extends ToldError {
  override readonly name = 'UnexpectedAnswer';
  readonly status: number;
  /** Whether the same call may soon be answered otherwise: the answer says when to repeat it. */
  readonly isPassing: boolean;
  constructor(call: string, { status, headers }: Response, text: string) {
    super(`${call} answered ${status}: ${sentenceOf(text).slice(0, 500)}`);
    this.status = status;
    this.isPassing = status === 503 && headers.has('retry-after');
  }
}

/** The sentence of a refusal; all of what has another form. */
function sentenceOf(text: string): string {
  try {
    return Refusal.parse(JSON.parse(text)).error;
  } catch {
    return text;
  }
}

/** A product that has just started on a busy machine may not answer in time at first. */
const patience: Patience = {
  pause: { firstMs: 200, lastMs: 2_000 },
  lastsMs: 30_000,
  passes: (error) => error instanceof UnexpectedAnswer && error.isPassing,
};

export type AdminCall = ReturnType<typeof adminApi>;

/**
 * Calls of the admin API, whose answers are read by a schema. Each throws UnexpectedAnswer. One that is answered with 503
 * and Retry-After is sent again for half a minute, as that answer asks for: what it was to make may then be there twice.
 */
export function adminApi(gateway: string, adminToken: string) {
  const send = async (method: string, path: string, body?: unknown): Promise<string> => {
    const response = await fetch(`${gateway}/admin/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new UnexpectedAnswer(`${method} /admin/v1${path}`, response, text);
    return text;
  };
  return async <S extends z.ZodType>(method: string, path: string, answer: S, body?: unknown): Promise<z.output<S>> => {
    const text = await untilAnswered(() => send(method, path, body), patience);
    return answer.parse(Envelope.parse(JSON.parse(text)).data);
  };
}
