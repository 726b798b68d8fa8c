// The caller's half of a round trip on the stock NestJS Kafka transport.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { ClientKafka } from '@nestjs/microservices';
import { firstValueFrom } from 'rxjs';
import { runClosedLoop } from '../round-trip/closed-loop.ts';
import { kafkaOptions } from './nest-options.mjs';

const [brokers, topic, group, inFlight, seconds] = process.argv.slice(2);
const client = new ClientKafka(kafkaOptions(brokers, group));
client.subscribeToResponseOf(topic);
await client.connect();

const attributes = [{ id: randomUUID(), key: 'goal', value: 'x'.repeat(200) }];
const keys = Array.from({ length: 1_000 }, () => randomUUID());
let sent = 0;
const call = () => firstValueFrom(client.send(topic, { key: keys[sent++ % keys.length], value: { attributes } }));

process.send(await runClosedLoop(call, Number(inFlight), Number(seconds)));
await client.close();
process.exit(0);
