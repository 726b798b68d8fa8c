import { randomUUID } from 'node:crypto';
import { createKafka, createTopics, type KafkaConnection } from '@paywright/messaging';
import { createLogger } from '@paywright/platform';

const partitions = 12;

export const connect = (brokers: string): KafkaConnection =>
  createKafka({
    brokers: brokers.split(','),
    ssl: false,
    sasl: null,
    clientId: 'bench',
    logger: createLogger({ service: 'bench', level: 'error' }),
  });

export interface BenchTopics extends AsyncDisposable {
  readonly names: readonly string[];
}

/** Topics that are there for one measurement. `suffixes` are appended to one name that no one else has. */
export async function benchTopics(kafka: KafkaConnection, suffixes: readonly string[]): Promise<BenchTopics> {
  const name = `bench.${randomUUID()}`;
  const names = suffixes.map((suffix) => `${name}${suffix}`);
  await createTopics(
    kafka,
    { topics: names.map((topic) => ({ name: topic, partitions, config: {} })) },
    { replication: 1 },
  );
  return {
    names,
    [Symbol.asyncDispose]: async () => {
      const admin = kafka.client.admin();
      await admin.connect();
      await admin.deleteTopics({ topics: [...names] });
      await admin.disconnect();
    },
  };
}
