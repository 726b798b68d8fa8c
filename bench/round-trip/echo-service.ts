import { randomUUID } from 'node:crypto';
import { topics } from '@paywright/contracts';
import {
  BatchConsumer,
  CoalescingProducer,
  commandResults,
  decodeCommands,
  type BatchHandler,
} from '@paywright/messaging';
import { Metrics } from '@paywright/platform';
import { connect } from './bench-topics.ts';

/** A write service without its decider and database: takes commands in batches and answers each. */
const [brokers = '', topic = ''] = process.argv.slice(2);
const kafka = connect(brokers);
const metrics = new Metrics({ service: 'bench-echo' });
const producer = new CoalescingProducer({ kafka, metrics });
const reply = JSON.stringify({ status: 'accepted', streamVersion: 1, body: { created: true, attributes: [] } });

const handler: BatchHandler = async (batch) => {
  const { commands, messages, deadLetters } = decodeCommands(topics.profileCommands, batch);
  const outcomes = commands.map(
    (command) => ({ kind: 'accepted', command, events: [], reply, state: null, personal: null }) as const,
  );
  const { publish } = commandResults(topics.profileCommands, 'profile', outcomes, messages);
  return { publish, deadLetters };
};

await producer.connect();
const consumer = new BatchConsumer({
  kafka,
  group: `bench-${randomUUID()}`,
  topic,
  handler,
  producer,
  metrics,
  carries: 'commands',
});
await consumer.start();
process.send?.('ready');
process.on('disconnect', () => {
  void consumer
    .stop()
    .then(() => producer.close())
    .then(() => process.exit(0));
});
