import { createKafka } from '@paywright/messaging';
import {
  announceReady,
  createLogger,
  kafkaAddress,
  Lifecycle,
  loadConfig,
  Metrics,
  openClock,
  openTracing,
  refusePlainConnections,
  startManagementServer,
} from '@paywright/platform';
import { learnerConfig } from './config.ts';
import { openLearner } from './open-learner.ts';
import { takeWhatIsLeft } from './take-what-is-left.ts';

const service = 'learner';
takeWhatIsLeft();
const config = loadConfig(learnerConfig, process.env);
refusePlainConnections(config);
const logger = createLogger({ service, level: config.LOG_LEVEL });
const metrics = new Metrics({ service });
const time = openClock(config);
const tracing = await openTracing(config, { name: service, instance: config.INSTANCE }, logger);
const lifecycle = new Lifecycle(logger);
lifecycle.install();

const kafka = createKafka({ ...kafkaAddress(config), clientId: service, logger });
const learner = await openLearner({
  kafka,
  databaseUrl: config.DATABASE_URL,
  clock: time.clock,
  logger,
  metrics,
  tracer: tracing.tracer,
});
const management = await startManagementServer({
  host: config.MANAGEMENT_HOST,
  port: config.MANAGEMENT_PORT,
  checks: [lifecycle.readiness(), ...learner.checks],
  metrics,
  clock: time,
});
lifecycle.onShutdown('learner', () => learner.stop());
lifecycle.onShutdown('traces', () => tracing.stop());
lifecycle.onShutdown('clock', () => time.stop());
lifecycle.onShutdown('management', () => management.close());

await time.start();
await learner.start();
announceReady({ management: management.url });
logger.info({ management: management.url }, 'Ready');
