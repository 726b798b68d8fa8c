import type { z } from 'zod';
import { configuredOrEnd } from './configured-or-end.ts';
import { announceReady, Lifecycle, type ReadyAddresses } from './lifecycle.ts';
import { listening } from './listening.ts';
import { startManagementServer, type HealthCheck } from './management-server.ts';
import { prepareProcess, type ProcessContext, type ProcessSchema } from './process-context.ts';
import { openTracing } from './tracing/open-tracing.ts';

/** The live parts of a process: put together, and nothing connected. */
export interface ProcessParts {
  /** What must be well before the process may be sent work. */
  readonly checks: readonly HealthCheck[];
  /** Resolves when it does its work. What it waits for at the beginning, it waits for until it is told to stop. */
  start(stopping: AbortSignal): Promise<void>;
  /** Adds the steps that close it: first what takes work, last what the work needs. */
  closeWith(lifecycle: Lifecycle): void;
  /** Where it is reached beside its management server, once it has started. */
  addresses?(): Promise<Omit<ReadyAddresses, 'management'>>;
}

export interface ProcessDefinition<Schema extends ProcessSchema> {
  /** As logs, metrics and traces carry it. */
  readonly name: string;
  /** Its environment. */
  readonly config: Schema;
  readonly open: (context: ProcessContext<z.output<Schema>>) => ProcessParts | Promise<ProcessParts>;
}

/**
 * The start of a process; resolves when it is ready, which the log and the launcher are told. Health and metrics are
 * served from before anything is opened, which may wait for servers, until behind the end; traces are sent and the clock is
 * followed until the parts are closed. Told to stop before it is ready, it never is: what its start comes to is
 * nothing then, since what the start needs is closed under it. An environment that does not fit ends the process with 1
 * before anything is opened, or as soon as a part finds it.
 * @throws what `open` or `start` throws. Uncaught, it ends the process with 1
 */
export async function startProcess<Schema extends ProcessSchema>(definition: ProcessDefinition<Schema>): Promise<void> {
  const { name, open } = definition;
  const { time, ...prepared } = configuredOrEnd(name, () => prepareProcess(name, definition.config));
  const { config, logger, metrics } = prepared;
  const lifecycle = new Lifecycle(logger);
  lifecycle.install();

  const checks = [lifecycle.readiness()];
  const { MANAGEMENT_HOST: host, MANAGEMENT_PORT: port } = config;
  const serve = () => startManagementServer({ host, port, checks, metrics, clock: time });
  const management = await listening('MANAGEMENT', serve);
  const tracing = await openTracing(config, { name, instance: config.INSTANCE }, logger);
  const parts = await open({ ...prepared, tracer: tracing.tracer });
  checks.push(...parts.checks);
  parts.closeWith(lifecycle);
  lifecycle.onShutdown('traces', () => tracing.stop());
  lifecycle.onShutdown('clock', () => time.stop());
  lifecycle.onShutdown('management', () => management.close());

  const { stopping } = lifecycle;
  try {
    await time.start();
    if (!stopping.aborted) await parts.start(stopping);
  } catch (error) {
    if (!stopping.aborted) throw error;
    logger.debug({ error }, 'The start ended with the process');
  }
  if (stopping.aborted) return;
  lifecycle.started();
  const addresses = { management: management.url, ...(await parts.addresses?.()) };
  announceReady(addresses);
  logger.info(addresses, 'Ready');
}
