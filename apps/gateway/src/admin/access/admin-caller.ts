import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { childOf } from '@paywright/platform';
import type { FastifyRequest } from 'fastify';
import type { AdminCaller } from './admin-tokens.ts';

/** Who asks for a change, and the id of the command that it becomes. */
export interface Author {
  readonly actor: string;
  readonly commandId: string;
  /** The client's trace (W3C), if it sent one. */
  readonly traceparent?: string;
}

/** The author of a write of the admin API. */
export const AuthorOf = createParamDecorator((_: unknown, context: ExecutionContext): Author => {
  const { admin, commandId, headers } = context.switchToHttp().getRequest<FastifyRequest>();
  if (admin === undefined) throw new Error('The route lies outside the admin API: nobody was authenticated.');
  const author = { actor: admin.name, commandId };
  return typeof headers.traceparent === 'string' ? { ...author, traceparent: childOf(headers.traceparent) } : author;
});

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose admin token was presented; absent outside the admin API. */
    admin?: AdminCaller;
  }
}
