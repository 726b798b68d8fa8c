import type { z } from 'zod';
import { measureCertificates } from './certificate-ends.ts';
import type { Clock } from './clock.ts';
import { loadConfig } from './config.ts';
import { createLogger, type Logger } from './logger.ts';
import { Metrics } from './metrics.ts';
import { misspeltLine, misspeltVariables } from './misspelt-variables.ts';
import { openClock, type OpenedClock } from './open-clock.ts';
import { refusePlainConnections, type Connections } from './plain-connections.ts';
import type { serviceConfig } from './service-config.ts';
import type { tracingConfig } from './tracing/tracing-config.ts';
import type { Tracer } from './tracing/tracer.ts';

/** The environment that every process reads, and of what else it may read, what is held to a rule of all. */
export type ProcessConfig = z.output<z.ZodObject<typeof serviceConfig & typeof tracingConfig>> & Connections;
export type ProcessSchema = z.ZodObject & z.ZodType<ProcessConfig>;

/** What a process has, whatever it does. */
export interface ProcessContext<Config> {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
}

export interface PreparedProcess<Config> extends Omit<ProcessContext<Config>, 'tracer'> {
  /** The clock's own start and end. */
  readonly time: OpenedClock;
}

/**
 * What a process has before it opens anything: its environment, read and found good, and what that asks for.
 * @param name of the service, as logs and metrics carry it
 * @throws ConfigurationError that names every variable to be mended
 */
export function prepareProcess<Schema extends ProcessSchema>(
  name: string,
  schema: Schema,
): PreparedProcess<z.output<Schema>> {
  const config = loadConfig(schema, process.env);
  refusePlainConnections(config);
  const time = openClock(config);
  const logger = createLogger({ service: name, level: config.LOG_LEVEL });
  for (const misspelt of misspeltVariables(Object.keys(schema.shape), process.env)) {
    logger.warn({}, misspeltLine(misspelt));
  }
  const metrics = new Metrics({ service: name });
  measureCertificates(metrics, config);
  return { config, time, clock: time.clock, logger, metrics };
}
