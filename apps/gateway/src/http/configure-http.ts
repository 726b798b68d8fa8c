import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger, Metrics, Tracer } from '@paywright/platform';
import { installIdempotency } from '../idempotency/install-idempotency.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import { installBodyBudget } from '../limits/body-budget.ts';
import { installConnectionLimits } from '../limits/connection-limits.ts';
import { LoadGate, type LoadGateOptions } from '../limits/load-gate.ts';
import { installLoadShedding, shedding } from '../limits/load-shedding.ts';
import { measureWork } from '../limits/measured-work.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { YieldingPace } from '../limits/yielding-pace.ts';
import { installYielding } from '../limits/yielding.ts';
import { ValidationPipe } from '../validation/validation.pipe.ts';
import { installAdmission } from './admission.ts';
import { installAnswerEnvelope } from './answer-envelope.ts';
import { installDraining } from './draining.ts';
import { ErrorFilter } from './error.filter.ts';
import { installDroppedBodies, installJsonBody } from './json-body.ts';
import { installObservation } from './observation.ts';
import type { Realm } from './realm.ts';
import { installSecurityHeaders } from './security-headers.ts';
import { installTracing } from './tracing.ts';

export interface HttpParts {
  readonly realms: readonly Realm[];
  readonly idempotency: Idempotency;
  readonly rateLimits: RateLimits;
  readonly load: LoadGateOptions;
  readonly maxConnections: number;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly logger: Logger;
}

/**
 * All that happens to a request outside its controller, in this order: observed, shed, admitted, parsed, answered
 * from its idempotency key, validated; and on the way out: wrapped, kept under its key, counted.
 * Hooks of the HTTP server, since they run before the body is read and cost next to nothing.
 */
export function configureHttp(app: NestFastifyApplication, parts: HttpParts): void {
  const { metrics, maxConnections: max } = parts;
  const http = app.getHttpAdapter().getInstance();
  const shed = shedding(metrics);
  installObservation(http, metrics, parts.logger);
  installTracing(http, parts.tracer);
  installDroppedBodies(http);
  installDraining(http);
  installSecurityHeaders(http);
  installConnectionLimits(http, { max, metrics, shed });
  const gate = new LoadGate(parts.load);
  const pace = new YieldingPace();
  installLoadShedding(http, { gate, metrics, shed });
  installYielding(http, { pace, metrics, shed });
  measureWork(http, [gate, pace]);
  installAdmission(http, parts.realms, parts.rateLimits);
  installBodyBudget(http, shed);
  installJsonBody(http);
  installIdempotency(http, parts.idempotency, parts.logger);
  installAnswerEnvelope(http);
  app.useGlobalFilters(new ErrorFilter(parts.logger));
  app.useGlobalPipes(new ValidationPipe());
}
