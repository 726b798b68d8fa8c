import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CommandClient } from '@paywright/messaging';
import { Clock, createLogger, ManualClock, Metrics, noTracer, SystemClock } from '@paywright/platform';
import {
  CatalogQueries,
  DeadLetterQueries,
  DecisionQueries,
  ExportQueries,
  ModelQueries,
  PlacementReportQueries,
  ProfileQueries,
  PurchaseQueries,
  ReadModelProgress,
  TimelineQueries,
} from '@paywright/read-model';
import { StoreAccess, StoreCredentialsBook } from '@paywright/store-credentials';
import { InMemoryCredentialsBook } from '@paywright/store-credentials/testing';
import { storesConfig, storeSettings, type StoreSettings } from '@paywright/stores';
import { z } from 'zod';
import { Apps } from '../../catalog/apps.ts';
import { GATEWAY_CONFIG, TRACER } from '../../gateway-parts.ts';
import { configureHttp } from '../../http/configure-http.ts';
import { createHttpAdapter } from '../../http/http-adapter.ts';
import type { FollowUps } from '../../idempotency/follow-ups.ts';
import { Idempotency } from '../../idempotency/idempotency.ts';
import { IdempotencyStore } from '../../idempotency/idempotency-store.ts';
import { InMemoryIdempotencyStore } from '../../idempotency/in-memory-idempotency-store.ts';
import { limitsConfig } from '../../limits/limits-config.ts';
import { RateLimits } from '../../limits/rate-limits.ts';
import { AdminRealm } from '../admin-realm.ts';
import { AdminModule } from '../admin.module.ts';
import { FakeCatalogService } from './fake-catalog-service.ts';
import { FakeDeadLetters } from './fake-dead-letters.ts';
import { FakeReadModel } from './fake-read-model.ts';

@Module({ imports: [AdminModule] })
class AdminGatewayModule {}

@Module({})
class PartsModule {}

const partsModule = (providers: Provider[]): DynamicModule => ({
  module: PartsModule,
  global: true,
  providers,
  exports: providers,
});

export const startedAt = Date.UTC(2026, 0, 1);
export const adminToken = 'admin-token-1';
export const viewerToken = 'viewer-token-1';

export interface Call {
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Sent as it is, in place of JSON of `body`. */
  readonly payload?: string;
}

const limits = z.object(limitsConfig).parse({});
const nothingFollows: FollowUps = {
  post: () => {
    throw new Error('Nothing follows from an answer of the admin API.');
  },
};
const noStores = storeSettings({ ...z.object(storesConfig).parse({}), NODE_ENV: 'test' });

/** The admin API over fakes: calls it as a client does. The stores are where the settings say. */
export async function adminGateway(stores: StoreSettings = noStores) {
  const clock = new ManualClock(startedAt);
  const apps = new Apps();
  const metrics = new Metrics({ service: 'gateway' });
  const catalogService = new FakeCatalogService(apps, () => clock.now());
  const readModel = new FakeReadModel();
  const deadLetters = new FakeDeadLetters();
  const credentials = new InMemoryCredentialsBook(clock);
  const idempotencyKeys = new InMemoryIdempotencyStore();
  const access = new StoreAccess({ book: credentials, settings: stores, clock, wallClock: new SystemClock() });
  const parts = partsModule([
    { provide: GATEWAY_CONFIG, useValue: { ADMIN_TOKENS: `ops:${adminToken}, eye:${viewerToken}:viewer` } },
    { provide: Clock, useValue: clock },
    { provide: Apps, useValue: apps },
    { provide: CommandClient, useValue: deadLetters.before(catalogService) },
    { provide: ProfileQueries, useValue: readModel.profileQueries },
    { provide: TimelineQueries, useValue: readModel.timelineQueries },
    { provide: DecisionQueries, useValue: readModel.decisionQueries },
    { provide: DeadLetterQueries, useValue: deadLetters.queries },
    { provide: ExportQueries, useValue: readModel.exportQueries },
    { provide: CatalogQueries, useValue: readModel.catalogQueries },
    { provide: ModelQueries, useValue: readModel.modelQueries },
    { provide: PlacementReportQueries, useValue: readModel.reportQueries },
    { provide: PurchaseQueries, useValue: readModel.purchaseQueries },
    { provide: ReadModelProgress, useValue: readModel.progress },
    { provide: IdempotencyStore, useValue: idempotencyKeys },
    { provide: Metrics, useValue: metrics },
    { provide: TRACER, useValue: noTracer },
    { provide: StoreCredentialsBook, useValue: credentials },
    { provide: StoreAccess, useValue: access },
  ]);
  const app = await NestFactory.create<NestFastifyApplication>(
    { module: AdminGatewayModule, imports: [parts] },
    createHttpAdapter(limits),
    { bodyParser: false, abortOnError: false, logger: false },
  );
  configureHttp(app, {
    realms: [app.get(AdminRealm)],
    idempotency: new Idempotency(idempotencyKeys, clock, nothingFollows),
    rateLimits: new RateLimits(limits, clock, metrics),
    load: { maxInFlight: limits.MAX_IN_FLIGHT, latencyMs: limits.OVERLOAD_LATENCY_MS, paywallDeadlineMs: 1_000 },
    maxConnections: limits.MAX_CONNECTIONS,
    metrics,
    tracer: noTracer,
    logger: createLogger({ service: 'gateway', level: 'error' }),
  });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();

  async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH', path: string, options: Call = {}) {
    const { token = adminToken, headers = {}, body, payload } = options;
    const sent = payload ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await app.inject({
      method,
      url: `/admin/v1${path}`,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { payload: sent }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  }
  const createApp = async () => (await call('POST', '/apps', { body: { name: 'Demo' } })).body.data;
  return {
    call,
    createApp,
    apps,
    catalogService,
    readModel,
    deadLetters,
    credentials,
    clock,
    close: () => app.close(),
  };
}

export type AdminGateway = Awaited<ReturnType<typeof adminGateway>>;
