import { renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  announceReady,
  configuredOrEnd,
  ConfigurationError,
  createLogger,
  Lifecycle,
  listening,
  loadConfig,
  Metrics,
  startManagementServer,
  SystemClock,
} from '@paywright/platform';
import { simulatorConfig } from './config.ts';
import { serveSimulator } from './serve-simulator.ts';

const config = configuredOrEnd('simulator', () => {
  const read = loadConfig(simulatorConfig, process.env);
  if (read.NODE_ENV !== 'production') return read;
  throw new ConfigurationError([{ variable: 'NODE_ENV', problem: 'production has real stores and no simulator' }]);
});
const logger = createLogger({ service: 'simulator', level: config.LOG_LEVEL });
const metrics = new Metrics({ service: 'simulator' });
const lifecycle = new Lifecycle(logger);
lifecycle.install();

const folder = resolve(config.SIMULATOR_DATA_DIR);
const address = { host: config.SIMULATOR_HOST, port: config.SIMULATOR_PORT };
const serve = () => serveSimulator(folder, address, new SystemClock(), logger);
const { simulator, server } = await listening('SIMULATOR', serve);
const rootFile = join(folder, 'app-store-root.der');
writeFileSync(`${rootFile}.new`, simulator.appStoreRoot);
renameSync(`${rootFile}.new`, rootFile);

const { MANAGEMENT_HOST: host, MANAGEMENT_PORT: port } = config;
const checks = [lifecycle.readiness()];
const management = await listening('MANAGEMENT', () => startManagementServer({ host, port, checks, metrics }));
simulator.timeline.start();
lifecycle.started();
lifecycle.onShutdown('server', () => server.close());
lifecycle.onShutdown('stores', () => simulator.close());
lifecycle.onShutdown('management', () => management.close());
announceReady({ management: management.url, simulator: server.url });
logger.info({ simulator: server.url, management: management.url }, 'Ready');
