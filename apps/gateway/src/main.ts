import 'reflect-metadata';
import {
  announceReady,
  createLogger,
  Lifecycle,
  loadConfig,
  Metrics,
  openClock,
  openTracing,
  refusePlainConnections,
  startManagementServer,
} from '@paywright/platform';
import { gatewayConfig } from './config.ts';
import { createGatewayApp } from './gateway-app.ts';
import { leave } from './http/draining.ts';
import { openGateway } from './open-gateway.ts';

/** Above the longest a request works: what is in flight is answered. */
const drainMs = 9_000;

const config = loadConfig(gatewayConfig, process.env);
refusePlainConnections(config);
const logger = createLogger({ service: 'gateway', level: config.LOG_LEVEL });
const metrics = new Metrics({ service: 'gateway' });
const lifecycle = new Lifecycle(logger);
lifecycle.install();

const time = openClock(config);
const tracing = await openTracing(config, { name: 'gateway', instance: config.INSTANCE }, logger);
const gateway = openGateway({ config, clock: time.clock, logger, metrics, tracer: tracing.tracer });
const management = await startManagementServer({
  host: config.MANAGEMENT_HOST,
  port: config.MANAGEMENT_PORT,
  checks: [lifecycle.readiness(), ...gateway.checks],
  metrics,
  clock: time,
});
const app = await createGatewayApp(gateway.parts);
lifecycle.onShutdown('clients', () => leave(app, config.DRAIN_DELAY_MS), config.DRAIN_DELAY_MS + 1_000);
lifecycle.onShutdown('requests', () => app.close(), drainMs);
gateway.closeWith(lifecycle);
lifecycle.onShutdown('traces', () => tracing.stop());
lifecycle.onShutdown('clock', () => time.stop());
lifecycle.onShutdown('management', () => management.close());

await time.start();
await gateway.start();
await app.listen({ host: config.GATEWAY_HOST, port: config.GATEWAY_PORT });
const address = (await app.getUrl()).replace('[::1]', '127.0.0.1');
announceReady({ management: management.url, gateway: address });
logger.info({ gateway: address, management: management.url }, 'Ready');
