import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestLogger } from '@paywright/platform';
import { AdminRealm } from './admin/admin-realm.ts';
import type { GatewayConfig } from './config.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { GatewayModule } from './gateway.module.ts';
import { configureHttp } from './http/configure-http.ts';
import { createHttpAdapter } from './http/http-adapter.ts';
import { webApiPaths, webApiRealm } from './http/web-api.realm.ts';
import type { LoadGateOptions } from './limits/load-gate.ts';
import { RateLimits } from './limits/rate-limits.ts';
import { Idempotency } from './idempotency/idempotency.ts';
import { notificationsRealm } from './notifications/notifications.realm.ts';
import { installOpenapi } from './openapi/install-openapi.ts';
import { FallbackRecords } from './paywalls/fallback-records.ts';
import { KnownProfiles } from './profiles/known-profiles.ts';
import { erasureIn } from './profiles/missing-profile.ts';

const loadOptions = (config: GatewayConfig): LoadGateOptions => ({
  maxInFlight: config.MAX_IN_FLIGHT,
  latencyMs: config.OVERLOAD_LATENCY_MS,
  paywallDeadlineMs: config.PAYWALL_DEADLINE_MS,
});

/** The gateway's HTTP application over its parts, ready to listen. Closing it answers what is in flight. */
export async function createGatewayApp(parts: GatewayParts): Promise<NestFastifyApplication> {
  const { config, logger, metrics, tracer, apps, clock, idempotencyKeys, progress } = parts;
  const options = { bodyParser: false, abortOnError: false, logger: new NestLogger(logger) };
  const app = await NestFactory.create<NestFastifyApplication>(
    GatewayModule.of(parts),
    createHttpAdapter(config),
    options,
  );
  const followUps = app.get(FallbackRecords, { strict: false });
  const isErased = erasureIn(app.get(KnownProfiles, { strict: false }), progress);
  configureHttp(app, {
    realms: [
      ...webApiPaths.map((path) => webApiRealm(path, apps)),
      app.get(AdminRealm, { strict: false }),
      notificationsRealm(parts.apps),
    ],
    idempotency: new Idempotency(idempotencyKeys, clock, followUps, isErased),
    rateLimits: new RateLimits(config, clock, metrics),
    load: loadOptions(config),
    maxConnections: config.MAX_CONNECTIONS,
    metrics,
    tracer,
    logger,
  });
  installOpenapi(app);
  return app.init();
}
