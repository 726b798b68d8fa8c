import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { childOf } from '@paywright/platform';
import type { FastifyRequest } from 'fastify';
import type { App } from '../catalog/apps.ts';

/** Who asks, and the id of the command that the request becomes: the same again when it is repeated by its key. */
export interface Caller {
  readonly app: App;
  readonly commandId: string;
  /** The client's trace (W3C), if it sent one. */
  readonly traceparent?: string;
}

/** The caller of a route of the REST API. */
export const CallerOf = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { app, commandId, headers } = context.switchToHttp().getRequest<FastifyRequest>();
  if (app === null) throw new Error('The route lies outside the REST API: nobody was authenticated.');
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? { app, commandId, traceparent: childOf(traceparent) } : { app, commandId };
});

declare module 'fastify' {
  interface FastifyRequest {
    commandId: string;
  }
}
