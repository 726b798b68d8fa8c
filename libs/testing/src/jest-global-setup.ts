import { keepForTeardown } from './jest-runtime.ts';
import { startTestRuntime } from './test-runtime.ts';

/** Gives the integration tests a PostgreSQL and a Kafka, unless TEST_DATABASE_URL and TEST_KAFKA_BROKERS name some. */
export default async function setup(): Promise<void> {
  const { TEST_DATABASE_URL: databaseUrl, TEST_KAFKA_BROKERS: kafkaBrokers } = process.env;
  const runtime = await startTestRuntime({ postgres: !databaseUrl, kafka: !kafkaBrokers });
  keepForTeardown(runtime);
  process.env['TEST_DATABASE_URL'] = databaseUrl || runtime.databaseUrl;
  process.env['TEST_KAFKA_BROKERS'] = kafkaBrokers || runtime.kafkaBrokers;
}
