import { randomBytes } from 'node:crypto';
import { createKafka, createTopics, type KafkaConnection } from '@paywright/messaging/topics';
import { createLogger } from '@paywright/platform';

/** Topics of its own on the test broker. Disposed of, they are gone. */
export interface TestTopics<Name extends string> extends AsyncDisposable {
  readonly connection: KafkaConnection;
  /** What a topic is really called. */
  nameOf(name: Name): string;
}

/**
 * Creates topics that no other test has, on the broker of TEST_KAFKA_BROKERS.
 * @param topics partitions by name, `{ 'profile.events': 3 }`; the real names have a random end
 * @param config of every one of them, such as `{ 'cleanup.policy': 'compact' }`
 */
export async function testTopics<Name extends string>(
  topics: Readonly<Record<Name, number>>,
  config: Readonly<Record<string, string>> = {},
): Promise<TestTopics<Name>> {
  const brokers = process.env['TEST_KAFKA_BROKERS'];
  if (!brokers) throw new Error('TEST_KAFKA_BROKERS is not set: is this an integration test (.int.spec.ts)?');
  const logger = createLogger({ service: 'test', level: 'error' });
  const connection = createKafka({ brokers: brokers.split(','), ssl: false, sasl: null, clientId: 'test', logger });
  const end = randomBytes(6).toString('hex');
  const nameOf = (name: string) => `${name}.${end}`;
  const entries = Object.entries<number>(topics).map(([name, partitions]) => ({ name: nameOf(name), partitions }));
  const manifest = { topics: entries.map((entry) => ({ ...entry, config: { ...config } })) };
  await createTopics(connection, manifest, { replication: 1 });
  return {
    connection,
    nameOf,
    [Symbol.asyncDispose]: async () => {
      const admin = connection.client.admin();
      await admin.connect();
      await admin.deleteTopics({ topics: entries.map(({ name }) => name) });
      await admin.disconnect();
    },
  };
}
