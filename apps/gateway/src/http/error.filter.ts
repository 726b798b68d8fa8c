import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Logger } from '@paywright/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorEnvelope, toApiError } from './error-answer.ts';
import { logDefect } from './log-defect.ts';

const retryAfterSeconds = '1';

/** Where an error becomes an answer. Defects are logged. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const request = http.getRequest<FastifyRequest>();
    const refusal = toApiError(error, request.routeOptions.bodyLimit);
    if (refusal.status === 500) logDefect(this.logger, request, error);
    if (reply.sent) return;
    request.answerMayChange = refusal.mayChange;
    request.refusalCode = refusal.code;
    if (refusal.isPassing) void reply.header('retry-after', retryAfterSeconds);
    void reply.headers(refusal.headers);
    void reply.code(refusal.status).type('application/json; charset=utf-8').send(errorEnvelope(refusal));
  }
}
