import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { App } from '../catalog/apps.ts';
import { begunAt } from '../idempotency/idempotency.ts';

/** Who asks, and the id of the command that the request becomes: the same again when it is repeated by its key. */
export interface Caller {
  readonly app: App;
  readonly commandId: string;
  /** When it came first, in milliseconds since the epoch, if it came with an Idempotency-Key. */
  readonly begunAt?: number;
  /** What all log lines name the request by. */
  readonly requestId: string;
  /** The trace (W3C) that the request is part of: the client's, or one that is recorded. */
  readonly traceparent?: string;
  /** Of a request with an Idempotency-Key: what to post with its answer goes here, and is posted once that is kept. */
  readonly postWithAnswer?: (followUp: string) => void;
}

/** The caller of a route of the REST API. */
export const CallerOf = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { app, commandId, id: requestId, traceparent, keyClaim } = request;
  if (app === null) throw new Error('The route lies outside the REST API: nobody was authenticated.');
  return {
    ...{ app, commandId, requestId },
    ...(traceparent !== null && { traceparent }),
    ...(keyClaim !== null && {
      begunAt: begunAt(keyClaim),
      postWithAnswer: (followUp) => void (request.followUp = followUp),
    }),
  };
});

declare module 'fastify' {
  interface FastifyRequest {
    commandId: string;
  }
}
