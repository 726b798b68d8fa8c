import { randomUUID } from 'node:crypto';
import { SetCustomAttributes } from '@paywright/contracts';
import { CoalescingProducer, CommandClient } from '@paywright/messaging';
import { Metrics, SystemClock } from '@paywright/platform';
import { connect } from './bench-topics.ts';
import { runClosedLoop } from './closed-loop.ts';

/** The gateway's half of a round trip: sends commands and awaits the replies on its own partition. */
const [brokers = '', topic = '', inFlight = '', seconds = ''] = process.argv.slice(2);
const kafka = connect(brokers);
const metrics = new Metrics({ service: 'bench-caller' });
const producer = new CoalescingProducer({ kafka, metrics });
// The last reply partition: far from those of gateways that run.
const client = new CommandClient({
  kafka,
  producer,
  metrics,
  clock: new SystemClock(),
  instance: 63,
  topicOf: () => topic,
});
await producer.connect();
await client.start();

const attributes = [{ id: randomUUID(), key: 'goal', value: 'x'.repeat(200) }];
const keys = Array.from({ length: 1_000 }, () => randomUUID());
let sent = 0;
const call = () =>
  client.send(SetCustomAttributes, {
    id: randomUUID(),
    appId: 1,
    key: keys[sent++ % keys.length]!,
    body: { attributes },
    deadlineMs: 30_000,
  });

process.send?.(await runClosedLoop(call, Number(inFlight), Number(seconds)));
await client.stop();
await producer.close();
process.exit(0);
