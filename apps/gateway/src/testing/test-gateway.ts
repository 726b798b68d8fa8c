import { createHash, randomBytes } from 'node:crypto';
import type { AppSnapshot } from '@paywright/contracts';
import { exampleCatalog } from '@paywright/contracts/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger, loadConfig, ManualClock, Metrics, noTracer, type Logger } from '@paywright/platform';
import {
  CatalogQueries,
  DeadLetterQueries,
  DecisionQueries,
  ExportQueries,
  ModelQueries,
  PlacementReportQueries,
  TimelineQueries,
} from '@paywright/read-model';
import { SessionTokens } from '@paywright/session-token';
import { StoreAccess } from '@paywright/store-credentials';
import { exampleCredentials, InMemoryCredentialsBook } from '@paywright/store-credentials/testing';
import { googleKeys, storeSettings } from '@paywright/stores';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { Apps } from '../catalog/apps.ts';
import { gatewayConfig } from '../config.ts';
import { createGatewayApp } from '../gateway-app.ts';
import type { GatewayParts } from '../gateway-parts.ts';
import { InMemoryIdempotencyStore } from '../idempotency/in-memory-idempotency-store.ts';
import { ProfileIds } from '../profiles/profile-ids.ts';
import { FakeBackend } from './fake-backend.ts';

export const startOfTime = Date.parse('2026-01-02T03:04:05.678Z');

/** Base of the first generation. */
export const v1 = '/api/v1/web-api';

export const secretKey = 'secret_live_first';
export const otherSecretKey = 'secret_live_second';
export const publicKey = 'public_live_first';
export const revokedKey = 'secret_live_revoked';

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
const keyOf = (key: string, keyId: number, kind: 'secret' | 'public', revokedAt: number | null = null) => {
  return { keyId, kind, prefix: key.slice(0, 12), sha256: sha256(key), createdAt: startOfTime, revokedAt };
};

/** An app with the example catalog, as the catalog service would publish it. */
export const snapshotOf = (
  appId: number,
  keys: AppSnapshot['keys'],
  changes: Partial<AppSnapshot> = {},
): AppSnapshot => ({
  appId,
  archivedProducts: [],
  version: 1,
  name: `App ${appId}`,
  createdAt: startOfTime,
  keys,
  revision: 1,
  document: exampleCatalog,
  ids: {
    paywalls: { calm: 12, bold: 13 },
    models: { main: 3 },
    products: { 'premium-monthly': 5 },
    paywallProducts: { 'calm/0': 7, 'bold/0': 8 },
  },
  paywallRevisions: { calm: 2, bold: 1 },
  ...changes,
});

export const firstApp = snapshotOf(1, [
  keyOf(secretKey, 1, 'secret'),
  keyOf(publicKey, 2, 'public'),
  keyOf(revokedKey, 3, 'secret', startOfTime),
]);
export const secondApp = snapshotOf(2, [keyOf(otherSecretKey, 1, 'secret')]);

export interface TestGateway extends AsyncDisposable {
  readonly app: NestFastifyApplication;
  readonly parts: GatewayParts;
  readonly backend: FakeBackend;
  readonly clock: ManualClock;
  readonly lines: string[];
  /** Puts backend, clock and log back to the start; what was applied to `apps` stays. */
  reset(): void;
  inject(options: InjectOptions): Promise<LightMyRequestResponse>;
  /** A request of the first app, with JSON. */
  request(
    method: 'POST' | 'PUT',
    url: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
}

/**
 * The gateway over fakes, spoken to in HTTP without a port. Its log lines are kept. The first app has credentials for
 * the App Store and Google Play.
 */
export async function startTestGateway(changes: Partial<GatewayParts> = {}): Promise<TestGateway> {
  const clock = new ManualClock(startOfTime);
  const backend = new FakeBackend(clock);
  const lines: string[] = [];
  const parts = { ...partsOver(backend, clock, keepingLogger(lines)), ...changes };
  await parts.credentials.put(firstApp.appId, 'app_store', exampleCredentials.app_store);
  await parts.credentials.put(firstApp.appId, 'play_store', exampleCredentials.play_store);
  const app = await createGatewayApp(parts);
  const http = app.getHttpAdapter().getInstance();
  await http.ready();
  return {
    app,
    parts,
    backend,
    clock,
    lines,
    reset: () => {
      backend.reset();
      clock.set(startOfTime);
      lines.length = 0;
    },
    inject: (options) => http.inject(options),
    request: (method, url, body, headers) =>
      http.inject({
        method,
        url,
        headers: { authorization: secretKey, 'content-type': 'application/json', ...headers },
        payload: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: () => app.close(),
  };
}

function partsOver(backend: FakeBackend, clock: ManualClock, logger: Logger): GatewayParts {
  const apps = new Apps();
  apps.apply(firstApp);
  apps.apply(secondApp);
  const noDatabase = { query: () => Promise.reject(new Error('this test has no database')) };
  const config = loadConfig(gatewayConfig, {
    DATABASE_URL: 'postgres://nowhere',
    KAFKA_BROKERS: 'nowhere:9092',
    MASTER_KEY: 'm'.repeat(32),
    ADMIN_TOKENS: 'ops:admin-token',
    PAYWALL_DEADLINE_MS: '200',
  });
  const credentials = new InMemoryCredentialsBook(clock);
  const settings = storeSettings(config);
  return {
    config,
    logger,
    metrics: new Metrics(),
    tracer: noTracer,
    clock,
    apps,
    commands: backend.commands,
    profiles: backend.profiles,
    unshownProfiles: backend.unshownProfiles,
    timeline: new TimelineQueries(noDatabase),
    decisions: new DecisionQueries(noDatabase),
    deadLetters: new DeadLetterQueries(noDatabase),
    exports: new ExportQueries(noDatabase),
    catalogs: new CatalogQueries(noDatabase),
    models: new ModelQueries(noDatabase),
    reports: new PlacementReportQueries(noDatabase),
    purchases: backend.purchases,
    progress: backend.progress,
    tokens: new SessionTokens([{ id: 1, secret: randomBytes(32) }]),
    profileIds: new ProfileIds(randomBytes(32)),
    credentials,
    stores: new StoreAccess({ book: credentials, settings, clock, wallClock: clock }),
    googleKeys: googleKeys(settings.googleKeys.url, settings.googleKeys.timeoutMs),
    idempotencyKeys: new InMemoryIdempotencyStore(),
  };
}

const keepingLogger = (lines: string[]): Logger =>
  createLogger({ service: 'gateway', level: 'debug' }, { write: (line) => void lines.push(line) });
