import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { AdminCaller } from './admin-tokens.ts';

/** Who asks for a change, and the id of the command that it becomes. */
export interface Author {
  readonly actor: string;
  readonly commandId: string;
  /** What all log lines name the request by. */
  readonly requestId: string;
  /** The trace (W3C) that the request is part of: the client's, or one that is recorded. */
  readonly traceparent?: string;
}

/** The author of a write of the admin API. */
export const AuthorOf = createParamDecorator((_: unknown, context: ExecutionContext): Author => {
  const { admin, commandId, id: requestId, traceparent } = context.switchToHttp().getRequest<FastifyRequest>();
  if (admin === undefined) throw new Error('The route lies outside the admin API: nobody was authenticated.');
  const author = { actor: admin.name, commandId, requestId };
  return traceparent === null ? author : { ...author, traceparent };
});

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose admin token was presented; absent outside the admin API. */
    admin?: AdminCaller;
  }
}
