import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { z } from 'zod';

/** A request, read whole. */
export interface Call {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string;
  readonly body: string;
  /** The same as it came. */
  readonly bytes: Buffer;
}

/** Objects are answered as JSON, text as HTML, bytes as OCSP; no body where it is null. */
export interface Answer {
  readonly status: number;
  readonly body: object | string | Uint8Array | null;
}

export const ok = (body: object): Answer => ({ status: 200, body });

/** A call that cannot be done; the message names what to mend. */
export class CallRefused extends Error {
  readonly status: 400 | 404 | 405 | 409;
  readonly code: string;

  constructor(status: 400 | 404 | 405 | 409, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }

  get answer(): Answer {
    return { status: this.status, body: { error: this.message, code: this.code } };
  }
}

/** @throws CallRefused if the path is not rightly encoded */
export async function readCall(incoming: IncomingMessage): Promise<Call> {
  const bytes = await buffer(incoming);
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://simulator');
  return {
    method: incoming.method ?? '',
    path: decoded(pathname),
    query: searchParams,
    authorization: incoming.headers.authorization ?? '',
    body: bytes.toString('utf8'),
    bytes,
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new CallRefused(400, 'MALFORMED_PATH', 'The path is not rightly percent-encoded.');
  }
}

/**
 * The body in the schema's shape; an absent one counts as an empty object.
 * @throws CallRefused that names every bad field
 */
export function bodyOf<Schema extends z.ZodType>({ body }: Call, schema: Schema): z.output<Schema> {
  let json: unknown;
  try {
    json = body.trim() === '' ? {} : JSON.parse(body);
  } catch {
    throw new CallRefused(400, 'MALFORMED_JSON', 'The body is not JSON.');
  }
  return inShape(schema, json, 'body');
}

/**
 * The query in the schema's shape.
 * @throws CallRefused that names every bad field
 */
export const queryOf = <Schema extends z.ZodType>({ query }: Call, schema: Schema): z.output<Schema> =>
  inShape(schema, Object.fromEntries(query), 'query');

function inShape<Schema extends z.ZodType>(schema: Schema, value: unknown, whole: string): z.output<Schema> {
  const parsed = schema.safeParse(value, {
    error: ({ input }) => (input === undefined ? 'is missing' : undefined),
  });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || whole}: ${message}`);
  throw new CallRefused(400, 'VALIDATION_FAILED', faults.join('; '));
}
