import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { topics as names, EventsReported, type ReportEvents } from '@paywright/contracts';
import { createCommandProcessor, type Decider } from '@paywright/event-sourcing';
import { InMemoryEventStore } from '@paywright/event-sourcing/testing';
import {
  BatchConsumer,
  BrokerTime,
  CoalescingProducer,
  deadLettersOfCommands,
  findRecord,
  type BatchHandler,
  type Failpoint,
  type OutgoingMessage,
} from '@paywright/messaging';
import { derivedId, Metrics } from '@paywright/platform';
import { testTopics, type TestTopics } from '@paywright/testing';
import { createCommandBatchHandler } from '@paywright/write-service';
import type pg from 'pg';
import { DeadLetterCounts } from '../dead-letters/dead-letter-counts.ts';
import { deadLetterHandler } from '../dead-letters/open-dead-letter-desk.ts';
import { openDesk } from './dead-letter-desk.ts';
import { profileA } from './event-log.ts';
import { clock } from './read-model.ts';

const group = 'impression';
const deadLetters = `${group}.dead-letter`;
type Name = typeof names.impressionCommands | typeof deadLetters;

/** These tests have topics of their own names. */
const named = ({ topic }: { readonly topic: string }): Name =>
  topic === deadLetters ? deadLetters : names.impressionCommands;

const profileId = profileA;

/** Longer than a test takes. */
const waitsMs = 60_000;

/** A client's command, which may be what a repeat of it looks like too. */
export const reported = (name: string, waiting = {}): OutgoingMessage => {
  const at = clock.now();
  const awaited = { 'issued-at': String(at), deadline: String(at + waitsMs) };
  const headers = { id: derivedId(name), type: 'ReportEvents', version: '1', app: '7', ...awaited };
  const event = {
    eventId: derivedId(`event of ${name}`),
    eventType: 'paywall_shown',
    decisionId: null,
    paywallId: 1,
    placementId: 'onboarding',
    aiPricingModelId: null,
    abTestId: null,
    isExperiment: null,
    foreignToken: false,
  };
  const value = JSON.stringify({ events: [event] });
  return { topic: names.impressionCommands, key: profileId, headers: { ...headers, ...waiting }, value };
};

/** A service that cannot decide its commands until it is mended, the projection's desk, and the broker between them. */
export class CommandGroup implements AsyncDisposable {
  mended = false;
  /** What the service has stored. */
  readonly store = new InMemoryEventStore();
  readonly metrics = new Metrics();
  readonly #topics: TestTopics<Name>;
  readonly #producer: CoalescingProducer;
  readonly #pool: pg.Pool;
  readonly #consumers: BatchConsumer[] = [];
  #desk: BatchConsumer | undefined;

  private constructor(pool: pg.Pool, topics: TestTopics<Name>) {
    this.#pool = pool;
    this.#topics = topics;
    this.#producer = new CoalescingProducer({ kafka: topics.connection, metrics: new Metrics() });
  }

  static async open(pool: pg.Pool): Promise<CommandGroup> {
    const opened = new CommandGroup(pool, await testTopics({ [names.impressionCommands]: 1, [deadLetters]: 1 }));
    await opened.#producer.connect();
    await opened.#startService();
    await opened.startDesk();
    return opened;
  }

  /** Starts what keeps the dead letters, in place of the one before: of another group, so that it reads all of them again. */
  async startDesk(): Promise<void> {
    await this.#desk?.stop();
    const counts = new DeadLetterCounts(this.#pool, this.metrics);
    const handler = deadLetterHandler(this.desk(), this.#pool, counts);
    this.#desk = await this.#consume(deadLetters, `desk-${randomUUID()}`, handler);
  }

  desk(failpoint: Failpoint = () => undefined) {
    return openDesk(this.#pool, {
      failpoint,
      publish: (messages) => this.send(messages),
      source: {
        find: async (start) => {
          const found = await findRecord(this.#topics.connection, {
            ...start,
            topic: this.#topics.nameOf(named(start)),
          });
          return found && { ...found, topic: start.topic };
        },
        findNewest: async ({ offset }) => ({ record: null, next: offset }),
      },
    });
  }

