import { z } from 'zod';

const Envelope = z.object({ data: z.unknown() });

/** An answer of the admin API that is not the expected one. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  readonly status: number;
  constructor(call: string, status: number, text: string) {
    super(`${call} answered ${status}: ${text.slice(0, 500)}`);
    this.status = status;
  }
}

export type AdminCall = ReturnType<typeof adminApi>;

/** Calls of the admin API, whose answers are read by a schema. Each throws UnexpectedAnswer. */
export function adminApi(gateway: string, adminToken: string) {
  return async <S extends z.ZodType>(method: string, path: string, answer: S, body?: unknown): Promise<z.output<S>> => {
    const response = await fetch(`${gateway}/admin/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new UnexpectedAnswer(`${method} /admin/v1${path}`, response.status, text);
    return answer.parse(Envelope.parse(JSON.parse(text)).data);
  };
}
