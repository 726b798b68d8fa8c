import type { ErrorCode } from '@paywright/contracts';
import { ApiError } from '../http/api-error.ts';
import { ref, type Schema } from './json-schema.ts';

/** One route, as its author describes it; the document's words for it are made by `operationObject`. */
export interface Operation {
  /** What a reader calls it: `createProfile`. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: readonly Parameter[];
  readonly headers?: readonly Parameter[];
  readonly body?: Content;
  /** By status. */
  readonly answers: Readonly<Record<number, Answered>>;
  /** When it answers 304, without a body; never if absent. */
  readonly unchanged?: string;
  /** Every code that it can refuse with. */
  readonly refusals: readonly ErrorCode[];
  /** Codes that it refuses with for a while: 503, whatever their status is elsewhere. */
  readonly passing?: readonly ErrorCode[];
  /** What opens it; null for what proves itself. */
  readonly security: 'secretKey' | 'adminToken' | null;
}

export interface Content {
  readonly schema: Schema;
  readonly example: unknown;
}

export interface Answered extends Content {
  readonly description: string;
  readonly headers?: Schema;
}

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  /** Whether a request without it is refused; false if absent. */
  readonly required?: boolean;
}

const pathParameters: Readonly<Record<string, Schema>> = {
  appId: { type: 'integer', minimum: 1 },
  keyId: { type: 'integer', minimum: 1 },
  deadLetterId: { type: 'integer', minimum: 1 },
  revision: { type: 'integer', minimum: 1 },
  profileId: { type: 'string', format: 'uuid' },
  decisionId: { type: 'string', format: 'uuid' },
};

/** OpenAPI's operation object of a route. */
export function operationObject(path: string, operation: Operation): object {
  const { id, tag, summary, description, query = [], headers = [], body, answers, refusals, security } = operation;
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: security === null ? [] : [{ [security]: [] }],
    parameters: [
      ...named.map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: pathParameters[name] ?? { type: 'string' },
      })),
      ...query.map((parameter) => ({ required: false, ...parameter, in: 'query' })),
      ...headers.map((parameter) => ({ ...parameter, in: 'header', required: false })),
    ],
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      ...mapped(answers),
      ...(operation.unchanged !== undefined && { 304: { description: operation.unchanged } }),
      ...refusalsByStatus(refusals, operation.passing ?? []),
    },
  };
}

const json = ({ schema, example }: Content) => ({ 'application/json': { schema, example } });

const mapped = (answers: Operation['answers']) =>
  Object.fromEntries(
    Object.entries(answers).map(([status, { description, headers, ...content }]) => [
      status,
      { description, ...(headers && { headers }), content: json(content) },
    ]),
  );

function refusalsByStatus(codes: readonly ErrorCode[], passing: readonly ErrorCode[]): object {
  const statusOf = (code: ErrorCode) => (passing.includes(code) ? 503 : new ApiError(code, '').status);
  const byStatus = Map.groupBy([...codes, ...passing], statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.join(', '),
        ...(retriable.has(status) && { headers: { ...retryAfter, ...(status === 429 && rateLimit) } }),
        content: json({
          schema: { allOf: [ref('Error'), { properties: { code: { enum: ofStatus } } }] },
          example: { error: 'One English sentence that says what to mend.', code: ofStatus[0] },
        }),
      },
    ]),
  );
}

const retriable = new Set([429, 503]);
const retryAfter = {
  'Retry-After': {
    description: 'Seconds until the same request may be sent again; without it, that would be refused again',
    required: false,
    schema: { type: 'integer' },
  },
};
const rateLimit = {
  'RateLimit-Policy': {
    description: 'The limit: q requests in w seconds, in the form of the IETF’s draft',
    schema: { type: 'string', examples: ['"secret-key";q=20000;w=2'] },
  },
  RateLimit: {
    description: 'What is left of it: r requests, and t seconds until there are more',
    schema: { type: 'string', examples: ['"secret-key";r=0;t=1'] },
  },
};
