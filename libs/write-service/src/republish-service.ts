import { eventsOf, type Command, type DomainEvent } from '@paywright/contracts';
import { createPool, EventLog, upcastersOf, upcasting } from '@paywright/event-sourcing';
import { CoalescingProducer, createKafka, eventTopicOf } from '@paywright/messaging';
import { kafkaAddress, type Clock, type ProcessContext, type ProgressSample } from '@paywright/platform';
import type { z } from 'zod';
import { describeRepublish } from './republish-progress.ts';
import { republish } from './republish.ts';
import type { WriteService } from './start-write-service.ts';
import type { WriteServiceConfig } from './write-service-config.ts';

/** Before the first event comes, Postgres has sorted all of them: a year of a large app takes it many hours. */
const patienceMs = null;

const tellEveryMs = 30_000;

/** Fills a service's topics from its store, says what was published, and ends the process. */
export async function republishService<
  Schema extends z.ZodObject & z.ZodType<WriteServiceConfig>,
  C extends Command,
  S,
  E extends DomainEvent,
>({ name, assemble }: WriteService<Schema, C, S, E>, context: ProcessContext<z.output<Schema>>): Promise<never> {
  const { config, logger, metrics, clock } = context;
  const kafka = createKafka({ ...kafkaAddress(config), clientId: `${name}-republish`, logger });
  const producer = new CoalescingProducer({ kafka, metrics });
  const pool = createPool({ databaseUrl: config.DATABASE_URL, schema: name, max: 1, patienceMs });
  const { decider, extraRecords, withoutExtraRecords } = await assemble({ ...context, kafka });
  const log = new EventLog(pool);
  await producer.connect();
  const onEvents = tellingHowFar(name, await log.count(), clock);
  const { events, personal, extra } = await republish({
    service: name,
    log,
    decider,
    ...(extraRecords && { extraRecords }),
    ...(withoutExtraRecords && { withoutExtraRecords }),
    upcast: upcasting(upcastersOf(eventsOf[eventTopicOf[name]])),
    publish: (messages) => producer.send(messages),
    onEvents,
  });
  await producer.close();
  await pool.end();
  process.stdout.write(`${name}: ${events} events, ${personal} personal records, ${extra} others\n`);
  process.exit(0); // what the service's parts watch would keep it alive
}

/** Says how far it is, each half minute. @returns what is to be told how many events are published so far */
function tellingHowFar(service: string, total: number, clock: Clock): (published: number) => void {
  let done = 0;
  let last: ProgressSample = { at: clock.steadyNow(), done, total };
  const tell = () => {
    const now = { at: clock.steadyNow(), done, total };
    process.stdout.write(`${describeRepublish(service, last, now)}\n`);
    last = now;
  };
  setInterval(tell, tellEveryMs);
  return (published) => (done = published);
}
