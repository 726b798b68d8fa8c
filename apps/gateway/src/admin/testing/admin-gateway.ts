import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CommandClient } from '@paywright/messaging';
import { Clock, createLogger, Metrics, noTracer } from '@paywright/platform';
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
import { storesConfig, storeSettings, type StoreSettings } from '@paywright/stores';
import { z } from 'zod';
import { Apps } from '../../catalog/apps.ts';
import { GATEWAY_CONFIG, TRACER } from '../../gateway-parts.ts';
import { configureHttp } from '../../http/configure-http.ts';
import { createHttpAdapter } from '../../http/http-adapter.ts';
import type { FollowUps } from '../../idempotency/follow-ups.ts';
import { Idempotency } from '../../idempotency/idempotency.ts';
import { IdempotencyStore } from '../../idempotency/idempotency-store.ts';
import { UnshownProfiles } from '../../profiles/unshown-profiles.ts';
import { AdminRealm } from '../admin-realm.ts';
import { AdminModule } from '../admin.module.ts';
import { limits, newSurroundings, type Surroundings } from './surroundings.ts';

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

export const adminToken = 'admin-token-1';
export const viewerToken = 'viewer-token-1';

export interface Call {
  readonly token?: string | null;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: unknown;
  /** Sent as it is, in place of JSON of `body`. */
  readonly payload?: string;
}

const nothingFollows: FollowUps = {
  post: () => {
    throw new Error('Nothing follows from an answer of the admin API.');
  },
};
const nothingUnshown: Pick<UnshownProfiles, 'forget'> = { forget: () => Promise.resolve() };
const nobodyIsErased = () => Promise.resolve(false);
const noStores = storeSettings({ ...z.object(storesConfig).parse({}), NODE_ENV: 'test' });

/** Takes the place of what `current` gives, whatever that is by then. */
function standIn<Part extends object>(current: () => Part): Part {
  return new Proxy(current(), {
    get: (_, name) => {
      const part = current();
      const member: unknown = Reflect.get(part, name);
      return typeof member === 'function' ? member.bind(part) : member;
    },
  });
}

const providersOf = (of: <Part extends object>(part: (all: Surroundings) => Part) => Part): Provider[] => [
  { provide: GATEWAY_CONFIG, useValue: { ADMIN_TOKENS: `ops:${adminToken}, eye:${viewerToken}:viewer` } },
  { provide: Clock, useValue: of(({ clock }) => clock) },
  { provide: Apps, useValue: of(({ apps }) => apps) },
  { provide: CommandClient, useValue: of(({ commands }) => commands) },
  { provide: ProfileQueries, useValue: of(({ readModel }) => readModel.profileQueries) },
  { provide: TimelineQueries, useValue: of(({ readModel }) => readModel.timelineQueries) },
  { provide: DecisionQueries, useValue: of(({ readModel }) => readModel.decisionQueries) },
  { provide: DeadLetterQueries, useValue: of(({ deadLetters }) => deadLetters.queries) },
  { provide: ExportQueries, useValue: of(({ readModel }) => readModel.exportQueries) },
  { provide: CatalogQueries, useValue: of(({ readModel }) => readModel.catalogQueries) },
  { provide: ModelQueries, useValue: of(({ readModel }) => readModel.modelQueries) },
  { provide: PlacementReportQueries, useValue: of(({ readModel }) => readModel.reportQueries) },
  { provide: PurchaseQueries, useValue: of(({ readModel }) => readModel.purchaseQueries) },
  { provide: ReadModelProgress, useValue: of(({ readModel }) => readModel.progress) },
  { provide: IdempotencyStore, useValue: of(({ idempotencyKeys }) => idempotencyKeys) },
  { provide: UnshownProfiles, useValue: nothingUnshown },
  { provide: Metrics, useValue: of(({ metrics }) => metrics) },
  { provide: TRACER, useValue: noTracer },
  { provide: StoreCredentialsBook, useValue: of(({ credentials }) => credentials) },
  { provide: StoreAccess, useValue: of(({ stores }) => stores) },
];

/**
 * The admin API over fakes: calls it as a client does. The stores are where the settings say. To start it takes as long
 * as twenty tests: a file starts one, and each of its tests resets it.
 */
export async function adminGateway(stores: StoreSettings = noStores) {
  let now = newSurroundings(stores);
  const of = <Part extends object>(part: (all: Surroundings) => Part) => standIn(() => part(now));
  const app = await NestFactory.create<NestFastifyApplication>(
    { module: AdminGatewayModule, imports: [partsModule(providersOf(of))] },
    createHttpAdapter(limits),
    { bodyParser: false, abortOnError: false, logger: false },
  );
  const [clock, metrics] = [of((all) => all.clock), of((all) => all.metrics)];
  configureHttp(app, {
    realms: [app.get(AdminRealm)],
    idempotency: new Idempotency(of(({ idempotencyKeys }) => idempotencyKeys), clock, nothingFollows, nobodyIsErased), // prettier-ignore
    rateLimits: of(({ rateLimits }) => rateLimits),
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
    return {
      status: response.statusCode,
      headers: response.headers,
      body: response.body === '' ? null : response.json(),
    };
  }
  const createApp = async () => (await call('POST', '/apps', { body: { name: 'Demo' } })).body.data;
  return {
    call,
    createApp,
    get apps() {
      return now.apps;
    },
    get catalogService() {
      return now.catalogService;
    },
    get readModel() {
      return now.readModel;
    },
    get deadLetters() {
      return now.deadLetters;
    },
    get credentials() {
      return now.credentials;
    },
    get clock() {
      return now.clock;
    },
    /** Nothing has happened yet. */
    reset: () => void (now = newSurroundings(stores)),
    close: () => app.close(),
  };
}

export type AdminGateway = Awaited<ReturnType<typeof adminGateway>>;
