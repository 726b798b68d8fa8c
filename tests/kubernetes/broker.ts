import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { groups } from '@paywright/contracts';
import { createTopicsOfManifest } from '@paywright/deploy/create-topics.ts';
import { kafkaRuntime } from '@paywright/deploy/local/kafka-runtime.ts';
import { startKafka } from '@paywright/deploy/local/kafka.ts';
import { findProjectRoot } from '@paywright/deploy/migrate/database-schemas.ts';
import { withAdmin } from '@paywright/messaging/topics';
import { connectToKafka } from '../stack/connect-to-kafka.ts';
import type { ControlPlaneOptions } from './control-plane.ts';

/** One of those that the group reads, with as many partitions as it may have instances. */
const topic = 'profile.events';
const partitions = 12;
const messagesAtOnce = 500;

/** A real broker with the topics of the product, and the group of a projection that hangs. */
export class Broker {
  /** host:port */
  readonly brokers: string;

  private constructor(brokers: string) {
    this.brokers = brokers;
  }

  static async start({ folder, group }: Pick<ControlPlaneOptions, 'folder' | 'group'>, say: (line: string) => void) {
    const kept = join(findProjectRoot(), '.data');
    const runtimeDir = await kafkaRuntime(kept, say);
    const dataDir = join(folder, 'kafka');
    mkdirSync(dataDir);
    const logFile = join(folder, 'kafka.log');
    const { brokers } = await startKafka({ dataDir, runtimeDir, logFile, group, durable: false });
    await createTopicsOfManifest({ KAFKA_BROKERS: brokers, KAFKA_TOPIC_REPLICATION: '1' });
    const broker = new Broker(brokers);
    // Each partition is written to once: then it has a leader, who knows where it ends.
    await broker.fallBehind(partitions);
    await broker.catchUp();
    return broker;
  }

  /** The group has read all that there is. */
  async catchUp(): Promise<void> {
    await withAdmin(connectToKafka(this), async (admin) => {
      const ends = (await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => ({
        partition,
        offset: high,
      }));
      await admin.setOffsets({ groupId: groups.projection, topic, partitions: ends });
    });
  }

  /** That many messages come, of equal share to each partition, which nobody reads. */
  async fallBehind(messages: number): Promise<void> {
    const producer = connectToKafka(this).client.producer({ allowAutoTopicCreation: false });
    await producer.connect();
    try {
      for (let sent = 0; sent < messages; sent += messagesAtOnce) {
        const keys = Array.from({ length: Math.min(messagesAtOnce, messages - sent) }, (_, index) => sent + index);
        await producer.send({ topic, acks: -1, messages: keys.map((key) => ({ partition: key % partitions, key: String(key), value: '{}' })) }); // prettier-ignore
      }
    } finally {
      await producer.disconnect();
    }
  }
}