  send(messages: readonly OutgoingMessage[]): Promise<void> {
    return this.#producer.send(messages.map((message) => ({ ...message, topic: this.#topics.nameOf(named(message)) })));
  }

  /** Deletes all commands, as the topic's retention does in the end. */
  async forgetCommands(): Promise<void> {
    const topic = this.#topics.nameOf(names.impressionCommands);
    const admin = this.#topics.connection.client.admin();
    await admin.connect();
    await admin.fetchTopicOffsets(topic); // which tells it who leads the partition
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '-1' }] });
    await admin.disconnect();
  }

  /** The only letter, once it is as wanted. */
  async untilLetter(
    wanted: Readonly<Record<string, unknown>>,
  ): Promise<{ id: number; error: string; attempts: number }> {
    for (let attempt = 0; ; attempt++) {
      const { rows } = await this.#pool.query('select seq::int as id, * from dead_letter');
      const [row] = rows;
      if (rows.length === 1 && Object.entries(wanted).every(([name, value]) => row[name] === value)) return row;
      if (attempt > 200) throw new Error(`Not ${JSON.stringify(wanted)}, but ${JSON.stringify(rows)}`);
      await delay(50);
    }
  }

  /** Waits until so many of the group are counted as open. */
  async untilOpen(count: number): Promise<void> {
    const line = `paywright_dead_letters_open{group="${group}"} ${count}`;
    for (let attempt = 0; !(await this.metrics.text()).includes(line); attempt++) {
      if (attempt > 200) throw new Error(`The metrics do not say: ${line}`);
      await delay(50);
    }
  }

  async untilStored(count: number): Promise<void> {
    for (let attempt = 0; (await this.stored()).length !== count; attempt++) {
      if (attempt > 200) throw new Error(`${(await this.stored()).length} events are stored`);
      await delay(50);
    }
  }

  async stored() {
    const streams = await this.store.load([profileId], null);
    return [...streams.values()].flatMap(({ events }) => events);
  }

  async #startService(): Promise<void> {
    const decider: Decider<ReportEvents, number, EventsReported> = {
      initialState: 0,
      evolve: (count) => count + 1,
      decide: { ReportEvents: (command) => this.#decide(command) },
    };
    const process = createCommandProcessor({ decider, store: this.store });
    const brokerTime = new BrokerTime(clock);
    const { handle } = createCommandBatchHandler({
      service: 'impression',
      topic: names.impressionCommands,
      process,
      brokerTime,
    });
    await this.#consume(names.impressionCommands, `${group}-${randomUUID()}`, async (messages) => {
      const result = await handle(messages);
      return { ...result, publish: [] };
    });
  }

  #decide({ appId, key, body }: ReportEvents) {
    if (!this.mended) throw new TypeError('the service is not mended');
    const events = body.events.map((event) => ({ ...event, uniqueImpression: false }));
    return { events: [EventsReported.of({ appId, profileId: key, events })], reply: {} };
  }

  async #consume(name: Name, of: string, handler: BatchHandler): Promise<BatchConsumer> {
    const consumer = new BatchConsumer({
      kafka: this.#topics.connection,
      producer: this.#producer,
      metrics: new Metrics(),
      group: of,
      topic: this.#topics.nameOf(name),
      carries: 'commands',
      handler: (messages) => handler(messages.map((message) => ({ ...message, topic: name }))),
      deadLetters: (letter) =>
        deadLettersOfCommands(group)(letter).map((record) => ({ ...record, topic: this.#topics.nameOf(deadLetters) })),
    });
    await consumer.start();
    this.#consumers.push(consumer);
    return consumer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#consumers.map((consumer) => consumer.stop()));
    await this.#producer.close();
    await this.#topics[Symbol.asyncDispose]();
  }
}
