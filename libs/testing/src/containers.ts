import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@paywright/deploy/local/free-ports.ts';
import { findProjectRoot } from '@paywright/deploy/migrate/database-schemas.ts';
import { parse } from 'yaml';
import { z } from 'zod';
import type { TestRuntime, TestRuntimeParts } from './test-runtime.ts';

const Server = z.object({ image: z.string(), environment: z.record(z.string(), z.coerce.string()) });
const Compose = z.object({ services: z.object({ postgres: Server, kafka: Server }) });
type Server = z.output<typeof Server>;

interface StartedServer {
  readonly address: string;
  stop(): Promise<unknown>;
}

/** Of the Kafka in docker-compose.yml: what clients outside its network connect to. */
const kafkaPort = 29_092;

/**
 * Starts the images of docker-compose.yml by testcontainers, which also removes them when the run is killed.
 * @throws if an image cannot be had or does not start; nothing runs then
 */
export async function startContainers(parts: Required<TestRuntimeParts>): Promise<TestRuntime> {
  const { services } = Compose.parse(parse(readFileSync(join(findProjectRoot(), 'docker-compose.yml'), 'utf8')));
  const starts = await Promise.allSettled([
    parts.postgres ? startPostgres(services.postgres) : null,
    parts.kafka ? startKafka(services.kafka) : null,
  ]);
  const started = starts.map((start) => (start.status === 'fulfilled' ? start.value : null));
  const stop = async () => void (await Promise.all(started.map(async (server) => server?.stop())));
  const failed = starts.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') {
    await stop();
    throw failed.reason;
  }
  const [database, broker] = started;
  return { databaseUrl: database?.address ?? '', kafkaBrokers: broker?.address ?? '', stop };
}

async function startPostgres({ image }: Server): Promise<StartedServer> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const container = await new PostgreSqlContainer(image)
    .withCommand(['postgres', '-c', 'max_connections=300', '-c', 'fsync=off', '-c', 'full_page_writes=off'])
    .start();
  return { address: container.getConnectionUri(), stop: () => container.stop() };
}

/** Not testcontainers' own, which is for another image. A broker tells where it is reached, so its port is chosen beforehand. */
async function startKafka({ image, environment }: Server): Promise<StartedServer> {
  const { GenericContainer, getContainerRuntimeClient } = await import('testcontainers');
  const { host } = (await getContainerRuntimeClient()).info.containerRuntime;
  const port = await freePort();
  const address = `${host}:${String(port)}`;
  const container = await new GenericContainer(image)
    .withExposedPorts({ container: kafkaPort, host: port })
    .withEnvironment({
      ...environment,
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://localhost:9092,HOST://${address}`,
    })
    .start();
  return { address, stop: () => container.stop() };
}
