import type { TestRuntime, TestRuntimeParts } from './test-runtime.ts';

/** The images of docker-compose.yml. */
export const postgresImage = 'postgres:18.4-alpine';
export const kafkaImage = 'apache/kafka:4.3.0';

/** Starts images by testcontainers, which also removes them when the run is killed. */
export async function startContainers({ postgres, kafka }: Required<TestRuntimeParts>): Promise<TestRuntime> {
  const [database, broker] = await Promise.all([postgres ? startPostgres() : null, kafka ? startKafka() : null]);
  return {
    databaseUrl: database?.url ?? '',
    kafkaBrokers: broker?.address ?? '',
    stop: async () => void (await Promise.all([database?.stop(), broker?.stop()])),
  };
}

async function startPostgres() {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const container = await new PostgreSqlContainer(postgresImage)
    .withCommand(['postgres', '-c', 'max_connections=300', '-c', 'fsync=off', '-c', 'full_page_writes=off'])
    .start();
  return { url: container.getConnectionUri(), stop: () => container.stop() };
}

async function startKafka() {
  const { KafkaContainer } = await import('@testcontainers/kafka');
  const container = await new KafkaContainer(kafkaImage)
    .withEnvironment({ KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0', KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false' })
    .start();
  return { address: `${container.getHost()}:${container.getMappedPort(9093)}`, stop: () => container.stop() };
}
