import { eventsOf, type Command, type DomainEvent } from '@paywright/contracts';
import { createPool, EventLog, upcastersOf, upcasting } from '@paywright/event-sourcing';
import { CoalescingProducer, createKafka, eventTopicOf } from '@paywright/messaging';
import { kafkaAddress, type ProcessContext } from '@paywright/platform';
import type { z } from 'zod';
import { republish } from './republish.ts';
import type { WriteService } from './start-write-service.ts';
import type { WriteServiceConfig } from './write-service-config.ts';

/** Before the first event comes, Postgres has sorted all of them: a year of a large app takes it many hours. */
const patienceMs = null;

/** Fills a service's topics from its store, says what was published, and ends the process. */
export async function republishService<
  Schema extends z.ZodObject & z.ZodType<WriteServiceConfig>,
  C extends Command,
  S,
  E extends DomainEvent,
>({ name, assemble }: WriteService<Schema, C, S, E>, context: ProcessContext<z.output<Schema>>): Promise<never> {
  const { config, logger, metrics } = context;
  const kafka = createKafka({ ...kafkaAddress(config), clientId: `${name}-republish`, logger });
  const producer = new CoalescingProducer({ kafka, metrics });
  const pool = createPool({ databaseUrl: config.DATABASE_URL, schema: name, max: 1, patienceMs });
  const { decider, extraRecords, withoutExtraRecords } = await assemble({ ...context, kafka });
  await producer.connect();
  const { events, personal, extra } = await republish({
    service: name,
    log: new EventLog(pool),
    decider,
    ...(extraRecords && { extraRecords }),
    ...(withoutExtraRecords && { withoutExtraRecords }),
    upcast: upcasting(upcastersOf(eventsOf[eventTopicOf[name]])),
    publish: (messages) => producer.send(messages),
  });
  await producer.close();
  await pool.end();
  process.stdout.write(`${name}: ${events} events, ${personal} personal records, ${extra} others\n`);
  process.exit(0); // what the service's parts watch would keep it alive
}
