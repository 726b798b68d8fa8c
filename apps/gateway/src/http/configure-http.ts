import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger, Metrics } from '@paywright/platform';
import { installIdempotency } from '../idempotency/install-idempotency.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import { ValidationPipe } from '../validation/validation.pipe.ts';
import { installAdmission } from './admission.ts';
import { installAnswerEnvelope } from './answer-envelope.ts';
import { installDraining } from './draining.ts';
import { ErrorFilter } from './error.filter.ts';
import { installDroppedBodies, installJsonBody } from './json-body.ts';
import { installObservation } from './observation.ts';
import type { Realm } from './realm.ts';
import { installSecurityHeaders } from './security-headers.ts';

/**
 * All that happens to a request outside its controller, in this order: observed, admitted, parsed, answered
 * from its idempotency key, validated; and on the way out: wrapped, kept under its key, counted.
 * Hooks of the HTTP server, since they run before the body is read and cost next to nothing.
 */
export function configureHttp(
  app: NestFastifyApplication,
  parts: { realms: readonly Realm[]; idempotency: Idempotency; metrics: Metrics; logger: Logger },
): void {
  const http = app.getHttpAdapter().getInstance();
  installObservation(http, parts.metrics, parts.logger);
  installDroppedBodies(http);
  installDraining(http);
  installSecurityHeaders(http);
  installAdmission(http, parts.realms);
  installJsonBody(http);
  installIdempotency(http, parts.idempotency);
  installAnswerEnvelope(http);
  app.useGlobalFilters(new ErrorFilter(parts.logger));
  app.useGlobalPipes(new ValidationPipe());
}
